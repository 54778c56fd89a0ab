//! Plays the matches of a batch, one after the other, and says what came of each.

use super::supplies::{Pantry, Supplies};
use super::{Guards, WorkerCounts, WorkerNews};
use crate::limits;
use crate::live::Teller;
use crate::messages::{
    Batch, BotOrder, FaultReply, Hash, MatchReply, PlayedReply, ReplyKind, Sandbox, SeatReply, Setup, Task,
    Trouble, cut,
};
use crate::order::entrant;
use crate::streams;
use async_nats::Client;
use async_nats::jetstream::Context;
use palestra_core::message::Common;
use palestra_core::{AnyGame, Message, Plan};
use palestra_league::worker_pool::catch_panic;
use palestra_runner::{
    Asked, Bot, Cores, Guard, Interrupt, Launch, Link, MatchError, Options, Pinned, Played, Workshop,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Results that are small wait for others for so long.
const TOGETHER: Duration = Duration::from_secs(1);

/// Plays matches; shared by all places.
pub(super) struct MatchRunner {
    /// For the turns of matches that somebody looks on at.
    client: Client,
    /// What the worker is called.
    name: String,
    games: &'static [&'static dyn AnyGame],
    cache: Option<PathBuf>,
    pantry: Pantry,
    guards: Mutex<Guards>,
    /// Programs that are ready to be started.
    launches: Mutex<HashMap<(Hash, String, Sandbox), Launch>>,
    /// Ends a match that is being played.
    break_off: Interrupt,
    /// Ends a batch after the match that is being played.
    stop: Interrupt,
}

/// A bot of a batch, ready to play, or why it is not.
enum Ready {
    BuiltIn(String),
    Program(Hash, Launch),
}

impl MatchRunner {
    pub(super) fn new(
        (client, name): (Client, String),
        games: &'static [&'static dyn AnyGame],
        cache: Option<PathBuf>,
        break_off: Interrupt,
        stop: Interrupt,
    ) -> MatchRunner {
        let usual = || {
            let guard = Guard::off();
            Workshop::open(&guard)
                .map_or_else(|_| std::env::temp_dir(), |workshop| workshop.cache().to_owned())
        };
        let pantry = Pantry::new(cache.clone().unwrap_or_else(usual).join("fetched"));
        let (guards, launches) = (Mutex::default(), Mutex::default());
        MatchRunner { client, name, games, cache, pantry, guards, launches, break_off, stop }
    }

    /// Fetches what a batch needs.
    pub(super) async fn supplies(&self, context: &Context, batch: &Batch) -> Supplies {
        self.pantry.fetch(context, batch).await
    }

    /// Plays a batch in this thread. Results are sent while it goes on.
    pub(super) fn play_batch(
        &self,
        batch: &Batch,
        supplies: Supplies,
        cores: &Cores,
        counts: &WorkerCounts,
        listener: &(dyn Fn(WorkerNews) + Send + Sync),
        send: &dyn Fn(Vec<MatchReply>),
    ) {
        // For the whole batch, so that it is not moved about between matches.
        let _bound = Pinned::new(cores);
        let prepared = self.prepare(batch, supplies);
        let (mut replies, mut bytes, mut sent) = (Vec::new(), 0, Instant::now());
        for task in &batch.tasks {
            let what = match &prepared {
                _ if self.stop.raised() => ReplyKind::Returned,
                Err(trouble) => ReplyKind::Trouble(trouble.clone()),
                Ok(prepared) => {
                    counts.playing.fetch_add(1, Ordering::Relaxed);
                    let played = catch_panic(|| self.play(batch, task, prepared, cores));
                    counts.playing.fetch_sub(1, Ordering::Relaxed);
                    played.unwrap_or_else(|panic| {
                        ReplyKind::Trouble(Trouble::Other(format!("the game came to a halt: {panic}")))
                    })
                }
            };
            match &what {
                ReplyKind::Played(played) => {
                    counts.played.fetch_add(1, Ordering::Relaxed);
                    bytes += played.replay.len();
                    let time = Duration::from_micros(played.micros);
                    listener(WorkerNews::Played { game: batch.game.clone(), number: task.number, time });
                }
                ReplyKind::Trouble(trouble) => {
                    counts.troubles.fetch_add(1, Ordering::Relaxed);
                    listener(WorkerNews::Trouble { number: task.number, why: trouble.to_string() });
                }
                _ => {}
            }
            replies.push(MatchReply { number: task.number, attempt: task.attempt, what });
            if bytes > limits::PARCEL_BYTES || sent.elapsed() > TOGETHER {
                send(std::mem::take(&mut replies));
                (bytes, sent) = (0, Instant::now());
            }
        }
        send(replies);
    }

    /// Everything that the matches of a batch share.
    fn prepare(&self, batch: &Batch, supplies: Supplies) -> Result<Prepared, Trouble> {
        let game = self.games.iter().find(|game| game.info().id == batch.game).copied();
        let game = game.filter(|game| game.info().rules_version == batch.rules_version);
        let game = game.ok_or(Trouble::OtherRules)?;
        let guard = self.guard(&batch.sandbox).map_err(Trouble::Other)?;
        let bots = batch.bots.iter().map(|bot| self.ready(bot, &batch.sandbox, &guard, &supplies)).collect();
        Ok(Prepared { game, guard, bots, supplies })
    }

    /// The guard of this level, made once.
    fn guard(&self, sandbox: &Sandbox) -> Result<Arc<Guard>, String> {
        let mut guards = self.guards.lock().unwrap_or_else(PoisonError::into_inner);
        let made = guards.entry(sandbox.clone()).or_insert_with(|| {
            let asked = Asked { memory_bytes: sandbox.memory_bytes, processes: sandbox.processes };
            let guard = Guard::with(sandbox.level.parse()?, asked).map_err(|error| error.to_string())?;
            Ok(Arc::new(guard))
        });
        made.clone()
    }

    /// Makes a bot ready: compiles it if need be.
    fn ready(
        &self,
        bot: &BotOrder,
        sandbox: &Sandbox,
        guard: &Guard,
        supplies: &Supplies,
    ) -> Result<Ready, Trouble> {
        let (pack, entry) = match bot {
            BotOrder::BuiltIn(name) => return Ok(Ready::BuiltIn(name.clone())),
            BotOrder::Program { pack, entry, .. } => (*pack, entry),
        };
        let key = (pack, entry.clone(), sandbox.clone());
        let known = self.launches.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(launch) = known.filter(|launch| launch.readable.iter().all(|path| path.exists())) {
            return Ok(Ready::Program(pack, launch));
        }
        let folder = supplies.programs.get(&pack).ok_or(Trouble::Missing(pack))?.clone()?;
        let other = |why: String| Trouble::Other(cut(why));
        if entry.contains('/') || entry.starts_with('.') {
            return Err(other("a program's name leads elsewhere".to_owned()));
        }
        let mut workshop = Workshop::open(guard).map_err(|error| other(error.to_string()))?;
        if let Some(cache) = &self.cache {
            workshop = workshop.kept_in(cache.clone());
        }
        let made = workshop.program(&folder.join(entry), entry, &mut |_: &str| {});
        let launch = made.map_err(|error| other(error.to_string()))?;
        self.launches.lock().unwrap_or_else(PoisonError::into_inner).insert(key, launch.clone());
        Ok(Ready::Program(pack, launch))
    }

    fn play(&self, batch: &Batch, task: &Task, prepared: &Prepared, cores: &Cores) -> ReplyKind {
        match self.play_match(batch, task, prepared, cores) {
            Ok(played) => ReplyKind::Played(Box::new(played)),
            Err(Unplayed::Interrupted) => ReplyKind::Returned,
            Err(Unplayed::Trouble(trouble)) => ReplyKind::Trouble(trouble),
        }
    }

    fn play_match(
        &self,
        batch: &Batch,
        task: &Task,
        prepared: &Prepared,
        cores: &Cores,
    ) -> Result<PlayedReply, Unplayed> {
        let damaged = || Trouble::Other("the message of work does not fit together".to_owned());
        let start = batch.starts.get(usize::from(task.start)).ok_or_else(damaged)?;
        let setup = match &start.setup {
            Setup::Text(text) => text.clone(),
            Setup::Object(hash) => {
                prepared.supplies.setups.get(hash).ok_or(Trouble::Missing(*hash))?.clone()?
            }
        };
        let plan = Plan {
            settings: start.settings.clone(),
            setup,
            seed: task.seed,
            seats: u8::try_from(task.seats.len()).map_err(|_| damaged())?,
            absent: Vec::new(),
        };
        let (mut bots, mut packs) = (Vec::new(), Vec::new());
        for seat in &task.seats {
            let ready = prepared.bots.get(usize::from(seat.bot)).ok_or_else(damaged)?;
            let (built_in, link, pack) = match ready {
                Err(trouble) => return Err(trouble.clone().into()),
                Ok(Ready::BuiltIn(name)) => (Some(name.as_str()), Link::None, None),
                Ok(Ready::Program(pack, launch)) => (None, Link::Program(launch.clone()), Some(*pack)),
            };
            bots.push(Bot { entrant: entrant(&seat.name, &seat.label, built_in), link });
            packs.push(pack);
        }
        let begun = Instant::now();
        let seated = Bot::seat(bots, prepared.game, plan, batch.time);
        let (game, links) = seated.map_err(|error| Trouble::Other(cut(error.to_string())))?;
        let options = Options {
            cores: cores.clone(),
            interrupt: Some(&self.break_off),
            guard: Some(&prepared.guard),
            ..Options::default()
        };
        let mut played = match task.live {
            false => palestra_runner::play(game, links, options, &mut ())?,
            true => {
                let subject = streams::live(&batch.run, &self.name, task.number);
                let mut teller = Teller::new(self.client.clone(), subject, task.seats.len() as u8);
                palestra_runner::play(game, links, options, &mut teller)?
            }
        };
        played.replay.head.bots = task.seats.iter().map(|seat| seat.name.clone()).collect();
        let replay = played.replay.to_bytes();
        let replay =
            replay.map_err(|error| Trouble::Other(format!("its replay cannot be written: {error}")))?;
        Ok(reply(&played, replay, begun.elapsed(), &packs))
    }
}

/// What the matches of a batch share.
struct Prepared {
    game: &'static dyn AnyGame,
    guard: Arc<Guard>,
    bots: Vec<Result<Ready, Trouble>>,
    supplies: Supplies,
}

enum Unplayed {
    Interrupted,
    Trouble(Trouble),
}

impl From<Trouble> for Unplayed {
    fn from(trouble: Trouble) -> Unplayed {
        Unplayed::Trouble(trouble)
    }
}

impl From<MatchError> for Unplayed {
    fn from(error: MatchError) -> Unplayed {
        match error {
            MatchError::Interrupted => Unplayed::Interrupted,
            error => Unplayed::Trouble(Trouble::Other(cut(error.to_string()))),
        }
    }
}

/// What is said about a match that was played.
fn reply(played: &Played, replay: Vec<u8>, time: Duration, packs: &[Option<Hash>]) -> PlayedReply {
    let off_turn = Message::from(Common::ComputedOffTurn {});
    let seats = packs.iter().enumerate().map(|(index, pack)| {
        let used = played.used[index];
        SeatReply {
            pack: *pack,
            memory_peak: used.memory_peak,
            cpu: used.cpu.map(|cpu| cpu.as_micros() as u64),
            processes_peak: used.processes_peak,
            over_memory: used.over_memory,
            ended_itself: played.ended_itself[index],
            off_turn: played.notes[index].kept.iter().any(|note| note.turn == 0 && note.what == off_turn),
        }
    });
    let faults = played.faults.iter().filter(|fault| fault.waiting.is_some() || !fault.stderr.is_empty());
    let faults = faults.take(limits::FAULTS).map(|fault| FaultReply {
        turn: fault.turn,
        stderr: fault.stderr.iter().take(limits::FAULT_LINES).cloned().collect(),
        waiting: fault.waiting.map(Into::into),
    });
    PlayedReply { replay, micros: time.as_micros() as u64, seats: seats.collect(), faults: faults.collect() }
}
