//! What the tests of several games share. For tests only: nothing that ships depends on it, and it panics where a test
//! should fail.

mod allocations;
mod golden;
mod traces;
mod types;

pub use allocations::{Counting, allocations_of_a_game};
pub use golden::{Story, check_golden};
pub use traces::replay_traces;
pub use types::{FateWord, check_frame_types, check_types};
