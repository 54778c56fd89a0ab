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
//! file's own head and hashed as they are ([`Digest::former_sentence`]), so that these replays verify with whatever
//! words are in use now; what they say is compared with nothing. Such a replay is written again in its own version.

mod file;

use crate::bounded;
use crate::clock::TimeControl;
use crate::digest::Digest;
use crate::fault::Fault;
use crate::game::{ActionOf, Game, Info, Input, SettingsOf, SetupError, SetupOf, State as _};
use crate::limits;
use crate::matchplay::Spent;
use crate::outcome::Outcome;
use crate::seat::Seat;
use crate::table::{AnyGame, Plan, Table};
use serde::{Deserialize, Serialize};
use std::io;
use std::time::Duration;

/// The version of the file format; see the rule above.
pub const FORMAT: u16 = 4;

/// The last version whose head holds sentences.
const SENTENCES: u16 = 3;

/// What every replay file begins with.
pub const MAGIC: &[u8; 8] = b"PALESTRA";

/// A finished match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
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
    pub bots: Vec<String>,
    /// What the players were called in the game itself, by seat; see [`State::introduce`](crate::game::State::introduce).
    pub labels: Vec<String>,
    /// How many turns were taken.
    pub turns: u32,
    /// Turns without an answer, in order.
    pub faults: Vec<(u32, Fault)>,
    /// Those of them in which a player left who was not to move, in order.
    pub departures: Vec<(u32, Seat)>,
    /// What each bot wrote to its standard error, by turn; cut at [`limits::REPLAY_STDERR_BYTES`] and
    /// [`limits::REPLAY_STDERR_PIECES`].
    pub stderr: Vec<Vec<(u32, Vec<u8>)>>,
    /// How it ended.
    pub outcome: Outcome,
    /// The fingerprint of the last state.
    pub digest: [u8; 32],
    /// Whether its reasons and faults are the sentences of former versions.
    former: bool,
    answers: Vec<u8>,
    times: Vec<u8>,
}

/// Why a replay cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Not one of ours.
    #[error("this is no replay of Palestra")]
    Foreign,
    /// Written by a later program.
    #[error(
        "this replay has format version {0}, and this program reads versions up to {FORMAT}; use a newer one"
    )]
    Newer(u16),
    /// Cut off or changed.
    #[error("the replay is damaged: {0}")]
    Damaged(String),
    /// A declared size beyond the limit.
    #[error("the replay declares {size} bytes of {what}, and the limit is {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// What it declares.
        size: u64,
        /// What is allowed.
        limit: u64,
    },
    /// Of another game than asked for, or of one this program does not have.
    #[error("the replay is of the game \"{found}\", not of {wanted}")]
    OtherGame {
        /// The game of the replay.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// Of rules that are no more.
    #[error(
        "the replay was played by version {found} of the rules of {game}, and this program has version {ours}"
    )]
    OtherRules {
        /// The game.
        game: String,
        /// The version of the replay.
        found: u32,
        /// The version here.
        ours: u32,
    },
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

#[derive(Serialize, Deserialize)]
struct Head {
    game: String,
    rules_version: u32,
    made_by: String,
    settings: String,
    setup: String,
    seed: u64,
    seats: u8,
    time: TimeControl,
    #[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")]
    bots: Vec<String>,
    #[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")]
    labels: Vec<String>,
    turns: u32,
    #[serde(deserialize_with = "bounded::list::<{ limits::REPLAY_FAULTS }, _, _>")]
    faults: Vec<(u32, Fault)>,
    #[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")]
    stderr: Vec<Pieces>,
    outcome: Outcome,
    digest: [u8; 32],
}

/// What one bot wrote to its standard error, by turn.
#[derive(Serialize, Deserialize)]
struct Pieces(
    #[serde(deserialize_with = "bounded::list::<{ limits::REPLAY_STDERR_PIECES }, _, _>")]
    Vec<(u32, Vec<u8>)>,
);

/// Who left while it was not to move, and in which turn.
#[derive(Serialize, Deserialize)]
struct Departures(#[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")] Vec<(u32, Seat)>);

impl Replay {
    /// The bytes of the replay file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ReplayError> {
        let head = Head {
            game: self.game.clone(),
            rules_version: self.rules_version,
            made_by: self.made_by.clone(),
            settings: self.plan.settings.clone(),
            setup: self.plan.setup.clone(),
            seed: self.plan.seed,
            seats: self.plan.seats,
            time: self.time,
            bots: self.bots.clone(),
            labels: self.labels.clone(),
            turns: self.turns,
            faults: self.faults.clone(),
            stderr: self.stderr.iter().cloned().map(Pieces).collect(),
            outcome: self.outcome.clone(),
            digest: self.digest,
        };
        let mut head = postcard::to_allocvec(&head).expect("a replay is plain data");
        let version = match (self.former, self.plan.absent.is_empty(), self.departures.is_empty()) {
            (false, ..) => FORMAT,
            // As they were written: in the lowest version that can say everything.
            (true, true, true) => 1,
            (true, false, true) => 2,
            (true, _, false) => SENTENCES,
        };
        if version > 1 {
            head = postcard::to_extend(&self.plan.absent, head).expect("a replay is plain data");
        }
        if version > 2 {
            head = postcard::to_extend(&self.departures, head).expect("a replay is plain data");
        }
        file::pack(version, [&head, &self.answers, &self.times])
    }

    /// Reads a replay file. However it was made, it takes no more memory than the limits say, and a small file no more
    /// than [`limits::REPLAY_FREE_BYTES`] and what a few long lists come to.
    pub fn from_bytes(file: &[u8]) -> Result<Replay, ReplayError> {
        let damaged = |what: &str| ReplayError::Damaged(what.to_owned());
        let (version, [head, answers, times]) = file::unpack(file)?;
        let unreadable = |error: postcard::Error| damaged(&error.to_string());
        let (head, mut rest) = postcard::take_from_bytes::<Head>(&head).map_err(unreadable)?;
        let mut absent = Vec::new();
        if version > 1 {
            (absent, rest) = postcard::take_from_bytes::<Vec<Seat>>(rest).map_err(unreadable)?;
        }
        let mut departures = Departures(Vec::new());
        if version > 2 {
            (departures, rest) = postcard::take_from_bytes(rest).map_err(unreadable)?;
        }
        if !rest.is_empty() {
            return Err(damaged("there is more in its head than it declares"));
        }
        let replay = Replay {
            game: head.game,
            rules_version: head.rules_version,
            made_by: head.made_by,
            plan: Plan {
                settings: head.settings,
                setup: head.setup,
                seed: head.seed,
                seats: head.seats,
                absent,
            },
            time: head.time,
            bots: head.bots,
            labels: head.labels,
            turns: head.turns,
            faults: head.faults,
            departures: departures.0,
            stderr: head.stderr.into_iter().map(|Pieces(pieces)| pieces).collect(),
            outcome: head.outcome,
            digest: head.digest,
            former: version <= SENTENCES,
            answers,
            times,
        };
        replay.check()?;
        Ok(replay)
    }

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

    /// How much of it there is, for [`Tail::extend`].
    pub fn extent(&self) -> Extent {
        Extent {
            answers: self.answers.len(),
            times: self.times.len(),
            faults: self.faults.len(),
            departures: self.departures.len(),
        }
    }

    /// Adds what came after its end.
    pub fn append(&mut self, tail: Tail) {
        self.turns = tail.turns;
        self.answers.extend(tail.answers);
        self.times.extend(tail.times);
        self.faults.extend(tail.faults);
        self.departures.extend(tail.departures);
    }

    /// Whose a turn is: that of the player to move, or of another one who plays and leaves.
    fn seat_of(
        &self,
        turn: u32,
        to_move: Option<Seat>,
        plays: impl Fn(Seat) -> bool,
    ) -> Result<Seat, ReplayError> {
        let Some(to_move) = to_move else {
            return Err(ReplayError::Mismatch(format!("the game is over before turn {turn}")));
        };
        match self.departures.iter().find(|(departure, _)| *departure == turn) {
            None => Ok(to_move),
            Some((_, seat)) if plays(*seat) => Ok(*seat),
            Some((_, seat)) => {
                Err(ReplayError::Mismatch(format!("player {seat} leaves in turn {turn} and is out before")))
            }
        }
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
        if told.faults.is_empty() && !told.former {
            return Ok(told);
        }
        let mut faults = told.faults.iter_mut();
        let mut course = Course::open(game, self)?;
        while let Some(turn) = course.advance()? {
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
        if self.former && self.verify(game).is_ok() {
            // It has just been played to its end.
            let _ = self.retell(game);
        }
        self
    }

    /// Takes result and fingerprint from playing it again.
    fn retell(&mut self, game: &dyn AnyGame) -> Result<(), ReplayError> {
        let mut course = Course::open(game, self)?;
        while course.advance()?.is_some() {}
        let outcome = course.table.outcome().ok_or_else(|| ReplayError::mismatch(NOT_OVER))?;
        self.digest = course.table.digest();
        self.outcome = outcome;
        self.former = false;
        Ok(())
    }

    /// Plays the match again and compares; says how many turns that took.
    pub fn verify(&self, game: &dyn AnyGame) -> Result<u32, ReplayError> {
        let mut course = Course::open(game, self)?;
        while course.advance()?.is_some() {}
        course.compare_end()?;
        if self.times().count() != self.turns as usize {
            return Err(ReplayError::Mismatch("it does not have a time for every turn".to_owned()));
        }
        Ok(self.turns)
    }
}

/// How much of a match has been recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    answers: usize,
    times: usize,
    faults: usize,
    departures: usize,
}

/// The turns of a match since some moment, to be added to a copy of its replay that ends there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tail {
    turns: u32,
    answers: Vec<u8>,
    times: Vec<u8>,
    faults: Vec<(u32, Fault)>,
    departures: Vec<(u32, Seat)>,
}

impl Tail {
    /// Adds what the replay has got since it had this extent, at which the tail must end.
    pub fn extend(&mut self, replay: &Replay, since: Extent) {
        self.turns = replay.turns;
        self.answers.extend_from_slice(&replay.answers[since.answers..]);
        self.times.extend_from_slice(&replay.times[since.times..]);
        self.faults.extend_from_slice(&replay.faults[since.faults..]);
        self.departures.extend_from_slice(&replay.departures[since.departures..]);
    }

    /// Adds the turns that come behind its own.
    pub fn join(&mut self, later: Tail) {
        self.turns = later.turns;
        self.answers.extend(later.answers);
        self.times.extend(later.times);
        self.faults.extend(later.faults);
        self.departures.extend(later.departures);
    }

    /// Leaves only the kinds of its faults, and gives what they were.
    pub fn take_fault_sentences(&mut self) -> Vec<(u32, Fault)> {
        let kinds = self.faults.iter().map(|(turn, fault)| (*turn, fault.kind_only())).collect();
        std::mem::replace(&mut self.faults, kinds)
    }

    /// Whether there is no turn in it.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }
}

/// Bytes of the largest number.
const MOST_VARINT_BYTES: usize = 10;

/// Takes a match down while it is played.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    replay: Replay,
}

impl Recorder {
    pub(crate) fn new(
        info: &Info,
        plan: Plan,
        bots: Vec<String>,
        labels: Vec<String>,
        time: TimeControl,
    ) -> Recorder {
        let outcome = Outcome { winner: None, placings: Vec::new() };
        Recorder {
            replay: Replay {
                game: info.id.to_owned(),
                rules_version: info.rules_version,
                made_by: concat!("palestra ", env!("CARGO_PKG_VERSION")).to_owned(),
                plan,
                time,
                bots,
                labels,
                turns: 0,
                faults: Vec::new(),
                departures: Vec::new(),
                stderr: Vec::new(),
                outcome,
                digest: [0; 32],
                former: false,
                answers: Vec::new(),
                times: Vec::new(),
            },
        }
    }

    /// Books a turn's times and says which turn it is.
    pub(crate) fn turn(&mut self, spent: Spent) -> u32 {
        self.replay.turns += 1;
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX - 1);
        let cpu = spent.cpu.map_or(0, |cpu| micros(cpu) + 1);
        let mut bytes = [0; 2 * MOST_VARINT_BYTES];
        let bytes = postcard::to_slice(&(micros(spent.wall), cpu), &mut bytes).expect("two numbers fit");
        self.replay.times.extend_from_slice(bytes);
        self.replay.turns
    }

    pub(crate) fn answers(&mut self) -> &mut Vec<u8> {
        &mut self.replay.answers
    }

    pub(crate) fn fault(&mut self, turn: u32, fault: &Fault) {
        self.replay.faults.push((turn, fault.clone()));
    }

    /// The turn is that of a player who was not to move, and has left.
    pub(crate) fn departure(&mut self, turn: u32, seat: Seat) {
        self.replay.departures.push((turn, seat));
    }

    pub(crate) fn so_far(&self) -> &Replay {
        &self.replay
    }

    pub(crate) fn finish(
        mut self,
        outcome: Outcome,
        digest: [u8; 32],
        stderr: Vec<Vec<(u32, Vec<u8>)>>,
    ) -> Replay {
        self.replay.outcome = outcome;
        self.replay.digest = digest;
        self.replay.stderr = stderr;
        for pieces in &mut self.replay.stderr {
            let mut left = limits::REPLAY_STDERR_BYTES;
            for (_, piece) in pieces.iter_mut() {
                piece.truncate(left);
                left -= piece.len();
            }
            pieces.retain(|(_, piece)| !piece.is_empty());
            pieces.truncate(limits::REPLAY_STDERR_PIECES);
        }
        self.replay
    }
}

/// A moment of a replay, to play on from.
pub struct Mark {
    table: Box<dyn Table>,
    turn: u32,
    answered: usize,
    faulted: usize,
}

impl Mark {
    /// The last turn that was taken.
    pub fn turn(&self) -> u32 {
        self.turn
    }
}

/// A replay played again, turn by turn.
pub struct Course<'r> {
    replay: &'r Replay,
    table: Box<dyn Table>,
    turn: u32,
    answered: usize,
    faulted: usize,
}

/// What was recorded for a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded<'r> {
    /// An answer, as the table keeps it.
    Answer(&'r [u8]),
    /// A fault.
    Fault(&'r Fault),
}

/// A turn to come: whose it is and what was recorded for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn<'r> {
    /// Its number, counted from 1 over all seats.
    pub number: u32,
    /// Whose it is.
    pub seat: Seat,
    /// What was recorded.
    pub input: Recorded<'r>,
}

impl<'r> Course<'r> {
    /// At the beginning of the match.
    pub fn open(game: &dyn AnyGame, replay: &'r Replay) -> Result<Course<'r>, ReplayError> {
        let info = game.info();
        if replay.game != info.id {
            return Err(ReplayError::OtherGame { found: replay.game.clone(), wanted: info.id.to_owned() });
        }
        if replay.rules_version != info.rules_version {
            return Err(ReplayError::OtherRules {
                game: replay.game.clone(),
                found: replay.rules_version,
                ours: info.rules_version,
            });
        }
        let mut table = game.open(&replay.plan)?;
        table.introduce(&replay.labels);
        if table.seats() != replay.plan.seats {
            return Err(ReplayError::Damaged("its map has another number of seats".to_owned()));
        }
        Ok(Course { replay, table, turn: 0, answered: 0, faulted: 0 })
    }

    /// Goes on from a moment of the same replay, or of its beginning.
    pub fn resume(replay: &'r Replay, mark: &Mark) -> Course<'r> {
        let &Mark { ref table, turn, answered, faulted } = mark;
        Course { replay, table: table.fork(), turn, answered, faulted }
    }

    /// Remembers this moment.
    pub fn mark(&self) -> Mark {
        let &Course { ref table, turn, answered, faulted, .. } = self;
        Mark { table: table.fork(), turn, answered, faulted }
    }

    /// The last turn that was taken.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The game as it stands.
    pub fn table(&mut self) -> &mut dyn Table {
        &mut *self.table
    }

    /// The turn to come, with its answer held by the table; `None` after the last one.
    pub fn peek(&mut self) -> Result<Option<Turn<'r>>, ReplayError> {
        if self.turn == self.replay.turns {
            return Ok(None);
        }
        let number = self.turn + 1;
        let table = &self.table;
        let seat = self.replay.seat_of(number, table.to_move(), |seat| table.plays(seat))?;
        let fault = self.replay.faults.get(self.faulted).filter(|(turn, _)| *turn == number);
        let input = match fault {
            Some((_, fault)) => Recorded::Fault(fault),
            None => {
                let rest = first_answer(&self.replay.answers[self.answered..]);
                let used = self.table.recall(rest).filter(|used| *used > 0);
                let used =
                    used.ok_or_else(|| ReplayError::Damaged(format!("no answer for turn {number}")))?;
                Recorded::Answer(&rest[..used])
            }
        };
        Ok(Some(Turn { number, seat, input }))
    }

    /// Plays one more turn and says which; `None` after the last one.
    pub fn advance(&mut self) -> Result<Option<Turn<'r>>, ReplayError> {
        let Some(turn) = self.peek()? else { return Ok(None) };
        match turn.input {
            Recorded::Answer(answer) => {
                self.answered += answer.len();
                self.table.apply(turn.seat, turn.number);
            }
            Recorded::Fault(fault) => {
                self.faulted += 1;
                self.table.fault(turn.seat, turn.number, fault);
            }
        }
        self.turn = turn.number;
        Ok(Some(turn))
    }

    /// Whether the end, once reached, is the recorded one.
    pub fn compare_end(&self) -> Result<(), ReplayError> {
        let recorded = &self.replay.outcome.placings;
        let mut outcome = self.table.outcome().ok_or_else(|| ReplayError::mismatch(NOT_OVER))?;
        let mut digest = Digest::default();
        if self.replay.former {
            for (placing, recorded) in outcome.placings.iter_mut().zip(recorded) {
                placing.reason = recorded.reason.clone();
            }
            digest = Digest::former(recorded.iter().map(|placing| placing.reason.to_text()).collect());
        }
        if outcome != self.replay.outcome {
            return Err(ReplayError::mismatch("it ends with another result"));
        }
        if self.answered != self.replay.answers.len() {
            return Err(ReplayError::mismatch("it has more answers than turns"));
        }
        if self.table.digest_on(digest) != self.replay.digest {
            return Err(ReplayError::mismatch("it ends in another state"));
        }
        Ok(())
    }
}

/// What can belong to the first of these answers: none takes more when it is recorded than when it is said.
fn first_answer(recorded: &[u8]) -> &[u8] {
    &recorded[..recorded.len().min(limits::ANSWER_BYTES)]
}

/// A replay with its game's types, for the game's own log formats.
pub struct Recording<'r, G: Game> {
    /// The settings of the match.
    pub settings: SettingsOf<G>,
    /// Its map.
    pub setup: SetupOf<G>,
    /// The rest.
    pub replay: &'r Replay,
}

impl<'r, G: Game> Recording<'r, G> {
    /// The first moment.
    pub fn start(&self) -> Result<G::State, ReplayError> {
        let mut state = self.replay.plan.start::<G>(&self.settings, &self.setup)?;
        state.introduce(&self.replay.labels);
        Ok(state)
    }

    /// Plays it again, each input carried out by `turn`; gives the last moment.
    pub fn play(
        &self,
        mut turn: impl FnMut(&mut G::State, Seat, Input<'_, ActionOf<G>>) -> Result<(), ReplayError>,
    ) -> Result<G::State, ReplayError> {
        let mut state = self.start()?;
        let mut inputs = self.inputs();
        while let Some((seat, input)) = inputs.next(&state)? {
            turn(&mut state, seat, input)?;
        }
        Ok(state)
    }

    /// What was recorded, turn by turn.
    pub fn inputs(&self) -> Inputs<'r, G> {
        Inputs::new(self.replay, Place::default())
    }
}

/// Behind which turn of a recording somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    turn: u32,
    answered: usize,
    faulted: usize,
}

/// Whose turn it was, and what was recorded for it.
pub type SeatInput<'a, G> = (Seat, Input<'a, ActionOf<G>>);

/// The recorded inputs of a match, in order.
pub struct Inputs<'r, G: Game> {
    replay: &'r Replay,
    action: ActionOf<G>,
    place: Place,
}

impl<'r, G: Game> Inputs<'r, G> {
    /// Those behind a place of this recording, or of an earlier part of it.
    pub fn new(replay: &'r Replay, place: Place) -> Inputs<'r, G> {
        Inputs { replay, action: ActionOf::<G>::default(), place }
    }

    /// Behind the last input that was given.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next one, and whose it is in this state of the game; `None` after the last.
    pub fn next(&mut self, state: &G::State) -> Result<Option<SeatInput<'_, G>>, ReplayError> {
        let place = &mut self.place;
        if place.turn == self.replay.turns {
            return Ok(None);
        }
        place.turn += 1;
        let seat = self.replay.seat_of(place.turn, state.to_move(), |seat| state.plays(seat))?;
        let fault = self.replay.faults.get(place.faulted).filter(|(turn, _)| *turn == place.turn);
        if let Some((_, fault)) = fault {
            place.faulted += 1;
            return Ok(Some((seat, Input::Fault(fault))));
        }
        let rest = first_answer(&self.replay.answers[place.answered..]);
        let (action, after) = postcard::take_from_bytes(rest)
            .map_err(|_| ReplayError::Damaged(format!("no answer for turn {}", place.turn)))?;
        place.answered += rest.len() - after.len();
        self.action = action;
        Ok(Some((seat, Input::Answer(&self.action))))
    }
}
