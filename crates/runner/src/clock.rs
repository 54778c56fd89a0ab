//! The processor time of a bot, turn by turn.
//!
//! The bot's own process has a clock that costs a fraction of a microsecond to read, and it is read before and after
//! every turn. Looking at everything else that it has started is dear, so that is only done when the bot took longer
//! on the wall than its own process explains, and now and then: so seldom that looking costs next to nothing, and so
//! often that nothing computes unnoticed for long, whosever turn it is.

use crate::limits;
use crate::meter::Meter;
use crate::process::Process;
use std::time::{Duration, Instant};

/// How processor time is measured on this platform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockSource {
    /// That of the bot's process and of everything it has started.
    Tree,
    /// Not at all.
    Unknown,
}

/// How processor time is measured here.
pub fn clock_source() -> ClockSource {
    match RootClock::new(rustix::process::getpid()).read() {
        Some(_) => ClockSource::Tree,
        None => ClockSource::Unknown,
    }
}

/// One bot's processor time.
#[derive(Debug)]
pub(crate) struct BotClock {
    root: RootClock,
    meter: Meter,
    /// What the root had used when the turn began.
    turn_start: Duration,
    /// When the last turn ended, and what the root had used then.
    last: Option<(Instant, Duration)>,
    /// What all but the root are known to have used.
    others: Duration,
    /// What they were known to have used when the turn began, and when the last one ended.
    others_at: (Duration, Duration),
    /// Wall time that the root did not use, since everything was last looked at.
    unexplained: Duration,
    /// When everything was last looked at, and how long that took.
    looked: (Instant, Duration),
    /// What it had used then.
    total: Duration,
}

impl BotClock {
    pub(crate) fn new(process: &Process) -> BotClock {
        BotClock {
            root: RootClock::new(process.pid()),
            meter: Meter::default(),
            turn_start: Duration::ZERO,
            last: None,
            others: Duration::ZERO,
            others_at: (Duration::ZERO, Duration::ZERO),
            unexplained: Duration::ZERO,
            looked: (Instant::now(), Duration::ZERO),
            total: Duration::ZERO,
        }
    }

    /// Everything used up to now; `None` where the platform cannot tell.
    pub(crate) fn everything(&mut self, process: &Process) -> Option<Duration> {
        let begun = Instant::now();
        let root = self.root.read()?;
        // A group's count may lag behind the root's clock and must not catch up at the cost of the others.
        self.others = self.others.max(self.meter.read(process).saturating_sub(root));
        self.unexplained = Duration::ZERO;
        let now = Instant::now();
        self.looked = (now, now - begun);
        self.total = root + self.others;
        Some(self.total)
    }

    /// It is not the bot's turn: how long that is so, or how long ago this was last asked, and at least how much processor
    /// time was used since.
    pub(crate) fn between_turns(&mut self, process: &Process) -> Option<(Duration, Duration)> {
        let (before, (looked, _)) = (self.total, self.looked);
        let used = self.everything(process)?.saturating_sub(before);
        let ended = self.last.map_or(looked, |(ended, _)| ended);
        // So much may have been used before the turn was over.
        let in_turn = ended.saturating_duration_since(looked);
        Some((self.looked.0 - looked.max(ended), used.saturating_sub(in_turn)))
    }

    /// How long looking at everything took the last time.
    pub(crate) fn cost(&self) -> Duration {
        self.looked.1
    }

    fn is_due(&self, now: Instant) -> bool {
        let (when, cost) = self.looked;
        now.saturating_duration_since(when) >= limits::LOOK_EVERY.max(cost * limits::LOOK_PART)
    }

    /// A turn begins. Says how long it was not the bot's turn, and how much processor time it has used meanwhile.
    pub(crate) fn begin_turn(&mut self, now: Instant, process: Option<&Process>) -> (Duration, Duration) {
        if let Some(process) = process.filter(|_| self.is_due(now)) {
            self.everything(process);
        }
        // When the last turn has only just ended, what it said then is as good, and half of the reading is saved.
        let fresh = self.last.filter(|(when, _)| now.saturating_duration_since(*when) < limits::STALE);
        if let Some(used) = fresh.map(|(_, used)| used).or_else(|| self.root.read()) {
            self.turn_start = used;
        }
        let others = self.others - self.others_at.1;
        self.others_at.0 = self.others;
        self.last.map_or((Duration::ZERO, Duration::ZERO), |(when, used)| {
            (now.saturating_duration_since(when), self.turn_start.saturating_sub(used) + others)
        })
    }

    /// What the turn has used up to `now`, after so much time on the wall; `None` where the platform cannot tell.
    pub(crate) fn so_far(
        &mut self,
        now: Instant,
        wall: Duration,
        process: Option<&Process>,
    ) -> Option<Duration> {
        let used = self.root.read()?;
        self.last = Some((now, used));
        let own = used.saturating_sub(self.turn_start);
        self.unexplained += wall.saturating_sub(own);
        let asked = self.unexplained >= limits::UNEXPLAINED || self.is_due(now);
        if let Some(process) = process.filter(|_| asked) {
            self.everything(process);
        }
        self.others_at.1 = self.others;
        Some(own + (self.others - self.others_at.0))
    }
}

/// The clock of one process, its threads included.
#[derive(Debug)]
struct RootClock(#[cfg(target_os = "linux")] Option<nix::time::ClockId>);

#[cfg(target_os = "linux")]
impl RootClock {
    fn new(pid: rustix::process::Pid) -> RootClock {
        RootClock(nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(pid.as_raw_pid())).ok())
    }

    fn read(&self) -> Option<Duration> {
        Some(nix::time::clock_gettime(self.0?).ok()?.into())
    }
}

#[cfg(not(target_os = "linux"))]
impl RootClock {
    fn new(_: rustix::process::Pid) -> RootClock {
        RootClock()
    }

    fn read(&self) -> Option<Duration> {
        None
    }
}
