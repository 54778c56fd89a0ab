//! Auralux: planets and fleets.
//!
//! Players send ships between planets, capture them, raise them and shoot each other off them. The rule book is
//! this crate's `README.md`. Nothing here is random but the map generator and one built-in player.

mod bots;
mod encoding;
mod flights;
mod legacy;
mod map;
mod mapgen;
mod messages;
mod outcome;
mod protocol;
mod reader;
mod settings;
mod situations;
mod state;
mod view;

pub use flights::{Flights, Group};
pub use map::Map;
pub use settings::{Settings, TOP_LEVEL};
pub use state::{Launch, Order, Planet, Standing, State, bits};
pub use view::{Frame, GroupFrame, PlanetFrame, PlayerFrame, View};

use messages::{Breach, Reason, Remark, Unreadable};
use palestra_core::message::samples;
use palestra_core::{BuiltIn, Game, Hides, Info, Message, TimeControl};
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
        folder: palestra_core::folder!(
            maps: ["tiny", "duel", "lanes", "medium", "wide", "trio", "four", "cross"],
            bots: all,
            trained: ["README.md", "main.py", "policy.py", "train.py", "weights.json"],
            starters: { python: "auralux.py", cpp: "auralux.cpp" }
        ),
    };
    const BUILT_INS: &'static [BuiltIn<Auralux>] = bots::BUILT_INS;

    type State = State;

    fn messages() -> Vec<Message> {
        [samples::<Reason>(), samples::<Breach>(), samples::<Remark>(), samples::<Unreadable>()].concat()
    }
}
