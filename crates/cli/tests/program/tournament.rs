//! Tournaments, duels and ladders through the real program: killed, stopped, corrected, and with bots that misbehave.

mod admin;
mod bad_input;
mod changed;
mod decider;
mod duel;
mod former;
mod kill;
mod ladder;
mod legacy;
mod lost;
mod samples;
pub(crate) mod trouble;

use crate::support::{palestra, run};
use palestra_league::bundle;
use palestra_league::event::{Event, Finished};
use palestra_league::store::Store;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Nothing here takes as long as this unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A bot of Auralux that passes, and takes its time.
const SLOW: &str =
    "import os, time\nwhile os.read(0, 65536):\n    time.sleep(0.02)\n    os.write(1, b'0\\n')\n";

/// A bot of Auralux that takes its file away when it is started for the `last` time.
fn vanishing_bot(last: u32) -> String {
    format!(
        "#!/usr/bin/env python3
import os
here = os.path.abspath(__file__)
with open(here + '.starts', 'a') as starts:
    starts.write('x')
    count = starts.tell()
if count == {last}:
    os.rename(here, here + '.away')
while os.read(0, 65536):
    os.write(1, b'0\\n')
"
    )
}

/// A folder of its own for a test; in memory where there is such a place, because every result is written through to the
/// disk, and disks may be busy.
fn fresh_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// Starts the program and does not wait for it.
fn start(dir: &Path, arguments: &[&str]) -> Child {
    let mut command = palestra(dir);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("palestra starts")
}

fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    kill_process(pid, signal).expect("it is there");
}

/// Runs it and expects success.
#[track_caller]
fn good(dir: &Path, arguments: &[&str]) -> String {
    with_code(dir, arguments, 0).0
}

/// Runs it, expects this exit code, and gives what it printed and what it remarked.
#[track_caller]
fn with_code(dir: &Path, arguments: &[&str], code: i32) -> (String, String) {
    told(&run(dir, arguments), code)
}

#[track_caller]
fn told(output: &Output, code: i32) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    (stdout, stderr)
}

/// Waits until something is so.
#[track_caller]
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Everything in a folder's log.
fn log(folder: &Path) -> Vec<Event> {
    let mut events = Vec::new();
    Store::look(folder).expect("a log").since(0, |_, event| events.push(event)).expect("it can be read");
    events
}

/// Matches in a folder's log that were played; none while there is no log.
fn finished(folder: &Path) -> Vec<Finished> {
    let mut list = Vec::new();
    if let Ok(mut store) = Store::look(folder) {
        // The table may not be there yet.
        let _ = store.since(0, |_, event| {
            if let Event::Finished(finished) = event {
                list.push(finished);
            }
        });
    }
    list
}

/// The report of a tournament that is over.
fn report(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("tournament.json")).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

/// Everything that is said about the log and its replays holds.
fn assert_sound(dir: &Path, folder: &Path) {
    let mut numbers = BTreeSet::new();
    let unpacked = fresh_folder();
    let mut files = Vec::new();
    for event in log(folder) {
        let stored = match event {
            Event::Finished(finished) => {
                assert!(numbers.insert(finished.number), "match {} was counted twice", finished.number);
                finished.replay
            }
            Event::Tainted(tainted) => tainted.replay,
            _ => continue,
        };
        let stored = stored.expect("every match has a replay");
        let bytes =
            bundle::read(folder, &stored).expect("the replay is there, and is the one that was stored");
        let file = unpacked.path().join(format!("{}.replay", files.len()));
        fs::write(&file, bytes).unwrap();
        files.push(file.display().to_string());
    }
    assert!(!files.is_empty());
    let arguments: Vec<&str> =
        ["replay", "verify"].into_iter().chain(files.iter().map(String::as_str)).collect();
    good(dir, &arguments);
    let mut sqlite = std::process::Command::new("sqlite3");
    // Not every machine has it.
    if let Ok(output) = sqlite.arg(folder.join("tournament.db")).arg("PRAGMA integrity_check").output() {
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "ok");
    }
}
