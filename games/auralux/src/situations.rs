//! Short games that bring out a bot's mistakes.

use palestra_core::Situation;

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
