//! A game is a folder and a line in the list. A fifth one, which only a build with the feature `connect4` has, can do all that
//! the other four can; the kit of `conformance.rs` plays it in such a build, too.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(dir: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(arguments)
        .current_dir(dir)
        .env("PALESTRA_CACHE", dir.join("cache"))
        .env("PALESTRA_STATE", dir.join("state"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("palestra runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(dir: &Path, arguments: &[&str]) -> String {
    String::from_utf8(run(dir, arguments).stdout).expect("text")
}

fn json(dir: &Path, arguments: &[&str]) -> Value {
    serde_json::from_slice(&run(dir, arguments).stdout).expect("exactly one JSON object")
}

/// Takes the first column whose top cell is empty.
const BOT: &str = "#!/bin/sh
read rows columns line id
while read more && [ \"$more\" = 1 ]; do
  row=0
  while [ $row -lt $rows ]; do read cells; row=$((row + 1)); done
  column=1
  while [ \"${cells#0}\" = \"$cells\" ]; do cells=${cells#?}; column=$((column + 1)); done
  echo $column
done
";

#[test]
fn the_fifth_game_is_listed_with_its_players_maps_and_rules() {
    let dir = tempfile::tempdir().unwrap();
    let games = json(dir.path(), &["games", "--json"]);
    let game = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .find(|game| game["id"] == "connect4")
        .expect("it is listed");
    assert_eq!(game["title"], "Connect Four");
    assert!(text(dir.path(), &["games"]).contains("connect4"));
    assert!(text(dir.path(), &["games", "connect4"]).contains("greedy"));
    assert_eq!(text(dir.path(), &["map", "connect4", "5", "9"]), "grid 5 9\n");
}

#[test]
fn the_fifth_game_is_played_by_programs_and_its_replay_holds() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bot.sh"), BOT).unwrap();
    let report = json(dir.path(), &["play", "connect4", "sh bot.sh", "first", "--seed", "3", "--json"]);
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(0), "{report}");
    let replay = "replays/connect4-3.replay";
    assert!(text(dir.path(), &["replay", "verify", replay]).contains("holds"));
    let info = json(dir.path(), &["replay", "info", replay, "--json"]);
    assert_eq!(info["game"], "connect4", "{info}");
    let frames = text(dir.path(), &["replay", "frames", replay]);
    assert!(frames.lines().count() > 7 && frames.contains("\"discs\":3"), "{frames}");
    run(dir.path(), &["check", "connect4", "sh bot.sh"]);
}

#[test]
fn the_fifth_game_has_a_course_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let course = json(dir.path(), &["learn", "connect4", "--json"]);
    assert_eq!(course["steps"][0]["name"], "line", "{course}");
    let passed = text(dir.path(), &["learn", "connect4", "--bot", "greedy", "--language", "hu"]);
    assert!(passed.contains("Rakj ki egy sort") && passed.contains("Sikerült!"), "{passed}");
    assert_eq!(json(dir.path(), &["learn", "connect4", "--json"])["next"], 2);
}

#[test]
fn the_league_ranks_players_of_the_fifth_game() {
    let dir = tempfile::tempdir().unwrap();
    let table = text(dir.path(), &["tournament", "connect4", "first", "random", "greedy", "--seed", "5"]);
    assert!(dir.path().join("connect4-cup").is_dir(), "{table}");
    let first =
        table.lines().find(|line| ["first", "random", "greedy"].iter().any(|name| line.contains(name)));
    assert!(first.is_some_and(|line| line.contains("greedy")), "{table}");
}
