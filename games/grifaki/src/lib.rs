//! Grifaki: armies, walls and cities on a board in the fog, where sight depends on the land.
//!
//! The rule book is `README.md`. The rules are in [`state`], what a player may know of them in [`view`], the words
//! exchanged with bots in [`protocol`].

mod action;
mod bots;
mod decimal;
mod kind;
mod legacy;
mod map;
mod mapgen;
mod messages;
mod outcome;
mod prices;
pub mod protocol;
mod settings;
mod sight;
pub mod state;
pub mod view;

pub use action::{Action, Build, Move};
pub use decimal::{BadDecimal, Decimal};
pub use kind::{Building, Kind};
pub use map::{Base, Map, Site};
pub use settings::Settings;
pub use state::State;
pub use view::{Frame, FrameAction, FrameCapital, FramePlayer, Seen, Verdict, View};

use palestra_core::{BuiltIn, Counter, Game, Hides, Info, Message, SampleMap, TimeControl};
use std::time::Duration;

/// A board of cells, whose rows and columns are counted from 0.
pub type Board = palestra_grid::Board<0>;

/// The game.
pub struct Grifaki;

impl Game for Grifaki {
    const INFO: Info = Info {
        id: "grifaki",
        title: "Grifaki",
        summary: "armies, walls and cities in a fog that mountains cast; drive everybody else off the board",
        rules_version: 1,
        min_seats: 2,
        max_seats: 16,
        time: TimeControl::Bank { start: Duration::from_secs(2), increment: Duration::from_millis(1) },
        hides: Hides::Board,
        round_word: "tick",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
        words: &[
            ("en", include_str!("../words/en.json")),
            ("hu", include_str!("../words/hu.json")),
            ("ru", include_str!("../words/ru.json")),
        ],
    };
    const BUILT_INS: &'static [BuiltIn<Grifaki>] = bots::ALL;
    const MAPS: &'static [SampleMap] = &[
        SampleMap { name: "tiny", text: include_str!("../maps/tiny.txt") },
        SampleMap { name: "pass", text: include_str!("../maps/pass.txt") },
        SampleMap { name: "duel", text: include_str!("../maps/duel.txt") },
        SampleMap { name: "trio", text: include_str!("../maps/trio.txt") },
        SampleMap { name: "quartet", text: include_str!("../maps/quartet.txt") },
        SampleMap { name: "crowd", text: include_str!("../maps/crowd.txt") },
    ];
    const MAP_ARGUMENTS: &'static [&'static str] = &["height", "width", "players"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Map;
    type Action = Action;
    type State = State;

    fn messages() -> Vec<Message> {
        messages::samples()
    }
}
