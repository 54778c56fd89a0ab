//! Workers that were set aside, and come again.

use crate::by_hand::{ByHand, honest, replay_of, reply};
use crate::support::{
    RunningWorker, await_notice, built_ins, collect, dispatcher, order, played, submit, until,
};
use palestra_core::AnyGame as _;
use palestra_generals::Generals;
use palestra_queue::messages::{MatchReply, ReplyKind, Task, Trouble};
use palestra_queue::{Dispatcher, Notice};
use palestra_testkit::NatsServer;

/// So many troubles, one after the other, are too many.
const TROUBLES: usize = 5;

fn offer(worker: &ByHand) {
    worker.offer(Generals.info().rules_version);
}

fn await_worker(server: &Dispatcher, worker: &ByHand) {
    until(|| {
        offer(worker);
        server.workers().len() == 1
    });
}

fn trouble(task: &Task) -> MatchReply {
    let what = ReplyKind::Trouble(Trouble::Other("the disk is full".to_owned()));
    MatchReply { number: task.number, attempt: task.attempt, what }
}

#[test]
fn a_worker_that_could_not_play_has_another_chance_when_it_is_started_again() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let mut worker = ByHand::new(&nats, "pc1");
    await_worker(&server, &worker);
    let answers = submit(&server, (1..=TROUBLES as u64).map(|number| order(number, built_ins())));
    for _ in 0..TROUBLES {
        offer(&worker);
        let (batch, message) = worker.take();
        worker.send(&batch, batch.tasks.iter().map(trouble).collect());
        worker.ack(&message);
    }
    await_notice(&server, |notice| matches!(notice, Notice::Useless { .. }));

    // As long as it is the same process, it is told so whenever it offers something.
    worker.await_told(|| offer(&worker));
    assert!(server.workers().is_empty());

    worker.session += 1;
    await_worker(&server, &worker);
    let (batch, message) = worker.take();
    worker.send(&batch, batch.tasks.iter().map(|task| honest(&batch, task)).collect());
    worker.ack(&message);
    assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "pc1");
}

#[test]
fn a_forger_stays_aside_when_it_is_started_again_and_is_told() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let mut forger = ByHand::new(&nats, "forger");
    await_worker(&server, &forger);
    let answers = submit(&server, (1..=2).map(|number| order(number, built_ins())));
    let (batch, message) = forger.take();
    let mut replay = replay_of(&batch, &batch.tasks[0], str::to_owned);
    replay.head.digest[0] ^= 1;
    forger.send(&batch, vec![reply(&batch.tasks[0], replay.to_bytes().unwrap())]);
    forger.ack(&message);
    await_notice(&server, |notice| matches!(notice, Notice::Refused { .. }));

    forger.session += 1;
    forger.await_told(|| offer(&forger));
    assert!(server.workers().is_empty());
    let (batch, message) = forger.take();
    forger.send(&batch, batch.tasks.iter().map(|task| honest(&batch, task)).collect());
    forger.ack(&message);
    let _honest = RunningWorker::start(&nats, "honest", 1);
    collect(&answers, 2).into_iter().for_each(|(_, answer)| assert_eq!(played(answer).worker, "honest"));
}
