//! What a player can answer.

use crate::kind::Building;
use serde::{Deserialize, Serialize};

/// What a player can answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Action {
    /// Do nothing.
    #[default]
    Empty,
    /// Move units from one cell to another.
    Move(Move),
    /// Build something.
    Build(Build),
}

/// A move, with the numbers exactly as they were sent: whether they make sense is for the rules to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// Row and column, counted from 0.
    pub from: [i64; 2],
    /// Row and column, counted from 0.
    pub to: [i64; 2],
    /// How many units.
    pub amount: i64,
}

/// A building, with the numbers exactly as they were sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Row and column of the cell that pays, counted from 0.
    pub from: [i64; 2],
    /// Row and column of the cell that it is built on, counted from 0.
    pub to: [i64; 2],
    /// What.
    pub building: Building,
}
