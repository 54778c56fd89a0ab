//! A second worker plays the same match: what playing a replay again cannot prove.

use crate::by_hand::{ByHand, replay_of, reply};
use crate::support::{
    GAMES, RunningWorker, address, await_notice, built_ins, collect, options, order, played, submit, until,
};
use palestra_core::AnyGame as _;
use palestra_queue::{DispatchOptions, Dispatcher, Notice};
use palestra_testkit::NatsServer;

#[test]
fn a_worker_that_answers_for_the_bots_is_outvoted() {
    let nats = NatsServer::start();
    let server =
        Dispatcher::connect(&address(&nats), DispatchOptions { double_play: 1.0, ..options() }).unwrap();
    let mut cheat = ByHand::new(&nats, "cheat");
    let answers = submit(&server, [order(1, built_ins())]);
    let (batch, message) = cheat.take();
    let rules_version = GAMES[0].info().rules_version;
    cheat.offer(rules_version);
    let _honest = [RunningWorker::start(&nats, "a", 1), RunningWorker::start(&nats, "b", 1)];
    until(|| server.workers().len() == 3);
    // Somebody stronger plays under the name of the second bot: the replay holds.
    let replay = replay_of(&batch, &batch.tasks[0], |_| "hunter".to_owned());
    let forged = replay.head.digest;
    cheat.send(&batch, vec![reply(&batch.tasks[0], replay.to_bytes().unwrap())]);
    cheat.ack(&message);
    let remote = played(collect(&answers, 1).remove(0).1);
    assert_ne!(remote.played.replay.head.digest, forged);
    await_notice(&server, |notice| matches!(notice, Notice::Outvoted { worker, .. } if worker == "cheat"));
}

#[test]
fn honest_workers_agree() {
    let nats = NatsServer::start();
    let server =
        Dispatcher::connect(&address(&nats), DispatchOptions { double_play: 1.0, ..options() }).unwrap();
    let _workers = [RunningWorker::start(&nats, "a", 1), RunningWorker::start(&nats, "b", 1)];
    until(|| server.workers().len() == 2);
    let answers = submit(&server, (1..=5).map(|number| order(number, built_ins())));
    collect(&answers, 5).into_iter().for_each(|(_, answer)| drop(played(answer)));
    assert!(server.notices().iter().all(|notice| !notice.is_trouble()));
    let twice: u64 = server.workers().iter().map(|worker| worker.played).sum();
    assert!(twice <= 10, "{twice}");
}
