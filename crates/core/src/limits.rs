//! Every number that bounds something, in one place. An error about a limit names it.

use std::time::Duration;

/// Bytes of one answer. A bot that writes more without completing its answer is at fault.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Bytes of a bot's standard error that are kept; the rest is read and dropped.
pub const STDERR_BYTES: usize = 1 << 20;
/// Bytes of a bot's standard error that go into the replay.
pub const REPLAY_STDERR_BYTES: usize = 64 << 10;
/// Bytes of offending output shown in a fault.
pub const EXCERPT_BYTES: usize = 120;
/// How long an answer that did not come in time is waited for, to be thrown away; after that it is taken as never sent.
pub const LATE_ANSWER: Duration = Duration::from_secs(5);
/// Seats of one match.
pub const SEATS: usize = 64;
/// Notes kept per match; further ones are only counted.
pub const NOTES_KEPT: usize = 10_000;
/// Bytes of a map file.
pub const MAP_BYTES: usize = 4 << 20;
/// Bytes of a run configuration.
pub const CONFIG_BYTES: usize = 1 << 20;
/// Bytes of everything in a replay but its columns, once unpacked.
pub const REPLAY_HEAD_BYTES: usize = 16 << 20;
/// Bytes of a replay's columns (answers and times), once unpacked.
pub const REPLAY_COLUMN_BYTES: usize = 512 << 20;
/// Bytes of a replay file.
pub const REPLAY_FILE_BYTES: u64 = 256 << 20;
/// Bytes of a bot's displayed name.
pub const BOT_NAME_BYTES: usize = 200;
