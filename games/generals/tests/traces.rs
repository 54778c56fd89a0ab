//! Recorded games of an independent implementation, replayed byte by byte.

use flate2::read::GzDecoder;
use palestra_core::{AnyGame, Fault, Parsed, PlanRequest, Seat};
use palestra_generals::Generals;
use serde_json::Value;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

#[test]
fn every_recorded_game_is_played_to_the_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "the recorded games are part of the repository");
    for path in paths {
        replay(&path);
    }
}

fn replay(path: &Path) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut text = String::new();
    let file = fs::read(path).unwrap();
    GzDecoder::new(&file[..]).read_to_string(&mut text).unwrap();
    let record: Value = serde_json::from_str(&text).unwrap();
    let settings = record["settings"].as_object().unwrap().iter();
    let changes: Vec<(String, String)> =
        settings.map(|(key, value)| (key.clone(), value.to_string())).collect();
    let players = record["players"].as_array().unwrap();
    let request =
        PlanRequest { changes: &changes, map: record["map"].as_str(), players: players.len() as u8, seed: 1 };
    let plan = Generals.plan(&request).unwrap();
    assert_eq!(usize::from(plan.seats), players.len());
    let mut table = Generals.open(&plan).unwrap();

    let mut taken = vec![0; players.len()];
    let mut dismissed = vec![false; players.len()];
    let mut turn = 0;
    while let Some(seat) = table.to_move() {
        turn += 1;
        let number = taken[seat.index()];
        let place = format!("{name}, seat {seat}, its turn {}", number + 1);
        let pair = &players[seat.index()]["turns"][number];
        let (sent, answer) = (pair[0].as_str().expect(&place), pair[1].as_str().unwrap());
        let mut bytes = Vec::new();
        if number == 0 {
            table.hello(seat, &mut bytes);
        }
        table.ask(seat, &mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), sent, "{place}");
        match table.parse(seat, answer.as_bytes()) {
            Parsed::Done { used } => {
                assert_eq!(used, answer.len(), "{place}");
                table.apply(seat, turn);
            }
            Parsed::Malformed { why } => {
                table.fault(seat, turn, &Fault::malformed(why, answer.as_bytes()));
            }
            Parsed::NeedMore => panic!("{place}: \"{answer}\" is no whole answer"),
        }
        taken[seat.index()] += 1;
        for (index, player) in players.iter().enumerate() {
            let mut goodbye = Vec::new();
            if !dismissed[index] && table.dismissal(Seat::at(index), &mut goodbye) {
                dismissed[index] = true;
                let tail = player["tail"].as_str().unwrap();
                if !tail.is_empty() {
                    assert_eq!(String::from_utf8(goodbye).unwrap(), tail, "{name}, seat {}", index + 1);
                }
                assert_eq!(
                    taken[index],
                    player["turns"].as_array().unwrap().len(),
                    "{name}: seat {} has had all its turns",
                    index + 1
                );
            }
        }
    }
    assert!(dismissed.iter().all(|done| *done), "{name}");

    let result = &record["result"];
    let outcome = table.outcome().unwrap();
    let winner = outcome.winner.map(|seat| u64::from(seat.number()));
    assert_eq!(winner, result["winner"].as_u64(), "{name}");
    let left: Vec<u64> = outcome
        .placings
        .iter()
        .enumerate()
        .filter(|(_, placing)| placing.fate == palestra_core::Fate::Alive)
        .map(|(index, _)| index as u64 + 1)
        .collect();
    let recorded_left: Vec<u64> =
        result["left"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert_eq!(left, recorded_left, "{name}");
    assert_eq!(Some(u64::from(table.rounds())), result["rounds"].as_u64(), "{name}");
}
