//! Which game of an endless ladder to play next: the one that teaches most.
//!
//! What a game between two bots teaches is how much it is expected to shrink what is uncertain about them, under the
//! same model as [`super::openskill`]: much if both are uncertain and the result is open, little if one is known or the
//! winner is. A pair that met before counts less, so that everybody meets many others; a bot that is playing just now
//! waits until that is known.
//!
//! Trying all tables would take too long in a large field, and always taking the best one would play the same few games
//! again and again. So some bots are drawn at random, a few of them gather the best table each, and the best is played.
//! Newcomers go first, and one table in some is built around whoever has played least: nobody starves.

use super::limits;
use super::openskill::OpenSkillSettings;
use super::tally::Tally;
use palestra_core::Rng;

/// A bot that can be asked to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Its number, as in the tally.
    pub bot: usize,
    /// Its OpenSkill mean.
    pub mean: f64,
    /// Its OpenSkill standard deviation.
    pub sigma: f64,
    /// Games it is playing just now.
    pub in_play: u32,
}

/// The players of the next game, in seat order; nobody if there are too few candidates.
///
/// `tally` holds all games finished so far. Each seat goes to the bot that has had it least.
pub fn choose(
    candidates: &[Candidate],
    table_size: usize,
    settings: &OpenSkillSettings,
    tally: &Tally,
    rng: &mut Rng,
) -> Vec<usize> {
    if table_size == 0 || candidates.len() < table_size {
        return Vec::new();
    }
    let ladder = Ladder { candidates, settings, tally };
    let mut drawn: Vec<usize> = (0..candidates.len()).collect();
    rng.shuffle(&mut drawn);
    drawn.truncate(limits::LADDER_DRAWN.max(table_size));
    let heroes = match ladder.least_played(rng) {
        Some(hero) => vec![hero],
        None => drawn.iter().copied().take(limits::LADDER_HEROES).collect(),
    };
    let tables = heroes.into_iter().map(|hero| ladder.gather(hero, &drawn, table_size));
    let best = tables.max_by(|(_, a), (_, b)| a.total_cmp(b));
    let (table, _) = best.expect("there is at least one hero");
    seated(table.into_iter().map(|at| candidates[at].bot).collect(), tally, rng)
}

struct Ladder<'a> {
    candidates: &'a [Candidate],
    settings: &'a OpenSkillSettings,
    tally: &'a Tally,
}

impl Ladder<'_> {
    /// The candidate that has played least, if it is its turn: always if it is a newcomer, else now and then.
    fn least_played(&self, rng: &mut Rng) -> Option<usize> {
        let games = |at: usize| {
            let Candidate { bot, in_play, .. } = self.candidates[at];
            self.tally.games(bot) + u64::from(in_play)
        };
        let fewest = (0..self.candidates.len()).map(games).min()?;
        let is_its_turn = fewest < limits::NEWCOMER_GAMES || rng.chance(1, limits::LADDER_FAIR_SHARE);
        let least: Vec<usize> = (0..self.candidates.len()).filter(|&at| games(at) == fewest).collect();
        rng.pick(&least).copied().filter(|_| is_its_turn)
    }

    /// The best table of this candidate and some of those drawn, one after the other, and what its games teach.
    fn gather(&self, hero: usize, drawn: &[usize], table_size: usize) -> (Vec<usize>, f64) {
        let mut table = vec![hero];
        // Who can still be added, and what that would teach.
        let mut free: Vec<(usize, f64)> =
            drawn.iter().filter(|at| **at != hero).map(|&at| (at, 0.0)).collect();
        let mut taught = 0.0;
        while table.len() < table_size {
            let newest = table[table.len() - 1];
            free.iter_mut().for_each(|(at, added)| *added += self.taught(newest, *at));
            let best = (0..free.len()).max_by(|&a, &b| free[a].1.total_cmp(&free[b].1));
            let (at, added) = free.swap_remove(best.expect("enough candidates were drawn"));
            taught += added;
            table.push(at);
        }
        (table, taught)
    }

    /// How much a game between two is expected to take off their variances.
    fn taught(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.candidates[a], &self.candidates[b]);
        let (a_variance, b_variance) = (a.sigma * a.sigma, b.sigma * b.sigma);
        let spread = 2.0 * self.settings.beta * self.settings.beta + a_variance + b_variance;
        let odds = ((a.mean - b.mean) / spread.sqrt()).exp();
        let openness = odds / ((1.0 + odds) * (1.0 + odds));
        let shrinks = openness * (a_variance * a_variance + b_variance * b_variance) / spread;
        let waits = f64::from(1 + a.in_play) * f64::from(1 + b.in_play);
        // By simulation: no discount leaves large fields loosely knit, a full one sends bots far from their level.
        shrinks / waits / (1.0 + self.tally.meetings(a.bot, b.bot) as f64).sqrt()
    }
}

/// The same bots in fair seats: each goes to the one that has had it least, compared with its other seats.
fn seated(mut bots: Vec<usize>, tally: &Tally, rng: &mut Rng) -> Vec<usize> {
    rng.shuffle(&mut bots);
    let seats = bots.len();
    for seat in 0..seats {
        // How often it had this seat, beyond its share of the seats that are still free.
        let surplus = |bot: usize| {
            let free: u64 = (seat..seats).map(|seat| u64::from(tally.times_in_seat(bot, seat))).sum();
            (u64::from(tally.times_in_seat(bot, seat)) * (seats - seat) as u64) as i64 - free as i64
        };
        let least = (seat..seats).min_by_key(|&at| surplus(bots[at])).unwrap_or(seat);
        bots.swap(seat, least);
    }
    bots
}

#[cfg(test)]
mod tests;
