//! Recorded games, byte for byte; see `palestra_testkit::replay_traces`.

use palestra_auralux::Auralux;
use palestra_core::{Eye, Fate};
use palestra_testkit::replay_traces;

#[test]
fn recorded_games_are_played_byte_for_byte() {
    replay_traces(&Auralux, env!("CARGO_MANIFEST_DIR"), |name, result, table| {
        let outcome = table.outcome().unwrap();
        for (number, placing) in (1..).zip(&outcome.placings) {
            let listed = |list: &str| result[list].as_array().unwrap().iter().any(|id| *id == number);
            let fate = match (listed("disqualified"), listed("dead")) {
                (true, _) => Fate::Disqualified,
                (_, true) => Fate::Out,
                _ => Fate::Alive,
            };
            assert_eq!(placing.fate, fate, "{name}, player {number}");
        }
        assert_eq!(result["winner"], outcome.winner.map_or(-1, |seat| i64::from(seat.number())), "{name}");
        let frame = table.frame(Eye::Spectator);
        for (index, ships) in result["ships"].as_array().unwrap().iter().enumerate() {
            assert_eq!(frame["players"][index]["ships"], *ships, "{name}: ships of player {}", index + 1);
        }
    });
}
