//! The maximum likelihood fit of all games at once: strengths with 95 % intervals, first-mover advantage, draws.
//!
//! # Model
//! Bradley and Terry's, with draws as Davidson (1970) has them. A bot of strength `a` (in log odds) that sits before a
//! bot of strength `b` leads by `d = a - b + first`: a win, a draw and a loss are as likely as `e^(d/2)`, `draw` and
//! `e^(-d/2)` are to each other. `first` is what the earlier seat is worth; `draw` is 0 if no game was ever drawn.
//!
//! # More than two players
//! A table is taken apart into its pairs, by placement. Pairs of one table are not independent, so they count less:
//! each pair of a table of `k` counts `3 / (k + 1)`. That is exact among equals: all orders of `k` bots are equally
//! likely then, the places a bot gains over the others have the variance `(k^2 - 1) / 12`, and `k - 1` independent
//! pairs would have `(k - 1) / 4`. A table of four says as much as 3.6 duels. Among bots of very different strength
//! pairs depend on each other less, and intervals come out a little too wide: with four seats and strengths 400 Elo
//! points apart in standard deviation they hold the truth in 97 % of cases, by simulation. `first` is the earlier seat
//! against the later one, on average over how far apart they sit.
//!
//! # What was never played
//! Every bot has also played [`FitSettings::virtual_games`], half won and half lost, against an average bot. This keeps
//! the strength of a bot that won or lost everything finite, and moves others by next to nothing. `first` and `draw`
//! have such a virtual game too. Bots that are not linked by games, directly or over others, are in different groups:
//! each group has the mean 1500, and ratings of different groups cannot be compared.

use super::linear::{self, Cholesky};
use super::tally::Tally;
use super::{ELO_PER_LOGIT, Estimate, Z_95, limits};
use model::Model;
use serde::{Deserialize, Serialize};

mod groups;
mod model;
#[cfg(test)]
mod tests;

/// The mean rating of every group.
pub(crate) const MEAN_RATING: f64 = 1500.0;

/// What is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FitSettings {
    /// Whether the earlier seat may be worth something.
    pub first_mover: bool,
    /// Games that every bot has not played: half won, half lost, against an average bot. More than 0.
    pub virtual_games: f64,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings { first_mover: true, virtual_games: 0.5 }
    }
}

/// How strong a bot is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// In Elo points; the mean of its group is [`MEAN_RATING`].
    pub rating: f64,
    /// The 95 % interval is the rating plus and minus this, against the mean of the group. Nothing is known of a bot
    /// without games.
    pub half_width: Option<f64>,
    /// Which group the bot belongs to. Only ratings of one group can be compared.
    pub group: usize,
}

/// What all games together say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// By bot.
    pub bots: Vec<Strength>,
    /// How many groups of bots never met each other; a bot without games is a group of its own.
    pub groups: usize,
    /// What the earlier seat is worth, in Elo points, if that was asked for and there was a game.
    pub first_mover: Option<Estimate>,
    /// The draw parameter: equals draw with the probability `draw / (2 + draw)`.
    pub draw: f64,
    /// Logarithm of how likely these results are, each pair of a table weighed as described; virtual games do not
    /// count.
    pub log_likelihood: f64,
}

/// How much of a comparison a pair of a table of this size is.
pub(crate) fn pair_weight(table: usize) -> f64 {
    3.0 / (table as f64 + 1.0)
}

/// The strengths under which the games counted are most likely.
///
/// The time grows with the pairs that met and, for the intervals, with the third power of the number of bots.
///
/// # Panics
/// Unless there are more than 0 virtual games.
pub fn fit(tally: &Tally, settings: &FitSettings) -> Fit {
    assert!(settings.virtual_games > 0.0, "a fit needs virtual games to be sure of an answer");
    let met = tally.comparisons();
    let model = Model::new(tally.bots(), &met, settings);
    let (parameters, derivatives) = most_likely(&model);
    let groups = groups::of(tally.bots(), &met);
    let spread = Cholesky::new(model.size(), derivatives.information(&model));
    let variances = spread.inverse_diagonal();

    let unknown = Strength { rating: MEAN_RATING, half_width: None, group: 0 };
    let mut bots = vec![unknown; tally.bots()];
    for (group, members) in groups.iter().enumerate() {
        if let [bot] = members[..] {
            bots[bot].group = group;
            continue;
        }
        // Ratings are differences from the group's mean, and so are their errors.
        let share = 1.0 / members.len() as f64;
        let mean = share * members.iter().map(|&bot| parameters[bot]).sum::<f64>();
        let mut direction = vec![0.0; model.size()];
        members.iter().for_each(|&bot| direction[bot] = share);
        let with_mean = spread.solve(direction);
        let of_mean = share * members.iter().map(|&bot| with_mean[bot]).sum::<f64>();
        for &bot in members {
            let variance = (variances[bot] - 2.0 * with_mean[bot] + of_mean).max(0.0);
            bots[bot] = Strength {
                rating: MEAN_RATING + ELO_PER_LOGIT * (parameters[bot] - mean),
                half_width: Some(Z_95 * ELO_PER_LOGIT * variance.sqrt()),
                group,
            };
        }
    }
    let first_mover = model.fits_first_mover().then(|| {
        let value = ELO_PER_LOGIT * parameters[model.first()];
        let half_width = Z_95 * ELO_PER_LOGIT * variances[model.first()].sqrt();
        Estimate { value, low: value - half_width, high: value + half_width }
    });
    let draw = model.draw(&parameters);
    Fit { bots, groups: groups.len(), first_mover, draw, log_likelihood: model.log_likelihood(&parameters) }
}

/// Newton's method on a concave function: the parameters at the top, and the derivatives there.
fn most_likely(model: &Model) -> (Vec<f64>, model::Derivatives) {
    /// What a step may still promise, in log-likelihood, when no further one is needed: it is taken, and squares that.
    const NEGLIGIBLE: f64 = 1e-7;
    /// Steps need not be exact: an error of this share is made good by the next one.
    const STEP_TOLERANCE: f64 = 1e-7;

    let mut parameters = model.start();
    let mut here = model.derivatives(&parameters);
    for _ in 0..limits::NEWTON_STEPS {
        let multiply = |x: &[f64], image: &mut [f64]| here.multiply(model, x, image);
        let mut step =
            linear::conjugate_gradients(multiply, here.diagonal(), here.gradient(), STEP_TOLERANCE);
        let promise = linear::dot(&step, here.gradient());
        let mut improved = false;
        for _ in 0..limits::NEWTON_HALVINGS {
            let next: Vec<f64> =
                parameters.iter().zip(&step).map(|(parameter, step)| parameter + step).collect();
            let there = model.derivatives(&next);
            if there.value() >= here.value() {
                (parameters, here, improved) = (next, there, true);
                break;
            }
            step.iter_mut().for_each(|step| *step /= 2.0);
        }
        if !improved || promise < NEGLIGIBLE {
            break;
        }
    }
    (parameters, here)
}
