//! Readable playthroughs of short games; see `palestra_testkit::check_golden`.

use palestra_core::{AnyState, Eye};
use palestra_grifaki::Grifaki;
use palestra_testkit::{Story, check_golden};
use std::fmt::Write as _;

const STORIES: &[Story] = &[
    Story {
        name: "first_steps",
        about: "Two players on a strip: moves, an attack on a wall that fails and one that does not, a wall, what is not allowed.",
        map: "1 6 2\n@1 . .30# c . @2\n",
        settings: &[("max_game_duration", "6")],
        answers: &[
            "MOVE 0 0 0 1 60",
            "MOVE 0 5 0 4 100",
            "MOVE 0 1 0 2 30",
            "MOVE 0 4 0 3 50",
            "MOVE 0 1 0 2 29",
            "MOVE 0 4 0 5 50",
            "MOVE 0 1 0 0 0",
            "BUILD 0 3 0 3 WALL",
            "BUILD 0 0 0 1 WALL",
            "MOVE 0 5 0 3 1",
        ],
        then: &["idle"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "dropping_out",
        about: "Three players; one writes nonsense, one attacks with its last units in vain, and the third has won.",
        map: "2 4 3\n@1 . M @2\n. c5 . @3\n",
        settings: &[("start_army", "50")],
        answers: &["MOVE 0 0 0 1 20", "EMPTY", "EMPTY", "hello", "MOVE 0 3 1 3 51"],
        then: &["idle"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "a_capital_lost_and_regained",
        about: "A capital falls and is taken back within a tick, is left, and is held again; then the time is up.",
        map: "2 4 2\n@1 c . @2\n. . M .\n",
        settings: &[("max_game_duration", "8"), ("land_growth_time", "4"), ("start_army", "20")],
        answers: &[
            "MOVE 0 0 0 1 19",
            "MOVE 0 3 0 2 15",
            "EMPTY",
            "EMPTY",
            "MOVE 0 1 0 2 20",
            "MOVE 0 3 1 3 6",
            "MOVE 0 2 0 3 4",
            "MOVE 1 3 0 3 5",
            "EMPTY",
            "MOVE 0 3 1 3 5",
            "EMPTY",
            "MOVE 1 3 0 3 4",
        ],
        then: &["idle"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "last_armies_cancel",
        about: "Two players with a cell each: the attack leaves nobody, and the game is a draw.",
        map: "1 2 2\n@1 @2\n",
        settings: &[],
        answers: &["EMPTY", "EMPTY", "MOVE 0 0 0 1 101"],
        then: &["idle"],
        quiet: 0..0,
        every: 200,
    },
    Story {
        name: "expander_against_warlord",
        about: "Two built-in players on a narrow board, to the end; every hundredth tick is told.",
        map: include_str!("../../maps/pass.txt"),
        settings: &[],
        answers: &[],
        then: &["expander", "warlord"],
        quiet: 0..0,
        every: 200,
    },
];

#[test]
fn golden_playthroughs_are_as_recorded() {
    check_golden(&Grifaki, env!("CARGO_MANIFEST_DIR"), STORIES, board);
}

/// The board without fog: owner and units of each cell, with a letter for what is no plain and a # for a wall.
fn board(table: &dyn AnyState) -> String {
    let frame = table.frame(Eye::Spectator);
    let width = frame["width"].as_u64().unwrap() as usize;
    let walls = frame["walls"].as_array().unwrap();
    let mut text = String::new();
    for (row, kinds) in frame["kinds"].as_array().unwrap().iter().enumerate() {
        for (column, kind) in kinds.as_str().unwrap().chars().enumerate() {
            let at = row * width + column;
            let wall = if walls.contains(&serde_json::json!([row, column])) { "#" } else { "" };
            let cell = match kind {
                'M' => "M".to_owned(),
                '.' => format!("{}:{}{wall}", frame["owners"][at], frame["units"][at]),
                other => format!("{other}{}:{}{wall}", frame["owners"][at], frame["units"][at]),
            };
            write!(text, "{cell:>8}").unwrap();
        }
        text.push('\n');
    }
    text
}
