//! Matches that workers on other machines play, over the queue. What comes back has been checked there, and is the same as
//! from a match that was played here.

use super::live::LiveTurns;
use super::{PreparedMatch, Report};
use crate::api::{AsideCode, SetAside, WorkerView, WorkersView};
use crate::limits;
use palestra_core::AnyGame;
use palestra_queue::{
    Address, Answer, DispatchOptions, Dispatcher, MatchOrder, Notice, PortableBot, QueueError, Sandbox,
    SeatOrder,
};
use palestra_runner::{Asked, Level, Played};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The queue of an event, and the workers at it.
pub struct Workers {
    /// Taken out by the end: it waits for the queue, which no thread of the runtime may do.
    dispatcher: Option<Dispatcher>,
    address: String,
    sandbox: Sandbox,
    /// Matches that are on their way to the queue.
    claimed: AtomicUsize,
    /// Matches whose turns are told while they are played.
    shown: Arc<AtomicUsize>,
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    /// Those of whom nothing counts any more, and why.
    aside: BTreeMap<String, SetAside>,
}

/// A match for the workers.
pub(crate) struct RemoteMatch {
    pub(crate) number: u64,
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) prepared: PreparedMatch,
    /// What everybody is called, by seat: the name, and what protocols say.
    pub(crate) names: Vec<(String, String)>,
    pub(crate) bots: Vec<PortableBot>,
}

/// Why a match came back without a result: no worker that is there can play it.
#[derive(Debug)]
pub(crate) struct NobodyPlays;

impl Workers {
    /// Connects; not in a thread of a runtime. `run` tells this event from others at the same queue, `give_back` whether
    /// matches that nobody there can play are played here, `patient` whether it opens without a queue that is not there yet.
    pub fn connect(
        address: &Address,
        run: String,
        sandbox: Level,
        give_back: bool,
        patient: bool,
    ) -> Result<Workers, QueueError> {
        let options = DispatchOptions { give_back, patient, ..DispatchOptions::new(run) };
        Ok(Workers {
            dispatcher: Some(Dispatcher::connect(address, options)?),
            address: address.to_string(),
            sandbox: Sandbox::new(sandbox, Asked::default()),
            claimed: AtomicUsize::new(0),
            shown: Arc::default(),
            told: Mutex::default(),
        })
    }

    fn dispatcher(&self) -> &Dispatcher {
        self.dispatcher.as_ref().expect("there until the end")
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        // Nothing is left half done in there, whoever panicked.
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many matches would begin at once, or soon.
    pub(crate) fn room(&self) -> usize {
        match self.places() {
            0 => 0,
            _ => self.dispatcher().room().saturating_sub(self.claimed.load(Ordering::Relaxed)),
        }
    }

    /// How many matches are played side by side.
    pub(crate) fn places(&self) -> usize {
        self.dispatcher().places()
    }

    /// A match is on its way here, until this is dropped.
    pub(crate) fn claim(self: &Arc<Workers>) -> Claim {
        self.claimed.fetch_add(1, Ordering::Relaxed);
        Claim(Arc::clone(self))
    }

    /// Has a match played by somebody else.
    pub(crate) async fn play(&self, wanted: RemoteMatch, claim: Claim) -> Result<Report, NobodyPlays> {
        let RemoteMatch { number, game, prepared: PreparedMatch { game: start, reporter, .. }, names, bots } =
            wanted;
        let recorded = start.recorded();
        let seats = names.into_iter().zip(bots);
        let seats = seats.map(|((name, label), bot)| SeatOrder { name, label: Some(label), bot });
        let shown = reporter.is_some().then(|| Shown::new(&self.shown)).flatten();
        let order = MatchOrder {
            time: recorded.head.time,
            sandbox: self.sandbox.clone(),
            live: shown.is_some(),
            ..MatchOrder::new(number, game, recorded.head.plan.clone(), seats.collect())
        };
        let live = match (shown, reporter) {
            (Some(shown), Some(reporter)) => {
                let turns = self.dispatcher().watch(number);
                Some(LiveTurns::start(game, recorded.clone(), reporter, turns, shown))
            }
            _ => None,
        };
        let (done, answer) = oneshot::channel();
        // Nobody waits any more only when the arena ends.
        self.dispatcher().submit(order, move |answer| drop(done.send(answer)));
        drop(claim);
        let answer = answer.await;
        self.dispatcher().unwatch(number);
        match answer {
            Ok(Answer::Played(remote)) => {
                let played = Box::new(Played { worker: Some(remote.worker), ..remote.played });
                if let Some(live) = live {
                    live.end(played.replay.clone()).await;
                }
                Ok(Ok(played))
            }
            Ok(Answer::Failed(why)) => Ok(Err(why)),
            Ok(Answer::NotPlayed) => Err(NobodyPlays),
            Err(_) => Ok(Err("the arena is shutting down".to_owned())),
        }
    }

    /// What organisers should know and have not been told, and whether somebody new is there.
    pub(crate) fn news(&self) -> (Vec<String>, bool) {
        let notices = self.dispatcher().notices();
        let come = notices.iter().any(|notice| matches!(notice, Notice::Came { .. }));
        let mut told = self.told();
        let mut news = Vec::new();
        for notice in notices {
            if let Notice::Came { worker, .. } = &notice {
                // Started again, it has another chance.
                told.aside.remove(worker);
            }
            let aside = match &notice {
                Notice::Refused { worker, number, why } => {
                    Some((worker, AsideCode::Refused, Some(*number), Some(why.clone())))
                }
                Notice::Useless { worker, why } => {
                    Some((worker, AsideCode::Useless, None, Some(why.clone())))
                }
                Notice::Outvoted { worker, number } => {
                    Some((worker, AsideCode::Outvoted, Some(*number), None))
                }
                _ => None,
            };
            if let Some((worker, code, number, detail)) = aside
                && told.aside.len() < limits::SHOWN_WORKERS
            {
                let number = number.map(|number| number as i64);
                told.aside.insert(worker.clone(), SetAside { code, number, detail });
            }
            tracing::info!("{notice}");
            if notice.is_trouble() {
                news.push(notice.to_string());
            }
        }
        (news, come)
    }

    /// Who is there, and who does not count any more.
    pub(crate) fn view(&self) -> WorkersView {
        let offers = self.dispatcher().workers();
        let told = self.told();
        let there = offers.into_iter().filter(|offer| !told.aside.contains_key(&offer.name));
        let mut workers: Vec<WorkerView> = there
            .map(|offer| WorkerView {
                name: offer.name,
                places: offer.places,
                playing: offer.playing,
                played: offer.played.try_into().unwrap_or(u32::MAX),
                version: offer.version,
                toolchains: offer.toolchains.into_keys().collect(),
                aside: None,
            })
            .collect();
        let count = workers.len() as u32;
        let places = workers.iter().map(|worker| worker.places).sum();
        let playing = workers.iter().map(|worker| worker.playing).sum();
        workers.truncate(limits::SHOWN_WORKERS);
        workers.extend(told.aside.iter().map(|(name, aside)| WorkerView {
            name: name.clone(),
            places: 0,
            playing: 0,
            played: 0,
            version: String::new(),
            toolchains: Vec::new(),
            aside: Some(aside.clone()),
        }));
        WorkersView { queue: self.address.clone(), count, places, playing, workers }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let dispatcher = self.dispatcher.take();
        // It waits a moment for what it takes back to leave the queue.
        let leave = std::thread::spawn(move || drop(dispatcher));
        let _ = leave.join();
    }
}

/// A match that is on its way to the queue.
pub(crate) struct Claim(Arc<Workers>);

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.claimed.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A match whose turns are told while it is played: so many at a time.
pub(crate) struct Shown(Arc<AtomicUsize>);

impl Shown {
    fn new(count: &Arc<AtomicUsize>) -> Option<Shown> {
        let more = |shown: usize| (shown < limits::SHOWN_REMOTE).then_some(shown + 1);
        let found = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        found.is_ok().then(|| Shown(Arc::clone(count)))
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
