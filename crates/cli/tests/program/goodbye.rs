//! The last words of a match, as a bot hears them: all of them, when they are due, and with a moment to heed them.

use crate::support::{json, palestra, processes_with};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Writes a bot that is a shell script.
fn script(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("./{name}")
}

/// The levels of the sandbox that this machine has.
fn levels(dir: &Path) -> Vec<&'static str> {
    let here = json(dir, &["doctor", "--json"]);
    let findings = here["findings"].as_array().unwrap();
    let strict = findings.iter().any(|found| found["what"] == "sandbox, namespaces" && found["ok"] == true);
    ["off", "auto", "strict"].into_iter().filter(|level| *level != "strict" || strict).collect()
}

const BOARD: [&str; 6] = ["--set", "max_side=100", "--set", "map_rows=100", "--set", "map_columns=100"];

#[test]
fn who_has_let_its_pipe_fill_still_reads_the_last_word() {
    let dir = tempdir().unwrap();
    // All answers at once; it does not read before the match is over, and then everything.
    let late_reader = script(
        dir.path(),
        "late_reader.sh",
        &format!("printf -- '{}'\nexec tail -n 1 >&2", "-1\\n".repeat(20)),
    );
    for level in levels(dir.path()) {
        // Twenty asks of ten thousand cells: far more than a pipe holds.
        let arguments = ["play", "generals", &late_reader, "rest", "--sandbox", level, "--logs", "logs"];
        let more = ["--set", "max_turns=20", "--json", "--no-replay"];
        let report = json(dir.path(), &[&arguments[..], &BOARD, &more].concat());
        assert_eq!(report["rounds"], 20, "{report:#}");
        let read = fs::read_to_string(dir.path().join("logs/seat-1.stderr.txt")).unwrap_or_default();
        assert!(read.ends_with("\n0\n"), "at {level}: {read:?}");
        fs::remove_dir_all(dir.path().join("logs")).unwrap();
    }
}

#[test]
fn who_is_out_reads_its_last_word_at_once_and_is_gone_before_the_end() {
    let dir = tempdir().unwrap();
    let mark = format!("{}55", std::process::id());
    // It heeds no end: after its last word it sleeps.
    let out = script(
        dir.path(),
        "out.sh",
        &format!(
            "read hello\necho I give up\nwhile read word; do last=$word; done\necho \"$last\" >&2\nexec sleep {mark}"
        ),
    );
    // The next one to move takes much longer than the one that is out may stay.
    let slow = script(dir.path(), "slow.sh", "read hello; read ask\nsleep 6\nexec yes -- -1");
    for level in levels(dir.path()) {
        let mut playing = palestra(dir.path())
            .args(["play", "generals", &out, &slow, "rest", "--sandbox", level, "--logs", "logs"])
            .args(["--time", "60s/answer", "--set", "max_turns=3", "--json", "--no-replay"])
            .args(["--set", "map_rows=5", "--set", "map_columns=5"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        let mut seen = false;
        while !seen || !processes_with(&mark).is_empty() {
            seen |= !processes_with(&mark).is_empty();
            assert!(Instant::now() < deadline, "at {level}: seen: {seen}");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(playing.try_wait().unwrap().is_none(), "at {level} it stayed for as long as the match");
        let output = playing.wait_with_output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["faults"][0]["kind"], &report["rounds"]), (&"malformed".into(), &3.into()));
        let read = fs::read_to_string(dir.path().join("logs/seat-1.stderr.txt")).unwrap_or_default();
        assert_eq!(read, "--- turn 1\n0\n", "at {level}");
        fs::remove_dir_all(dir.path().join("logs")).unwrap();
    }
}
