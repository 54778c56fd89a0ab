//! The queue loses things, or holds the wrong ones.

use crate::by_hand::ByHand;
use crate::support::{
    RunningWorker, SLOW, address, await_notice, built_ins, collect, dispatcher, file, options, order, played,
    submit,
};
use async_nats::jetstream::AckKind;
use futures_util::TryStreamExt as _;
use palestra_queue::streams::OBJECTS;
use palestra_queue::{DispatchOptions, Dispatcher, Notice, PortableBot};
use palestra_testkit::NatsServer;

#[test]
fn a_queue_that_comes_back_empty_is_filled_again() {
    let mut nats = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slow.py"), SLOW).unwrap();
    let server = dispatcher(&nats);
    let slow = file(&folder.path().join("slow.py"));
    let worker = RunningWorker::start(&nats, "one", 1);
    let bots = || [slow.clone(), PortableBot::BuiltIn("random".to_owned())];
    let answers = submit(&server, (1..=3).map(|number| order(number, bots())));
    worker.await_match();
    nats.kill();
    nats.lose_everything();
    nats.resume();
    let all = collect(&answers, 3);
    assert_eq!(all.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3]);
    all.into_iter().for_each(|(_, answer)| drop(played(answer)));
    await_notice(&server, |notice| matches!(notice, Notice::Refilled { .. }));
}

#[test]
fn a_server_that_waits_for_its_queue_has_matches_played_as_soon_as_it_is_there() {
    let mut nats = NatsServer::start();
    nats.kill();
    assert!(Dispatcher::connect(&address(&nats), options()).is_err(), "others are told at once");
    let patient = DispatchOptions { patient: true, ..options() };
    let server = Dispatcher::connect(&address(&nats), patient).unwrap();
    let answers = submit(&server, [order(1, built_ins())]);
    nats.resume();
    let _worker = RunningWorker::start(&nats, "one", 1);
    assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "one");
}

#[test]
fn work_that_nobody_has_any_more_is_sent_again() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let thief = ByHand::new(&nats, "thief");
    let answers = submit(&server, [order(1, built_ins())]);
    let (_, message) = thief.take();
    // It says that all is done, and nothing ever comes.
    thief.ack(&message);
    let _worker = RunningWorker::start(&nats, "one", 1);
    assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "one");
}

#[test]
fn a_program_that_is_another_one_is_not_played() {
    let nats = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("slow.py"), SLOW).unwrap();
    let slow = file(&folder.path().join("slow.py"));
    let server = dispatcher(&nats);
    let answers = submit(&server, [order(1, [slow, PortableBot::BuiltIn("random".to_owned())])]);
    let swapper = ByHand::new(&nats, "swapper");
    let (_, message) = swapper.take();
    swapper.runtime.block_on(async {
        let stream = swapper.context.get_stream(OBJECTS).await.unwrap();
        let mut subjects = stream.info_with_subjects("palestra.object.>").await.unwrap();
        let (subject, _) = subjects.try_next().await.unwrap().expect("the program is there");
        swapper.context.publish(subject, vec![7; 2048].into()).await.unwrap().await.unwrap();
        message.ack_with(AckKind::Nak(None)).await.unwrap();
    });
    let _worker = RunningWorker::start(&nats, "one", 1);
    // The worker refuses it, and the server puts the right one there.
    let remote = played(collect(&answers, 1).remove(0).1);
    assert!(remote.played.faults.is_empty(), "{:?}", remote.played.faults);
}
