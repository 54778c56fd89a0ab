//! A log that is lost or damaged is never taken for a new tournament, and what replays tell is had back.

use super::{assert_sound, finished, fresh_folder, good, report, signal, start, until, with_code};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const CUP: &str = "game = \"generals\"\nseed = 11\ngenerate = 2\n\n[settings]\nmap_rows = 8\nmap_columns = 8\n\
max_turns = 40\n\n[bots]\na = \"hunter\"\nb = \"greedy\"\nc = \"random\"\nd = \"rest\"\n\n[[stage]]\n\
name = \"first\"\nseatings = \"rotations\"\n\n[[stage]]\nname = \"second\"\nformat = \"swiss\"\nrounds = 3\n\
carry = true\n";

fn played(dir: &Path) -> Value {
    fs::write(dir.join("cup.toml"), CUP).unwrap();
    good(dir, &["tournament", "cup.toml", "-q"]);
    without_times(report(&dir.join("cup")))
}

fn without_times(mut report: Value) -> Value {
    report["progress"]["tainted"] = Value::Null;
    report
}

fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.filter(|name| name.starts_with("tournament.db")).collect();
    names.sort();
    names
}

#[test]
fn a_tournament_that_is_over_is_one_file() {
    let dir = fresh_folder();
    played(dir.path());
    assert_eq!(names(&dir.path().join("cup")), ["tournament.db"]);
    good(dir.path(), &["tournament", "status"]);
    good(dir.path(), &["tournament", "void", "1"]);
    assert_eq!(names(&dir.path().join("cup")), ["tournament.db"]);
}

#[test]
fn without_its_log_nothing_is_begun_and_its_replays_give_it_back() {
    let dir = fresh_folder();
    let before = played(dir.path());
    let folder = dir.path().join("cup");
    let log = folder.join("tournament.db");
    let whole = fs::read(&log).unwrap();
    let matches = finished(&folder).len();
    for broken in [None, Some(&[][..]), Some(&whole[..whole.len() / 2])] {
        match broken {
            None => fs::remove_file(&log).unwrap(),
            Some(bytes) => fs::write(&log, bytes).unwrap(),
        }
        for arguments in
            [&["cup.toml", "-q"][..], &["cup", "-q"], &["status"], &["standings"], &["void", "1"]]
        {
            let (_, said) = with_code(dir.path(), &[&["tournament"], arguments].concat(), 3);
            assert!(said.contains("recover --dir"), "{arguments:?}: {said}");
        }
        assert_eq!(fs::read(&log).ok().as_deref(), broken, "nothing was touched");
        let (_, said) = with_code(dir.path(), &["tournament", "standings", "--dir", "cup"], 3);
        assert!(
            said.contains("damaged") || said.contains("replays, tournament.json, report.html are there"),
            "{said}"
        );
        good(dir.path(), &["tournament", "recover", "cup.toml"]);
        assert_eq!(finished(&folder).len(), matches);
        let after = good(dir.path(), &["tournament", "cup.toml", "-q"]);
        assert!(!after.is_empty());
        assert_eq!(finished(&folder).len(), matches, "nothing is played again");
        assert_eq!(without_times(report(&folder)), before);
        assert_sound(dir.path(), &folder);
    }
    let said = good(dir.path(), &["tournament", "recover", "--dir", "cup"]);
    assert!(said.contains("the log of cup is whole"), "{said}");
}

#[test]
fn what_was_played_last_is_had_back_from_the_replays() {
    let dir = fresh_folder();
    fs::write(
        dir.path().join("cup.toml"),
        CUP.replace("[[stage]]", "[[stage]]\nrepeats = 40").replacen("max_turns = 40", "max_turns = 200", 1),
    )
    .unwrap();
    let folder = dir.path().join("cup");
    let child = start(dir.path(), &["tournament", "cup.toml", "-q"]);
    until("something was played", || finished(&folder).len() > 20);
    signal(&child, Signal::KILL);
    child.wait_with_output().unwrap();
    let before = finished(&folder).len();
    let _ = fs::remove_file(folder.join("tournament.db-shm"));
    fs::remove_file(folder.join("tournament.db-wal")).unwrap();
    for arguments in [&["cup.toml", "-q"][..], &["status"]] {
        let (_, said) = with_code(dir.path(), &[&["tournament"], arguments].concat(), 3);
        assert!(said.contains("tournament.db-wal, with what was played last, is missing"), "{said}");
    }
    // The plan may be gone with the rest of the log.
    let arguments: &[&str] = match with_recover(dir.path(), &["tournament", "recover", "--dir", "cup"]) {
        true => &[],
        false => &["tournament", "recover", "cup.toml"],
    };
    if !arguments.is_empty() {
        good(dir.path(), arguments);
    }
    assert!(finished(&folder).len() >= before, "{} of {before}", finished(&folder).len());
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    assert_eq!(report(&folder)["over"], true);
    assert_sound(dir.path(), &folder);
}

/// Whether this went well.
fn with_recover(dir: &Path, arguments: &[&str]) -> bool {
    let output = crate::support::run(dir, arguments);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

#[test]
fn a_tournament_on_a_disk_that_cannot_be_written_is_looked_at() {
    let dir = fresh_folder();
    let disk = dir.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| {
        let done = Command::new("mount").args(arguments).arg(&disk).output();
        done.is_ok_and(|output| output.status.success())
    };
    // Only root may mount; everybody else does without this test.
    if !mount(&["-t", "tmpfs", "none"]) {
        return;
    }
    fs::write(dir.path().join("cup.toml"), CUP).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "--dir", "disk/cup", "-q"]);
    assert!(mount(&["-o", "remount,ro"]));
    let said = good(dir.path(), &["tournament", "standings", "--dir", "disk/cup"]);
    good(dir.path(), &["tournament", "matches", "--dir", "disk/cup"]);
    good(dir.path(), &["tournament", "replay", "1", "--dir", "disk/cup", "-o", "first.replay"]);
    let done = Command::new("umount").arg(&disk).status();
    assert!(said.contains('a') && done.unwrap().success());
}

#[test]
fn a_folder_that_was_left_before_anything_was_opened_says_so() {
    let dir = fresh_folder();
    let folder = dir.path().join("cup");
    drop(palestra_league::store::Store::open(&folder).unwrap());
    for arguments in [["tournament", "status"], ["tournament", "standings"], ["ladder", "standings"]] {
        let (_, said) = with_code(dir.path(), &arguments, 2);
        assert!(said.contains("was stopped before it was opened; begin again"), "{said}");
    }
    played(dir.path());
}
