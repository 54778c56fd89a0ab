//! The vocabulary of Palestra.
//!
//! Here is what a game is ([`game`]), how one is played ([`Match`], [`play`]), how time is kept
//! ([`TimeControl`]), how it ends ([`Outcome`]) and how it is kept ([`Replay`]); and, for programs that learn, how it is told in
//! numbers ([`encoding`]) and played many times side by side ([`batch`]).
//!
//! Nothing here starts a process, opens a file, asks for the time or starts a thread: every duration and every
//! byte is handed in by a driver. A match is therefore the same with pipes, sockets, or no bots at all.
//!
//! # A whole game
//!
//! ```
#![doc = include_str!("../examples/nim/game.rs")]
//!
//! // A match of its built-in player against itself, and whether its replay holds.
//! let replay = played(7);
//! assert_eq!(replay.verify(&Nim)?, replay.head.turns);
//! # Ok::<(), palestra_core::ReplayError>(())
//! ```

mod any_game;
pub mod any_state;
pub mod batch;
pub mod bounded;
pub mod catalog;
mod clock;
pub mod course;
mod defeat;
pub mod digest;
pub mod encoding;
pub mod fault;
pub mod folder;
pub mod game;
mod inbox;
pub mod legacy;
pub mod limits;
mod matchplay;
pub mod message;
mod notes;
pub mod outcome;
mod plan;
pub mod play;
pub mod replay;
mod rng;
mod seat;
pub mod settings;
pub mod text;
#[cfg(feature = "typescript")]
mod typescript;

pub use any_game::{AnyGame, BuiltInDoc};
pub use any_state::AnyState;
pub use catalog::Catalog;
pub use clock::{BadTimeControl, TimeControl};
pub use course::Course;
pub use defeat::{Defeat, defeats};
pub use digest::Digest;
pub use encoding::Encoding;
pub use fault::{Exit, Fault};
pub use folder::{Client, Folder, SampleMap};
pub use game::{
    Bot, BotSeat, BuiltIn, Counter, Game, Hides, Info, Input, Parsed, Protocol, SetupError, Situation,
};
pub use inbox::{Inbox, Progress, Unit};
pub use matchplay::{Entrant, EntrantKind, Heard, Match, Next, Spent, Usage};
pub use message::Message;
pub use notes::{Note, Notes, SeatNotes};
pub use outcome::{Fate, Outcome, Placing, Score};
pub use plan::{Plan, PlanRequest};
pub use replay::{Cursor, Replay, ReplayError};
pub use rng::Rng;
pub use seat::{Eye, Seat};
pub use settings::{SettingDoc, Settings};
