//! Rock Paper Scissor as its players and its contest know it: protocol, players, sample clients, and a slow version of its rules.

mod clients;
mod golden;
mod no_allocation;
mod players;
mod properties;
mod protocol;
mod reader;
mod reference;
mod rule_book;

/// The tests of allocations count with it: each thread, and so each test, for itself.
#[global_allocator]
static ALLOCATOR: palestra_testkit::Counting = palestra_testkit::Counting;
