//! A course of small steps to a first bot that wins. It belongs to a game: `course.toml` in its folder says what is played
//! and what has to come of it, the game's words what people are told about it.
//!
//! Whoever plays a step plays all its matches; [`Exercise::judge`] then says of each, from its replay alone, what did not
//! come of it.

use crate::any_game::AnyGame;
use crate::defeat::defeats;
use crate::game::{Info, SetupError};
use crate::limits;
use crate::message::{self, Message};
use crate::messages;
use crate::outcome::Fate;
use crate::plan::{Plan, PlanRequest};
use crate::replay::{Cursor, Recorded, Replay, ReplayError};
use crate::seat::{Eye, Seat};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The steps of a game, in the order in which they are taken. None if the game brings no course.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// The steps.
    #[serde(default, rename = "step")]
    pub steps: Vec<Step>,
}

/// One step: a few short matches, and what has to come of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its name in the game's words, in addresses, and where progress is kept: it stays what it is.
    pub name: String,
    /// What has to come of a match.
    pub goals: Vec<Goal>,
    /// In how many of the matches; in all of them unless given.
    #[serde(default)]
    pub need: Option<usize>,
    /// A bot that does it, and one that does not: built-in players, or files in the game's folder. For tests.
    pub solved_by: String,
    /// See [`Step::solved_by`].
    pub missed_by: String,
    /// What is played.
    #[serde(rename = "match")]
    pub matches: Vec<Exercise>,
}

/// One match of a step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// The name of a map that ships with the game, or a map itself; one is made unless given.
    #[serde(default)]
    pub map: Option<String>,
    /// Settings that differ from the defaults; they bound how long it takes.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// The built-in players on the other seats.
    pub opponents: Vec<String>,
    /// The seat of whoever takes the step, counted from 1.
    #[serde(default = "first_seat")]
    pub seat: u8,
    /// Decides what is left to chance.
    #[serde(default)]
    pub seed: u64,
}

fn first_seat() -> u8 {
    1
}

/// What has to come of a match for whoever takes the step.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// Every turn has an answer, and none that the rules remove a player for.
    NoFaults,
    /// The rules remark nothing on its answers.
    NoNotes,
    /// At some moment it has so much of what is counted.
    Counter {
        /// Which counter of the game.
        key: String,
        /// The least value that will do.
        at_least: u64,
    },
    /// It is still in the game after so many rounds, or has won before.
    Survive {
        /// Rounds that it has to last.
        rounds: u32,
    },
    /// It wins, alone.
    Win,
    /// The balance does not tip before so many rounds are over; see [`defeats`].
    Hold {
        /// Rounds that the balance has to hold.
        rounds: u32,
    },
}

messages! {
    /// What did not come of a match.
    enum Missed {
        /// A turn without an answer.
        GoalFault { turn: u32, fault: Message },
        /// Removed by the rules.
        GoalRemoved { turn: u32, reason: Message },
        /// The rules remarked something.
        GoalNotes { notes: u32, turn: u32, note: Message },
        /// Too little, and the most that it had at a time.
        GoalCounter { counter: String, most: u64, wanted: u64 },
        /// Out too early.
        GoalOut { round: u32, wanted: u32, reason: Message },
        /// Others were better, or as good.
        GoalNotWon { place: u32, reason: Message },
        /// Behind for good too early.
        GoalTipped { turn: u32, round: u32, wanted: u32 },
    }
}

messages! {
    /// What whoever takes a course is told around its steps.
    #[allow(missing_docs, reason = "the values of a message say by their names what they are")]
    pub enum Lesson {
        /// Which step it is.
        LessonStep { number: u64, steps: u64, title: String },
        /// A match of it, and how it went.
        LessonHeld { number: u64, opponents: String },
        /// A match of it that did not come to what was asked for.
        LessonMissed { number: u64, opponents: String },
        /// It is done.
        LessonPassed {},
        /// It is not.
        LessonNotYet { held: u64, need: u64 },
        /// What to try.
        LessonTry { hint: String },
        /// How to begin.
        LessonBegin { new: String, learn: String },
        /// How to go on.
        LessonNext { learn: String },
        /// Nothing is left.
        LessonDone { title: String },
        /// Where the match can be looked at.
        LessonReplay { view: String },
    }
}

/// Everything that can be told of a course, for tests.
pub(crate) fn samples() -> Vec<Message> {
    [message::samples::<Missed>(), message::samples::<Lesson>()].concat()
}

impl Course {
    /// The course of this game.
    pub fn of(game: &Info) -> Course {
        Course::read(game.folder.course).expect("courses are checked by tests")
    }

    /// Reads the file of a course.
    pub fn read(text: &str) -> Result<Course, SetupError> {
        let course: Course = toml::from_str(text)
            .map_err(|error| SetupError::new(format!("the course cannot be read: {error}")))?;
        if course.steps.len() > limits::COURSE_STEPS {
            return Err(SetupError::new(format!(
                "the course has {} steps, and may have {} at most",
                course.steps.len(),
                limits::COURSE_STEPS
            )));
        }
        for step in &course.steps {
            let matches = step.matches.len();
            if matches == 0
                || matches > limits::COURSE_MATCHES
                || step.needed() > matches
                || step.needed() == 0
            {
                return Err(SetupError::new(format!(
                    "the step {} has {matches} matches of which {} are needed; it may have 1 to {}, and need 1 or more of them",
                    step.name,
                    step.needed(),
                    limits::COURSE_MATCHES
                )));
            }
        }
        Ok(course)
    }

    /// The step of this name, and its number from 1.
    pub fn step(&self, name: &str) -> Option<(usize, &Step)> {
        let index = self.steps.iter().position(|step| step.name == name)?;
        Some((index + 1, &self.steps[index]))
    }
}

impl Step {
    /// In how many of its matches the goals have to be reached.
    pub fn needed(&self) -> usize {
        self.need.unwrap_or(self.matches.len())
    }
}

impl Exercise {
    /// Where whoever takes the step sits.
    pub fn own(&self) -> Seat {
        Seat::new(self.seat)
    }

    /// Who sits where: the built-in players by their names, and nothing where whoever takes the step sits.
    pub fn seats(&self) -> Vec<Option<&str>> {
        let mut seats: Vec<Option<&str>> = self.opponents.iter().map(|name| Some(name.as_str())).collect();
        seats.insert(self.own().index().min(seats.len()), None);
        seats
    }

    /// What the match begins with.
    pub fn plan(&self, game: &dyn AnyGame) -> Result<Plan, SetupError> {
        let map = self.map.as_deref().map(|map| {
            let shipped = game.maps().iter().find(|shipped| shipped.name == map);
            shipped.map_or(map, |shipped| shipped.text)
        });
        let changes: Vec<(String, String)> =
            self.settings.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let players = self.opponents.len() as u8 + 1;
        let plan = game.plan(&PlanRequest { changes: &changes, map, players, seed: self.seed })?;
        if plan.seats != players || self.seat == 0 || self.seat > players {
            return Err(SetupError::new(format!(
                "a match of a course has {} seats, {players} players, and seat {} for whoever takes it",
                plan.seats, self.seat
            )));
        }
        Ok(plan)
    }

    /// What did not come of this match, goal by goal; nothing if all did.
    pub fn judge(
        &self,
        game: &dyn AnyGame,
        goals: &[Goal],
        replay: &Replay,
    ) -> Result<Vec<Message>, ReplayError> {
        let course = Observed::of(game, replay, self.own())?;
        let mut missed = Vec::new();
        for goal in goals {
            missed.extend(course.missed(game, goal, replay)?.map(Message::from));
        }
        Ok(missed)
    }
}

/// What was seen of one player in a match.
struct Observed {
    seat: Seat,
    fault: Option<(u32, Message)>,
    notes: Vec<(u32, Message)>,
    /// By counter, the most at a time.
    most: Vec<u64>,
    /// When it was out, if it was: turn and round.
    out: Option<(u32, u32)>,
    rounds: u32,
}

impl Observed {
    fn of(game: &dyn AnyGame, replay: &Replay, seat: Seat) -> Result<Observed, ReplayError> {
        let mut cursor = Cursor::start(game, replay)?;
        let mut seen = Observed {
            seat,
            fault: None,
            notes: Vec::new(),
            most: vec![0; game.counters().len()],
            out: None,
            rounds: 0,
        };
        loop {
            let state = cursor.state();
            for (counter, most) in seen.most.iter_mut().enumerate() {
                *most = (*most).max(state.count(Eye::Spectator, seat, counter).unwrap_or(0));
            }
            if seen.out.is_none() && state.to_move().is_some() && !state.plays(seat) {
                seen.out = Some((cursor.turn(), state.rounds()));
            }
            let Some(turn) = cursor.advance(replay)? else { break };
            if let Recorded::Fault(fault) = turn.input
                && turn.seat == seat
            {
                seen.fault.get_or_insert_with(|| (turn.number, fault.message()));
            }
        }
        let (state, placing) = (cursor.state(), &replay.head.outcome.placings[seat.index()]);
        let notes = state.notes().list().iter().filter(|note| note.seat == seat && note.turn > 0);
        seen.notes = notes.map(|note| (note.turn, note.what.clone())).collect();
        seen.rounds = state.rounds();
        if seen.out.is_none() && placing.fate != Fate::Alive {
            seen.out = Some((replay.head.turns, seen.rounds));
        }
        Ok(seen)
    }

    fn missed(
        &self,
        game: &dyn AnyGame,
        goal: &Goal,
        replay: &Replay,
    ) -> Result<Option<Missed>, ReplayError> {
        let outcome = &replay.head.outcome;
        let placing = &outcome.placings[self.seat.index()];
        let reason = || placing.reason.clone();
        Ok(match goal {
            Goal::NoFaults => match (&self.fault, placing.fate) {
                (Some((turn, fault)), _) => Some(Missed::GoalFault { turn: *turn, fault: fault.clone() }),
                (None, Fate::Disqualified) => {
                    let turn = self.out.map_or(replay.head.turns, |(turn, _)| turn);
                    Some(Missed::GoalRemoved { turn, reason: reason() })
                }
                _ => None,
            },
            Goal::NoNotes => self.notes.first().map(|(turn, note)| Missed::GoalNotes {
                notes: self.notes.len() as u32,
                turn: *turn,
                note: note.clone(),
            }),
            Goal::Counter { key, at_least } => {
                let counter = game.counters().iter().position(|counter| counter.key == key);
                let most = counter.map_or(0, |counter| self.most[counter]);
                (most < *at_least).then(|| Missed::GoalCounter {
                    counter: key.clone(),
                    most,
                    wanted: *at_least,
                })
            }
            Goal::Survive { rounds } => match self.out {
                Some((_, round)) if round < *rounds => {
                    Some(Missed::GoalOut { round, wanted: *rounds, reason: reason() })
                }
                _ => None,
            },
            Goal::Win => (outcome.winner != Some(self.seat))
                .then(|| Missed::GoalNotWon { place: placing.place, reason: reason() }),
            Goal::Hold { rounds } => self.tipped(game, *rounds, replay)?,
        })
    }

    /// When the balance tipped, if it did too early.
    fn tipped(
        &self,
        game: &dyn AnyGame,
        wanted: u32,
        replay: &Replay,
    ) -> Result<Option<Missed>, ReplayError> {
        let found = defeats(game, replay)?;
        let Some(defeat) = found.into_iter().find(|defeat| defeat.seat == self.seat) else { return Ok(None) };
        let tipped = match &defeat.balance {
            Some(balance) if balance.code() == "balance_held" => return Ok(None),
            Some(balance) => balance.value("turn").and_then(serde_json::Value::as_u64).unwrap_or(1) as u32,
            None => self.out.map_or(replay.head.turns, |(turn, _)| turn),
        };
        let mut cursor = Cursor::start(game, replay)?;
        while cursor.turn() < tipped && cursor.advance(replay)?.is_some() {}
        let round = cursor.state().rounds();
        Ok((round < wanted).then_some(Missed::GoalTipped { turn: tipped, round, wanted }))
    }
}

#[cfg(test)]
mod tests {
    use super::Course;

    #[test]
    fn a_course_is_read_whole_or_refused_with_a_sentence() {
        assert_eq!(Course::read("").unwrap().steps.len(), 0);
        let step = "[[step]]\nname = 'a'\ngoals = [{ kind = 'win' }]\nsolved_by = 'x'\nmissed_by = 'y'\n";
        let played = "[[step.match]]\nopponents = ['x']\n";
        assert_eq!(Course::read(&format!("{step}{played}")).unwrap().steps[0].needed(), 1);
        for (text, why) in [
            (step.to_owned(), "missing field `match`"),
            (format!("{step}need = 2\n{played}"), "2 are needed"),
            (format!("{step}need = 0\n{played}"), "0 are needed"),
            (format!("{step}{played}").repeat(9), "may have 8 at most"),
            (format!("{step}{}", played.repeat(9)), "9 matches"),
            (format!("{step}{played}map_name = 'x'"), "unknown field `map_name`"),
            (format!("{step}{played}").replace("win", "luck"), "unknown variant `luck`"),
        ] {
            let error = Course::read(&text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
