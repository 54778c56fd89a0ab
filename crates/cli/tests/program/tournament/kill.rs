//! Kill -9 at any moment costs nothing but the matches that were being played.

use super::{assert_sound, finished, fresh_folder, good, report, signal, start, told, until};
use palestra_core::Rng;
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

const KILLS: u32 = 100;

/// Groups, then Swiss, then a knockout.
const CUP: &str = r#"
name = "Stages"
game = "generals"
seed = 5
generate = 2

[settings]
map_rows = 8
map_columns = 8
max_turns = 40

[bots]
a = "hunter"
b = "greedy"
c = "random"
d = "rest"
e = "greedy"
f = "hunter"
g = "random"
h = "greedy"

[[stage]]
name = "groups"
groups = 2
cycles = 30

[[stage]]
name = "middle"
format = "swiss"
rounds = 4
take = 6
carry = true
tie_breaks = ["buchholz", "elo"]

[[stage]]
name = "final"
format = "double-knockout"
take = 4
"#;

#[test]
fn killed_a_hundred_times_it_ends_like_one_that_was_left_alone() {
    let dir = fresh_folder();
    fs::write(dir.path().join("cup.toml"), CUP).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "--dir", "alone", "--parallel", "1", "-q"]);
    let alone = report(&dir.path().join("alone"));
    assert_sound(dir.path(), &dir.path().join("alone"));
    let mut rng = Rng::new(6);
    let (mut kills, mut points) = (0, BTreeSet::new());
    // On a fast machine one tournament does not last for so many.
    for tournament in 0.. {
        let name = format!("killed-{tournament}");
        let arguments = ["tournament", "cup.toml", "--dir", &name, "--parallel", "2", "-q"];
        let folder = dir.path().join(&name);
        while kills < KILLS {
            let before = finished(&folder).len();
            let mut child = start(dir.path(), &arguments);
            sleep(Duration::from_millis(rng.between(5, 250).into()));
            // On a busy machine nothing may have happened yet: some kills wait until something has.
            while kills % 4 == 0 && child.try_wait().unwrap().is_none() && finished(&folder).len() == before {
                sleep(Duration::from_millis(5));
            }
            if child.try_wait().unwrap().is_some() {
                break;
            }
            signal(&child, Signal::KILL);
            child.wait().unwrap();
            kills += 1;
            points.insert(finished(&folder).len());
        }
        told(&start(dir.path(), &arguments).wait_with_output().unwrap(), 0);
        assert_eq!(report(&folder), alone);
        assert_sound(dir.path(), &folder);
        // Once over, it stays so.
        let before = finished(&folder).len();
        good(dir.path(), &arguments);
        assert_eq!(finished(&folder).len(), before);
        if kills == KILLS {
            break;
        }
    }
    assert!(points.len() > 5, "killed at different points: {points:?}");
}

/// A bot of Auralux that leaves a child behind which has left its group.
const PARENT: &str = "import os, subprocess, time
child = subprocess.Popen(['sleep', '1000'], start_new_session=True)
with open('PIDS', 'a') as pids:
    pids.write(f'{child.pid}\\n')
while os.read(0, 65536):
    time.sleep(0.05)
    os.write(1, b'0\\n')
";

#[test]
fn what_bots_of_a_killed_tournament_left_behind_ends_with_the_next_start() {
    let dir = fresh_folder();
    let pids = dir.path().join("pids");
    fs::write(dir.path().join("parent.py"), PARENT.replace("PIDS", pids.to_str().unwrap())).unwrap();
    let arguments =
        ["tournament", "auralux", "parent.py", "afk", "--sandbox", "off", "--set", "max_steps=200", "-q"];
    let mut child = start(dir.path(), &arguments);
    let folder = dir.path().join("auralux-cup");
    // Those it was tried out with have been ended by the one who tried.
    until("a match goes on", || folder.join("replays").exists() && alive(&pids) > 0);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    assert!(alive(&pids) > 0, "nobody has ended it yet");
    let said =
        good_with_remarks(dir.path(), &["play", "auralux", "afk", "afk", "--set", "max_steps=2", "-q"]);
    assert!(said.contains("of bots whose palestra had been killed"), "{said}");
    until("all of them have ended", || alive(&pids) == 0);
}

fn good_with_remarks(dir: &std::path::Path, arguments: &[&str]) -> String {
    super::with_code(dir, arguments, 0).1
}

/// How many of the processes whose numbers are in this file sleep on.
fn alive(pids: &std::path::Path) -> usize {
    let text = fs::read_to_string(pids).unwrap_or_default();
    let sleeps = |pid: &&str| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.contains("(sleep)") && !stat.contains(") Z ")
    };
    text.lines().filter(sleeps).count()
}
