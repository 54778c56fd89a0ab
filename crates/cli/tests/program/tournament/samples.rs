//! The plans that ship can be played as they are; here with shorter matches.

use super::{assert_sound, fresh_folder, good, report};
use crate::support::project;
use serde_json::Value;
use std::fs;
use std::path::Path;
use toml::Table;

/// Plays a plan with short matches, and gives its report.
fn play(dir: &Path, file: &Path) -> Value {
    let mut plan: Table = fs::read_to_string(file).unwrap().parse().unwrap();
    let (key, value) = match plan["game"].as_str().unwrap() {
        "generals" => ("max_turns", 20),
        "auralux" => ("max_steps", 20),
        "rps" => ("max_ticks", 60),
        "grifaki" => ("max_game_duration", 20),
        game => panic!("how are matches of {game} made short?"),
    };
    let settings = plan.entry("settings").or_insert_with(|| Table::new().into());
    settings.as_table_mut().unwrap().insert(key.to_owned(), value.into());
    let name = file.file_stem().unwrap().to_str().unwrap();
    fs::write(dir.join(format!("{name}.toml")), toml::to_string(&plan).unwrap()).unwrap();
    good(dir, &["tournament", &format!("{name}.toml"), "-q"]);
    assert_sound(dir, &dir.join(name));
    report(&dir.join(name))
}

#[test]
fn every_plan_that_ships_is_played_to_its_end() {
    let dir = fresh_folder();
    let files = fs::read_dir(project().join("cups")).unwrap().map(|entry| entry.unwrap().path());
    let plans: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "toml")).collect();
    assert!(!plans.is_empty());
    for file in plans {
        let end = play(dir.path(), &file);
        assert_eq!(end["over"], true, "{}", file.display());
        assert_eq!(end["progress"]["finished"], end["progress"]["planned"], "{}", file.display());
        assert_eq!(end["faults"].as_array().unwrap().len(), 0, "{}: {:#}", file.display(), end["faults"]);
        assert_eq!(end["standings"].as_array().unwrap().len(), end["bots"].as_array().unwrap().len());
    }
}

/// The points of everybody in a stage, and how many matches each played.
fn table(end: &Value, stage: usize) -> (f64, Vec<u64>) {
    let lines = end["stages"][stage]["groups"][0].as_array().unwrap();
    let points = lines.iter().map(|line| line["points"].as_f64().unwrap()).sum();
    (points, lines.iter().map(|line| line["played"].as_u64().unwrap()).collect())
}

#[test]
fn the_event_of_rock_paper_scissor_scores_as_it_did() {
    let dir = fresh_folder();
    let end = play(dir.path(), &project().join("cups/rps-event.toml"));
    // Five bots, ten matches: two points in each, then ten, all of it carried over.
    assert_eq!(table(&end, 0), (20.0, vec![4; 5]));
    assert_eq!(table(&end, 1), (20.0 + 100.0, vec![4; 5]));
    let (points, played) = table(&end, 2);
    assert_eq!(played, [3; 4], "a final of four");
    let evening = end["stages"][1]["groups"][0].as_array().unwrap();
    let carried: f64 = evening[..4].iter().map(|line| line["points"].as_f64().unwrap()).sum();
    assert_eq!(points, carried + 60.0);
    // The last of the evening is the last of the event.
    assert_eq!(end["standings"][4]["bot"], evening[4]["bot"]);
}
