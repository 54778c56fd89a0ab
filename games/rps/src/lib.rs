//! Rock Paper Scissor: two factories in opposite corners of an arena, and units that beat one another in a circle.
//!
//! The rule book is `README.md`. The rules are in `state.rs`, what a player may know of them in `view.rs`, the words
//! exchanged with bots in `protocol.rs`.

mod action;
mod bots;
mod clients;
mod encoding;
mod legacy;
mod map;
mod messages;
mod outcome;
mod protocol;
mod reader;
mod settings;
mod state;
mod view;

pub use action::{Action, Direction, Order};
pub use map::Arena;
pub use settings::Settings;
pub use state::{Kind, State};
pub use view::{
    Frame, FrameBase, FramePlayer, FrameProduction, FrameUnit, Owner, Seen, Soldier, Verdict, View,
};

use messages::{Reason, Remark};
use palestra_core::message::samples;
use palestra_core::{BuiltIn, Game, Hides, Info, Message, TimeControl};
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
        folder: palestra_core::folder!(
            maps: ["standard", "tiny", "small", "large"],
            bots: all,
            trained: ["README.md", "main.py", "policy.py", "train.py", "weights.json"],
            starters: { python: "rps.py" },
            clients: { python: ["rps.py"], cpp: ["main.cpp", "Client.h", "parser.h", "stdafx.h"] }
        ),
    };
    const BUILT_INS: &'static [BuiltIn<Rps>] = bots::ALL;

    type State = State;

    fn messages() -> Vec<Message> {
        [samples::<Reason>(), samples::<Remark>()].concat()
    }
}
