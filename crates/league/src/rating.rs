//! How strong bots are, how sure that is, and whether one is better than another.
//!
//! Bots are numbers from 0 on. A finished game is its players in seat order and their ranks: 1 is the best, equal ranks
//! are a tie. [`elo`] and [`openskill`] follow games one by one; [`tally`] counts them, and everything that must not
//! depend on their order is computed from the counts: the payoff matrix and the [`bradley_terry`] fit. [`sprt`] answers
//! whether one bot is better than another with as few games as possible, [`matchmaking`] chooses the games of a ladder.
//!
//! Nothing here reads a clock, starts a thread or depends on the order of a hash: equal games give equal numbers.

use serde::Serialize;

pub mod bradley_terry;
pub mod elo;
pub(crate) mod likelihood;
pub mod limits;
mod linear;
pub mod matchmaking;
pub mod openskill;
#[cfg(test)]
mod simulated;
pub mod sprt;
pub mod tally;

pub use likelihood::share_estimate;

/// Elo points per unit of log odds: 400 points are odds of ten to one.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Standard deviations on either side of a value that hold 95 % of a normal distribution.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// A number and the limits of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower limit; in JSON null if there is none.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub low: f64,
    /// The upper limit; in JSON null if there is none.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub high: f64,
}

/// The share of points, from 0 to 1, that somebody with these results can expect; nothing without results.
pub fn share(wins: u32, draws: u32, losses: u32) -> Option<Estimate> {
    let scores = likelihood::Scores::new([losses, draws, wins].map(u64::from).to_vec());
    let (low, high) = scores.interval();
    (scores.total() > 0).then(|| Estimate { value: scores.mean(), low, high })
}

/// The score, from 0 to 1, that an advantage in Elo points promises.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The advantage in Elo points that explains a score from 0 to 1; beyond [`limits::ELO_SHOWN`] that limit, because no
/// finite number explains a score of 0 or 1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    let elo = ELO_PER_LOGIT * (score / (1.0 - score)).ln();
    elo.clamp(-limits::ELO_SHOWN, limits::ELO_SHOWN)
}

/// Panics unless there is a rank for every player, and at least two of them: whoever stores games checks them.
fn assert_game(players: &[usize], ranks: &[u32]) {
    assert!(players.len() >= 2, "a game has at least two players");
    assert_eq!(players.len(), ranks.len(), "every player of a game has a rank");
}

#[cfg(test)]
mod tests {
    use super::{elo_of_score, score_of_elo};

    #[test]
    fn scores_and_elo_are_each_other_s_inverse() {
        for elo in [-1500.0, -400.0, 0.0, 7.5, 191.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(elo_of_score(1.0), super::limits::ELO_SHOWN);
        assert_eq!(elo_of_score(0.0), -super::limits::ELO_SHOWN);
    }
}
