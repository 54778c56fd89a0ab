//! Results that are not what was asked for, or come more than once.

use crate::by_hand::{ByHand, honest, replay_of, reply};
use crate::support::{RunningWorker, await_notice, built_ins, collect, dispatcher, order, played, submit};
use palestra_core::{Fate, Replay};
use palestra_queue::Notice;
use palestra_queue::messages::{Hash, MatchReply, ReplyKind};
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

#[test]
fn a_forged_result_is_refused_and_its_worker_named() {
    for (said, forge) in FORGERIES {
        let nats = NatsServer::start();
        let server = dispatcher(&nats);
        let mut cheat = ByHand::new(&nats, "cheat");
        let answers = submit(&server, [order(1, built_ins())]);
        let (batch, message) = cheat.take();
        let mut replay = replay_of(&batch, &batch.tasks[0], str::to_owned);
        forge(&mut replay);
        cheat.send(&batch, vec![reply(&batch.tasks[0], replay.to_bytes().unwrap())]);
        cheat.ack(&message);
        let notice = await_notice(&server, |notice| matches!(notice, Notice::Refused { .. }));
        let text = notice.to_string();
        assert!(text.contains("worker cheat is set aside") && text.contains(said), "{text}");
        // Whatever else it says does not count either, true or not.
        let (batch, message) = cheat.take();
        cheat.send(&batch, vec![honest(&batch, &batch.tasks[0])]);
        cheat.ack(&message);
        let _honest = RunningWorker::start(&nats, "honest", 1);
        assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "honest");
    }
}

#[test]
fn what_is_no_replay_or_another_program_is_refused() {
    let wrong: [fn(MatchReply) -> MatchReply; 2] = [
        |mut reply| {
            let ReplyKind::Played(played) = &mut reply.what else { panic!("it was played") };
            played.replay.truncate(100);
            reply
        },
        |mut reply| {
            let ReplyKind::Played(played) = &mut reply.what else { panic!("it was played") };
            played.seats[0].pack = Some(Hash::of(b"another program"));
            reply
        },
    ];
    for wrong in wrong {
        let nats = NatsServer::start();
        let server = dispatcher(&nats);
        let mut cheat = ByHand::new(&nats, "cheat");
        let answers = submit(&server, [order(1, built_ins())]);
        let (batch, message) = cheat.take();
        cheat.send(&batch, vec![wrong(honest(&batch, &batch.tasks[0]))]);
        cheat.ack(&message);
        await_notice(&server, |notice| matches!(notice, Notice::Refused { worker, .. } if worker == "cheat"));
        let _honest = RunningWorker::start(&nats, "honest", 1);
        assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "honest");
    }
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
