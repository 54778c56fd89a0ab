//! What the page is told. `web/src/api.ts` is generated from these types.

use palestra_core::{Fate, Message, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A match in the list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Summary {
    /// Its name in addresses: /ID, /api/matches/ID.
    pub(crate) id: String,
    /// The game's id.
    pub(crate) game: &'static str,
    /// The game's name for people.
    pub(crate) title: &'static str,
    /// Who plays, by seat.
    pub(crate) names: Vec<String>,
    /// Turns so far.
    pub(crate) turns: u32,
    /// Whether no more will come.
    pub(crate) over: bool,
    /// The seat that won, if one did.
    pub(crate) winner: Option<Seat>,
}

/// All matches.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct List {
    /// Those named on the command line first.
    pub(crate) matches: Vec<Summary>,
}

/// Everything about a match that does not change from turn to turn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Head {
    /// Its name in addresses.
    pub(crate) id: String,
    /// The game.
    pub(crate) game: GameHead,
    /// Who plays, by seat.
    pub(crate) names: Vec<String>,
    /// Turns so far.
    pub(crate) turns: u32,
    /// Whether no more will come.
    pub(crate) over: bool,
    /// Whether a spectator may look: false while people play and nobody else may watch, and while nothing of a match that
    /// is shown late may be seen yet.
    pub(crate) open: bool,
    /// The only seat whose eyes may be used while the match goes on: that of whoever asks.
    pub(crate) eye: Option<Seat>,
    /// How far behind the match is shown while it goes on, because it hides things from its players; null if it is shown
    /// at once.
    pub(crate) late: Option<Lateness>,
    /// The seats played by people at this server.
    pub(crate) people: Vec<Seat>,
    /// What decided everything left to chance; unknown in a log, and told only when the match is over. A string, as it may
    /// be too long for a number of JavaScript.
    pub(crate) seed: Option<String>,
    /// The time control; unknown in a log.
    pub(crate) time: Option<Message>,
    /// Whether there is a replay file to download now.
    pub(crate) replay: bool,
    /// How it ended.
    pub(crate) outcome: Option<OutcomeHead>,
}

/// How far behind a match is shown: both null if it is shown when it is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Lateness {
    /// So many seconds,
    pub(crate) seconds: Option<u32>,
    /// and at least so many rounds.
    pub(crate) rounds: Option<u32>,
}

/// What the page must know of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameHead {
    /// Its name in addresses and folders.
    pub(crate) id: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// "round", "step", "tick".
    pub(crate) round_word: &'static str,
    /// Whether a seat knows less than a spectator.
    pub(crate) fog: bool,
    /// What is counted of every player, as keys of `frame.players[…]`; the game's words say what people call it.
    pub(crate) counters: Vec<&'static str>,
}

/// How a match ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OutcomeHead {
    /// The one winner, if there is one.
    pub(crate) winner: Option<Seat>,
    /// By seat.
    pub(crate) placings: Vec<PlacingHead>,
}

/// How it ended for one seat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlacingHead {
    /// 1 is the best.
    pub(crate) place: u32,
    /// The points of this match.
    pub(crate) score: f64,
    /// alive, out or disqualified.
    #[cfg_attr(test, ts(as = "String"))]
    pub(crate) fate: Fate,
    /// How it came to that.
    pub(crate) reason: Message,
}

/// Some moments of a match: the first whole, the others as changes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Chunk {
    /// Turns between two moments.
    pub(crate) every: u32,
    /// Which chunk of this stride it is.
    pub(crate) chunk: u32,
    /// How many of its moments were known already.
    pub(crate) after: u32,
    /// Turns of the match so far.
    pub(crate) turns: u32,
    /// Whether no more will come.
    pub(crate) over: bool,
    /// The first moment; null if it was known already, or the match has not come that far.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub(crate) first: Option<Value>,
    /// What leads from each moment to the next, beginning with the last that was known already.
    #[cfg_attr(test, ts(type = "Array<unknown>"))]
    pub(crate) changes: Vec<Value>,
}

/// The whole match at a glance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Overview {
    /// Turns that this covers.
    pub(crate) turns: u32,
    /// Every so many turns there is a value. The first is that of the beginning.
    pub(crate) every: u32,
    /// By counter (in the order of the game's), by seat, over time; null where these eyes cannot know.
    #[cfg_attr(test, ts(type = "Array<Array<Array<number | null>>>"))]
    pub(crate) counters: Vec<Vec<Vec<Option<u64>>>>,
    /// By seat, over time: the longest turn of every stretch, in milliseconds; null where nothing was measured.
    pub(crate) times: Vec<Vec<Option<f64>>>,
    /// What to mark on the time line, in order.
    pub(crate) marks: Vec<TimelineMark>,
}

/// Something worth jumping to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Mark"))]
pub(crate) struct TimelineMark {
    /// The turn in which it happened.
    pub(crate) turn: u32,
    /// What kind of thing.
    pub(crate) kind: MarkKind,
    /// The seat that it is about.
    pub(crate) seat: Seat,
    /// What a player has more of now; only of a capture.
    pub(crate) counter: Option<&'static str>,
    /// What the fault or the remark is, or why the player is out, as soon as that is known.
    pub(crate) what: Option<Message>,
}

/// What a mark is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum MarkKind {
    /// Something changed hands.
    Capture,
    /// A player is out.
    Out,
    /// A bot failed.
    Fault,
    /// The rules remarked something.
    Note,
}

/// Why everybody lost who did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Defeats {
    /// By seat; empty while the match goes on, and for a log.
    pub(crate) defeats: Vec<DefeatView>,
}

/// Why one player lost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Defeat"))]
pub(crate) struct DefeatView {
    /// The seat that lost.
    pub(crate) seat: Seat,
    /// The turn to look at first; 0 if there is none.
    pub(crate) turn: u32,
    /// When the balance tipped, faults and time, and how to see that turn again.
    pub(crate) sentences: Vec<Message>,
}

/// One turn of one seat, raw.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TurnDetail {
    /// The turn of the match, counted from 1.
    pub(crate) turn: u32,
    /// The seat that was asked.
    pub(crate) seat: Seat,
    /// What it was sent.
    pub(crate) ask: String,
    /// What it answered, as the game understood it.
    pub(crate) answer: Option<String>,
    /// What went wrong instead.
    pub(crate) fault: Option<Message>,
    /// What it wrote to standard error in this turn.
    pub(crate) stderr: String,
    /// Time on the wall clock.
    pub(crate) wall_ms: Option<f64>,
    /// Processor time of the turn; null where it cannot be told.
    pub(crate) cpu_ms: Option<f64>,
    /// What the rules remarked.
    pub(crate) notes: Vec<Message>,
}

/// How far a match that goes on has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Progress {
    /// Turns so far.
    pub(crate) turns: u32,
    /// Whether no more will come.
    pub(crate) over: bool,
    /// Whose turn it is.
    pub(crate) to_move: Option<Seat>,
}

/// A rule book.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Rules {
    /// The game's name for people.
    pub(crate) title: &'static str,
    /// The code of the language that the book is in.
    pub(crate) language: &'static str,
    /// The book.
    pub(crate) html: String,
}

/// A person's answer.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Answer {
    /// The seat.
    pub(crate) seat: u8,
    /// The seat's secret.
    pub(crate) key: String,
    /// The turn it is for.
    pub(crate) turn: u32,
    /// The answer, in the game's protocol.
    pub(crate) text: String,
}

/// A person who gives up.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Resignation {
    /// The seat.
    pub(crate) seat: u8,
    /// The seat's secret.
    pub(crate) key: String,
}
