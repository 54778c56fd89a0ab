//! Why a match was lost, as far as its recording tells: when the balance tipped, what went wrong with the bot itself, and
//! from which turn on to look at it again. Data only; a [`Catalog`](crate::Catalog) makes the sentences.

use crate::any_game::AnyGame;
use crate::any_state::AnyState;
use crate::clock::{Span, rounded_span};
use crate::message::{self, Message};
use crate::messages;
use crate::outcome::Fate;
use crate::replay::{Cursor, Recorded, Replay, ReplayError};
use crate::seat::{Eye, Seat};
use serde::Serialize;
use std::time::Duration;

/// A player is behind who has less than this part of an equal share of what is counted: whoever moves second, or is a few
/// units short all the time, has not lost by that.
const EVEN_SHARE: (u128, u128) = (9, 10);

/// Why one player lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Defeat {
    /// The seat that lost.
    pub seat: Seat,
    /// The turn of this player's to look at first: where the balance tipped, or where it was removed. Zero if it was never
    /// asked.
    pub turn: u32,
    /// When it fell behind; nothing in a game that counts nothing.
    pub balance: Option<Message>,
    /// Its faults and its time.
    pub conduct: Message,
}

impl Defeat {
    /// What shows the player's bot that turn again, word by word: the replay is in this file, and this is the bot.
    pub fn command(&self, file: &str, bot: &str) -> Vec<String> {
        let (seat, turn) = (self.seat.to_string(), self.turn.max(1).to_string());
        ["palestra", "drive", file, "--seat", &seat, "--bot", bot, "--turn", &turn]
            .map(str::to_owned)
            .to_vec()
    }

    /// The sentences about it, the last of which tells this command.
    pub fn sentences(&self, command: String) -> Vec<Message> {
        let again = (self.turn > 0).then(|| Told::SeeAgain { command }.into());
        self.balance.iter().cloned().chain([self.conduct.clone()]).chain(again).collect()
    }
}

messages! {
    /// What there is to tell of a defeat.
    enum Told {
        /// Behind from this turn on, until then not; and how that ended.
        BalanceTipped { turn: u32, counter: String, own: u64, all: u64, own_end: u64, all_end: u64 },
        /// Behind from the beginning.
        BalanceBehind { counter: String, own_end: u64, all_end: u64 },
        /// Not behind at the end, and lost all the same.
        BalanceHeld { counter: String, own_end: u64, all_end: u64 },
        /// It was out before the first turn.
        ConductAbsent { reason: Message },
        /// Nothing to complain about, and nothing was measured.
        ConductUntimed {},
        /// Nothing to complain about.
        ConductClean { longest: Span, time: Message },
        /// Removed by the rules, though it answered.
        ConductRemoved { turn: u32, reason: Message, longest: Span, time: Message },
        /// One turn without an answer.
        ConductFault { turn: u32, fault: Message, longest: Span, time: Message },
        /// Several, and the first of them.
        ConductFaults { faults: u32, turn: u32, fault: Message, longest: Span, time: Message },
        /// How to see it again.
        SeeAgain { command: String },
    }
}

/// Everything that can be told of a defeat, for tests.
pub(crate) fn samples() -> Vec<Message> {
    message::samples::<Told>()
}

/// Why everybody lost who did: whoever has a place behind the first. Winners have nothing to explain, and neither has who
/// shares the first place in a draw.
///
/// Players are compared between rounds, when everybody has moved equally often, and each with an equal share of what all
/// of them have who still play. Of the game's counters the first decides in which a player ends behind; they are in
/// the order of their weight. The balance tips behind the last moment at which the player was not behind in it.
pub fn defeats(game: &dyn AnyGame, replay: &Replay) -> Result<Vec<Defeat>, ReplayError> {
    let placings = &replay.head.outcome.placings;
    let lost = placings.iter().enumerate().filter(|(_, placing)| placing.place > 1);
    let counters = game.counters().len();
    let mut losers: Vec<Loser> = lost.map(|(index, _)| Loser::new(Seat::at(index), counters)).collect();
    if losers.is_empty() {
        return Ok(Vec::new());
    }
    let mut cursor = Cursor::start(game, replay)?;
    let mut field = Field::new(cursor.state());
    let mut times = replay.times();
    loop {
        let before = (cursor.turn(), cursor.state().rounds());
        let counts = Counts::of(cursor.state(), counters);
        let Some(turn) = cursor.advance(replay)? else { break };
        if cursor.state().rounds() > before.1 {
            losers.iter_mut().for_each(|loser| loser.look(before.0, &counts, &field));
        }
        let wall = times.next().map_or(Duration::ZERO, |spent| spent.wall);
        if let Some(loser) = losers.iter_mut().find(|loser| loser.seat == turn.seat) {
            loser.took_turn(turn.number, wall, turn.input);
        }
        // When the game is over nobody plays any more; who was out before is known.
        if cursor.state().to_move().is_some() && field.update(cursor.state()) {
            let counts = Counts::of(cursor.state(), counters);
            losers.iter_mut().for_each(|loser| loser.fall_out(turn.number, &counts, &field));
        }
    }
    let counts = Counts::of(cursor.state(), counters);
    let keys: Vec<&str> = game.counters().iter().map(|counter| counter.key).collect();
    Ok(losers
        .into_iter()
        .map(|mut loser| {
            loser.look(replay.head.turns, &counts, &field);
            loser.defeat(replay, &keys)
        })
        .collect())
}

/// Who still plays.
struct Field {
    plays: Vec<bool>,
}

impl Field {
    fn new(state: &dyn AnyState) -> Field {
        Field { plays: Seat::all(state.seats()).map(|seat| state.plays(seat)).collect() }
    }

    /// Says whether somebody is out who was not.
    fn update(&mut self, state: &dyn AnyState) -> bool {
        let now = Field::new(state);
        let changed = now.plays != self.plays;
        *self = now;
        changed
    }

    /// Among how many players everything would be shared equally, this one included.
    fn sharers(&self, seat: Seat) -> u128 {
        let others = self.plays.iter().enumerate().filter(|(index, plays)| **plays && *index != seat.index());
        1 + others.count() as u128
    }
}

/// What everybody has at one moment, by counter and seat; nothing for a counter that spectators cannot know.
struct Counts(Vec<Option<Vec<u64>>>);

impl Counts {
    fn of(state: &dyn AnyState, counters: usize) -> Counts {
        let count = |counter| {
            Seat::all(state.seats()).map(|seat| state.count(Eye::Spectator, seat, counter)).collect()
        };
        Counts((0..counters).map(count).collect())
    }
}

/// What one player had of a counter at one moment.
#[derive(Clone, Copy)]
struct Holding {
    turn: u32,
    own: u64,
    all: u64,
    even: bool,
}

/// One counter of a player over time.
#[derive(Clone, Default)]
struct Course {
    last: Option<Holding>,
    last_even: Option<Holding>,
    /// The player's first turn behind that.
    next_own: Option<u32>,
}

/// A player who lost, while the match is played again.
struct Loser {
    seat: Seat,
    courses: Vec<Course>,
    /// The turn in which it fell out, once it has.
    fell: Option<u32>,
    last_own: u32,
    longest: Duration,
    faults: u32,
    first_fault: Option<(u32, Message)>,
    last_fault: u32,
}

impl Loser {
    fn new(seat: Seat, counters: usize) -> Loser {
        Loser {
            seat,
            courses: vec![Course::default(); counters],
            fell: None,
            last_own: 0,
            longest: Duration::ZERO,
            faults: 0,
            first_fault: None,
            last_fault: 0,
        }
    }

    fn look(&mut self, turn: u32, counts: &Counts, field: &Field) {
        if self.fell.is_some() {
            return;
        }
        let sharers = field.sharers(self.seat);
        for (course, counts) in self.courses.iter_mut().zip(&counts.0) {
            let Some(counts) = counts else { continue };
            let own = counts[self.seat.index()];
            let all = counts.iter().fold(0_u64, |all, count| all.saturating_add(*count));
            let (part, whole) = EVEN_SHARE;
            let even = u128::from(own) * sharers * whole >= u128::from(all) * part;
            let holding = Holding { turn, own, all, even };
            course.last = Some(holding);
            if even {
                course.last_even = Some(holding);
                course.next_own = None;
            }
        }
    }

    fn took_turn(&mut self, turn: u32, wall: Duration, input: Recorded<'_>) {
        self.last_own = turn;
        self.longest = self.longest.max(wall);
        for course in &mut self.courses {
            course.next_own.get_or_insert(turn);
        }
        if let Recorded::Fault(fault) = input {
            self.faults += 1;
            self.last_fault = turn;
            self.first_fault.get_or_insert_with(|| (turn, fault.message()));
        }
    }

    fn fall_out(&mut self, turn: u32, counts: &Counts, field: &Field) {
        if !field.plays[self.seat.index()] && self.fell.is_none() {
            self.look(turn, counts, field);
            self.fell = Some(turn);
        }
    }

    fn defeat(self, replay: &Replay, keys: &[&str]) -> Defeat {
        let placing = &replay.head.outcome.placings[self.seat.index()];
        if replay.head.plan.absent.contains(&self.seat) {
            let conduct = Told::ConductAbsent { reason: placing.reason.clone() }.into();
            return Defeat { seat: self.seat, turn: 0, balance: None, conduct };
        }
        let removed = (placing.fate == Fate::Disqualified).then(|| self.fell.unwrap_or(replay.head.turns));
        let known =
            || self.courses.iter().zip(keys).filter_map(|(course, key)| Some((course, key, course.last?)));
        let decisive = known().find(|(.., last)| !last.even).or_else(|| known().next());
        let (mut turn, mut balance) = (self.last_own, None);
        if let Some((course, key, Holding { own: own_end, all: all_end, even, .. })) = decisive {
            let counter = (*key).to_owned();
            let told = match course.last_even.filter(|held| held.turn > 0) {
                _ if even => Told::BalanceHeld { counter, own_end, all_end },
                Some(Holding { turn, own, all, .. }) => {
                    Told::BalanceTipped { turn: turn + 1, counter, own, all, own_end, all_end }
                }
                None => Told::BalanceBehind { counter, own_end, all_end },
            };
            turn = course.next_own.filter(|_| !even).unwrap_or(turn);
            balance = Some(told.into());
        }
        if removed.is_some() && self.faults > 0 {
            turn = self.last_fault;
        } else if removed.is_some() {
            turn = self.last_own;
        }
        let (longest, time) = (rounded_span(self.longest), replay.head.time.message());
        let conduct = match (self.first_fault, self.faults, removed) {
            (Some((turn, fault)), 1, _) => Told::ConductFault { turn, fault, longest, time },
            (Some((turn, fault)), faults, _) => Told::ConductFaults { faults, turn, fault, longest, time },
            (None, _, Some(turn)) => {
                Told::ConductRemoved { turn, reason: placing.reason.clone(), longest, time }
            }
            (None, _, None) if self.longest.is_zero() => Told::ConductUntimed {},
            (None, ..) => Told::ConductClean { longest, time },
        };
        Defeat { seat: self.seat, turn, balance, conduct: conduct.into() }
    }
}

#[cfg(test)]
mod tests;
