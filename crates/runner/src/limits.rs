//! The numbers that bound what a bot may cost its host. Sizes of data are in [`palestra_core::limits`].

use crate::bounds::Bounds;
use palestra_sandbox::Limits;
use std::time::Duration;

/// What a bot may use.
pub const BOT: Limits = Limits {
    memory_bytes: 1 << 30,
    processes: 64,
    cpu_percent: 100,
    open_files: 256,
    file_bytes: 64 << 20,
    scratch_bytes: 64 << 20,
};
/// What somebody's own bot may use at home: the same, but for what would only be in the way there.
pub const OWN_BOT: Limits = Limits { cpu_percent: u32::MAX, file_bytes: 1 << 30, ..BOT };
/// What a compiler may use: more, as it is one of ours, but what it reads is not.
pub(crate) const COMPILER: Limits = Limits {
    memory_bytes: 2 << 30,
    processes: 256,
    cpu_percent: 200,
    open_files: 1024,
    file_bytes: 128 << 20,
    scratch_bytes: 512 << 20,
};
/// What a compiler in a sandbox may make, all of it together.
pub(crate) const COMPILED: Bounds = Bounds { bytes: COMPILED_BYTES, entries: 2_000, depth: 16 };
/// Bytes of that.
pub(crate) const COMPILED_BYTES: u64 = 64 << 20;
/// Between two looks at what a compiler has made so far.
pub(crate) const COMPILED_LOOK: Duration = Duration::from_millis(100);
/// What a folder may hold that a compiler in a sandbox is shown. Only names and times are read, whatever is in the files.
pub(crate) const SHOWN: Bounds = Bounds { bytes: u64::MAX, entries: 20_000, depth: 32 };

/// The part of a bot's memory that interpreters which size themselves are told to use for data, in percent.
pub(crate) const HEAP_PERCENT: u64 = 75;

/// How long a bot may take to end by itself after its last words.
pub const GRACE: Duration = Duration::from_secs(1);
/// How much of that it has for itself if the match goes on without it: nobody is asked meanwhile.
pub(crate) const LEAVE_MOMENT: Duration = Duration::from_millis(250);
/// How long it is tried to start a program that cannot be started for a reason which passes by itself.
pub(crate) const START_AGAIN: Duration = Duration::from_secs(2);
/// Between two such attempts.
pub(crate) const START_AGAIN_PAUSE: Duration = Duration::from_millis(1);
/// How long a bot may take from its start until it first reads its input; beyond that its clock runs.
pub(crate) const START_UP: Duration = Duration::from_secs(10);
/// A starting bot that uses no processor time for this long is not starting any more.
pub(crate) const START_UP_IDLE: Duration = Duration::from_millis(250);
/// The same for a bot of a game that tells nothing at the start, where reading is no sign of being ready.
pub(crate) const START_UP_QUIET: Duration = Duration::from_millis(5);
/// How long to wait for the exit code of a bot that has closed its output. One that had much memory takes a while to go.
pub(crate) const EXIT_CODE: Duration = Duration::from_secs(2);
/// How long a compiler may take, a second try included.
pub const COMPILE: Duration = Duration::from_secs(120);
/// Bytes of a compiler's messages that are shown; the rest is dropped.
pub(crate) const COMPILE_OUTPUT_BYTES: usize = 64 << 10;
/// Bytes of messages after which a compiler is ended.
pub(crate) const COMPILE_FLOOD_BYTES: u64 = 32 << 20;
/// Bytes of a compiler's list of the files that it has read.
pub(crate) const DEPENDENCIES_BYTES: u64 = 1 << 20;
/// Files on it that are compared before a compiled bot is used again.
pub(crate) const DEPENDENCIES: usize = 2_000;
/// Bytes of one of them.
pub(crate) const DEPENDENCY_BYTES: u64 = 16 << 20;
/// Bytes of a process's environment that are looked at.
#[cfg(target_os = "linux")]
pub(crate) const ENVIRONMENT_BYTES: u64 = 1 << 20;
/// Files of a folder among which the one called main is looked for.
pub(crate) const FOLDER_ENTRIES: usize = 20_000;
/// Sources in a bot's own folder that are compiled with the one called main.
pub(crate) const SOURCES: usize = 1_000;
/// Bytes of a source file.
pub(crate) const SOURCE_BYTES: u64 = 8 << 20;
/// The last lines of a bot's standard error that a fault shows.
pub(crate) const STDERR_TAIL_LINES: usize = 8;
/// Bytes kept for those lines.
pub(crate) const STDERR_TAIL_BYTES: usize = 4 << 10;
/// Wall time of a bot that its own process does not explain, before everything it has started is looked at.
pub(crate) const UNEXPLAINED: Duration = Duration::from_millis(1);
/// Between two looks at everything that a bot has started;
pub const LOOK_EVERY: Duration = Duration::from_millis(1);
/// but looking takes no more than this part of the time.
pub(crate) const LOOK_PART: u32 = 128;
/// A bot has been waited for for so long when it is first seen who has the processor meanwhile;
pub(crate) const FIRST_LOOK: Duration = Duration::from_millis(2);
/// again and again when this part of the turn has gone by since the last time;
pub(crate) const TURN_PART: u32 = 8;
/// but looking takes no more than this part of the time.
pub(crate) const WAITING_LOOK_PART: u32 = 16;
/// A bot that uses this part of the processor's time during another's turn is stopped for the rest of that turn,
pub(crate) const STOLEN_PART: u32 = 8;
/// and outside all its turns once that has happened so often.
pub(crate) const STOPS: u32 = 4;
/// The part of a bot's time that others must have had before it is the machine's fault that it ran out.
pub(crate) const STARVED_PART: u32 = 8;
/// Wall time of a bot's turns before its processor clock is read again.
pub(crate) const UNREAD: Duration = Duration::from_micros(50);
/// A reading of a bot's processor clock that is younger than this is as good as a new one.
pub(crate) const STALE: Duration = Duration::from_micros(50);
/// Processor time that a bot may use between its turns over a whole match, whatever for.
pub(crate) const TIDYING: Duration = Duration::from_millis(50);
/// A bot that has used more than that, and this part of the time between its turns, is stopped outside its turns too.
pub(crate) const PONDERING_PART: u32 = 4;
/// Processes looked at in one bot's tree.
#[cfg(any(target_os = "linux", windows))]
pub(crate) const TREE_PROCESSES: usize = 4096;
/// Rounds of looking for processes that a bot has left behind.
#[cfg(any(target_os = "linux", windows))]
pub(crate) const SWEEPS: usize = 50;
/// Bytes that may pile up for a bot that is stopped and has its answers written ahead, before it goes on to read them.
pub(crate) const STOPPED_UNREAD_BYTES: usize = 1 << 20;
/// Bytes that may pile up for a bot that does not read its input; beyond that its input is closed.
pub(crate) const UNREAD_BYTES: usize = 16 << 20;
