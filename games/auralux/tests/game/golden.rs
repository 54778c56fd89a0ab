//! Readable playthroughs of short games; see `palestra_testkit::check_golden`.

use palestra_auralux::Auralux;
use palestra_core::{AnyState, Eye};
use palestra_testkit::{Story, check_golden};
use std::fmt::Write as _;

const STORIES: &[Story] = &[
    Story {
        name: "rules",
        about: "Three players and four planets: raising, capturing, orders that are not allowed, the limit in space, faults.",
        map: "4 3\n1 2 3\n0 0\n3 0\n0 2\n3 2\n",
        settings: &[
            ("max_steps", "14"),
            ("start_ships", "40"),
            ("capture_cost", "10"),
            ("upgrade_cost", "10,20"),
            ("armor", "5,10,15"),
            ("max_groups_in_space", "3"),
        ],
        answers: &[
            // Step 1: raising, launches, the limit in space.
            "2\n1 1 10\n1 4 15",
            "1\n2 4 12",
            "4\n3 1 1\n3 1 1\n3 2 1\n3 2 20",
            // Step 2: orders that are not allowed.
            "5\n9 1 1\n1 2 0\n2 1 1\n1 2 999\n1 1 1",
            "2\n2 2 10\n2 2 10",
            "0 orders",
            // Step 3: the second group on planet 4.
            "0",
            "1\n4 4 12 and more words",
            "1\n3 3 10",
            // Step 4 and on: planet 4 belongs to somebody; player 1 storms planet 2.
            "1\n1 2 19",
            "1\n2 1 12",
            Story::CRASH,
            "0",
            "0",
            "0",
            "1\n4 4 3",
            "1\n1 2 10",
            "0",
            "0",
            "0",
            "0",
            "oops",
        ],
        then: &["afk"],
        quiet: 0..0,
        every: 1,
    },
    Story {
        name: "duel",
        about: "Two built-in players on the smallest map, to the end; a moment of it now and then.",
        map: include_str!("../../maps/tiny.txt"),
        settings: &[],
        answers: &[],
        then: &["aggressive", "admiral"],
        quiet: 0..0,
        every: 60,
    },
];

#[test]
fn golden_playthroughs_are_as_recorded() {
    check_golden(&Auralux, env!("CARGO_MANIFEST_DIR"), STORIES, flights);
}

/// What is on its way; the planets are in what is sent.
fn flights(table: &dyn AnyState) -> String {
    let frame = table.frame(Eye::Spectator);
    let mut text = String::new();
    writeln!(text, "in flight: {}", frame["groups"]).unwrap();
    text
}
