//! Places in a match.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in one match, counted from 1 as the rule books do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number, counted from 1.
    ///
    /// # Panics
    /// If the number is 0: that is "nobody" in every protocol, and never a seat.
    pub const fn new(number: u8) -> Seat {
        assert!(number > 0, "seats are counted from 1");
        Seat(number)
    }

    /// The seat at this place of a list, counted from 0.
    pub const fn at(index: usize) -> Seat {
        Seat::new(index as u8 + 1)
    }

    /// Its number, counted from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its place in a list, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// All seats of a match of `count`.
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (1..=count).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whose eyes a state is seen through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eye {
    /// One player, with the fog in front.
    Seat(Seat),
    /// Somebody at the rim who sees everything.
    Spectator,
}
