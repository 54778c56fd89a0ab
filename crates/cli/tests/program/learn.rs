//! Courses, and why a match was lost, as people meet them.

use crate::support::{bot, fails, json, json_free, palestra, project, run, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Enough for a busy machine.
const TIME: [&str; 2] = ["--time", "100s/answer"];

/// Takes a step, and gives what is told of it.
fn take(dir: &Path, game: &str, bot: &str, step: usize) -> (Option<i32>, Value) {
    let step = step.to_string();
    let arguments = [&["learn", game, "--bot", bot, "--step", &step, "--json"], &TIME[..]].concat();
    let output = run(dir, &arguments);
    let told = serde_json::from_slice(&output.stdout);
    (output.status.code(), told.unwrap_or_else(|_| panic!("{arguments:?}: {}", text(&output.stderr))))
}

/// The names of the games, by their folders.
fn games() -> Vec<String> {
    let folders = fs::read_dir(project().join("games")).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().join("course.toml").is_file());
    folders.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

#[test]
fn scripts_that_do_not_do_what_a_step_asks_for_do_not_pass_it() {
    let dir = tempdir().unwrap();
    let mut tried = 0;
    for game in games() {
        let course = fs::read_to_string(project().join("games").join(&game).join("course.toml")).unwrap();
        let course: toml::Table = course.parse().unwrap();
        for (index, step) in course["step"].as_array().unwrap().iter().enumerate() {
            let script = step["missed_by"].as_str().unwrap();
            if !script.contains('/') {
                continue;
            }
            tried += 1;
            let (code, told) = take(dir.path(), &game, &bot(&format!("{game}/{script}")), index + 1);
            assert_eq!((code, &told["passed"]), (Some(1), &Value::Bool(false)), "{told:#}");
            let missed = told["matches"].as_array().unwrap().iter().find(|played| played["held"] == false);
            let missed = missed.expect("something did not come off");
            assert!(!missed["missed"].as_array().unwrap().is_empty(), "{told:#}");
            assert!(dir.path().join(missed["replay"].as_str().unwrap()).is_file(), "{told:#}");
        }
    }
    assert!(tried > 0, "some steps need a script");
}

#[test]
fn the_starter_kits_take_the_first_steps() {
    let dir = tempdir().unwrap();
    for game in games() {
        let kit = bot(&format!("{game}/kits/python/{game}.py"));
        for step in [1, 2] {
            let (code, told) = take(dir.path(), &game, &kit, step);
            assert_eq!((code, &told["passed"]), (Some(0), &Value::Bool(true)), "{told:#}");
        }
        let course = json(dir.path(), &["learn", &game, "--json"]);
        let passed: Vec<_> = course["steps"].as_array().unwrap().iter().map(|step| &step["passed"]).collect();
        assert!(passed[..2].iter().all(|passed| **passed == Value::Bool(true)), "{course:#}");
        assert_eq!(course["next"], 3);
    }
}

#[test]
fn a_course_is_explained_taken_and_gone_on_with() {
    let dir = tempdir().unwrap();
    let first = json_free(dir.path(), &["learn", "generals"]);
    assert!(first.contains("→ 1. Make a legal move") && first.contains("palestra new generals"), "{first}");
    assert!(first.contains("palestra learn generals --bot ./mybot"), "{first}");
    let russian = json_free(dir.path(), &["learn", "generals", "--language", "ru"]);
    assert!(russian.contains("Урок 1 из 6: Сделайте допустимый ход"), "{russian}");
    // What was wrong and what to try, in the language of who learns.
    let missed = run(dir.path(), &["learn", "generals", "--bot", "rest", "--language", "hu"]);
    let told = text(&missed.stdout);
    assert_eq!(missed.status.code(), Some(1), "{told}");
    assert!(told.contains("legfeljebb 1, pedig 2 kell.") && told.contains("Ezt próbáld: A válasz"), "{told}");
    let passed = json_free(dir.path(), &["learn", "generals", "--bot", "greedy"]);
    assert!(passed.contains("Passed!\nTo go on: palestra learn generals --bot greedy\n"), "{passed}");
    let second = json_free(dir.path(), &["learn", "generals"]);
    assert!(second.contains("✓ 1. ") && second.contains("→ 2. See the board"), "{second}");
    // What one bot has passed stays passed, whatever another one does.
    assert_eq!(take(dir.path(), "generals", "rest", 1).0, Some(1));
    assert_eq!(json(dir.path(), &["learn", "generals", "--json"])["next"], 2);
}

#[test]
fn progress_that_cannot_be_read_is_neither_taken_for_nothing_nor_overwritten() {
    let dir = tempdir().unwrap();
    let (folder, file) = (dir.path().join("state"), dir.path().join("state/course.json"));
    fs::create_dir_all(&folder).unwrap();
    for (content, why) in [
        ("{\"version\": 1, \"pas", "cannot be read"),
        ("{\"version\": 9, \"passed\": {}}", "has version 9"),
        ("", "cannot be read"),
    ] {
        fs::write(&file, content).unwrap();
        let said = fails(dir.path(), &["learn", "generals", "--bot", "greedy"], 3);
        assert!(said.contains(why) && said.contains("remove the file"), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    let large = " ".repeat(1 << 20);
    fs::write(&file, &large).unwrap();
    assert!(fails(dir.path(), &["learn", "generals"], 3).contains("larger than"));
    fs::remove_file(&file).unwrap();
    assert!(fails(dir.path(), &["learn", "generals", "--step", "7"], 2).contains("has 6"));
    assert!(fails(dir.path(), &["learn", "generals", "--step", "0"], 2).contains("no step 0"));
    assert!(fails(dir.path(), &["learn", "generals", "--language", "xx"], 2).contains("en, hu, ru"));
}

#[test]
fn a_lost_match_is_explained_and_its_command_shows_it_again() {
    let dir = tempdir().unwrap();
    let kit = bot("generals/kits/python/generals.py");
    fs::copy(&kit, dir.path().join("my bot.py")).unwrap();
    let arguments =
        ["play", "generals", "hunter", "my bot.py", "--map", "duel", "--seed", "7", "--time", "100s"];
    let report = json(dir.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(report["winner"], 1, "{report:#}");
    assert_eq!(report["players"][0]["defeat"], Value::Null, "the winner has nothing to explain");
    let defeat = &report["players"][1]["defeat"];
    let codes: Vec<_> =
        defeat["sentences_data"].as_array().unwrap().iter().map(|told| &told["code"]).collect();
    assert_eq!(codes, ["balance_tipped", "conduct_clean", "see_again"], "{defeat:#}");
    let turn = defeat["turn"].as_u64().unwrap();
    assert!(turn.is_multiple_of(2) && turn < report["turns"].as_u64().unwrap(), "a turn of its own: {turn}");

    // As it is told, word by word.
    let command = defeat["sentences_data"][2]["command"].as_str().unwrap();
    let shell = |command: &str| {
        let own = command.replacen("palestra", "\"$PALESTRA\"", 1);
        let mut started = std::process::Command::new("sh");
        let program = palestra(dir.path());
        for (key, value) in program.get_envs() {
            match value {
                Some(value) => started.env(key, value),
                None => started.env_remove(key),
            };
        }
        started.env("PALESTRA", program.get_program()).current_dir(dir.path()).args(["-c", &own]);
        started.output().unwrap()
    };
    let again = shell(command);
    let said = text(&again.stdout);
    assert!(again.status.success() && said.contains("0 answers differ"), "{said}{}", text(&again.stderr));
    assert!(!said.starts_with("0 turns"), "it is asked something: {said}");

    // For people, and in their language; not for who is not theirs.
    let told = json_free(dir.path(), &[&arguments[..], &["--quiet", "--language", "hu"]].concat());
    assert!(
        told.contains("A mérleg a(z) ") && told.contains("Nem hibázott; a leghosszabb válasza"),
        "{told}"
    );
    assert!(
        told.contains("palestra drive replays/generals-7-2.replay --seat 2 --bot 'my bot.py' --turn"),
        "{told}"
    );
    let quiet =
        json_free(dir.path(), &["play", "generals", "greedy", "random", "--map", "tiny", "--no-replay"]);
    assert!(!quiet.contains("lost:"), "{quiet}");
}
