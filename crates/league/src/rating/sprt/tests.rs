//! Published examples, landslides, and error rates by simulation.

use super::{Sprt, SprtError, SprtSettings, Verdict, game_points, unit_points};
use crate::rating::simulated::World;
use crate::rating::{ELO_PER_LOGIT, limits};

fn pentanomial(counts: [u64; 5], elo0: f64, elo1: f64) -> Sprt {
    let mut sprt =
        Sprt::new(SprtSettings { elo0, elo1, ..SprtSettings::default() }, 4).expect("good settings");
    for (points, count) in (0..).zip(counts) {
        (0..count).for_each(|_| sprt.record(points));
    }
    sprt
}

fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

#[test]
fn the_ratio_is_that_of_the_chess_programmers() {
    // Two examples of fastchess, pentanomial counts with logistic Elo, which gives the ratio to one percent.
    assert_near(pentanomial([223, 9863, 21_279, 10_037, 246], 0.5, 2.5).llr(), -3.07, 0.03);
    assert_near(pentanomial([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0).llr(), -4.98, 0.05);
    let (low, high) = pentanomial([0; 5], 0.0, 2.0).bounds();
    assert_near(low, -2.944, 0.001);
    assert_near(high, 2.944, 0.001);
}

#[test]
fn the_difference_is_that_of_the_chess_programmers() {
    // Two more: Elo difference, half of the interval's width, likelihood of superiority.
    let examples =
        [([34, 54, 63, 64, 75], 55.58, 27.65, 1.0), ([332, 433, 498, 333, 334], -8.64, 10.33, 0.0505)];
    for (counts, elo, half_width, superiority) in examples {
        let sprt = pentanomial(counts, 0.0, 2.0);
        let estimate = sprt.elo();
        assert_near(estimate.value, elo, 0.01);
        assert_near((estimate.high - estimate.low) / 2.0, half_width, 0.01 * half_width);
        assert_near(sprt.likelihood_of_superiority(), superiority, 0.0005);
    }
}

/// The units until a verdict if all units are alike, and the verdict.
fn monotonous(points: u32) -> (u64, Verdict) {
    let mut sprt = pentanomial([0; 5], 0.0, 20.0);
    while sprt.verdict() == Verdict::Continue {
        sprt.record(points);
    }
    (sprt.units(), sprt.verdict())
}

#[test]
fn bots_that_always_do_the_same_are_judged_soon() {
    assert_eq!(monotonous(4), (11, Verdict::Better));
    assert_eq!(monotonous(0), (10, Verdict::NotBetter));
    // As if A were B: the first mover always wins.
    assert_eq!(monotonous(2), (50, Verdict::NotBetter));
    let all_won = pentanomial([0, 0, 0, 0, 11], 0.0, 20.0);
    assert_eq!((all_won.elo().value, all_won.elo().high), (limits::ELO_SHOWN, limits::ELO_SHOWN));
    assert!(all_won.elo().low > 190.0 && all_won.likelihood_of_superiority() > 0.999);
    let all_level = pentanomial([0, 0, 12, 0, 0], 0.0, 20.0);
    assert_eq!((all_level.elo().value, all_level.likelihood_of_superiority()), (0.0, 0.5));
    assert!(all_level.elo().low < -20.0 && all_level.elo().high > 20.0);
}

#[test]
fn settings_without_sense_are_refused() {
    let settings = SprtSettings::default();
    assert_eq!(
        Sprt::new(SprtSettings { elo1: -5.0, ..settings }, 4).err().map(|error| error.to_string()),
        Some("elo0 is 0 and elo1 is -5; elo0 must be less, and both between -2000 and 2000".to_owned())
    );
    assert!(Sprt::new(SprtSettings { elo0: f64::NAN, ..settings }, 4).is_err());
    let rate = Sprt::new(SprtSettings { beta: 0.5, ..settings }, 4).err();
    assert_eq!(rate, Some(SprtError::Rate { name: "beta", value: 0.5 }));
    assert_eq!(Sprt::new(settings, 0).err(), Some(SprtError::Points(0)));
}

#[test]
fn points_are_counted_seat_against_seat() {
    assert_eq!(game_points(&[1, 2], &[true, false]), 2);
    assert_eq!(game_points(&[1, 1], &[true, false]), 1);
    assert_eq!(game_points(&[2, 1, 2, 4], &[true, false, false, false]), 3);
    assert_eq!(game_points(&[1, 2, 3, 4], &[true, false, true, false]), 2 * 3);
    assert_eq!((unit_points(2, 2, 1), unit_points(4, 4, 1)), (4, 24));
}

/// A's points in one unit. The map makes the first seats stronger or weaker, by up to hundreds of Elo points, and that
/// in all games of the unit alike.
fn play_unit(world: &mut World, seats: usize) -> u32 {
    world.first_mover = 150.0 * world.normal();
    (0..seats)
        .map(|seat_of_a| {
            let own: Vec<bool> = (0..seats).map(|seat| seat == seat_of_a).collect();
            let players: Vec<usize> = own.iter().map(|&own| usize::from(!own)).collect();
            let ranks = world.play(&players);
            game_points(&ranks, &own)
        })
        .sum()
}

/// Of many tests of bots so far apart, how many called A better.
fn called_better(elo: f64, seats: usize, draws: f64, settings: SprtSettings, tests: u64) -> u64 {
    let points = unit_points(seats as u32, seats as u32, 1);
    (0..tests)
        .filter(|&seed| {
            let mut world = World::new(seed, &[elo, 0.0]);
            world.draws = draws;
            let mut sprt = Sprt::new(settings, points).expect("good settings");
            while sprt.verdict() == Verdict::Continue {
                sprt.record(play_unit(&mut world, seats));
            }
            sprt.verdict() == Verdict::Better
        })
        .count() as u64
}

/// The score that bots so far apart really make, as Elo points: maps that favour a seat, and draws, bring the score
/// nearer to one half than the strengths alone would.
fn elo_of_units(elo: f64, seats: usize, draws: f64) -> f64 {
    const UNITS: u32 = 200_000;
    let mut world = World::new(9, &[elo, 0.0]);
    world.draws = draws;
    let points: u32 = (0..UNITS).map(|_| play_unit(&mut world, seats)).sum();
    let score = f64::from(points) / f64::from(UNITS * unit_points(seats as u32, seats as u32, 1));
    (score / (1.0 - score)).ln() * ELO_PER_LOGIT
}

#[test]
fn error_rates_hold() {
    const TESTS: u64 = 600;
    // Five percent of 600, and three standard errors.
    const MOST_ERRORS: u64 = 46;
    for (elo, seats, draws) in [(60.0, 2, 0.0), (80.0, 2, 1.5), (60.0, 3, 0.0)] {
        let settings = SprtSettings { elo1: elo_of_units(elo, seats, draws), ..SprtSettings::default() };
        let wrongly_better = called_better(0.0, seats, draws, settings, TESTS);
        assert!(wrongly_better <= MOST_ERRORS, "{wrongly_better} of {TESTS} with {seats} seats");
        let wrongly_not = TESTS - called_better(elo, seats, draws, settings, TESTS);
        assert!(wrongly_not <= MOST_ERRORS, "{wrongly_not} of {TESTS} with {seats} seats");
        // A test that is never wrong asks for too many games.
        assert!(wrongly_better + wrongly_not >= 12, "{wrongly_better} and {wrongly_not} of {TESTS}");
    }
}

#[test]
fn the_interval_at_a_stop_holds_the_truth_as_often_as_it_says() {
    const TESTS: u64 = 600;
    // Ninety-five percent of 600, less two and a half standard errors.
    const FEWEST: u64 = 556;
    for (elo, draws) in [(0.0, 0.0), (30.0, 0.0), (60.0, 0.0), (80.0, 1.5), (150.0, 0.0)] {
        let settings = SprtSettings { elo1: elo_of_units(60.0, 2, draws), ..SprtSettings::default() };
        let truth = elo_of_units(elo, 2, draws);
        let holds = |seed: &u64| {
            let mut world = World::new(*seed, &[elo, 0.0]);
            world.draws = draws;
            let mut sprt = Sprt::new(settings, 4).expect("good settings");
            while sprt.verdict() == Verdict::Continue {
                sprt.record(play_unit(&mut world, 2));
            }
            let estimate = sprt.elo();
            estimate.low <= truth && truth <= estimate.high
        };
        let held = (0..TESTS).filter(holds).count() as u64;
        assert!(held >= FEWEST, "{held} of {TESTS} at {elo} Elo, {draws}");
    }
}
