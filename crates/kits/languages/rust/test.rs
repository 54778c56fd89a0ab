//! Lets the bot answer every turn of the match in packets.txt.
use crate::bot::choose;
use crate::protocol::{text_of, Game, Input};

#[test]
fn every_turn_is_answered() {
    let mut input = Input::open(Some("packets.txt".to_owned()));
    let mut game = Game::default();
    game.read_start(&mut input);
    let mut turns = 0;
    while game.read_turn(&mut input) {
        turns += 1;
        assert!(text_of(&choose(&game)).ends_with('\n'), "turn {turns}");
    }
    assert_eq!(turns, {{ turns }});
}
