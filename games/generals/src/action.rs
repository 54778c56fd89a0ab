//! What a player can answer.

use serde::{Deserialize, Serialize};

/// What a player can answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Action {
    /// Do nothing.
    #[default]
    Pass,
    /// Move units from one cell to another.
    Move(Move),
}

/// A move, with the numbers exactly as they were sent: whether they make sense is for the rules to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// How many.
    pub amount: Amount,
    /// Row and column, counted from 1.
    pub from: [i64; 2],
    /// Row and column, counted from 1.
    pub to: [i64; 2],
}

/// How many of the units in a cell are moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Amount {
    /// Option 1.
    AllButOne,
    /// Option 2, rounded down.
    Half,
}
