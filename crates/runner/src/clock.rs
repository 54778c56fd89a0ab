//! The processor time of a bot, turn by turn.
//!
//! The bot's own process has a clock that costs a fraction of a microsecond to read. That is a good part of the shortest
//! turns, so it is read after a turn only when those since the last reading have taken a while together: what they used
//! is then charged to the last of them. Looking at everything else that it has started is dear, so that is only done when the bot took longer
//! on the wall than its own process explains, and now and then: so seldom that looking costs next to nothing, and so
//! often that nothing computes unnoticed for long, whosever turn it is.

use crate::limits;
use crate::meter::Meter;
use crate::platform::ProcessClock;
use crate::process::Process;
use std::mem;
use std::time::{Duration, Instant};

/// How processor time is measured on this platform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockSource {
    /// That of the bot's process and of everything it has started.
    Tree,
    /// There is no way to read it on this system.
    Unknown,
}

/// How processor time is measured here.
pub fn clock_source() -> ClockSource {
    match ProcessClock::own().read() {
        Some(_) => ClockSource::Tree,
        None => ClockSource::Unknown,
    }
}

#[derive(Debug)]
pub(crate) struct BotClock {
    root: ProcessClock,
    meter: Meter,
    /// What the root had used when the turn began, but for what is still to be charged to earlier turns.
    turn_start: Duration,
    /// When the last turn ended, and what of the root's time was charged by then.
    last: Option<(Instant, Duration)>,
    /// Wall time of earlier turns, and of this one, after which the root's clock was not read.
    unread: (Duration, Duration),
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
    /// `None` where the platform cannot tell.
    pub(crate) fn new(process: &Process) -> Option<BotClock> {
        let root = ProcessClock::of(process);
        root.read().map(|_| BotClock::with(root))
    }

    fn with(root: ProcessClock) -> BotClock {
        BotClock {
            root,
            meter: Meter::default(),
            turn_start: Duration::ZERO,
            last: None,
            unread: (Duration::ZERO, Duration::ZERO),
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
        self.unread.0 += mem::take(&mut self.unread.1);
        let charged = self.last.map(|(_, charged)| charged);
        // When the last turn has only just ended, nothing can have been used since.
        let fresh = self.last.filter(|(when, _)| now.saturating_duration_since(*when) < limits::STALE);
        if let Some((_, charged)) = fresh {
            self.turn_start = charged;
        } else if let Some(used) = self.root.read() {
            let uncharged = used.saturating_sub(charged.unwrap_or(used));
            self.turn_start = used - uncharged.min(self.unread.0);
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
        let unread = self.unread.0 + wall;
        let mut own = Duration::ZERO;
        if unread < limits::UNREAD {
            self.unread.1 = wall;
        } else {
            own = self.root.read()?.saturating_sub(self.turn_start);
            self.unread = (Duration::ZERO, Duration::ZERO);
            self.unexplained += unread.saturating_sub(own);
        }
        self.last = Some((now, self.turn_start + own));
        let asked = self.unexplained >= limits::UNEXPLAINED || self.is_due(now);
        if let Some(process) = process.filter(|_| asked) {
            self.everything(process);
        }
        self.others_at.1 = self.others;
        Some(own + (self.others - self.others_at.0))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn burn(time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {}
    }

    #[test]
    fn everything_used_is_charged_once() {
        let root = ProcessClock::own();
        let mut clock = BotClock::with(ProcessClock::own());
        clock.begin_turn(Instant::now(), None);
        let (first, mut charged) = (clock.turn_start, Duration::ZERO);
        // Short turns and long ones, with short and long times between them; some answers come in two pieces.
        for (turn, between, pieces) in
            [(5, 0, 1), (5, 200, 1), (20, 0, 2), (120, 0, 2), (5, 100, 2)].repeat(9)
        {
            let start = Instant::now();
            let mut own = None;
            for _ in 0..pieces {
                burn(Duration::from_micros(turn));
                let now = Instant::now();
                own = clock.so_far(now, now - start, None);
            }
            burn(Duration::from_micros(between));
            charged += own.unwrap();
            charged += clock.begin_turn(Instant::now(), None).1;
        }
        let (start, before) = (Instant::now(), root.read().unwrap());
        burn(2 * limits::UNREAD);
        let now = Instant::now();
        charged += clock.so_far(now, now - start, None).unwrap();
        assert!(
            (before..=root.read().unwrap()).contains(&(first + charged)),
            "{first:?} {charged:?} {before:?}"
        );
    }
}
