//! Is it better? Through the real program.

use super::{fresh_folder, with_code};
use crate::support::run;
use serde_json::Value;
use std::path::Path;

const SMALL: [&str; 6] = ["--set", "map_rows=8", "--set", "map_columns=8", "--set", "max_turns=60"];

/// A duel on small maps: its exit code and its one JSON object.
fn duel(dir: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = run(dir, &[&["duel"], arguments, &["--seed", "1", "--json"]].concat());
    let report = serde_json::from_slice(&output.stdout);
    let report = report.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), report)
}

#[test]
fn the_better_one_is_found_and_so_is_the_worse() {
    let dir = fresh_folder();
    let (code, report) = duel(dir.path(), &[&["generals", "greedy", "rest"], &SMALL[..]].concat());
    assert_eq!((code, &report["verdict"]), (0, &"better".into()), "{report:#}");
    let number = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(number("wins") + number("draws") + number("losses"), number("games"));
    assert_eq!(number("games"), 2 * number("units"));
    let units: u64 =
        report["unit_scores"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(units, number("units"));
    assert_eq!(report["unit_scores"].as_array().unwrap().len(), 5, "a pair brings 0 to 4 half points");
    assert!(report["elo"]["low"].as_f64() > Some(0.0), "{report:#}");
    assert!(report["likelihood_of_superiority"].as_f64() > Some(0.95), "{report:#}");
    let (code, report) = duel(dir.path(), &[&["generals", "rest", "greedy"], &SMALL[..]].concat());
    assert_eq!((code, &report["verdict"]), (1, &"not_better".into()), "{report:#}");
}

#[test]
fn a_bot_is_not_better_than_itself() {
    let dir = fresh_folder();
    let arguments = [&["generals", "greedy", "greedy", "--max-games", "60"], &SMALL[..]].concat();
    let (code, report) = duel(dir.path(), &arguments);
    assert_eq!(code, 1);
    assert_ne!(report["verdict"], "better");
    // Both sit in both seats of the same game.
    assert_eq!(report["wins"], report["losses"], "{report:#}");
    let (other, again) = duel(dir.path(), &[&arguments[..], &["--parallel", "1"]].concat());
    assert_eq!((other, again), (code, report), "the seed decides, not who ends first");
}

#[test]
fn with_four_seats_everybody_is_tried_in_each() {
    let dir = fresh_folder();
    let bots = ["auralux", "aggressive_expansion_nearest", "afk", "--seats", "4", "--set", "max_steps=300"];
    let (code, report) = duel(dir.path(), &bots);
    assert_eq!((code, &report["verdict"]), (0, &"better".into()), "{report:#}");
    assert_eq!(report["games"].as_u64(), report["units"].as_u64().map(|units| 4 * units));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let dir = fresh_folder();
    let cases: [(&[&str], i32, &str); 5] = [
        (&["chess", "a", "b"], 2, "there is no game \"chess\""),
        (&["generals", "nobody", "greedy"], 4, "nobody cannot play: there is no bot \"nobody\""),
        (&["generals", "greedy", "rest", "--elo0", "30", "--elo1", "10"], 2, ""),
        (&["generals", "greedy", "rest", "--alpha", "1.5"], 2, ""),
        (&["generals", "greedy", "rest", "--map", "nowhere.txt"], 3, "failed to read nowhere.txt"),
    ];
    for (arguments, code, sentence) in cases {
        let (_, said) = with_code(dir.path(), &[&["duel"], arguments].concat(), code);
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
}

#[test]
fn whoever_wins_everything_is_better_by_at_least_so_much() {
    let dir = fresh_folder();
    let bots = [["generals", "greedy", "rest"], ["generals", "rest", "greedy"]];
    for (bots, code, words) in
        bots.iter().zip([0, 1]).zip(["more than +", "less than -"]).map(|((b, c), w)| (b, c, w))
    {
        let arguments = [&["duel"], &bots[..], &SMALL, &["--seed", "1", "-q"]].concat();
        let (said, _) = with_code(dir.path(), &arguments, code);
        assert!(said.contains(&format!("difference: {words}")) && !said.contains("2000"), "{said}");
    }
}
