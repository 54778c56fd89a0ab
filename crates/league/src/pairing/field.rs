//! Who takes part: players by their place in the seeding, and who sat where how often.

use super::{BotNumber, PairingError, limits};
use std::collections::BTreeMap;

/// Everybody who is or was in a stage. A player's index is its place in the seeding; who joins later comes last.
pub(super) struct Field {
    players: Vec<BotNumber>,
    present: Vec<bool>,
    places: BTreeMap<BotNumber, usize>,
}

impl Field {
    pub(super) fn new(players: &[BotNumber]) -> Result<Field, PairingError> {
        let mut field = Field { players: Vec::new(), present: Vec::new(), places: BTreeMap::new() };
        for &player in players {
            match field.check(player) {
                Err(PairingError::Known(player)) => return Err(PairingError::Twice(player)),
                Err(PairingError::TooMany { most, .. }) => {
                    return Err(PairingError::TooMany { have: players.len(), most });
                }
                checked => checked?,
            }
            field.add(player);
        }
        Ok(field)
    }

    /// Whether somebody can join.
    pub(super) fn check(&self, player: BotNumber) -> Result<(), PairingError> {
        if self.places.contains_key(&player) {
            return Err(PairingError::Known(player));
        }
        self.room(limits::PLAYERS)
    }

    /// Whether there is room for one more.
    pub(super) fn room(&self, most: usize) -> Result<(), PairingError> {
        match self.len() < most {
            true => Ok(()),
            false => Err(PairingError::TooMany { have: self.len() + 1, most }),
        }
    }

    pub(super) fn add(&mut self, player: BotNumber) {
        self.places.insert(player, self.len());
        self.players.push(player);
        self.present.push(true);
    }

    pub(super) fn drop(&mut self, player: BotNumber) -> Result<(), PairingError> {
        match self.place(player) {
            Some(index) if self.present[index] => {
                self.present[index] = false;
                Ok(())
            }
            _ => Err(PairingError::Unknown(player)),
        }
    }

    /// How many there are and were.
    pub(super) fn len(&self) -> usize {
        self.players.len()
    }

    pub(super) fn player(&self, index: usize) -> BotNumber {
        self.players[index]
    }

    pub(super) fn place(&self, player: BotNumber) -> Option<usize> {
        self.places.get(&player).copied()
    }

    pub(super) fn is_present(&self, index: usize) -> bool {
        self.present[index]
    }

    /// Those who did not leave, in seeding order.
    pub(super) fn present(&self) -> Vec<usize> {
        (0..self.len()).filter(|&index| self.present[index]).collect()
    }

    pub(super) fn named(&self, indices: &[usize]) -> Vec<BotNumber> {
        indices.iter().map(|&index| self.players[index]).collect()
    }
}

/// How often everybody sat in every seat.
#[derive(Default)]
pub(super) struct Seats(Vec<Vec<u32>>);

impl Seats {
    fn sat(&self, index: usize, seat: usize) -> i64 {
        self.0.get(index).and_then(|seats| seats.get(seat)).map_or(0, |times| i64::from(*times))
    }

    /// How much more often a player sat first than second.
    pub(super) fn lead(&self, index: usize) -> i64 {
        self.sat(index, 0) - self.sat(index, 1)
    }

    /// Seats a table so that everybody's seats stay even, and takes it down. The order is kept where it does not matter.
    pub(super) fn arrange(&mut self, table: &mut [usize]) {
        // Exchanging two makes the sum of squares smaller as long as this is true, so it ends.
        let better = |table: &[usize], a: usize, b: usize| {
            let (one, other) = (table[a], table[b]);
            self.sat(one, b) + self.sat(other, a) < self.sat(one, a) + self.sat(other, b)
        };
        let mut improved = true;
        while improved {
            improved = false;
            for a in 0..table.len() {
                for b in a + 1..table.len() {
                    if better(table, a, b) {
                        table.swap(a, b);
                        improved = true;
                    }
                }
            }
        }
        for (seat, &index) in table.iter().enumerate() {
            if self.0.len() <= index {
                self.0.resize(index + 1, Vec::new());
            }
            let seats = &mut self.0[index];
            seats.resize(seats.len().max(table.len()), 0);
            seats[seat] += 1;
        }
    }
}

/// The part of a growing list that is being worked through. Whoever joins after the beginning is dealt with in a further
/// part, which is about the newcomers and everybody before them.
pub(super) struct Batch {
    /// The first of the newcomers.
    first: usize,
    /// How many are dealt with.
    pub(super) end: usize,
    begun: bool,
    joined: usize,
}

impl Batch {
    pub(super) fn new(size: usize) -> Batch {
        Batch { first: 0, end: size, begun: false, joined: size }
    }

    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    pub(super) fn add(&mut self) {
        self.joined += 1;
        if !self.begun {
            self.end = self.joined;
        }
    }

    /// Whether these belong to this part rather than to one before.
    pub(super) fn holds(&self, positions: &[usize]) -> bool {
        self.first == 0 || positions.iter().any(|&position| position >= self.first)
    }

    /// Whether everybody was there from the beginning.
    pub(super) fn is_first(&self) -> bool {
        self.first == 0
    }

    /// Goes on to those who joined in the meantime, if there are any.
    pub(super) fn advance(&mut self) -> bool {
        let more = self.joined > self.end;
        *self = Batch {
            first: if more { self.end } else { self.first },
            end: self.joined,
            begun: !more,
            joined: self.joined,
        };
        more
    }
}
