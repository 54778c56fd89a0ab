//! Published fits, degenerate fields, and fields whose true strengths are known.

use super::{Fit, FitSettings, MEAN_RATING, fit};
use crate::rating::ELO_PER_LOGIT;
use crate::rating::simulated::World;
use crate::rating::tally::Tally;

/// As good as no virtual games, for comparison with fits that have none.
const PLAIN: FitSettings = FitSettings { first_mover: false, virtual_games: 1e-7 };

/// The American League's eastern division in 1987 (Agresti, Categorical Data Analysis, 2002, table 10.10): the home
/// team by row, the visitors by column, as home team's wins and losses. Milwaukee, Detroit, Toronto, New York, Boston,
/// Cleveland, Baltimore.
const BASEBALL: [[(u32, u32); 7]; 7] = [
    [(0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)],
];

/// Chocolate puddings compared by tasters (Davidson 1970): two brands, the first preferred, the second, neither.
const PUDDINGS: [(usize, usize, u32, u32, u32); 15] = [
    (1, 2, 19, 22, 16),
    (1, 3, 16, 19, 12),
    (2, 3, 19, 19, 10),
    (1, 4, 18, 23, 13),
    (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15),
    (1, 5, 13, 19, 18),
    (2, 5, 16, 20, 12),
    (3, 5, 16, 15, 17),
    (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12),
    (2, 6, 22, 20, 12),
    (3, 6, 13, 18, 10),
    (4, 6, 14, 19, 18),
    (5, 6, 11, 21, 12),
];

fn record_all(tally: &mut Tally, players: [usize; 2], wins: u32, losses: u32, draws: u32) {
    for (times, ranks) in [(wins, [1, 2]), (losses, [2, 1]), (draws, [1, 1])] {
        for _ in 0..times {
            tally.record(&players, &ranks);
        }
    }
}

fn baseball() -> Tally {
    let mut tally = Tally::new(7);
    for (home, row) in BASEBALL.iter().enumerate() {
        for (away, &(wins, losses)) in row.iter().enumerate() {
            record_all(&mut tally, [home, away], wins, losses, 0);
        }
    }
    tally
}

/// Strengths in log odds over the last bot's.
fn over_the_last(fit: &Fit) -> Vec<f64> {
    let last = fit.bots.last().expect("there are bots").rating;
    fit.bots.iter().map(|bot| (bot.rating - last) / ELO_PER_LOGIT).collect()
}

/// Strengths as shares of 1.
fn shares(fit: &Fit) -> Vec<f64> {
    let worths: Vec<f64> = over_the_last(fit).iter().map(|strength| strength.exp()).collect();
    let total: f64 = worths.iter().sum();
    worths.iter().map(|worth| worth / total).collect()
}

fn assert_near(values: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        assert!((value - expected).abs() <= tolerance, "{values:?} is not {expected:?}");
    }
}

impl Fit {
    /// The score, from 0 to 1, that a bot may expect against another of its group, each seat half of the time.
    fn expected_score(&self, bot: usize, other: usize) -> f64 {
        let lead = self.bots[bot].rating - self.bots[other].rating;
        let first = self.first_mover.map_or(0.0, |first| first.value);
        (self.score_of_lead(lead + first) + self.score_of_lead(lead - first)) / 2.0
    }

    fn score_of_lead(&self, lead: f64) -> f64 {
        let (win, loss) = ((lead / ELO_PER_LOGIT / 2.0).exp(), (-lead / ELO_PER_LOGIT / 2.0).exp());
        (win + self.draw / 2.0) / (win + loss + self.draw)
    }
}

#[test]
fn baseball_without_home_advantage_is_agresti_s_table() {
    let fit = fit(&baseball(), &PLAIN);
    assert_near(&over_the_last(&fit), &[1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0], 0.005);
    assert_eq!((fit.first_mover, fit.draw, fit.groups), (None, 0.0, 1));
}

#[test]
fn baseball_with_home_advantage_is_agresti_s_table() {
    let fit = fit(&baseball(), &FitSettings { first_mover: true, ..PLAIN });
    assert_near(&shares(&fit), &[0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044], 0.000_5);
    let first = fit.first_mover.expect("it was asked for");
    assert_near(&[first.value / ELO_PER_LOGIT], &[0.302], 0.000_5);
    // Its standard error is 0.131 there.
    assert_near(&[(first.high - first.low) / 2.0 / 1.96 / ELO_PER_LOGIT], &[0.131], 0.000_5);
}

#[test]
fn puddings_are_as_davidson_fitted_them() {
    let mut tally = Tally::new(6);
    for (first, second, wins, losses, draws) in PUDDINGS {
        record_all(&mut tally, [first - 1, second - 1], wins, losses, draws);
    }
    let fit = fit(&tally, &PLAIN);
    let expected = [0.138_800_5, 0.172_998_5, 0.161_742_0, 0.165_393_0, 0.158_680_5, 0.202_385_5];
    // The published numbers were not iterated to the end.
    assert_near(&shares(&fit), &expected, 5e-5);
    assert_near(&[fit.draw], &[0.746_814_7], 5e-5);
}

#[test]
fn the_interval_of_a_duel_is_that_of_its_score() {
    // 70 of 100 points: log odds with the variance 1/70 + 1/30, half of which lies on either side of the mean.
    let mut tally = Tally::new(2);
    record_all(&mut tally, [0, 1], 70, 30, 0);
    let fit = fit(&tally, &PLAIN);
    let lead = (70.0_f64 / 30.0).ln() * ELO_PER_LOGIT;
    let width = 1.959_964 * (1.0_f64 / 70.0 + 1.0 / 30.0).sqrt() * ELO_PER_LOGIT;
    assert_near(&[fit.bots[0].rating, fit.bots[1].rating], &[1500.0 + lead / 2.0, 1500.0 - lead / 2.0], 1e-3);
    assert_near(&[fit.bots[0].half_width.expect("it played")], &[width / 2.0], 1e-3);
    assert_near(&[fit.log_likelihood], &[70.0 * 0.7_f64.ln() + 30.0 * 0.3_f64.ln()], 1e-6);
    assert_near(&[fit.expected_score(0, 1)], &[0.7], 1e-6);
}

#[test]
fn nothing_is_infinite_however_odd_the_games() {
    let nobody = fit(&Tally::new(0), &FitSettings::default());
    assert_eq!((nobody.bots.len(), nobody.groups, nobody.first_mover), (0, 0, None));

    // Bot 0 won everything, bot 2 lost everything, 3 and 4 met nobody else and always drew, 5 never played.
    let mut tally = Tally::new(6);
    record_all(&mut tally, [0, 1], 20, 0, 0);
    record_all(&mut tally, [0, 2], 20, 0, 0);
    record_all(&mut tally, [1, 2], 20, 0, 0);
    record_all(&mut tally, [3, 4], 0, 0, 5);
    let fit = fit(&tally, &FitSettings::default());
    let ratings: Vec<f64> = fit.bots.iter().map(|bot| bot.rating).collect();
    assert!(ratings.iter().all(|rating| rating.is_finite()), "{ratings:?}");
    assert!(ratings[0] > ratings[1] + 50.0 && ratings[1] > ratings[2] + 50.0, "{ratings:?}");
    assert_near(&[ratings[0] + ratings[1] + ratings[2]], &[3.0 * MEAN_RATING], 1e-6);
    assert_eq!(fit.bots.iter().map(|bot| bot.group).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 2]);
    assert_eq!(fit.groups, 3);
    assert_eq!((fit.bots[5].rating, fit.bots[5].half_width), (MEAN_RATING, None));
    assert!(fit.bots[..5].iter().all(|bot| bot.half_width.is_some_and(|width| width > 10.0)));
    assert!(fit.draw.is_finite() && fit.draw > 0.0);
}

#[test]
fn strengths_of_a_large_field_are_recovered() {
    let mut world = World::of_random_strength(3, 60, 200.0);
    (world.first_mover, world.draws) = (40.0, 0.7);
    let mut tally = Tally::new(60);
    for _ in 0..30_000 {
        let players = world.table(2);
        tally.record(&players, &world.play(&players));
    }
    let fit = fit(&tally, &FitSettings::default());
    for (bot, strength) in fit.bots.iter().zip(&world.strengths) {
        assert!((bot.rating - MEAN_RATING - strength).abs() < 40.0);
    }
    let first = fit.first_mover.expect("it was asked for");
    assert!(first.low < 40.0 && 40.0 < first.high && first.high - first.low < 20.0, "{first:?}");
    assert!((fit.draw - 0.7).abs() < 0.05, "{}", fit.draw);
}

/// How many of the intervals of many small tournaments hold the true strength, of how many.
fn covered(seats: usize, deviation: f64, games: usize) -> (usize, usize) {
    const TOURNAMENTS: u64 = 150;
    const BOTS: usize = 8;
    let mut covered = 0;
    for seed in 0..TOURNAMENTS {
        let mut world = World::of_random_strength(1000 + seed, BOTS, deviation);
        (world.first_mover, world.draws) = (30.0, 0.4);
        let mut tally = Tally::new(BOTS);
        for _ in 0..games {
            let players = world.table(seats);
            tally.record(&players, &world.play(&players));
        }
        let fit = fit(&tally, &FitSettings::default());
        covered += fit
            .bots
            .iter()
            .zip(&world.strengths)
            .filter(|(bot, strength)| {
                (bot.rating - MEAN_RATING - **strength).abs() < bot.half_width.expect("it played")
            })
            .count();
    }
    (covered, TOURNAMENTS as usize * BOTS)
}

#[test]
fn intervals_cover_what_they_promise() {
    // 95 % of 1200, give or take three standard errors (bots of one tournament are nearly independent).
    let fields =
        [(2, 0.0, 200), (2, 300.0, 400), (3, 150.0, 150), (4, 0.0, 100), (4, 150.0, 100), (6, 0.0, 60)];
    for (seats, deviation, games) in fields {
        let (covered, all) = covered(seats, deviation, games);
        let share = covered as f64 / all as f64;
        assert!((0.931..=0.969).contains(&share), "{covered} of {all} with {seats} seats and {deviation}");
    }
}
