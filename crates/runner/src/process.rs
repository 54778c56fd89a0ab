//! How a bot is started. What its process is on this system is in [`crate::platform`].

pub(crate) use crate::platform::Process;
use crate::platform::{Input, Output};
use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that marks a bot's processes, so that those it leaves behind can be told to whom they belong.
pub(crate) const MARK: &str = "PALESTRA_BOT";

/// How a bot is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The folder it is started in; `None` is the current one.
    pub dir: Option<PathBuf>,
    /// Whether its standard error is collected; otherwise it writes to this program's.
    pub own_stderr: bool,
    /// What it needs to read besides the system's own programs: its own folder first. Only asked for in a strict sandbox.
    pub readable: Vec<PathBuf>,
}

impl Launch {
    /// This command, in the current folder.
    pub fn new(command: Vec<OsString>) -> Launch {
        Launch { command, dir: None, own_stderr: true, readable: Vec::new() }
    }
}

/// The near ends of a bot's pipes. Nothing that is done with them waits.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: Input,
    pub(crate) stdout: Output,
    pub(crate) stderr: Option<Output>,
}
