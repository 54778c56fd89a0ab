//! Control groups: limits on, and counts of, everything a program starts, however it forks.
//!
//! Versions 1 and 2 of the kernel's interface are used through one, and none at all is a group that does nothing.
//! Groups are used again, because moving a process into one can wait milliseconds for the kernel: a cell joins a group
//! once, and [`Group::renew`] begins the counts anew for each of its programs. What cannot be counted anew (the peak of
//! processes, cached files of earlier programs) is counted by difference, and where that would be wrong the group is
//! replaced.

mod files;
mod limits;
mod names;
mod places;
#[cfg(test)]
mod tests;
mod v1;
mod v2;

use crate::Limits;
use names::Owner;
use places::Places;
pub(crate) use places::unescape;
use rustix::process::Pid;
use std::fmt::Debug;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, mem, thread};

/// What a program has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GroupUsage {
    /// The most memory at one time, without what was there before it.
    pub(crate) memory_peak: Option<u64>,
    /// Processor time of all its processes.
    pub(crate) cpu: Option<Duration>,
    /// The most processes and threads at one time.
    pub(crate) processes_peak: Option<u32>,
    /// Whether the kernel killed a process of it because it was at its memory limit.
    pub(crate) over_memory: bool,
}

/// One thing that groups are used for, and whether they can be here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Control {
    pub(crate) name: &'static str,
    /// Whether this machine gives it to this process.
    pub(crate) given: bool,
    /// Where it comes from, or why it is missing and how to get it.
    pub(crate) how: String,
}

/// A version of the kernel's interface, below our own group.
trait Tree: Send + Sync + Debug {
    fn kind(&self) -> &'static str;
    /// The folders in which groups are made.
    fn bases(&self) -> Vec<&Path>;
    fn controls(&self) -> Vec<Control>;
    /// A new group. Only one with a share of the processor is in the controller for that: the scheduler takes such a
    /// group for one, and a process outside that steps aside for one inside then often does so in vain.
    fn make(&self, name: &str, with_share: bool) -> io::Result<Box<dyn Bundle>>;
}

/// One group, as the kernel has it.
trait Bundle: Send + Sync + Debug {
    fn bound(&self, bounds: &Bounds) -> io::Result<()>;
    fn join(&self, pid: Pid) -> io::Result<()>;
    /// The processes in it; `None` is one that our pid namespace does not show.
    fn members(&self) -> Vec<Option<Pid>>;
    fn counts(&self) -> Counts;
    /// The processor time in those counts, which is asked for often.
    fn cpu(&self) -> Option<Duration>;
    /// Whether the peak of memory begins anew.
    fn forget_memory_peak(&self) -> bool;
    fn freeze(&self) -> bool;
    fn thaw(&self);
    /// Lets it compete with other groups for the processor, or only have what they leave.
    fn set_idle(&self, idle: bool);
    /// Kills what is in it now; what is frozen goes on, and ends.
    fn kill(&self);
    fn remove(&self) -> io::Result<()>;
}

/// The limits, as groups take them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds {
    memory: u64,
    processes: u32,
    /// Processor time in each period; `None` is as much as there is.
    cpu_micros: Option<u64>,
}

/// What the kernel has counted since a group was made.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    memory: Option<u64>,
    memory_peak: Option<u64>,
    /// How often memory was at its limit, where that is counted. By itself that is no harm: cached files go first.
    at_limit: u64,
    memory_kills: u64,
    cpu: Option<Duration>,
    processes: Option<u32>,
    processes_peak: Option<u32>,
}

impl Counts {
    /// Whether the next program's figures could not be told from those of earlier ones. Any program has one process at
    /// least, so a peak of one more than there are now says nothing false about the next.
    fn are_worn(&self) -> bool {
        let processes = self.processes.unwrap_or(0);
        self.processes_peak.is_some_and(|peak| peak > processes + 1)
            || self.memory.is_some_and(|bytes| bytes > limits::LEFTOVER_BYTES)
    }
}

/// A group and the limits it has been given.
#[derive(Debug)]
struct Made {
    bundle: Box<dyn Bundle>,
    /// Whether it can have a share of the processor.
    with_share: bool,
    bounds: Option<Bounds>,
}

impl Made {
    /// Writes the limits, unless it has them.
    fn bound(&mut self, bounds: Bounds) -> io::Result<()> {
        if self.bounds != Some(bounds) {
            // Half of them may be written when this fails.
            self.bounds = None;
            self.bundle.bound(&bounds)?;
            self.bounds = Some(bounds);
        }
        Ok(())
    }

    /// Kills what is in it until nothing is.
    fn empty(&self) -> bool {
        let begin = Instant::now();
        loop {
            if self.bundle.members().is_empty() {
                return true;
            }
            if begin.elapsed() > limits::EMPTY_WAIT {
                return false;
            }
            self.bundle.kill();
            thread::sleep(limits::EMPTY_STEP);
        }
    }
}

/// The groups of this process. Cheap to clone; the last one removes the folders.
#[derive(Clone, Debug)]
pub(crate) struct Groups(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    tree: Result<Box<dyn Tree>, Vec<Control>>,
    owner: Owner,
    /// Whether there are to be no further groups.
    closed: AtomicBool,
    /// Empty groups for the next programs.
    free: Mutex<Vec<Made>>,
    /// Groups that are not wanted any more, but that the kernel does not let go yet.
    leaving: Mutex<Vec<Made>>,
    /// Why a group had to be given up, until somebody was told.
    given_up: Mutex<Option<String>>,
}

impl Groups {
    /// Finds out what there is, and removes what dead processes of ours have left. Without any, groups do nothing.
    pub(crate) fn open() -> Groups {
        Groups::open_at(Path::new("/proc/self"))
    }

    /// The same, told by a process's folder in `/proc`.
    fn open_at(process: &Path) -> Groups {
        let owner = Owner::new(process);
        let tree = choose(&Places::read(process), &owner.name());
        if let Ok(tree) = &tree {
            owner.sweep(&tree.bases(), process.parent().unwrap_or(process));
        }
        Groups::new(tree, owner)
    }

    /// Groups that do nothing.
    pub(crate) fn none() -> Groups {
        Groups::new(Err(Vec::new()), Owner::new(Path::new("/proc/self")))
    }

    fn new(tree: Result<Box<dyn Tree>, Vec<Control>>, owner: Owner) -> Groups {
        Groups(Arc::new(Pool {
            tree,
            owner,
            closed: AtomicBool::new(false),
            free: Mutex::default(),
            leaving: Mutex::default(),
            given_up: Mutex::default(),
        }))
    }

    /// Which interface is used.
    pub(crate) fn kind(&self) -> &'static str {
        self.0.tree.as_ref().map_or("none", |tree| tree.kind())
    }

    /// What groups are used for, and whether they can be here.
    pub(crate) fn describe(&self) -> Vec<Control> {
        self.0.tree.as_ref().map_or_else(Clone::clone, |tree| tree.controls())
    }

    /// Ends everything in them and removes them, whoever still holds one, and makes no further ones.
    pub(crate) fn close(&self) {
        self.0.closed.store(true, Ordering::SeqCst);
        if let Ok(tree) = &self.0.tree {
            self.0.owner.sweep_own(&tree.bases());
        }
    }

    /// An empty group with these limits. An error may also be about an earlier group that could not be emptied.
    pub(crate) fn take(&self, limits: &Limits) -> io::Result<Group> {
        if let Some(why) = lock(&self.0.given_up).take() {
            return Err(io::Error::other(why));
        }
        let made = self.0.get(quota(limits.cpu_percent, cores()).is_some())?;
        let mut group = Group { pool: Arc::clone(&self.0), made, base: Counts::default(), idle: false };
        group.renew(limits)?;
        Ok(group)
    }
}

/// Version 2 if it was delegated to us, else what there is of version 1, else what there is of version 2.
fn choose(places: &Places, trial: &str) -> Result<Box<dyn Tree>, Vec<Control>> {
    let not_mounted = || "cgroup v2 is not mounted; let root mount it at /sys/fs/cgroup".to_owned();
    let second = places.version2().ok_or_else(not_mounted).and_then(|own| v2::Delegated::open(&own, trial));
    let first = v1::Hierarchies::open(places, trial);
    match second {
        Ok(tree) if tree.is_enough() => Ok(Box::new(tree)),
        _ if first.is_any() => Ok(Box::new(first)),
        Ok(tree) => Ok(Box::new(tree)),
        Err(why) => {
            let without = |control| Control { how: why.clone(), ..control };
            Err(first.controls().into_iter().map(without).collect())
        }
    }
}

impl Pool {
    /// A group that is empty, where there are any.
    fn get(&self, with_share: bool) -> io::Result<Option<Made>> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(io::Error::other("no program is started any more"));
        }
        self.let_go();
        let mut free = lock(&self.free);
        if let Some(at) = free.iter().rposition(|made| made.with_share == with_share) {
            return Ok(Some(free.swap_remove(at)));
        }
        drop(free);
        self.make(with_share)
    }

    /// A new group, where there are any.
    fn make(&self, with_share: bool) -> io::Result<Option<Made>> {
        let Ok(tree) = &self.tree else {
            return Ok(None);
        };
        let mut tried = 0;
        loop {
            match tree.make(&self.owner.name(), with_share) {
                Ok(bundle) => return Ok(Some(Made { bundle, with_share, bounds: None })),
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                Err(error) if tried == limits::NAMES_TRIED => return Err(error),
                Err(_) => tried += 1,
            }
        }
    }

    /// A new group in place of one that does not do any more, with everything that was in it.
    fn successor(&self, worn: &Made, with_share: bool) -> io::Result<Made> {
        let made = self.make(with_share)?.ok_or(io::ErrorKind::Unsupported)?;
        for _ in 0..limits::MOVES {
            let members = worn.bundle.members();
            if members.is_empty() {
                return Ok(made);
            }
            for pid in members.into_iter().flatten() {
                if let Err(error) = made.bundle.join(pid) {
                    self.put(made);
                    return Err(error);
                }
            }
        }
        self.put(made);
        Err(io::Error::other(
            "the processes of a group could not be moved to a new one; end them and start anew",
        ))
    }

    /// Takes a group back: empties it and keeps it, or removes it.
    fn put(&self, made: Made) {
        if !made.empty() {
            let why = format!(
                "a group could not be emptied within {:?}, processes {:?} do not die; see what holds them up",
                limits::EMPTY_WAIT,
                made.bundle.members()
            );
            *lock(&self.given_up) = Some(why);
            lock(&self.leaving).push(made);
            return;
        }
        let counts = made.bundle.counts();
        // A process that is dead but not waited for still counts: its group is no clean beginning.
        let clean = !counts.are_worn() && counts.processes.unwrap_or(0) == 0;
        let mut free = lock(&self.free);
        if clean && free.len() < limits::KEPT_GROUPS {
            free.push(made);
        } else {
            drop(free);
            self.remove(made);
        }
    }

    fn remove(&self, made: Made) {
        if is_busy(&made) {
            lock(&self.leaving).push(made);
        }
    }

    /// Tries again to remove what was in use a moment ago.
    fn let_go(&self) {
        lock(&self.leaving).retain(is_busy);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for made in mem::take(&mut *lock(&self.free)) {
            self.remove(made);
        }
        // The last program's processes may still be on their way out.
        let begin = Instant::now();
        while !lock(&self.leaving).is_empty() && begin.elapsed() < limits::EMPTY_WAIT {
            thread::sleep(limits::EMPTY_STEP);
            self.let_go();
        }
    }
}

/// A group of processes; when dropped, everything in it is killed and it goes back to the pool.
#[derive(Debug)]
pub(crate) struct Group {
    pool: Arc<Pool>,
    made: Option<Made>,
    /// The counts when the present program began.
    base: Counts,
    /// Whether it only has the processor when nobody else wants it.
    idle: bool,
}

impl Group {
    /// Begins the counts anew, for the next program of what is in the group now: a cell that waits. It stays in, and
    /// its processes count for neither the limit nor the peak.
    pub(crate) fn renew(&mut self, limits: &Limits) -> io::Result<()> {
        let Some(made) = &mut self.made else {
            return Ok(());
        };
        let cpu_micros = quota(limits.cpu_percent, cores());
        let mut counts = made.bundle.counts();
        // A peak that cannot be forgotten is as good as none while it is small.
        let stale_peak = !made.bundle.forget_memory_peak()
            && counts.memory_peak.is_some_and(|peak| peak > limits::LEFTOVER_BYTES);
        if made.with_share != cpu_micros.is_some() || counts.are_worn() || stale_peak {
            let worn = mem::replace(made, self.pool.successor(made, cpu_micros.is_some())?);
            self.pool.remove(worn);
            counts = made.bundle.counts();
        }
        self.base = counts;
        made.bound(Bounds {
            memory: limits.memory_bytes,
            processes: limits.processes.saturating_add(counts.processes.unwrap_or(0)),
            cpu_micros,
        })
    }

    /// Puts a process, with all its threads, into the group; what it starts from now on is in it too.
    pub(crate) fn add(&self, pid: Pid) -> io::Result<()> {
        self.made.as_ref().map_or(Ok(()), |made| made.bundle.join(pid))
    }

    /// What was used since the group was taken or renewed.
    pub(crate) fn usage(&self) -> GroupUsage {
        let Some(made) = &self.made else {
            return GroupUsage::default();
        };
        let (base, now) = (&self.base, made.bundle.counts());
        // A kill without having been at the limit is the machine's distress, not the program's fault.
        let limit = made.bounds.map_or(u64::MAX, |bounds| bounds.memory);
        let at_limit = now.at_limit > base.at_limit
            || now.memory_peak.is_some_and(|peak| peak.saturating_add(limits::AT_LIMIT_BYTES) >= limit);
        let over_memory = at_limit && now.memory_kills > base.memory_kills;
        // At the limit, what was there before has been given up.
        let before = if over_memory { 0 } else { base.memory.unwrap_or(0) };
        GroupUsage {
            memory_peak: now.memory_peak.map(|peak| peak.saturating_sub(before)),
            cpu: now.cpu.map(|cpu| cpu.saturating_sub(base.cpu.unwrap_or_default())),
            processes_peak: now.processes_peak.map(|peak| peak.saturating_sub(base.processes.unwrap_or(0))),
            over_memory,
        }
    }

    /// Processor time since the group was taken or renewed, where that is counted.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let counted = self.made.as_ref()?.bundle.cpu()?;
        Some(counted.saturating_sub(self.base.cpu.unwrap_or_default()))
    }

    /// The processes in it that this one can see; `None` if there is no group.
    pub(crate) fn members(&self) -> Option<Vec<Pid>> {
        Some(self.made.as_ref()?.bundle.members().into_iter().flatten().collect())
    }

    /// Lets everything in it stand still; whether that is possible.
    pub(crate) fn freeze(&self) -> bool {
        self.made.as_ref().is_some_and(|made| made.bundle.freeze())
    }

    pub(crate) fn thaw(&self) {
        if let Some(made) = &self.made {
            made.bundle.thaw();
        }
    }

    /// Lets everything in it have the processor only when nobody else wants it, or like everybody else again.
    pub(crate) fn set_idle(&mut self, idle: bool) {
        if let Some(made) = self.made.as_ref().filter(|_| self.idle != idle) {
            made.bundle.set_idle(idle);
            self.idle = idle;
        }
    }

    /// Kills everything in it, and does not wait.
    pub(crate) fn kill(&self) {
        if let Some(made) = &self.made {
            made.bundle.kill();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(made) = self.made.take() {
            self.pool.put(made);
        }
    }
}

/// Removes a group; whether that must be tried again, because something in it is still on its way out.
fn is_busy(made: &Made) -> bool {
    made.bundle.remove().is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Microseconds of processor time in each period. A hundred percent are one processor; a share that so many processors
/// cannot exceed is no limit.
fn quota(percent: u32, cores: u32) -> Option<u64> {
    let whole = cores.saturating_mul(100);
    (percent < whole).then(|| u64::from(percent.max(1)) * limits::CPU_PERIOD_MICROS / 100)
}

/// How many processors this thread is bound to, and with it what it starts.
fn cores() -> u32 {
    rustix::thread::sched_getaffinity(None).map_or(u32::MAX, |set| set.count())
}
