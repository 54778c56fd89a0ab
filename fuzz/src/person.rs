//! What a page sends for a person: an answer in JSON, to a match that has just begun. The first byte chooses the game.

use crate::choose_game;

/// The body of a request.
pub fn person(bytes: &[u8]) {
    if let Some((game, body)) = choose_game(bytes) {
        palestra_server::fuzzing::take_answer(game, body);
    }
}
