//! Generals: armies spread over a board in the fog, and whoever takes a capital takes everything.
//!
//! The rule book is `README.md`. The rules are in [`state`], what a player may know of them in [`view`], the words
//! exchanged with bots in [`protocol`].

mod action;
mod bots;
mod legacy;
mod map;
mod mapgen;
mod messages;
mod outcome;
pub mod protocol;
mod settings;
pub mod state;
pub mod view;

pub use action::{Action, Amount, Move};
pub use map::{Map, Site};
pub use settings::Settings;
pub use state::{Kind, State};
pub use view::{Frame, FrameMove, FramePlayer, Seen, Totals, View};

use palestra_core::{BuiltIn, Counter, Game, Hides, Info, Message, SampleMap, TimeControl};
use std::time::Duration;

/// A board of cells, whose rows and columns are counted from 1.
pub type Board = palestra_grid::Board<1>;

/// The game.
pub struct Generals;

impl Game for Generals {
    const INFO: Info = Info {
        id: "generals",
        title: "Generals",
        summary: "armies spread over a board in the fog; take the capital, take everything",
        rules_version: 1,
        min_seats: 2,
        max_seats: 16,
        time: TimeControl::Bank { start: Duration::from_secs(2), increment: Duration::from_millis(1) },
        hides: Hides::Board,
        round_word: "round",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
        words: &[
            ("en", include_str!("../words/en.json")),
            ("hu", include_str!("../words/hu.json")),
            ("ru", include_str!("../words/ru.json")),
        ],
    };
    const BUILT_INS: &'static [BuiltIn<Generals>] = bots::ALL;
    const MAPS: &'static [SampleMap] = &[
        SampleMap { name: "tiny", text: include_str!("../maps/tiny.txt") },
        SampleMap { name: "corridor", text: include_str!("../maps/corridor.txt") },
        SampleMap { name: "duel", text: include_str!("../maps/duel.txt") },
        SampleMap { name: "plains", text: include_str!("../maps/plains.txt") },
        SampleMap { name: "trio", text: include_str!("../maps/trio.txt") },
        SampleMap { name: "quartet", text: include_str!("../maps/quartet.txt") },
        SampleMap { name: "crowd", text: include_str!("../maps/crowd.txt") },
    ];
    const MAP_ARGUMENTS: &'static [&'static str] = &["rows", "columns", "players"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Map;
    type Action = Action;
    type State = State;

    fn messages() -> Vec<Message> {
        messages::samples()
    }
}
