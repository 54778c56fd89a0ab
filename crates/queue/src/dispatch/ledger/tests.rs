//! What the ledger decides, without a queue.

use super::{Effect, Ledger, Policy};
use crate::limits;
use crate::messages::{Batch, MatchReply, ReplyKind, Trouble};
use crate::need::{Offer, own_system};
use crate::order::{Answer, MatchOrder, SeatOrder};
use crate::pack::PortableBot;
use palestra_core::{AnyGame as _, PlanRequest};
use palestra_generals::Generals;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SESSION: u64 = 7;

type Answers = Arc<Mutex<Vec<(u64, String)>>>;

/// A ledger, and what was answered.
fn ledger(give_back: bool) -> (Ledger, Answers) {
    (Ledger::new("run".to_owned(), SESSION, Policy { double_play: 0.0, give_back }), Answers::default())
}

fn order(number: u64) -> MatchOrder {
    let request = PlanRequest { changes: &[], map: None, players: 2, seed: 1 };
    let bot = PortableBot::BuiltIn("random".to_owned());
    let seat = || SeatOrder { name: "somebody".to_owned(), label: None, bot: bot.clone() };
    MatchOrder::new(number, &Generals, Generals.plan(&request).unwrap(), vec![seat(), seat()])
}

fn submit(ledger: &mut Ledger, answers: &Answers, numbers: impl Iterator<Item = u64>) {
    for number in numbers {
        let answers = Arc::clone(answers);
        let told = move |answer: Answer| {
            let word = match answer {
                Answer::Played(_) => "played".to_owned(),
                Answer::Failed(why) => why,
                Answer::NotPlayed => "not played".to_owned(),
            };
            answers.lock().unwrap().push((number, word));
        };
        ledger.submit(order(number), Box::new(told));
    }
}

/// The batches among what has to be done; answers are given.
fn batches(effects: Vec<Effect>) -> Vec<Batch> {
    let batch = |effect| match effect {
        Effect::Publish(batch, ..) => Some(*batch),
        Effect::Answer(done, answer) => {
            done(answer);
            None
        }
        _ => None,
    };
    effects.into_iter().filter_map(batch).collect()
}

fn flush(ledger: &mut Ledger) -> Vec<Batch> {
    batches(ledger.flush(Instant::now()))
}

fn reply(ledger: &mut Ledger, batch: &Batch, what: &ReplyKind) {
    let reply =
        |task: &crate::messages::Task| MatchReply { number: task.number, attempt: 0, what: what.clone() };
    let effects = ledger.arrived("worker", batch.id, batch.tasks.iter().map(reply).collect());
    assert!(batches(effects).is_empty());
}

fn offer(ledger: &mut Ledger, places: u32, now: Instant) {
    let info = Generals.info();
    let offer = Offer {
        name: "worker".to_owned(),
        session: 1,
        version: String::new(),
        format: crate::messages::FORMAT,
        rules: [(info.id.to_owned(), info.rules_version)].into(),
        toolchains: Default::default(),
        sandboxes: vec!["off".to_owned()],
        system: own_system(),
        places,
        speed: 1.0,
        playing: 0,
        played: 0,
    };
    ledger.offered(offer, now);
}

#[test]
fn short_matches_travel_together_and_few_are_spread_over_all_places() {
    let (mut ledger, answers) = ledger(false);
    offer(&mut ledger, 4, Instant::now());
    submit(&mut ledger, &answers, 0..8);
    assert!(flush(&mut ledger).iter().all(|batch| batch.tasks.len() == 1), "nobody knows how long they take");
    ledger.pace = Some(2_000.0);
    submit(&mut ledger, &answers, 8..3000);
    let most = limits::BATCH_TIME.as_micros() as usize / 2_000;
    let sizes: Vec<usize> = flush(&mut ledger).iter().map(|batch| batch.tasks.len()).collect();
    assert!(sizes[..sizes.len() - 1].iter().all(|size| *size == most), "{sizes:?}");
    assert_eq!(sizes.iter().sum::<usize>(), 2992);
    batches(ledger.withdraw());
    submit(&mut ledger, &answers, 3000..3020);
    let sizes: Vec<usize> = flush(&mut ledger).iter().map(|batch| batch.tasks.len()).collect();
    assert_eq!(sizes, [3, 3, 3, 3, 3, 3, 2], "two for each place, so that none waits long for the last");
    ledger.pace = Some(1_000_000.0);
    submit(&mut ledger, &answers, 4000..4010);
    assert_eq!(flush(&mut ledger).len(), 10, "long ones travel alone");
}

#[test]
fn a_match_that_was_lost_travels_alone_and_is_set_aside_in_the_end() {
    let (mut ledger, answers) = ledger(false);
    ledger.pace = Some(1_000.0);
    submit(&mut ledger, &answers, 0..6);
    let first = flush(&mut ledger);
    assert_eq!(first.iter().map(|batch| batch.tasks.len()).collect::<Vec<_>>(), [3, 3]);
    reply(&mut ledger, &first[0], &ReplyKind::Lost(1));
    // What is said again about a sending that is over changes nothing.
    reply(&mut ledger, &first[0], &ReplyKind::Lost(1));
    let second = flush(&mut ledger);
    assert_eq!(second.iter().map(|batch| (batch.tasks.len(), batch.losses)).collect::<Vec<_>>(), [(1, 1); 3]);
    reply(&mut ledger, &first[0], &ReplyKind::Lost(1));
    reply(&mut ledger, &second[1], &ReplyKind::Lost(2));
    let third = flush(&mut ledger);
    assert_eq!((third.len(), third[0].tasks[0].number), (1, second[1].tasks[0].number));
    let effects = ledger.arrived(
        "worker",
        third[0].id,
        vec![MatchReply { number: third[0].tasks[0].number, attempt: 0, what: ReplyKind::Lost(3) }],
    );
    batches(effects);
    let answers = answers.lock().unwrap();
    assert!(answers.len() == 1 && answers[0].1.contains("3 workers were lost"), "{answers:?}");
}

#[test]
fn what_was_returned_is_sent_again_and_counts_as_no_loss() {
    let (mut ledger, answers) = ledger(false);
    submit(&mut ledger, &answers, 0..1);
    for _ in 0..10 {
        let sent = flush(&mut ledger);
        assert_eq!((sent.len(), sent[0].losses), (1, 0));
        reply(&mut ledger, &sent[0], &ReplyKind::Returned);
    }
    assert!(answers.lock().unwrap().is_empty());
}

#[test]
fn a_match_that_nobody_can_play_fails_with_the_reason() {
    let (mut ledger, answers) = ledger(false);
    submit(&mut ledger, &answers, 0..1);
    for _ in 0..limits::TRIES {
        let sent = flush(&mut ledger);
        let trouble = ReplyKind::Trouble(Trouble::Other("no disk".to_owned()));
        reply(&mut ledger, &sent[0], &trouble);
    }
    let answers = answers.lock().unwrap();
    assert!(
        answers.len() == 1
            && answers[0].1.contains("worker worker could not play it")
            && answers[0].1.contains("no disk")
    );
}

#[test]
fn an_empty_queue_is_filled_and_another_session_is_not_heard() {
    let (mut ledger, answers) = ledger(false);
    submit(&mut ledger, &answers, 0..5);
    let before = flush(&mut ledger);
    let mut foreign = before[0].clone();
    foreign.id.session += 1;
    reply(&mut ledger, &foreign, &ReplyKind::Returned);
    assert!(flush(&mut ledger).is_empty());
    ledger.refill();
    let mut again: Vec<u64> = flush(&mut ledger).iter().map(|batch| batch.tasks[0].number).collect();
    again.sort_unstable();
    assert_eq!(again, [0, 1, 2, 3, 4]);
}

#[test]
fn what_no_worker_can_play_comes_back_after_a_while() {
    let (mut ledger, answers) = ledger(true);
    let start = Instant::now();
    offer(&mut ledger, 1, start);
    submit(&mut ledger, &answers, 0..2);
    flush(&mut ledger);
    batches(ledger.sweep(start + Duration::from_secs(1)));
    assert!(answers.lock().unwrap().is_empty(), "somebody is there");
    let gone = start + 2 * limits::WORKER_GONE;
    batches(ledger.sweep(gone));
    assert!(answers.lock().unwrap().is_empty(), "it may come back");
    batches(ledger.sweep(gone + limits::WORKER_GONE));
    let mut told = answers.lock().unwrap().clone();
    told.sort();
    assert_eq!(told, [(0, "not played".to_owned()), (1, "not played".to_owned())]);
}
