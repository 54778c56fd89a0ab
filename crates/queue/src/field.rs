//! The matches of a field (a tournament, a duel, a ladder) played by workers, beside those that are played here.

use crate::dispatch::Dispatcher;
use crate::messages::Sandbox;
use crate::order::{Answer, MatchOrder, RemotePlayed, SeatOrder};
use crate::pack::PortableBot;
use palestra_league::bundle::Packed;
use palestra_league::event::Finished;
use palestra_league::match_runner::{MatchOutcome, MatchSetup};
use palestra_league::pairing::BotNumber;
use palestra_league::tournament::Job;
use palestra_league::worker_pool::{Back, Elsewhere};
use palestra_runner::{Played, host_at_fault};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Duration;

/// How the matches of a field are to be played.
pub struct FieldOptions {
    /// The game.
    pub game: &'static dyn palestra_core::AnyGame,
    /// Maps, settings, time.
    pub setup: MatchSetup,
    /// What stands between bots and the workers' machines.
    pub sandbox: Sandbox,
    /// Cores of a match.
    pub cores: u16,
    /// Whether replays are wanted.
    pub replays: bool,
    /// Whether nothing is played here: then everything waits until a worker comes.
    pub only_elsewhere: bool,
}

/// Plays matches of a field elsewhere.
pub struct Field<'a> {
    dispatcher: &'a Dispatcher,
    options: FieldOptions,
    /// The bots that can be played elsewhere, by number: what they are called and what they are.
    roster: RwLock<BTreeMap<BotNumber, (String, PortableBot)>>,
    over: Sender<(Job, Answer)>,
    news: Mutex<Receiver<(Job, Answer)>>,
}

impl<'a> Field<'a> {
    /// With nobody in it.
    pub fn new(dispatcher: &'a Dispatcher, options: FieldOptions) -> Field<'a> {
        let (over, news) = channel();
        Field { dispatcher, options, roster: RwLock::default(), over, news: Mutex::new(news) }
    }

    /// Lets a bot play elsewhere from the next match on.
    pub fn enter(&self, player: BotNumber, name: String, bot: PortableBot) {
        self.roster.write().unwrap_or_else(PoisonError::into_inner).insert(player, (name, bot));
    }

    /// Lets it play here only.
    pub fn keep_here(&self, player: BotNumber) {
        self.roster.write().unwrap_or_else(PoisonError::into_inner).remove(&player);
    }

    fn seats(&self, job: &Job) -> Option<Vec<SeatOrder>> {
        let roster = self.roster.read().unwrap_or_else(PoisonError::into_inner);
        let seat = |player| {
            let (name, bot) = roster.get(player)?;
            Some(SeatOrder { name: name.clone(), label: None, bot: bot.clone() })
        };
        job.players.iter().map(seat).collect()
    }

    fn order(&self, job: &Job) -> Result<MatchOrder, String> {
        let FieldOptions { game, setup, sandbox, cores, .. } = &self.options;
        let seats = self.seats(job).ok_or("one of the bots is not there any more")?;
        let plan = setup.plan(*game, job.map, job.players.len() as u8, job.seed);
        Ok(MatchOrder {
            attempt: job.tainted,
            time: setup.time,
            sandbox: sandbox.clone(),
            cores: *cores,
            ..MatchOrder::new(job.number.into(), *game, plan.map_err(|error| error.to_string())?, seats)
        })
    }

    fn outcome(&self, job: &Job, remote: RemotePlayed) -> MatchOutcome {
        let RemotePlayed { played, replay, millis, worker } = remote;
        let played = Played { worker: Some(worker), ..played };
        let finished = Finished::new(job.number, job.players.clone(), job.map, millis, &played);
        let replay = self.options.replays.then(|| Packed::new(replay));
        if host_at_fault(&played.faults) {
            MatchOutcome::Tainted(finished, replay)
        } else {
            MatchOutcome::Played(finished, replay)
        }
    }
}

impl Elsewhere<Job, MatchOutcome> for Field<'_> {
    fn places(&self) -> usize {
        self.dispatcher.places()
    }

    fn room(&self) -> usize {
        if self.dispatcher.places() == 0 && !self.options.only_elsewhere { 0 } else { self.dispatcher.room() }
    }

    fn accepts(&self, job: &Job) -> bool {
        let FieldOptions { game, sandbox, cores, only_elsewhere, .. } = &self.options;
        let Some(seats) = self.seats(job) else { return false };
        let orders: Vec<_> = seats.iter().map(|seat| seat.bot.order()).collect();
        let info = game.info();
        let need = crate::need::Need::new((info.id, info.rules_version), sandbox, *cores, &orders);
        *only_elsewhere || self.dispatcher.can_play(&need)
    }

    fn play(&self, jobs: Vec<Job>) {
        for job in jobs {
            let over = self.over.clone();
            match self.order(&job) {
                Err(why) => drop(over.send((job, Answer::Failed(why)))),
                Ok(order) => self.dispatcher.submit(order, move |answer| drop(over.send((job, answer)))),
            }
        }
    }

    fn news(&self, patience: Duration) -> Vec<Back<Job, MatchOutcome>> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let first = news.recv_timeout(patience).ok();
        let all = first.into_iter().chain(news.try_iter());
        let back = |(job, answer)| match answer {
            Answer::Played(remote) => {
                let outcome = self.outcome(&job, *remote);
                Back::Over(job, outcome)
            }
            Answer::Failed(why) => Back::Over(job, MatchOutcome::Failed(why)),
            Answer::NotPlayed => Back::Unplayed(job),
        };
        all.map(back).collect()
    }

    fn withdraw(&self) {
        self.dispatcher.withdraw();
    }
}
