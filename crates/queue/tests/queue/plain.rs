//! Nothing goes wrong.

use crate::support::{RunningWorker, built_ins, collect, dispatcher, file, here, order, played, submit};
use palestra_queue::PortableBot;
use palestra_testkit::NatsServer;
use std::path::Path;

#[test]
fn matches_are_played_elsewhere_as_they_would_be_here() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let _worker = RunningWorker::start(&nats, "one", 2);
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/generals/kits/python/generals.py");
    let kit = file(&kit);
    let bots = |number: u64| match number % 10 {
        0 => [PortableBot::BuiltIn("greedy".to_owned()), kit.clone()],
        _ => built_ins(),
    };
    let answers = submit(&server, (1..=40).map(|number| order(number, bots(number))));
    for (number, answer) in collect(&answers, 40) {
        let remote = played(answer);
        let head = &remote.played.replay.head;
        assert_eq!((remote.worker.as_str(), head.plan.seed), ("one", number));
        assert_eq!(head.bots, ["bot 0", "bot 1"]);
        assert!(remote.played.faults.is_empty());
        let here = here(&order(number, bots(number)));
        assert_eq!(head.digest, here.replay.head.digest, "the same matches take the same course everywhere");
        assert_eq!((remote.played.outcome, remote.played.rounds), (here.outcome, here.rounds));
        assert_eq!(remote.played.usage[0].turns, here.usage[0].turns);
        assert!(remote.played.ended_itself.iter().all(|ended| *ended));
    }
    let (checking, playing) = server.checking_time();
    assert!(!checking.is_zero() && checking < playing, "{checking:?} of {playing:?}");
}
