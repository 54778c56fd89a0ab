//! The cell's side: what a process does that was started as a cell.
//!
//! A strict one leaves its parent's namespaces and divides in two: the inner half is the first process of a pid
//! namespace. It builds its root folder, gives up its rights, and serves orders. As the first process it inherits every
//! orphan, cannot be killed from within, and takes everything with it when it goes. The outer half provides scratch
//! spaces. A program finds everything as the one before it did: see `the_next_program_finds_no_trace` among the tests.
//!
//! A loose one stays where it is: it limits itself, asks to inherit every orphan below it, and serves the same orders.

use super::family::descendants;
use super::scratch::{self, Scratch};
use super::view::SCRATCH;
use super::wire::{Ask, Reply, Setup, Wire};
use super::{kernel, owner, seal, view};
use crate::{Exit, limits};
use nix::sched::CloneFlags;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeValLike as _;
use nix::sys::wait::{Id, WaitPidFlag};
use nix::unistd::{ForkResult, Gid, Uid};
use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, exit};

/// The name that a cell is started under; its line to the parent is its standard input.
pub(super) const NAME: &str = "palestra-cell";
/// The user that programs are, as they see it.
pub(super) const USER: u32 = 1000;

/// If this process was started as a cell, becomes one and never returns. Call it first thing in `main`.
pub fn cell_main() {
    let mut words = std::env::args_os();
    if words.next().is_some_and(|name| name == NAME) {
        cell(words.next());
    }
}

/// Becomes a cell, in a process that was started by the command of [`begin_cells_with`], and behind it this word, if there is
/// one.
pub fn cell(word: Option<OsString>) -> ! {
    if word.is_some_and(|word| word == owner::WORD) {
        owner::hold();
    }
    let mut wire = match adopt_line() {
        Ok(line) => Wire::new(line, limits::ORDER_BYTES),
        Err(_) => exit(1),
    };
    let error = match serve(&mut wire) {
        Ok(()) => exit(0),
        Err(error) => error,
    };
    if error.kind() != io::ErrorKind::UnexpectedEof {
        let _ = wire.send(&Reply::Broken(error.to_string()), &[]);
    }
    exit(1);
}

/// Takes the line from the standard input, closes what else was inherited, and heeds what was ignored: programs begin alike,
/// however their host was started.
fn adopt_line() -> io::Result<OwnedFd> {
    for signal in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM] {
        kernel::heed(signal)?;
    }
    let line = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    rustix::net::sockopt::socket_type(&line)?;
    let nothing = fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    drop(nothing);
    use std::os::fd::AsRawFd as _;
    let open: Vec<i32> = fs::read_dir("/proc/self/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for file in open {
        if file > 2 && file != line.as_raw_fd() {
            // The folder that listed them is closed already.
            let _ = nix::unistd::close(file);
        }
    }
    Ok(line)
}

fn serve(wire: &mut Wire) -> io::Result<()> {
    let (Ask::Prepare(setup), copies) = wire.receive()? else {
        return Err(io::Error::other("a cell must be prepared before it is asked for anything else"));
    };
    let reach = match setup.strict {
        true => Reach::Namespace(move_apart(&setup, copies, wire)?),
        false => {
            rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
            Reach::Descendants
        }
    };
    child_ends().thread_block()?;
    let ends = SignalFd::with_flags(&child_ends(), SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    let own = rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty())?;
    if setup.strict { seal::seal(&setup) } else { seal::limit(&setup) }
        .map_err(|error| doing("it cannot give up its rights", &error))?;
    let (has_proc, reusable) = match &reach {
        Reach::Namespace(inside) => (inside.has_proc, inside.last_pid.is_some()),
        Reach::Descendants => (true, true),
    };
    send_with(wire, &Reply::Ready { has_proc, reusable }, &own)?;
    drop(own);
    let mut cell = Cell { reach, ends, program: None };
    let served = cell.serve(wire);
    // In a namespace everything ends with this process; elsewhere it has to see to that itself.
    let ended = cell.reach.end_all();
    served.and(ended)
}

/// Leaves this machine for a root folder, and processes, of its own. Only the inner half returns.
fn move_apart(setup: &Setup, copies: Vec<OwnedFd>, wire: &mut Wire) -> io::Result<Inside> {
    leave(setup, wire)?;
    let (outside, inside) = UnixStream::pair()?;
    match kernel::fork()? {
        ForkResult::Parent { child } => {
            drop((outside, copies));
            stay_outside(setup, wire, inside, child)
        }
        ForkResult::Child => drop(inside),
    }
    // Not by a session of its own: the kernel would share out time between sessions, and every turn would cost more.
    if let Ok(terminal) = fs::File::open("/dev/tty") {
        kernel::leave_terminal(terminal)?;
    }
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    // It is about the namespace of whoever writes; the cell's own /proc does not have it.
    let last_pid = fs::File::options().write(true).open("/proc/sys/kernel/ns_last_pid").ok();
    let has_proc =
        view::build(setup, copies).map_err(|error| doing("its root folder cannot be built", &error))?;
    nix::unistd::sethostname("cell").map_err(|error| doing("it cannot be named", &error.into()))?;
    Ok(Inside { has_proc, scratch: Scratch::new(outside), last_pid })
}

/// Leaves the parent's namespaces and becomes the user that programs are.
fn leave(setup: &Setup, wire: &mut Wire) -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if setup.other_user {
        nix::unistd::setgroups(&[]).map_err(|error| doing("its groups cannot be left", &error.into()))?;
    }
    let all = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP;
    nix::sched::unshare(all).map_err(|error| doing("namespaces cannot be made", &error.into()))?;
    if setup.other_user {
        wire.send(&Reply::Apart, &[])?;
        let (Ask::Mapped, _) = wire.receive()? else {
            return Err(io::Error::other("a cell must get a user before it is asked for anything else"));
        };
    } else {
        owner::map(Path::new("/proc/self"), USER, user, group)
            .map_err(|error| doing("its user cannot be set", &error))?;
    }
    let (user, group) = (Uid::from_raw(USER), Gid::from_raw(USER));
    nix::unistd::setresgid(group, group, group)?;
    nix::unistd::setresuid(user, user, user)?;
    Ok(())
}

/// The outer half, which provides scratch spaces and keeps its place in the family: it ends when the inner half has.
fn stay_outside(setup: &Setup, wire: &mut Wire, inside: UnixStream, inner: nix::unistd::Pid) -> ! {
    // The line must be closed when the inner half is gone.
    if let Ok(nothing) = fs::File::open("/dev/null") {
        *wire = Wire::new(nothing.into(), 0);
    }
    // Without it the inner half gives up.
    let _ = scratch::provide(setup, inside);
    let _ = nix::sys::wait::waitpid(inner, None);
    exit(0)
}

/// The signal that a child has ended.
fn child_ends() -> SigSet {
    SigSet::from(Signal::SIGCHLD)
}

/// Says something, with a handle. The kernel counts by user how many files are on their way, and a program may have used
/// all of it up: without the handle, the other side looks for the process itself.
fn send_with(wire: &Wire, reply: &Reply, handle: &OwnedFd) -> io::Result<()> {
    match wire.send(reply, &[handle.as_fd()]) {
        Err(error) if error.raw_os_error() == Some(nix::libc::ETOOMANYREFS) => wire.send(reply, &[]),
        sent => sent,
    }
}

fn doing(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Whom a cell's programs can be among, and so whom it may signal.
enum Reach {
    /// A pid namespace whose first process this is, with a root folder of its own: everybody in it.
    Namespace(Inside),
    /// All processes of the machine: nobody but those below this one.
    Descendants,
}

/// What the inner half of a strict cell has beside its programs.
struct Inside {
    has_proc: bool,
    scratch: Scratch,
    /// The number that the kernel gave away last, to be written. Where it cannot be, numbers tell how many programs there
    /// were, and a cell serves one only.
    last_pid: Option<fs::File>,
}

impl Inside {
    /// Lets the next program find everything as the first one did.
    fn begin_anew(&mut self) -> io::Result<()> {
        self.scratch.make().map_err(|error| doing("it gets no scratch space", &error))?;
        // It may be in another group than before, whose name is nobody's business.
        nix::sched::unshare(CloneFlags::CLONE_NEWCGROUP)
            .map_err(|error| doing("its group cannot be hidden", &error.into()))?;
        match &self.last_pid {
            Some(file) => {
                file.write_all_at(b"1", 0).map_err(|error| doing("process numbers cannot begin anew", &error))
            }
            None => Ok(()),
        }
    }
}

impl Reach {
    /// Sends a signal to every program, and to whatever they have started.
    fn signal_all(&self, signal: Signal) -> io::Result<()> {
        let own = rustix::process::getpid();
        match self {
            // Anywhere but in a namespace of its own this would mean everybody.
            Reach::Namespace(_) if own.is_init() => match kill(nix::unistd::Pid::from_raw(-1), signal) {
                Ok(()) | Err(nix::errno::Errno::ESRCH) => Ok(()),
                Err(error) => Err(error.into()),
            },
            Reach::Namespace(_) => Err(io::Error::other("a cell is not in a namespace of its own")),
            Reach::Descendants => {
                for pid in descendants(own, limits::DESCENDANTS) {
                    let _ = kill(nix::unistd::Pid::from_raw(pid.as_raw_pid()), signal);
                }
                Ok(())
            }
        }
    }

    /// Kills every program, and whatever they have started, and waits until nothing is left.
    fn end_all(&self) -> io::Result<()> {
        loop {
            // In a namespace once is enough: whoever is about to fork either has its child killed too, or cannot fork
            // any more. Elsewhere a child may have been born unseen, which is ours when its parent is dead.
            self.signal_all(Signal::SIGKILL)?;
            if rustix::process::waitid(WaitId::All, WaitIdOptions::EXITED).is_err() {
                return Ok(());
            }
            let more = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
            while let Ok(Some(_)) = rustix::process::waitid(WaitId::All, more) {}
        }
    }
}

struct Cell {
    reach: Reach,
    /// Readable when a child has ended.
    ends: SignalFd,
    /// The program, until it has ended.
    program: Option<Pid>,
}

impl Cell {
    fn serve(&mut self, wire: &mut Wire) -> io::Result<()> {
        loop {
            let mut polled = [PollFd::new(&*wire, PollFlags::IN), PollFd::new(&self.ends, PollFlags::IN)];
            match rustix::event::poll(&mut polled, None) {
                Err(rustix::io::Errno::INTR) => continue,
                result => result?,
            };
            let [asked, ended] = polled.map(|fd| !fd.revents().is_empty());
            if ended {
                self.look_after_children(wire)?;
            }
            if asked {
                let (ask, files) = wire.receive()?;
                self.heed(wire, ask, files)?;
            }
        }
    }

    fn heed(&mut self, wire: &mut Wire, ask: Ask, files: Vec<OwnedFd>) -> io::Result<()> {
        match ask {
            Ask::Run { command, environment, folder } => {
                let program = self.program(&command, environment, folder);
                self.run(wire, program, files)
            }
            Ask::Stop => {
                self.reach.signal_all(Signal::SIGSTOP)?;
                wire.send(&Reply::Stopped, &[])
            }
            Ask::End => self.end(wire),
            Ask::Prepare(_) | Ask::Mapped => Err(io::Error::other("a cell can be prepared only once")),
        }
    }

    /// A program of that name, with what it sees around it.
    fn program(
        &self,
        command: &[OsString],
        environment: Vec<(OsString, OsString)>,
        folder: Option<OsString>,
    ) -> Option<Command> {
        let (program, arguments) = command.split_first()?;
        let mut program = Command::new(program);
        if let Reach::Namespace(_) = self.reach {
            program.env_clear().current_dir(SCRATCH);
        }
        if let Some(folder) = folder {
            program.current_dir(PathBuf::from(folder));
        }
        program.args(arguments).envs(environment).process_group(0);
        Some(program)
    }

    fn run(&mut self, wire: &mut Wire, program: Option<Command>, files: Vec<OwnedFd>) -> io::Result<()> {
        if let Reach::Namespace(inside) = &mut self.reach {
            inside.begin_anew()?;
        }
        // Programs inherit what is blocked.
        child_ends().thread_unblock()?;
        let spawned = spawn(program, files);
        child_ends().thread_block()?;
        match spawned {
            Ok(child) => {
                let pid = Pid::from_child(&child);
                let handle = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
                self.program = Some(pid);
                send_with(wire, &Reply::Started, &handle)?;
                // It may have ended while nobody would have been told.
                self.look_after_children(wire)
            }
            Err(error) => {
                let reason = error.raw_os_error().unwrap_or(nix::libc::EINVAL);
                wire.send(&Reply::Refused(reason), &[])
            }
        }
    }

    /// Reaps orphans. The program itself stays a zombie until the end, so that its number is not given away.
    fn look_after_children(&mut self, wire: &mut Wire) -> io::Result<()> {
        while let Ok(Some(_)) = self.ends.read_signal() {}
        let Some(program) = self.program else {
            return Ok(());
        };
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if let Some(status) = rustix::process::waitid(WaitId::Pid(program), peek)? {
            self.program = None;
            let exit = match status.exit_status() {
                Some(code) => Exit::Code(code),
                None => Exit::Signal(status.terminating_signal().unwrap_or_default()),
            };
            return wire.send(&Reply::Exited(exit), &[]);
        }
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        while let Ok(status) = nix::sys::wait::waitid(Id::All, flags)
            && let Some(orphan) = status.pid().and_then(|pid| Pid::from_raw(pid.as_raw()))
        {
            if orphan == program {
                // It has ended meanwhile, and another signal is on its way for it.
                break;
            }
            rustix::process::waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG)?;
        }
        Ok(())
    }

    /// Kills everything but this process, waits until nothing is left, and gives the scratch space up.
    fn end(&mut self, wire: &mut Wire) -> io::Result<()> {
        self.reach.end_all()?;
        self.program = None;
        if let Reach::Namespace(inside) = &mut self.reach {
            inside.scratch.release().map_err(|error| doing("its scratch space is not let go", &error))?;
        }
        let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let micros = used.user_time().num_microseconds() + used.system_time().num_microseconds();
        wire.send(&Reply::Ended { cpu_micros: micros.cast_unsigned() }, &[])
    }
}

/// Starts a program. It inherits the state of this process and nothing else: every file here closes on exec.
fn spawn(program: Option<Command>, files: Vec<OwnedFd>) -> io::Result<Child> {
    let (Some(mut program), Ok([stdin, stdout, stderr])) = (program, <[OwnedFd; 3]>::try_from(files)) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    program.stdin(stdin).stdout(stdout).stderr(stderr).spawn()
}
