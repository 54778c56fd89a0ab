//! What everybody has to their name: points, and against whom.
//!
//! It grows with the pairs who met, not with the meetings.

use super::{BotNumber, Meeting, MeetingResult, Points};
use std::collections::BTreeMap;

/// Points, wins and opponents of everybody, as far as they were recorded.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ledger(BTreeMap<BotNumber, Account>);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Account {
    points: Points,
    score: Points,
    wins: u32,
    byes: u32,
    against: BTreeMap<BotNumber, Record>,
}

/// What one player has against another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Record {
    points: Points,
    met: u32,
    above: u32,
    equal: u32,
}

impl Ledger {
    /// Nothing recorded.
    pub fn new() -> Ledger {
        Ledger::default()
    }

    /// Records a meeting; the result has points and score for each of its players.
    pub fn record(&mut self, meeting: &Meeting, result: &MeetingResult) {
        for (seat, (&player, &points)) in meeting.players.iter().zip(&result.points).enumerate() {
            let account = self.0.entry(player).or_default();
            account.points += points;
            account.score += result.score[seat];
            let mut won = true;
            for (_, (&other, &theirs)) in
                meeting.players.iter().zip(&result.points).enumerate().filter(|(place, _)| *place != seat)
            {
                let record = account.against.entry(other).or_default();
                record.points += points;
                record.met += 1;
                record.above += u32::from(points > theirs);
                record.equal += u32::from(points == theirs);
                won &= points > theirs;
            }
            account.wins += u32::from(won);
        }
    }

    /// Records a bye, which brings so many points.
    pub(crate) fn record_bye(&mut self, player: BotNumber, points: Points) {
        let account = self.0.entry(player).or_default();
        account.points += points;
        account.byes += 1;
    }

    /// What a player has from all meetings and byes so far.
    pub fn points(&self, player: BotNumber) -> Points {
        self.0.get(&player).map_or(Points::ZERO, |account| account.points)
    }

    /// The sum of the games' scores.
    pub fn score(&self, player: BotNumber) -> Points {
        self.0.get(&player).map_or(Points::ZERO, |account| account.score)
    }

    /// Meetings with more points than everybody else in them.
    pub fn wins(&self, player: BotNumber) -> u32 {
        self.0.get(&player).map_or(0, |account| account.wins)
    }

    /// Byes so far.
    pub fn byes(&self, player: BotNumber) -> u32 {
        self.0.get(&player).map_or(0, |account| account.byes)
    }

    /// How often two met.
    pub fn met(&self, player: BotNumber, other: BotNumber) -> u32 {
        self.record_of(player, other).map_or(0, |record| record.met)
    }

    /// Points that a player made in meetings with another.
    pub(crate) fn points_against(&self, player: BotNumber, other: BotNumber) -> Points {
        self.record_of(player, other).map_or(Points::ZERO, |record| record.points)
    }

    /// Buchholz: the points of all opponents, each as often as they met. A bye counts as an opponent with as many points
    /// as oneself.
    pub fn buchholz(&self, player: BotNumber) -> Points {
        let Some(account) = self.0.get(&player) else { return Points::ZERO };
        let opponents = account.against.iter().map(|(&other, record)| self.points(other) * record.met);
        opponents.sum::<Points>() + account.points * account.byes
    }

    /// Sonneborn-Berger: the points of those one was better than, and half the points of those one was equal to. A bye
    /// counts as an opponent beaten, with as many points as oneself.
    pub(crate) fn sonneborn_berger(&self, player: BotNumber) -> Points {
        let Some(account) = self.0.get(&player) else { return Points::ZERO };
        let halves =
            |(&other, record): (&BotNumber, &Record)| self.points(other) * (2 * record.above + record.equal);
        let opponents: Points = account.against.iter().map(halves).sum();
        Points(opponents.0 / 2) + account.points * account.byes
    }

    fn record_of(&self, player: BotNumber, other: BotNumber) -> Option<&Record> {
        self.0.get(&player)?.against.get(&other)
    }
}
