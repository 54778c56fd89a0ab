//! Workers die with matches in their hands.

use crate::process::WorkerProcess;
use crate::support::{PATIENCE, SLOW, built_ins, collect, dispatcher, file, order, played, submit, until};
use palestra_queue::limits::LOSSES;
use palestra_queue::{Answer, PortableBot};
use palestra_testkit::NatsServer;
use std::time::Instant;

/// A bot that takes the worker with it.
const POISON: &str = "import os\nos.kill(os.getppid(), 9)\n";

#[test]
fn a_killed_workers_match_comes_again_and_counts_once() {
    let nats = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slow.py"), SLOW).unwrap();
    let server = dispatcher(&nats);
    let mut first = WorkerProcess::start(&nats, "first");
    let slow = file(&folder.path().join("slow.py"));
    let answers = submit(&server, [order(1, [slow, PortableBot::BuiltIn("random".to_owned())])]);
    until(|| server.workers().iter().any(|worker| worker.playing > 0));
    first.kill();
    let _second = WorkerProcess::start(&nats, "second");
    let remote = played(collect(&answers, 1).remove(0).1);
    assert_eq!(remote.worker, "second");
    assert!(answers.try_recv().is_err(), "it counts once");
    // The others go on as if nothing had been.
    let answers = submit(&server, (2..12).map(|number| order(number, built_ins())));
    collect(&answers, 10).into_iter().for_each(|(_, answer)| drop(played(answer)));
}

#[test]
fn a_match_that_kills_workers_is_set_aside_and_the_others_are_played() {
    let nats = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("poison.py"), POISON).unwrap();
    let server = dispatcher(&nats);
    let poison = file(&folder.path().join("poison.py"));
    let mut orders: Vec<_> = (2..8).map(|number| order(number, built_ins())).collect();
    orders.push(order(1, [poison, PortableBot::BuiltIn("random".to_owned())]));
    let answers = submit(&server, orders);
    let (mut died, mut answered) = (0, Vec::new());
    let mut worker = WorkerProcess::start(&nats, "w0");
    let deadline = Instant::now() + PATIENCE;
    while answered.len() < 7 && Instant::now() < deadline {
        if worker.is_over() {
            died += 1;
            worker = WorkerProcess::start(&nats, &format!("w{died}"));
        }
        answered.extend(answers.recv_timeout(std::time::Duration::from_millis(20)));
    }
    assert_eq!(died, LOSSES, "so many workers are lost, and no more");
    answered.sort_by_key(|(number, _)| *number);
    let Answer::Failed(why) = &answered[0].1 else { panic!("{:?}", answered[0]) };
    assert!(why.contains("3 workers were lost"), "{why}");
    for (_, answer) in answered.drain(1..) {
        played(answer);
    }
}
