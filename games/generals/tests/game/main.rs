//! Generals as its players and its contest know it: protocol, players, maps, recorded games.

mod golden;
mod legacy;
mod mapgen;
mod no_allocation;
mod players;
mod protocol;
mod reader;
mod rule_book;
mod traces;

/// The tests of allocations count with it: each thread, and so each test, for itself.
#[global_allocator]
static ALLOCATOR: palestra_testkit::Counting = palestra_testkit::Counting;
