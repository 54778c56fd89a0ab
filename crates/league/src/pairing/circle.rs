//! Round robin of pairs by the circle method: all sit around a table and move on by one place from round to round.
//!
//! A round follows from its number alone; nothing is kept of rounds that were drawn.

use super::field::{Batch, Field};
use super::{Draw, Drawn, PairingError, limits};

pub(super) struct Circle {
    cycles: u32,
    batch: Batch,
    /// The next round: its cycle, and its number within.
    cycle: u32,
    turn: usize,
}

impl Circle {
    pub(super) fn new(players: usize, cycles: u32) -> Result<Circle, PairingError> {
        check(players, cycles)?;
        Ok(Circle { cycles, batch: Batch::new(players), cycle: 0, turn: 0 })
    }

    /// How many sit in the circle: with an odd number one more, whom nobody sees.
    fn chairs(players: usize) -> usize {
        players.next_multiple_of(2)
    }

    /// Opponents in a round: their numbers add up to twice the round's, and the last one does not move.
    fn opponents(chairs: usize, turn: usize) -> impl Iterator<Item = (usize, usize)> {
        let ring = chairs - 1;
        let around = (1..chairs / 2).map(move |step| ((turn + step) % ring, (turn + ring - step) % ring));
        std::iter::once((turn, ring)).chain(around)
    }

    /// Who sits first. Of opponents one number apart it is the lower one, two apart the higher one, and so on: that way
    /// everybody is first as often as second, or once more or less. The next cycle is the other way round.
    fn seated(&self, one: usize, other: usize) -> Vec<usize> {
        let (low, high) = (one.min(other), one.max(other));
        match (high - low) % 2 == usize::from(self.cycle.is_multiple_of(2)) {
            true => vec![low, high],
            false => vec![high, low],
        }
    }

    /// Takes the next round of the circle, if there is one.
    fn advance(&mut self) -> bool {
        if self.turn == Circle::chairs(self.batch.end) - 1 {
            (self.cycle, self.turn) = (self.cycle + 1, 0);
        }
        if self.cycle == self.cycles {
            self.cycle = 0;
            if !self.batch.advance() {
                self.cycle = self.cycles;
                return false;
            }
        }
        true
    }
}

fn check(players: usize, cycles: u32) -> Result<(), PairingError> {
    match pairs(players) * u64::from(cycles) {
        meetings if meetings > limits::MEETINGS => Err(PairingError::Meetings(meetings)),
        _ => Ok(()),
    }
}

fn pairs(players: usize) -> u64 {
    players as u64 * (players as u64 - 1) / 2
}

impl Draw for Circle {
    fn draw(&mut self, field: &Field) -> Option<Drawn> {
        while self.advance() {
            self.batch.begin();
            let mut drawn = Drawn { tables: Vec::new(), byes: Vec::new() };
            for (one, other) in Circle::opponents(Circle::chairs(self.batch.end), self.turn) {
                let present = |index: usize| index < self.batch.end && field.is_present(index);
                match (present(one), present(other)) {
                    (true, true) if self.batch.holds(&[one, other]) => {
                        drawn.tables.push(self.seated(one, other));
                    }
                    (true, false) if self.batch.is_first() => drawn.byes.push(one),
                    (false, true) if self.batch.is_first() => drawn.byes.push(other),
                    _ => {}
                }
            }
            self.turn += 1;
            if !drawn.tables.is_empty() {
                return Some(drawn);
            }
        }
        None
    }

    fn add(&mut self, field: &Field) -> Result<(), PairingError> {
        check(field.len() + 1, self.cycles)?;
        self.batch.add();
        Ok(())
    }

    fn rounds(&self, field: &Field) -> Option<u32> {
        (self.batch.is_first() && self.batch.end == field.len())
            .then(|| self.cycles * (Circle::chairs(field.len()) as u32 - 1))
    }

    fn meetings(&self, field: &Field) -> u64 {
        pairs(field.len()) * u64::from(self.cycles)
    }
}
