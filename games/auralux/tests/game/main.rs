//! Auralux as its players and its contest know it: rules, protocol, players, maps, recorded games.

mod bots;
mod exact;
mod golden;
mod legacy;
mod maps;
mod no_allocation;
mod properties;
mod protocol;
mod reader;
mod rules;
mod support;
mod traces;

/// The tests of allocations count with it: each thread, and so each test, for itself.
#[global_allocator]
static ALLOCATOR: palestra_testkit::Counting = palestra_testkit::Counting;
