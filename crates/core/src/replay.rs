//! Replays: how a match began and what everybody answered. The rest is played again.
//!
//! A replay file is, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `PALESTRA` |
//! | 2 | format version |
//! | 4 | length of the head, unpacked |
//! | 4 | length of the answers column, unpacked |
//! | 4 | length of the times column, unpacked |
//! | rest | a zstd frame with a checksum: head, answers, times; perhaps a skippable frame behind it |
//!
//! The head is a [postcard](https://postcard.jamesmunns.com) message of [`Head`]; from format version 2 on it is followed
//! by the list of seats whose players could not be started, and from version 3 on by the list of players who left while they
//! were not to move (turn and seat; its fault is among the others). From version 4 on the reasons and faults in it are
//! messages, written as JSON (`{"code":"out_of_time"}`); before, they were English sentences. The answers are the game's own
//! actions, one postcard message after the other; turns with a fault have none. The times are two numbers per turn,
//! as postcard varints: wall time in microseconds, and processor time in microseconds plus one, 0 for "unknown".
//!
//! **Version rule.** [`FORMAT`] goes up when a reader of the former version could not read the new file, or would
//! read it as something else; readers keep reading all former versions. A game's `rules_version` goes up when the
//! same setup, seed and answers would take another course; such replays are refused, never misplayed.
//!
//! Up to version 3 the fingerprint of the last state had the sentences about who is out in it. They are read from the
//! file's own head and hashed as they are (`Digest::former_sentence`), so that these replays verify with whatever
//! words are in use now; what they say is compared with nothing. Such a replay is written again in its own version.

mod cursor;
mod file;
mod recorder;
mod tail;

pub use cursor::{Cursor, Recorded, Turn, TypedReplay, TypedTurn};
pub(crate) use recorder::Recorder;
pub use tail::{Extent, Tail};

use crate::any_game::AnyGame;
use crate::bounded;
use crate::clock::TimeControl;
use crate::fault::Fault;
use crate::game::SetupError;
use crate::limits;
use crate::matchplay::Spent;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::seat::Seat;
use serde::{Deserialize, Deserializer, Serialize};
use std::io;
use std::time::Duration;

/// The version of the file format; see the rule above.
pub const FORMAT: u16 = 4;

/// The last version whose head holds sentences.
const SENTENCES: u16 = 3;

/// What every replay file begins with.
pub const MAGIC: &[u8; 8] = b"PALESTRA";

/// A finished match: how it began, how it ended, and two columns with an entry for each turn.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/nim/game.rs")); }
/// # use nim::{Nim, played};
/// use palestra_core::{Replay, ReplayError};
///
/// let replay = played(7);
/// let file = replay.to_bytes()?;
/// assert_eq!(Replay::from_bytes(&file)?, replay);
/// assert_eq!(replay.verify(&Nim)?, replay.head.turns);
///
/// // Whoever changes something is found out when it is played again.
/// let mut forged = replay;
/// forged.head.outcome.winner = None;
/// assert!(forged.verify(&Nim).is_err());
/// # Ok::<(), ReplayError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Everything but the turns.
    pub head: Head,
    answers: Vec<u8>,
    times: Vec<u8>,
}

/// What a replay says beside its turns, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The game's id.
    pub game: String,
    /// The version of its rules that was played.
    pub rules_version: u32,
    /// The program that wrote it.
    pub made_by: String,
    /// What the match began with.
    pub plan: Plan,
    /// The time control.
    pub time: TimeControl,
    /// The bots' names, by seat.
    #[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")]
    pub bots: Vec<String>,
    /// What the players were called in the game itself, by seat; see [`State::introduce`](crate::game::State::introduce).
    #[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")]
    pub labels: Vec<String>,
    /// How many turns were taken.
    pub turns: u32,
    /// Turns without an answer, in order.
    #[serde(deserialize_with = "bounded::list::<{ limits::REPLAY_FAULTS }, _, _>")]
    pub faults: Vec<(u32, Fault)>,
    /// By seat, what a bot wrote to its standard error; cut at `limits::REPLAY_STDERR_BYTES` and
    /// `limits::REPLAY_STDERR_PIECES`.
    #[serde(deserialize_with = "read_stderr")]
    pub stderr: Vec<Stderr>,
    /// How it ended.
    pub outcome: Outcome,
    /// The fingerprint of the last state.
    pub digest: [u8; 32],
    /// Those of the faults in which a player left who was not to move, in order. Behind all others in the file.
    #[serde(skip)]
    pub departures: Vec<(u32, Seat)>,
    /// Whether its reasons and faults are the sentences of former versions.
    #[serde(skip)]
    former: bool,
}

/// What a bot wrote to its standard error, in pieces by turn.
pub type Stderr = Vec<(u32, Vec<u8>)>;

fn read_stderr<'de, D: Deserializer<'de>>(file: D) -> Result<Vec<Stderr>, D::Error> {
    #[derive(Deserialize)]
    struct Pieces(
        #[serde(deserialize_with = "bounded::list::<{ limits::REPLAY_STDERR_PIECES }, _, _>")] Stderr,
    );
    let bots = bounded::list::<{ limits::SEATS }, Pieces, _>(file)?;
    Ok(bots.into_iter().map(|Pieces(pieces)| pieces).collect())
}

/// Who left while it was not to move, and in which turn.
#[derive(Deserialize)]
struct Departures(#[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")] Vec<(u32, Seat)>);

impl Replay {
    /// The bytes of the replay file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ReplayError> {
        let (absent, departures) = (&self.head.plan.absent, &self.head.departures);
        let version = match (self.head.former, absent.is_empty(), departures.is_empty()) {
            (false, ..) => FORMAT,
            // As they were written: in the lowest version that can say everything.
            (true, true, true) => 1,
            (true, false, true) => 2,
            (true, _, false) => SENTENCES,
        };
        let mut head = postcard::to_allocvec(&self.head).expect("a replay is plain data");
        if version > 1 {
            head = postcard::to_extend(absent, head).expect("a replay is plain data");
        }
        if version > 2 {
            head = postcard::to_extend(departures, head).expect("a replay is plain data");
        }
        file::pack(version, [&head, &self.answers, &self.times])
    }

    /// Reads a replay file. However it was made, it takes no more memory than the limits say, and a small file no more
    /// than [`limits::REPLAY_FREE_BYTES`] and what a few long lists come to.
    pub fn from_bytes(file: &[u8]) -> Result<Replay, ReplayError> {
        let (version, [head, answers, times]) = file::unpack(file)?;
        let unreadable = |error: postcard::Error| ReplayError::Damaged(error.to_string());
        let (mut head, mut rest) = postcard::take_from_bytes::<Head>(&head).map_err(unreadable)?;
        if version > 1 {
            (head.plan.absent, rest) = postcard::take_from_bytes(rest).map_err(unreadable)?;
        }
        if version > 2 {
            (Departures(head.departures), rest) = postcard::take_from_bytes(rest).map_err(unreadable)?;
        }
        if !rest.is_empty() {
            return Err(ReplayError::Damaged("there is more in its head than it declares".to_owned()));
        }
        head.former = version <= SENTENCES;
        head.check()?;
        Ok(Replay { head, answers, times })
    }

    /// What each turn took, in order. The time between turns is not recorded, so `at` is without it.
    pub fn times(&self) -> impl Iterator<Item = Spent> + '_ {
        let mut rest = self.times.as_slice();
        let mut at = Duration::ZERO;
        std::iter::from_fn(move || {
            let (wall, after) = postcard::take_from_bytes::<u64>(rest).ok()?;
            let (cpu, after) = postcard::take_from_bytes::<u64>(after).ok()?;
            rest = after;
            let cpu = cpu.checked_sub(1).map(Duration::from_micros);
            let wall = Duration::from_micros(wall);
            at = at.saturating_add(wall);
            Some(Spent { at, wall, cpu })
        })
    }

    /// What all turns took together.
    pub fn wall(&self) -> Duration {
        self.times().last().map_or(Duration::ZERO, |spent| spent.at)
    }

    /// The same match for people other than the authors of its bots: of a fault only the kind is told, except on seats
    /// that `own` says. Course, places and points stay; reasons that would quote a fault are those of the match played
    /// again with these faults, so that what is left verifies like any other replay.
    pub fn with_fault_kinds_only(
        &self,
        game: &dyn AnyGame,
        own: impl Fn(Seat) -> bool,
    ) -> Result<Replay, ReplayError> {
        let mut told = self.clone();
        if told.head.faults.is_empty() && !told.head.former {
            return Ok(told);
        }
        let mut faults = told.head.faults.iter_mut();
        let mut cursor = Cursor::start(game, self)?;
        while let Some(turn) = cursor.advance(self)? {
            if let Recorded::Fault(fault) = turn.input
                && let Some((_, told)) = faults.next()
                && !own(turn.seat)
            {
                *told = fault.kind_only();
            }
        }
        told.retell(game)?;
        Ok(told)
    }

    /// In the form of today: one with sentences, if it holds, gets the reasons that playing it again comes to.
    pub fn renewed(mut self, game: &dyn AnyGame) -> Replay {
        if self.head.former && self.verify(game).is_ok() {
            // It has just been played to its end.
            let _ = self.retell(game);
        }
        self
    }

    /// Takes result and fingerprint from playing it again.
    fn retell(&mut self, game: &dyn AnyGame) -> Result<(), ReplayError> {
        let mut cursor = Cursor::start(game, self)?;
        cursor.advance_to_end(self)?;
        let outcome = cursor.state().outcome().ok_or_else(|| ReplayError::mismatch(NOT_OVER))?;
        self.head.digest = cursor.state().digest();
        self.head.outcome = outcome;
        self.head.former = false;
        Ok(())
    }

    /// Plays the match again and compares; says how many turns that took.
    pub fn verify(&self, game: &dyn AnyGame) -> Result<u32, ReplayError> {
        let mut cursor = Cursor::start(game, self)?;
        cursor.advance_to_end(self)?;
        cursor.compare_end(self)?;
        Ok(self.head.turns)
    }
}

impl Head {
    /// What every part of the program may rely on in a replay, whoever wrote it.
    fn check(&self) -> Result<(), ReplayError> {
        let seats = usize::from(self.plan.seats);
        let lists = [self.bots.len(), self.labels.len(), self.outcome.placings.len()];
        if seats == 0 || seats > limits::SEATS || lists.iter().any(|length| *length != seats) {
            return Err(ReplayError::Damaged("its seats, bots and placings do not match".to_owned()));
        }
        if self.stderr.len() > seats {
            return Err(ReplayError::Damaged("it has the standard error of more bots than seats".to_owned()));
        }
        if self.outcome.winner.is_some_and(|seat| seat.number() == 0 || seat.number() > self.plan.seats) {
            return Err(ReplayError::Damaged("its winner has no seat".to_owned()));
        }
        let absent = &self.plan.absent;
        if absent.iter().any(|seat| !Seat::all(self.plan.seats).any(|known| known == *seat))
            || !absent.is_sorted_by(|one, next| one < next)
        {
            return Err(ReplayError::Damaged("its absent players have no seats".to_owned()));
        }
        let ordered = self.faults.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ordered || self.faults.iter().any(|(turn, _)| *turn == 0 || *turn > self.turns) {
            return Err(ReplayError::Damaged("its faults are not in the order of turns".to_owned()));
        }
        let departs = |turn: &u32| self.faults.binary_search_by_key(turn, |(turn, _)| *turn).is_ok();
        if !self.departures.is_sorted_by(|one, next| one.0 < next.0)
            || !self.departures.iter().all(|(turn, seat)| departs(turn) && seat.index() < seats)
        {
            return Err(ReplayError::Damaged("somebody leaves in a turn without a fault".to_owned()));
        }
        if self.outcome.placings.iter().any(|placing| placing.score.parts().1 == 0) {
            return Err(ReplayError::Damaged("a score is a fraction of nothing".to_owned()));
        }
        Ok(())
    }
}

/// Why a replay cannot be used.
#[allow(missing_docs, reason = "the sentence of an error says what is in it")]
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("this is no replay of Palestra")]
    Foreign,
    /// Written by a later program.
    #[error(
        "this replay has format version {0}, and this program reads versions up to {FORMAT}; use a newer one"
    )]
    Newer(u16),
    #[error("the replay is damaged: {0}")]
    Damaged(String),
    /// A declared size beyond the limit.
    #[error("the replay declares {size} bytes of {what}, and the limit is {limit}")]
    TooLarge { what: &'static str, size: u64, limit: u64 },
    /// Of another game than asked for, or of one this program does not have.
    #[error("the replay is of the game \"{found}\", not of {wanted}")]
    OtherGame { found: String, wanted: String },
    /// Of rules that are no more.
    #[error(
        "the replay was played by version {found} of the rules of {game}, and this program has version {ours}"
    )]
    OtherRules { game: String, found: u32, ours: u32 },
    /// Its settings or map are impossible.
    #[error("the replay cannot be set up: {0}")]
    Setup(#[from] SetupError),
    /// Playing it again came to something else.
    #[error("the replay does not hold: {0}")]
    Mismatch(String),
    /// A log could not be written.
    #[error("failed to write the log: {0}")]
    Write(#[from] io::Error),
    /// The game has no such log format.
    #[error("there is no export format \"{0}\"")]
    UnknownExport(String),
}

const NOT_OVER: &str = "the game is not over after its last turn";

impl ReplayError {
    fn mismatch(what: &str) -> ReplayError {
        ReplayError::Mismatch(what.to_owned())
    }
}
