//! A knockout in which everybody is equal: who plays on, who goes on, and what is said about it.

use super::{SLOW, assert_sound, finished, fresh_folder, good, log, report, signal, start, told, until};
use palestra_league::event::Event;
use rustix::process::Signal;
use serde_json::json;
use std::fs;

/// Bots that do nothing, and so never win.
fn cup(deciders: u32) -> String {
    format!(
        "name = \"Equals\"\ngame = \"generals\"\nseed = 5\n[settings]\nmap_rows = 8\nmap_columns = 8\nmax_turns = 40\n\
         [bots]\na = \"rest\"\nb = \"rest\"\nc = \"rest\"\nd = \"rest\"\n\
         [[stage]]\nname = \"cup\"\nformat = \"knockout\"\nthird_place = true\ndeciders = {deciders}\n"
    )
}

#[test]
fn the_end_names_who_won_and_what_decided_each_duel() {
    let dir = fresh_folder();
    fs::write(dir.path().join("cup.toml"), cup(1)).unwrap();
    let said = good(dir.path(), &["tournament", "cup.toml", "--parallel", "1", "-q"]);
    let again = good(dir.path(), &["tournament", "standings", "--dir", "cup"]);
    let rule = "equal after 2 further matches, the better seed goes on";
    for text in [said, again] {
        for line in [
            format!("  semi-final: a beat d, 1 : 1; {rule} (1 before 4)\n"),
            format!("  final: a beat b, 1 : 1; {rule} (1 before 2)\n"),
            format!("  third place: c beat d, 1 : 1; {rule} (3 before 4)\n"),
            "winner: a\n".to_owned(),
        ] {
            assert!(text.contains(&line), "{line}: {text}");
        }
    }
    let places: Vec<_> = report(&dir.path().join("cup"))["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["place"].clone(), line["bot"].clone()))
        .collect();
    assert_eq!(places, [0, 1, 2, 3].map(|bot| (json!(bot + 1), json!(bot))), "the table follows the bracket");
}

#[test]
fn killed_in_the_middle_of_deciders_it_ends_like_one_that_was_left_alone() {
    const DECIDERS: u64 = 12;
    let dir = fresh_folder();
    fs::write(dir.path().join("slow.py"), SLOW).unwrap();
    let cup = format!(
        "name = \"Equals\"\ngame = \"auralux\"\nseed = 5\nsandbox = \"off\"\n[settings]\nmax_steps = 5\n\
         [bots]\na = \"slow.py\"\nb = \"slow.py\"\n\
         [[stage]]\nname = \"cup\"\nformat = \"knockout\"\ndeciders = {DECIDERS}\n"
    );
    fs::write(dir.path().join("cup.toml"), cup).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "--dir", "alone", "--parallel", "1", "-q"]);
    let alone = report(&dir.path().join("alone"));
    assert_eq!(alone["progress"]["finished"], 2 + 2 * DECIDERS);
    let arguments = ["tournament", "cup.toml", "--dir", "killed", "--parallel", "2", "-q"];
    let folder = dir.path().join("killed");
    for kills in 1..=4 {
        let mut child = start(dir.path(), &arguments);
        // The planned matches are the first two.
        until("a decider is played", || finished(&folder).len() > 2 * kills);
        signal(&child, Signal::KILL);
        child.wait().unwrap();
        assert!(finished(&folder).len() < 2 + 2 * DECIDERS as usize, "it was killed before its end");
    }
    told(&start(dir.path(), &arguments).wait_with_output().unwrap(), 0);
    assert_eq!(report(&folder), alone);
    assert_sound(dir.path(), &folder);
    // The round is drawn once, and once more for every decider in it: no start has drawn anything again.
    let drawn = log(&folder).into_iter().filter(|event| matches!(event, Event::Drawn { .. })).count();
    assert_eq!(drawn as u64, 1 + DECIDERS);
}
