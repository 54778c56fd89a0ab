//! The subjects, streams and lines of the queue, and how a server makes them.
//!
//! | subject | what | how |
//! |---|---|---|
//! | `palestra.work.LINE.RUN` | batches of matches, one line for each need | a work queue: gone when it is acknowledged |
//! | `palestra.result.RUN.WORKER` | what became of them | a work queue, read by the server of that run |
//! | `palestra.worker.WORKER` | what a worker offers | plain, every few seconds |
//! | `palestra.told.WORKER` | what a server has to tell a worker | plain |
//! | `palestra.news` | the name of a line: there is work in it | plain; who misses it looks soon enough |
//! | `palestra.live.RUN.WORKER.NUMBER` | the turns of a match while it is played | plain |
//! | `palestra.object.NAME.CHUNK` | programs and large maps, sealed | a stream that is read by subject alone |

use crate::address::QueueError;
use crate::limits;
use crate::messages::{Batch, BatchId, encode};
use crate::need::Need;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::PublishAckFuture;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use std::time::Duration;

/// The stream of work.
pub const WORK: &str = "PALESTRA_WORK";
/// The stream of results.
pub const RESULTS: &str = "PALESTRA_RESULTS";
/// The stream of programs and large maps.
pub const OBJECTS: &str = "PALESTRA_OBJECTS";
/// Says that there is work.
pub const NEWS: &str = "palestra.news";
/// What all workers offer.
pub(crate) const OFFERS: &str = "palestra.worker.*";
/// Where the need of a line is written down.
const NEED: &str = "need";
/// Copies of everything, where the queue is a cluster.
const REPLICAS: usize = 3;

/// Work of a run in one line.
pub fn work(line: &str, run: &str) -> String {
    format!("palestra.work.{line}.{run}")
}

/// All work of a run.
pub(crate) fn work_of(run: &str) -> String {
    work("*", run)
}

/// Results of a worker for a run.
pub fn result(run: &str, worker: &str) -> String {
    format!("palestra.result.{run}.{worker}")
}

/// All results for a run.
pub(crate) fn results_of(run: &str) -> String {
    result(run, "*")
}

/// The worker that a result came from, by its subject: the queue may see to it that nobody else publishes there.
pub(crate) fn worker_of(subject: &str) -> Option<&str> {
    subject.rsplit('.').next()
}

/// What a worker offers.
pub fn offer(worker: &str) -> String {
    format!("palestra.worker.{worker}")
}

/// What a worker is told.
pub fn told(worker: &str) -> String {
    format!("palestra.told.{worker}")
}

/// The turns of a match that this worker plays.
pub fn live(run: &str, worker: &str, number: u64) -> String {
    format!("palestra.live.{run}.{worker}.{number}")
}

/// The turns of all matches of a run.
pub(crate) fn live_of(run: &str) -> String {
    format!("palestra.live.{run}.*.*")
}

/// A piece of a program or of a large map.
pub fn object(name: &str, chunk: usize) -> String {
    format!("palestra.object.{name}.{chunk}")
}

/// Where answers to a worker's own requests come to.
pub fn inbox(worker: &str) -> String {
    format!("_INBOX_palestra.{worker}")
}

/// A stream of work, or of results.
fn taken_once(name: &str, subjects: &str) -> Config {
    Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        max_age: limits::KEPT,
        duplicate_window: limits::DUPLICATES,
        ..Config::default()
    }
}

/// The stream of programs and large maps.
fn objects() -> Config {
    Config {
        name: OBJECTS.to_owned(),
        subjects: vec!["palestra.object.>".to_owned()],
        max_messages_per_subject: 1,
        max_age: 2 * limits::KEPT,
        allow_direct: true,
        ..Config::default()
    }
}

/// The line of matches with this need.
fn line(need: &Need, ack_wait: Duration) -> pull::Config {
    let name = need.line();
    pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: work(&name, "*"),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        // Who has taken a match for the third time says so; nothing is left lying without a word.
        max_deliver: -1,
        max_ack_pending: -1,
        inactive_threshold: limits::KEPT,
        metadata: [(NEED.to_owned(), serde_json::to_string(need).expect("a need is plain data"))].into(),
        ..pull::Config::default()
    }
}

/// The need of a line, as its server wrote it down.
pub(crate) fn need_of(info: &jetstream::consumer::Info) -> Option<Need> {
    serde_json::from_str(info.config.metadata.get(NEED)?).ok()
}

/// The streams and lines, as a server sees them. Making one that is there changes nothing.
#[derive(Clone, Debug)]
pub(crate) struct Streams {
    pub(crate) context: Context,
    address: String,
    run: String,
    ack_wait: Duration,
}

impl Streams {
    pub(crate) fn new(context: Context, address: String, run: String, ack_wait: Duration) -> Streams {
        Streams { context, address, run, ack_wait }
    }

    fn failed<E: ToString>(&self, what: &str) -> impl Fn(E) -> QueueError {
        move |error| QueueError::JetStream {
            address: self.address.clone(),
            what: what.to_owned(),
            why: error.to_string(),
        }
    }

    /// Makes what is not there.
    pub(crate) async fn ensure(&self) -> Result<(), QueueError> {
        self.ensure_stream(taken_once(WORK, "palestra.work.>")).await?;
        self.ensure_stream(taken_once(RESULTS, "palestra.result.>")).await?;
        self.ensure_stream(objects()).await
    }

    async fn ensure_stream(&self, config: Config) -> Result<(), QueueError> {
        if self.context.get_stream(&config.name).await.is_ok() {
            return Ok(());
        }
        let what = format!("the stream {}", config.name);
        let several = Config { num_replicas: REPLICAS, ..config.clone() };
        // One server alone cannot keep several copies, and says so.
        if self.context.create_stream(several).await.is_err() {
            self.context.create_stream(config).await.map_err(self.failed(&what))?;
        }
        Ok(())
    }

    /// Makes the line of this need.
    pub(crate) async fn ensure_line(&self, need: &Need) -> Result<(), QueueError> {
        let made = self.context.create_consumer_on_stream(line(need, self.ack_wait), WORK).await;
        made.map(drop).map_err(self.failed("a line of work"))
    }

    /// The results of this run.
    pub(crate) async fn results(&self) -> Result<jetstream::consumer::PullConsumer, QueueError> {
        let config = pull::Config {
            durable_name: Some(format!("run-{}", self.run)),
            filter_subject: results_of(&self.run),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait.max(limits::ACK_WAIT),
            max_ack_pending: -1,
            inactive_threshold: limits::KEPT,
            ..pull::Config::default()
        };
        let made = self.context.create_consumer_on_stream(config, RESULTS).await;
        made.map_err(self.failed("the results"))
    }

    /// Puts a batch into the line of this need. Publishing it again is harmless.
    pub(crate) async fn publish(&self, batch: &Batch, need: &Need) -> Result<PublishAckFuture, String> {
        let BatchId { session, number } = batch.id;
        let message = PublishMessage::build()
            .payload(encode(batch).into())
            .message_id(format!("{}.{session:x}.{number}", self.run));
        let sent = self.context.send_publish(work(&need.line(), &self.run), message).await;
        sent.map_err(|error| error.to_string())
    }

    /// Takes back everything of this run that nobody has begun.
    pub(crate) async fn purge_work(&self) -> Result<(), QueueError> {
        self.purge(WORK, &work_of(&self.run)).await
    }

    /// Throws away the results of this run that nobody has looked at.
    pub(crate) async fn purge_results(&self) -> Result<(), QueueError> {
        self.purge(RESULTS, &results_of(&self.run)).await
    }

    async fn purge(&self, stream: &str, subjects: &str) -> Result<(), QueueError> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(self.failed("the stream"))?;
        stream.purge().filter(subjects).await.map(drop).map_err(self.failed("taking work back"))
    }

    /// Whether this work is still in the queue, waiting or being played; `None` if that cannot be told now.
    pub(crate) async fn holds(&self, sequence: u64) -> Option<bool> {
        use async_nats::jetstream::stream::RawMessageErrorKind;
        let stream = self.context.get_stream_no_info(WORK).await.ok()?;
        match stream.get_raw_message(sequence).await {
            Ok(_) => Some(true),
            Err(error) => match error.kind() {
                RawMessageErrorKind::NoMessageFound => Some(false),
                _ => None,
            },
        }
    }

    /// When the stream of work was made: another moment means that everything in it is gone.
    pub(crate) async fn born(&self) -> Option<i64> {
        let stream = self.context.get_stream(WORK).await.ok()?;
        Some(stream.cached_info().created.unix_timestamp_nanos() as i64)
    }
}
