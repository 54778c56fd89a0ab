//! The numbers that bound what the sandbox itself takes: time, messages, processes kept warm.

use std::time::Duration;

/// How long a cell may take to be ready for its first order.
pub(crate) const CELL_READY: Duration = Duration::from_secs(10);
/// How long a cell may take to start a program.
pub const START: Duration = Duration::from_secs(10);
/// How long a cell may take to say how a program ended that has ended.
pub(crate) const EXIT_REPORT: Duration = Duration::from_secs(1);
/// How long a cell may take to end everything in it and to renew its scratch space.
pub const END: Duration = Duration::from_secs(10);
/// Cells kept warm for the next order of their kind.
pub(crate) const IDLE_CELLS: usize = 32;
/// Bytes of a command with its environment, as sent to a cell.
pub(crate) const ORDER_BYTES: usize = 128 << 10;
/// Bytes of a cell's answer.
pub(crate) const REPLY_BYTES: usize = 4 << 10;
/// Files and folders an order may name.
pub const PLACES: usize = 64;
/// Files and folders in the scratch space.
pub(crate) const SCRATCH_ENTRIES: u32 = 16 << 10;
/// Bytes of a private root folder, which holds names only.
pub(crate) const ROOT_BYTES: u64 = 1 << 20;
/// A program's stack: what it gets, and what it may ask for.
pub(crate) const STACK_BYTES: (u64, u64) = (8 << 20, 1 << 30);
/// Memory that a program may lock.
pub(crate) const LOCKED_BYTES: u64 = 8 << 20;
/// Signals and timers that wait in all of a program's processes together.
pub(crate) const PENDING_SIGNALS: u64 = 1024;
/// Processes below a cell that are signalled in one go.
pub(crate) const DESCENDANTS: usize = 4096;
/// Passes over a program's processes until all of them are stopped, where no control group can freeze them.
pub(crate) const STOP_PASSES: usize = 16;
/// How often a cell is asked to stop everything in it when that was not enough.
pub(crate) const STOP_ORDERS: usize = 8;
/// How long a cell may take to do so.
pub const STOP: Duration = Duration::from_secs(1);
/// Processes of a cell beside the program's: the one that waits outside, and the first inside.
pub(crate) const OWN_PROCESSES: u32 = 2;
