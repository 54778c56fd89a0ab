//! The one list of games. A new game is a folder in `games/` and a line here.

use crate::failure::Failure;
use palestra_core::AnyGame;

/// Every game, in the order they are shown.
pub(crate) const GAMES: &[&dyn AnyGame] = &[
    &palestra_generals::Generals,
    &palestra_auralux::Auralux,
    &palestra_rps::Rps,
    &palestra_grifaki::Grifaki,
];

/// The game with this name.
pub(crate) fn find(name: &str) -> Result<&'static dyn AnyGame, Failure> {
    by_id(name).ok_or_else(|| Failure::usage(format!("there is no game \"{name}\"; there are {}", names())))
}

/// The game with this id, if there is one.
pub(crate) fn by_id(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.info().id == id)
}

/// The games' names, for messages.
pub(crate) fn names() -> String {
    GAMES.iter().map(|game| game.info().id).collect::<Vec<_>>().join(", ")
}
