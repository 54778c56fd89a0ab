//! Plays {{ title }}: reads, lets the bot choose, and answers.
mod bot;
mod protocol;
#[cfg(test)]
mod test;

use protocol::{send, text_of, Game, Input};

fn main() {
    let mut input = Input::open(std::env::var("PALESTRA_PACKETS").ok());
    let mut game = Game::default();
    game.read_start(&mut input);
    while game.read_turn(&mut input) {
        send(&text_of(&bot::choose(&game)));
    }
}
