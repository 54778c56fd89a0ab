//! Every number that bounds what a browser can ask for or cost.

use std::time::Duration;

/// Moments in one chunk.
pub(crate) const CHUNK_MOMENTS: u32 = 128;
/// The longest stride between two moments of a chunk.
pub(crate) const LONGEST_STRIDE: u32 = 4096;
/// Keyframes of a match: states of its game to play on from.
pub(crate) const KEYFRAMES: usize = 256;
/// Bytes of them altogether, about: of a large board fewer are kept.
pub const KEYFRAME_BYTES: usize = 256 << 20;
/// Turns between two of them, as long as there are few.
pub(crate) const KEYFRAME_GAP: u32 = 512;
/// Points of a chart; beyond that every second one is left out.
pub const CHART_POINTS: usize = 2048;
/// Keyframes on the time line of one kind.
pub(crate) const TIMELINE_MARKS: usize = 2000;
/// Files that were dropped onto the page; beyond that the oldest is forgotten.
pub(crate) const DROPPED_FILES: usize = 32;
/// Bytes of a file that is dropped onto the page.
pub(crate) const DROPPED_BYTES: usize = 256 << 20;
/// Replays of a tournament's folder kept open; beyond that the oldest is closed, and read again when somebody asks.
pub(crate) const OPEN_REPLAYS: usize = 64;
/// Bytes of a tournament's report.
pub(crate) const REPORT_BYTES: u64 = 256 << 20;
/// Bytes of any other request.
pub const REQUEST_BYTES: usize = 2 << 20;
/// Pictures of a film, as an animated screenshot is called on the command line.
pub const FILM_PICTURES: u32 = 500;
/// Bytes of a screenshot or animation that a browser hands in.
pub(crate) const SCREENSHOT_BYTES: usize = 256 << 20;
/// Bytes of an ask shown in full.
pub(crate) const ASK_BYTES: usize = 1 << 20;
/// Between two messages to a browser about a match that goes on.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(30);
/// Turns of a match that is shown late are buffered, and then released, in batches of this length.
pub const DELAY_BATCH: Duration = Duration::from_millis(250);
/// Between two looks at a match that is shown late: time alone lets more of it be seen.
pub(crate) const DELAY_POLL: Duration = Duration::from_millis(500);
/// For each spectator of a match, that much longer between two messages to any of them: so many browsers together
/// cost no more than a thousand messages a second.
pub(crate) const SPECTATOR_SHARE: Duration = Duration::from_millis(1);
/// Bytes of cached responses about one match.
pub(crate) const CACHED_BYTES: usize = 4 << 20;
/// Matches that are played again at the same time for browsers; others wait.
pub(crate) const WORK_AT_ONCE: usize = 8;
/// A connection that has nothing to say says so this often, so that lost ones are noticed.
pub const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Threads that answer requests.
pub(crate) const THREADS: usize = 2;
