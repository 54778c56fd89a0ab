//! What the program shares with everything that tries all games: the list of them.

pub use palestra_games as games;
