//! `palestra bench arena`, with a small crowd: every part measures something, and nothing is left behind. `palestra bench
//! players`: every level against the one below, the same every time.

use crate::support::{fails, json, palestra, processes_with};
use serde_json::Value;

#[test]
fn an_arena_is_put_under_load() {
    let dir = tempfile::tempdir().unwrap();
    let small = ["--clients", "12", "--idle", "30", "--watchers", "5", "--matches", "3000", "--seconds", "2"];
    let output = palestra(dir.path())
        .env("TMPDIR", dir.path())
        .args(["bench", "arena", "--json"])
        .args(small)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = |words: &str| {
        let rows = measured["rows"].as_array().unwrap();
        let found = rows.iter().find(|row| row["what"].as_str().unwrap().contains(words));
        found.unwrap_or_else(|| panic!("no row {words}: {rows:#?}"))
    };
    // Everybody was there and played. How many matches were seen at one moment is up to the machine.
    let crowd = row("answers called late");
    assert!(crowd["what"].as_str().unwrap().starts_with("12 clients in "), "{crowd}");
    assert_ne!(crowd["against"], "0 answers, 0 a second");
    assert!(row("the arena's own share of a turn")["ratio"].as_f64().unwrap() > 0.0);
    assert!(row("30 clients connected")["ratio"].as_f64().unwrap() > 0.0);
    let watched = row("a match that 5 pages look at");
    assert!(!watched["what"].as_str().unwrap().contains(" 0 pieces"), "{watched}");
    assert!(watched["ratio"].as_f64().unwrap() > 0.0);
    for page in ["the start page", "matches somewhere in the middle", "a bot with its chart"] {
        assert!(row(&format!("3,000 matches stored: {page}"))["ratio"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "its folders are gone");
    assert_eq!(processes_with(&dir.path().display().to_string()), [0; 0], "its arenas are gone");
}

#[test]
fn more_clients_than_there_can_be_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let told = fails(dir.path(), &["bench", "arena", "idle", "--idle", "100000"], 2);
    assert!(told.contains("100000 is not in 1..=18000"), "{told}");
    let limited = format!("ulimit -n 50; exec {} bench arena crowd --clients 40", crate::support::PALESTRA);
    let output = std::process::Command::new("sh").args(["-c", &limited]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("raise that with ulimit -n"), "{told}");
}

#[test]
fn every_level_is_played_against_the_one_below() {
    let dir = tempfile::tempdir().unwrap();
    let measure = || json(dir.path(), &["bench", "players", "rps", "--games", "4", "--json"]);
    let measured = measure();
    let rows = measured["rows"].as_array().unwrap();
    assert!(rows.len() >= 4, "{rows:#?}");
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row["level"], index as u64 + 2);
        assert_eq!(row["games"], 4);
        let count = |key: &str| row[key].as_u64().unwrap();
        assert_eq!(count("won") + count("drawn") + count("lost"), 4);
    }
    assert_eq!(measure(), measured, "the seed decides everything");
    let told = fails(dir.path(), &["bench", "players", "chess"], 2);
    assert!(told.contains("there is no game \"chess\""), "{told}");
}
