//! The ladder: matches without end, chosen where they say most.
//!
//! A new version of a bot is somebody new with the same name: it plays until it is known how strong it is, and what its
//! predecessor did does not count for it. The log is also how others speak to a ladder that is running: bots that join
//! or leave are written to it, and the ladder looks.

use crate::bundle::Packed;
use crate::event::{Counted, Event, Finished, Identity};
use crate::limits;
use crate::log::Log as _;
use crate::log_writer::{Batch, LogWriter};
use crate::match_runner::{MapCache, MatchOutcome, MatchSetup};
use crate::overview::{MatchLine, Overview, Progress, Standing};
use crate::pairing::BotNumber;
use crate::plan::{Map, PointRule};
use crate::rating::elo::EloSettings;
use crate::rating::matchmaking::{Candidate, choose};
use crate::rating::openskill::OpenSkillSettings;
use crate::retries::RetryCounter;
use crate::statistics::Statistics;
use crate::store::{Store, StoreError};
use crate::tournament::Job;
use crate::view::{bot_line, cross, fault_lines, match_line, rating_lines};
use crate::worker_pool::Scheduler;
use palestra_core::{AnyGame, Catalog, Fault, Rng, TimeControl};
use palestra_runner::Interrupt;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::mem;
use std::time::{Duration, Instant};

/// A ladder's plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderPlan {
    /// What it is called.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// Decides everything left to chance.
    pub seed: u64,
    /// Settings of the game that differ from the defaults.
    pub settings: Vec<(String, String)>,
    /// The time control; the game's own unless given.
    pub time: Option<TimeControl>,
    /// What is played on, in turn.
    pub maps: Vec<Map>,
    /// Bots in one match.
    pub seats: u8,
    /// What Elo ratings are made with.
    pub elo: EloSettings,
}

impl LadderPlan {
    /// What its matches are played on and with.
    pub fn setup(&self, game: &dyn AnyGame) -> MatchSetup {
        MatchSetup {
            settings: self.settings.clone(),
            time: self.time.unwrap_or(game.info().time),
            maps: self.maps.clone(),
            seed: self.seed,
            generated: MapCache::default(),
        }
    }
}

/// A version of a bot on the ladder.
#[derive(Clone, Debug)]
pub struct LadderEntry {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub identity: Identity,
    /// 1 for the first of this name, and so on.
    pub version: u32,
    /// Plays no more, because of this.
    pub gone: Option<String>,
    in_play: u32,
    /// Its last matches that could not be played.
    failures: u32,
}

/// A ladder as it stands.
pub struct Ladder {
    plan: LadderPlan,
    entries: Vec<LadderEntry>,
    statistics: Statistics,
    progress: Progress,
    next_number: u32,
    /// The log has been read up to here.
    read: i64,
}

impl Ladder {
    /// Reads a ladder's log; `None` if the folder holds none.
    pub fn open(store: &mut Store) -> Result<Option<Ladder>, StoreError> {
        let plan = store.course()?.into_iter().find_map(|(_, event)| match event {
            Event::LadderOpened { ladder, .. } => Some(*ladder),
            _ => None,
        });
        let Some(plan) = plan else {
            return Ok(None);
        };
        let mut ladder = Ladder {
            statistics: Statistics::new(plan.elo),
            plan,
            entries: Vec::new(),
            progress: Progress::default(),
            next_number: store.last_match()? + 1,
            read: 0,
        };
        ladder.catch_up(store)?;
        Ok(Some(ladder))
    }

    /// Reads what the log has that was not read before.
    pub fn catch_up(&mut self, store: &mut Store) -> Result<(), StoreError> {
        let mut read = self.read;
        store.since(self.read, |id, event| {
            read = id;
            self.take_in(event);
        })?;
        self.read = read;
        Ok(())
    }

    /// Reads who came and went since the log was last read; says who came. Its matches are those of the run that reads it.
    fn look_who_came(&mut self, store: &mut Store) -> Result<Vec<BotNumber>, StoreError> {
        let (mut read, known) = (self.read, self.entries.len());
        store.since(self.read, |id, event| {
            read = id;
            if let Event::BotAdded { .. } | Event::BotDropped { .. } = event {
                self.take_in(event);
            }
        })?;
        self.read = read;
        Ok((known..self.entries.len()).map(|place| BotNumber(place as u32)).collect())
    }

    fn take_in(&mut self, event: Event) {
        match event {
            Event::BotAdded { name, identity, rating, .. } => {
                let before = self.entries.iter().filter(|entry| entry.name == name).count() as u32;
                self.entries.push(LadderEntry {
                    name,
                    identity,
                    version: before + 1,
                    gone: None,
                    in_play: 0,
                    failures: 0,
                });
                self.statistics.add_bot(rating);
            }
            Event::BotDropped { bot, why, .. } => {
                if let Some(entry) = self.entries.get_mut(bot.0 as usize) {
                    entry.gone = Some(why);
                }
            }
            Event::Finished(finished) => {
                self.progress.finished += 1;
                self.statistics.record(&Counted::from(&finished));
            }
            Event::Tainted(_) => self.progress.tainted += 1,
            Event::Failed { .. } => self.progress.failed += 1,
            _ => {}
        }
    }

    /// The plan.
    pub fn plan(&self) -> &LadderPlan {
        &self.plan
    }

    /// Everybody who plays or played; a player's number is the place here.
    pub fn entries(&self) -> &[LadderEntry] {
        &self.entries
    }

    /// The entry of this name that plays.
    pub fn find(&self, name: &str) -> Option<BotNumber> {
        let playing = |entry: &LadderEntry| entry.name == name && entry.gone.is_none();
        self.entries.iter().position(playing).map(|place| BotNumber(place as u32))
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The match that says most now; `None` if there are not enough bots.
    fn choose(&mut self) -> Option<Job> {
        let candidates: Vec<Candidate> = (0..self.entries.len())
            .filter(|bot| self.entries[*bot].gone.is_none())
            .map(|bot| {
                let skill = self.statistics.skill.skill(bot);
                Candidate { bot, mean: skill.mean, sigma: skill.sigma, in_play: self.entries[bot].in_play }
            })
            .collect();
        let number = self.next_number;
        let mut rng = Rng::stream(self.plan.seed, "ladder", number.into());
        let settings = OpenSkillSettings::default();
        let seats = usize::from(self.plan.seats);
        let players = choose(&candidates, seats, &settings, &self.statistics.tally, &mut rng);
        if players.is_empty() {
            return None;
        }
        self.next_number += 1;
        players.iter().for_each(|bot| self.entries[*bot].in_play += 1);
        Some(Job {
            number,
            tainted: 0,
            players: players.into_iter().map(|bot| BotNumber(bot as u32)).collect(),
            map: rng.below(self.plan.maps.len() as u32),
            seed: rng.bits() % 1_000_000_000,
        })
    }

    /// What a match that was chosen has brought.
    fn count(&mut self, players: &[BotNumber], event: Event) {
        for player in players {
            self.entries[player.0 as usize].in_play -= 1;
        }
        self.take_in(event);
    }

    /// Everybody who plays, the strongest first.
    pub fn standings(&self) -> Vec<Standing> {
        let mut playing: Vec<usize> =
            (0..self.entries.len()).filter(|bot| self.entries[*bot].gone.is_none()).collect();
        let ordinal = |bot: usize| self.statistics.skill.skill(bot).mean;
        playing.sort_by(|a, b| ordinal(*b).total_cmp(&ordinal(*a)));
        let line = |(place, bot): (usize, usize)| {
            let record = self.statistics.record_of(bot);
            let skill = self.statistics.skill.skill(bot);
            Standing {
                place: place as u32 + 1,
                bot,
                points: self.statistics.elo.rating(bot),
                tie_breaks: vec![("skill".to_owned(), skill.mean), ("unsure".to_owned(), skill.sigma)],
                played: record.played,
                won: record.won,
                drawn: record.drawn,
                lost: record.lost,
                faults: record.faults,
            }
        };
        playing.into_iter().enumerate().map(line).collect()
    }

    /// Every match that was played, from the log, in order.
    pub fn matches(&self, store: &mut Store, mut each: impl FnMut(MatchLine)) -> Result<(), StoreError> {
        store.since(0, |_, event| {
            if let Event::Finished(finished) = event {
                // A ladder has no points of its own; the game's score stands for them.
                each(match_line(&finished, (0, 0), &self.plan.maps, &PointRule::Score, false));
            }
        })
    }

    /// Everything there is to show, in the words of its game.
    pub fn overview(&self, words: &Catalog) -> Overview {
        let bots = self.entries.len();
        let (ratings, first_mover) = rating_lines(&self.statistics, bots);
        let lines = self.entries.iter().enumerate().map(|(number, entry)| {
            bot_line(number, &entry.name, &entry.identity, entry.version, entry.gone.is_some())
        });
        Overview {
            name: self.plan.name.clone(),
            game: self.plan.game.clone(),
            game_title: words.title().to_owned(),
            seed: self.plan.seed,
            over: false,
            progress: Progress { planned: self.progress.finished, ..self.progress },
            bots: lines.collect(),
            stages: Vec::new(),
            standings: self.standings(),
            ratings,
            first_mover,
            cross: cross(&self.statistics, bots),
            faults: fault_lines(&self.statistics, words),
            failures: Vec::new(),
        }
    }
}

/// What somebody who looks on is told, and asked.
pub trait LadderObserver {
    /// A match is over.
    fn result(&mut self, ladder: &Ladder, finished: &Finished);
    /// A match could not be played.
    fn failed(&mut self, ladder: &Ladder, job: &Job, why: &str);
    /// Called at every tick of the worker pool.
    fn tick(&mut self, ladder: &Ladder, running: usize);
    /// Makes a bot ready to play; says why it cannot.
    fn make_ready(&mut self, player: BotNumber, entry: &LadderEntry) -> Result<(), String>;
}

/// A ladder being played.
///
/// Matches are logged and counted in the order in which they were chosen, not in which they end, and each is chosen when
/// the one so many before it counts, and none after that: which ones are played does not depend on the clock.
pub struct LadderRun<'a> {
    ladder: Ladder,
    store: Store,
    log_writer: LogWriter,
    batch: Batch,
    /// Matches that were chosen and do not count yet, the oldest first.
    open: VecDeque<OpenMatch>,
    /// How many of the oldest of them are over and logged.
    logged: usize,
    interrupt: &'a Interrupt,
    observer: &'a mut dyn LadderObserver,
    limits: RunLimits,
    begun: u64,
    until: Option<Instant>,
    retries: RetryCounter<BotNumber>,
}

/// How far a run goes, and how.
#[derive(Clone, Copy, Default, Debug)]
pub struct RunLimits {
    /// Matches to play; without end if there is none.
    pub matches: Option<u64>,
    /// For how long.
    pub time: Option<Duration>,
    /// Matches played at the same time. None if nobody knows, because some are played elsewhere: then they count as they
    /// end, and each is chosen by what counts by then.
    pub places: Option<usize>,
}

impl RunLimits {
    /// The most matches that are chosen and do not count yet.
    fn open(self) -> Option<usize> {
        self.places.map(|places| places.max(1) * (1 + limits::PREFETCH_MIN))
    }
}

/// A match that was chosen, and what came of it.
struct OpenMatch {
    number: u32,
    players: Vec<BotNumber>,
    over: Option<(Event, Option<Packed>)>,
}

impl<'a> LadderRun<'a> {
    /// Plays within these limits, or until it is interrupted. Everybody must be ready.
    pub fn new(
        ladder: Ladder,
        store: Store,
        limits: RunLimits,
        interrupt: &'a Interrupt,
        observer: &'a mut dyn LadderObserver,
    ) -> Result<LadderRun<'a>, StoreError> {
        Ok(LadderRun {
            ladder,
            log_writer: LogWriter::begin(store.folder())?,
            store,
            batch: Batch::default(),
            open: VecDeque::new(),
            logged: 0,
            interrupt,
            observer,
            limits,
            begun: 0,
            until: limits.time.map(|time| Instant::now() + time),
            retries: RetryCounter::default(),
        })
    }

    /// Everything is stored, and counted, when this returns.
    pub fn end(mut self) -> Result<(Ladder, Store), StoreError> {
        // Those without a result were interrupted.
        self.open.retain(|one| one.over.is_some());
        self.log();
        self.count_down_to(0);
        self.log_writer.append(mem::take(&mut self.batch))?;
        self.log_writer.end()?;
        self.ladder.look_who_came(&mut self.store)?;
        Ok((self.ladder, self.store))
    }

    /// Stores what happened, and looks who came and went.
    fn commit(&mut self) -> Result<(), StoreError> {
        self.log_writer.append(mem::take(&mut self.batch))?;
        for player in self.ladder.look_who_came(&mut self.store)? {
            let entry = self.ladder.entries[player.0 as usize].clone();
            if let Err(why) = self.observer.make_ready(player, &entry) {
                self.drop_out(player, why);
            }
        }
        Ok(())
    }

    /// A match is over.
    fn close(&mut self, number: u32, event: Event, replay: Option<Packed>) {
        let place = self.open.iter().position(|one| one.number == number).expect("it was chosen");
        self.open[place].over = Some((event, replay));
        // Without an order to keep, nothing waits for one that takes long.
        if self.limits.places.is_none() {
            self.open.swap(self.logged, place);
        }
        self.log();
    }

    /// Logs the matches before which all are over.
    fn log(&mut self) {
        for one in self.open.iter_mut().skip(self.logged) {
            let Some((event, replay)) = &mut one.over else {
                break;
            };
            self.batch.push_played(event.clone(), replay.take());
            self.logged += 1;
        }
    }

    /// Counts the oldest matches, until there are so many that do not count, or one that is not over.
    fn count_down_to(&mut self, open: usize) {
        while self.open.len() > open && self.logged > 0 {
            self.logged -= 1;
            if let Some(OpenMatch { players, over: Some((event, _)), .. }) = self.open.pop_front() {
                self.ladder.count(&players, event);
            }
        }
    }

    /// Whether the next match can be chosen; what it is chosen by counts then.
    fn may_choose(&mut self) -> bool {
        let most = self.limits.open();
        self.count_down_to(most.map_or(0, |most| most - 1));
        most.is_none_or(|most| self.open.len() < most)
    }

    fn played(&mut self, finished: Finished, replay: Option<Packed>) {
        self.retries.forget(finished.players.iter().copied());
        for player in &finished.players {
            self.ladder.entries[player.0 as usize].failures = 0;
        }
        self.observer.result(&self.ladder, &finished);
        self.close(finished.number, Event::Finished(finished), replay);
    }

    /// A match with these could not be played. Whoever was in several of them, one after the other, must show that it can
    /// play at all.
    fn count_failure(&mut self, players: &[BotNumber]) {
        for player in players {
            let entry = &mut self.ladder.entries[player.0 as usize];
            entry.failures += 1;
            if entry.failures < limits::LADDER_FAILURES || entry.gone.is_some() {
                continue;
            }
            entry.failures = 0;
            let entry = entry.clone();
            if let Err(why) = self.observer.make_ready(*player, &entry) {
                self.drop_out(*player, why);
            }
        }
    }

    /// One bad bot does not stop the ladder.
    fn drop_out(&mut self, player: BotNumber, why: String) {
        self.ladder.entries[player.0 as usize].gone = Some(why.clone());
        self.batch.push(Event::BotDropped { bot: player, why, from: crate::event::StageRound::default() });
    }
}

impl Scheduler for LadderRun<'_> {
    type Job = Job;
    type Report = MatchOutcome;
    type Error = StoreError;

    fn next(&mut self, room: usize) -> Result<Vec<Job>, StoreError> {
        let mut jobs = Vec::new();
        let matches = self.limits.matches;
        while jobs.len() < room && matches.is_none_or(|matches| self.begun < matches) && self.may_choose() {
            let Some(job) = self.ladder.choose() else {
                break;
            };
            self.begun += 1;
            self.open.push_back(OpenMatch { number: job.number, players: job.players.clone(), over: None });
            self.batch.push(Event::Started { number: job.number, players: job.players.clone() });
            jobs.push(job);
        }
        Ok(jobs)
    }

    fn done(&mut self, job: Job, report: Result<MatchOutcome, String>) -> Result<(), StoreError> {
        let why = match report {
            Ok(MatchOutcome::Interrupted) => return Ok(()),
            Ok(MatchOutcome::Played(finished, replay)) => {
                self.played(finished, replay);
                return Ok(());
            }
            // There are more matches where this one came from, but not for ever.
            Ok(MatchOutcome::Tainted(finished, replay)) => {
                let late = finished.faults.iter().filter(|fault| fault.kind == Fault::OutOfTime.kind());
                let stalled = late.filter_map(|fault| finished.players.get(usize::from(fault.seat)).copied());
                if self.retries.leave_out(stalled) {
                    self.close(job.number, Event::Tainted(finished), replay);
                } else {
                    self.played(Finished { tainted: true, ..finished }, replay);
                }
                return Ok(());
            }
            Ok(MatchOutcome::Failed(why)) => why,
            Err(panic) => format!("the game came to a halt: {panic}"),
        };
        self.observer.failed(&self.ladder, &job, &why);
        self.count_failure(&job.players);
        self.close(job.number, Event::Failed { number: job.number, players: job.players, why }, None);
        Ok(())
    }

    fn tick(&mut self, running: usize) -> Result<(), StoreError> {
        self.commit()?;
        self.observer.tick(&self.ladder, running);
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.interrupt.raised() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}
