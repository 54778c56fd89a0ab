//! Recorded games, byte for byte; see `palestra_testkit::replay_traces`.

use palestra_core::Fate;
use palestra_generals::Generals;
use palestra_testkit::replay_traces;
use serde_json::Value;

#[test]
fn recorded_games_are_played_byte_for_byte() {
    replay_traces(&Generals, env!("CARGO_MANIFEST_DIR"), |name, result, table| {
        let outcome = table.outcome().unwrap();
        let winner = outcome.winner.map(|seat| u64::from(seat.number()));
        assert_eq!(winner, result["winner"].as_u64(), "{name}");
        let left: Vec<u64> = (1..)
            .zip(&outcome.placings)
            .filter(|(_, placing)| placing.fate == Fate::Alive)
            .map(|(seat, _)| seat)
            .collect();
        let recorded: Vec<u64> =
            result["left"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        assert_eq!(left, recorded, "{name}");
        assert_eq!(Some(u64::from(table.rounds())), result["rounds"].as_u64(), "{name}");
    });
}
