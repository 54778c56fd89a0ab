//! What the tests of several games, and of several crates, share. For tests only: nothing that ships depends on it, and it panics where a test
//! should fail.

mod allocations;
mod certificates;
mod golden;
mod logs;
mod nats;
mod players;
mod postgres;
mod readers;
mod traces;
mod types;
mod words;

pub use allocations::{Counting, allocations_of, check_no_allocations, held, peak_of};
pub use certificates::Authority;
pub use golden::{Story, check_golden, compare};
pub use logs::{
    LogMoment, check_cut_logs, check_damaged_logs, check_log, check_log_errors, exported, log_of,
    play_built_ins, typed_replay,
};
pub use nats::NatsServer;
pub use players::{check_no_arguments, check_sparring_ladder, play_cleanly, wins};
pub use postgres::Postgres;
pub use readers::{Readings, check_foreign};
pub use traces::replay_traces;
pub use types::{check_constants, check_frame_types, check_types};
pub use words::{check_counters, check_messages, english};
