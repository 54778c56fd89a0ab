//! Results that are not what was asked for, or come more than once.

use crate::by_hand::{ByHand, honest, replay_of, reply};
use crate::support::{RunningWorker, await_notice, built_ins, collect, dispatcher, order, played, submit};
use palestra_core::{Fate, Replay};
use palestra_queue::Notice;
use palestra_queue::messages::{Batch, Hash, MatchReply, PlayedReply, ReplyKind};
use palestra_testkit::NatsServer;

/// One way to cheat, and what the organiser is told about it.
type Forgery = (&'static str, fn(&mut Replay));

const FORGERIES: [Forgery; 7] = [
    ("ends with another result", |replay| replay.head.outcome.placings.swap(0, 1)),
    ("ends with another result", |replay| replay.head.outcome.placings[0].fate = Fate::Disqualified),
    ("ends in another state", |replay| replay.head.digest[0] ^= 1),
    ("the seed is not what was asked for", |replay| replay.head.plan.seed += 1),
    ("the time control is not", |replay| replay.head.time = palestra_core::TimeControl::Unlimited),
    ("who plays is not", |replay| replay.head.bots[0] = "somebody".to_owned()),
    ("the version of the rules is not", |replay| replay.head.rules_version += 1),
];

/// What is wrong with a result.
type Wrong = Box<dyn Fn(&Batch) -> MatchReply>;

#[test]
fn a_forged_result_is_refused_and_its_worker_named() {
    let forged = |(said, forge): Forgery| {
        let wrong = move |batch: &Batch| {
            let mut replay = replay_of(batch, &batch.tasks[0], str::to_owned);
            forge(&mut replay);
            reply(&batch.tasks[0], replay.to_bytes().unwrap())
        };
        (said, Box::new(wrong) as Wrong)
    };
    check_refused(FORGERIES.map(forged).into());
}

#[test]
fn what_is_no_replay_or_another_program_is_refused() {
    let changed = |change: fn(&mut PlayedReply)| {
        let wrong = move |batch: &Batch| {
            let mut reply = honest(batch, &batch.tasks[0]);
            let ReplyKind::Played(played) = &mut reply.what else { panic!("it was played") };
            change(played);
            reply
        };
        Box::new(wrong) as Wrong
    };
    check_refused(vec![
        ("the replay is damaged", changed(|played| played.replay.truncate(100))),
        (
            "another program was played on seat 1",
            changed(|played| played.seats[0].pack = Some(Hash::of(b"another"))),
        ),
        ("the version of its file", changed(|played| played.replay[8] = 3)),
    ]);
}

/// Each comes from a worker of its own, which is named; in the end somebody honest plays everything.
fn check_refused(all: Vec<(&str, Wrong)>) {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let answers = submit(&server, (1..=all.len() as u64).map(|number| order(number, built_ins())));
    let count = all.len();
    for (number, (said, wrong)) in all.into_iter().enumerate() {
        let mut cheat = ByHand::new(&nats, &format!("cheat-{number}"));
        let (batch, message) = cheat.take();
        cheat.send(&batch, vec![wrong(&batch)]);
        cheat.ack(&message);
        let text = await_notice(&server, |notice| matches!(notice, Notice::Refused { .. })).to_string();
        assert!(
            text.contains(&format!("worker cheat-{number} is set aside")) && text.contains(said),
            "{text}"
        );
        // Whatever else it says does not count either, true or not.
        let (batch, message) = cheat.take();
        cheat.send(&batch, vec![honest(&batch, &batch.tasks[0])]);
        cheat.ack(&message);
    }
    let _honest = RunningWorker::start(&nats, "honest", 1);
    collect(&answers, count).into_iter().for_each(|(_, answer)| assert_eq!(played(answer).worker, "honest"));
}

#[test]
fn results_count_once_in_whatever_order_and_number_they_come() {
    let nats = NatsServer::start();
    let server = dispatcher(&nats);
    let mut worker = ByHand::new(&nats, "stutterer");
    let answers = submit(&server, (1..=6).map(|number| order(number, built_ins())));
    let mut taken: Vec<_> = (0..6).map(|_| worker.take()).collect();
    taken.reverse();
    for _ in 0..3 {
        for (batch, _) in &taken {
            let replies = batch.tasks.iter().map(|task| honest(batch, task)).collect();
            worker.send(batch, replies);
        }
    }
    let numbers: Vec<u64> = collect(&answers, 6)
        .into_iter()
        .map(|(number, answer)| {
            played(answer);
            number
        })
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    // One more goes through behind everything that came twice.
    let last = submit(&server, [order(7, built_ins())]);
    let (batch, _) = worker.take();
    worker.send(&batch, vec![honest(&batch, &batch.tasks[0])]);
    played(collect(&last, 1).remove(0).1);
    assert!(answers.try_recv().is_err(), "nothing counts twice");
}
