//! Recorded games through the real runner: one replaying bot per seat checks every byte it is sent.

use crate::support::{json, project};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;
use tempfile::tempdir;

fn replay_all(game: &str) {
    let folder = project().join("games").join(game).join("tests/traces");
    let mut traces: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    traces.retain(|path| path.extension().is_some_and(|ending| ending == "gz"));
    traces.sort();
    assert!(traces.len() >= 5, "{game} has recorded games");
    for trace in traces {
        replay_one(game, &trace);
    }
}

fn replay_one(game: &str, trace: &Path) {
    let recorded: Value = serde_json::from_reader(GzDecoder::new(File::open(trace).unwrap())).unwrap();
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("map.txt"), recorded["map"].as_str().unwrap()).unwrap();
    let replayer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/replayer.py");
    let seats = recorded["players"].as_array().unwrap().len();
    let bots: Vec<String> = (1..=seats)
        .map(|seat| format!("python3 '{}' '{}' {seat} verdict-{seat}", replayer.display(), trace.display()))
        .collect();
    let settings: Vec<String> = recorded["settings"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, value)| format!("--set={key}={value}"))
        .collect();
    let mut arguments = vec!["play", game];
    arguments.extend(bots.iter().map(String::as_str));
    arguments.extend(["--map", "map.txt", "--json", "--time", "60s", "--replay", "game.replay"]);
    arguments.extend(settings.iter().map(String::as_str));
    let report = json(dir.path(), &arguments);
    for seat in 1..=seats {
        let verdict = fs::read_to_string(dir.path().join(format!("verdict-{seat}"))).unwrap();
        assert_eq!(verdict.trim(), "ok", "{}, seat {seat}", trace.display());
    }
    let winner = recorded["result"]["winner"].as_i64().filter(|winner| *winner > 0);
    assert_eq!(report["winner"].as_i64(), winner, "{}", trace.display());
    json(dir.path(), &["replay", "verify", "game.replay", "--json"]);
}

#[test]
fn recorded_games_of_generals() {
    replay_all("generals");
}

#[test]
fn recorded_games_of_auralux() {
    replay_all("auralux");
}
