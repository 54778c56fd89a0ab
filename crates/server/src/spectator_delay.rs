//! The spectator delay: turns that are not old enough are buffered apart from what pages can ask for, so that no response
//! can hold them.

use crate::api::Progress;
use crate::limits;
use palestra_core::Seat;
use palestra_core::replay::Tail;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How far behind a match that goes on is shown to those who do not play it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpectatorDelay {
    /// So long, and so many rounds, whichever is later.
    Behind {
        /// The least time that has to pass.
        time: Duration,
        /// So many rounds.
        rounds: u32,
    },
    /// Only when it is over.
    UntilEnd,
}

impl SpectatorDelay {
    /// In whole seconds; nothing if only the end lets it be seen.
    pub fn seconds(self) -> Option<u32> {
        match self {
            SpectatorDelay::Behind { time, .. } => Some(time.as_secs_f64().ceil() as u32),
            SpectatorDelay::UntilEnd => None,
        }
    }

    /// In rounds; nothing if only the end lets it be seen.
    pub fn rounds(self) -> Option<u32> {
        match self {
            SpectatorDelay::Behind { rounds, .. } => Some(rounds),
            SpectatorDelay::UntilEnd => None,
        }
    }
}

/// Some turns of a match, and what was written to standard error meanwhile: seat, turn, bytes.
#[derive(Default)]
pub(crate) struct Update {
    pub(crate) tail: Tail,
    pub(crate) stderr: Vec<(Seat, u32, Vec<u8>)>,
}

impl Update {
    pub(crate) fn join(&mut self, later: Update) {
        self.tail.join(later.tail);
        self.stderr.extend(later.stderr);
    }
}

/// Turns that may not be seen yet, oldest first.
#[derive(Default)]
pub(crate) struct DelayBuffer {
    updates: VecDeque<DelayedUpdate>,
    /// Rounds of the match up to now.
    rounds: u32,
}

struct DelayedUpdate {
    update: Update,
    /// How the match stood behind it.
    progress: Progress,
    rounds: u32,
    begun: Instant,
    /// When its last turn was taken.
    ended: Instant,
}

impl DelayBuffer {
    /// Keeps some turns back. Turns in quick succession are delayed, and later told, together.
    pub(crate) fn push(&mut self, update: Update, progress: Progress, rounds: u32, now: Instant) {
        self.rounds = rounds;
        match self.updates.back_mut() {
            Some(last) if now.duration_since(last.begun) < limits::DELAY_BATCH => {
                last.update.join(update);
                (last.progress, last.rounds, last.ended) = (progress, rounds, now);
            }
            _ => self.updates.push_back(DelayedUpdate { update, progress, rounds, begun: now, ended: now }),
        }
    }

    /// The next turns that may be seen by now, and how the match stood behind them.
    pub(crate) fn release(&mut self, delay: SpectatorDelay, now: Instant) -> Option<(Update, Progress)> {
        let SpectatorDelay::Behind { time, rounds } = delay else { return None };
        let due = |delayed: &DelayedUpdate| {
            now.duration_since(delayed.ended) >= time && delayed.rounds.saturating_add(rounds) <= self.rounds
        };
        let delayed = self.updates.front().is_some_and(due).then(|| self.updates.pop_front()).flatten()?;
        Some((delayed.update, delayed.progress))
    }

    /// The match is over: what was delayed comes with the rest of it.
    pub(crate) fn clear(&mut self) {
        self.updates.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{DelayBuffer, SpectatorDelay, Update};
    use crate::api::Progress;
    use crate::limits;
    use std::time::{Duration, Instant};

    const DELAY: SpectatorDelay = SpectatorDelay::Behind { time: Duration::from_secs(30), rounds: 20 };

    fn turns_released(buffer: &mut DelayBuffer, now: Instant) -> Option<u32> {
        std::iter::from_fn(|| buffer.release(DELAY, now)).last().map(|(_, progress)| progress.turns)
    }

    #[test]
    fn both_the_time_and_the_rounds_must_have_passed() {
        let (mut buffer, start) = (DelayBuffer::default(), Instant::now());
        let hold = |buffer: &mut DelayBuffer, round: u32, seconds: u64| {
            let progress = Progress { turns: 2 * round, over: false, to_move: None };
            buffer.push(Update::default(), progress, round, start + Duration::from_secs(seconds));
        };
        // A round a second: the rounds are done after 20 seconds, the time after 30.
        for round in 1..=40 {
            hold(&mut buffer, round, u64::from(round));
        }
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(turns_released(&mut buffer, at(30)), None, "the first turn is 29 seconds old");
        assert_eq!(turns_released(&mut buffer, at(40)), Some(20));
        // Nobody moves any more: time alone shows nothing that is less than 20 rounds old.
        assert_eq!(turns_released(&mut buffer, at(10_000)), Some(40));
        assert_eq!(turns_released(&mut buffer, at(20_000)), None);
    }

    #[test]
    fn turns_held_together_are_as_late_as_the_last_of_them() {
        let (mut buffer, start) = (DelayBuffer::default(), Instant::now());
        let quick = limits::DELAY_BATCH / 2;
        for (round, at) in [(1, start), (30, start + quick), (60, start + Duration::from_secs(1))] {
            let progress = Progress { turns: round, over: false, to_move: None };
            buffer.push(Update::default(), progress, round, at);
        }
        assert_eq!(turns_released(&mut buffer, start + Duration::from_secs(30)), None);
        assert_eq!(turns_released(&mut buffer, start + quick + Duration::from_secs(30)), Some(30));
    }
}
