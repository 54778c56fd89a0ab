//! Every number that bounds something, in one place. An error about a limit names it.

use std::time::Duration;

/// Bytes of one answer. A bot that writes more without completing its answer is at fault.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Bytes of all answers of one seat in one match, as a replay keeps them. A bot that answers more is at fault: what is
/// recorded is held in memory until the match is over.
pub(crate) const ANSWERS_BYTES: usize = 32 << 20;
/// Bytes of a bot's standard error that are kept; the rest is read and dropped.
pub const STDERR_BYTES: usize = 1 << 20;
/// Bytes of a bot's standard error that go into the replay.
pub(crate) const REPLAY_STDERR_BYTES: usize = 64 << 10;
/// Turns whose standard error goes into the replay, for each bot.
pub const REPLAY_STDERR_PIECES: usize = 1 << 14;
/// Turns without an answer that a replay can hold.
pub const REPLAY_FAULTS: usize = 1 << 18;
/// Bytes of offending output shown in a fault.
pub(crate) const EXCERPT_BYTES: usize = 120;
/// How long an answer that did not come in time is waited for, to be thrown away; after that it is taken as never sent.
pub const LATE_ANSWER: Duration = Duration::from_secs(5);
/// Seats of one match.
pub const SEATS: usize = 64;
/// Notes kept per match; further ones are only counted.
pub(crate) const NOTES_KEPT: usize = 10_000;
/// Bytes of a map file.
pub const MAP_BYTES: usize = 4 << 20;
/// Bytes of a run configuration.
pub const CONFIG_BYTES: usize = 1 << 20;
/// Bytes of everything in a replay but its columns, once unpacked.
pub const REPLAY_HEAD_BYTES: usize = 16 << 20;
/// Bytes of a replay's columns (answers and times), once unpacked.
pub(crate) const REPLAY_COLUMN_BYTES: usize = 512 << 20;
/// Bytes that any replay may unpack to, however small its file is.
pub const REPLAY_FREE_BYTES: usize = 32 << 20;
/// What a replay unpacks to beyond that is at most so many times as large as its file: a small file is a small cost.
pub const REPLAY_RATIO: usize = 64;
/// The binary logarithm of the window that unpacking a replay may need, in bytes.
pub(crate) const REPLAY_WINDOW_LOG: u32 = 23;
/// Bytes of a replay file.
pub const REPLAY_FILE_BYTES: u64 = 256 << 20;
/// Steps of a game's course.
pub(crate) const COURSE_STEPS: usize = 8;
/// Matches of one step of a course.
pub(crate) const COURSE_MATCHES: usize = 8;
/// Turns of one match of a course, as far as its settings can see to it: a step is taken in seconds.
pub const COURSE_TURNS: u32 = 10_000;
/// Bytes of a bot's displayed name.
pub(crate) const BOT_NAME_BYTES: usize = 200;

/// Maps that the episodes of a batch are drawn from, if they are not made anew each time.
pub(crate) const POOLED_MAPS: u32 = 1 << 16;
