//! Recorded games of independent implementations: given the same map, settings and answers, every seat must be sent
//! exactly the recorded bytes.

use flate2::read::GzDecoder;
use palestra_core::{AnyGame, AnyState, Fault, Parsed, PlanRequest, Seat};
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

/// Replays every recorded game of the game in this folder, and hands its name, its `result` and the end it came to
/// here to `compare`.
pub fn replay_traces(game: &dyn AnyGame, folder: &str, compare: impl Fn(&str, &Value, &dyn AnyState)) {
    let mut files: Vec<_> = fs::read_dir(Path::new(folder).join("tests/traces"))
        .expect("a folder of recorded games")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "gz"))
        .collect();
    files.sort();
    assert!(files.len() >= 5, "there are recorded games");
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let recorded: Value =
            serde_json::from_reader(GzDecoder::new(File::open(&file).expect("a readable file")))
                .expect("JSON");
        let table = replay(game, &name, &recorded);
        compare(&name, &recorded["result"], &*table);
    }
}

fn replay(game: &dyn AnyGame, name: &str, recorded: &Value) -> Box<dyn AnyState> {
    let players = recorded["players"].as_array().expect("players");
    let changes: Vec<(String, String)> = recorded["settings"]
        .as_object()
        .expect("settings")
        .iter()
        .map(|(key, value)| (key.clone(), value.to_string()))
        .collect();
    let request = PlanRequest {
        changes: &changes,
        map: recorded["map"].as_str(),
        players: players.len() as u8,
        seed: 0,
    };
    let plan = game.plan(&request).expect("a sound record");
    let mut table = game.open(&plan).expect("a sound record");
    let mut next = vec![0; players.len()];
    let mut farewell = vec![Vec::new(); players.len()];
    let mut turn = 0;
    while let Some(seat) = table.to_move() {
        turn += 1;
        let own = next[seat.index()];
        next[seat.index()] += 1;
        let entry = &players[seat.index()]["turns"][own];
        let (Some(sent), Some(answer)) = (entry[0].as_str(), entry[1].as_str()) else {
            panic!("{name}: seat {seat} is asked once more than recorded, in turn {turn}");
        };
        let mut bytes = Vec::new();
        if own == 0 {
            table.hello(seat, &mut bytes);
        }
        table.ask(seat, &mut bytes);
        assert_eq!(String::from_utf8_lossy(&bytes), sent, "{name}: turn {turn}, seat {seat}");
        match table.parse(seat, answer.as_bytes()) {
            Parsed::Done { used } => {
                assert_eq!(used, answer.len(), "{name}: turn {turn}, the whole answer is read");
                table.apply(seat, turn);
            }
            Parsed::Malformed { why } => table.fault(seat, turn, &Fault::malformed(why, answer.as_bytes())),
            Parsed::NeedMore => panic!("{name}: turn {turn}: {answer:?} is no whole answer"),
        }
        for seat in Seat::all(plan.seats) {
            if farewell[seat.index()].is_empty() {
                table.dismissal(seat, &mut farewell[seat.index()]);
            }
        }
    }
    for (index, player) in players.iter().enumerate() {
        let turns = player["turns"].as_array().expect("turns").len();
        assert_eq!(next[index], turns, "{name}: seat {} is asked as often as recorded", index + 1);
        // Some records leave the goodbye of survivors out.
        let tail = player["tail"].as_str().expect("a tail");
        if !tail.is_empty() {
            assert_eq!(String::from_utf8_lossy(&farewell[index]), tail, "{name}: seat {}", index + 1);
        }
    }
    table
}
