//! Which matches are open, where they are, and who plays: decides everything about them, without input or output.
//!
//! The queue is not the truth: a match is open until it is answered here, once. Whatever comes for a match that is not
//! open is passed over; whatever does not come is sent again.

use super::workers::Workers;
use crate::limits;
use crate::messages::{
    Batch, BatchId, BotOrder, MatchReply, PlayedReply, ReplyKind, SeatTask, Setup, Start, Task, Trouble, cut,
};
use crate::messages::{Hash, Sandbox};
use crate::need::{Need, Offer};
use crate::notice::Notice;
use crate::order::{Answer, MatchOrder, RemotePlayed};
use crate::pack::PortableBot;
use crate::verify::Refusal;
use palestra_core::{Rng, TimeControl};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Told what became of a match.
pub(crate) type Done = Box<dyn FnOnce(Answer) + Send>;

/// A match of this run: its number and the attempt.
pub(crate) type Key = (u64, u32);

/// Matches that can be sent together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Kind {
    need: Need,
    sandbox: Sandbox,
    time: String,
    /// How many workers were lost with it: then it is sent alone.
    losses: u32,
}

struct Open {
    order: Arc<MatchOrder>,
    need: Need,
    done: Done,
    place: Place,
    losses: u32,
    tries: u32,
    /// Who has played it, and what that came to.
    heard: Vec<RemotePlayed>,
    /// Who could not.
    failed_at: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Waiting,
    Sent(u64),
    Verified,
}

/// A batch that is in the queue, or at a worker, as far as we know.
struct Sent {
    need: Need,
    keys: Vec<Key>,
    /// Its place in the stream, once that is known.
    sequence: Option<u64>,
    at: Instant,
    /// When it was last seen that the queue has it no more.
    gone: Option<Instant>,
    looked: Instant,
}

/// What has to be done.
pub(crate) enum Effect {
    /// Send a batch; the objects must be there first.
    Publish(Box<Batch>, Need, Vec<(Hash, Object)>),
    /// Play a replay again.
    Verify(Key, Arc<MatchOrder>, Box<PlayedReply>, String),
    /// Somebody has this in a wrong form.
    Replace(Hash, Object),
    /// Tell a worker that nothing of it counts any more.
    SetAside(String, String),
    /// Tell the organiser.
    Notice(Notice),
    /// Tell whoever asked for a match.
    Answer(Done, Answer),
}

/// Something that workers fetch.
#[derive(Clone)]
pub(crate) enum Object {
    Pack(Arc<crate::pack::Pack>),
    Setup(Arc<MatchOrder>),
}

impl Object {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Object::Pack(pack) => &pack.bytes,
            Object::Setup(order) => order.plan.setup.as_bytes(),
        }
    }
}

/// How a server wants its matches to be played.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// The part of matches that a second worker plays too.
    pub(crate) double_play: f64,
    /// Whether matches that no worker can play are given back.
    pub(crate) give_back: bool,
}

pub(crate) struct Ledger {
    run: String,
    session: u64,
    policy: Policy,
    open: HashMap<Key, Open>,
    /// What the open matches need, and how many of them each.
    needs: BTreeMap<Need, usize>,
    waiting: BTreeMap<Kind, VecDeque<Key>>,
    sent: HashMap<u64, Sent>,
    pub(crate) workers: Workers,
    next_batch: u64,
    /// What a match takes, in microseconds.
    pace: Option<f64>,
    /// Needs that nobody could meet, since when, and whether that was told.
    unmet: BTreeMap<Need, (Instant, bool)>,
}

impl Ledger {
    pub(crate) fn new(run: String, session: u64, policy: Policy) -> Ledger {
        Ledger {
            run,
            session,
            policy,
            open: HashMap::new(),
            needs: BTreeMap::new(),
            waiting: BTreeMap::new(),
            sent: HashMap::new(),
            workers: Workers::default(),
            next_batch: 0,
            pace: None,
            unmet: BTreeMap::new(),
        }
    }

    /// Whether something waits to be sent.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// What a match takes, as far as that is known.
    pub(crate) fn pace(&self) -> Option<Duration> {
        self.pace.map(|micros| Duration::from_micros(micros as u64))
    }

    /// A match is asked for.
    pub(crate) fn submit(&mut self, order: MatchOrder, done: Done) -> Vec<Effect> {
        let key = (order.number, order.attempt);
        if self.open.contains_key(&key) {
            let why = format!("match {} is being played already", order.number);
            return vec![Effect::Answer(done, Answer::Failed(why))];
        }
        let open = Open {
            need: order.need(),
            order: Arc::new(order),
            done,
            place: Place::Waiting,
            losses: 0,
            tries: 0,
            heard: Vec::new(),
            failed_at: Vec::new(),
        };
        *self.needs.entry(open.need.clone()).or_default() += 1;
        self.open.insert(key, open);
        self.wait(key, None);
        Vec::new()
    }

    /// Puts a match in line, for anybody or for one worker.
    fn wait(&mut self, key: Key, worker: Option<String>) {
        let Some(open) = self.open.get_mut(&key) else { return };
        open.place = Place::Waiting;
        let need = Need { worker, ..open.need.clone() };
        let order = &open.order;
        let (sandbox, time) = (order.sandbox.clone(), order.time.to_string());
        self.waiting.entry(Kind { need, sandbox, time, losses: open.losses }).or_default().push_back(key);
    }

    /// Sends what waits, in batches of a size that fits how long matches take.
    pub(crate) fn flush(&mut self, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        let size = self.batch_size();
        for (kind, mut keys) in std::mem::take(&mut self.waiting) {
            while !keys.is_empty() {
                let size = if kind.losses > 0 || kind.need.worker.is_some() { 1 } else { size };
                let taken = self.take_batch(&mut keys, size);
                if !taken.is_empty() {
                    effects.push(self.batch(&kind, taken, now));
                }
            }
        }
        effects
    }

    /// Matches in one message. Few of them are spread over all places.
    fn batch_size(&self) -> usize {
        let Some(pace) = self.pace else { return 1 };
        let fits = (limits::BATCH_TIME.as_micros() as f64 / pace.max(1.0)) as usize;
        let shares = limits::BATCHES_EACH * self.workers.places().max(1);
        let spread = self.open.len().div_ceil(shares);
        fits.min(spread).clamp(1, limits::BATCH_MATCHES)
    }

    /// The next matches, as many as fit into one message.
    fn take_batch(&self, keys: &mut VecDeque<Key>, size: usize) -> Vec<Key> {
        let mut taken: Vec<Key> = Vec::new();
        let mut bytes = 0;
        while taken.len() < size {
            let Some(key) = keys.pop_front() else { break };
            // Answered while it waited.
            let Some(open) = self.open.get(&key).filter(|open| open.place == Place::Waiting) else {
                continue;
            };
            let plan = &open.order.plan;
            let same = taken.last().is_some_and(|last| self.open[last].order.plan.setup == plan.setup);
            if !same {
                bytes += plan.settings.len() + plan.setup.len().min(limits::SETUP_BYTES);
            }
            if bytes > limits::BATCH_BYTES && !taken.is_empty() {
                keys.push_front(key);
                break;
            }
            taken.push(key);
        }
        taken
    }

    fn batch(&mut self, kind: &Kind, keys: Vec<Key>, now: Instant) -> Effect {
        let number = self.next_batch;
        self.next_batch += 1;
        for key in &keys {
            self.open.get_mut(key).expect("it is open").place = Place::Sent(number);
        }
        let (mut starts, mut bots) = (Indexed::<Start>::default(), Indexed::<BotOrder>::default());
        let mut objects: BTreeMap<Hash, Object> = BTreeMap::new();
        let mut tasks = Vec::with_capacity(keys.len());
        for key in &keys {
            let order = &self.open[key].order;
            let setup = match order.plan.setup.len() > limits::SETUP_BYTES {
                false => Setup::Text(order.plan.setup.clone()),
                true => {
                    let hash = Hash::of(order.plan.setup.as_bytes());
                    objects.insert(hash, Object::Setup(Arc::clone(order)));
                    Setup::Object(hash)
                }
            };
            let start = starts.place(Start { settings: order.plan.settings.clone(), setup });
            let mut seats = Vec::with_capacity(order.seats.len());
            for seat in &order.seats {
                if let PortableBot::Program(pack) = &seat.bot {
                    objects.entry(pack.hash).or_insert_with(|| Object::Pack(Arc::clone(pack)));
                }
                let bot = bots.place(seat.bot.order());
                seats.push(SeatTask { bot, name: seat.name.clone(), label: seat.label.clone() });
            }
            let (seed, live) = (order.plan.seed, order.live);
            tasks.push(Task { number: key.0, attempt: key.1, start, seed, seats, live });
        }
        let order = &self.open[&keys[0]].order;
        let info = order.game.info();
        let batch = Batch {
            run: self.run.clone(),
            id: BatchId { session: self.session, number },
            losses: kind.losses,
            game: info.id.to_owned(),
            rules_version: info.rules_version,
            time: TimeControl::clone(&order.time),
            sandbox: kind.sandbox.clone(),
            cores: order.cores,
            starts: starts.list,
            bots: bots.list,
            tasks,
        };
        let need = kind.need.clone();
        let sent = Sent { need: need.clone(), keys, sequence: None, at: now, gone: None, looked: now };
        self.sent.insert(number, sent);
        Effect::Publish(Box::new(batch), need, objects.into_iter().collect())
    }

    /// A batch is in the queue.
    pub(crate) fn published(&mut self, number: u64, sequence: u64) {
        if let Some(sent) = self.sent.get_mut(&number) {
            sent.sequence = Some(sequence);
        }
    }

    /// A worker has answered. What it says about its own name counts for nothing.
    pub(crate) fn arrived(&mut self, worker: &str, batch: BatchId, replies: Vec<MatchReply>) -> Vec<Effect> {
        if batch.session != self.session {
            return Vec::new();
        }
        let mut effects = Vec::new();
        let aside = self.workers.why_aside(worker).is_some();
        for MatchReply { number, attempt, what } in replies {
            let key = (number, attempt);
            // A result counts whichever sending it answers; anything else is about this one alone.
            let expected = |open: &&Open| match (&what, open.place) {
                (ReplyKind::Played(_), Place::Sent(_)) => true,
                (_, place) => place == Place::Sent(batch.number),
            };
            let Some(open) = self.open.get(&key).filter(expected) else { continue };
            if aside {
                self.wait(key, None);
                continue;
            }
            match what {
                ReplyKind::Played(reply) => {
                    let order = Arc::clone(&open.order);
                    self.open.get_mut(&key).expect("it is open").place = Place::Verified;
                    effects.push(Effect::Verify(key, order, reply, worker.to_owned()));
                }
                ReplyKind::Returned => self.wait(key, None),
                ReplyKind::Lost(losses) => self.lost(key, losses, &mut effects),
                ReplyKind::Trouble(trouble) => self.trouble(key, worker, trouble, &mut effects),
            }
        }
        self.tidy(batch.number);
        effects
    }

    /// Forgets a batch of which nothing is expected any more.
    fn tidy(&mut self, number: u64) {
        let open = &self.open;
        let waits = |key: &Key| open.get(key).is_some_and(|open| open.place == Place::Sent(number));
        if self.sent.get(&number).is_some_and(|sent| !sent.keys.iter().any(waits)) {
            self.sent.remove(&number);
        }
    }

    /// A worker was lost with this match in its hands.
    fn lost(&mut self, key: Key, losses: u32, effects: &mut Vec<Effect>) {
        let open = self.open.get_mut(&key).expect("it is open");
        open.losses = losses.max(open.losses + 1);
        let losses = open.losses;
        if losses >= limits::LOSSES {
            let why = format!("{losses} workers were lost while they played it; it is set aside");
            return self.answer(key, Answer::Failed(why), effects);
        }
        effects.push(Effect::Notice(Notice::Again { number: key.0, losses }));
        self.wait(key, None);
    }

    /// A worker cannot play this match.
    fn trouble(&mut self, key: Key, worker: &str, trouble: Trouble, effects: &mut Vec<Effect>) {
        let why = cut(trouble.to_string());
        let open = self.open.get_mut(&key).expect("it is open");
        open.tries += 1;
        open.failed_at.push(worker.to_owned());
        match &trouble {
            Trouble::Missing(hash) | Trouble::WrongObject(hash) => {
                let object = open.order.object(*hash);
                effects.extend(object.map(|object| Effect::Replace(*hash, object)));
            }
            Trouble::OtherRules | Trouble::Other(_) => {
                if self.workers.troubled(worker) >= limits::TROUBLES {
                    let notice = Notice::Useless { worker: worker.to_owned(), why: why.clone() };
                    self.set_aside(worker, notice, effects);
                }
            }
        }
        let open = &self.open[&key];
        if open.tries >= limits::TRIES {
            let why = format!("worker {worker} could not play it, nor could others: {why}");
            return self.answer(key, Answer::Failed(why), effects);
        }
        // Somebody else, if there is somebody.
        let (need, failed) = (&open.need, &open.failed_at);
        let another = self.workers.other_than(failed, need);
        self.wait(key, another);
    }

    /// A replay was played again.
    pub(crate) fn verified(
        &mut self,
        key: Key,
        worker: &str,
        result: Result<RemotePlayed, Refusal>,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let aside = self.workers.why_aside(worker).is_some();
        let Some(open) = self.open.get_mut(&key).filter(|open| open.place == Place::Verified) else {
            return effects;
        };
        match result {
            Ok(_) if aside => self.wait(key, None),
            Ok(played) => {
                open.heard.push(played);
                self.workers.played(worker);
                self.count(key, &mut effects);
            }
            Err(why) => {
                let (worker_name, number) = (worker.to_owned(), key.0);
                let notice = Notice::Refused { worker: worker_name, number, why: cut(why.to_string()) };
                self.set_aside(worker, notice, &mut effects);
                self.wait(key, None);
            }
        }
        effects
    }

    /// How long matches take follows what they took.
    fn learn(&mut self, played: &RemotePlayed) {
        let micros = (played.millis * 1000).max(100) as f64;
        let before = self.pace.unwrap_or(micros);
        self.pace = Some(before + (micros - before) / 16.0);
    }

    /// Somebody has played it, and what it says holds. Now it counts, unless another one is to play it too.
    fn count(&mut self, key: Key, effects: &mut Vec<Effect>) {
        let open = &self.open[&key];
        let came_to = |played: &RemotePlayed| played.played.replay.head.digest;
        let last = open.heard.last().expect("one was heard just now");
        let agreed =
            open.heard.iter().position(|first| came_to(first) == came_to(last) && !std::ptr::eq(first, last));
        let names: Vec<String> = open.heard.iter().map(|played| played.worker.clone()).collect();
        let wanted = open.heard.len() > 1 || self.is_sampled(key);
        let another = self.workers.other_than(&names, &open.need).filter(|_| wanted && names.len() < 3);
        match (agreed, another) {
            (None, Some(another)) => return self.wait(key, Some(another)),
            (None, None) if names.len() > 1 => {
                effects.push(Effect::Notice(Notice::Undecided { number: key.0, workers: names }));
            }
            _ => {}
        }
        let counts = agreed.unwrap_or(0);
        let outvoted: Vec<String> = match agreed {
            Some(_) => {
                let right = came_to(&open.heard[counts]);
                let wrong = open.heard.iter().filter(|played| came_to(played) != right);
                wrong.map(|played| played.worker.clone()).collect()
            }
            None => Vec::new(),
        };
        for worker in outvoted {
            let notice = Notice::Outvoted { worker: worker.clone(), number: key.0 };
            self.set_aside(&worker, notice, effects);
        }
        let played = self.open.get_mut(&key).expect("it is open").heard.swap_remove(counts);
        self.learn(&played);
        self.answer(key, Answer::Played(Box::new(played)), effects);
    }

    /// Whether a match is one of those that are played twice: the same ones whoever asks.
    fn is_sampled(&self, key: Key) -> bool {
        let chance = Rng::stream(self.session, "double play", key.0).bits() as f64 / u64::MAX as f64;
        chance < self.policy.double_play
    }

    fn answer(&mut self, key: Key, answer: Answer, effects: &mut Vec<Effect>) {
        let Some(open) = self.open.remove(&key) else { return };
        effects.push(Effect::Answer(open.done, answer));
        if let Some(count) = self.needs.get_mut(&open.need) {
            *count -= 1;
            if *count == 0 {
                self.needs.remove(&open.need);
            }
        }
        if let Place::Sent(number) = open.place {
            self.tidy(number);
        }
    }

    fn set_aside(&mut self, worker: &str, notice: Notice, effects: &mut Vec<Effect>) {
        if self.workers.set_aside(worker, &notice) {
            effects.push(Effect::SetAside(worker.to_owned(), notice.to_string()));
            effects.push(Effect::Notice(notice));
        }
    }

    /// A worker says what it offers.
    pub(crate) fn offered(&mut self, offer: Offer, now: Instant) -> Vec<Effect> {
        let name = offer.name.clone();
        let notices = self.workers.offered(offer, now, self.needs.keys());
        // Perhaps it did not hear it, or was started again.
        let told = self.workers.why_aside(&name).map(|why| Effect::SetAside(name.clone(), why.to_owned()));
        notices.into_iter().map(Effect::Notice).chain(told).collect()
    }

    /// Looks for what does not move: batches for workers that have gone, and matches nobody can play.
    pub(crate) fn sweep(&mut self, now: Instant) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self.workers.sweep(now).into_iter().map(Effect::Notice).collect();
        let gone =
            |sent: &Sent| sent.need.worker.as_ref().is_some_and(|worker| !self.workers.is_there(worker));
        let directed: Vec<u64> =
            self.sent.iter().filter(|(_, sent)| gone(sent)).map(|(number, _)| *number).collect();
        for number in directed {
            for key in self.take_back(number) {
                let open = self.open.get_mut(&key).expect("it is open");
                if open.heard.is_empty() {
                    self.wait(key, None);
                    continue;
                }
                // Whoever was to play it once more is gone; another one may.
                let names: Vec<String> = open.heard.iter().map(|played| played.worker.clone()).collect();
                match self.workers.other_than(&names, &open.need) {
                    Some(another) => self.wait(key, Some(another)),
                    None => {
                        let played = open.heard.swap_remove(0);
                        self.answer(key, Answer::Played(Box::new(played)), &mut effects);
                    }
                }
            }
        }
        self.give_back(now, &mut effects);
        effects
    }

    /// Matches that no worker can play, for a while: given back, or told.
    fn give_back(&mut self, now: Instant, effects: &mut Vec<Effect>) {
        self.unmet.retain(|need, _| self.needs.contains_key(need));
        let needs: Vec<Need> = self.needs.keys().cloned().collect();
        for need in needs {
            if self.workers.can_play(&need) {
                self.unmet.remove(&need);
                continue;
            }
            let (since, told) = self.unmet.entry(need.clone()).or_insert((now, false));
            if now.duration_since(*since) < limits::WORKER_GONE {
                continue;
            }
            if self.policy.give_back {
                let unmet =
                    self.open.iter().filter(|(_, open)| open.need == need && open.place != Place::Verified);
                let keys: Vec<Key> = unmet.map(|(key, _)| *key).collect();
                for key in keys {
                    self.answer(key, Answer::NotPlayed, effects);
                }
            } else if !std::mem::replace(told, true) {
                effects.push(Effect::Notice(Notice::Nobody { need }));
            }
        }
    }

    /// Batches that should have come to something, and have not been looked for lately.
    pub(crate) fn find_overdue(&mut self, now: Instant, most: usize) -> Vec<(u64, u64)> {
        let due = |sent: &Sent| {
            now.duration_since(sent.at) > limits::RESULT_DELAY
                && now.duration_since(sent.looked) > limits::RESULT_DELAY / 2
        };
        let mut found = Vec::new();
        for (number, sent) in self.sent.iter_mut().filter(|(_, sent)| due(sent)) {
            if let Some(sequence) = sent.sequence {
                sent.looked = now;
                found.push((*number, sequence));
            }
            if found.len() == most {
                break;
            }
        }
        found
    }

    /// The queue was asked whether it still has a batch.
    pub(crate) fn looked(&mut self, number: u64, there: bool, now: Instant) {
        let Some(sent) = self.sent.get_mut(&number) else { return };
        match (there, sent.gone) {
            (true, _) => sent.gone = None,
            (false, None) => sent.gone = Some(now),
            (false, Some(since)) if now.duration_since(since) >= limits::RESULT_DELAY / 2 => {
                self.resend(number);
            }
            (false, Some(_)) => {}
        }
    }

    /// Expects nothing of a batch any more: what of it is still open.
    fn take_back(&mut self, number: u64) -> Vec<Key> {
        let Some(sent) = self.sent.remove(&number) else { return Vec::new() };
        let still = |key: &Key| self.open.get(key).is_some_and(|open| open.place == Place::Sent(number));
        sent.keys.into_iter().filter(still).collect()
    }

    /// Puts what was in a batch in line again: how many matches that is.
    fn resend(&mut self, number: u64) -> usize {
        let keys = self.take_back(number);
        keys.iter().for_each(|key| self.wait(*key, None));
        keys.len()
    }

    /// The queue has lost everything.
    pub(crate) fn refill(&mut self) -> Vec<Effect> {
        let numbers: Vec<u64> = self.sent.keys().copied().collect();
        let matches = numbers.into_iter().map(|number| self.resend(number)).sum();
        vec![Effect::Notice(Notice::Refilled { matches })]
    }

    /// Nothing is wanted any more.
    pub(crate) fn withdraw(&mut self) -> Vec<Effect> {
        self.waiting.clear();
        self.sent.clear();
        self.needs.clear();
        self.open.drain().map(|(_, open)| Effect::Answer(open.done, Answer::NotPlayed)).collect()
    }
}

impl MatchOrder {
    fn object(self: &Arc<Self>, hash: Hash) -> Option<Object> {
        let of_seat = self.seats.iter().find_map(|seat| match &seat.bot {
            PortableBot::Program(pack) if pack.hash == hash => Some(Object::Pack(Arc::clone(pack))),
            _ => None,
        });
        let is_setup = || Hash::of(self.plan.setup.as_bytes()) == hash;
        of_seat.or_else(|| is_setup().then(|| Object::Setup(Arc::clone(self))))
    }
}

/// Different things, and the place of each.
struct Indexed<T> {
    list: Vec<T>,
    places: HashMap<T, u16>,
}

impl<T> Default for Indexed<T> {
    fn default() -> Indexed<T> {
        Indexed { list: Vec::new(), places: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Indexed<T> {
    fn place(&mut self, thing: T) -> u16 {
        let list = &mut self.list;
        *self.places.entry(thing.clone()).or_insert_with(|| {
            list.push(thing);
            (list.len() - 1) as u16
        })
    }
}

#[cfg(test)]
mod tests;
