//! The table of a stage: what its matches brought everybody.

use crate::event::Counted;
use crate::limits;
use crate::pairing::tiebreak::{Numbers, TieBreak};
use crate::pairing::{BotNumber, Ledger, Meeting, Points};
use crate::plan::{PointRule, StagePlan};
use crate::stage::{OpenRound, points_of, walkover};
use crate::statistics::Record;
use std::collections::BTreeMap;

/// What everybody has in a stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standings {
    lines: BTreeMap<BotNumber, Totals>,
    /// Who has what from whom; kept only where a tie-break asks.
    ledger: Option<Ledger>,
    /// Points after some of the rounds: all of them, or evenly spread ones if there are very many.
    course: Vec<(u32, BTreeMap<BotNumber, Points>)>,
    course_step: u32,
}

/// What one bot has in a stage.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Totals {
    /// Points that count, those carried over included.
    pub(crate) points: Points,
    pub(crate) carried: Points,
    pub(crate) score: Points,
    pub(crate) record: Record,
}

impl Standings {
    /// The table of a stage that begins with these points.
    pub(crate) fn new(plan: &StagePlan, carried: impl IntoIterator<Item = (BotNumber, Points)>) -> Standings {
        let asks = [TieBreak::HeadToHead, TieBreak::Buchholz, TieBreak::SonnebornBerger];
        let ledger = plan.tie_breaks.iter().any(|tie_break| asks.contains(tie_break)).then(Ledger::new);
        let line = |points| Totals { points, carried: points, ..Totals::default() };
        let lines = carried.into_iter().map(|(player, points)| (player, line(points))).collect();
        Standings { lines, ledger, course: Vec::new(), course_step: 1 }
    }

    pub(crate) fn join(&mut self, player: BotNumber) {
        self.lines.entry(player).or_default();
    }

    pub(crate) fn line(&self, player: BotNumber) -> Totals {
        self.lines.get(&player).copied().unwrap_or_default()
    }

    pub(crate) fn players(&self) -> impl Iterator<Item = BotNumber> + '_ {
        self.lines.keys().copied()
    }

    /// Takes in what a round brought, or has brought so far.
    pub(crate) fn record(&mut self, plan: &StagePlan, round: &OpenRound, bye: Points) {
        for meeting in &round.meetings {
            if meeting.drawn.decider > 0 {
                // It says who goes on, and brings nothing.
                meeting.played().for_each(|finished| self.count(finished));
                continue;
            }
            for finished in meeting.played() {
                self.record_match(&plan.points, finished);
            }
            if let Some(ledger) = &mut self.ledger {
                let players = Meeting { players: meeting.drawn.players.clone() };
                ledger.record(&players, &meeting.result(plan));
            }
            for player in meeting.walkovers().flatten() {
                self.lines.entry(*player).or_default().points += walkover(plan);
            }
        }
        for player in &round.byes {
            self.lines.entry(*player).or_default().points += bye;
            if let (Some(ledger), true) = (&mut self.ledger, bye != Points::ZERO) {
                ledger.record_bye(*player, bye);
            }
        }
    }

    fn record_match(&mut self, rule: &PointRule, finished: &Counted) {
        for (seat, points) in finished.seats.iter().zip(points_of(rule, finished)) {
            let line = self.lines.entry(seat.player).or_default();
            line.points += points;
            line.score += seat.points();
        }
        self.count(finished);
    }

    /// Counts who won a match.
    fn count(&mut self, finished: &Counted) {
        let best = finished.best();
        for (number, seat) in finished.seats.iter().enumerate() {
            let line = self.lines.entry(seat.player).or_default();
            line.record.count(seat.place, best, finished.faulty(number));
        }
    }

    /// Remembers how it stands after a round.
    pub(crate) fn end_round(&mut self, round: u32) {
        if !round.is_multiple_of(self.course_step) {
            return;
        }
        self.course.push((round, self.lines.iter().map(|(player, line)| (*player, line.points)).collect()));
        if self.course.len() > limits::COURSE_POINTS {
            self.course_step *= 2;
            let step = self.course_step;
            self.course.retain(|(round, _)| round.is_multiple_of(step));
        }
    }

    /// How it stood after the rounds that are remembered.
    pub(crate) fn course(&self) -> &[(u32, BTreeMap<BotNumber, Points>)] {
        &self.course
    }
}

/// A table with the ratings that a tie-break may ask for.
pub(crate) struct RatedStandings<'a> {
    pub(crate) table: &'a Standings,
    /// By bot.
    pub(crate) elo: &'a dyn Fn(BotNumber) -> f64,
}

impl Numbers for RatedStandings<'_> {
    fn points(&self, player: BotNumber) -> Points {
        self.table.line(player).points
    }

    fn number(&self, tie_break: TieBreak, player: BotNumber) -> i64 {
        let line = self.table.line(player);
        let ledger = self.table.ledger.as_ref();
        match tie_break {
            TieBreak::Score => line.score.0,
            TieBreak::Wins => line.record.won.into(),
            TieBreak::Faults => -i64::from(line.record.faults),
            // Two ratings that look the same are the same: to a thousandth.
            TieBreak::Elo => ((self.elo)(player) * 1000.0).round() as i64,
            TieBreak::Buchholz => ledger.map_or(0, |ledger| ledger.buchholz(player).0),
            TieBreak::SonnebornBerger => ledger.map_or(0, |ledger| ledger.sonneborn_berger(player).0),
            TieBreak::HeadToHead | TieBreak::Seed => 0,
        }
    }

    fn points_against(&self, player: BotNumber, other: BotNumber) -> Points {
        self.table.ledger.as_ref().map_or(Points::ZERO, |ledger| ledger.points_against(player, other))
    }
}
