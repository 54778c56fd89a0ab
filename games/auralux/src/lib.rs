//! Auralux: planets and fleets.
//!
//! Players send ships between planets, capture them, raise them and shoot each other off them. The rule book is
//! this crate's `README.md`. Nothing here is random but the map generator and one built-in player.

mod bots;
mod flights;
mod legacy;
mod map;
mod mapgen;
mod messages;
mod outcome;
mod protocol;
mod samples;
mod settings;
mod state;
mod view;

pub use flights::{Flights, Group};
pub use map::Map;
pub use settings::{Settings, TOP_LEVEL};
pub use state::{Launch, Order, Planet, Standing, State, bits};
pub use view::{Frame, GroupFrame, PlanetFrame, PlayerFrame, View};

use palestra_core::{BuiltIn, Counter, Game, Hides, Info, Message, SampleMap, TimeControl};
use std::time::Duration;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Auralux;

impl Game for Auralux {
    const INFO: Info = Info {
        id: "auralux",
        title: "Auralux",
        summary: "planets and fleets: capture, raise and storm planets with the ships they produce",
        rules_version: 1,
        min_seats: 2,
        max_seats: 4,
        time: TimeControl::Bank { start: Duration::from_secs(2), increment: Duration::from_millis(1) },
        hides: Hides::Nothing,
        round_word: "step",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
        words: &[
            ("en", include_str!("../words/en.json")),
            ("hu", include_str!("../words/hu.json")),
            ("ru", include_str!("../words/ru.json")),
        ],
    };
    const BUILT_INS: &'static [BuiltIn<Auralux>] = bots::BUILT_INS;
    const MAPS: &'static [SampleMap] = samples::MAPS;
    const MAP_ARGUMENTS: &'static [&'static str] = &["planets", "players"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Map;
    type Action = Vec<Order>;
    type State = State;

    fn messages() -> Vec<Message> {
        messages::samples()
    }
}
