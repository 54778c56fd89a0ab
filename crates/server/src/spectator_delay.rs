//! Showing a match late: what is not old enough is kept apart from what pages are told, so that no answer can hold it.

use crate::api::Progress;
use crate::limits;
use palestra_core::Seat;
use palestra_core::replay::Tail;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How far behind a match that goes on is shown to those who do not play it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delay {
    /// So long, and so many rounds, whichever is later.
    Behind {
        /// So long.
        time: Duration,
        /// So many rounds.
        rounds: u32,
    },
    /// Only when it is over.
    UntilEnd,
}

impl Delay {
    /// In whole seconds; nothing if only the end lets it be seen.
    pub fn seconds(self) -> Option<u32> {
        match self {
            Delay::Behind { time, .. } => Some(time.as_secs_f64().ceil() as u32),
            Delay::UntilEnd => None,
        }
    }

    /// In rounds; nothing if only the end lets it be seen.
    pub fn rounds(self) -> Option<u32> {
        match self {
            Delay::Behind { rounds, .. } => Some(rounds),
            Delay::UntilEnd => None,
        }
    }
}

/// Some turns of a match, and what was written to standard error meanwhile: seat, turn, bytes.
#[derive(Default)]
pub(crate) struct Piece {
    pub(crate) tail: Tail,
    pub(crate) stderr: Vec<(Seat, u32, Vec<u8>)>,
}

impl Piece {
    pub(crate) fn join(&mut self, later: Piece) {
        self.tail.join(later.tail);
        self.stderr.extend(later.stderr);
    }
}

/// Turns that may not be seen yet, oldest first.
#[derive(Default)]
pub(crate) struct Held {
    pieces: VecDeque<HeldPiece>,
    /// Rounds of the match up to now.
    rounds: u32,
}

struct HeldPiece {
    piece: Piece,
    /// How the match stood behind it.
    progress: Progress,
    rounds: u32,
    begun: Instant,
    /// When its last turn was taken.
    ended: Instant,
}

impl Held {
    /// Keeps some turns back. Turns in quick succession are held, and later told, together.
    pub(crate) fn hold(&mut self, piece: Piece, progress: Progress, rounds: u32, now: Instant) {
        self.rounds = rounds;
        match self.pieces.back_mut() {
            Some(last) if now.duration_since(last.begun) < limits::HELD_TOGETHER => {
                last.piece.join(piece);
                (last.progress, last.rounds, last.ended) = (progress, rounds, now);
            }
            _ => self.pieces.push_back(HeldPiece { piece, progress, rounds, begun: now, ended: now }),
        }
    }

    /// The next turns that may be seen by now, and how the match stood behind them.
    pub(crate) fn release(&mut self, delay: Delay, now: Instant) -> Option<(Piece, Progress)> {
        let Delay::Behind { time, rounds } = delay else { return None };
        let due = |held: &HeldPiece| {
            now.duration_since(held.ended) >= time && held.rounds.saturating_add(rounds) <= self.rounds
        };
        let held = self.pieces.front().is_some_and(due).then(|| self.pieces.pop_front()).flatten()?;
        Some((held.piece, held.progress))
    }

    /// The match is over: what was held comes with the rest of it.
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Delay, Held, Piece};
    use crate::api::Progress;
    use crate::limits;
    use std::time::{Duration, Instant};

    const DELAY: Delay = Delay::Behind { time: Duration::from_secs(30), rounds: 20 };

    fn turns_released(held: &mut Held, now: Instant) -> Option<u32> {
        std::iter::from_fn(|| held.release(DELAY, now)).last().map(|(_, progress)| progress.turns)
    }

    #[test]
    fn both_the_time_and_the_rounds_must_have_passed() {
        let (mut held, start) = (Held::default(), Instant::now());
        let hold = |held: &mut Held, round: u32, seconds: u64| {
            let progress = Progress { turns: 2 * round, over: false, to_move: None };
            held.hold(Piece::default(), progress, round, start + Duration::from_secs(seconds));
        };
        // A round a second: the rounds are done after 20 seconds, the time after 30.
        for round in 1..=40 {
            hold(&mut held, round, u64::from(round));
        }
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(turns_released(&mut held, at(30)), None, "the first turn is 29 seconds old");
        assert_eq!(turns_released(&mut held, at(40)), Some(20));
        // Nobody moves any more: time alone shows nothing that is less than 20 rounds old.
        assert_eq!(turns_released(&mut held, at(10_000)), Some(40));
        assert_eq!(turns_released(&mut held, at(20_000)), None);
    }

    #[test]
    fn turns_held_together_are_as_late_as_the_last_of_them() {
        let (mut held, start) = (Held::default(), Instant::now());
        let quick = limits::HELD_TOGETHER / 2;
        for (round, at) in [(1, start), (30, start + quick), (60, start + Duration::from_secs(1))] {
            let progress = Progress { turns: round, over: false, to_move: None };
            held.hold(Piece::default(), progress, round, at);
        }
        assert_eq!(turns_released(&mut held, start + Duration::from_secs(30)), None);
        assert_eq!(turns_released(&mut held, start + quick + Duration::from_secs(30)), Some(30));
    }
}
