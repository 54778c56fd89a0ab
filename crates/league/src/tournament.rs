//! A tournament as it stands: its plan, and everything its log says.
//!
//! Going on after a stop, correcting a result and playing for the first time are one and the same here: rounds are drawn
//! from the plan and from what earlier rounds brought, the log is asked what became of their matches, and what is
//! missing is played. A drawing that comes out differently after a correction gives new matches; those that are no
//! longer part of it do not count.

mod field;
mod rounds;

use crate::event::{Counted, DrawnMeeting, Event, Finished, Identity, StageRound};
use crate::limits;
use crate::log::Log;
use crate::overview::Progress;
use crate::pairing::tiebreak::{Ranked, rank};
use crate::pairing::{BotNumber, Pairing, PairingError, Points};
use crate::plan::{Format, TournamentPlan};
use crate::stage::{Beginning, OpenMeeting, Settled, StageRun};
use crate::standings::{RatedStandings, Standings};
use crate::statistics::Statistics;
use crate::store::StoreError;
use std::collections::{BTreeMap, VecDeque};

/// Why a tournament cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Its folder says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its field does not fit its format.
    #[error("{stage}: {error}")]
    Pairing {
        /// The stage.
        stage: String,
        /// What the pairing refuses.
        error: PairingError,
    },
    /// The folder holds something else.
    #[error("{0}")]
    Unfit(String),
}

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub identity: Identity,
    /// 1, and one more for every replacement.
    pub version: u32,
    /// From when on it plays.
    pub from: StageRound,
    /// The Elo rating it came with.
    pub rating: Option<f64>,
    /// If it does not play any more.
    pub dropped: Option<Dropped>,
}

/// How somebody left.
#[derive(Clone, Debug)]
pub struct Dropped {
    /// From when on it is not paired.
    pub from: StageRound,
    /// The reason that people are told.
    pub why: String,
    /// The row of the log that says so.
    row: i64,
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number.
    pub number: u32,
    /// How often it was tainted since it counts.
    pub tainted: u32,
    /// Who plays, by seat.
    pub players: Vec<BotNumber>,
    /// The map's place in the plan.
    pub map: u32,
    /// The seed.
    pub seed: u64,
}

/// A tournament.
pub struct Tournament {
    pub(crate) plan: TournamentPlan,
    pub(crate) bots: Vec<Contestant>,
    past: Past,
    next_number: u32,
    pub(crate) stages: Vec<StageRun>,
    over: bool,
    ready: VecDeque<Job>,
    /// What rounds that count say about everybody.
    pub(crate) statistics: Statistics,
    pub(crate) progress: Progress,
    /// Matches that could not be played, and the first of them with all there is to say.
    failed: Vec<u32>,
    pub(crate) failures: Vec<(u32, Vec<BotNumber>, String)>,
    /// By bot that was dropped: matches that are not played for that.
    missed: BTreeMap<BotNumber, u32>,
}

/// What the log said when it was opened.
#[derive(Default)]
struct Past {
    /// The drawings of every round that has not been looked at yet, the last one at the end.
    drawn: BTreeMap<StageRound, Vec<Vec<DrawnMeeting>>>,
    /// Those of the round that was looked at last.
    latest: Vec<Vec<DrawnMeeting>>,
    /// Rounds drawn, by stage.
    rounds: BTreeMap<u32, u32>,
    corrections: BTreeMap<u32, Correction>,
    /// Matches with higher numbers are not in it.
    last_match: u32,
}

impl Past {
    /// Whether the log may have results of a stage's next round: what it has counts, however much waits before it.
    fn knows_next(&self, stage: &StageRun) -> bool {
        self.drawn.contains_key(&StageRound { stage: stage.index, round: stage.drawn + 1 })
    }
}

/// The organiser's last word about a match.
#[derive(Clone, Copy, Default)]
struct Correction {
    voided: bool,
    /// What the log has before this does not count.
    since: i64,
}

impl Tournament {
    /// Reads the log of a tournament and works out how it stands. Rounds that the log does not have yet are added to
    /// `log`.
    pub fn open(store: &mut dyn Log, log: &mut Vec<Event>) -> Result<Tournament, TournamentError> {
        let (mut opened, mut ladder) = (None, false);
        let mut bots: Vec<Contestant> = Vec::new();
        let mut past = Past { last_match: store.last_match()?, ..Past::default() };
        let mut next_number = numbered(1, past.last_match)?;
        for (id, event) in store.course()? {
            match event {
                Event::Opened { plan, .. } => opened = Some(*plan),
                Event::LadderOpened { .. } => ladder = true,
                Event::BotAdded { name, identity, from, rating, .. } => {
                    bots.push(Contestant { name, identity, version: 1, from, rating, dropped: None });
                }
                Event::BotReplaced { bot, identity } => {
                    let contestant = known(&mut bots, bot, id)?;
                    contestant.identity = identity;
                    contestant.version += 1;
                }
                Event::BotDropped { bot, why, from } => match &mut known(&mut bots, bot, id)?.dropped {
                    // Once, from the earliest.
                    Some(before) => before.from = before.from.min(from),
                    dropped => *dropped = Some(Dropped { from, why, row: id }),
                },
                Event::Drawn { stage, round, meetings, .. } => {
                    for meeting in &meetings {
                        next_number = next_number.max(numbered(meeting.first, meeting.matches)?);
                    }
                    past.drawn.entry(StageRound { stage, round }).or_default().push(meetings);
                    let rounds = past.rounds.entry(stage).or_default();
                    *rounds = round.max(*rounds);
                }
                Event::Voided { number, .. } => past.corrections.entry(number).or_default().voided = true,
                Event::Rerun { number } => {
                    past.corrections.insert(number, Correction { voided: false, since: id });
                }
                _ => {}
            }
        }
        let Some(plan) = opened else {
            let name = store.name();
            return Err(TournamentError::Unfit(match ladder {
                true => format!("{name} holds a ladder; use palestra ladder for it"),
                false => format!(
                    "{name} holds a tournament or ladder that was stopped before it was opened; begin again with the command \
                     that you began with"
                ),
            }));
        };
        let mut statistics = Statistics::new(plan.elo);
        bots.iter().for_each(|bot| statistics.add_bot(bot.rating));
        let mut tournament = Tournament {
            plan,
            bots,
            past,
            next_number,
            stages: Vec::new(),
            over: false,
            ready: VecDeque::new(),
            statistics,
            progress: Progress::default(),
            failed: Vec::new(),
            failures: Vec::new(),
            missed: BTreeMap::new(),
        };
        tournament.advance(store, log, 1)?;
        Ok(tournament)
    }

    /// Whether bots with these names can play this plan.
    pub fn check(plan: &TournamentPlan, names: &[&str]) -> Result<(), TournamentError> {
        let mut count = names.len();
        for (index, stage) in (0..).zip(&plan.stages) {
            count = count.min(stage.take.map_or(usize::MAX, |take| take as usize));
            let mut players: Vec<BotNumber> = (0..count as u32).map(BotNumber).collect();
            let heroes: Vec<BotNumber> = match &stage.format {
                Format::Gauntlet { heroes, .. } => {
                    let number = |hero: &String| names.iter().position(|name| name == hero);
                    heroes.iter().filter_map(number).map(|number| BotNumber(number as u32)).collect()
                }
                _ => Vec::new(),
            };
            players.extend(heroes.iter().filter(|hero| hero.0 as usize >= count));
            let beginning = Beginning {
                index,
                players: &players,
                heroes: &heroes,
                table: Standings::default(),
                elo: Vec::new(),
                seed: plan.seed,
                maps: plan.maps.len(),
                drawing: plan.drawing,
            };
            StageRun::new(stage.clone(), beginning, Pairing::new)
                .map_err(|error| TournamentError::Pairing { stage: stage.name.clone(), error })?;
        }
        Ok(())
    }

    /// The plan.
    pub fn plan(&self) -> &TournamentPlan {
        &self.plan
    }

    /// Everybody who takes or took part; a player's number is the place here.
    pub fn bots(&self) -> &[Contestant] {
        &self.bots
    }

    /// Whether everything has been played.
    pub fn over(&self) -> bool {
        self.over
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let Progress { finished, failed, voided, .. } = self.progress;
        let settled = finished + failed + voided;
        // What the stages to come will need is known when they begin, and some need less than they might.
        let planned = if self.over { settled } else { self.stages.iter().map(StageRun::matches).sum() };
        Progress { planned: planned.max(settled), ..self.progress }
    }

    /// What a match that is being played brings, by seat; nothing if it only decides who goes on.
    pub fn award(&self, finished: &Finished) -> Option<Vec<f64>> {
        let stage = self.stages.last().expect("a match belongs to a stage");
        (!stage.is_decider(finished.number)).then(|| stage.plan.points.award(finished))
    }

    /// The numbers of all matches that could not be played.
    pub fn failed(&self) -> &[u32] {
        &self.failed
    }

    /// The first matches that could not be played, who should have played them, and why not.
    pub fn failures(&self) -> &[(u32, Vec<BotNumber>, String)] {
        &self.failures
    }

    /// Whether the log knows a match of this number: it was played, or is in a round that was drawn.
    pub fn knows(&self, number: u32) -> bool {
        (1..self.next_number).contains(&number)
    }

    /// At most so many matches that can be played now. What was drawn for them is added to `log`.
    pub fn next(
        &mut self,
        store: &mut dyn Log,
        log: &mut Vec<Event>,
        room: usize,
    ) -> Result<Vec<Job>, TournamentError> {
        self.advance(store, log, room)?;
        let count = room.min(self.ready.len());
        Ok(self.ready.drain(..count).collect())
    }

    /// A match was played, and counts.
    pub fn finish(&mut self, finished: &Finished) {
        self.settle(finished.number, Settled::Played(Counted::from(finished)));
    }

    /// A match could not be played.
    pub fn fail(&mut self, job: &Job, why: String) {
        self.note_failure(job.number, job.players.clone(), &why);
        self.settle(job.number, Settled::Failed(why));
    }

    /// A match was played, and is to be played again.
    pub fn taint(&mut self, job: &Job) {
        self.progress.tainted += 1;
        self.ready.push_front(Job { tainted: job.tainted + 1, ..job.clone() });
    }

    fn note_failure(&mut self, number: u32, players: Vec<BotNumber>, why: &str) {
        self.failed.push(number);
        if self.failures.len() < limits::FAILURES_KEPT {
            self.failures.push((number, players, why.to_owned()));
        }
    }

    fn settle(&mut self, number: u32, settled: Settled) {
        let stage = self.stages.last_mut().expect("matches belong to a stage");
        self.progress.count(&settled);
        stage.settle(number, settled);
    }

    /// Lets complete rounds count, begins stages and draws rounds, until `room` matches wait or nothing more can be
    /// done before some are played.
    fn advance(
        &mut self,
        store: &mut dyn Log,
        log: &mut Vec<Event>,
        room: usize,
    ) -> Result<(), TournamentError> {
        while !self.over {
            let Some(stage) = self.stages.last_mut() else {
                self.begin_stage()?;
                continue;
            };
            let deciders = stage.deciders();
            if !deciders.is_empty() {
                self.draw_deciders(store, log, &deciders)?;
            } else if let Some(round) = stage.close_round() {
                if stage.is_knockout() {
                    let place = StageRound { stage: stage.index, round: round.number };
                    self.past.log_whole(place, &round, log);
                }
                for finished in round.meetings.iter().flat_map(OpenMeeting::played) {
                    self.statistics.record(finished);
                }
            } else if stage.over() {
                stage.end((0..self.bots.len()).map(|bot| self.statistics.elo.rating(bot)).collect());
                self.begin_stage()?;
            } else if (self.ready.len() < room || self.past.knows_next(stage)) && stage.can_draw() {
                self.draw(store, log)?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Begins the stage behind the last one, or ends the tournament.
    fn begin_stage(&mut self) -> Result<(), TournamentError> {
        let index = self.stages.len();
        let Some(plan) = self.plan.stages.get(index).cloned() else {
            self.over = true;
            return Ok(());
        };
        let place = StageRound { stage: index as u32, round: 1 };
        let mut players = match self.stages.last() {
            None => Vec::new(),
            Some(before) => self.ranking(before).into_iter().map(|ranked| ranked.player).collect(),
        };
        players.retain(|player| self.stays(*player, place));
        players.truncate(plan.take.map_or(usize::MAX, |take| take as usize));
        // A gauntlet without its heroes is none: they take part wherever they came in.
        let hero = |bot: &Contestant| matches!(&plan.format, Format::Gauntlet { heroes, .. } if heroes.contains(&bot.name));
        for (number, bot) in (0..).map(BotNumber).zip(&self.bots) {
            let comes = bot.from == place || (hero(bot) && bot.from < place);
            if comes && self.stays(number, place) && !players.contains(&number) {
                players.push(number);
            }
        }
        let carried = |player: &BotNumber| match self.stages.last() {
            Some(before) if plan.carry => before.table.line(*player).points,
            _ => Points::ZERO,
        };
        let heroes: Vec<BotNumber> = match &plan.format {
            Format::Gauntlet { heroes, .. } => {
                let named = |player: &&BotNumber| heroes.contains(&self.bots[player.0 as usize].name);
                players.iter().filter(named).copied().collect()
            }
            _ => Vec::new(),
        };
        let beginning = Beginning {
            index: place.stage,
            players: &players,
            heroes: &heroes,
            table: Standings::new(&plan, players.iter().map(|player| (*player, carried(player)))),
            elo: (0..self.bots.len()).map(|bot| self.statistics.elo.rating(bot)).collect(),
            seed: self.plan.seed,
            maps: self.plan.maps.len(),
            drawing: self.plan.drawing,
        };
        let name = plan.name.clone();
        let stage = StageRun::new(plan, beginning, Pairing::of_those_left)
            .map_err(|error| TournamentError::Pairing { stage: name, error })?;
        self.stages.push(stage);
        Ok(())
    }

    /// How a stage stands, with what its open rounds have brought so far.
    pub(crate) fn current(&self, stage: &StageRun) -> Standings {
        let mut table = stage.table.clone();
        for round in &stage.open {
            table.record(&stage.plan, round, stage.bye_points());
        }
        table
    }

    /// Everybody in a stage from the best to the last: in several groups all the first, then all the second, and so on.
    pub(crate) fn ranking(&self, stage: &StageRun) -> Vec<Ranked> {
        let table = self.current(stage);
        let elo = self.ratings_of(stage);
        let numbers = RatedStandings { table: &table, elo: &elo };
        let groups: Vec<Vec<Ranked>> =
            (0..stage.groups.len()).map(|group| self.group_ranking(stage, group, &numbers)).collect();
        if let [only] = &groups[..] {
            return only.clone();
        }
        let mut by_rank: BTreeMap<u32, Vec<BotNumber>> = BTreeMap::new();
        for ranked in groups.iter().flatten() {
            by_rank.entry(ranked.rank).or_default().push(ranked.player);
        }
        let mut all: Vec<Ranked> = Vec::new();
        for players in by_rank.values() {
            let before = all.len() as u32;
            all.extend(
                rank(players, &stage.plan.tie_breaks, &numbers)
                    .into_iter()
                    .map(|ranked| Ranked { rank: before + ranked.rank, player: ranked.player }),
            );
        }
        all
    }

    /// The Elo ratings that decide in a stage: those at its end, once it is over.
    pub(crate) fn ratings_of<'a>(&'a self, stage: &'a StageRun) -> impl Fn(BotNumber) -> f64 + 'a {
        move |player| {
            let bot = player.0 as usize;
            let ended = stage.elo_at_the_end().and_then(|elo| elo.get(bot)).copied();
            ended.unwrap_or_else(|| self.statistics.elo.rating(bot))
        }
    }

    /// One group of a stage from the best to the last. In a knockout it counts how far somebody came.
    pub(crate) fn group_ranking(
        &self,
        stage: &StageRun,
        group: usize,
        numbers: &RatedStandings<'_>,
    ) -> Vec<Ranked> {
        let group = &stage.groups[group];
        match group.pairing.places() {
            Some(places) => places.into_iter().map(|(rank, player)| Ranked { rank, player }).collect(),
            None => rank(&group.players, &stage.plan.tie_breaks, numbers),
        }
    }

    /// Whether this row of the log, about this match, is of any account; if so, whether the match was voided.
    pub(crate) fn counts(&self, number: u32, id: i64) -> Option<bool> {
        let correction = self.past.corrections.get(&number).copied().unwrap_or_default();
        (id > correction.since).then_some(correction.voided)
    }

    fn stays(&self, player: BotNumber, place: StageRound) -> bool {
        self.bots[player.0 as usize].dropped.as_ref().is_none_or(|dropped| dropped.from > place)
    }
}

impl Progress {
    pub(crate) fn count(&mut self, settled: &Settled) {
        match settled {
            Settled::Played(_) => self.finished += 1,
            Settled::Voided => self.voided += 1,
            Settled::Failed(_) => self.failed += 1,
            Settled::Walkover(_) => {}
        }
    }
}

/// The bot that a row of the log is about.
fn known(bots: &mut [Contestant], bot: BotNumber, row: i64) -> Result<&mut Contestant, TournamentError> {
    let why = || {
        TournamentError::Unfit(format!(
            "row {row} of the log is about a bot that never took part; it is damaged"
        ))
    };
    bots.get_mut(bot.0 as usize).ok_or_else(why)
}

/// The number behind those of so many matches from this one on.
fn numbered(first: u32, matches: u32) -> Result<u32, TournamentError> {
    first.checked_add(matches).filter(|next| *next <= limits::MATCHES).ok_or_else(|| {
        let why = format!("it has more than {} matches; plan fewer, or its log is damaged", limits::MATCHES);
        TournamentError::Unfit(why)
    })
}

/// The places of players in lists by bot.
pub(crate) fn indices(players: &[BotNumber]) -> Vec<usize> {
    players.iter().map(|player| player.0 as usize).collect()
}

/// The numbers of these meetings' matches, as ranges without their ends. Meetings that follow each other are one range:
/// usually that is a whole round.
pub(crate) fn ranges<'a>(meetings: impl IntoIterator<Item = &'a DrawnMeeting>) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for meeting in meetings {
        let end = meeting.first + meeting.matches;
        match ranges.last_mut() {
            Some((_, before)) if *before == meeting.first => *before = end,
            _ => ranges.push((meeting.first, end)),
        }
    }
    ranges
}
