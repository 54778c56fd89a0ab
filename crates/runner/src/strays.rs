//! Processes that a bot has left behind: grandchildren that left its group, daemons that forked twice.
//!
//! On Linux a program can ask to inherit the orphans below it. Once it has, every child that it did not start itself
//! was left behind by some bot, and is found without searching the machine.

/// Asks to inherit orphans, so that nothing survives a match. Call it once, at the start of the program, and only in
/// a program whose every later child process is started by this crate. Children that are there already are left alone.
#[cfg(target_os = "linux")]
pub fn adopt_strays() {
    linux::adopt();
}

/// Elsewhere there is no way to find them, or a job holds them together.
#[cfg(not(target_os = "linux"))]
pub fn adopt_strays() {}

/// Whether processes that left their bot's group are found.
pub fn finds_strays() -> bool {
    #[cfg(target_os = "linux")]
    if linux::ADOPTING.load(std::sync::atomic::Ordering::Relaxed) {
        return true;
    }
    crate::platform::FINDS_STRAYS
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{Known, of_bot, sweep};

/// A child that was started here: there is nothing to tell it from.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(crate) struct Known;

#[cfg(not(target_os = "linux"))]
impl Known {
    /// Starts a child with `start`.
    pub(crate) fn start<T>(
        start: impl FnOnce() -> std::io::Result<(crate::platform::Pid, T)>,
    ) -> std::io::Result<(Known, T)> {
        start().map(|(_, started)| (Known, started))
    }
}

/// There is nothing to do: they cannot be found, or have ended with their job.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sweep(_mark: &str) {}

#[cfg(target_os = "linux")]
mod linux {
    use crate::limits;
    use crate::platform::{Pid, tree};
    use crate::process::MARK;
    use rustix::process::{Signal, WaitId, WaitIdOptions, WaitOptions};
    use std::collections::BTreeSet;
    use std::fs::File;
    use std::io::Read as _;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    // Which processes are our children is a fact about the whole program, so it is kept for the whole program.
    pub(super) static ADOPTING: AtomicBool = AtomicBool::new(false);
    static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

    pub(super) fn adopt() {
        let own = rustix::process::getpid();
        // A program that became this one by exec may have left children of its own.
        lock().extend(tree::children(own).iter().map(|pid| pid.as_raw_pid()));
        if rustix::process::set_child_subreaper(Some(own)).is_ok() {
            ADOPTING.store(true, Ordering::Relaxed);
        }
    }

    /// A child that was started here, while it lives.
    #[derive(Debug)]
    pub(crate) struct Known(i32);

    impl Known {
        /// Starts a child with `start` and remembers it, so that no sweep takes it for a stray in between.
        pub(crate) fn start<T>(
            start: impl FnOnce() -> std::io::Result<(Pid, T)>,
        ) -> std::io::Result<(Known, T)> {
            let mut started = lock();
            let (pid, started_thing) = start()?;
            started.insert(pid.as_raw_pid());
            Ok((Known(pid.as_raw_pid()), started_thing))
        }
    }

    impl Drop for Known {
        fn drop(&mut self) {
            lock().remove(&self.0);
        }
    }

    fn lock() -> std::sync::MutexGuard<'static, BTreeSet<i32>> {
        STARTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Kills what the bots with this mark have left behind, and what hides whose it is.
    pub(crate) fn sweep(mark: &str) {
        if !ADOPTING.load(Ordering::Relaxed) {
            return;
        }
        for _ in 0..limits::SWEEPS {
            let strays = strays(|found| found.is_none_or(|found| is_of_match(found, mark.as_bytes())));
            if strays.is_empty() {
                return;
            }
            for pid in strays {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
                let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
            }
        }
    }

    /// What the bot with this very mark has left behind up to now.
    pub(crate) fn of_bot(mark: &str) -> Vec<Pid> {
        if !ADOPTING.load(Ordering::Relaxed) {
            return Vec::new();
        }
        strays(|found| found == Some(mark.as_bytes()))
    }

    /// The strays whose mark, if they have any, is `wanted`. Only on purpose does a bot's process have none.
    fn strays(wanted: impl Fn(Option<&[u8]>) -> bool) -> Vec<Pid> {
        let started = lock();
        let mut found = tree::children(rustix::process::getpid());
        found.retain(|pid| !started.contains(&pid.as_raw_pid()) && !palestra_sandbox::is_cell(*pid));
        drop(started);
        // Those that have ended belong to nobody any more, and a bot may leave thousands of them.
        found.retain(|pid| !reap(*pid));
        found.retain(|pid| {
            let environment = environment(*pid);
            let mut entries = environment.split(|byte| *byte == 0);
            wanted(entries.find_map(|entry| entry.strip_prefix(MARK.as_bytes())?.strip_prefix(b"=")))
        });
        found
    }

    /// The beginning of its environment: a process can make all of its memory look like that.
    fn environment(pid: Pid) -> Vec<u8> {
        let mut environment = Vec::new();
        if let Ok(file) = File::open(format!("/proc/{}/environ", pid.as_raw_pid())) {
            let _ = file.take(limits::ENVIRONMENT_BYTES).read_to_end(&mut environment);
        }
        environment
    }

    /// Waits for a child that has ended; whether it had.
    fn reap(pid: Pid) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        matches!(rustix::process::waitid(WaitId::Pid(pid), options), Ok(Some(_)))
    }

    /// Whether a bot's mark is one of this match: the match's own, and the bot's seat.
    fn is_of_match(found: &[u8], mark: &[u8]) -> bool {
        found.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"."))
    }
}
