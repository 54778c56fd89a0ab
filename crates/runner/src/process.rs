//! One bot's process: how it is started, watched and ended.
//!
//! A bot leads a process group of its own. It is started the way `posix_spawn` does it, without copying this
//! process's memory map, so that starting costs the same however much memory this process holds.

use palestra_core::Exit;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

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
}

impl Launch {
    /// This command, in the current folder.
    pub fn new(command: Vec<OsString>) -> Launch {
        Launch { command, dir: None, own_stderr: true }
    }
}

/// A running bot.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    /// Readable once the process has ended.
    exit: Option<OwnedFd>,
    ended: bool,
}

/// The near ends of a bot's pipes.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: Option<OwnedFd>,
}

impl Process {
    pub(crate) fn start(launch: &Launch, mark: &str) -> io::Result<(Process, Pipes)> {
        let (program, arguments) = launch.command.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env(MARK, mark)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if launch.own_stderr { Stdio::piped() } else { Stdio::inherit() });
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn()?;
        let pid = Pid::from_child(&child);
        let pipes = Pipes {
            stdin: child.stdin.take().expect("a pipe").into(),
            stdout: child.stdout.take().expect("a pipe").into(),
            stderr: child.stderr.take().map(Into::into),
        };
        for pipe in [Some(&pipes.stdin), Some(&pipes.stdout), pipes.stderr.as_ref()].into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok((Process { exit: exit_fd(pid), child, pid, ended: false }, pipes))
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Readable once the process has ended, where the platform has such a thing.
    pub(crate) fn exit_fd(&self) -> Option<&OwnedFd> {
        self.exit.as_ref()
    }

    /// How it ended, if it has. It stays a zombie until [`Process::end`], so that its number is not given away.
    pub(crate) fn exited(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = rustix::process::waitid(WaitId::Pid(self.pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => Exit::ClosedOutput,
        })
    }

    /// Lets the whole group stand still: a bot that has failed must not take time from the others.
    pub(crate) fn freeze(&self) {
        let _ = rustix::process::kill_process_group(self.pid, Signal::STOP);
    }

    /// Lets it go on.
    pub(crate) fn thaw(&self) {
        let _ = rustix::process::kill_process_group(self.pid, Signal::CONT);
    }

    /// Ends the process and everything in its group, and waits for it.
    pub(crate) fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        // The group first, while the leader still holds its number.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(target_os = "linux")]
fn exit_fd(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_fd(_: Pid) -> Option<OwnedFd> {
    None
}

/// What Linux tells about the processes below one.
#[cfg(target_os = "linux")]
pub(crate) mod tree {
    use rustix::process::Pid;
    use std::fs;
    use std::time::Duration;

    /// The children of a process, of all its threads.
    pub(crate) fn children(pid: Pid) -> Vec<Pid> {
        let mut found = Vec::new();
        let Ok(threads) = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())) else {
            return found;
        };
        for thread in threads.flatten() {
            let Ok(list) = fs::read_to_string(thread.path().join("children")) else {
                continue;
            };
            found.extend(list.split_ascii_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)));
        }
        found
    }

    /// Everything below a process that still hangs on it.
    pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
        let mut found = children(root);
        let mut at = 0;
        while at < found.len() && found.len() < crate::limits::TREE_PROCESSES {
            found.extend(children(found[at]));
            at += 1;
        }
        found
    }

    /// Processor time of the children that a process has waited for.
    pub(crate) fn waited_for(pid: Pid) -> Duration {
        let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())) else {
            return Duration::ZERO;
        };
        // The name, in parentheses, may hold anything; the numbers come after the last one.
        let Some((_, rest)) = stat.rsplit_once(')') else {
            return Duration::ZERO;
        };
        let field = |number: usize| {
            rest.split_ascii_whitespace().nth(number - 3).and_then(|word| word.parse::<u64>().ok())
        };
        let ticks = field(16).unwrap_or(0) + field(17).unwrap_or(0);
        Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
    }
}
