//! Recorded games of an independent implementation: the same answers must bring the same bytes to every player.
//!
//! The records leave out what that implementation does otherwise: groups beyond the limit in space, scores, and the
//! exact goodbye.

use palestra_auralux::Auralux;
use palestra_core::{AnyGame, Fate, Fault, Parsed, PlanRequest, Seat};
use serde_json::Value;
use std::io::Read as _;
use std::path::Path;

fn read(path: &Path) -> Value {
    let file = std::fs::read(path).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&file[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn replay(name: &str, record: &Value) {
    let changes: Vec<(String, String)> = record["settings"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, value)| (key.clone(), value.to_string()))
        .collect();
    let players = record["players"].as_array().unwrap();
    let plan = Auralux
        .plan(&PlanRequest {
            changes: &changes,
            map: record["map"].as_str(),
            players: players.len() as u8,
            seed: 0,
        })
        .unwrap();
    let mut table = Auralux.open(&plan).unwrap();
    assert_eq!(usize::from(table.seats()), players.len());

    let mut outboxes: Vec<Vec<u8>> = vec![Vec::new(); players.len()];
    let mut taken = vec![0; players.len()];
    for seat in Seat::all(table.seats()) {
        table.hello(seat, &mut outboxes[seat.index()]);
    }
    let mut turn = 0;
    while let Some(seat) = table.to_move() {
        turn += 1;
        let number = taken[seat.index()];
        let recorded = &players[seat.index()]["turns"][number];
        taken[seat.index()] += 1;
        let outbox = &mut outboxes[seat.index()];
        table.ask(seat, outbox);
        let sent = recorded[0].as_str().unwrap_or_else(|| panic!("player {seat} has no turn {}", number + 1));
        assert_eq!(String::from_utf8_lossy(outbox), sent, "{name}: player {seat}, turn {}", number + 1);
        outbox.clear();
        let answer = recorded[1].as_str().unwrap().as_bytes();
        match table.parse(seat, answer) {
            Parsed::Done { used } => {
                assert_eq!(used, answer.len());
                table.apply(seat, turn);
            }
            Parsed::Malformed { why } => table.fault(seat, turn, &Fault::malformed(why, answer)),
            Parsed::NeedMore => panic!("player {seat}, turn {}: no whole answer", number + 1),
        }
        for (index, outbox) in outboxes.iter_mut().enumerate() {
            let given = table.dismissal(Seat::at(index), outbox);
            assert_eq!(given, table.to_move().is_none());
        }
    }
    let outcome = table.outcome().unwrap();
    let result = &record["result"];
    for (index, player) in players.iter().enumerate() {
        assert_eq!(taken[index], player["turns"].as_array().unwrap().len(), "turns of player {}", index + 1);
        let tail = player["tail"].as_str().unwrap();
        if !tail.is_empty() {
            assert_eq!(String::from_utf8_lossy(&outboxes[index]), tail);
        }
        let listed = |list: &str| result[list].as_array().unwrap().iter().any(|id| id == index + 1);
        let fate = match (listed("disqualified"), listed("dead")) {
            (true, _) => Fate::Disqualified,
            (_, true) => Fate::Out,
            _ => Fate::Alive,
        };
        assert_eq!(outcome.placings[index].fate, fate);
    }
    let winner = outcome.winner.map_or(-1, |seat| i64::from(seat.number()));
    assert_eq!(result["winner"], winner);
    let mut frame = Vec::new();
    table.frame(palestra_core::Eye::Spectator, &mut frame);
    let frame: Value = serde_json::from_slice(&frame).unwrap();
    for (index, ships) in result["ships"].as_array().unwrap().iter().enumerate() {
        assert_eq!(frame["players"][index]["ships"], *ships, "ships of player {}", index + 1);
    }
}

#[test]
fn recorded_games_are_played_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        replay(&path.display().to_string(), &read(&path));
        count += 1;
    }
    assert!(count >= 5, "the records are there");
}
