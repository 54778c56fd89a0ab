//! What differs from system to system: pipes, waiting, processes, files. Both modules offer the same, and nothing outside
//! of them asks which system this is but for what only Linux tells about processes.
//!
//! - [`Input`] and [`Output`] are pipes of which nothing ever waits: [`write`], [`read`], [`has_read_all`], [`has_output`].
//! - [`poll`] waits for several things at a time, each made by [`readable`], [`writable`], [`socket`], [`Bell::rung`] or
//!   [`Process::ends`].
//! - [`Process`] is a bot or a compiler with all that it has started: watched, stopped, counted and ended as one.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

use std::slice;
use std::time::Instant;
#[cfg(target_os = "linux")]
pub(crate) use system::tree;
pub(crate) use system::{
    Bell, FINDS_STRAYS, LATENCY, LIMITS, PROGRAM, Pid, Process, ProcessClock, Waited, absolute, called,
    find_tool, has_output, has_read_all, how_to_make_executable, is_executable, is_path, is_ready, poll,
    read, readable, socket, split, to_input, to_output, untrusted, wait_for_stdin, why_not_started, writable,
    write,
};
pub use system::{Input, Output, Socket, find_on_path, modes, socket_of};

/// Waits for what a program may have written before it ended; whether there is anything, if only the end of its output.
pub(crate) fn arrives(output: Option<&Output>) -> bool {
    !LATENCY.is_zero() && output.is_some_and(|output| wait_until(Instant::now() + LATENCY, readable(output)))
}

/// Waits until this has happened or the deadline has passed, and says which: true if it has happened.
pub(crate) fn wait_until(deadline: Instant, mut waited: Waited<'_>) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        // A signal may wake us before.
        let _ = poll(slice::from_mut(&mut waited), Some(left));
        if is_ready(&waited) || left.is_zero() {
            return is_ready(&waited);
        }
    }
}
