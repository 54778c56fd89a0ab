//! The numbers that bound what groups of processes cost.

use std::time::Duration;

/// How long a group may take to become empty once everything in it was killed; one that takes longer is given up.
pub(crate) const EMPTY_WAIT: Duration = Duration::from_secs(2);
/// The pause between two looks whether a group is empty.
pub(crate) const EMPTY_STEP: Duration = Duration::from_micros(100);
/// Empty groups that are kept for the next programs; more are removed.
pub(crate) const KEPT_GROUPS: usize = 32;
/// Memory that earlier programs may have left charged to a group, mostly cached files, before it is replaced; also the
/// peak that they may have left where the kernel cannot forget it.
pub(crate) const LEFTOVER_BYTES: u64 = 16 << 20;
/// Names tried for a new group, should folders of a dead process with our number lie about.
pub(crate) const NAMES_TRIED: u32 = 1000;
/// Rounds of moving processes from a worn-out group to a new one, should they start others meanwhile.
pub(crate) const MOVES: u32 = 10;
/// The period over which a share of the processor is counted, in microseconds.
pub(crate) const CPU_PERIOD_MICROS: u64 = 100_000;
/// Bytes read of a control file.
pub(crate) const CONTROL_FILE_BYTES: usize = 2048;
/// A program is at its memory limit when it was this close: memory is handed out in batches.
pub(crate) const AT_LIMIT_BYTES: u64 = 4 << 20;
