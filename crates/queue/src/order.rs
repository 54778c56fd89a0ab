//! A match to be played elsewhere, as its server knows it.

use crate::messages::Sandbox;
use crate::need::Need;
use crate::pack::PortableBot;
use palestra_core::{AnyGame, Entrant, Plan, Seat, TimeControl};
use palestra_runner::{Asked, Level, Played};

/// A match that a worker is asked to play.
#[derive(Clone)]
pub struct MatchOrder {
    /// Its number; with the attempt it is unique in a run.
    pub number: u64,
    /// How often it was played before and does not count.
    pub attempt: u32,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// What it begins with.
    pub plan: Plan,
    /// The time control.
    pub time: TimeControl,
    /// Who plays, by seat.
    pub seats: Vec<SeatOrder>,
    /// What stands between the bots and the worker's machine.
    pub sandbox: Sandbox,
    /// Cores of the match.
    pub cores: u16,
    /// Whether its turns are told while it is played.
    pub live: bool,
}

impl MatchOrder {
    /// One that is played for the first time, by the game's own clock, on one core, without a sandbox, and that nobody watches.
    pub fn new(number: u64, game: &'static dyn AnyGame, plan: Plan, seats: Vec<SeatOrder>) -> MatchOrder {
        MatchOrder {
            number,
            attempt: 0,
            game,
            plan,
            time: game.info().time,
            seats,
            sandbox: Sandbox::new(Level::Off, Asked::default()),
            cores: 1,
            live: false,
        }
    }
}

/// Who plays on a seat.
#[derive(Clone, Debug)]
pub struct SeatOrder {
    /// The name to show.
    pub name: String,
    /// What protocols call it, if not the usual.
    pub label: Option<String>,
    /// What it is.
    pub bot: PortableBot,
}

/// What became of a match.
#[derive(Debug)]
pub enum Answer {
    /// It was played, and what the worker says was found to hold.
    Played(Box<RemotePlayed>),
    /// It could not be played, and why: one sentence.
    Failed(String),
    /// Nobody plays it: no worker is left that could, or it was taken back.
    NotPlayed,
}

/// A match that a worker has played.
#[derive(Debug)]
pub struct RemotePlayed {
    /// As if it had been played here.
    pub played: Played,
    /// The replay file.
    pub replay: Vec<u8>,
    /// How long the match took, in milliseconds.
    pub millis: u64,
    /// Who played it.
    pub worker: String,
}

impl Sandbox {
    /// The sandbox of this level, with these limits.
    pub fn new(level: Level, asked: Asked) -> Sandbox {
        let Asked { memory_bytes, processes } = asked;
        Sandbox { level: level.to_string(), memory_bytes, processes }
    }
}

impl MatchOrder {
    /// What a worker must have for it.
    pub fn need(&self) -> Need {
        let info = self.game.info();
        let bots: Vec<_> = self.seats.iter().map(|seat| seat.bot.order()).collect();
        Need::new((info.id, info.rules_version), &self.sandbox, self.cores, &bots)
    }

    /// What protocols call everybody, by seat.
    pub(crate) fn labels(&self) -> Vec<String> {
        let seats = Seat::all(self.plan.seats).zip(&self.seats);
        seats
            .map(|(seat, order)| entrant(&order.name, &order.label, built_in(&order.bot)).label_at(seat))
            .collect()
    }
}

fn built_in(bot: &PortableBot) -> Option<&str> {
    match bot {
        PortableBot::BuiltIn(name) => Some(name),
        PortableBot::Program(_) => None,
    }
}

/// How somebody takes part: server and worker must agree on it.
pub(crate) fn entrant(name: &str, label: &Option<String>, built_in: Option<&str>) -> Entrant {
    let entrant = match built_in {
        Some(built_in) => Entrant::built_in(built_in),
        None => Entrant::outside(name),
    };
    match label {
        Some(label) => entrant.known_as(label),
        None => entrant,
    }
}
