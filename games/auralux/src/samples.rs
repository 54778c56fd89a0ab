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
pub(crate) fn situations() -> Vec<Situation> {
    let situation = |name, map: &str, settings: &[(&str, &str)], seats: &[Option<&'static str>]| Situation {
        name,
        map: Some(map.to_owned()),
        settings: settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        seats: seats.to_vec(),
    };
    let text = |name: &str| MAPS.iter().find(|map| map.name == name).map_or("", |map| map.text);
    vec![
        situation(
            "two planets, one step apart",
            "2 2\n1 2\n0 0\n1 0\n",
            &[("max_steps", "100")],
            &[None, Some("afk")],
        ),
        situation(
            "a duel against a strong opponent",
            text("duel"),
            &[("max_steps", "1000")],
            &[None, Some("admiral")],
        ),
        situation(
            "the second seat against an attacker",
            text("tiny"),
            &[("max_steps", "500")],
            &[Some("aggressive"), None],
        ),
        situation(
            "the last of four seats on twenty planets",
            text("four"),
            &[("max_steps", "600")],
            &[Some("aggressive"), Some("aggressive_expansion_random"), Some("upgrade_and_repair_main"), None],
        ),
        situation(
            "others fail at once and in the middle",
            text("trio"),
            &[("max_steps", "400")],
            &[Some("disqualify"), None, Some("disqualify:50")],
        ),
        situation(
            "beaten early: stormed at the start",
            "matrix 3 2\n1 2\n0 1 2\n1 0 2\n2 2 0\n",
            &[("max_steps", "500"), ("armor", "[10, 20, 30]")],
            &[None, Some("admiral")],
        ),
        situation(
            "the game is over after one step",
            text("duel"),
            &[("max_steps", "1")],
            &[Some("afk"), None],
        ),
        situation(
            "a long game in which little happens",
            text("lanes"),
            &[("max_steps", "3000")],
            &[Some("upgrade_and_repair_main"), None],
        ),
    ]
}
