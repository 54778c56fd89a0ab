//! Who plays whom: every format of a tournament as a pure function of what was played before.
//!
//! A stage is a sequence of rounds, a round a list of meetings; a meeting becomes games elsewhere ([`seating`]). There
//! is no float, no clock and no hash order here: the same calls in the same order give the same rounds, so a stage that
//! was cut off goes on by repeating its calls.

mod circle;
mod combinations;
mod decision;
mod error;
mod field;
mod format;
mod knockout;
mod ledger;
pub mod limits;
mod matching;
mod points;
pub mod seating;
mod swiss;
mod tables;
#[cfg(test)]
mod tests;
pub mod tiebreak;

pub use decision::{DecidedBy, Decision};
pub use error::PairingError;
pub use format::Format;
pub use ledger::Ledger;
pub use points::{Points, PointsError};

use field::Field;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A bot's number in the tournament; never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotNumber(pub u32);

impl fmt::Display for BotNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// Some players who meet; the first game is played in this order of seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// By seat.
    pub players: Vec<BotNumber>,
}

/// Meetings that can be played side by side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// From 1, without gaps.
    pub number: u32,
    /// Who meets whom.
    pub meetings: Vec<Meeting>,
    /// Who goes on without an opponent, because the field does not divide evenly or an opponent left.
    pub byes: Vec<BotNumber>,
}

/// What a meeting brought.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MeetingResult {
    /// Points in the meeting's order of players.
    pub points: Vec<Points>,
    /// What decides between equal points: the sum of the games' scores, in the same order.
    pub score: Vec<Points>,
    /// What further matches have brought, where the planned ones left it equal.
    #[serde(default)]
    pub deciders: Deciders,
}

/// Further matches of a meeting that was equal.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Deciders {
    /// Matches that were played to decide it.
    pub matches: u32,
    /// Their points in the meeting's order of players; empty if there were none.
    pub points: Vec<Points>,
}

impl MeetingResult {
    /// Whether neither the planned matches nor further ones say who is better.
    pub(crate) fn is_equal(&self) -> bool {
        let equal = |points: &[Points]| points.iter().all(|one| *one == points[0]);
        equal(&self.points) && equal(&self.deciders.points)
    }
}

/// A duel of a knockout, in its place in the bracket. Duels are named by their places in the list of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Duel {
    /// Which part of the bracket it belongs to.
    pub part: Part,
    /// The round of the bracket, counted from 1; in some of them nothing has to be played.
    pub round: u32,
    /// The two sides.
    pub sides: [Side; 2],
    /// Who goes on, once that is settled.
    pub winner: Option<BotNumber>,
    /// What settled it.
    pub decision: Option<Decision>,
    /// The round that it was drawn in, and its place among the meetings of that round; nothing before, and if one side
    /// has nobody.
    pub meeting: Option<(u32, usize)>,
}

/// A part of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "BracketPart"))]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Of those who have not lost.
    Upper,
    /// Of those who have lost once.
    Lower,
    /// Decides who has won.
    Final,
    /// Played only if the final was lost by the one who had not lost before.
    SecondFinal,
    /// Of those who lost the half-finals.
    ThirdPlace,
}

/// One side of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// Where who is on it comes from.
    pub from: Origin,
    /// Who that is, once it is settled.
    pub player: Option<BotNumber>,
}

/// Where a side of a duel comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// From the field: it is the first duel.
    Field,
    /// From this duel, as its winner.
    Winner(usize),
    /// From this duel, as its loser.
    Loser(usize),
    /// There are fewer players than places: the other side has a bye.
    Nobody,
}

/// A stage being paired.
pub struct Pairing {
    field: Field,
    draw: Box<dyn Draw>,
    drawn: u32,
    awaited: Option<Drawn>,
    /// The format and the seed, while there are too few for them.
    waiting: Option<(Format, u64)>,
    at_first: bool,
}

impl Pairing {
    /// A stage of these players, in seeding order. The seed decides what is left to chance.
    pub fn new(format: &Format, players: &[BotNumber], seed: u64) -> Result<Pairing, PairingError> {
        let field = Field::new(players)?;
        let draw = format.begin(&field, seed)?;
        Ok(Pairing { field, draw, drawn: 0, awaited: None, waiting: None, at_first: false })
    }

    /// The same, but nobody meets while there are too few for the format: whoever is left has won.
    pub(crate) fn of_those_left(
        format: &Format,
        players: &[BotNumber],
        seed: u64,
    ) -> Result<Pairing, PairingError> {
        match Pairing::new(format, players, seed) {
            Err(PairingError::TooFew { .. } | PairingError::NoHero) => Ok(Pairing {
                field: Field::new(players)?,
                draw: Box::new(Nothing),
                drawn: 0,
                awaited: None,
                waiting: Some((format.clone(), seed)),
                at_first: false,
            }),
            pairing => pairing,
        }
    }

    /// Rounds are drawn as they were at first, for a stage that was begun then: who meets whom must not change.
    pub(crate) fn draw_as_at_first(&mut self) {
        self.at_first = true;
        self.draw.draw_as_at_first();
    }

    /// Points that players bring along: where those meet who stand about equal, they count.
    pub fn carry(&mut self, points: &[(BotNumber, Points)]) {
        let known = points.iter().filter_map(|(player, points)| Some((self.field.place(*player)?, *points)));
        self.draw.carry(known.collect());
    }

    /// The next round; none when the stage is over, and none while a round waits for its results.
    pub fn next_round(&mut self) -> Option<Round> {
        if self.awaited.is_some() || self.drawn >= limits::ROUNDS {
            return None;
        }
        let drawn = self.draw.draw(&self.field)?;
        self.drawn += 1;
        let round = Round {
            number: self.drawn,
            meetings: drawn.tables.iter().map(|table| Meeting { players: self.field.named(table) }).collect(),
            byes: self.field.named(&drawn.byes),
        };
        self.awaited = self.draw.needs_results().then_some(drawn);
        Some(round)
    }

    /// Whether a round has to be reported before the next can be drawn. In other formats all rounds can be drawn ahead.
    pub(crate) fn needs_results(&self) -> bool {
        self.draw.needs_results()
    }

    /// The round that waits for its results.
    pub fn awaited(&self) -> Option<u32> {
        self.awaited.as_ref().map(|_| self.drawn)
    }

    /// The results of a round, in the order of its meetings. Formats that need no results take note of none.
    pub fn report(&mut self, round: u32, results: &[MeetingResult]) -> Result<(), PairingError> {
        if !self.needs_results() {
            return Ok(());
        }
        let drawn = match self.awaited.take() {
            Some(drawn) if round == self.drawn => drawn,
            other => {
                self.awaited = other;
                return Err(PairingError::NotAwaited { round, awaited: self.awaited() });
            }
        };
        let fits = |(table, result): (&Vec<usize>, &MeetingResult)| {
            result.points.len() == table.len() && result.score.len() == table.len()
        };
        if results.len() != drawn.tables.len() || !drawn.tables.iter().zip(results).all(fits) {
            let meetings = drawn.tables.len();
            self.awaited = Some(drawn);
            return Err(PairingError::Results { round, meetings });
        }
        self.draw.report(&self.field, &drawn, results);
        Ok(())
    }

    /// Somebody joins and takes part from the next round on. Where everybody meets everybody, the rounds that are missing
    /// come at the end. A knockout takes nobody in once it began.
    pub fn add(&mut self, player: BotNumber) -> Result<(), PairingError> {
        self.field.check(player)?;
        self.draw.add(&self.field)?;
        self.field.add(player);
        if let Some((format, seed)) = &self.waiting
            && let Ok(draw) = format.begin(&self.field, *seed)
        {
            (self.draw, self.waiting) = (draw, None);
            if self.at_first {
                self.draw.draw_as_at_first();
            }
        }
        Ok(())
    }

    /// Somebody leaves: meetings that were not drawn yet are not drawn. In a knockout the opponent goes on, also from a
    /// meeting that waits for its result.
    pub fn drop(&mut self, player: BotNumber) -> Result<(), PairingError> {
        self.field.drop(player)
    }

    /// How many rounds there will be as things stand, where that can be told before.
    pub(crate) fn total_rounds(&self) -> Option<u32> {
        self.draw.rounds(&self.field)
    }

    /// How many meetings there will be as things stand. Where everybody meets everybody those of players who left are
    /// counted too, and a grand final counts as two.
    pub(crate) fn total_meetings(&self) -> u64 {
        self.draw.meetings(&self.field)
    }

    /// Of a knockout: the place of everybody by how far they came, best first; equals share a place, and those still in
    /// it share the best.
    pub fn places(&self) -> Option<Vec<(u32, BotNumber)>> {
        let places = self.draw.places(&self.field)?;
        Some(places.into_iter().map(|(place, index)| (place, self.field.player(index))).collect())
    }

    /// Of a knockout, once it began: all of its duels, those to come included; those before come first.
    pub fn bracket(&self) -> Vec<Duel> {
        self.draw.bracket(&self.field)
    }

    /// Of a Swiss stage: points, opponents and everything tie-breaks ask for.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.draw.ledger()
    }
}

/// A round by the players' places in the field.
struct Drawn {
    tables: Vec<Vec<usize>>,
    byes: Vec<usize>,
}

/// The draw of a field that is too small for its format.
struct Nothing;

impl Draw for Nothing {
    fn draw(&mut self, _field: &Field) -> Option<Drawn> {
        None
    }

    fn add(&mut self, _field: &Field) -> Result<(), PairingError> {
        Ok(())
    }

    fn meetings(&self, _field: &Field) -> u64 {
        0
    }
}

/// What a format is.
trait Draw: Send + Sync {
    /// The next round; it has at least one meeting.
    fn draw(&mut self, field: &Field) -> Option<Drawn>;

    /// Somebody is about to be added at the end of this field.
    fn add(&mut self, field: &Field) -> Result<(), PairingError>;

    fn meetings(&self, field: &Field) -> u64;

    fn draw_as_at_first(&mut self) {}

    fn carry(&mut self, _points: BTreeMap<usize, Points>) {}

    fn rounds(&self, _field: &Field) -> Option<u32> {
        None
    }

    fn needs_results(&self) -> bool {
        false
    }

    fn report(&mut self, _field: &Field, _drawn: &Drawn, _results: &[MeetingResult]) {}

    fn places(&self, _field: &Field) -> Option<Vec<(u32, usize)>> {
        None
    }

    fn bracket(&self, _field: &Field) -> Vec<Duel> {
        Vec::new()
    }

    fn ledger(&self) -> Option<&Ledger> {
        None
    }
}
