//! This process's end of the line to one cell: how it is started, asked, and got rid of.

use super::cell::{NAME, USER};
use super::family::{children, descendants};
use super::owner::{NOBODY, map};
use super::wire::{Ask, Reply, Setup, Wire};
use crate::cgroup::Group;
use crate::limits;
use crate::wait_readable;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, PidfdFlags, Signal};
use rustix::thread::CpuSet;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

// Which processes are our cells is a fact about the whole program, so it is kept for the whole program.
static CELLS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

// What starts a cell is a fact about the whole program, too.
static BEGINNING: OnceLock<Vec<OsString>> = OnceLock::new();

/// Starts cells with this command from now on: for a library, whose program has a `main` that knows nothing of
/// [`cell_main`](super::cell_main). It must come to [`cell`](super::cell) without having started a thread or a process. The
/// first command counts.
pub fn begin_cells_with(command: Vec<OsString>) {
    BEGINNING.get_or_init(|| command);
}

/// What starts a cell: this program once more, under another name, unless there is a command for it.
pub(super) fn beginning() -> Command {
    let Some((program, arguments)) = BEGINNING.get().and_then(|command| command.split_first()) else {
        let mut command = Command::new("/proc/self/exe");
        command.arg0(NAME);
        return command;
    };
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Whether a child of this process is a cell, and not something that a program has left behind.
pub fn is_cell(pid: Pid) -> bool {
    cells().contains(&pid.as_raw_pid())
}

fn cells() -> MutexGuard<'static, BTreeSet<i32>> {
    CELLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The outer half of a cell, as a child of this process.
#[derive(Debug)]
struct Outer(Child);

impl Outer {
    fn start(line: OwnedFd, strict: bool) -> io::Result<Outer> {
        let mut command = beginning();
        if strict {
            command.env_clear().current_dir("/");
        }
        // Held while it starts, so that nobody takes the new child for a stray in between.
        let mut cells = cells();
        let child =
            command.process_group(0).stdin(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        cells.insert(Pid::from_child(&child).as_raw_pid());
        Ok(Outer(child))
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        cells().remove(&Pid::from_child(&self.0).as_raw_pid());
    }
}

#[derive(Debug)]
pub(super) struct Link {
    wire: Wire,
    /// Its first process: once that is gone, so is everything in a strict cell.
    first: Option<OwnedFd>,
    /// Its number, as this process sees it: orphans of the cell's programs are its children.
    first_pid: Option<Pid>,
    outer: Outer,
    pub(super) setup: Setup,
    pub(super) group: Group,
    pub(super) has_proc: bool,
    /// Whether the next program will not be able to tell that there was one before it.
    pub(super) reusable: bool,
    /// Processor time of the programs before.
    pub(super) cpu_before: Duration,
    /// Where its programs run.
    cores: Option<CpuSet>,
}

impl Link {
    /// Starts a cell and waits until it is ready. `copies` are those of the places, if they were made here.
    pub(super) fn new(setup: Setup, copies: &[OwnedFd], group: Group) -> io::Result<Link> {
        let flags = SocketFlags::CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        let outer = Outer::start(theirs, setup.strict)?;
        let wire = Wire::new(ours, limits::REPLY_BYTES);
        let mut link = Link {
            wire,
            first: None,
            first_pid: None,
            outer,
            setup,
            group,
            has_proc: false,
            reusable: false,
            cpu_before: Duration::ZERO,
            cores: None,
        };
        let pid = Pid::from_child(&link.outer.0);
        // Before it can start anything: what it starts is in the group too.
        link.group.add(pid)?;
        let deadline = Instant::now() + limits::CELL_READY;
        let copies: Vec<BorrowedFd<'_>> = copies.iter().map(OwnedFd::as_fd).collect();
        link.wire.send(&Ask::Prepare(link.setup.clone()), &copies)?;
        if link.setup.other_user {
            let (Reply::Apart, _) = link.hear(deadline)? else {
                return Err(unexpected());
            };
            map(&Path::new("/proc").join(pid.as_raw_pid().to_string()), USER, NOBODY, NOBODY)?;
            link.wire.send(&Ask::Mapped, &[])?;
        }
        let (Reply::Ready { has_proc, reusable }, first) = link.hear(deadline)? else {
            return Err(unexpected());
        };
        let first = match first.into_iter().next() {
            Some(first) => first,
            None if link.setup.strict => first_child(pid)?,
            None => handle_on(pid)?,
        };
        link.first_pid = Some(pid_of(&first)?);
        link.first = Some(first);
        link.has_proc = has_proc;
        link.reusable = reusable;
        Ok(link)
    }

    /// Lets its programs run where this thread runs. They cannot do so themselves.
    pub(super) fn follow(&mut self) -> io::Result<()> {
        let here = rustix::thread::sched_getaffinity(None)?;
        if self.cores != Some(here)
            && let Some(first) = self.first_pid
        {
            rustix::thread::sched_setaffinity(Some(first), &here)?;
            self.cores = Some(here);
        }
        Ok(())
    }

    /// A handle on the program that was started just now, if none came from the cell.
    pub(super) fn program(&self) -> io::Result<OwnedFd> {
        first_child(pid_of(self.first.as_ref().ok_or_else(unexpected)?)?)
    }

    /// The processes of its programs.
    pub(super) fn members(&self) -> Vec<Pid> {
        let own = [Some(Pid::from_child(&self.outer.0)), self.first_pid];
        match (self.group.members(), self.first_pid) {
            (Some(mut members), _) => {
                members.retain(|pid| !own.contains(&Some(*pid)));
                members
            }
            (None, Some(first)) => descendants(first, limits::DESCENDANTS),
            (None, None) => Vec::new(),
        }
    }

    /// The process that inherits the orphans of its programs and waits for them.
    pub(super) fn reaper(&self) -> Option<Pid> {
        self.first_pid
    }

    pub(super) fn ask(&self, ask: &Ask, files: &[BorrowedFd<'_>]) -> io::Result<()> {
        self.wire.send(ask, files)
    }

    /// The cell's next words. A cell that is gone, broken or silent is an error.
    pub(super) fn hear(&mut self, deadline: Instant) -> io::Result<(Reply, Vec<OwnedFd>)> {
        if !wait_readable(self.wire.as_fd(), deadline) {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "a cell of the sandbox does not answer"));
        }
        match self.wire.receive()? {
            (Reply::Broken(why), _) => {
                Err(io::Error::other(format!("a cell of the sandbox has failed: {why}")))
            }
            heard => Ok(heard),
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.group.thaw();
        if let Some(first) = &self.first {
            let _ = rustix::process::pidfd_send_signal(first, Signal::KILL);
            // Its first process ends after all others.
            wait_readable(first.as_fd(), Instant::now() + limits::END);
        }
        // One that was never ready may have come any distance, and a loose one leaves what its programs have started.
        self.group.kill();
    }
}

/// A handle on the oldest child of a process. What a program leaves to its cell comes after the program.
fn first_child(pid: Pid) -> io::Result<OwnedFd> {
    handle_on(children(pid).into_iter().next().ok_or_else(unexpected)?)
}

fn handle_on(pid: Pid) -> io::Result<OwnedFd> {
    Ok(rustix::process::pidfd_open(pid, PidfdFlags::empty())?)
}

/// The number of a process, as this one sees it.
pub(super) fn pid_of(handle: &OwnedFd) -> io::Result<Pid> {
    use std::os::fd::AsRawFd as _;
    let told = fs::read_to_string(format!("/proc/self/fdinfo/{}", handle.as_raw_fd()))?;
    let number = told.lines().find_map(|line| line.strip_prefix("Pid:")?.trim().parse().ok());
    number
        // That of a process that is gone is -1.
        .filter(|number| *number > 0)
        .and_then(Pid::from_raw)
        .ok_or_else(|| io::Error::other("the kernel does not tell a program's number"))
}

pub(super) fn unexpected() -> io::Error {
    io::Error::other("a cell of the sandbox has answered something that was not asked")
}
