//! The ladder: matches without end, chosen where they say most.
//!
//! A new version of a bot is somebody new with the same name: it plays until it is known how strong it is, and what its
//! predecessor did does not count for it. The log is also how others speak to a ladder that is running: bots that join
//! or leave are written to it, and the ladder looks.

use crate::bundle::Packed;
use crate::cup::{Map, PointRule};
use crate::event::{Counted, Event, Finished, Identity};
use crate::evidence::Evidence;
use crate::excuses::Excuses;
use crate::hall::Director;
use crate::journal::{Batch, Journal};
use crate::limits;
use crate::log::Log as _;
use crate::overview::{MatchLine, Overview, Progress, Standing};
use crate::pairing::Player;
use crate::rating::elo::EloSettings;
use crate::rating::matchmaking::{Candidate, choose};
use crate::rating::openskill::OpenSkillSettings;
use crate::referee::{Generated, Ground, Verdict};
use crate::store::{Store, StoreError};
use crate::tournament::Job;
use crate::view::{bot_line, cross, fault_lines, match_line, rating_lines};
use palestra_core::{AnyGame, Catalog, Fault, Rng, TimeControl};
use palestra_runner::Interrupt;
use serde::{Deserialize, Serialize};
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
    pub fn ground(&self, game: &dyn AnyGame) -> Ground {
        Ground {
            settings: self.settings.clone(),
            time: self.time.unwrap_or(game.info().time),
            maps: self.maps.clone(),
            seed: self.seed,
            generated: Generated::default(),
        }
    }
}

/// A version of a bot on the ladder.
#[derive(Clone, Debug)]
pub struct Climber {
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
    climbers: Vec<Climber>,
    evidence: Evidence,
    progress: Progress,
    next_number: u32,
    /// The log has been read up to here.
    read: i64,
}

/// What has changed on a ladder.
pub enum Change {
    /// Somebody joined.
    Joined(Player),
    /// Somebody left.
    Left(Player),
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
            evidence: Evidence::new(plan.elo),
            plan,
            climbers: Vec::new(),
            progress: Progress::default(),
            next_number: store.last_match()? + 1,
            read: 0,
        };
        ladder.catch_up(store)?;
        Ok(Some(ladder))
    }

    /// Reads what the log has that was not read before; says who came and went.
    pub fn catch_up(&mut self, store: &mut Store) -> Result<Vec<Change>, StoreError> {
        let mut changes = Vec::new();
        let mut read = self.read;
        store.since(self.read, |id, event| {
            read = id;
            self.take_in(event, &mut changes);
        })?;
        self.read = read;
        Ok(changes)
    }

    fn take_in(&mut self, event: Event, changes: &mut Vec<Change>) {
        match event {
            Event::BotAdded { name, identity, rating, .. } => {
                let before = self.climbers.iter().filter(|climber| climber.name == name).count() as u32;
                changes.push(Change::Joined(Player(self.climbers.len() as u32)));
                self.climbers.push(Climber {
                    name,
                    identity,
                    version: before + 1,
                    gone: None,
                    in_play: 0,
                    failures: 0,
                });
                self.evidence.add_bot(rating);
            }
            Event::BotDropped { bot, why, .. } => {
                if let Some(climber) = self.climbers.get_mut(bot.0 as usize) {
                    climber.gone = Some(why);
                    changes.push(Change::Left(bot));
                }
            }
            Event::Finished(finished) => {
                self.progress.finished += 1;
                self.evidence.record(&Counted::from(&finished));
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
    pub fn climbers(&self) -> &[Climber] {
        &self.climbers
    }

    /// The climber of this name that plays.
    pub fn find(&self, name: &str) -> Option<Player> {
        let playing = |climber: &Climber| climber.name == name && climber.gone.is_none();
        self.climbers.iter().position(playing).map(|place| Player(place as u32))
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The match that says most now; `None` if there are not enough bots.
    fn choose(&mut self) -> Option<Job> {
        let candidates: Vec<Candidate> = (0..self.climbers.len())
            .filter(|bot| self.climbers[*bot].gone.is_none())
            .map(|bot| {
                let skill = self.evidence.skill.skill(bot);
                Candidate { bot, mean: skill.mean, sigma: skill.sigma, in_play: self.climbers[bot].in_play }
            })
            .collect();
        let number = self.next_number;
        let mut rng = Rng::stream(self.plan.seed, "ladder", number.into());
        let settings = OpenSkillSettings::default();
        let seats = usize::from(self.plan.seats);
        let players = choose(&candidates, seats, &settings, &self.evidence.tally, &mut rng);
        if players.is_empty() {
            return None;
        }
        self.next_number += 1;
        players.iter().for_each(|bot| self.climbers[*bot].in_play += 1);
        Some(Job {
            number,
            tainted: 0,
            players: players.into_iter().map(|bot| Player(bot as u32)).collect(),
            map: rng.below(self.plan.maps.len() as u32),
            seed: rng.bits() % 1_000_000_000,
        })
    }

    fn release(&mut self, job: &Job) {
        for player in &job.players {
            self.climbers[player.0 as usize].in_play -= 1;
        }
    }

    /// Everybody who plays, the strongest first.
    pub fn standings(&self) -> Vec<Standing> {
        let mut playing: Vec<usize> =
            (0..self.climbers.len()).filter(|bot| self.climbers[*bot].gone.is_none()).collect();
        let ordinal = |bot: usize| self.evidence.skill.skill(bot).mean;
        playing.sort_by(|a, b| ordinal(*b).total_cmp(&ordinal(*a)));
        let line = |(place, bot): (usize, usize)| {
            let record = self.evidence.record_of(bot);
            let skill = self.evidence.skill.skill(bot);
            Standing {
                place: place as u32 + 1,
                bot,
                points: self.evidence.elo.rating(bot),
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

    /// Everything there is to show, with sentences in these words.
    pub fn overview(&self, game_title: &str, words: &Catalog) -> Overview {
        let bots = self.climbers.len();
        let (ratings, first_mover) = rating_lines(&self.evidence, bots);
        let lines = self.climbers.iter().enumerate().map(|(number, climber)| {
            bot_line(number, &climber.name, &climber.identity, climber.version, climber.gone.is_some())
        });
        Overview {
            name: self.plan.name.clone(),
            game: self.plan.game.clone(),
            game_title: game_title.to_owned(),
            seed: self.plan.seed,
            over: false,
            progress: Progress { planned: self.progress.finished, ..self.progress },
            bots: lines.collect(),
            stages: Vec::new(),
            standings: self.standings(),
            ratings,
            first_mover,
            cross: cross(&self.evidence, bots),
            faults: fault_lines(&self.evidence, words),
            failures: Vec::new(),
        }
    }
}

/// What somebody who looks on is told, and asked.
pub trait Watcher {
    /// A match is over.
    fn result(&mut self, ladder: &Ladder, finished: &Finished);
    /// A match could not be played.
    fn failed(&mut self, ladder: &Ladder, job: &Job, why: &str);
    /// Called every moment.
    fn moment(&mut self, ladder: &Ladder, running: usize);
    /// Makes a bot ready to play; says why it cannot.
    fn make_ready(&mut self, player: Player, climber: &Climber) -> Result<(), String>;
}

/// A ladder being played.
pub struct LadderRun<'a> {
    ladder: Ladder,
    store: Store,
    journal: Journal,
    batch: Batch,
    interrupt: &'a Interrupt,
    watcher: &'a mut dyn Watcher,
    /// Matches to play; without end if there is none.
    matches: Option<u64>,
    begun: u64,
    until: Option<Instant>,
    excuses: Excuses<Player>,
}

impl<'a> LadderRun<'a> {
    /// Plays so many matches, or so long, or until it is interrupted. Everybody must be ready.
    pub fn new(
        ladder: Ladder,
        store: Store,
        (matches, time): (Option<u64>, Option<Duration>),
        interrupt: &'a Interrupt,
        watcher: &'a mut dyn Watcher,
    ) -> Result<LadderRun<'a>, StoreError> {
        let journal = Journal::begin(store.folder())?;
        let until = time.map(|time| Instant::now() + time);
        let batch = Batch::default();
        let excuses = Excuses::default();
        Ok(LadderRun { ladder, store, journal, batch, interrupt, watcher, matches, begun: 0, until, excuses })
    }

    /// Everything is stored, and counted, when this returns.
    pub fn end(mut self) -> Result<(Ladder, Store), StoreError> {
        self.journal.append(mem::take(&mut self.batch))?;
        self.journal.end()?;
        self.ladder.catch_up(&mut self.store)?;
        Ok((self.ladder, self.store))
    }

    /// Stores what happened, and looks who came and went.
    fn commit(&mut self) -> Result<(), StoreError> {
        self.journal.append(mem::take(&mut self.batch))?;
        for change in self.ladder.catch_up(&mut self.store)? {
            if let Change::Joined(player) = change {
                let climber = self.ladder.climbers[player.0 as usize].clone();
                if let Err(why) = self.watcher.make_ready(player, &climber) {
                    self.drop_out(player, why);
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, finished: Finished, replay: Option<Packed>) {
        self.excuses.forget(finished.players.iter().copied());
        for player in &finished.players {
            self.ladder.climbers[player.0 as usize].failures = 0;
        }
        self.watcher.result(&self.ladder, &finished);
        self.batch.push_played(Event::Finished(finished), replay);
    }

    /// A match with these could not be played. Whoever was in several of them, one after the other, must show that it can
    /// play at all.
    fn count_failure(&mut self, players: &[Player]) {
        for player in players {
            let climber = &mut self.ladder.climbers[player.0 as usize];
            climber.failures += 1;
            if climber.failures < limits::LADDER_FAILURES || climber.gone.is_some() {
                continue;
            }
            climber.failures = 0;
            let climber = climber.clone();
            if let Err(why) = self.watcher.make_ready(*player, &climber) {
                self.drop_out(*player, why);
            }
        }
    }

    /// One bad bot does not stop the ladder.
    fn drop_out(&mut self, player: Player, why: String) {
        self.ladder.climbers[player.0 as usize].gone = Some(why.clone());
        self.batch.push(Event::BotDropped { bot: player, why, from: crate::event::Place::default() });
    }
}

impl Director for LadderRun<'_> {
    type Job = Job;
    type Report = Verdict;
    type Error = StoreError;

    fn next(&mut self, room: usize) -> Result<Vec<Job>, StoreError> {
        let mut jobs = Vec::new();
        while jobs.len() < room && self.matches.is_none_or(|matches| self.begun < matches) {
            let Some(job) = self.ladder.choose() else {
                break;
            };
            self.begun += 1;
            self.batch.push(Event::Started {
                number: job.number,
                players: job.players.clone(),
                worker: "local".to_owned(),
            });
            jobs.push(job);
        }
        Ok(jobs)
    }

    fn done(&mut self, job: Job, report: Result<Verdict, String>) -> Result<(), StoreError> {
        self.ladder.release(&job);
        let why = match report {
            Ok(Verdict::Interrupted) => return Ok(()),
            Ok(Verdict::Played(finished, replay)) => {
                self.count(finished, replay);
                return Ok(());
            }
            // There are more matches where this one came from, but not for ever.
            Ok(Verdict::Tainted(finished, replay)) => {
                let late = finished.faults.iter().filter(|fault| fault.kind == Fault::OutOfTime.kind());
                let stalled = late.filter_map(|fault| finished.players.get(usize::from(fault.seat)).copied());
                if self.excuses.leave_out(stalled) {
                    self.batch.push_played(Event::Tainted(finished), replay);
                } else {
                    self.count(Finished { tainted: true, ..finished }, replay);
                }
                return Ok(());
            }
            Ok(Verdict::Failed(why)) => why,
            Err(panic) => format!("the game came to a halt: {panic}"),
        };
        self.watcher.failed(&self.ladder, &job, &why);
        self.count_failure(&job.players);
        self.batch.push(Event::Failed { number: job.number, players: job.players, why });
        Ok(())
    }

    fn moment(&mut self, running: usize) -> Result<(), StoreError> {
        self.commit()?;
        self.watcher.moment(&self.ladder, running);
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.interrupt.raised() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}
