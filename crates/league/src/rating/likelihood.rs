//! What scores between 0 and 1 say about their mean, with nothing assumed about how they are distributed.
//!
//! The scores lie on a grid from 0 to 1. If the mean were `m`, the most likely distribution gives a score `x` that was
//! seen `n(x)` times of `N` the probability `n(x) / N / (1 + t (x - m))`, where `t` makes the mean come out right; what
//! is missing to 1 lies on 0 or on 1. So the log-likelihood lost by the mean being `m` is the largest value of
//! `sum n(x) ln(1 + t (x - m))` over all `t` that keep every bracket non-negative on [0, 1]: one concave function of
//! one variable, and no exception for scores that were never seen. Draws, pairs of games that share a map and any other
//! dependence inside a unit are in the counts already.

use super::{Estimate, Z_95, limits};

/// How often each score was seen: `counts[i]` times the score `i / (counts.len() - 1)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scores {
    counts: Vec<u64>,
}

impl Scores {
    /// Scores that were seen this often.
    ///
    /// # Panics
    /// If there is no grid: fewer than two counts.
    pub(crate) fn new(counts: Vec<u64>) -> Scores {
        assert!(counts.len() >= 2, "a grid of scores has at least the ends 0 and 1");
        Scores { counts }
    }

    /// One more score of `score / (grid size - 1)`.
    ///
    /// # Panics
    /// If the grid has no such score.
    pub(crate) fn add(&mut self, score: u32) {
        self.counts[score as usize] += 1;
    }

    /// How often each score was seen.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many scores were seen.
    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean; of no scores at all, one half.
    pub(crate) fn mean(&self) -> f64 {
        let points: u64 = self.counts.iter().zip(0..).map(|(count, score)| count * score).sum();
        match self.total() {
            0 => 0.5,
            total => points as f64 / total as f64 / (self.counts.len() - 1) as f64,
        }
    }

    /// The log-likelihood that is lost if the true mean is `mean` instead of the one that was seen: 0 or more.
    ///
    /// # Panics
    /// Unless `mean` lies between 0 and 1.
    pub(crate) fn loss(&self, mean: f64) -> f64 {
        assert!(mean > 0.0 && mean < 1.0, "a mean to be compared lies between 0 and 1");
        self.tilted(mean, self.best_tilt(mean))
    }

    /// The sum whose maximum is the loss.
    fn tilted(&self, mean: f64, tilt: f64) -> f64 {
        self.offsets(mean).map(|(count, offset)| count * (tilt * offset).ln_1p()).sum::<f64>().max(0.0)
    }

    /// The `t` at which it is largest.
    fn best_tilt(&self, mean: f64) -> f64 {
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        // Where nobody ever scored 0 or 1, the sum may still be rising where a bracket becomes 0 there.
        if self.counts[0] == 0 && self.slope(mean, high).0 >= 0.0 {
            return high;
        }
        if self.counts[self.counts.len() - 1] == 0 && self.slope(mean, low).0 <= 0.0 {
            return low;
        }
        let mut tilt = 0.0;
        for _ in 0..limits::ROOT_STEPS {
            let (slope, bend) = self.slope(mean, tilt);
            if slope > 0.0 {
                low = tilt;
            } else {
                high = tilt;
            }
            let newton = tilt - slope / bend;
            if slope == 0.0 || (newton - tilt).abs() <= 1e-12 * newton.abs() {
                break;
            }
            tilt = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        }
        tilt
    }

    /// Its first and second derivative by `t`.
    fn slope(&self, mean: f64, tilt: f64) -> (f64, f64) {
        self.offsets(mean).fold((0.0, 0.0), |(slope, bend), (count, offset)| {
            let share = offset / (1.0 + tilt * offset);
            (slope + count * share, bend - count * share * share)
        })
    }

    /// The scores seen: how often, and how far from `mean`.
    fn offsets(&self, mean: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let top = (self.counts.len() - 1) as f64;
        let seen = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        seen.map(move |(score, &count)| (count as f64, score as f64 / top - mean))
    }

    /// The 95 % interval of the mean: all means that a likelihood ratio test at 5 % does not reject.
    ///
    /// Unlike the mean plus and minus its standard errors it stays inside [0, 1] and does not shrink to nothing when
    /// all scores were equal.
    pub(crate) fn interval(&self) -> (f64, f64) {
        self.interval_of(Z_95)
    }

    /// The interval of all means from which the one that was seen is at most so many standard errors away, as the likelihood
    /// ratio has it.
    pub(crate) fn interval_of(&self, errors: f64) -> (f64, f64) {
        let mean = self.mean();
        (self.limit(mean, 0.0, errors), self.limit(mean, 1.0, errors))
    }

    /// Where, between the mean and an end of [0, 1], the loss becomes significant.
    fn limit(&self, mean: f64, end: f64, errors: f64) -> f64 {
        if mean == end || self.total() == 0 {
            return end;
        }
        // The root of the loss is nearly a straight line in the mean, so Newton's method is there at once; by the
        // envelope theorem the slope of the loss is minus the tilt, for each score. Wilson's limit, which takes all
        // scores for 0 or 1, is a good start.
        let (mut inner, mut outer) = (mean, end);
        let mut at = wilson_limit(mean, self.total() as f64, end);
        for _ in 0..limits::ROOT_STEPS {
            let tilt = self.best_tilt(at);
            let root = (2.0 * self.tilted(at, tilt)).sqrt();
            if (root - errors).abs() < 1e-9 {
                break;
            }
            if root < errors {
                inner = at;
            } else {
                outer = at;
            }
            let newton = at + (root - errors) * root / (tilt * self.total() as f64);
            let is_inside = (newton - inner) * (newton - outer) < 0.0;
            at = if is_inside { newton } else { (inner + outer) / 2.0 };
        }
        at
    }

    /// How likely it is that the true mean is above one half, by the signed root of the likelihood ratio.
    pub(crate) fn superiority(&self) -> f64 {
        let root = (2.0 * self.loss(0.5)).sqrt() * (self.mean() - 0.5).signum();
        libm::erfc(-root / std::f64::consts::SQRT_2) / 2.0
    }
}

/// A share with the limits of its 95 % interval after so many trials, which need not be a whole number.
pub fn share_estimate(share: f64, trials: f64) -> Estimate {
    let limit = |end: f64| if share == end { end } else { wilson_limit(share, trials, end) };
    Estimate { value: share, low: limit(0.0), high: limit(1.0) }
}

/// The limit of the 95 % interval of a share, towards one end of [0, 1], after so many trials.
fn wilson_limit(share: f64, trials: f64, end: f64) -> f64 {
    let spread = Z_95 * Z_95 / trials;
    let side = if end > share { 1.0 } else { -1.0 };
    (share + spread / 2.0 + side * (spread * (share * (1.0 - share) + spread / 4.0)).sqrt()) / (1.0 + spread)
}

#[cfg(test)]
mod tests {
    use super::Scores;
    use proptest::prelude::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
    }

    #[test]
    fn scores_that_are_all_equal_still_have_an_interval() {
        let wins = Scores::new(vec![0, 0, 10]);
        near(wins.loss(0.5), 10.0 * 2_f64.ln());
        let (low, high) = wins.interval();
        near(low, (-1.920_729_410_347 / 10.0_f64).exp());
        assert_eq!(high, 1.0);
        // Ten draws: a mean of m > 1/2 needs a win with probability 2 m - 1.
        let draws = Scores::new(vec![0, 10, 0]);
        near(draws.loss(0.6), -10.0 * 0.8_f64.ln());
        near(draws.superiority(), 0.5);
        near(Scores::new(vec![0, 0]).loss(0.3), 0.0);
        assert_eq!(Scores::new(vec![0, 0]).interval(), (0.0, 1.0));
    }

    #[test]
    fn with_two_outcomes_it_is_the_binomial_likelihood() {
        let scores = Scores::new(vec![30, 70]);
        let binomial = |p: f64| 70.0 * p.ln() + 30.0 * (1.0 - p).ln();
        for p in [0.2, 0.5, 0.69, 0.95] {
            near(scores.loss(p), binomial(0.7) - binomial(p));
        }
    }

    proptest! {
        #[test]
        fn the_loss_is_nothing_at_the_mean_and_significant_at_the_limits(
            counts in proptest::collection::vec(0_u64..50, 2..9)
        ) {
            let scores = Scores::new(counts);
            prop_assume!(scores.total() > 0);
            let (mean, (low, high)) = (scores.mean(), scores.interval());
            prop_assert!(low <= mean && mean <= high);
            if mean > 0.0 && mean < 1.0 {
                prop_assert!(scores.loss(mean) < 1e-9);
                prop_assert!((scores.loss(low) - 1.920_729_410_347).abs() < 1e-6);
                prop_assert!((scores.loss(high) - 1.920_729_410_347).abs() < 1e-6);
            }
        }
    }
}
