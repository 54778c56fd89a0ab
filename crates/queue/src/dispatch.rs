//! The server's side: matches go out, results are checked and counted once, and whatever the queue loses is sent again.
//!
//! A [`Dispatcher`] serves one *run*: a tournament, a ladder, a duel, an event. It decides nothing about who plays whom, and
//! stores nothing: whoever asks for a match is told what became of it. It has threads of its own, so that anybody can use
//! it, with a runtime or without.

mod ledger;
mod parts;
mod workers;

use crate::address::{Address, QueueError};
use crate::limits;
use crate::live::{self, Turns, Watchers};
use crate::messages::{Batch, BatchId, Hash, Parcel, PlayedReply, Told, encode};
use crate::need::{Need, Offer};
use crate::notice::Notice;
use crate::objects;
use crate::order::{Answer, MatchOrder, RemotePlayed};
use crate::streams::{self, Streams};
use crate::verify::{Refusal, verify};
use async_nats::Client;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{ContextBuilder, PublishAckFuture};
use futures_util::StreamExt as _;
use ledger::{Done, Effect, Key, Ledger, Object, Policy};
use palestra_league::worker_pool::catch_panic;
use parts::Parts;
use std::collections::{HashMap, HashSet, VecDeque};
use std::future::pending;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, sleep, sleep_until};

/// How matches of a run are sent.
#[derive(Clone, Debug)]
pub struct DispatchOptions {
    /// What tells this run from others at the same queue: the same when its server is started again. See [`new_run`].
    pub run: String,
    /// The part of matches, 0 to 1, that a second worker plays too, to be compared. For bots that always answer the same.
    pub double_play: f64,
    /// Whether matches that no worker can play are given back ([`Answer::NotPlayed`]), because they can be played here.
    pub give_back: bool,
    /// After so long without a sign of life, a worker's matches are given to another one.
    pub ack_wait: Duration,
    /// Whether a queue that is not there is waited for: until it comes there are no workers.
    pub patient: bool,
}

impl DispatchOptions {
    /// The usual waiting times, for this run.
    pub fn new(run: String) -> DispatchOptions {
        DispatchOptions {
            run,
            double_play: 0.0,
            give_back: false,
            ack_wait: limits::ACK_WAIT,
            patient: false,
        }
    }
}

/// A name for a run that no other one has.
pub fn new_run() -> String {
    format!("{:016x}", new_session())
}

/// Tells this process from every other.
pub(crate) fn new_session() -> u64 {
    let mut bytes = [0; 8];
    // Without chance there is still the time, which no two processes of a machine share.
    if getrandom::fill(&mut bytes).is_err() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes = (now.as_nanos() as u64).to_le_bytes();
    }
    u64::from_le_bytes(bytes)
}

/// Sends matches to workers. Dropping it takes back what nobody has begun.
pub struct Dispatcher {
    commands: mpsc::UnboundedSender<Command>,
    shared: Arc<Shared>,
    watchers: Watchers,
    runtime: Option<Runtime>,
}

/// What others may look at.
#[derive(Default)]
struct Shared {
    outstanding: AtomicUsize,
    /// What a match takes, in microseconds; 0 if nobody knows.
    pace: AtomicU64,
    offers: Mutex<Vec<Offer>>,
    notices: Mutex<VecDeque<Notice>>,
    /// Time spent on playing replays again, in microseconds, and of what the workers spent on these matches.
    checking: AtomicU64,
    playing: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

enum Command {
    Submit(Box<MatchOrder>, Done),
    Published(u64, u64),
    Arrived(String, BatchId, Parcel),
    Verified(Key, String, Box<Result<RemotePlayed, Refusal>>),
    Offered(Box<Offer>),
    Looked(u64, bool),
    Born(i64),
    Withdraw,
    End,
}

impl Dispatcher {
    /// Connects, and makes what the queue lacks. What an earlier process of this run had sent is taken back.
    pub fn connect(address: &Address, options: DispatchOptions) -> Result<Dispatcher, QueueError> {
        let own = |error: std::io::Error| QueueError::Own(error.to_string());
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("queue")
            .enable_all()
            .build()
            .map_err(own)?;
        let shared = Arc::new(Shared::default());
        let (commands, inbox) = mpsc::unbounded_channel();
        let watchers = Watchers::default();
        let there = match options.patient {
            true => None,
            false => Some(runtime.block_on(open(address, &options))?),
        };
        let server = Server {
            address: address.clone(),
            options,
            shared: Arc::clone(&shared),
            commands: commands.clone(),
            watchers: watchers.clone(),
        };
        runtime.spawn(server.serve(there, inbox));
        Ok(Dispatcher { commands, shared, watchers, runtime: Some(runtime) })
    }

    /// Asks for a match. `done` is told what became of it, once, in a thread of the dispatcher's: it must not take long.
    pub fn submit(&self, order: MatchOrder, done: impl FnOnce(Answer) + Send + 'static) {
        self.shared.outstanding.fetch_add(1, Ordering::Relaxed);
        // The other end is there for as long as this is.
        let _ = self.commands.send(Command::Submit(Box::new(order), Box::new(done)));
    }

    /// The turns of a match that was, or is about to be, asked for with [`MatchOrder::live`]: from its beginning on, until
    /// [`Dispatcher::unwatch`]. Some may be missing; nothing of it has been checked.
    pub fn watch(&self, number: u64) -> mpsc::Receiver<Turns> {
        self.watchers.watch(number)
    }

    /// Nobody wants to hear the turns of this match any more.
    pub fn unwatch(&self, number: u64) {
        self.watchers.end(number);
    }

    /// Takes back everything that is not over: each is answered [`Answer::NotPlayed`].
    pub fn withdraw(&self) {
        let _ = self.commands.send(Command::Withdraw);
    }

    /// Matches that the workers who are there play at a time.
    pub fn places(&self) -> usize {
        lock(&self.shared.offers).iter().map(|offer| offer.places as usize).sum()
    }

    /// Matches more that it makes sense to ask for now, so that no worker waits: those that are played, and some that wait.
    /// Where matches are short, whole messages of them.
    pub fn room(&self) -> usize {
        let places = self.places().max(1);
        let pace = self.shared.pace.load(Ordering::Relaxed);
        let batch = match pace {
            0 => 1,
            pace => (limits::BATCH_TIME.as_micros() as usize / pace as usize).clamp(1, limits::BATCH_MATCHES),
        };
        let most = match (pace, batch) {
            (0, _) => places * limits::UNKNOWN_AHEAD,
            (_, 1) => places + places / 4 + 2,
            (_, batch) => 3 * places * batch,
        };
        let free = most.saturating_sub(self.shared.outstanding.load(Ordering::Relaxed));
        if free < batch { 0 } else { free }
    }

    /// Whether one of the workers who are there can play this.
    pub(crate) fn can_play(&self, need: &Need) -> bool {
        lock(&self.shared.offers).iter().any(|offer| offer.lacks(need).is_none())
    }

    /// What the workers offer who are there and counted on.
    pub fn workers(&self) -> Vec<Offer> {
        lock(&self.shared.offers).clone()
    }

    /// What the organiser has not been told yet.
    pub fn notices(&self) -> Vec<Notice> {
        lock(&self.shared.notices).drain(..).collect()
    }

    /// What checking took so far, and what the workers took for the same matches.
    pub fn checking_time(&self) -> (Duration, Duration) {
        let time = |counter: &AtomicU64| Duration::from_micros(counter.load(Ordering::Relaxed));
        (time(&self.shared.checking), time(&self.shared.playing))
    }
}

impl Drop for Dispatcher {
    fn drop(&mut self) {
        let _ = self.commands.send(Command::End);
        if let Some(runtime) = self.runtime.take() {
            // What was taken back leaves the queue, if the queue is there.
            runtime.block_on(async {
                let _ = tokio::time::timeout(Duration::from_secs(1), self.commands.closed()).await;
            });
            runtime.shutdown_background();
        }
    }
}

/// Connects, makes what the queue lacks, and takes back what an earlier process of the run had sent.
async fn open(address: &Address, options: &DispatchOptions) -> Result<Streams, QueueError> {
    let client = address.connect("palestra server", "_INBOX").await?;
    let context = ContextBuilder::new().timeout(limits::REQUEST).ack_timeout(limits::REQUEST).build(client);
    let streams = Streams::new(context, address.to_string(), options.run.clone(), options.ack_wait);
    streams.ensure().await?;
    streams.purge_work().await?;
    streams.purge_results().await?;
    Ok(streams)
}

/// What a dispatcher does besides being asked.
struct Server {
    address: Address,
    options: DispatchOptions,
    shared: Arc<Shared>,
    commands: mpsc::UnboundedSender<Command>,
    watchers: Watchers,
}

impl Server {
    /// Works at the queue, as soon as it is there.
    async fn serve(self, there: Option<Streams>, inbox: mpsc::UnboundedReceiver<Command>) {
        let streams = match there {
            Some(streams) => streams,
            None => self.await_queue().await,
        };
        let Server { options: DispatchOptions { run, double_play, give_back, .. }, shared, commands, .. } =
            self;
        let client = streams.context.client();
        let (publisher, to_publish) = mpsc::unbounded_channel();
        tokio::spawn(live::hear(client.clone(), run.clone(), self.watchers));
        tokio::spawn(publish_all(to_publish, streams.clone(), commands.clone()));
        tokio::spawn(read_results(streams.clone(), commands.clone()));
        tokio::spawn(hear_offers(client, commands.clone()));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let actor = Actor {
            ledger: Ledger::new(run, new_session(), Policy { double_play, give_back }),
            shared,
            commands,
            publisher,
            context: streams.context.clone(),
            streams,
            checkers: Arc::new(Semaphore::new(cores)),
            born: None,
        };
        actor.run(inbox).await;
    }

    async fn await_queue(&self) -> Streams {
        let mut outage = Outage::default();
        loop {
            match open(&self.address, &self.options).await {
                Ok(streams) => {
                    outage.ends("the queue is there");
                    return streams;
                }
                Err(error) => outage.goes_on(&format!("{error}; until then no worker plays")),
            }
            sleep(limits::RECONNECT).await;
        }
    }
}

/// Something that does not go for a while: said once, and once when it goes again.
#[derive(Default)]
struct Outage {
    is_said: bool,
}

impl Outage {
    fn goes_on(&mut self, what: &str) {
        if !std::mem::replace(&mut self.is_said, true) {
            tracing::warn!("{what}");
        }
    }

    fn ends(&mut self, what: &str) {
        if std::mem::take(&mut self.is_said) {
            tracing::warn!("{what}");
        }
    }
}

/// The task that owns the ledger.
struct Actor {
    ledger: Ledger,
    shared: Arc<Shared>,
    commands: mpsc::UnboundedSender<Command>,
    publisher: mpsc::UnboundedSender<Publish>,
    context: Context,
    streams: Streams,
    checkers: Arc<Semaphore>,
    /// When the stream of work was made.
    born: Option<i64>,
}

/// What the publisher does, in order.
enum Publish {
    Batch(Box<Batch>, Need, Vec<(Hash, Object)>),
    /// Nothing is there any more.
    Forget,
}

impl Actor {
    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Command>) {
        let mut sweep = interval(limits::SWEEP_EVERY);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut flush_at = None;
        loop {
            let due = async {
                match flush_at {
                    Some(at) => sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                command = inbox.recv() => match command {
                    None => return,
                    Some(Command::End) => {
                        self.withdraw().await;
                        return;
                    }
                    Some(Command::Withdraw) => self.withdraw().await,
                    Some(command) => self.obey(command),
                },
                () = due => {
                    flush_at = None;
                    let effects = self.ledger.flush(Instant::now());
                    self.carry_out(effects);
                }
                _ = sweep.tick() => self.sweep(),
            }
            if flush_at.is_none() && self.ledger.has_waiting() {
                flush_at = Some(tokio::time::Instant::now() + limits::LINGER);
            }
            self.show();
        }
    }

    fn obey(&mut self, command: Command) {
        let now = Instant::now();
        let effects = match command {
            Command::Submit(order, done) => self.ledger.submit(*order, done),
            Command::Published(number, sequence) => {
                self.ledger.published(number, sequence);
                Vec::new()
            }
            Command::Arrived(worker, batch, Parcel(replies)) => self.ledger.arrived(&worker, batch, replies),
            Command::Verified(key, worker, result) => self.ledger.verified(key, &worker, *result),
            Command::Offered(offer) => {
                let effects = self.ledger.offered(*offer, now);
                *lock(&self.shared.offers) = self.ledger.workers.offers();
                effects
            }
            Command::Looked(number, there) => {
                self.ledger.looked(number, there, now);
                Vec::new()
            }
            Command::Born(born) => {
                if self.born.replace(born).is_none_or(|before| before == born) {
                    return;
                }
                let _ = self.publisher.send(Publish::Forget);
                self.ledger.refill()
            }
            Command::Withdraw | Command::End => Vec::new(),
        };
        self.carry_out(effects);
    }

    async fn withdraw(&mut self) {
        let effects = self.ledger.withdraw();
        self.carry_out(effects);
        let _ = self.streams.purge_work().await;
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Publish(batch, need, objects) => {
                    let _ = self.publisher.send(Publish::Batch(batch, need, objects));
                }
                Effect::Verify(key, order, reply, worker) => self.check(key, order, reply, worker),
                Effect::Replace(hash, object) => {
                    let context = self.context.clone();
                    tokio::spawn(async move { objects::put(&context, hash, object.bytes()).await });
                }
                Effect::SetAside(worker, why) => {
                    let client = self.context.client();
                    let told = encode(&Told::SetAside(why));
                    tokio::spawn(async move { client.publish(streams::told(&worker), told.into()).await });
                }
                Effect::Notice(notice) => {
                    tracing::info!("{notice}");
                    let mut notices = lock(&self.shared.notices);
                    if notices.len() < limits::NOTICES {
                        notices.push_back(notice);
                    }
                }
                Effect::Answer(done, answer) => {
                    self.shared.outstanding.fetch_sub(1, Ordering::Relaxed);
                    done(answer);
                }
            }
        }
    }

    /// Plays a replay again, in a thread that may take its time.
    fn check(&self, key: Key, order: Arc<MatchOrder>, reply: Box<PlayedReply>, worker: String) {
        let (commands, checkers, shared) =
            (self.commands.clone(), Arc::clone(&self.checkers), Arc::clone(&self.shared));
        tokio::spawn(async move {
            let Ok(_permit) = checkers.acquire_owned().await else { return };
            let checked = spawn_blocking(move || {
                let start = Instant::now();
                let micros = reply.micros;
                let checked = catch_panic(|| verify(&order, *reply, &worker));
                let checked = checked.unwrap_or_else(|panic| Err(Refusal::Replay(panic)));
                shared.checking.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
                shared.playing.fetch_add(micros.min(u64::from(u32::MAX)), Ordering::Relaxed);
                (worker, checked)
            });
            if let Ok((worker, checked)) = checked.await {
                let _ = commands.send(Command::Verified(key, worker, Box::new(checked)));
            }
        });
    }

    /// Looks whether the queue has lost something.
    fn sweep(&mut self) {
        let now = Instant::now();
        let effects = self.ledger.sweep(now);
        self.carry_out(effects);
        *lock(&self.shared.offers) = self.ledger.workers.offers();
        let overdue = self.ledger.find_overdue(now, limits::LOOKS);
        let (streams, commands) = (self.streams.clone(), self.commands.clone());
        tokio::spawn(async move {
            match streams.born().await {
                Some(born) => drop(commands.send(Command::Born(born))),
                // It may have been started again with nothing in it.
                None => drop(streams.ensure().await),
            }
            for (number, sequence) in overdue {
                if let Some(there) = streams.holds(sequence).await {
                    let _ = commands.send(Command::Looked(number, there));
                }
            }
        });
    }

    fn show(&self) {
        let pace = self.ledger.pace().map_or(0, |pace| pace.as_micros() as u64);
        self.shared.pace.store(pace, Ordering::Relaxed);
    }
}

/// What is known to be at the queue.
#[derive(Default)]
struct Known {
    lines: HashSet<Need>,
    /// Programs and maps, and since when at least.
    objects: HashMap<Hash, Instant>,
}

/// Sends batches, one after the other, with everything they need. What cannot be sent is tried again.
async fn publish_all(
    mut inbox: mpsc::UnboundedReceiver<Publish>,
    streams: Streams,
    commands: mpsc::UnboundedSender<Command>,
) {
    let mut known = Known::default();
    let mut outage = Outage::default();
    let mut again: VecDeque<Publish> = VecDeque::new();
    while let Some(publish) = next(&mut again, &mut inbox).await {
        let Publish::Batch(batch, need, needed) = publish else {
            known = Known::default();
            continue;
        };
        let number = batch.id.number;
        match send(&streams, &batch, &need, &needed, &mut known).await {
            Ok(ack) => {
                outage.ends("work can be put into the queue again");
                let commands = commands.clone();
                let (streams, batch) = (streams.clone(), batch);
                tokio::spawn(async move {
                    let mut ack = ack.await;
                    // The same id: what has arrived after all arrives once.
                    while ack.is_err() {
                        sleep(limits::AGAIN).await;
                        if commands.is_closed() {
                            return;
                        }
                        ack = match streams.publish(&batch, &need).await {
                            Ok(again) => again.await,
                            Err(_) => continue,
                        };
                    }
                    if let Ok(ack) = ack {
                        let _ = commands.send(Command::Published(number, ack.sequence));
                    }
                    // Not before it can be taken. Whoever misses it looks soon enough.
                    let client = streams.context.client();
                    let _ = client.publish(streams::NEWS, need.line().into()).await;
                });
            }
            Err(why) => {
                outage
                    .goes_on(&format!("work cannot be put into the queue ({why}); it is tried until it can"));
                known = Known::default();
                again.push_front(Publish::Batch(batch, need, needed));
                sleep(limits::AGAIN).await;
                if commands.is_closed() {
                    return;
                }
            }
        }
    }
}

async fn next(
    again: &mut VecDeque<Publish>,
    inbox: &mut mpsc::UnboundedReceiver<Publish>,
) -> Option<Publish> {
    match again.pop_front() {
        Some(publish) => Some(publish),
        None => inbox.recv().await,
    }
}

async fn send(
    streams: &Streams,
    batch: &Batch,
    need: &Need,
    needed: &[(Hash, Object)],
    known: &mut Known,
) -> Result<PublishAckFuture, String> {
    if !known.lines.contains(need) {
        streams.ensure().await.map_err(|error| error.to_string())?;
        streams.ensure_line(need).await.map_err(|error| error.to_string())?;
        known.lines.insert(need.clone());
    }
    for (hash, object) in needed {
        if known.objects.get(hash).is_none_or(|since| since.elapsed() > limits::KEPT) {
            objects::put(&streams.context, *hash, object.bytes()).await.map_err(|error| error.to_string())?;
            known.objects.insert(*hash, Instant::now());
        }
    }
    streams.publish(batch, need).await
}

/// Reads what workers answer, for as long as somebody wants it.
async fn read_results(streams: Streams, commands: mpsc::UnboundedSender<Command>) {
    let mut parts = Parts::default();
    while !commands.is_closed() {
        if let Err(error) = read_while_it_lasts(&streams, &mut parts, &commands).await {
            tracing::debug!("results cannot be read now: {error}");
        }
        sleep(limits::AGAIN).await;
    }
}

async fn read_while_it_lasts(
    streams: &Streams,
    parts: &mut Parts,
    commands: &mpsc::UnboundedSender<Command>,
) -> Result<(), async_nats::Error> {
    let consumer = streams.results().await?;
    let messages = consumer.stream().heartbeat(limits::HEARTBEAT).expires(limits::PULL);
    let mut messages = messages.max_messages_per_batch(limits::RESULTS_AHEAD).messages().await?;
    while let Some(message) = messages.next().await {
        let message = message?;
        // What is lost from here on is played again.
        message.ack().await?;
        let Some(worker) = streams::worker_of(&message.subject) else { continue };
        match parts.add(worker, &message.payload) {
            Ok(Some((batch, parcel))) => {
                if commands.send(Command::Arrived(worker.to_owned(), batch, parcel)).is_err() {
                    return Ok(());
                }
            }
            Ok(None) => {}
            Err(why) => tracing::warn!("what worker {worker} has sent cannot be read: {why}"),
        }
    }
    Ok(())
}

/// Hears who is there.
async fn hear_offers(client: Client, commands: mpsc::UnboundedSender<Command>) {
    while !commands.is_closed() {
        if let Ok(mut offers) = client.subscribe(streams::OFFERS).await {
            while let Some(message) = offers.next().await {
                if message.payload.len() > limits::OFFER_BYTES {
                    continue;
                }
                let offer = serde_json::from_slice::<Offer>(&message.payload).ok();
                let name = streams::worker_of(&message.subject).unwrap_or_default();
                if let Some(offer) = offer.filter(|offer| offer.is_sound(name))
                    && commands.send(Command::Offered(Box::new(offer))).is_err()
                {
                    return;
                }
            }
        }
        sleep(limits::AGAIN).await;
    }
}
