//! Maps that ship with the game, and short games that bring out a bot's mistakes.

use palestra_core::{SampleMap, Situation};

pub(crate) const MAPS: &[SampleMap] = &[
    SampleMap { name: "tiny", text: include_str!("../maps/tiny.txt") },
    SampleMap { name: "duel", text: include_str!("../maps/duel.txt") },
    SampleMap { name: "lanes", text: include_str!("../maps/lanes.txt") },
    SampleMap { name: "medium", text: include_str!("../maps/medium.txt") },
    SampleMap { name: "wide", text: include_str!("../maps/wide.txt") },
    SampleMap { name: "trio", text: include_str!("../maps/trio.txt") },
    SampleMap { name: "four", text: include_str!("../maps/four.txt") },
    SampleMap { name: "cross", text: include_str!("../maps/cross.txt") },
];

/// Short games that bring out the usual mistakes of a bot.
pub(crate) const SITUATIONS: &[Situation] = &[
    Situation {
        name: "two planets, one step apart",
        map: Some("2 2\n1 2\n0 0\n1 0\n"),
        settings: &[("max_steps", "100")],
        seats: &[None, Some("afk")],
    },
    Situation {
        name: "a duel against a strong opponent",
        map: Some(include_str!("../maps/duel.txt")),
        settings: &[("max_steps", "1000")],
        seats: &[None, Some("admiral")],
    },
    Situation {
        name: "the second seat against an attacker",
        map: Some(include_str!("../maps/tiny.txt")),
        settings: &[("max_steps", "500")],
        seats: &[Some("aggressive"), None],
    },
    Situation {
        name: "the last of four seats on twenty planets",
        map: Some(include_str!("../maps/four.txt")),
        settings: &[("max_steps", "600")],
        seats: &[
            Some("aggressive"),
            Some("aggressive_expansion_random"),
            Some("upgrade_and_repair_main"),
            None,
        ],
    },
    Situation {
        name: "others fail at once and in the middle",
        map: Some(include_str!("../maps/trio.txt")),
        settings: &[("max_steps", "400")],
        seats: &[Some("disqualify"), None, Some("disqualify:50")],
    },
    Situation {
        name: "beaten early: stormed at the start",
        map: Some("matrix 3 2\n1 2\n0 1 2\n1 0 2\n2 2 0\n"),
        settings: &[("max_steps", "500"), ("armor", "[10, 20, 30]")],
        seats: &[None, Some("admiral")],
    },
    Situation {
        name: "the game is over after one step",
        map: Some(include_str!("../maps/duel.txt")),
        settings: &[("max_steps", "1")],
        seats: &[Some("afk"), None],
    },
    Situation {
        name: "a long game in which little happens",
        map: Some(include_str!("../maps/lanes.txt")),
        settings: &[("max_steps", "3000")],
        seats: &[Some("upgrade_and_repair_main"), None],
    },
];
