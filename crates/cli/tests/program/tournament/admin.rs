//! The organiser's desk: looking on, stopping, correcting, and bots that come and go.

use super::{
    SLOW, assert_sound, finished, fresh_folder, good, log, report, signal, start, told, until, with_code,
};
use crate::support::json;
use palestra_league::event::Event;
use rustix::process::Signal;
use serde_json::{Value, json as object};
use std::fs;
use std::path::Path;

const SLOW_CUP: &str = "game = \"auralux\"\nseed = 3\n\n[settings]\nmax_steps = 10\n\n[bots]\nslow = \"slow.py\"\n\
one = \"afk\"\ntwo = \"aggressive_expansion_nearest\"\nthree = \"upgrade_and_repair_main\"\n\n[[stage]]\ncycles = 2\n";

const SWISS: &str = "game = \"generals\"\nseed = 11\ngenerate = 3\n\n[settings]\nmap_rows = 8\nmap_columns = 8\n\
max_turns = 40\n\n[bots]\na = \"hunter\"\nb = \"greedy\"\nc = \"random\"\nd = \"rest\"\ne = \"greedy\"\n\
f = \"hunter\"\n\n[[stage]]\nformat = \"swiss\"\nrounds = 4\nseatings = \"drawn\"\n";

fn slow_cup(dir: &Path) {
    fs::write(dir.join("slow.py"), SLOW).unwrap();
    fs::write(dir.join("cup.toml"), SLOW_CUP).unwrap();
}

#[test]
fn the_second_on_a_folder_is_refused_and_whoever_reads_is_not() {
    let dir = fresh_folder();
    slow_cup(dir.path());
    let child = start(dir.path(), &["tournament", "cup.toml", "-q"]);
    let folder = dir.path().join("cup");
    until("something was played", || finished(&folder).len() > 1);
    let refusal = "cup is in use by another palestra; stop it first, or wait until it is done";
    let commands: [&[&str]; 7] = [
        &["cup.toml"],
        &["void", "1"],
        &["rerun", "1"],
        &["add-bot", "late", "afk"],
        &["replace-bot", "one", "afk"],
        &["drop-bot", "one"],
        &["cup"],
    ];
    for arguments in commands {
        let arguments = [&["tournament"], arguments].concat();
        let (_, said) = with_code(dir.path(), &arguments, 3);
        assert!(said.contains(refusal), "{arguments:?}: {said}");
    }
    let status = good(dir.path(), &["tournament", "status"]);
    assert!(status.contains(" of 24 matches"), "{status}");
    assert!(good(dir.path(), &["tournament", "standings"]).contains("slow"));
    let matches = json(dir.path(), &["tournament", "matches", "--json"]);
    assert!(matches.as_array().unwrap().len() > 1);
    good(dir.path(), &["tournament", "export"]);
    assert_eq!(report(&folder)["over"], false);
    signal(&child, Signal::INT);
    let (_, said) = told(&child.wait_with_output().unwrap(), 130);
    assert!(said.contains("start the same command again to go on"), "{said}");
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    assert_eq!(report(&folder)["progress"]["finished"], 24);
    assert_sound(dir.path(), &folder);
}

#[test]
fn bots_come_and_go_while_it_is_stopped() {
    let dir = fresh_folder();
    slow_cup(dir.path());
    let child = start(dir.path(), &["tournament", "cup.toml", "-q"]);
    let folder = dir.path().join("cup");
    until("something was played", || !finished(&folder).is_empty());
    signal(&child, Signal::INT);
    told(&child.wait_with_output().unwrap(), 130);
    let before = finished(&folder).len();
    let said = good(dir.path(), &["tournament", "add-bot", "late", "afk"]);
    assert!(said.contains("late takes part from round"), "{said}");
    let (_, said) = with_code(dir.path(), &["tournament", "add-bot", "late", "afk"], 2);
    assert!(said.contains("\"late\" already takes part; choose another name, or use replace-bot"), "{said}");
    let said = good(dir.path(), &["tournament", "replace-bot", "slow", "afk"]);
    assert!(said.contains("slow is afk from the next match on"), "{said}");
    good(dir.path(), &["tournament", "drop-bot", "three", "--why", "ill"]);
    let (_, said) = with_code(dir.path(), &["tournament", "drop-bot", "nobody"], 2);
    assert!(
        said.contains("there is no bot \"nobody\" in the tournament; there are slow, one, two, three, late"),
        "{said}"
    );
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    let end = report(&folder);
    let bot = |name: &str| end["bots"].as_array().unwrap().iter().find(|bot| bot["name"] == name).unwrap();
    assert_eq!((&bot("slow")["version"], &bot("slow")["source"]), (&object!(2), &object!("afk")));
    assert_eq!(bot("three")["dropped"], true);
    let played = |number: u64| {
        end["standings"].as_array().unwrap().iter().find(|line| line["bot"] == number).unwrap()["played"]
            .as_u64()
    };
    assert!(played(4) > Some(0), "who came late played: {end:#}");
    assert!(finished(&folder).len() > before);
    assert_sound(dir.path(), &folder);
}

#[test]
fn whoever_comes_after_the_end_meets_everybody_or_is_told_that_it_is_over() {
    let dir = fresh_folder();
    let cup = "game = \"rps\"\nseed = 5\n[settings]\nsize = 6\nmax_ticks = 20\n[bots]\none = \"random\"\n\
               two = \"random\"\nthree = \"random\"\n";
    fs::write(dir.path().join("cup.toml"), cup).unwrap();
    let folder = dir.path().join("cup");
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    assert_eq!((finished(&folder).len(), &report(&folder)["over"]), (6, &true.into()));
    let said = good(dir.path(), &["tournament", "add-bot", "late", "random"]);
    assert!(said.contains("late takes part from round 4 of"), "{said}");
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    assert_eq!((finished(&folder).len(), &report(&folder)["over"]), (12, &true.into()));
    let standings = report(&folder)["standings"].clone();
    assert!(standings.as_array().unwrap().iter().all(|line| line["played"] == 6), "{standings:#}");
    assert_sound(dir.path(), &folder);

    for (format, why) in
        [("\"swiss\"\nrounds = 2", "nobody can join any more"), ("\"knockout\"", "the knockout began")]
    {
        let dir = fresh_folder();
        let cup = format!("{cup}[[stage]]\nformat = {format}\n");
        fs::write(dir.path().join("cup.toml"), cup).unwrap();
        good(dir.path(), &["tournament", "cup.toml", "-q"]);
        let (_, said) = with_code(dir.path(), &["tournament", "add-bot", "late", "random"], 2);
        assert!(said.contains(why), "{format}: {said}");
    }
}

#[test]
fn a_replay_is_given_out_by_the_number_of_its_match() {
    let dir = fresh_folder();
    fs::write(dir.path().join("cup.toml"), SWISS).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    let (_, said) = with_code(dir.path(), &["tournament", "replay", "4711"], 2);
    assert!(
        said.contains("there is no replay of match 4711 in ./cup; palestra tournament matches"),
        "{said}"
    );
    assert_eq!(good(dir.path(), &["tournament", "replay", "2"]).trim(), "match-2.replay");
    good(dir.path(), &["tournament", "replay", "3", "--dir", "cup", "-o", "third.replay"]);
    good(dir.path(), &["replay", "verify", "match-2.replay", "third.replay"]);
    let info = json(dir.path(), &["replay", "info", "third.replay", "--json"]);
    let third = finished(&dir.path().join("cup")).into_iter().find(|played| played.number == 3).unwrap();
    assert_eq!(info["seed"], third.seed);
    // Played again, it is the last one that is given out.
    good(dir.path(), &["tournament", "rerun", "3"]);
    good(dir.path(), &["tournament", "cup", "-q"]);
    good(dir.path(), &["tournament", "replay", "3", "-o", "again.replay"]);
    good(dir.path(), &["replay", "verify", "again.replay"]);
}

/// What is left of a report when numbers of matches do not matter.
fn gist(folder: &Path) -> Value {
    let report = report(folder);
    object!([report["standings"], report["ratings"], report["cross"], report["stages"]])
}

#[test]
fn voided_and_played_again_it_is_as_before() {
    let dir = fresh_folder();
    fs::write(dir.path().join("cup.toml"), SWISS).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    let folder = dir.path().join("cup");
    let before = gist(&folder);
    let said = good(dir.path(), &["tournament", "void", "1", "2", "--why", "the lights went out"]);
    assert!(said.starts_with("without it:"), "{said}");
    good(dir.path(), &["tournament", "cup", "-q"]);
    assert_ne!(gist(&folder), before, "two results less");
    assert_eq!(report(&folder)["progress"]["voided"], 2);
    let voided = json(dir.path(), &["tournament", "matches", "--json"]);
    assert_eq!(voided.as_array().unwrap().iter().filter(|line| line["voided"] == true).count(), 2);
    good(dir.path(), &["tournament", "rerun", "1", "2"]);
    good(dir.path(), &["tournament", "cup", "-q"]);
    assert_eq!(gist(&folder), before);
    let (_, said) = with_code(dir.path(), &["tournament", "void", "4711"], 2);
    assert!(said.contains("there is no match 4711; palestra tournament matches lists them"), "{said}");
    let again = log(&folder).into_iter().filter(|event| matches!(event, Event::Rerun { .. })).count();
    assert_eq!(again, 2);
}

#[test]
fn whoever_is_dropped_is_dropped_once_and_nothing_fails_for_it() {
    let dir = fresh_folder();
    let cup = "game = \"rps\"\nseed = 5\n[settings]\nsize = 6\nmax_ticks = 20\n[bots]\none = \"random\"\n\
               two = \"random\"\nthree = \"random\"\n[[stage]]\nname = \"first\"\n[[stage]]\nname = \"second\"\n\
               format = \"knockout\"\ntake = 2\n[[stage]]\nname = \"third\"\nformat = \"tables\"\nseats = 2\n";
    fs::write(dir.path().join("cup.toml"), cup).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    good(dir.path(), &["tournament", "rerun", "1"]);
    let said = good(dir.path(), &["tournament", "drop-bot", "two", "--why", "ill"]);
    assert!(said.starts_with("two is not paired any more from round "), "{said}");
    let said = good(dir.path(), &["tournament", "drop-bot", "two"]);
    assert!(
        said.contains("two was dropped before, from round") && said.contains("(ill); nothing changes"),
        "{said}"
    );
    good(dir.path(), &["tournament", "drop-bot", "three"]);
    for command in ["status", "standings", "matches", "export"] {
        good(dir.path(), &["tournament", command]);
    }
    good(dir.path(), &["tournament", "cup", "-q"]);
    let end = report(&dir.path().join("cup"));
    assert_eq!(end["over"], true);
    assert_eq!(end["standings"][0]["bot"], 0, "whoever is left has won: {end:#}");
    for command in ["status", "standings", "matches", "export"] {
        good(dir.path(), &["tournament", command]);
    }
}
