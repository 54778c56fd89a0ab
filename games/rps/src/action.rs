//! What a player can answer.

use crate::state::Kind;
use serde::{Deserialize, Serialize};

/// What a player can answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Action {
    /// Moves, in the order in which they are carried out. The units may be unknown or the enemy's.
    pub orders: Vec<Order>,
    /// What is produced from now on; `None` changes nothing.
    pub production: Option<Kind>,
    /// How many lines were neither.
    pub unreadable: u32,
}

/// A unit is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Order {
    /// Its number.
    pub unit: u32,
    /// Where to, as the player sees it.
    pub direction: Direction,
}

/// The four directions, as the player sees them: its own factory is at the top left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Direction {
    /// x - 1
    Left,
    /// x + 1
    Right,
    /// y - 1
    Up,
    /// y + 1
    Down,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// Its word in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Left => "left",
            Direction::Right => "right",
            Direction::Up => "up",
            Direction::Down => "down",
        }
    }
}

impl Action {
    /// Makes it the empty answer again, and keeps its room.
    pub fn clear(&mut self) {
        self.orders.clear();
        self.production = None;
        self.unreadable = 0;
    }

    /// Adds a move.
    #[inline]
    pub fn order(&mut self, unit: u32, direction: Direction) {
        self.orders.push(Order { unit, direction });
    }
}
