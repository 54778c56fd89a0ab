//! Readable playthroughs of short games; see `palestra_testkit::check_golden`.

use palestra_core::{AnyState, Eye};
use palestra_generals::Generals;
use palestra_testkit::{Story, check_golden};
use std::fmt::Write as _;

const STORIES: &[Story] = &[
    Story {
        name: "first_steps",
        about: "Two players on a strip: a first move, an attack that fails, a move of nothing, a capital that falls.",
        map: "1 6 2\n3 1 1 1 3 2 9\n",
        settings: &[("start_army", "5")],
        answers: &[
            "1 1 1 1 2",
            "1 1 5 1 6",
            "1 1 2 1 3",
            "2 1 5 1 4",
            "1 1 3 1 4",
            "1 1 5 1 4",
            "-1",
            "-1",
            "1 1 1 1 2",
            "1 1 5 1 6",
            "1 1 2 1 3",
            "-1",
            "1 1 3 1 4",
            "1 1 5 1 6",
            "1 1 4 1 5",
        ],
        then: &["rest"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "dropping_out",
        about: "Three players; one moves a cell that is not its own, one writes nonsense, and the third has won.",
        map: "3 4 3\n3 1 1 3\n1 2 5 4 1\n1 1 1 3\n",
        settings: &[],
        answers: &["-1", "1 1 4 1 3", "-1", "-1", "1 2 2 2 1", "-1", "hello"],
        then: &["rest"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "to_the_limit",
        about: "Two players who stay apart until the limit; one has a city more.",
        map: "3 3 2\n3 2 0 4\n1 1 4\n4 4 3\n",
        settings: &[("max_turns", "7"), ("start_army", "3"), ("land_growth_every", "5")],
        answers: &["1 1 1 1 2", "-1", "-1", "-1", "1 1 2 2 2"],
        then: &["rest"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "hunter_against_greedy",
        about: "Two built-in players on a narrow board, to the end; every hundredth round is told.",
        map: include_str!("../../maps/corridor.txt"),
        settings: &[],
        answers: &[],
        then: &["hunter", "greedy"],
        quiet: 0..0,
        every: 200,
    },
];

#[test]
fn golden_playthroughs_are_as_recorded() {
    check_golden(&Generals, env!("CARGO_MANIFEST_DIR"), STORIES, board);
}

/// The board without fog: owner and units of each cell, with a letter for what is no land.
fn board(table: &dyn AnyState) -> String {
    let frame = table.frame(Eye::Spectator);
    let columns = frame["columns"].as_u64().unwrap() as usize;
    let mut text = String::new();
    for (row, kinds) in frame["kinds"].as_array().unwrap().iter().enumerate() {
        for (column, kind) in kinds.as_str().unwrap().chars().enumerate() {
            let at = row * columns + column;
            let cell = match kind {
                'M' => "M".to_owned(),
                '.' => format!("{}:{}", frame["owners"][at], frame["units"][at]),
                other => format!("{other}{}:{}", frame["owners"][at], frame["units"][at]),
            };
            write!(text, "{cell:>7}").unwrap();
        }
        text.push('\n');
    }
    text
}
