//! A worker made by hand, which can do what no honest one does.

use crate::support::{PATIENCE, offer};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context, Message};
use futures_util::{StreamExt as _, TryStreamExt as _};
use palestra_core::{AnyGame as _, Entrant, Match, Next, Plan, Replay};
use palestra_generals::Generals;
use palestra_queue::Offer;
use palestra_queue::messages::{
    Batch, BotOrder, MatchReply, Parcel, Part, PlayedReply, ReplyKind, SeatReply, Setup, Task, Told, decode,
    encode,
};
use palestra_queue::streams::{self, WORK};
use palestra_testkit::NatsServer;
use std::time::Instant;
use tokio::runtime::Runtime;

pub(crate) struct ByHand {
    pub(crate) runtime: Runtime,
    pub(crate) context: Context,
    name: String,
    /// Another one is as if it had been started again.
    pub(crate) session: u64,
    sent: u64,
}

impl ByHand {
    pub(crate) fn new(nats: &NatsServer, name: &str) -> ByHand {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let context =
            runtime.block_on(async { jetstream::new(async_nats::connect(nats.address()).await.unwrap()) });
        ByHand { runtime, context, name: name.to_owned(), session: 1, sent: 0 }
    }

    /// Says that it is there, as an honest worker would.
    pub(crate) fn offer(&self, rules_version: u32) {
        let offer = Offer {
            session: self.session,
            rules: [(Generals.info().id.to_owned(), rules_version)].into(),
            toolchains: [("Python".to_owned(), "3".to_owned())].into(),
            ..offer(&self.name)
        };
        let bytes = serde_json::to_vec(&offer).unwrap();
        let client = self.context.client();
        self.runtime.block_on(async {
            client.publish(streams::offer(&self.name), bytes.into()).await.unwrap();
            client.flush().await.unwrap();
        });
    }

    /// Takes the next batch, whatever it needs.
    pub(crate) fn take(&self) -> (Batch, Message) {
        self.runtime.block_on(async {
            let deadline = Instant::now() + PATIENCE;
            while Instant::now() < deadline {
                let stream = self.context.get_stream_no_info(WORK).await.unwrap();
                let lines: Vec<_> = stream.consumers().try_collect().await.unwrap_or_default();
                for line in lines {
                    let consumer = stream.get_consumer::<pull::Config>(&line.name).await.unwrap();
                    let mut messages = consumer.fetch().max_messages(1).messages().await.unwrap();
                    if let Some(Ok(message)) = messages.next().await {
                        return (decode(&message.payload).unwrap(), message);
                    }
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            panic!("there is no work");
        })
    }

    /// Hands in what it says about some matches.
    pub(crate) fn send(&mut self, batch: &Batch, replies: Vec<MatchReply>) {
        self.sent += 1;
        let bytes = encode(&Parcel(replies));
        let part = encode(&Part { batch: batch.id, parcel: self.sent, part: 0, parts: 1, bytes });
        let id = format!("{}.{}", self.name, self.sent);
        let message = PublishMessage::build().payload(part.into()).message_id(id);
        let subject = streams::result(&batch.run, &self.name);
        self.runtime.block_on(async {
            self.context.send_publish(subject, message).await.unwrap().await.unwrap();
        });
    }

    /// Waits until the server tells it that it is aside, having done this.
    pub(crate) fn await_told(&self, act: impl Fn()) {
        let client = self.context.client();
        let mut told = self.runtime.block_on(async {
            let told = client.subscribe(streams::told(&self.name)).await.unwrap();
            client.flush().await.unwrap();
            told
        });
        act();
        let heard = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, told.next()).await });
        let message = heard.expect("it is told").unwrap();
        assert!(matches!(decode(&message.payload), Ok(Told::SetAside(_))));
    }

    pub(crate) fn ack(&self, message: &Message) {
        self.runtime.block_on(message.double_ack()).unwrap();
    }
}

/// An honest answer to a match between built-in players.
pub(crate) fn honest(batch: &Batch, task: &Task) -> MatchReply {
    let replay = replay_of(batch, task, |name| name.to_owned());
    reply(task, replay.to_bytes().unwrap())
}

/// The match, played by whoever `instead` puts in the place of a built-in player.
pub(crate) fn replay_of(batch: &Batch, task: &Task, instead: impl Fn(&str) -> String) -> Replay {
    let start = &batch.starts[usize::from(task.start)];
    let Setup::Text(setup) = &start.setup else { panic!("the map is small") };
    let plan = Plan {
        settings: start.settings.clone(),
        setup: setup.clone(),
        seed: task.seed,
        seats: task.seats.len() as u8,
        absent: Vec::new(),
    };
    let entrants: Vec<Entrant> = task
        .seats
        .iter()
        .map(|seat| match &batch.bots[usize::from(seat.bot)] {
            BotOrder::BuiltIn(name) => Entrant::built_in(instead(name)).known_as(name),
            BotOrder::Program { .. } => panic!("only built-in players play here"),
        })
        .collect();
    let mut game = Match::new(&Generals, plan, &entrants, batch.time).unwrap();
    while game.next() != Next::Over {}
    let (_, mut replay) = game.finish(Vec::new()).unwrap();
    replay.head.bots = task.seats.iter().map(|seat| seat.name.clone()).collect();
    replay
}

/// What is said about a match that was played.
pub(crate) fn reply(task: &Task, replay: Vec<u8>) -> MatchReply {
    let seats = vec![SeatReply { ended_itself: true, ..SeatReply::default() }; task.seats.len()];
    let played = PlayedReply { replay, micros: 1000, seats, faults: Vec::new() };
    MatchReply { number: task.number, attempt: task.attempt, what: ReplyKind::Played(Box::new(played)) }
}
