//! Workers that cannot play something, or are told to go.

use crate::by_hand::ByHand;
use crate::support::{
    GAMES, RunningWorker, SLOW, await_notice, built_ins, collect, dispatcher, file, order, played, submit,
    until,
};
use async_nats::jetstream::consumer::pull;
use palestra_queue::messages::Sandbox;
use palestra_queue::streams::{WORK, work};
use palestra_queue::{Ended, Lack, Need, Notice, PortableBot, WorkerNews};
use palestra_runner::{Asked, Level};
use palestra_testkit::NatsServer;

#[test]
fn a_worker_of_other_rules_is_told_to_update() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let rules = GAMES[0].info().rules_version;
    // On the server's side: somebody offers older rules.
    let old = ByHand::new(&nats, "old");
    let answers = submit(&server, [order(1, built_ins())]);
    until(|| {
        old.offer(rules - 1);
        server.workers().len() == 1
    });
    let notice = await_notice(&server, |notice| matches!(notice, Notice::Lacks { .. })).to_string();
    assert!(
        notice.starts_with("worker old: the server plays version") && notice.contains("update palestra"),
        "{notice}"
    );
    // On the worker's side: there is work of newer rules.
    let sandbox = Sandbox::new(Level::Off, Asked::default());
    let need = Need::new((GAMES[0].info().id, rules + 1), &sandbox, 1, &[]);
    let line = need.line();
    let config = pull::Config {
        durable_name: Some(line.clone()),
        filter_subject: work(&line, "*"),
        metadata: [("need".to_owned(), serde_json::to_string(&need).unwrap())].into(),
        ..pull::Config::default()
    };
    old.runtime.block_on(async {
        old.context.create_consumer_on_stream(config, WORK).await.unwrap();
        old.context.publish(work(&line, "other"), "x".into()).await.unwrap().await.unwrap();
    });
    let worker = RunningWorker::start(&nats, "current", 1);
    until(|| {
        let heard = worker.news.lock().unwrap();
        heard
            .iter()
            .any(|news| matches!(news, WorkerNews::Lacks(Lack::Rules { needed, .. }) if *needed == rules + 1))
    });
    // What it can play it plays.
    assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "current");
}

#[test]
fn a_worker_that_is_stopped_finishes_its_match_and_gives_back_the_rest() {
    let nats = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slow.py"), SLOW).unwrap();
    let server = dispatcher(&nats);
    let slow = file(&folder.path().join("slow.py"));
    let bots = || [slow.clone(), PortableBot::BuiltIn("random".to_owned())];
    let first = RunningWorker::start(&nats, "first", 1);
    let answers = submit(&server, (1..=3).map(|number| order(number, bots())));
    first.await_match();
    first.stop.raise();
    assert_eq!(first.join(), Ended::Stopped);
    let remote = played(collect(&answers, 1).remove(0).1);
    assert_eq!(remote.worker, "first", "what was being played is finished");
    let _second = RunningWorker::start(&nats, "second", 1);
    for (_, answer) in collect(&answers, 2) {
        assert_eq!(played(answer).worker, "second");
    }
}
