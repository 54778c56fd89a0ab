//! The lines of work that a worker can take from.

use super::{Listener, WorkerNews};
use crate::limits;
use crate::need::{Need, Offer};
use crate::streams::{WORK, need_of};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{Context, Message};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The shortest and the longest pause before a worker with free places looks again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), limits::LOOK_EVERY);

/// Knows which lines there are.
pub(super) struct Lines {
    context: Context,
    offer: Offer,
    listener: Listener,
    known: BTreeMap<String, (Need, Consumer<pull::Config>)>,
    /// Those that this worker cannot play.
    others: BTreeSet<String>,
    /// What was told already.
    told: BTreeSet<String>,
    looked: Option<Instant>,
    /// Which line is asked first, in turn.
    turn: usize,
    pause: Duration,
}

impl Lines {
    pub(super) fn new(context: Context, offer: Offer, listener: Listener) -> Lines {
        Lines {
            context,
            offer,
            listener,
            known: BTreeMap::new(),
            others: BTreeSet::new(),
            told: BTreeSet::new(),
            looked: None,
            turn: 0,
            pause: PAUSES.0,
        }
    }

    /// Somebody said that there is work in this line. One that was just made is looked for.
    pub(super) fn hear(&mut self, line: &[u8]) {
        self.pause = PAUSES.0;
        let is_known = |line: &str| self.known.contains_key(line) || self.others.contains(line);
        if !std::str::from_utf8(line).is_ok_and(is_known) {
            self.looked = None;
        }
    }

    /// How long to wait before looking again.
    pub(super) fn pause(&self) -> Duration {
        self.pause
    }

    /// Takes so many batches at most, for so many free places; with each, how often to say that it is being played.
    pub(super) async fn take(&mut self, room: usize, free: usize) -> Vec<(Message, Duration)> {
        let due = self.looked.is_none_or(|looked| looked.elapsed() >= limits::LOOK_EVERY);
        if due || self.known.is_empty() {
            self.look().await;
        }
        let mut taken = Vec::new();
        let names: Vec<String> = self.known.keys().cloned().collect();
        self.turn = self.turn.wrapping_add(1);
        for step in 0..names.len() {
            let name = &names[(self.turn + step) % names.len()];
            let (need, consumer) = &self.known[name];
            let room = room - taken.len();
            if room == 0 || (usize::from(need.cores) > free.max(1) && need.cores > 1) {
                continue;
            }
            match take_from(consumer, room).await {
                Ok(messages) => {
                    let every = consumer.cached_info().config.ack_wait / limits::SIGNS_OF_LIFE;
                    taken.extend(messages.into_iter().map(|message| (message, every)));
                }
                // It was taken away, perhaps with the whole queue.
                Err(error) => {
                    tracing::debug!("nothing can be taken from line {name}: {error}");
                    self.known.remove(name);
                }
            }
        }
        self.pause = if taken.is_empty() { (self.pause * 2).min(PAUSES.1) } else { PAUSES.0 };
        taken
    }

    /// Which lines there are that this worker can play.
    async fn look(&mut self) {
        self.looked = Some(Instant::now());
        let Ok(stream) = self.context.get_stream_no_info(WORK).await else { return };
        let listed = tokio::time::timeout(limits::REQUEST, stream.consumers().try_collect::<Vec<_>>()).await;
        let Ok(Ok(lines)) = listed else { return };
        let is_listed = |name: &String| lines.iter().any(|line| line.name == *name);
        self.known.retain(|name, _| is_listed(name));
        self.others.retain(is_listed);
        for line in lines {
            let Some(need) = need_of(&line).filter(|_| !self.known.contains_key(&line.name)) else {
                continue;
            };
            if let Some(lack) = self.offer.lacks(&need) {
                self.others.insert(line.name.clone());
                if lack != crate::need::Lack::OtherWorker
                    && line.num_pending > 0
                    && self.told.insert(line.name.clone())
                {
                    (self.listener)(WorkerNews::Lacks(lack));
                }
                continue;
            }
            if let Ok(consumer) = stream.get_consumer::<pull::Config>(&line.name).await {
                self.known.insert(line.name.clone(), (need, consumer));
            }
        }
    }
}

async fn take_from(
    consumer: &Consumer<pull::Config>,
    room: usize,
) -> Result<Vec<Message>, async_nats::Error> {
    let mut messages = consumer.fetch().max_messages(room).messages().await?;
    let mut taken = Vec::new();
    // The end comes by itself, unless the queue is gone.
    let all = async {
        while let Some(message) = messages.next().await {
            taken.push(message?);
        }
        Ok::<(), async_nats::Error>(())
    };
    let ended = tokio::time::timeout(limits::REQUEST, all).await;
    match ended {
        Ok(Err(error)) if taken.is_empty() => Err(error),
        Err(_) if taken.is_empty() => Err("no answer".into()),
        _ => Ok(taken),
    }
}
