//! Where there is no Linux there is no sandbox: everything says so.

use crate::{Exit, Limits, Missing, Order, Protection, Usage};
#[cfg(unix)]
use rustix::process::Pid;
use std::ffi::OsString;
use std::io;
#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};
#[cfg(windows)]
use std::os::windows::io::{BorrowedHandle as BorrowedFd, OwnedHandle as OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

/// The number of a process.
#[cfg(windows)]
type Pid = u32;

const WHAT: &str = "it needs namespaces, Landlock and seccomp, which only Linux has";
const REMEDY: &str = "run strangers' programs on Linux";

/// A pool of cells, which cannot be had here.
#[derive(Clone, Debug)]
pub enum Sandbox {}

impl Sandbox {
    /// Says what is missing.
    pub fn strict() -> Result<Sandbox, Missing> {
        Err(Missing { what: WHAT.to_owned(), remedy: REMEDY.to_owned() })
    }

    /// Says what is missing.
    pub fn loose(_: &Limits) -> io::Result<Sandbox> {
        Err(io::Error::new(io::ErrorKind::Unsupported, WHAT))
    }

    /// Cannot be called: there is no sandbox.
    pub fn lacks(&self, _: &str) -> Option<String> {
        match *self {}
    }

    /// Cannot be called: there is no sandbox.
    pub fn keep_private(&self, _: &[PathBuf]) -> io::Result<()> {
        match *self {}
    }

    /// Cannot be called: there is no sandbox.
    pub fn close(&self) {
        match *self {}
    }

    /// Cannot be called: there is no sandbox.
    pub fn start(&self, _: &Order, _: [OwnedFd; 3]) -> io::Result<Running> {
        match *self {}
    }
}

/// A running program, which cannot be had here.
#[derive(Debug)]
pub enum Running {}

impl Running {
    /// Cannot be called: nothing runs.
    pub fn pid(&self) -> Pid {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn exit_fd(&self) -> BorrowedFd<'_> {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn exited(&self) -> Option<Exit> {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn cpu(&self) -> Option<Duration> {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn members(&self) -> Vec<Pid> {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn reaper(&self) -> Option<(Pid, Duration)> {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn freeze(&self) {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn thaw(&self) {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn make_idle(&self) -> bool {
        match *self {}
    }

    /// Cannot be called: nothing runs.
    pub fn end(self) -> Usage {
        match self {}
    }
}

/// No program is shown anything here.
pub fn exposed(_: &[PathBuf], _: &[PathBuf]) -> io::Result<Option<(PathBuf, PathBuf)>> {
    Ok(None)
}

/// No process is ever started as a cell here.
pub fn cell_main() {}

/// No process is ever started as a cell here.
pub fn cell(_: Option<OsString>) -> ! {
    std::process::exit(1)
}

/// No process is ever started as a cell here.
pub fn begin_cells_with(_: Vec<OsString>) {}

/// No process is a cell here.
pub fn is_cell(_: Pid) -> bool {
    false
}

/// What is missing.
pub fn probe() -> Vec<Protection> {
    vec![Protection {
        name: "strict sandbox",
        given: false,
        meaning: WHAT.to_owned(),
        remedy: Some(REMEDY.to_owned()),
    }]
}
