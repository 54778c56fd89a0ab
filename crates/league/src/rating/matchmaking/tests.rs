//! Ladders of bots of known strength.

use super::{Candidate, choose};
use crate::rating::openskill::{OpenSkill, OpenSkillSettings};
use crate::rating::simulated::World;
use crate::rating::tally::Tally;
use crate::rating::{ELO_PER_LOGIT, limits};
use palestra_core::Rng;

/// A ladder, and what it has found out.
struct Ladder {
    world: World,
    skills: OpenSkill,
    tally: Tally,
    rng: Rng,
}

impl Ladder {
    fn new(seed: u64, bots: usize, deviation: f64) -> Ladder {
        let mut ladder = Ladder {
            world: World::of_random_strength(seed, bots, deviation),
            skills: OpenSkill::new(OpenSkillSettings::default()),
            tally: Tally::new(bots),
            rng: Rng::new(seed),
        };
        (0..bots).for_each(|_| _ = ladder.skills.add_bot());
        ladder
    }

    fn candidates(&self) -> Vec<Candidate> {
        (0..self.world.strengths.len())
            .map(|bot| {
                let skill = self.skills.skill(bot);
                Candidate { bot, mean: skill.mean, sigma: skill.sigma, in_play: 0 }
            })
            .collect()
    }

    fn chosen(&mut self, seats: usize) -> Vec<usize> {
        let candidates = self.candidates();
        choose(&candidates, seats, &OpenSkillSettings::default(), &self.tally, &mut self.rng)
    }

    fn play(&mut self, players: &[usize]) {
        let ranks = self.world.play(players);
        self.skills.record(players, &ranks);
        self.tally.record(players, &ranks);
    }

    /// Of all pairs of bots, the share that the means put in the wrong order.
    fn disorder(&self) -> f64 {
        let bots = self.world.strengths.len();
        let pairs = (0..bots).flat_map(|a| (0..a).map(move |b| (a, b)));
        let wrong = pairs.filter(|&(a, b)| {
            let believed = self.skills.skill(a).mean - self.skills.skill(b).mean;
            believed * (self.world.strengths[a] - self.world.strengths[b]) < 0.0
        });
        wrong.count() as f64 / (bots * (bots - 1) / 2) as f64
    }
}

#[test]
fn chosen_games_order_a_field_better_than_random_ones() {
    for (seats, games) in [(2, 800), (4, 250)] {
        let (mut chosen, mut random) = (0.0, 0.0);
        for seed in 0..12 {
            let mut ladder = Ladder::new(seed, 40, 700.0);
            for _ in 0..games {
                let players = ladder.chosen(seats);
                ladder.play(&players);
            }
            chosen += ladder.disorder();
            let mut ladder = Ladder::new(seed, 40, 700.0);
            for _ in 0..games {
                let players = ladder.world.table(seats);
                ladder.play(&players);
            }
            random += ladder.disorder();
        }
        let ratio = chosen / random;
        assert!(ratio < 0.9, "with {seats} seats {ratio:.3} of the disorder of random games");
    }
}

#[test]
fn newcomers_go_first_and_nobody_starves() {
    let mut ladder = Ladder::new(1, 30, 300.0);
    // One so strong that its games teach nothing.
    ladder.world.strengths[7] = 20.0 * ELO_PER_LOGIT;
    for _ in 0..1500 {
        let players = ladder.chosen(2);
        ladder.play(&players);
    }
    let games: Vec<u64> = (0..30).map(|bot| ladder.tally.games(bot)).collect();
    assert!(games.iter().all(|&games| (30..=300).contains(&games)), "{games:?}");

    ladder.world.strengths.push(0.0);
    let newcomer = ladder.skills.add_bot();
    for _ in 0..limits::NEWCOMER_GAMES {
        let players = ladder.chosen(2);
        assert!(players.contains(&newcomer));
        ladder.play(&players);
    }
    assert_eq!(ladder.tally.games(newcomer), limits::NEWCOMER_GAMES);
}

#[test]
fn opponents_and_seats_vary() {
    let mut ladder = Ladder::new(5, 8, 0.0);
    for _ in 0..560 {
        let players = ladder.chosen(4);
        ladder.play(&players);
    }
    for bot in 0..8 {
        // 120 meetings and 70 games in each seat are the mean.
        for other in (0..8).filter(|&other| other != bot) {
            let meetings = ladder.tally.meetings(bot, other);
            assert!((90..=150).contains(&meetings), "{bot} met {other} {meetings} times");
        }
        let seats: Vec<u32> = (0..4).map(|seat| ladder.tally.times_in_seat(bot, seat)).collect();
        let range = seats.iter().max().zip(seats.iter().min()).map(|(most, least)| most - least);
        assert!(range.is_some_and(|range| range <= 8), "{bot} sat {seats:?}");
    }
}

#[test]
fn bots_at_play_are_left_alone_if_possible() {
    let mut ladder = Ladder::new(2, 12, 100.0);
    for _ in 0..200 {
        let players = ladder.chosen(2);
        ladder.play(&players);
    }
    let mut candidates = ladder.candidates();
    candidates[..8].iter_mut().for_each(|candidate| candidate.in_play = 1);
    let settings = OpenSkillSettings::default();
    let busy = (0..400)
        .flat_map(|_| choose(&candidates, 2, &settings, &ladder.tally, &mut ladder.rng))
        .filter(|bot| *bot < 8)
        .count();
    // Two thirds of the bots are at play; drawn blindly, they would have 533 of the 800 seats.
    assert!(busy < 150, "{busy} of 800");
}

#[test]
fn too_few_bots_play_nothing() {
    let mut ladder = Ladder::new(1, 3, 100.0);
    assert_eq!(ladder.chosen(4), Vec::<usize>::new());
    let mut all = ladder.chosen(3);
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2]);
}
