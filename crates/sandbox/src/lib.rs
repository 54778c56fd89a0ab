//! Runs programs of strangers so that they cannot harm the machine, see what is none of their business, or outlive
//! their match, and says what they used.
//!
//! A program runs in a *cell*: a process that was started apart from this one, has entered namespaces of its own, built
//! a root folder that holds nothing but what the order names, given up every right, and waits for orders. A cell serves
//! one program's folders and limits for as long as they are asked for; starting in it costs little more than starting
//! outside, because everything a program must not do was settled before.
//!
//! That is the strict sandbox. In a loose one a cell stays where it is: it limits, counts and ends programs, and hides
//! nothing from them.
//!
//! This crate knows nothing of games, matches or clocks.

#[cfg(target_os = "linux")]
mod cgroup;
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "without a sandbox there is little to limit"))]
pub mod limits;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
#[path = "absent.rs"]
mod linux;
#[cfg(unix)]
mod poll;

pub use linux::{Running, Sandbox, begin_cells_with, cell, cell_main, exposed, is_cell, probe};
#[cfg(target_os = "linux")]
pub use linux::{children, continue_all, descendants, make_idle, stop_all};
#[cfg(unix)]
pub use poll::{poll, wait_readable};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What a program may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Memory of all its processes together, scratch space included.
    pub memory_bytes: u64,
    /// Processes and threads at a time.
    pub processes: u32,
    /// Processor time per time, of one core: 100 is one whole core.
    pub cpu_percent: u32,
    /// Open files of one process.
    pub open_files: u32,
    /// Bytes of one file that it writes.
    pub file_bytes: u64,
    /// Bytes of its scratch space, `/tmp`.
    pub scratch_bytes: u64,
}

/// A program to run. All paths are absolute; a program sees them under the same names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The folder it is started in, which it may read; if there is none, `/tmp`, or in a loose sandbox the current one.
    pub folder: Option<PathBuf>,
    /// Files and folders it may read besides the system's own programs and libraries.
    pub readable: Vec<PathBuf>,
    /// Files and folders it may change.
    pub writable: Vec<PathBuf>,
    /// Variables besides `PATH`, `HOME`, `TMPDIR` and `LANG`, or instead of them; only a loose sandbox inherits others.
    pub environment: Vec<(OsString, OsString)>,
    /// What it may use.
    pub limits: Limits,
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// What a program used, as far as this machine can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// The most memory that all its processes held at a time.
    pub memory_peak: Option<u64>,
    /// Processor time of all its processes.
    pub cpu: Option<Duration>,
    /// The most processes and threads at a time.
    pub processes_peak: Option<u32>,
    /// Whether it, or a part of it, was ended because it asked for more memory than it may use.
    pub over_memory: bool,
}

/// Why there is no strict sandbox here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this machine cannot run programs strictly apart: {what}; {remedy}")]
pub struct Missing {
    /// What failed.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

/// One protection and whether it is to be had here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Protection {
    /// Its name.
    pub name: &'static str,
    /// Whether programs get it.
    pub given: bool,
    /// What it means for a program, or what is missing without it.
    pub meaning: String,
    /// How to get it, if it is not given.
    pub remedy: Option<String>,
}
