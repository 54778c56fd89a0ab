//! Bots of known strength, for tests.

use super::ELO_PER_LOGIT;
use palestra_core::Rng;

/// A field whose true strengths are known, and a game it plays.
pub(super) struct World {
    rng: Rng,
    /// True strengths in Elo points.
    pub(super) strengths: Vec<f64>,
    /// Elo points that every seat is worth against the next one.
    pub(super) first_mover: f64,
    /// The draw parameter of games between two.
    pub(super) draws: f64,
}

impl World {
    /// Bots of these strengths, no draws, no advantage of any seat.
    pub(super) fn new(seed: u64, strengths: &[f64]) -> World {
        World { rng: Rng::new(seed), strengths: strengths.to_vec(), first_mover: 0.0, draws: 0.0 }
    }

    /// Strengths around 0, normally distributed.
    pub(super) fn of_random_strength(seed: u64, bots: usize, deviation: f64) -> World {
        let mut world = World::new(seed, &[]);
        world.strengths = (0..bots).map(|_| deviation * world.normal()).collect();
        let mean = world.strengths.iter().sum::<f64>() / bots as f64;
        world.strengths.iter_mut().for_each(|strength| *strength -= mean);
        world
    }

    /// A number between 0 and 1, never either.
    pub(super) fn unit(&mut self) -> f64 {
        ((self.rng.bits() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// A number of the standard normal distribution.
    pub(super) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Some different bots in random seats.
    pub(super) fn table(&mut self, seats: usize) -> Vec<usize> {
        let mut bots: Vec<usize> = (0..self.strengths.len()).collect();
        for seat in 0..seats {
            let other = seat + self.rng.below((bots.len() - seat) as u32) as usize;
            bots.swap(seat, other);
        }
        bots.truncate(seats);
        bots
    }

    /// The ranks of one game: of two players by Davidson's model, of more by Plackett and Luce's, whose pairs are
    /// Bradley and Terry's.
    pub(super) fn play(&mut self, players: &[usize]) -> Vec<u32> {
        if let [first, second] = *players {
            let lead = (self.strengths[first] - self.strengths[second] + self.first_mover) / ELO_PER_LOGIT;
            let (win, loss) = ((lead / 2.0).exp(), (-lead / 2.0).exp());
            let draw = self.unit() * (win + loss + self.draws);
            return if draw < win {
                vec![1, 2]
            } else if draw < win + loss {
                vec![2, 1]
            } else {
                vec![1, 1]
            };
        }
        let form: Vec<f64> = players
            .iter()
            .zip(0..)
            .map(|(&player, seat)| {
                let strength = self.strengths[player] - self.first_mover * f64::from(seat);
                strength / ELO_PER_LOGIT - (-self.unit().ln()).ln()
            })
            .collect();
        form.iter().map(|own| 1 + form.iter().filter(|other| *other > own).count() as u32).collect()
    }
}
