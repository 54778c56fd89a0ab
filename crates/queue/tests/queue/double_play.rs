//! A second worker plays the same match: what playing a replay again cannot prove.

use crate::by_hand::{ByHand, replay_of, reply};
use crate::support::{
    RunningWorker, address, await_notice, built_ins, collect, file, options, order, played, submit, until,
};
use palestra_core::{AnyGame as _, TimeControl};
use palestra_generals::Generals;
use palestra_queue::{DispatchOptions, Dispatcher, MatchOrder, Notice};
use palestra_testkit::NatsServer;

/// A bot that passes, and takes a long time.
const SLEEPY: &str =
    "import os, time\nwhile os.read(0, 65536):\n    time.sleep(0.05)\n    os.write(1, b'-1\\n')\n";

#[test]
fn a_worker_that_answers_for_the_bots_is_outvoted() {
    let nats = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sleepy.py"), SLEEPY).unwrap();
    let sleepy = file(&folder.path().join("sleepy.py"));
    let server =
        Dispatcher::connect(&address(&nats), DispatchOptions { double_play: 1.0, ..options() }).unwrap();
    let mut cheat = ByHand::new(&nats, "cheat");
    let honest = [RunningWorker::start(&nats, "a", 1), RunningWorker::start(&nats, "b", 1)];
    until(|| server.workers().len() == 2);
    // While both are busy, the third gets the next match.
    let busy = |number| MatchOrder {
        time: TimeControl::Unlimited,
        ..order(number, [sleepy.clone(), sleepy.clone()])
    };
    let _busy = submit(&server, [busy(1), busy(2)]);
    honest.iter().for_each(RunningWorker::await_match);
    cheat.offer(Generals.info().rules_version);
    let answers = submit(&server, [order(3, built_ins())]);
    let (batch, message) = cheat.take();
    assert_eq!(batch.tasks[0].number, 3);
    // Somebody stronger plays under the names of the bots: the replay holds.
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
