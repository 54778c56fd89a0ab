//! The processor time of a bot's process tree.
//!
//! The bot's own process has a clock that costs a fraction of a microsecond to read, and it is read before and after
//! every turn. Its descendants have to be searched for, which is dear, so that is only done when the bot took
//! longer on the wall than its own process explains: then somebody else worked for it, or it slept.

use crate::limits;
use rustix::process::Pid;
use std::time::{Duration, Instant};

/// How processor time is measured on this platform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockSource {
    /// The bot's process and all its descendants.
    Tree,
    /// Not at all.
    Unknown,
}

/// How processor time is measured here.
pub fn clock_source() -> ClockSource {
    match TreeClock::new(rustix::process::getpid()).read_root() {
        Some(_) => ClockSource::Tree,
        None => ClockSource::Unknown,
    }
}

/// One bot's processor time.
#[derive(Debug)]
pub(crate) struct TreeClock {
    #[cfg(target_os = "linux")]
    root: Pid,
    #[cfg(target_os = "linux")]
    clock: Option<nix::time::ClockId>,
    /// What the root had used when the turn began.
    turn_start: Duration,
    /// When the root's clock was last read, and what it said.
    last: Option<(Instant, Duration)>,
    /// What the descendants are known to have used in this turn.
    turn_descendants: Duration,
    /// Wall time that the root did not use, since the tree was last looked at.
    unexplained: Duration,
    /// What the descendants had used when they were last looked at.
    descendants: Duration,
}

impl TreeClock {
    pub(crate) fn new(root: Pid) -> TreeClock {
        #[cfg(not(target_os = "linux"))]
        let _ = root;
        TreeClock {
            #[cfg(target_os = "linux")]
            root,
            #[cfg(target_os = "linux")]
            clock: nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(root.as_raw_pid())).ok(),
            turn_start: Duration::ZERO,
            last: None,
            turn_descendants: Duration::ZERO,
            unexplained: Duration::ZERO,
            descendants: Duration::ZERO,
        }
    }

    /// The match begins: what the bot's descendants used until now was its start-up.
    pub(crate) fn begin_match(&mut self) {
        self.descendants = self.read_descendants();
    }

    /// A turn begins. Says how long it was not the bot's turn, and what its own process has used of that time.
    pub(crate) fn begin_turn(&mut self, now: Instant) -> (Duration, Duration) {
        self.turn_descendants = Duration::ZERO;
        // When the last turn has only just ended, what it said then is as good, and half of the reading is saved.
        let fresh = self.last.filter(|(when, _)| now.saturating_duration_since(*when) < limits::STALE);
        if let Some(used) = fresh.map(|(_, used)| used).or_else(|| self.read_root()) {
            self.turn_start = used;
        }
        self.last.map_or((Duration::ZERO, Duration::ZERO), |(when, used)| {
            (now.saturating_duration_since(when), self.turn_start.saturating_sub(used))
        })
    }

    /// What the turn has used up to `now`, after so much time on the wall; `None` where the platform cannot tell.
    pub(crate) fn so_far(&mut self, now: Instant, wall: Duration) -> Option<Duration> {
        let used = self.read_root()?;
        self.last = Some((now, used));
        let own = used.saturating_sub(self.turn_start);
        self.unexplained += wall.saturating_sub(own);
        if self.unexplained >= limits::UNEXPLAINED {
            self.unexplained = Duration::ZERO;
            let descendants = self.read_descendants();
            self.turn_descendants += descendants.saturating_sub(self.descendants);
            self.descendants = descendants;
        }
        Some(own + self.turn_descendants)
    }

    /// Everything used up to now.
    pub(crate) fn total(&mut self) -> Option<Duration> {
        Some(self.read_root()? + self.read_descendants())
    }
}

#[cfg(target_os = "linux")]
impl TreeClock {
    fn read_root(&self) -> Option<Duration> {
        Some(nix::time::clock_gettime(self.clock?).ok()?.into())
    }

    /// The descendants that live, and those that have been waited for.
    fn read_descendants(&self) -> Duration {
        use crate::process::tree;
        let mut sum = tree::waited_for(self.root);
        for pid in tree::descendants(self.root) {
            let clock = nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(pid.as_raw_pid()));
            if let Ok(time) = clock.and_then(nix::time::clock_gettime) {
                sum += Duration::from(time) + tree::waited_for(pid);
            }
        }
        sum
    }
}

#[cfg(not(target_os = "linux"))]
impl TreeClock {
    fn read_root(&self) -> Option<Duration> {
        None
    }

    fn read_descendants(&self) -> Duration {
        Duration::ZERO
    }
}
