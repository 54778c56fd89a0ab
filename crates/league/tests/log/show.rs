//! A tournament without a game: what its matches bring is made up, the same for the same match.

use crate::kept::Kept;
use palestra_core::{Catalog, Message, Rng};
use palestra_league::event::{Event, Finished, Identity, LoggedFault, StageRound};
use palestra_league::overview::{MatchLine, Progress};
use palestra_league::pairing::BotNumber;
use palestra_league::plan::TournamentPlan;
use palestra_league::tournament::{Job, Tournament};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tempfile::TempDir;

/// Everything about a match but its number: who sits where, the map, the seed.
pub(crate) type Key = (Vec<u32>, String, u64);

/// A match that was played.
pub(crate) struct Picked {
    pub(crate) number: u32,
    pub(crate) key: Key,
}

/// What every match brings.
#[derive(Clone)]
pub(crate) struct World {
    seed: u64,
    /// Matches that end otherwise than they first did.
    changed: BTreeMap<Key, u64>,
    /// Matches that the organiser takes out of the count.
    voided: BTreeSet<Key>,
    /// Matches with numbers below end level in everything.
    level_below: u32,
}

impl World {
    pub(crate) fn new(seed: u64) -> World {
        World { seed, changed: BTreeMap::new(), voided: BTreeSet::new(), level_below: 0 }
    }

    /// Every match with a lower number ends level, and in all others the first seat wins.
    pub(crate) fn level_below(number: u32) -> World {
        World { level_below: number, ..World::new(1) }
    }

    pub(crate) fn change(&mut self, key: Key) {
        self.voided.remove(&key);
        *self.changed.entry(key).or_default() += 1;
    }

    pub(crate) fn void(&mut self, key: Key) {
        self.voided.insert(key);
    }

    fn result(&self, job: &Job, key: &Key) -> Finished {
        let version = self.changed.get(key).copied().unwrap_or(0);
        let mut rng = Rng::stream(self.seed, &format!("{key:?}"), version);
        let seats = job.players.len();
        let scores: Vec<u32> = match self.level_below {
            0 => (0..seats).map(|_| rng.below(3)).collect(),
            level_below if job.number < level_below => vec![1; seats],
            _ => (0..seats as u32).rev().collect(),
        };
        let places =
            scores.iter().map(|score| 1 + scores.iter().filter(|other| *other > score).count() as u32);
        let fault = |seat: usize| LoggedFault {
            seat: seat as u8,
            turn: 1,
            kind: "garbage".to_owned(),
            what: Message::Sentence("it said nonsense".to_owned()),
        };
        Finished {
            number: job.number,
            players: job.players.clone(),
            map: job.map,
            seed: job.seed,
            places: places.collect(),
            scores: scores.iter().map(|score| (u64::from(*score), 2)).collect(),
            turns: 1,
            millis: 1,
            spent: vec![(1, Some(1)); seats],
            memory: Vec::new(),
            faults: (0..seats).filter(|_| rng.chance(1, 5)).map(fault).collect(),
            replay: None,
            tainted: false,
            worker: None,
        }
    }
}

/// Some come with a rating.
fn rating_of(bot: u32) -> Option<f64> {
    (bot % 3 == 1).then(|| 1400.1 + 77.7 * f64::from(bot))
}

/// A tournament with a log of its own.
pub(crate) struct Show {
    kept: Kept,
    tournament: Tournament,
    /// What happened and is not in the log yet.
    log: Vec<Event>,
    pub(crate) world: World,
    /// How often it was opened: matches handed out before are not known any more.
    opened: u32,
    /// Matches that are played although one of their bots was dropped.
    pub(crate) wanted: Vec<u32>,
}

impl Show {
    pub(crate) fn open(plan: &TournamentPlan, bots: u32, world: World) -> Show {
        Show::open_in(Kept::folder(), plan, bots, world)
    }

    pub(crate) fn open_in(mut kept: Kept, plan: &TournamentPlan, bots: u32, world: World) -> Show {
        let opened = Event::Opened { program: "a test".to_owned(), plan: Box::new(plan.clone()) };
        let added = (0..bots).map(|bot| Event::BotAdded {
            bot: BotNumber(bot),
            name: format!("bot {bot}"),
            identity: Identity { source: "none".to_owned(), fingerprint: None },
            from: StageRound { stage: 0, round: 1 },
            rating: rating_of(bot),
        });
        kept.append(&std::iter::once(opened).chain(added).collect::<Vec<_>>());
        Show::begin(kept, world)
    }

    fn begin(mut kept: Kept, world: World) -> Show {
        let mut log = Vec::new();
        let tournament = Tournament::open(kept.log(), &mut log).expect("it opens");
        Show { kept, tournament, log, world, opened: 1, wanted: Vec::new() }
    }

    /// Its folder, after nobody has it open any more.
    pub(crate) fn close(self) -> TempDir {
        self.kept.close()
    }

    /// As if the process had been killed: what was not stored is lost.
    pub(crate) fn reopen(&mut self) {
        self.log.clear();
        self.opened += 1;
        self.tournament = Tournament::open(self.kept.log(), &mut self.log).expect("it opens again");
    }

    pub(crate) fn commit(&mut self) {
        self.kept.append(&self.log);
        self.log.clear();
    }

    pub(crate) fn append(&mut self, events: &[Event]) {
        self.commit();
        self.kept.append(events);
    }

    /// Somebody joins or leaves, if the tournament lets them.
    pub(crate) fn come_or_go(&mut self, chaos: &mut Rng) {
        self.commit();
        self.reopen();
        self.commit();
        let bots = self.tournament.bots().len() as u32;
        if chaos.chance(1, 2) {
            self.drop(BotNumber(chaos.below(bots)));
        } else {
            self.join();
        }
    }

    /// Somebody joins, if the tournament lets them.
    pub(crate) fn join(&mut self) {
        let bots = self.tournament.bots().len() as u32;
        let name = format!("bot {bots}");
        let Ok((bot, from)) = self.tournament.welcome(&name) else {
            // Whoever was asked is of no further use.
            self.reopen();
            return;
        };
        let identity = Identity { source: "none".to_owned(), fingerprint: None };
        self.append(&[Event::BotAdded { bot, name, identity, from, rating: rating_of(bots) }]);
        self.reopen();
    }

    /// Somebody is dropped, once more if it was before.
    pub(crate) fn drop(&mut self, bot: BotNumber) {
        self.drop_all([bot]);
    }

    pub(crate) fn drop_all(&mut self, bots: impl IntoIterator<Item = BotNumber>) {
        self.commit();
        let from = self.tournament.leaving_place(self.kept.log()).expect("the log can be read");
        let dropped = |bot| Event::BotDropped { bot, why: "ill".to_owned(), from };
        self.append(&bots.into_iter().map(dropped).collect::<Vec<_>>());
        self.reopen();
        self.commit();
    }

    /// Everything in its log that is not about how a match went.
    pub(crate) fn course(&mut self) -> Vec<Event> {
        self.commit();
        self.kept.log().course().expect("it can be read").into_iter().map(|(_, event)| event).collect()
    }

    pub(crate) fn is_dropped(&self, bot: BotNumber) -> bool {
        self.tournament.bots()[bot.0 as usize].dropped.is_some()
    }

    /// Whether a bot has played a match that counts.
    pub(crate) fn played(&self, bot: BotNumber) -> bool {
        self.tournament.standings().iter().any(|line| line.bot == bot.0 as usize && line.played > 0)
    }

    pub(crate) fn points(&self, bot: BotNumber) -> f64 {
        let standings = self.tournament.standings();
        standings.iter().find(|line| line.bot == bot.0 as usize).map_or(0.0, |line| line.points)
    }

    /// Two who are to play now.
    pub(crate) fn waiting_pair(&mut self) -> (BotNumber, BotNumber) {
        let jobs = self.next(1);
        (jobs[0].players[0], jobs[0].players[1])
    }

    /// A match that a bot has played.
    pub(crate) fn number_of(&mut self, bot: BotNumber) -> u32 {
        let mut matches = self.tournament.matches(self.kept.log()).expect("they are in the log");
        let of_bot = |line: &MatchLine| line.seats.iter().any(|seat| seat.bot == bot.0 as usize);
        matches.by_ref().find(of_bot).expect("it has played").number
    }

    /// Another tournament that begins where this one is.
    pub(crate) fn copy(&mut self) -> Show {
        self.commit();
        let mut kept = Kept::folder();
        kept.append(&self.kept.events());
        Show::begin(kept, self.world.clone())
    }

    pub(crate) fn over(&self) -> bool {
        self.tournament.over()
    }

    pub(crate) fn progress(&self) -> Progress {
        self.tournament.progress()
    }

    /// The next match, if there is one.
    pub(crate) fn play_one(&mut self) {
        if let Some(job) = self.next(1).pop() {
            self.finish(&job);
        }
    }

    /// One match after the other, in the order in which they are handed out.
    pub(crate) fn play_in_order(&mut self) {
        while let Some(job) = self.next(1).pop() {
            self.finish(&job);
        }
        assert!(self.over());
        self.commit();
    }

    /// At most so many matches, several at the same time, which end in any order. Some fall victim to the host, and are
    /// played again.
    pub(crate) fn play(&mut self, chaos: &mut Rng, matches: usize) {
        let mut running: Vec<Job> = Vec::new();
        for _ in 0..matches {
            let workers = chaos.between(1, 8) as usize;
            let room = workers.saturating_sub(running.len());
            if room > 0 {
                let opened = self.opened;
                let jobs = self.next(room);
                if self.opened > opened {
                    running.clear();
                }
                running.extend(jobs);
            }
            if running.is_empty() {
                assert!(self.over(), "nothing to play, and yet not over");
                return;
            }
            let job = running.swap_remove(chaos.below(running.len() as u32) as usize);
            if chaos.chance(1, 20) {
                let finished = self.world.result(&job, &self.key(&job));
                self.log.push(Event::Tainted(finished));
                self.tournament.taint(&job);
            } else {
                self.finish(&job);
            }
        }
    }

    /// Matches to play now. One that is to be voided is voided before it is played, which is as good as afterwards.
    fn next(&mut self, room: usize) -> Vec<Job> {
        let jobs = self.tournament.next(self.kept.log(), &mut self.log, room).expect("there is a next round");
        let fit = |job: &Job| {
            self.wanted.contains(&job.number) || !job.players.iter().any(|player| self.is_dropped(*player))
        };
        assert!(jobs.iter().all(fit), "whoever was dropped plays no more: {jobs:?}");
        let voided = |job: &&Job| self.world.voided.contains(&self.key(job));
        let Some(number) = jobs.iter().find(voided).map(|job| job.number) else {
            return jobs;
        };
        self.append(&[Event::Voided { number, why: "the lights are out".to_owned() }]);
        self.reopen();
        self.next(room)
    }

    /// Goes on as far as it can without playing.
    pub(crate) fn look_for_more(&mut self) {
        self.look_for(1);
    }

    /// Draws rounds until so many matches wait.
    pub(crate) fn look_for(&mut self, matches: usize) {
        self.tournament.next(self.kept.log(), &mut self.log, matches).expect("there is a next round");
    }

    fn finish(&mut self, job: &Job) {
        let finished = self.world.result(job, &self.key(job));
        self.log.push(Event::Finished(finished.clone()));
        self.tournament.finish(&finished);
    }

    fn key(&self, job: &Job) -> Key {
        let map = self.tournament.plan().maps[job.map as usize].name();
        (job.players.iter().map(|player| player.0).collect(), map, job.seed)
    }

    /// Any match that was played and counts.
    pub(crate) fn pick(&mut self, chaos: &mut Rng) -> Option<Picked> {
        let lines = self.lines();
        let line = chaos.pick(&lines)?;
        let players = line.seats.iter().map(|seat| seat.bot as u32).collect();
        Some(Picked { number: line.number, key: (players, line.map.clone(), line.seed) })
    }

    /// The matches that are part of the tournament, and count.
    pub(crate) fn lines(&mut self) -> Vec<MatchLine> {
        self.commit();
        let mut matches = self.tournament.matches(self.kept.log()).expect("they are in the log");
        let lines = matches.by_ref().filter(|line| !line.voided).collect();
        matches.finish().expect("they can be read");
        lines
    }

    /// How many matches the log has as played; none of them twice.
    pub(crate) fn logged(&mut self) -> u64 {
        let mut numbers = BTreeSet::new();
        for (_, event) in self.kept.log().results(0, u32::MAX).expect("they can be read") {
            if let Event::Finished(finished) = event {
                assert!(numbers.insert(finished.number), "match {} was played twice", finished.number);
            }
        }
        numbers.len() as u64
    }

    /// How often a match was played so that it counted.
    pub(crate) fn attempts(&mut self) -> usize {
        let results = self.kept.log().results(0, u32::MAX).expect("they can be read");
        results.iter().filter(|(_, event)| matches!(event, Event::Finished(_))).count()
    }

    /// Everything that is shown at the end, but for the numbers of matches.
    pub(crate) fn end(&self) -> Value {
        assert!(self.over());
        self.so_far()
    }

    /// Everything that is shown now, but for the numbers of matches.
    pub(crate) fn so_far(&self) -> Value {
        let mut overview =
            serde_json::to_value(self.tournament.overview(&Catalog::core("en"))).expect("plain data");
        for stage in overview["stages"].as_array_mut().expect("a list") {
            for meeting in stage["bracket"]
                .as_array_mut()
                .expect("a list")
                .iter_mut()
                .flat_map(|round| round.as_array_mut().expect("a list"))
            {
                meeting["matches"] = Value::Null;
            }
        }
        for fault in overview["faults"].as_array_mut().expect("a list") {
            fault["example"] = Value::Null;
        }
        overview["progress"]["tainted"] = Value::Null;
        overview
    }

    /// Every match that is part of the tournament, with its number or without.
    pub(crate) fn matches(&mut self, numbers: bool) -> Vec<String> {
        self.commit();
        let mut matches = self.tournament.matches(self.kept.log()).expect("they are in the log");
        let line = |line: MatchLine| {
            let number = numbers.then_some(line.number);
            json!([line.stage, line.round, line.map, line.seed, line.seats, number]).to_string()
        };
        let mut lines: Vec<String> = matches.by_ref().filter(|line| !line.voided).map(line).collect();
        matches.finish().expect("they can be read");
        lines.sort();
        lines
    }
}
