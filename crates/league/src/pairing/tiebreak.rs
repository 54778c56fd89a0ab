//! The order of players: by points, and what decides between equals.

use super::{BotNumber, Points, limits};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What decides between players with equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The sum of the games' scores.
    Score,
    /// Meetings won.
    Wins,
    /// Points in meetings with those who are equal so far.
    HeadToHead,
    /// The points of all opponents.
    Buchholz,
    /// The points of opponents beaten, and half of those drawn with.
    SonnebornBerger,
    /// The rating.
    Elo,
    /// Faults, of which fewer are better.
    Faults,
    /// The place in the seeding; nobody is equal after that.
    Seed,
}

impl TieBreak {
    /// All there are, in the order in which they are told.
    pub const ALL: [TieBreak; 8] = [
        TieBreak::Score,
        TieBreak::Wins,
        TieBreak::HeadToHead,
        TieBreak::Buchholz,
        TieBreak::SonnebornBerger,
        TieBreak::Elo,
        TieBreak::Faults,
        TieBreak::Seed,
    ];

    /// Its name in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::Score => "score",
            TieBreak::Wins => "wins",
            TieBreak::HeadToHead => "head-to-head",
            TieBreak::Buchholz => "buchholz",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::Elo => "elo",
            TieBreak::Faults => "faults",
            TieBreak::Seed => "seed",
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no tie-break has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no tie-break: use some of {names}", names = TieBreak::ALL.map(TieBreak::name).join(", "))]
pub struct TieBreakError(String);

impl FromStr for TieBreak {
    type Err = TieBreakError;

    fn from_str(name: &str) -> Result<TieBreak, TieBreakError> {
        let known = TieBreak::ALL.into_iter().find(|tie_break| tie_break.name() == name);
        known.ok_or_else(|| TieBreakError(name.chars().take(limits::EXCERPT_CHARS).collect()))
    }
}

/// What is known about players.
pub trait Numbers {
    /// Points, which come first.
    fn points(&self, player: BotNumber) -> Points;

    /// The number for a tie-break, of which a greater one is better: faults are negative, ratings in any fixed unit. It is
    /// not asked for head-to-head and seed.
    fn number(&self, tie_break: TieBreak, player: BotNumber) -> i64;

    /// Points that a player made in meetings with another.
    fn points_against(&self, player: BotNumber, other: BotNumber) -> Points;
}

/// A player and its rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// 1 is the best; those equal in everything share a rank, and the ranks after it are left out.
    pub rank: u32,
    /// The player that it is about.
    pub player: BotNumber,
}

/// The players, given in seeding order, from the best to the last. Those equal in everything stay in seeding order.
pub fn rank(players: &[BotNumber], tie_breaks: &[TieBreak], numbers: &impl Numbers) -> Vec<Ranked> {
    let mut groups = split(players, |player| numbers.points(player).0);
    for &tie_break in tie_breaks {
        groups = groups.iter().flat_map(|group| decide(group, tie_break, numbers)).collect();
    }
    let mut ranking = Vec::with_capacity(players.len());
    for group in groups {
        let rank = ranking.len() as u32 + 1;
        ranking.extend(group.into_iter().map(|player| Ranked { rank, player }));
    }
    ranking
}

/// Players who are equal so far, by one more number.
fn decide(group: &[BotNumber], tie_break: TieBreak, numbers: &impl Numbers) -> Vec<Vec<BotNumber>> {
    match tie_break {
        TieBreak::Seed => group.iter().map(|&player| vec![player]).collect(),
        TieBreak::HeadToHead => split(group, |player| {
            let rivals = group.iter().filter(|&&other| other != player);
            rivals.map(|&other| numbers.points_against(player, other)).sum::<Points>().0
        }),
        _ => split(group, |player| numbers.number(tie_break, player)),
    }
}

/// Groups of equals, the greatest number first, each in the order given.
fn split(players: &[BotNumber], number: impl Fn(BotNumber) -> i64) -> Vec<Vec<BotNumber>> {
    let mut numbered: Vec<(i64, BotNumber)> =
        players.iter().map(|&player| (number(player), player)).collect();
    numbered.sort_by_key(|&(number, _)| std::cmp::Reverse(number));
    let equal = |a: &(i64, BotNumber), b: &(i64, BotNumber)| a.0 == b.0;
    numbered.chunk_by(equal).map(|group| group.iter().map(|&(_, player)| player).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Deciders, Ledger, Meeting, MeetingResult};
    use super::{BotNumber, Numbers, Points, Ranked, TieBreak, rank};

    struct Known(Ledger);

    impl Numbers for Known {
        fn points(&self, player: BotNumber) -> Points {
            self.0.points(player)
        }

        fn number(&self, tie_break: TieBreak, player: BotNumber) -> i64 {
            match tie_break {
                TieBreak::Score => self.0.score(player).0,
                TieBreak::Wins => self.0.wins(player).into(),
                TieBreak::Buchholz => self.0.buchholz(player).0,
                TieBreak::SonnebornBerger => self.0.sonneborn_berger(player).0,
                other => panic!("{other} is not in the ledger"),
            }
        }

        fn points_against(&self, player: BotNumber, other: BotNumber) -> Points {
            self.0.points_against(player, other)
        }
    }

    /// Games of two: points of the first in halves.
    fn ledger(games: &[(u32, u32, i64)]) -> Ledger {
        let mut ledger = Ledger::new();
        for &(one, other, halves) in games {
            let points = vec![Points(500 * halves), Points(1000 - 500 * halves)];
            let meeting = Meeting { players: vec![BotNumber(one), BotNumber(other)] };
            ledger.record(
                &meeting,
                &MeetingResult { score: points.clone(), points, deciders: Deciders::default() },
            );
        }
        ledger
    }

    fn ranks(ranking: &[Ranked]) -> Vec<(u32, u32)> {
        ranking.iter().map(|ranked| (ranked.rank, ranked.player.0)).collect()
    }

    #[test]
    fn numbers_of_a_small_cross_table() {
        // 1 beat 2 and drew with 3; 2 beat 3 and 4; 3 beat 4; 4 beat 1.
        let table = ledger(&[(1, 2, 2), (3, 1, 1), (2, 3, 2), (2, 4, 2), (3, 4, 2), (4, 1, 2)]);
        let points = [1500, 2000, 1500, 1000];
        let buchholz = [4500, 4000, 4500, 5000];
        // 1: all of 2 and half of 3; 2: all of 3 and 4; 3: half of 1 and all of 4; 4: all of 1.
        let sonneborn_berger = [2750, 2500, 1750, 1500];
        for index in 0..4 {
            let player = BotNumber(index as u32 + 1);
            assert_eq!(table.points(player), Points(points[index]));
            assert_eq!(table.buchholz(player), Points(buchholz[index]));
            assert_eq!(table.sonneborn_berger(player), Points(sonneborn_berger[index]));
        }
        let table = Known(table);
        let players = [4, 3, 2, 1].map(BotNumber);
        assert_eq!(ranks(&rank(&players, &[], &table)), [(1, 2), (2, 3), (2, 1), (4, 4)]);
        let by_berger = rank(&players, &[TieBreak::HeadToHead, TieBreak::SonnebornBerger], &table);
        assert_eq!(ranks(&by_berger), [(1, 2), (2, 1), (3, 3), (4, 4)]);
        assert_eq!(ranks(&rank(&players, &[TieBreak::Seed], &table)), [(1, 2), (2, 3), (3, 1), (4, 4)]);
    }

    #[test]
    fn head_to_head_counts_only_those_who_are_equal() {
        // 1, 2 and 3 have two points each; 1 beat 2 and 3, whom 4 let win.
        let table =
            ledger(&[(1, 2, 2), (1, 3, 2), (2, 4, 2), (3, 4, 2), (2, 5, 2), (3, 5, 2), (4, 1, 2), (5, 1, 2)]);
        let table = Known(table);
        let players = [3, 2, 1, 5, 4].map(BotNumber);
        let ranking = rank(&players, &[TieBreak::HeadToHead], &table);
        assert_eq!(ranks(&ranking), [(1, 1), (2, 3), (2, 2), (4, 5), (4, 4)]);
    }

    #[test]
    fn a_bye_is_an_opponent_like_oneself() {
        let mut table = ledger(&[(1, 2, 2)]);
        table.record_bye(BotNumber(1), Points::whole(1));
        assert_eq!(table.points(BotNumber(1)), Points::whole(2));
        assert_eq!(table.buchholz(BotNumber(1)), Points::whole(2));
        assert_eq!(table.sonneborn_berger(BotNumber(1)), Points::whole(2));
        assert_eq!((table.wins(BotNumber(1)), table.byes(BotNumber(1))), (1, 1));
    }

    #[test]
    fn names_are_read_back() {
        for tie_break in TieBreak::ALL {
            assert_eq!(tie_break.name().parse(), Ok(tie_break));
        }
        let error = "Elo?".parse::<TieBreak>().unwrap_err().to_string();
        assert!(error.contains("sonneborn-berger"), "{error}");
    }
}
