//! A worker: takes what it can play, as much as it has places, and sends back what came of it.
//!
//! It is told nothing about people: names of bots are shown in replays, and that is all. It believes nothing either: what it
//! fetches must have the hash that it was asked for by, and bots are kept apart from its machine as the server wishes.

mod lines;
mod offer;
mod places;
mod play;
mod results;
mod supplies;

use crate::address::{Address, QueueError};
use crate::limits;
use crate::messages::{Batch, MatchReply, ReplyKind, Task, Told, decode};
use crate::need::Lack;
use crate::streams;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::ContextBuilder;
use futures_util::{FutureExt as _, StreamExt as _};
use lines::Lines;
use palestra_core::AnyGame;
use palestra_runner::{Cores, Guard, Interrupt};
use places::Places;
use play::MatchRunner;
use results::Results;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, spawn_blocking};
use tokio::time::{interval, sleep, timeout};

pub use offer::new_name;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// What it is called: letters, digits, `-` and `_`. No other worker of the queue may be called the same.
    pub name: String,
    /// Matches at a time; one for each core unless it says otherwise.
    pub places: Option<usize>,
    /// The build of the program.
    pub version: String,
    /// Whether bots can be kept strictly apart here: `Guard::new(Level::Strict)` tells. It starts this program again, so that
    /// only one whose `main` begins with `sandbox::cell_main` may try.
    pub strict: bool,
    /// Where programs are kept; the usual place for compiled bots unless it says otherwise.
    pub cache: Option<PathBuf>,
}

/// What a worker does, for those who look on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerNews {
    /// It is connected, and offers this.
    Ready(Box<OfferSummary>),
    /// There is work that it cannot play.
    Lacks(Lack),
    /// It has played a match.
    Played {
        /// The game.
        game: String,
        /// The match.
        number: u64,
        /// How long that took.
        time: Duration,
    },
    /// It could not play a match.
    Trouble {
        /// The match.
        number: u64,
        /// One sentence.
        why: String,
    },
    /// Something could not be done, and is tried again.
    Later(String),
    /// The server counts nothing of it any more, and why.
    SetAside(String),
}

/// What a worker offers, in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferSummary {
    /// What it is called.
    pub name: String,
    /// Matches at a time.
    pub places: u32,
    /// The levels of its sandbox.
    pub sandboxes: Vec<String>,
    /// Toolchains and what they say about their versions.
    pub toolchains: Vec<(String, String)>,
    /// Turns between built-in players in a second.
    pub speed: u64,
}

/// What a worker has done so far.
#[derive(Default, Debug)]
pub struct WorkerCounts {
    /// Matches played.
    pub played: AtomicU64,
    /// Matches that could not be played.
    pub troubles: AtomicU64,
    /// Matches being played now.
    pub playing: AtomicU32,
    /// Batches that wait for a place.
    pub waiting: AtomicU32,
    /// Time of its places that matches took, in microseconds.
    pub busy: AtomicU64,
}

/// How a worker ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// It was asked to.
    Stopped,
    /// The server counts nothing of it any more, and why.
    SetAside(String),
}

/// Hears what a worker does, from several threads.
pub type Listener = Arc<dyn Fn(WorkerNews) + Send + Sync>;

/// A worker that has not begun.
pub struct Worker {
    games: &'static [&'static dyn AnyGame],
    address: Address,
    options: WorkerOptions,
    /// What it has done so far.
    pub counts: Arc<WorkerCounts>,
    listener: Listener,
}

impl Worker {
    /// A worker for these games.
    pub fn new(
        games: &'static [&'static dyn AnyGame],
        address: Address,
        options: WorkerOptions,
        listener: Listener,
    ) -> Worker {
        Worker { games, address, options, counts: Arc::default(), listener }
    }

    /// Works until `stop` is raised and what was begun is played; `break_off` breaks that off too.
    pub fn run(self, stop: &Interrupt, break_off: &Interrupt) -> Result<Ended, QueueError> {
        let own = |error: std::io::Error| QueueError::Own(error.to_string());
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(limits::PLACES + 16)
            .thread_name("worker")
            .enable_all()
            .build()
            .map_err(own)?;
        let ended = runtime.block_on(self.serve(stop.clone(), break_off.clone()));
        // Somebody still waits for a signal that will not come.
        runtime.shutdown_background();
        ended
    }

    async fn serve(self, stop: Interrupt, break_off: Interrupt) -> Result<Ended, QueueError> {
        let name = self.options.name.clone();
        let client = self.address.connect(&format!("palestra worker {name}"), &streams::inbox(&name)).await?;
        let failed = |error: async_nats::SubscribeError| QueueError::Connect {
            address: self.address.to_string(),
            why: error.to_string(),
        };
        let mut news = client.subscribe(streams::NEWS).await.map_err(failed)?;
        let mut told = client.subscribe(streams::told(&name)).await.map_err(failed)?;
        let context =
            ContextBuilder::new().timeout(limits::REQUEST).ack_timeout(limits::REQUEST).build(client.clone());
        let (games, options) = (self.games, self.options.clone());
        let places = Places::new(self.options.places);
        let count = places.total() as u32;
        let offer = spawn_blocking(move || offer::measure(games, &options, count)).await;
        let offer = offer.map_err(|error| QueueError::Own(error.to_string()))?;
        (self.listener)(WorkerNews::Ready(Box::new(offer.summary())));
        let own = (client.clone(), name.clone());
        let runner =
            MatchRunner::new(own, self.games, self.options.cache.clone(), break_off.clone(), stop.clone());
        let (ended, mut endings) = mpsc::unbounded_channel();
        let mut bench = Bench {
            lines: Lines::new(context.clone(), offer.clone(), Arc::clone(&self.listener)),
            places,
            runner: Arc::new(runner),
            results: Results::new(context.clone(), name),
            context,
            held: VecDeque::new(),
            batch_time: Duration::ZERO,
            begun: 0,
            ended,
            counts: Arc::clone(&self.counts),
            listener: Arc::clone(&self.listener),
        };
        let mut say = interval(limits::OFFER_EVERY);
        let stopping = spawn_blocking({
            let stop = stop.clone();
            move || stop.wait()
        });
        tokio::pin!(stopping);
        let mut stopped = false;
        let mut aside = None;
        let mut said_busy = false;
        loop {
            // What waits need not wait for the queue's answer as well.
            bench.begin();
            if !stopped {
                bench.fill().await;
                bench.begin();
            }
            if stopped && bench.begun == 0 {
                break;
            }
            if said_busy != (bench.begun > 0) && bench.room() == 0 {
                say.reset_immediately();
            }
            tokio::select! {
                ending = endings.recv() => {
                    bench.finish(ending);
                    while let Ok(ending) = endings.try_recv() {
                        bench.finish(Some(ending));
                    }
                }
                Some(line) = news.next(), if !stopped && bench.room() > 0 => {
                    bench.lines.hear(&line.payload);
                    // Everything that was said meanwhile is looked for at once.
                    while let Some(Some(line)) = news.next().now_or_never() {
                        bench.lines.hear(&line.payload);
                    }
                }
                Some(message) = told.next() => {
                    if let Ok(Told::SetAside(why)) = decode(&message.payload) {
                        (self.listener)(WorkerNews::SetAside(why.clone()));
                        aside = Some(why);
                        stop.raise();
                        break_off.raise();
                    }
                }
                _ = &mut stopping, if !stopped => {
                    stopped = true;
                    bench.give_back();
                }
                _ = say.tick() => {
                    let offer = offer.now(&self.counts, bench.begun);
                    said_busy = bench.begun > 0;
                    let _ = client.publish(streams::offer(&offer.name), offer.to_bytes().into()).await;
                }
                () = sleep(bench.pause()), if !stopped => {}
            }
        }
        // The last results are on their way.
        let _ = timeout(limits::LAST_RESULTS, bench.results.all_sent()).await;
        let _ = timeout(limits::REQUEST, client.drain()).await;
        Ok(aside.map_or(Ended::Stopped, Ended::SetAside))
    }
}

/// A batch that was taken, with the message that it came in.
struct Taken {
    batch: Batch,
    message: Arc<async_nats::jetstream::Message>,
    /// Keeps it ours.
    in_progress: AbortHandle,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.in_progress.abort();
    }
}

/// A batch is played: its cores are free.
struct Ending {
    cores: Cores,
    time: Duration,
}

/// What is being played, and what waits for a place.
struct Bench {
    lines: Lines,
    places: Places,
    runner: Arc<MatchRunner>,
    results: Results,
    context: Context,
    held: VecDeque<Taken>,
    /// What a batch takes.
    batch_time: Duration,
    begun: usize,
    ended: mpsc::UnboundedSender<Ending>,
    counts: Arc<WorkerCounts>,
    listener: Listener,
}

impl Bench {
    /// Batches more that it may take. Short ones are taken ahead, so that no place waits for the next.
    fn room(&self) -> usize {
        if self.results.are_behind(self.places.total()) {
            return 0;
        }
        let short = self.begun > 0 && self.batch_time < 4 * limits::BATCH_TIME && !self.batch_time.is_zero();
        let ahead = if short { self.places.total() * limits::BATCHES_AHEAD } else { 0 };
        (self.places.free() + ahead).saturating_sub(self.held.len())
    }

    /// How long to wait before it is looked for work again.
    fn pause(&self) -> Duration {
        if self.room() == 0 { limits::LOOK_EVERY } else { self.lines.pause() }
    }

    /// Takes as much as there is room for.
    async fn fill(&mut self) {
        let room = self.room();
        if room == 0 {
            return;
        }
        for (message, every) in self.lines.take(room, self.places.free()).await {
            let losses = message.info().map_or(0, |info| info.delivered.saturating_sub(1).max(0) as u32);
            let batch = match decode::<Batch>(&message.payload) {
                Ok(batch) => batch,
                Err(error) => {
                    (self.listener)(WorkerNews::Later(format!("a message cannot be read: {error}")));
                    let _ = message.ack_with(AckKind::Term).await;
                    continue;
                }
            };
            let message = Arc::new(message);
            let taken = Taken { in_progress: keep_alive(Arc::clone(&message), every), batch, message };
            if losses > 0 {
                // Whoever had it before was lost: the server decides what becomes of it.
                let losses = taken.batch.losses + losses;
                self.answer_all(taken, |_| ReplyKind::Lost(losses));
            } else {
                self.held.push_back(taken);
            }
        }
    }

    /// Begins what there are places for.
    fn begin(&mut self) {
        while let Some(taken) = self.held.front() {
            let Some(cores) = self.places.take(taken.batch.cores.into()) else { break };
            let taken = self.held.pop_front().expect("there is one");
            self.play(taken, cores);
        }
        self.counts.waiting.store(self.held.len() as u32, Ordering::Relaxed);
    }

    fn play(&mut self, taken: Taken, cores: Cores) {
        self.begun += 1;
        let (runner, results, ended) = (Arc::clone(&self.runner), self.results.clone(), self.ended.clone());
        let (counts, listener, context) =
            (Arc::clone(&self.counts), Arc::clone(&self.listener), self.context.clone());
        tokio::spawn(async move {
            let start = Instant::now();
            let taken = Arc::new(taken);
            let supplies = runner.supplies(&context, &taken.batch).await;
            let parcels = results.parcels(&taken.batch);
            let playing = spawn_blocking({
                let (taken, cores, counts) = (Arc::clone(&taken), cores.clone(), Arc::clone(&counts));
                move || {
                    let send = |replies| parcels.send(replies);
                    runner.play_batch(&taken.batch, supplies, &cores, &counts, &*listener, &send);
                    parcels
                }
            });
            let parcels = playing.await;
            counts.busy.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
            let _ = ended.send(Ending { cores, time: start.elapsed() });
            // The work is done when its results are safe, not before.
            if let Ok(parcels) = parcels
                && parcels.all_sent().await
            {
                let _ = taken.message.ack().await;
            }
        });
    }

    fn finish(&mut self, ending: Option<Ending>) {
        let Some(Ending { cores, time }) = ending else { return };
        self.places.give_back(cores);
        self.begun -= 1;
        self.batch_time = (self.batch_time * 3 + time) / 4;
    }

    /// Returns what was not begun.
    fn give_back(&mut self) {
        for taken in std::mem::take(&mut self.held) {
            self.answer_all(taken, |_| ReplyKind::Returned);
        }
    }

    /// Says the same of every match of a batch.
    fn answer_all(&self, taken: Taken, what: impl Fn(&Task) -> ReplyKind) {
        let parcels = self.results.parcels(&taken.batch);
        let reply = |task: &Task| MatchReply { number: task.number, attempt: task.attempt, what: what(task) };
        parcels.send(taken.batch.tasks.iter().map(reply).collect());
        tokio::spawn(async move {
            if parcels.all_sent().await {
                let _ = taken.message.ack().await;
            }
        });
    }
}

/// Says again and again that a batch is being played.
fn keep_alive(message: Arc<async_nats::jetstream::Message>, every: Duration) -> AbortHandle {
    let task = tokio::spawn(async move {
        loop {
            sleep(every).await;
            let _ = message.ack_with(AckKind::Progress).await;
        }
    });
    task.abort_handle()
}

/// What stands between bots and this machine, for each sandbox that is asked for.
type Guards = std::collections::HashMap<crate::messages::Sandbox, Result<Arc<Guard>, String>>;
