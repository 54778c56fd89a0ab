//! Nothing goes wrong.

use crate::support::{RunningWorker, built_ins, collect, dispatcher, order, submit};
use palestra_queue::Answer;
use palestra_testkit::NatsServer;

#[test]
fn matches_are_played_elsewhere_as_they_would_be_here() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let _worker = RunningWorker::start(&nats, "one", 2);
    let answers = submit(&server, (1..=40).map(|number| order(number, built_ins())));
    for (number, answer) in collect(&answers, 40) {
        let Answer::Played(remote) = answer else { panic!("{answer:?}") };
        assert_eq!(remote.worker, "one");
        assert_eq!(remote.played.replay.head.plan.seed, number);
        assert_eq!(remote.played.replay.head.bots, ["bot 0", "bot 1"]);
    }
}
