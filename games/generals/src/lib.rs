//! Generals: armies spread over a board in the fog, and whoever takes a capital takes everything.
//!
//! The rule book is `README.md`. The rules are in `state.rs`, what a player may know of them in `view.rs`, the words
//! exchanged with bots in `protocol.rs`.

mod action;
mod bots;
mod encoding;
mod legacy;
mod map;
mod mapgen;
mod messages;
mod outcome;
mod protocol;
mod reader;
mod settings;
mod state;
mod view;

pub use action::{Action, Amount, Move};
pub use map::{Map, Site};
pub use settings::Settings;
pub use state::{Kind, State};
pub use view::{Frame, FrameMove, FramePlayer, Seen, Totals, View};

use messages::{Reason, Remark, Unreadable};
use palestra_core::message::samples;
use palestra_core::{BuiltIn, Game, Hides, Info, Message, TimeControl};
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
        folder: palestra_core::folder!(
            maps: ["tiny", "corridor", "duel", "plains", "trio", "quartet", "crowd"],
            bots: all,
            trained: ["README.md", "main.py", "policy.py", "train.py", "weights.json"],
            starters: { python: "generals.py", cpp: "generals.cpp" }
        ),
    };
    const BUILT_INS: &'static [BuiltIn<Generals>] = bots::ALL;

    type State = State;

    fn messages() -> Vec<Message> {
        [samples::<Reason>(), samples::<Remark>(), samples::<Unreadable>()].concat()
    }
}
