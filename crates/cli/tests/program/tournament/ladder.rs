//! The ladder through the real program: it goes on, and bots come and go while it runs.

use super::{
    assert_sound, finished, fresh_folder, good, signal, start, told, until, vanishing_bot, with_code,
};
use crate::support::{json, project, zoo};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;

const BEGIN: [&str; 14] = [
    "ladder",
    "generals",
    "hunter",
    "greedy",
    "random",
    "--seed",
    "1",
    "--set",
    "map_rows=8",
    "--set",
    "map_columns=8",
    "--set",
    "max_turns=40",
    "-q",
];

fn names(overview: &Value) -> Vec<String> {
    let bots = overview["bots"].as_array().unwrap();
    let playing = bots.iter().filter(|bot| bot["dropped"] == false);
    playing.map(|bot| format!("{} {}", bot["name"].as_str().unwrap(), bot["version"])).collect()
}

#[test]
fn started_again_it_goes_on() {
    let dir = fresh_folder();
    let folder = dir.path().join("generals-ladder");
    good(dir.path(), &[&BEGIN[..], &["--matches", "12"]].concat());
    assert_eq!(finished(&folder).len(), 12);
    let overview = json(dir.path(), &[&BEGIN[..], &["--matches", "5", "--json"]].concat());
    assert_eq!(finished(&folder).len(), 17);
    assert_eq!(overview["progress"]["finished"], 17);
    let played =
        overview["standings"].as_array().unwrap().iter().map(|line| line["played"].as_u64().unwrap());
    assert_eq!(played.sum::<u64>(), 34, "two in every match");
    assert_sound(dir.path(), &folder);
    let (_, said) = with_code(dir.path(), &["tournament", "status"], 2);
    assert!(said.contains("holds a ladder; use palestra ladder for it"), "{said}");
}

#[test]
fn the_same_seed_brings_the_same_matches_and_ratings() {
    let run = |parallel: &str| {
        let dir = fresh_folder();
        let options = ["--matches", "300", "--time", "100s/answer", "--parallel", parallel, "--json"];
        let overview = json(dir.path(), &[&BEGIN[..], &options].concat());
        let matches: Vec<_> = finished(&dir.path().join("generals-ladder"))
            .into_iter()
            .map(|game| (game.number, game.players, game.map, game.seed, game.places))
            .collect();
        // What was logged says the same as who played it.
        let standings = json(dir.path(), &["ladder", "standings", "--json"]);
        assert_eq!(overview["standings"], standings["standings"]);
        (matches, overview)
    };
    for parallel in ["1", "3"] {
        let once = run(parallel);
        assert_eq!(once.0.len(), 300);
        assert_eq!(once, run(parallel), "{parallel} at a time");
    }
}

#[test]
fn bots_come_and_go_while_it_runs() {
    let dir = fresh_folder();
    let folder = dir.path().join("generals-ladder");
    let child = start(dir.path(), &BEGIN);
    until("something was played", || finished(&folder).len() > 2);
    let (_, said) = with_code(dir.path(), &BEGIN, 3);
    assert!(said.contains("is in use by another palestra"), "{said}");
    good(dir.path(), &["ladder", "add", "fresh", "greedy"]);
    good(dir.path(), &["ladder", "add", "greedy", "hunter"]);
    good(dir.path(), &["ladder", "add", "broken", &zoo("exits_at_once.c")]);
    good(dir.path(), &["ladder", "drop", "random"]);
    // The bots have numbers in the order in which they came.
    let plays =
        |bot: u32| finished(&folder).iter().any(|game| game.players.iter().any(|player| player.0 == bot));
    until("those who joined played", || plays(3) && plays(4));
    let standings = || json(dir.path(), &["ladder", "standings", "--json"]);
    until("who cannot start is out", || !names(&standings()).contains(&"broken 1".to_owned()));
    assert_eq!(names(&standings()), ["hunter 1", "fresh 1", "greedy 2"]);
    signal(&child, Signal::INT);
    told(&child.wait_with_output().unwrap(), 0);
    let before = finished(&folder);
    assert!(before.iter().all(|game| game.players.iter().all(|player| player.0 != 5)), "broken never played");
    good(dir.path(), &["ladder", "generals-ladder", "--matches", "4", "-q"]);
    let after = finished(&folder);
    assert_eq!(after.len(), before.len() + 4);
    assert!(
        after[before.len()..]
            .iter()
            .all(|game| game.players.iter().all(|player| [0, 3, 4].contains(&player.0)))
    );
}

#[test]
fn the_same_command_goes_on_after_a_bot_has_left() {
    let dir = fresh_folder();
    good(dir.path(), &[&BEGIN[..], &["--matches", "3"]].concat());
    good(dir.path(), &["ladder", "drop", "random"]);
    good(dir.path(), &[&BEGIN[..], &["--matches", "3"]].concat());
    let standings = json(dir.path(), &["ladder", "standings", "--json"]);
    assert_eq!(names(&standings), ["hunter 1", "greedy 1"]);
}

#[test]
fn a_bot_whose_file_vanishes_is_set_aside_and_the_others_go_on() {
    let dir = fresh_folder();
    fs::write(dir.path().join("vanishes.py"), vanishing_bot(5)).unwrap();
    let bots =
        ["ladder", "auralux", "vanishes.py", "afk", "admiral", "--set", "max_steps=4", "--parallel", "1"];
    let (_, said) = with_code(dir.path(), &[&bots[..], &["--matches", "60", "-q"]].concat(), 0);
    assert!(said.contains("going on without vanishes.py: "), "{said}");
    let standings = json(dir.path(), &["ladder", "standings", "--json"]);
    assert_eq!(names(&standings), ["afk 1", "admiral 1"]);
    let played = finished(&dir.path().join("auralux-ladder"));
    assert!(played.len() > 30, "the others went on: {}", played.len());
    good(dir.path(), &["ladder", "drop", "afk"]);
    let (_, said) = with_code(dir.path(), &["ladder", "auralux-ladder", "-q"], 4);
    assert!(
        said.contains(
            "a match needs 2 bots, and 1 can play; let others join with palestra ladder add NAME BOT --dir"
        ),
        "{said}"
    );
    let (_, said) = with_code(dir.path(), &["ladder", "rps"], 2);
    assert!(said.contains("a match needs 2 bots, and 0 are named"), "{said}");
    assert!(!dir.path().join("rps-ladder").exists());
}

#[test]
fn a_bot_alone_meets_every_level_and_is_told_its_place() {
    let dir = fresh_folder();
    fs::copy(project().join("games/generals/kits/python/generals.py"), dir.path().join("mine.py")).unwrap();
    let small =
        ["--set", "map_rows=8", "--set", "map_columns=8", "--set", "max_turns=60", "--seed", "1", "-q"];
    let said =
        good(dir.path(), &[&["ladder", "generals", "mine.py", "--matches", "40"][..], &small].concat());
    // Whoever does nothing is beaten, so it stands above a level at least.
    assert!(said.contains("mine.py stands above "), "{said}");
    assert!(said.contains(" (level "), "{said}");
    let standings = json(dir.path(), &["ladder", "standings", "--json"]);
    let levels = ["mine.py 1", "rest 1", "random 1", "greedy 1", "hunter 1", "strategist 1"];
    assert_eq!(names(&standings), levels);
    // Two who are named, and all levels that are not, if they are asked for.
    let two = ["ladder", "generals", "mine.py", "greedy", "--levels", "--dir", "two", "--matches", "1"];
    good(dir.path(), &[&two[..], &small].concat());
    let standings = json(dir.path(), &["ladder", "standings", "--json", "--dir", "two"]);
    assert_eq!(names(&standings).len(), levels.len());
}
