//! Is A better than B? A sequential probability ratio test that stops as soon as it knows.
//!
//! # Units
//! Games that share a map and a seed are not independent, so they are counted together. For two players a *unit* is two
//! games with seats swapped; its score is 0, 1/2, 1, 3/2 or 2 points of 2 (the pentanomial). For `k` players a unit is
//! all `k` rotations of one seating on one map and seed, some seats A's (usually one), the others B's. In each game
//! every seat of A is compared with every seat of B, above 2 points, level 1, below 0 (`game_points`); the unit's
//! score is the share of all points (`unit_points`). For two players this is the pentanomial; for more it is a longer
//! grid, and the share is still the chance of placing above one opponent, so Elo means the same everywhere.
//!
//! # Test
//! The hypotheses are that A is `elo0` or `elo1` better, that is, that units have the mean score these promise. Nothing
//! is assumed about their distribution: each hypothesis gets the most likely one that has its mean (a generalised test;
//! see `super::likelihood`). Wald's bounds on the logarithm of the likelihood ratio give the error rates.
//!
//! Close hypotheses look almost alike under a landslide: if A wins every game, a test of 0 against 20 Elo points would
//! need 53 units to choose between two numbers that are both wrong. So a second rule ends what is obvious. By a theorem
//! of Cover and Ordentlich on betting, the likelihood that `elo0` loses against what was seen exceeds
//! `ln(1/e) + ln(n + 1) / 2 + ln 2` after any number `n` of units with a probability of at most `e`, if A is not better
//! than `elo0`. The rule takes a tenth of the error rate for `e`, and works the same for `elo1` from below. Eleven
//! units all won are then enough.

use super::likelihood::Scores;
use super::{Estimate, Z_95, elo_of_score, limits, score_of_elo};
use serde::{Deserialize, Serialize};

/// The share of the error rates that the rule for landslides may use.
const LANDSLIDE_SHARE: f64 = 0.1;

/// Standard errors on each side of a 95 % interval at the moment at which a test stops. Found by simulation: with those of a
/// fixed number of units, 88 to 94 % of the intervals hold the truth.
const STOPPED_Z_95: f64 = 2.5;

/// What is asked, and how wrong the answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SprtSettings {
    /// A is not better: its advantage in Elo points is this or less.
    pub elo0: f64,
    /// A is better: its advantage in Elo points is this or more.
    pub elo1: f64,
    /// How often a bot that is not better may be called better.
    pub alpha: f64,
    /// How often a bot that is better may be called not better.
    pub beta: f64,
    /// Units to be played before the first verdict.
    pub min_units: u64,
}

impl Default for SprtSettings {
    fn default() -> SprtSettings {
        SprtSettings { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, min_units: 8 }
    }
}

/// Why a test cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error(
        "elo0 is {elo0} and elo1 is {elo1}; elo0 must be less, and both between -{limit} and {limit}",
        limit = limits::ELO_SHOWN
    )]
    Hypotheses {
        /// The lower one.
        elo0: f64,
        /// The upper one.
        elo1: f64,
    },
    /// An error rate is none.
    #[error("{name} is {value}; an error rate is more than 0 and less than 0.5")]
    Rate {
        /// The name of the number that makes no sense.
        name: &'static str,
        /// What it was to be.
        value: f64,
    },
    /// A unit has no points or too many.
    #[error("a unit has {0} points; it must have 1 to {limit}", limit = limits::UNIT_POINTS)]
    Points(u32),
}

/// What is known so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Too little: play another unit.
    Continue,
    /// A is better (`elo1` rather than `elo0`).
    Better,
    /// A is not better, or not by as much as was asked (`elo0` rather than `elo1`).
    NotBetter,
}

/// A test in progress.
#[derive(Debug, Clone)]
pub struct Sprt {
    settings: SprtSettings,
    scores: Scores,
}

impl Sprt {
    /// A test whose units have up to `points` points: 4 for two games between two players, `unit_points` for others.
    ///
    /// # Errors
    /// If the settings make no sense.
    pub fn new(settings: SprtSettings, points: u32) -> Result<Sprt, SprtError> {
        let SprtSettings { elo0, elo1, alpha, beta, .. } = settings;
        // Written so that what is not a number is refused too.
        if !(-limits::ELO_SHOWN <= elo0 && elo0 < elo1 && elo1 <= limits::ELO_SHOWN) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(0.0 < value && value < 0.5) {
                return Err(SprtError::Rate { name, value });
            }
        }
        if !(1..=limits::UNIT_POINTS).contains(&points) {
            return Err(SprtError::Points(points));
        }
        Ok(Sprt { settings, scores: Scores::new(vec![0; points as usize + 1]) })
    }

    /// Counts a unit in which A made `points`.
    ///
    /// # Panics
    /// If a unit does not have that many.
    pub fn record(&mut self, points: u32) {
        self.scores.add(points);
    }

    /// What is known by now.
    pub fn verdict(&self) -> Verdict {
        if self.units() < self.settings.min_units {
            return Verdict::Continue;
        }
        let (low, high) = self.bounds();
        match self.llr() {
            llr if llr >= high || self.is_landslide(self.settings.elo0, self.settings.alpha, 1.0) => {
                Verdict::Better
            }
            llr if llr <= low || self.is_landslide(self.settings.elo1, self.settings.beta, -1.0) => {
                Verdict::NotBetter
            }
            _ => Verdict::Continue,
        }
    }

    /// Whether a hypothesis is out of the question, A being on that side of it.
    fn is_landslide(&self, elo: f64, rate: f64, side: f64) -> bool {
        let mean = score_of_elo(elo);
        let price = ((self.units() + 1) as f64).ln() / 2.0 + std::f64::consts::LN_2;
        (self.scores.mean() - mean) * side > 0.0
            && self.scores.loss(mean) >= price - (rate * LANDSLIDE_SHARE).ln()
    }

    /// The logarithm of the likelihood ratio: how much better `elo1` explains the units than `elo0`.
    pub fn llr(&self) -> f64 {
        self.scores.loss(score_of_elo(self.settings.elo0))
            - self.scores.loss(score_of_elo(self.settings.elo1))
    }

    /// The bounds of [`Sprt::llr`] at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        let SprtSettings { alpha, beta, .. } = self.settings;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// A's advantage in Elo points, with its 95 % interval; [`limits::ELO_SHOWN`] stands for no limit.
    ///
    /// While the test goes on, the interval is the one of a fixed number of units. A test that has stopped was a little
    /// lucky: its value tends to be further from the other hypothesis than the truth, and its interval is made as much wider
    /// as that takes.
    pub fn elo(&self) -> Estimate {
        let stopped = self.verdict() != Verdict::Continue;
        let (low, high) = self.scores.interval_of(if stopped { STOPPED_Z_95 } else { Z_95 });
        Estimate { value: elo_of_score(self.scores.mean()), low: elo_of_score(low), high: elo_of_score(high) }
    }

    /// How likely it is that A is better than B at all.
    pub fn likelihood_of_superiority(&self) -> f64 {
        self.scores.superiority()
    }

    /// How many units were counted.
    pub fn units(&self) -> u64 {
        self.scores.total()
    }

    /// How many units ended with 0 points, with 1 point, and so on.
    pub fn counts(&self) -> &[u64] {
        self.scores.counts()
    }
}

/// A's points in one game: every seat of A (`own`) against every seat of B, 2 if it placed above, 1 if level.
///
/// # Panics
/// Unless there is a rank for every seat.
pub(crate) fn game_points(ranks: &[u32], own: &[bool]) -> u32 {
    assert_eq!(ranks.len(), own.len(), "every seat has a rank");
    let side = |of_a: bool| ranks.iter().zip(own).filter(move |(_, own)| **own == of_a).map(|(rank, _)| rank);
    let points = |a: &u32, b: &u32| match a.cmp(b) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    };
    side(true).flat_map(|a| side(false).map(move |b| points(a, b))).sum()
}

/// The points of a unit of so many games, at tables of `seats` seats of which `own` are A's.
pub(crate) fn unit_points(games: u32, seats: u32, own: u32) -> u32 {
    games * 2 * own * (seats - own)
}

#[cfg(test)]
mod tests;
