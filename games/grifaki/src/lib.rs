//! Grifaki: armies, walls and cities on a board in the fog, where sight depends on the land.
//!
//! The rule book is `README.md`. The rules are in `state.rs`, what a player may know of them in `view.rs`, the words
//! exchanged with bots in `protocol.rs`.

mod action;
mod bots;
mod decimal;
mod encoding;
mod kind;
mod legacy;
mod map;
mod mapgen;
mod messages;
mod outcome;
mod prices;
mod protocol;
mod reader;
mod settings;
mod sight;
mod state;
mod view;

pub use action::{Action, Build, Move};
pub use decimal::{BadDecimal, Decimal};
pub use kind::{Building, Kind};
pub use map::{Base, Map, Site};
pub use settings::Settings;
pub use state::State;
pub use view::{Frame, FrameAction, FrameCapital, FramePlayer, Seen, Verdict, View};

use messages::{Reason, Remark, Unreadable};
use palestra_core::message::samples;
use palestra_core::{BuiltIn, Game, Hides, Info, Message, TimeControl};
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
        folder: palestra_core::folder!(
            maps: ["tiny", "pass", "duel", "trio", "quartet", "crowd"],
            bots: all,
            trained: ["README.md", "main.py", "policy.py", "train.py", "weights.json"],
            starters: { python: "grifaki.py", cpp: "grifaki.cpp" }
        ),
    };
    const BUILT_INS: &'static [BuiltIn<Grifaki>] = bots::ALL;

    type State = State;

    fn messages() -> Vec<Message> {
        [samples::<Reason>(), samples::<Remark>(), samples::<Unreadable>()].concat()
    }
}
