//! Hands in what came of matches. It is tried until the queue has it.

use crate::limits;
use crate::messages::{Batch, BatchId, MatchReply, Parcel, Part, encode};
use crate::streams;
use async_nats::jetstream::Context;
use async_nats::jetstream::message::PublishMessage;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::sleep;

/// Hands in results of one worker.
#[derive(Clone)]
pub(super) struct Results {
    context: Context,
    worker: String,
    /// Parcels that are not in the queue yet.
    pending: Arc<watch::Sender<usize>>,
    parcels: Arc<AtomicU64>,
}

impl Results {
    pub(super) fn new(context: Context, worker: String) -> Results {
        let pending = Arc::new(watch::Sender::new(0));
        Results { context, worker, pending, parcels: Arc::default() }
    }

    /// Whether more results wait than makes sense: the queue does not take them.
    pub(super) fn are_behind(&self, places: usize) -> bool {
        *self.pending.borrow() > 4 * places + 4
    }

    /// Waits until all are in the queue.
    pub(super) async fn all_sent(&self) {
        let _ = self.pending.subscribe().wait_for(|pending| *pending == 0).await;
    }

    /// The results of one batch.
    pub(super) fn parcels(&self, batch: &Batch) -> Parcels {
        Parcels {
            results: self.clone(),
            subject: streams::result(&batch.run, &self.worker),
            id: format!("{}.{:x}.{}.{}", batch.run, batch.id.session, batch.id.number, self.worker),
            batch: batch.id,
            runtime: Handle::current(),
            pending: Arc::new(watch::Sender::new(0)),
            lost: Arc::default(),
        }
    }
}

/// Hands in the results of one batch, in one parcel or several.
pub(super) struct Parcels {
    results: Results,
    subject: String,
    id: String,
    batch: BatchId,
    runtime: Handle,
    pending: Arc<watch::Sender<usize>>,
    lost: Arc<AtomicUsize>,
}

impl Parcels {
    /// Hands these in, in the background.
    pub(super) fn send(&self, replies: Vec<MatchReply>) {
        if replies.is_empty() {
            return;
        }
        let parcel = self.results.parcels.fetch_add(1, Ordering::Relaxed);
        let whole = encode(&Parcel(replies));
        let chunks = whole.chunks(limits::PART_BYTES);
        let parts = chunks.len() as u32;
        if parts > limits::PARTS {
            // Nobody would put it together again.
            self.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        for (part, bytes) in (0..).zip(chunks) {
            let message = Part { batch: self.batch, parcel, part, parts, bytes: bytes.to_vec() };
            let id = format!("{}.{parcel}.{part}", self.id);
            let (context, subject) = (self.results.context.clone(), self.subject.clone());
            let counters = [Arc::clone(&self.results.pending), Arc::clone(&self.pending)];
            counters.iter().for_each(|counter| counter.send_modify(|pending| *pending += 1));
            self.runtime.spawn(async move {
                let bytes = encode(&message);
                while let Err(error) = publish(&context, &subject, &id, &bytes).await {
                    tracing::debug!("a result cannot be handed in: {error}");
                    sleep(limits::AGAIN).await;
                }
                counters.iter().for_each(|counter| counter.send_modify(|pending| *pending -= 1));
            });
        }
    }

    /// Waits until everything is in the queue. Whether that can be.
    pub(super) async fn all_sent(&self) -> bool {
        let _ = self.pending.subscribe().wait_for(|pending| *pending == 0).await;
        self.lost.load(Ordering::Relaxed) == 0
    }
}

async fn publish(context: &Context, subject: &str, id: &str, bytes: &[u8]) -> Result<(), async_nats::Error> {
    let message = PublishMessage::build().payload(bytes.to_vec().into()).message_id(id);
    context.send_publish(subject.to_owned(), message).await?.await?;
    Ok(())
}
