//! Everything a fit needs to know about any number of games, in memory that grows with pairs and not with games.
//!
//! For every two bots that met: which had the earlier seat, at a table of how many, and how often it came out above,
//! level or below. All counts are whole numbers, so a game that is taken back leaves no trace.

use super::likelihood::Scores;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Counts of finished games. Bots are numbers from 0 on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// By bot: how often it sat in each seat.
    seats: Vec<Vec<u32>>,
    /// How often the bot with the earlier seat placed above, level with and below the other.
    met: HashMap<Seating, [u32; 3]>,
    /// How many games were played at tables of each size.
    tables: BTreeMap<u8, u64>,
}

/// The bot with the earlier seat, the bot with the later seat, and the size of their table.
type Seating = (u32, u32, u8);

/// Two bots, one seating of them, and how it came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The bot with the earlier seat.
    pub earlier: usize,
    /// The bot with the later seat.
    pub later: usize,
    /// Players at the tables where they met so.
    pub table: usize,
    /// How often the bot with the earlier seat placed above the other.
    pub wins: u32,
    /// How often they placed level.
    pub draws: u32,
    /// How often the bot with the earlier seat placed below the other.
    pub losses: u32,
}

/// One cell of the payoff matrix: how a bot fared against another, whatever the seats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Payoff {
    /// Games in which it placed above.
    pub wins: u64,
    /// Games in which they placed level.
    pub draws: u64,
    /// Games in which it placed below.
    pub losses: u64,
    /// The share of points: a win 1, a draw one half.
    pub score: f64,
    /// The lower limit of the score's 95 % interval.
    pub low: f64,
    /// The upper limit of the score's 95 % interval.
    pub high: f64,
}

/// A game was to be taken back that was never counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a game that was never counted cannot be taken back; compute the ratings anew from the log")]
pub struct NeverCounted;

impl Tally {
    /// No games between this many bots. More bots come by playing.
    pub fn new(bots: usize) -> Tally {
        Tally { seats: vec![Vec::new(); bots], ..Tally::default() }
    }

    /// How many bots there are, with or without games.
    pub fn bots(&self) -> usize {
        self.seats.len()
    }

    /// Counts a finished game. A bot that sits in several seats is not compared with itself.
    ///
    /// # Panics
    /// If there are fewer than two players, more than 255, or not as many ranks.
    pub fn record(&mut self, players: &[usize], ranks: &[u32]) {
        for (seating, outcome) in pairs(players, ranks) {
            self.met.entry(seating).or_default()[outcome] += 1;
        }
        for (seat, &player) in players.iter().enumerate() {
            self.seats.resize(self.seats.len().max(player + 1), Vec::new());
            let seats = &mut self.seats[player];
            seats.resize(seats.len().max(seat + 1), 0);
            seats[seat] += 1;
        }
        *self.tables.entry(table_of(players)).or_default() += 1;
    }

    /// Takes a game back, as if it had never been counted.
    ///
    /// # Errors
    /// If no such game was counted; nothing has changed then.
    ///
    /// # Panics
    /// If there are fewer than two players, more than 255, or not as many ranks.
    pub fn remove(&mut self, players: &[usize], ranks: &[u32]) -> Result<(), NeverCounted> {
        if !self.may_hold(players, ranks) {
            return Err(NeverCounted);
        }
        for (seating, outcome) in pairs(players, ranks) {
            let counts = self.met.entry(seating).or_default();
            counts[outcome] -= 1;
            if *counts == [0; 3] {
                self.met.remove(&seating);
            }
        }
        for (seat, &player) in players.iter().enumerate() {
            let seats = &mut self.seats[player];
            seats[seat] -= 1;
            while seats.last() == Some(&0) {
                seats.pop();
            }
        }
        let table = table_of(players);
        let games = self.tables.entry(table).or_default();
        *games -= 1;
        if *games == 0 {
            self.tables.remove(&table);
        }
        Ok(())
    }

    /// Whether every count that a game adds to is large enough for it to have been counted.
    fn may_hold(&self, players: &[usize], ranks: &[u32]) -> bool {
        // With a bot in several seats, a game has several pairs that are counted together.
        let mut needed: BTreeMap<(Seating, usize), u32> = BTreeMap::new();
        for pair in pairs(players, ranks) {
            *needed.entry(pair).or_default() += 1;
        }
        let count =
            |seating: &Seating, outcome: usize| self.met.get(seating).map_or(0, |counts| counts[outcome]);
        self.tables.contains_key(&table_of(players))
            && players.iter().enumerate().all(|(seat, &player)| self.times_in_seat(player, seat) > 0)
            && needed.iter().all(|((seating, outcome), needed)| count(seating, *outcome) >= *needed)
    }

    /// Adds the games of another tally of the same bots.
    pub fn merge(&mut self, other: &Tally) {
        self.seats.resize(self.bots().max(other.bots()), Vec::new());
        for (own, others) in self.seats.iter_mut().zip(&other.seats) {
            own.resize(own.len().max(others.len()), 0);
            own.iter_mut().zip(others).for_each(|(own, other)| *own += other);
        }
        for (seating, counts) in &other.met {
            let own = self.met.entry(*seating).or_default();
            own.iter_mut().zip(counts).for_each(|(own, other)| *own += other);
        }
        for (table, games) in &other.tables {
            *self.tables.entry(*table).or_default() += games;
        }
    }

    /// How many games a bot has played.
    pub fn games(&self, bot: usize) -> u64 {
        self.seats.get(bot).into_iter().flatten().map(|&times| u64::from(times)).sum()
    }

    /// How often a bot sat in a seat, counted from 0.
    pub(crate) fn times_in_seat(&self, bot: usize, seat: usize) -> u32 {
        self.seats.get(bot).and_then(|seats| seats.get(seat)).copied().unwrap_or(0)
    }

    /// How often two bots met, whatever the seats.
    pub fn meetings(&self, a: usize, b: usize) -> u64 {
        self.between(a, b).iter().sum()
    }

    /// How a bot fared against another; nothing if they never met.
    ///
    /// Every table is one observation of the two, however many sat there. The interval is the likelihood ratio interval
    /// of the mean of wins, draws and losses ([`Scores::interval`]): draws make it as narrow as they should.
    pub(crate) fn payoff(&self, bot: usize, other: usize) -> Option<Payoff> {
        let [wins, draws, losses] = self.between(bot, other);
        let scores = Scores::new(vec![losses, draws, wins]);
        (scores.total() > 0).then(|| {
            let (low, high) = scores.interval();
            Payoff { wins, draws, losses, score: scores.mean(), low, high }
        })
    }

    /// Everybody who met, sorted by the earlier seat's bot, the later seat's and the size of the table.
    pub(crate) fn comparisons(&self) -> Vec<Comparison> {
        let mut comparisons: Vec<Comparison> = self
            .met
            .iter()
            .map(|(&(earlier, later, table), &[wins, draws, losses])| Comparison {
                earlier: earlier as usize,
                later: later as usize,
                table: usize::from(table),
                wins,
                draws,
                losses,
            })
            .collect();
        comparisons.sort_unstable_by_key(|met| (met.earlier, met.later, met.table));
        comparisons
    }

    /// Wins, draws and losses of a bot against another, over both seatings and all tables.
    fn between(&self, bot: usize, other: usize) -> [u64; 3] {
        let (bot, other) = (bot as u32, other as u32);
        let mut sum = [0; 3];
        for &table in self.tables.keys() {
            if let Some(counts) = self.met.get(&(bot, other, table)) {
                sum.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += u64::from(count));
            }
            if let Some(counts) = self.met.get(&(other, bot, table)) {
                sum.iter_mut().rev().zip(counts).for_each(|(sum, &count)| *sum += u64::from(count));
            }
        }
        sum
    }
}

fn table_of(players: &[usize]) -> u8 {
    u8::try_from(players.len()).expect("a table has at most 255 seats")
}

/// Every two different bots of a game, and their outcome as an index of counts.
fn pairs<'a>(players: &'a [usize], ranks: &'a [u32]) -> impl Iterator<Item = (Seating, usize)> + 'a {
    super::assert_game(players, ranks);
    let (table, bot) = (table_of(players), |seat: usize| players[seat] as u32);
    (0..players.len())
        .flat_map(move |first| (first + 1..players.len()).map(move |second| (first, second)))
        .filter(|&(first, second)| players[first] != players[second])
        .map(move |(first, second)| {
            let outcome = match ranks[first].cmp(&ranks[second]) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            };
            ((bot(first), bot(second), table), outcome)
        })
}

#[cfg(test)]
mod tests {
    use super::{NeverCounted, Tally};
    use crate::rating::simulated::World;
    use proptest::prelude::*;

    const BOTS: usize = 6;

    /// Games of two to five players, the same bot in several seats among them.
    fn games() -> impl Strategy<Value = Vec<(Vec<usize>, Vec<u32>)>> {
        let game = (2_usize..6).prop_flat_map(|seats| {
            let players = proptest::collection::vec(0..BOTS, seats);
            (players, proptest::collection::vec(1_u32..5, seats))
        });
        proptest::collection::vec(game, 0..30)
    }

    fn counted(games: &[(Vec<usize>, Vec<u32>)]) -> Tally {
        let mut tally = Tally::new(BOTS);
        for (players, ranks) in games {
            tally.record(players, ranks);
        }
        tally
    }

    proptest! {
        #[test]
        fn taking_games_back_leaves_no_trace(kept in games(), voided in games()) {
            let expected = counted(&kept);
            let mut tally = counted(&[kept, voided.clone()].concat());
            for (players, ranks) in &voided {
                prop_assert_eq!(tally.remove(players, ranks), Ok(()));
            }
            prop_assert_eq!(&tally, &expected);
        }

        #[test]
        fn a_game_that_was_not_counted_changes_nothing(kept in games(), other in games()) {
            let mut tally = Tally::new(BOTS);
            for (players, ranks) in &other {
                prop_assert_eq!(tally.remove(players, ranks), Err(NeverCounted));
            }
            prop_assert_eq!(&tally, &Tally::new(BOTS));
            tally.merge(&counted(&kept));
            prop_assert_eq!(tally, counted(&kept));
        }

        #[test]
        fn merging_is_counting_one_after_the_other(first in games(), second in games()) {
            let mut tally = counted(&first);
            tally.merge(&counted(&second));
            prop_assert_eq!(tally, counted(&[first, second].concat()));
        }

        #[test]
        fn what_one_wins_the_other_loses(games in games()) {
            let tally = counted(&games);
            for (a, b) in [(0, 1), (2, 5), (4, 3)] {
                match (tally.payoff(a, b), tally.payoff(b, a)) {
                    (Some(ab), Some(ba)) => {
                        prop_assert_eq!((ab.wins, ab.draws, ab.losses), (ba.losses, ba.draws, ba.wins));
                        prop_assert!((ab.score + ba.score - 1.0).abs() < 1e-12);
                        prop_assert!((ab.low + ba.high - 1.0).abs() < 1e-6);
                        prop_assert_eq!(tally.meetings(a, b), ab.wins + ab.draws + ab.losses);
                    }
                    (None, None) => prop_assert_eq!(tally.meetings(a, b), 0),
                    (one, other) => prop_assert!(false, "{one:?} against {other:?}"),
                }
            }
        }
    }

    #[test]
    fn a_table_is_counted_pair_by_pair() {
        let mut tally = Tally::default();
        tally.record(&[2, 0, 1], &[1, 2, 2]);
        tally.record(&[0, 2], &[1, 2]);
        let payoff = tally.payoff(2, 0).expect("they met twice");
        assert_eq!((payoff.wins, payoff.draws, payoff.losses), (1, 0, 1));
        assert_eq!(tally.payoff(0, 1).expect("they met once").draws, 1);
        assert_eq!((tally.bots(), tally.games(2), tally.games(1)), (3, 2, 1));
        assert_eq!(
            (tally.times_in_seat(2, 0), tally.times_in_seat(0, 1), tally.times_in_seat(9, 9)),
            (1, 1, 0)
        );
        let tables: Vec<_> = tally.comparisons().iter().map(|c| (c.earlier, c.later, c.table)).collect();
        assert_eq!(tables, [(0, 1, 3), (0, 2, 2), (2, 0, 3), (2, 1, 3)]);
    }

    #[test]
    fn payoff_intervals_cover_what_they_promise() {
        // 40 games of which a third are draws; the true score is 0.6. The interval must hold it in 95 % of 2000 trials,
        // give or take three standard errors of that count.
        let mut world = World::new(11, &[]);
        let covered = (0..2000)
            .filter(|_| {
                let mut tally = Tally::new(2);
                for _ in 0..40 {
                    let draw = world.unit();
                    let ranks = if draw < 0.43 {
                        [1, 2]
                    } else if draw < 0.77 {
                        [1, 1]
                    } else {
                        [2, 1]
                    };
                    tally.record(&[0, 1], &ranks);
                }
                let payoff = tally.payoff(0, 1).expect("they met");
                payoff.low <= 0.6 && 0.6 <= payoff.high
            })
            .count();
        assert!((1870..=1930).contains(&covered), "{covered} of 2000");
    }
}
