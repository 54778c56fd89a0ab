//! Readable playthroughs of short matches; see `palestra_testkit::check_golden`.

use palestra_core::{AnyState, Eye};
use palestra_rps::Rps;
use palestra_testkit::{Story, check_golden};
use serde_json::Value;

const STORIES: &[Story] = &[
    Story {
        name: "first_units",
        about: "The first units of both players, as the packets of ticks 20 to 23 show them.",
        map: "arena 20\n",
        settings: &[("max_ticks", "23")],
        answers: &[
            "prod R\n.",
            "prod P\n.",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            ".",
            "1 right\nprod S\n.",
            "2 down\n.",
            "1 right\n.",
        ],
        then: &["bot", "bot"],
        quiet: 3..20,
        every: 1,
    },
    Story {
        name: "skirmish",
        about: "Quick factories in a small arena: a base, a fight, a bump, lines that are no orders, a late answer, and a \
                factory that falls.",
        map: "arena 4\n",
        settings: &[("first_unit_ticks", "1"), ("unit_ticks_growth", "2"), ("hold_ticks", "4")],
        answers: &[
            "prod R\n.",
            "prod S\n.",
            "1 right\n1 right\n.",
            "2 left\n9 up\n.",
            "1 right\n.",
            "2 right\n.",
            "1 right\nprod P\nhello\npong\nprod X\n.",
            Story::LATE,
            "1 down\n2 up\n.",
            "2 down\n.",
            "4 down\n1 left\n.",
            "2 down\n.",
            "1 down\n4 down\nopponent any\n.",
            "3 right\n.",
            "1 down\n4 down\n.",
            ".",
            "1 right\n.",
        ],
        then: &["greedy", "bot"],
        quiet: 0..0,
        every: 4,
    },
    Story {
        name: "marshal_against_greedy",
        about: "Two built-in players in the usual arena, to the end; every fortieth tick is told.",
        map: "arena 20\n",
        settings: &[],
        answers: &[],
        then: &["marshal", "greedy"],
        quiet: 0..0,
        every: 40,
    },
];

#[test]
fn golden_playthroughs_are_as_recorded() {
    check_golden(&Rps, env!("CARGO_MANIFEST_DIR"), STORIES, board);
}

/// The arena: small letters are seat 1's units, capitals are seat 2's.
fn board(table: &dyn AnyState) -> String {
    let frame = table.frame(Eye::Spectator);
    let size = frame["size"].as_u64().unwrap() as usize;
    let mut cells = vec![vec!['.'; size]; size];
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    for base in frame["bases"].as_array().unwrap() {
        let sign = match base["owner"].as_u64() {
            None => 'o',
            Some(owner) => char::from(b'0' + owner as u8),
        };
        cells[number(&base["y"])][number(&base["x"])] = sign;
    }
    for unit in frame["units"].as_array().unwrap() {
        let letter = unit["kind"].as_str().unwrap().chars().next().unwrap();
        let letter = if unit["seat"] == 1 { letter.to_ascii_lowercase() } else { letter };
        cells[number(&unit["y"])][number(&unit["x"])] = letter;
    }
    cells.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}
