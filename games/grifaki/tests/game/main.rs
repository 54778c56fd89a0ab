//! Grifaki as its players and its contest know it: fog, protocol, players, maps, and a slow version of its rules.

mod exact;
mod fog;
mod golden;
mod legacy;
mod mapgen;
mod no_allocation;
mod players;
mod protocol;
mod reader;
mod reference;
mod rule_book;

/// The tests of allocations count with it: each thread, and so each test, for itself.
#[global_allocator]
static ALLOCATOR: palestra_testkit::Counting = palestra_testkit::Counting;
