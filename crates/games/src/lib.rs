//! The one list of games. A new game is a folder in `games/` and a line here.
//!
//! A package of its own, so that whoever needs the games does not need what the program is made of besides.

use palestra_core::AnyGame;
use std::fmt;

/// Every game, in the order they are shown.
pub const GAMES: &[&dyn AnyGame] = &[
    &palestra_generals::Generals,
    &palestra_auralux::Auralux,
    &palestra_rps::Rps,
    &palestra_grifaki::Grifaki,
    #[cfg(feature = "connect4")]
    &palestra_connect4::Connect4,
];

/// A name that no game has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownGame(String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no game \"{}\"; there are {}", self.0, names())
    }
}

/// The game with this name.
pub fn find(name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
    by_id(name).ok_or_else(|| UnknownGame(name.to_owned()))
}

/// The game with this id, if there is one.
pub fn by_id(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.info().id == id)
}

/// The games' names, for messages.
pub fn names() -> String {
    GAMES.iter().map(|game| game.info().id).collect::<Vec<_>>().join(", ")
}
