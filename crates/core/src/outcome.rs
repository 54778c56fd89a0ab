//! How a match ended.

use crate::bounded;
use crate::limits;
use crate::message::Message;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};

/// The end of a match: who won, and what became of everybody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The one winner, if there is one.
    pub winner: Option<Seat>,
    /// By seat.
    #[serde(deserialize_with = "bounded::list::<{ limits::SEATS }, _, _>")]
    pub placings: Vec<Placing>,
}

impl Outcome {
    /// The end of a game of survival: places by these keys, of which a greater one is better. Those at the top share one
    /// point, and one alone at the top has won. `tell` gives the fate and the reason for a player (by its place in the
    /// list), its place, and how many are at the top.
    pub fn by_rank<K: Ord, M: Into<Message>>(
        keys: &[K],
        mut tell: impl FnMut(usize, u32, usize) -> (Fate, M),
    ) -> Outcome {
        let places = places(keys);
        let top = places.iter().filter(|place| **place == 1).count();
        let first = places.iter().position(|place| *place == 1);
        let placings = places
            .into_iter()
            .enumerate()
            .map(|(index, place)| {
                let score = if place == 1 { Score::fraction(1, top as u128) } else { Score::ZERO };
                let (fate, reason) = tell(index, place, top);
                Placing { place, score, fate, reason: reason.into() }
            })
            .collect();
        Outcome { winner: first.filter(|_| top == 1).map(Seat::at), placings }
    }
}

/// What became of one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placing {
    /// 1 is the best; players that tie share a place.
    pub place: u32,
    /// The points of this match.
    pub score: Score,
    /// Alive, out or disqualified.
    pub fate: Fate,
    /// How it came to that.
    pub reason: Message,
}

/// Where a player stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// Still in the game at its end.
    Alive,
    /// Beaten.
    Out,
    /// Removed for a fault or a breach of the rules.
    Disqualified,
}

impl Fate {
    /// The word for tables and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Alive => "alive",
            Fate::Out => "out",
            Fate::Disqualified => "disqualified",
        }
    }
}

/// An exact, non-negative number of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Score {
    numerator: u64,
    denominator: u64,
}

impl Score {
    /// No points.
    pub const ZERO: Score = Score { numerator: 0, denominator: 1 };
    /// One point.
    pub const ONE: Score = Score { numerator: 1, denominator: 1 };

    /// This fraction, in lowest terms.
    ///
    /// ```
    /// use palestra_core::Score;
    ///
    /// assert_eq!(Score::fraction(2, 6), Score::fraction(1, 3));
    /// ```
    ///
    /// # Panics
    /// If the denominator is 0, or the reduced fraction does not fit 64 bits.
    pub fn fraction(numerator: u128, denominator: u128) -> Score {
        assert!(denominator > 0, "a fraction of nothing");
        let divisor = greatest_common_divisor(numerator, denominator);
        let narrow = |n: u128| u64::try_from(n / divisor).expect("the score fits 64 bits");
        Score { numerator: narrow(numerator), denominator: narrow(denominator) }
    }

    /// The exact fraction, in lowest terms.
    pub fn parts(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// For people and files: the nearest floating point number.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Places from keys where greater is better: equal keys share a place, as in sports (1, 2, 2, 4).
pub fn places<K: Ord>(keys: &[K]) -> Vec<u32> {
    keys.iter().map(|key| 1 + keys.iter().filter(|other| *other > key).count() as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::{Fate, Message, Outcome, Score, places};

    #[test]
    fn those_at_the_top_share_the_point() {
        let outcome = |keys: &[u32]| {
            Outcome::by_rank(keys, |index, place, top| {
                (Fate::Alive, Message::Sentence(format!("{index} {place} {top}")))
            })
        };
        let draw = outcome(&[7, 3, 7]);
        assert_eq!(draw.winner, None);
        assert_eq!(
            draw.placings.iter().map(|placing| placing.score.parts()).collect::<Vec<_>>(),
            [(1, 2), (0, 1), (1, 2)]
        );
        assert_eq!(draw.placings[1].reason.to_text(), "1 3 2");
        let win = outcome(&[3, 7]);
        assert_eq!((win.winner.map(|seat| seat.number()), win.placings[1].score), (Some(2), Score::ONE));
    }

    #[test]
    fn ties_share_a_place() {
        assert_eq!(places(&[5, 9, 5, 1]), [2, 1, 2, 4]);
    }

    #[test]
    fn scores_are_exact() {
        assert_eq!(Score::fraction(6, 8).parts(), (3, 4));
        assert_eq!(Score::fraction(0, 8), Score::ZERO);
        assert_eq!(Score::fraction(1, 3).to_f64(), 1.0 / 3.0);
    }
}
