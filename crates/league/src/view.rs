//! What a report shows of a tournament.

use crate::bundle::name_of_match;
use crate::event::{Counted, DrawnMeeting, Event, Finished, Identity, StageRound};
use crate::log::Log;
use crate::overview::{
    BotLine, Cell, Estimate, FailureLine, FaultLine, MatchLine, MatchState, MeetingLine, Overview,
    RatingLine, RoundLine, SeatLine, StageState, StageView, Standing,
};
use crate::pairing::tiebreak::{Numbers as _, Ranked, TieBreak};
use crate::pairing::{BotNumber, Duel, Points};
use crate::plan::{Format, Map, PointRule};
use crate::rating::bradley_terry::{Fit, FitSettings, MEAN_RATING, fit};
use crate::stage::{OpenMeeting, StageRun, points_of};
use crate::standings::{RatedStandings, Standings};
use crate::statistics::Statistics;
use crate::tournament::{Contestant, Tournament, TournamentError, indices, ranges};
use palestra_core::{Catalog, Message};
use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::vec;

impl Tournament {
    /// Everything there is to show, in the words of its game. Fitting strengths takes a moment in a large field.
    pub fn overview(&self, words: &Catalog) -> Overview {
        let statistics = self.statistics_so_far();
        let (ratings, first_mover) = rating_lines(&statistics, self.bots.len());
        Overview {
            name: self.plan.name.clone(),
            game: self.plan.game.clone(),
            game_title: words.title().to_owned(),
            seed: self.plan.seed,
            over: self.over(),
            progress: self.progress(),
            bots: self.bot_lines(),
            stages: self.stage_views(),
            standings: self.standings(),
            ratings,
            first_mover,
            cross: cross(&statistics, self.bots.len()),
            faults: fault_lines(&statistics, words),
            failures: self
                .failures
                .iter()
                .map(|(number, players, why)| FailureLine {
                    number: *number,
                    bots: indices(players),
                    why: why.clone(),
                })
                .collect(),
        }
    }

    /// How it stands: the table of the stage that is played or was played last, and behind it those who did not reach
    /// it.
    pub fn standings(&self) -> Vec<Standing> {
        let mut standings: Vec<Standing> = Vec::new();
        let mut placed = BTreeSet::new();
        for stage in self.stages.iter().rev() {
            let before = standings.len() as u32;
            let table = self.current(stage);
            for ranked in self.ranking(stage) {
                if placed.insert(ranked.player) {
                    let standing = self.standing(stage, &table, ranked);
                    standings.push(Standing { place: standing.place.max(before + 1), ..standing });
                }
            }
        }
        standings
    }

    /// The points that everybody has from all stages together, by bot; none counts twice because it was carried over.
    pub fn points(&self) -> Vec<Points> {
        let mut points = vec![Points::ZERO; self.bots.len()];
        for stage in &self.stages {
            let table = self.current(stage);
            for player in table.players() {
                let line = table.line(player);
                points[player.0 as usize] += line.points - line.carried;
            }
        }
        points
    }

    /// The bracket of every group of a stage; empty if it is no knockout or has not begun.
    pub fn brackets(&self, stage: usize) -> Vec<Vec<Duel>> {
        let groups = self.stages.get(stage).map(|stage| &stage.groups);
        groups.into_iter().flatten().map(|group| group.pairing.bracket()).collect()
    }

    /// How strong everybody is, by what all matches together say.
    pub fn strengths(&self) -> Fit {
        fit(&self.statistics_so_far().tally, &FitSettings::default())
    }

    fn statistics_so_far(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        let open = self.stages.iter().flat_map(|stage| &stage.open).flat_map(|round| &round.meetings);
        for finished in open.flat_map(OpenMeeting::played) {
            statistics.record(finished);
        }
        statistics
    }

    fn bot_lines(&self) -> Vec<BotLine> {
        let lines = self.bots.iter().enumerate();
        let line = |(number, bot): (usize, &Contestant)| {
            bot_line(number, &bot.name, &bot.identity, bot.version, bot.dropped.is_some())
        };
        lines.map(line).collect()
    }

    /// All stages as they stand; those that have not begun are there too.
    pub fn stage_views(&self) -> Vec<StageView> {
        let begun = self.stages.iter().map(|stage| self.stage_view(stage));
        let to_come = self.plan.stages.iter().skip(self.stages.len());
        let to_come = to_come.map(|plan| StageView::waiting(plan.name.clone(), plan.format.clone()));
        begun.chain(to_come).collect()
    }

    fn stage_view(&self, stage: &StageRun) -> StageView {
        let table = self.current(stage);
        let elo = self.ratings_of(stage);
        let numbers = RatedStandings { table: &table, elo: &elo };
        let group = |group: usize| {
            let ranking = self.group_ranking(stage, group, &numbers);
            ranking.into_iter().map(|ranked| self.standing(stage, &table, ranked)).collect()
        };
        StageView {
            name: stage.plan.name.clone(),
            format: stage.plan.format.clone(),
            state: if stage.over() { StageState::Over } else { StageState::Running },
            round: stage.drawn,
            rounds: stage.rounds(),
            groups: (0..stage.groups.len()).map(group).collect(),
            course: course(&table),
            bracket: stage.bracket.clone(),
            duels: match stage.plan.format {
                Format::Knockout { .. } => self.brackets(stage.index as usize),
                _ => Vec::new(),
            },
        }
    }

    fn standing(&self, stage: &StageRun, table: &Standings, ranked: Ranked) -> Standing {
        let line = table.line(ranked.player);
        let elo = self.ratings_of(stage);
        let numbers = RatedStandings { table, elo: &elo };
        let tie_break = |tie_break: &TieBreak| {
            let number = match tie_break {
                TieBreak::HeadToHead | TieBreak::Seed => return None,
                TieBreak::Wins => f64::from(line.record.won),
                TieBreak::Faults => f64::from(line.record.faults),
                tie_break => numbers.number(*tie_break, ranked.player) as f64 / 1000.0,
            };
            Some((tie_break.to_string(), number))
        };
        Standing {
            place: ranked.rank,
            bot: ranked.player.0 as usize,
            points: float(line.points),
            tie_breaks: stage.plan.tie_breaks.iter().filter_map(tie_break).collect(),
            played: line.record.played,
            won: line.record.won,
            drawn: line.record.drawn,
            lost: line.record.lost,
            faults: line.record.faults,
        }
    }

    /// Every match that was played and is part of the tournament as it stands, from the log, round by round; those that
    /// were played again only as they count.
    pub fn matches<'a>(&'a self, store: &'a mut dyn Log) -> Result<Matches<'a>, TournamentError> {
        let rounds = self.drawn_rounds(store)?.into_iter();
        Ok(Matches { tournament: self, store, rounds, lines: Vec::new().into_iter(), failed: None })
    }

    /// By stage: the rounds that were drawn, in order, with what became of their matches. Only the newest of them, if a
    /// stage has more matches than `most`.
    pub fn rounds(&self, store: &mut dyn Log, most: usize) -> Result<Vec<Vec<RoundLine>>, TournamentError> {
        let failed: BTreeSet<u32> = self.failed().iter().copied().collect();
        let mut stages = vec![Vec::new(); self.stages.len()];
        let mut room = vec![most; self.stages.len()];
        for (place, (meetings, byes)) in self.drawn_rounds(store)?.into_iter().rev() {
            let stage = place.stage as usize;
            let matches = meetings.iter().map(|meeting| meeting.matches as usize).sum();
            let Some(left) = room[stage].checked_sub(matches) else {
                room[stage] = 0;
                continue;
            };
            room[stage] = left;
            let lines = self.round_lines(store, place, &meetings)?;
            let mut played: BTreeMap<u32, MatchLine> =
                lines.into_iter().map(|line| (line.number, line)).collect();
            let mut fate = |number: u32| match (self.counts(number, i64::MAX), played.remove(&number)) {
                (Some(true), line) => MatchState::Voided(line),
                (_, Some(line)) => MatchState::Played(line),
                _ if failed.contains(&number) => MatchState::Failed,
                _ => MatchState::Open,
            };
            let meetings = meetings.iter().map(|meeting| MeetingLine {
                group: meeting.group as usize,
                players: indices(&meeting.players),
                decider: meeting.decider,
                matches: (meeting.first..).take(meeting.matches as usize).map(|n| (n, fate(n))).collect(),
            });
            let line = RoundLine { number: place.round, meetings: meetings.collect(), byes: indices(&byes) };
            stages[stage].push(line);
        }
        stages.iter_mut().for_each(|rounds| rounds.reverse());
        Ok(stages)
    }

    /// The matches of a round.
    fn round_lines(
        &self,
        store: &mut dyn Log,
        place: StageRound,
        meetings: &[DrawnMeeting],
    ) -> Result<Vec<MatchLine>, TournamentError> {
        let stage = &self.stages[place.stage as usize];
        let mut last: BTreeMap<u32, MatchLine> = BTreeMap::new();
        let deciders = meetings.iter().filter(|meeting| meeting.decider > 0);
        for (first, end) in ranges(meetings) {
            for (id, event) in store.results(first, end - 1)? {
                if let Event::Finished(finished) = event
                    && let Some(voided) = self.counts(finished.number, id)
                {
                    let at = (stage.index, place.round);
                    let mut line = match_line(&finished, at, &self.plan.maps, &stage.plan.points, voided);
                    let own = |meeting: &&DrawnMeeting| {
                        (meeting.first..meeting.first + meeting.matches).contains(&line.number)
                    };
                    line.decider = deciders.clone().find(own).map_or(0, |meeting| meeting.decider);
                    last.insert(finished.number, line);
                }
            }
        }
        Ok(last.into_values().collect())
    }

    /// The rounds that are part of the tournament as it stands, from the log.
    fn drawn_rounds(&self, store: &mut dyn Log) -> Result<BTreeMap<StageRound, DrawnRound>, TournamentError> {
        let mut rounds = BTreeMap::new();
        for (_, event) in store.course()? {
            if let Event::Drawn { stage, round, meetings, byes } = event
                && self.stages.get(stage as usize).is_some_and(|run| round <= run.drawn)
            {
                rounds.insert(StageRound { stage, round }, (meetings, byes));
            }
        }
        Ok(rounds)
    }
}

/// Who meets in a round, and who sits out.
type DrawnRound = (Vec<DrawnMeeting>, Vec<BotNumber>);

/// The matches of a tournament, read round by round.
pub struct Matches<'a> {
    tournament: &'a Tournament,
    store: &'a mut dyn Log,
    rounds: btree_map::IntoIter<StageRound, DrawnRound>,
    lines: vec::IntoIter<MatchLine>,
    failed: Option<TournamentError>,
}

impl Iterator for Matches<'_> {
    type Item = MatchLine;

    fn next(&mut self) -> Option<MatchLine> {
        loop {
            if let Some(line) = self.lines.next() {
                return Some(line);
            }
            let (place, (meetings, _)) = self.rounds.next()?;
            match self.tournament.round_lines(self.store, place, &meetings) {
                Ok(lines) => self.lines = lines.into_iter(),
                Err(error) => {
                    self.failed = Some(error);
                    return None;
                }
            }
        }
    }
}

impl Matches<'_> {
    /// Whether all of them could be read.
    pub fn finish(self) -> Result<(), TournamentError> {
        self.failed.map_or(Ok(()), Err)
    }
}

/// A match as lists show it.
pub(crate) fn match_line(
    finished: &Finished,
    (stage, round): (u32, u32),
    maps: &[Map],
    rule: &PointRule,
    voided: bool,
) -> MatchLine {
    let points = points_of(rule, &Counted::from(finished));
    let seat = |seat: usize| SeatLine {
        bot: finished.players[seat].0 as usize,
        place: finished.places[seat],
        score: finished.scores[seat].0 as f64 / finished.scores[seat].1.max(1) as f64,
        points: float(points[seat]),
        fault: finished
            .faults
            .iter()
            .find(|fault| usize::from(fault.seat) == seat)
            .map(|fault| fault.kind.clone()),
    };
    MatchLine {
        number: finished.number,
        stage: stage as usize,
        round,
        decider: 0,
        map: maps.get(finished.map as usize).map(Map::name).unwrap_or_default(),
        seed: finished.seed,
        seats: (0..finished.players.len()).map(seat).collect(),
        turns: finished.turns,
        millis: finished.millis,
        replay: finished.replay.as_ref().map(|replay| match replay.at {
            Some(_) => name_of_match(finished.number),
            None => replay.path.clone(),
        }),
        voided,
        tainted: finished.tainted,
        worker: finished.worker.clone(),
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Format::RoundRobin { cycles: 1 } => f.write_str("round robin"),
            Format::RoundRobin { cycles } => write!(f, "round robin, {cycles} times"),
            Format::Tables { rounds: 1 } => f.write_str("free for all, 1 round"),
            Format::Tables { rounds } => write!(f, "free for all, {rounds} rounds"),
            Format::Swiss { rounds: Some(1) } => f.write_str("Swiss, 1 round"),
            Format::Swiss { rounds: Some(rounds) } => write!(f, "Swiss, {rounds} rounds"),
            Format::Swiss { rounds: None } => f.write_str("Swiss"),
            Format::Knockout { double: false, .. } => f.write_str("knockout"),
            Format::Knockout { double: true, .. } => f.write_str("double knockout"),
            Format::Gauntlet { heroes, .. } => write!(f, "gauntlet of {}", heroes.join(", ")),
        }
    }
}

pub(crate) fn bot_line(
    number: usize,
    name: &str,
    identity: &Identity,
    version: u32,
    dropped: bool,
) -> BotLine {
    let source = identity.source.clone();
    BotLine { number: number as u32 + 1, name: name.to_owned(), source, version, dropped }
}

pub(crate) fn rating_lines(statistics: &Statistics, bots: usize) -> (Vec<RatingLine>, Option<Estimate>) {
    let fitted = fit(&statistics.tally, &FitSettings::default());
    let mut lines: Vec<RatingLine> = (0..bots)
        .map(|bot| {
            let skill = statistics.skill.skill(bot);
            // Whoever has not played is not among those who were counted.
            let known =
                fitted.bots.get(bot).and_then(|strength| Some((strength.rating, strength.half_width?)));
            let (value, half) = known.unwrap_or((MEAN_RATING, f64::INFINITY));
            RatingLine {
                bot,
                games: if bot < statistics.tally.bots() { statistics.tally.games(bot) } else { 0 },
                elo: statistics.elo.rating(bot),
                openskill: (skill.mean, skill.sigma),
                strength: Estimate { value, low: value - half, high: value + half },
            }
        })
        .collect();
    lines.sort_by(|a, b| b.strength.value.total_cmp(&a.strength.value));
    (lines, fitted.first_mover)
}

pub(crate) fn cross(statistics: &Statistics, bots: usize) -> Vec<Vec<Option<Cell>>> {
    let cell = |row: usize, column: usize| {
        if row == column || row.max(column) >= statistics.tally.bots() {
            return None;
        }
        let payoff = statistics.tally.payoff(row, column)?;
        Some(Cell {
            wins: payoff.wins as u32,
            draws: payoff.draws as u32,
            losses: payoff.losses as u32,
            score: Estimate { value: payoff.score, low: payoff.low, high: payoff.high },
        })
    };
    (0..bots).map(|row| (0..bots).map(|column| cell(row, column)).collect()).collect()
}

pub(crate) fn fault_lines(statistics: &Statistics, words: &Catalog) -> Vec<FaultLine> {
    let line = |((bot, kind), (count, example, what)): (&(usize, String), &(u32, u32, Message))| FaultLine {
        bot: *bot,
        kind: kind.clone(),
        count: *count,
        example: *example,
        text: words.say(what),
        what: what.clone(),
    };
    let mut lines: Vec<FaultLine> = statistics.faults.iter().map(line).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.count));
    lines
}

/// Points after every round, by bot, beginning with those carried over.
fn course(table: &Standings) -> Vec<(usize, Vec<f64>)> {
    let of = |player: BotNumber| {
        let start = table.line(player).carried;
        let rounds =
            table.course().iter().map(|(_, points)| points.get(&player).copied().unwrap_or_default());
        (player.0 as usize, std::iter::once(start).chain(rounds).map(float).collect())
    };
    table.players().map(of).collect()
}

fn float(points: Points) -> f64 {
    points.0 as f64 / 1000.0
}
