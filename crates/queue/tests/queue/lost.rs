//! The queue loses things, or holds the wrong ones.

use crate::by_hand::ByHand;
use crate::support::{
    RunningWorker, SLOW, await_notice, built_ins, collect, dispatcher, file, order, played, submit,
};
use palestra_queue::streams::OBJECTS;
use palestra_queue::{Notice, PortableBot};
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
    let PortableBot::Program(pack) = &slow else { panic!("it is a program") };
    let server = dispatcher(&nats);
    let swapper = ByHand::new(&nats, "swapper");
    swapper.runtime.block_on(async {
        let store = swapper.context.get_object_store(OBJECTS).await.unwrap();
        let other = vec![7; pack.bytes.len()];
        store.put(pack.hash.to_string().as_str(), &mut &other[..]).await.unwrap();
    });
    let _worker = RunningWorker::start(&nats, "one", 1);
    let answers = submit(&server, [order(1, [slow.clone(), PortableBot::BuiltIn("random".to_owned())])]);
    // The worker refuses it, and the server puts the right one there.
    let remote = played(collect(&answers, 1).remove(0).1);
    assert!(remote.played.faults.is_empty(), "{:?}", remote.played.faults);
}
