//! Rock Paper Scissor: two factories in opposite corners of an arena, and units that beat one another in a circle.
//!
//! The rule book is `README.md`. The rules are in [`state`], what a player may know of them in [`view`], the words
//! exchanged with bots in [`protocol`].

mod action;
mod bots;
mod clients;
mod legacy;
mod map;
mod messages;
mod outcome;
pub mod protocol;
mod settings;
pub mod state;
pub mod view;

pub use action::{Action, Direction, Order};
pub use map::Arena;
pub use settings::Settings;
pub use state::{Kind, State};
pub use view::{
    Frame, FrameBase, FramePlayer, FrameProduction, FrameUnit, Owner, Seen, Soldier, Verdict, View,
};

use palestra_core::{BuiltIn, Counter, Game, Hides, Info, Message, SampleMap, TimeControl};
use std::time::Duration;

/// The game.
pub struct Rps;

impl Game for Rps {
    const INFO: Info = Info {
        id: "rps",
        title: "Rock Paper Scissor",
        summary: "rocks, papers and scissors march through an arena; hold the enemy's factory",
        rules_version: 1,
        min_seats: map::SEATS,
        max_seats: map::SEATS,
        time: TimeControl::PerAnswer(Duration::from_millis(250)),
        hides: Hides::Choices,
        round_word: "tick",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
        words: &[
            ("en", include_str!("../words/en.json")),
            ("hu", include_str!("../words/hu.json")),
            ("ru", include_str!("../words/ru.json")),
        ],
    };
    const BUILT_INS: &'static [BuiltIn<Rps>] = bots::ALL;
    const MAPS: &'static [SampleMap] = &[
        SampleMap { name: "standard", text: include_str!("../maps/standard.txt") },
        SampleMap { name: "tiny", text: include_str!("../maps/tiny.txt") },
        SampleMap { name: "small", text: include_str!("../maps/small.txt") },
        SampleMap { name: "large", text: include_str!("../maps/large.txt") },
    ];
    const MAP_ARGUMENTS: &'static [&'static str] = &["size"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Arena;
    type Action = Action;
    type State = State;

    fn messages() -> Vec<Message> {
        messages::samples()
    }
}
