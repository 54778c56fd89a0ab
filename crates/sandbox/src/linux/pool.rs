//! Gives out cells, keeps those that may be wanted again, and replaces those that fail.

use super::halt::{continue_all, stop_all};
use super::idle::make_idle;
use super::link::{Link, pid_of, unexpected};
use super::owner;
use super::private::Private;
use super::tree::{self, Use};
use super::view::SCRATCH;
use super::wire::{Ask, Place, Reply, Setup};
use crate::cgroup::Groups;
use crate::{Exit, Limits, Missing, Order, Usage, limits, wait_readable};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Variables that every program gets.
const ENVIRONMENT: [(&str, &str); 4] =
    [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", SCRATCH), ("TMPDIR", SCRATCH), ("LANG", "C.UTF-8")];

/// A pool of cells. Cheap to clone and to share between threads; the last one takes the cells with it.
#[derive(Clone, Debug)]
pub struct Sandbox(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    /// Whether programs are kept apart, and not only limited.
    strict: bool,
    groups: Groups,
    memory_by_process: bool,
    /// Makes folders look as if they belonged to another user, which programs are then.
    owners: Option<OwnedFd>,
    /// Whether programs have a `/proc`.
    has_proc: bool,
    /// What no program may be shown.
    private: RwLock<Private>,
    /// Cells without a program, the one used last at the end.
    idle: Mutex<VecDeque<Link>>,
}

impl Sandbox {
    /// A sandbox that keeps programs strictly apart, or what is missing for that.
    pub fn strict() -> Result<Sandbox, Missing> {
        let groups = Groups::open();
        let owners = if owner::can_be_nobody() { owner::namespace().ok() } else { None };
        let memory_by_process = lack(&groups, "memory").is_some();
        let mut pool = Pool {
            strict: true,
            groups,
            memory_by_process,
            owners,
            has_proc: true,
            private: RwLock::default(),
            idle: Mutex::default(),
        };
        // The first cell shows whether there can be any.
        match pool.make(pool.plain_setup(TRIAL)) {
            Ok(first) => {
                pool.has_proc = first.has_proc;
                drop(first);
                Ok(Sandbox(Arc::new(pool)))
            }
            Err(error) => Err(super::refusal::missing(&error)),
        }
    }

    /// A sandbox that hides nothing from programs: it limits, counts and ends them. Memory and processes are only limited
    /// where this machine gives groups of processes; [`Sandbox::lacks`] tells.
    pub fn loose(limits: &Limits) -> io::Result<Sandbox> {
        let open = |groups| {
            let pool = Pool {
                strict: false,
                groups,
                memory_by_process: false,
                owners: None,
                has_proc: true,
                private: RwLock::default(),
                idle: Mutex::default(),
            };
            let first = pool.make(pool.plain_setup(*limits))?;
            pool.put(first);
            Ok(Sandbox(Arc::new(pool)))
        };
        open(Groups::open()).or_else(|_: io::Error| open(Groups::none()))
    }

    /// Why "memory" or "processes" of all of a program's processes together cannot be limited here; `None` if they can.
    pub fn lacks(&self, what: &str) -> Option<String> {
        lack(&self.0.groups, what)
    }

    /// From now on refuses to start programs that would be shown one of these, or a folder in which it can be found. What
    /// every program is shown is not looked at: [`exposed`](super::exposed) does that.
    pub fn keep_private(&self, paths: &[PathBuf]) -> io::Result<()> {
        let private = Private::new(paths)?;
        *self.0.private.write().unwrap_or_else(PoisonError::into_inner) = private;
        Ok(())
    }

    /// Ends every program that was started in a group of processes, and starts no further ones: for a process that ends
    /// without waiting for those who hold them.
    pub fn close(&self) {
        self.0.groups.close();
    }

    /// Whether programs have a `/proc`.
    pub(super) fn has_proc(&self) -> bool {
        self.0.has_proc
    }

    /// Starts a program with these as its standard input, output and error. If it fails, a loose program may have run and
    /// have killed its cell before anybody could know it: without groups of processes it is left behind.
    pub fn start(&self, order: &Order, stdio: [OwnedFd; 3]) -> io::Result<Running> {
        let setup = self.0.setup(order)?;
        let stdio = stdio.each_ref().map(OwnedFd::as_fd);
        let ask = Ask::Run {
            command: order.command.clone(),
            environment: if self.0.strict { environment(order) } else { order.environment.clone() },
            folder: order.folder.as_ref().map(|folder| folder.as_os_str().to_owned()),
        };
        while let Some(link) = self.0.idle_for(&setup) {
            match self.start_in(link, &order.limits, &ask, stdio) {
                Err(Failure::NotAsked(_)) => {}
                Err(Failure::Asked(error)) => return Err(error),
                Ok(running) => return Ok(running),
            }
        }
        let link = self.0.make(setup)?;
        self.start_in(link, &order.limits, &ask, stdio).map_err(|failure| match failure {
            Failure::NotAsked(error) | Failure::Asked(error) => error,
        })
    }

    fn start_in(
        &self,
        mut link: Link,
        limits: &Limits,
        ask: &Ask,
        stdio: [BorrowedFd<'_>; 3],
    ) -> Result<Running, Failure> {
        let asked =
            link.group.renew(limits).and_then(|()| link.follow()).and_then(|()| link.ask(ask, &stdio));
        asked.map_err(Failure::NotAsked)?;
        match link.hear(Instant::now() + limits::START) {
            Ok((Reply::Started, handles)) => {
                let handle = handles.into_iter().next().map_or_else(|| link.program(), Ok);
                handle.and_then(|handle| Running::new(self, link, handle)).map_err(Failure::Asked)
            }
            Ok((Reply::Refused(reason), _)) => {
                self.0.put(link);
                Err(Failure::Asked(io::Error::from_raw_os_error(reason)))
            }
            Ok(_) => Err(Failure::Asked(unexpected())),
            // This is how the kernel tells that the other side went without having read what it was asked.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Err(Failure::NotAsked(error)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let why = "what watches over it was killed while it started, perhaps by the program itself";
                Err(Failure::Asked(io::Error::new(error.kind(), why)))
            }
            Err(error) => Err(Failure::Asked(error)),
        }
    }
}

/// Why groups do not limit this.
fn lack(groups: &Groups, what: &str) -> Option<String> {
    match groups.describe().into_iter().find(|control| control.name == what) {
        Some(control) if control.given => None,
        Some(control) => Some(control.how),
        None => Some("processes cannot be put into groups here".to_owned()),
    }
}

/// For the cell that shows whether there can be any.
const TRIAL: Limits = Limits {
    memory_bytes: 64 << 20,
    processes: 4,
    cpu_percent: 100,
    open_files: 64,
    file_bytes: 1 << 20,
    scratch_bytes: 1 << 20,
};

/// Why a cell has not started a program.
enum Failure {
    /// It has broken while it was idle, which is no reason not to start the program in another.
    NotAsked(io::Error),
    /// The program may have run, and even have broken the cell.
    Asked(io::Error),
}

impl Pool {
    fn setup(&self, order: &Order) -> io::Result<Setup> {
        let mut setup = self.plain_setup(order.limits);
        if !self.strict {
            return Ok(setup);
        }
        let mut places = Vec::new();
        let readable = order.folder.iter().chain(&order.readable).map(|path| (path, false));
        for (path, writable) in readable.chain(order.writable.iter().map(|path| (path, true))) {
            let place = place(path, writable)?;
            if let Some(private) =
                self.private.read().unwrap_or_else(PoisonError::into_inner).within(place.identity)
            {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    format!(
                        "{} is not shown to programs, because {} can be found there; keep what they need elsewhere",
                        path.display(),
                        private.display()
                    ),
                ));
            }
            // The last word counts: a folder may be both the working directory and writable.
            places.retain(|other: &Place| other.path != place.path);
            places.push(place);
        }
        if places.len() > limits::PLACES {
            return Err(io::Error::other(format!(
                "a program may be shown {} files and folders at most",
                limits::PLACES
            )));
        }
        setup.places = places;
        Ok(setup)
    }

    /// For programs that are shown nothing of their own.
    fn plain_setup(&self, limits: Limits) -> Setup {
        Setup {
            strict: self.strict,
            other_user: self.owners.is_some(),
            memory_by_process: self.memory_by_process,
            places: Vec::new(),
            limits,
        }
    }

    fn make(&self, mut setup: Setup) -> io::Result<Link> {
        let copies = self.owners.as_ref().map(|owners| copies(&setup.places, owners.as_fd()));
        // Not every file system can show folders as another user's; programs must be able to read theirs.
        let copies = copies.and_then(Result::ok);
        setup.other_user = copies.is_some();
        let group = self.groups.take(&setup.limits)?;
        Link::new(setup, &copies.unwrap_or_default(), group)
    }

    fn idle_for(&self, setup: &Setup) -> Option<Link> {
        let mut idle = self.idle();
        let at = idle.iter().rposition(|link| link.setup.is_like(setup))?;
        idle.remove(at)
    }

    /// Takes a cell back in which nothing runs.
    fn put(&self, link: Link) {
        if !link.reusable {
            return;
        }
        let mut idle = self.idle();
        idle.push_back(link);
        let surplus = if idle.len() > limits::IDLE_CELLS { idle.pop_front() } else { None };
        drop(idle);
        drop(surplus);
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<Link>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn copies(places: &[Place], owners: BorrowedFd<'_>) -> io::Result<Vec<OwnedFd>> {
    let copy = |place: &Place| {
        let purpose = if place.writable { Use::Write } else { Use::Read };
        tree::copy(Path::new(&place.path), purpose, Some(owners))
    };
    places.iter().map(copy).collect()
}

fn place(path: &Path, writable: bool) -> io::Result<Place> {
    let refuse = |why: &str| {
        let message = format!("{} {why}", path.display());
        Err(io::Error::new(io::ErrorKind::InvalidInput, message))
    };
    let plain = path.components().skip(1).all(|part| matches!(part, Component::Normal(_)));
    if !path.is_absolute() || !plain {
        return refuse("cannot be shown to a program; name it by its full path");
    }
    let ours = [Path::new("/"), Path::new(SCRATCH)].contains(&path);
    if ours || ["/proc", "/dev", "/sys"].iter().any(|kernel| path.starts_with(kernel)) {
        return refuse("is not shown to programs; put what they need into a folder of its own");
    }
    let found = fs::metadata(path)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    Ok(Place {
        path: path.as_os_str().to_owned(),
        is_folder: found.is_dir(),
        writable,
        identity: (found.dev(), found.ino()),
    })
}

fn environment(order: &Order) -> Vec<(OsString, OsString)> {
    let own = ENVIRONMENT.iter().filter(|(name, _)| order.environment.iter().all(|(other, _)| other != name));
    let own = own.map(|(name, value)| (name.into(), value.into()));
    own.chain(order.environment.iter().cloned()).collect()
}

/// A program that runs in a cell. When dropped, it and everything it has started is ended.
#[derive(Debug)]
pub struct Running {
    pool: Arc<Pool>,
    link: Mutex<Option<Link>>,
    pid: Pid,
    /// Readable once the program has ended.
    handle: OwnedFd,
    exit: OnceLock<Exit>,
    frozen: Mutex<Frozen>,
}

/// How a program was made to stand still.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Frozen {
    #[default]
    No,
    /// By its control group.
    Group,
    /// Process by process.
    Processes,
}

impl Running {
    fn new(sandbox: &Sandbox, link: Link, handle: OwnedFd) -> io::Result<Running> {
        Ok(Running {
            pool: Arc::clone(&sandbox.0),
            pid: pid_of(&handle)?,
            link: Mutex::new(Some(link)),
            handle,
            exit: OnceLock::new(),
            frozen: Mutex::default(),
        })
    }

    /// The program's number, as this process sees it. It is not given away before the end.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Readable once the program has ended.
    pub fn exit_fd(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// How the program ended, if it has; not while it is frozen.
    pub fn exited(&self) -> Option<Exit> {
        if let Some(exit) = self.exit.get() {
            return Some(*exit);
        }
        // While everything stands still, nobody is there to tell.
        if *lock(&self.frozen) != Frozen::No || !wait_readable(self.exit_fd(), Instant::now()) {
            return None;
        }
        let mut link = lock(&self.link);
        let heard = link.as_mut().map(|link| link.hear(Instant::now() + limits::EXIT_REPORT));
        let exit = match heard {
            Some(Ok((Reply::Exited(exit), _))) => exit,
            // The cell is gone, and everything in it was killed.
            _ => KILLED,
        };
        Some(*self.exit.get_or_init(|| exit))
    }

    /// Processor time of everything it has started, itself included, where a control group counts it.
    pub fn cpu(&self) -> Option<Duration> {
        lock(&self.link).as_ref()?.group.cpu()
    }

    /// The processes that it has started and that are still there, itself included.
    pub fn members(&self) -> Vec<Pid> {
        lock(&self.link).as_ref().map_or_else(Vec::new, Link::members)
    }

    /// The process that inherits its orphans and waits for them, and the processor time of those it had waited for before.
    pub fn reaper(&self) -> Option<(Pid, Duration)> {
        let link = lock(&self.link);
        let link = link.as_ref()?;
        Some((link.reaper()?, link.cpu_before))
    }

    /// Lets the program, and everything it has started, stand still.
    pub fn freeze(&self) {
        if let Some(link) = &mut *lock(&self.link) {
            *lock(&self.frozen) = if link.group.freeze() {
                Frozen::Group
            } else {
                self.stop_all(link);
                Frozen::Processes
            };
        }
    }

    /// Stops its processes one by one. Should they fork faster than that, a strict cell reaches all of them at once.
    fn stop_all(&self, link: &mut Link) {
        for _ in 0..limits::STOP_ORDERS {
            if stop_all(|| link.members()) || link.ask(&Ask::Stop, &[]).is_err() {
                return;
            }
            let deadline = Instant::now() + limits::STOP;
            loop {
                match link.hear(deadline) {
                    Ok((Reply::Stopped, _)) => break,
                    Ok((Reply::Exited(exit), _)) => drop(self.exit.set(exit)),
                    _ => return,
                }
            }
        }
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        if let Some(link) = &*lock(&self.link) {
            match std::mem::take(&mut *lock(&self.frozen)) {
                Frozen::No => {}
                Frozen::Group => link.group.thaw(),
                Frozen::Processes => continue_all(&link.members()),
            }
        }
    }

    /// Lets it, and everything it has started, have the processor only when nobody else wants it; whether any of it had a
    /// higher priority.
    pub fn make_idle(&self) -> bool {
        let mut link = lock(&self.link);
        let Some(link) = &mut *link else {
            return false;
        };
        link.group.set_idle(true);
        make_idle(|| link.members())
    }

    /// Ends the program and everything it has started. When this returns, nothing is left.
    pub fn end(mut self) -> Usage {
        self.finish()
    }

    fn finish(&mut self) -> Usage {
        self.thaw();
        let Some(mut link) = lock(&self.link).take() else {
            return Usage::default();
        };
        link.group.set_idle(false);
        let cpu = end_in(&mut link);
        let counted = link.group.usage();
        let mut usage = Usage {
            memory_peak: counted.memory_peak,
            cpu: counted.cpu,
            processes_peak: counted.processes_peak,
            over_memory: counted.over_memory,
        };
        if let Ok(total) = cpu {
            usage.cpu = usage.cpu.or(Some(total.saturating_sub(link.cpu_before)));
            link.cpu_before = total;
            self.pool.put(link);
        } else {
            // A cell that could not say that nothing is left is killed with everything in it, by dropping it; a loose one
            // may have been killed by its own program, which may be our child now, and leave us its own.
            let _ = rustix::process::pidfd_send_signal(&self.handle, Signal::KILL);
            wait_readable(self.exit_fd(), Instant::now() + limits::END);
            let reap = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
            let _ = rustix::process::waitid(WaitId::PidFd(self.exit_fd()), reap);
        }
        usage
    }
}

/// Ends everything in a cell and waits until it says that nothing is left: the processor time of all its programs.
fn end_in(link: &mut Link) -> io::Result<Duration> {
    link.ask(&Ask::End, &[])?;
    let deadline = Instant::now() + limits::END;
    loop {
        if let (Reply::Ended { cpu_micros }, _) = link.hear(deadline)? {
            return Ok(Duration::from_micros(cpu_micros));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.finish();
    }
}

/// How a program ends whose cell was killed.
const KILLED: Exit = Exit::Signal(nix::libc::SIGKILL);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
