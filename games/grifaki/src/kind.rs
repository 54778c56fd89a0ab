//! What a cell is, and the words for it.

use serde::{Deserialize, Serialize};

/// What a cell is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[repr(u8)]
pub enum Kind {
    /// Land.
    Plain,
    /// A city.
    City,
    /// A capital in the hands of the player it was made for.
    Capital,
    /// A capital in other hands, or in nobody's.
    FallenCapital,
    /// Nobody enters.
    Mountain,
}

impl Kind {
    /// How many kinds a player can own; they come first.
    pub(crate) const OWNABLE: usize = 4;

    /// The word of the protocol and of the settings.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Plain => "PLAIN",
            Kind::City => "CITY",
            Kind::Capital => "CAPITAL",
            Kind::FallenCapital => "FALLEN_CAPITAL",
            Kind::Mountain => "MOUNTAIN",
        }
    }

    /// Whether an owned cell of this kind grows with the cities.
    #[inline]
    pub fn is_city(self) -> bool {
        matches!(self, Kind::City | Kind::Capital | Kind::FallenCapital)
    }
}

/// What can be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Building {
    /// Makes defenders stronger.
    Wall,
    /// Makes a city of land.
    City,
}

impl Building {
    /// The word of the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Building::Wall => "WALL",
            Building::City => "CITY",
        }
    }
}
