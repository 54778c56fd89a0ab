//! Answers of bots: whatever comes is read, or refused, and never half of each.
//!
//! The first byte chooses the game, the second the moment, the third how the answer is cut.

use crate::choose_game;
use palestra_core::limits::ANSWER_BYTES;
use palestra_core::{
    AnyGame, AnyState, Entrant, Exit, Eye, Heard, Match, Next, Outcome, Parsed, PlanRequest, Replay, Seat,
    Spent, TimeControl,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Turns of the moments in which answers are tried.
const MOMENTS: [usize; 4] = [0, 1, 40, 150];

/// Bytes that a bot writes.
pub fn answers(bytes: &[u8]) {
    let Some((game, rest)) = choose_game(bytes) else { return };
    let Some((&[moment, size], answer)) = rest.split_first_chunk() else { return };
    let mut table = table_at(game, usize::from(moment) % MOMENTS.len());
    if let Some(seat) = table.to_move() {
        read(&mut *table, seat, answer);
    }
    let whole = played(game, answer, usize::MAX);
    let pieces = played(game, answer, usize::from(size).max(1));
    assert_eq!(course(&whole), course(&pieces), "the same bytes in pieces of {size}");
}

/// Reads an answer, whole and cut off at every place, and carries it out.
fn read(table: &mut dyn AnyState, seat: Seat, answer: &[u8]) {
    for end in 0..answer.len().min(300) {
        match table.parse(seat, &answer[..end]) {
            Parsed::NeedMore => {}
            done @ Parsed::Done { .. } => assert_eq!(table.parse(seat, answer), done, "cut at {end}"),
            Parsed::Malformed { .. } => {
                let whole = table.parse(seat, answer);
                assert!(matches!(whole, Parsed::Malformed { .. }), "cut at {end}: {whole:?}");
            }
        }
    }
    let Parsed::Done { used } = table.parse(seat, answer) else { return };
    assert!(0 < used && used <= answer.len());
    let (mut recorded, mut text, mut again) = (Vec::new(), Vec::new(), Vec::new());
    table.encode_answer(&mut recorded);
    assert!(recorded.len() <= ANSWER_BYTES, "what is recorded is no longer than what was said");
    table.write_answer(&mut text);
    assert_eq!(table.parse(seat, &text), Parsed::Done { used: text.len() });
    table.encode_answer(&mut again);
    assert_eq!(recorded, again, "an answer reads as it is written");
    assert_eq!(table.decode_answer(&recorded), Some(recorded.len()));
    table.apply(seat, 1);
    for eye in [Eye::Spectator, Eye::Seat(seat)] {
        table.frame(eye);
    }
}

/// What a match came to. A fault shows what had come in by then, which is not the same for pieces.
fn course(replay: &Replay) -> (u32, &Outcome, [u8; 32], Vec<(u32, &'static str)>) {
    let faults = replay.head.faults.iter().map(|(turn, fault)| (*turn, fault.kind())).collect();
    (replay.head.turns, &replay.head.outcome, replay.head.digest, faults)
}

/// Plays a match in which these bytes are all that one seat says, in pieces of this size.
fn played(game: &dyn AnyGame, said: &[u8], size: usize) -> Replay {
    let mut running = begin(game, true);
    let mut rest = said.chunks(size);
    loop {
        let seat = match running.next() {
            Next::Over => return running.finish(Vec::new()).expect("it is over").1,
            Next::Moved(_) => continue,
            Next::Ask(seat, _) => seat,
        };
        running.outbox(seat).clear();
        let mut heard = match running.wrote_ahead(seat) {
            true => running.receive(seat, b"", Spent::NOTHING),
            false => Heard::Waiting,
        };
        while heard == Heard::Waiting {
            heard = match rest.next() {
                Some(piece) => running.receive(seat, piece, Spent::NOTHING),
                None => running.closed(seat, Exit::ClosedOutput, Spent::NOTHING),
            };
        }
    }
}

/// A match on a small map: one outside seat or none, and players that play at random.
fn begin(game: &dyn AnyGame, outside: bool) -> Match {
    let map = game.maps().iter().min_by_key(|map| map.text.len()).map(|map| map.text);
    let plan = game.plan(&PlanRequest { changes: &[], map, players: 2, seed: 7 }).expect("a map that ships");
    let built_ins = game.built_ins();
    let random = built_ins.iter().find(|built_in| built_in.name.contains("random")).unwrap_or(&built_ins[0]);
    let entrants: Vec<Entrant> = (0..plan.seats)
        .map(|index| match outside && index == 0 {
            true => Entrant::outside("stranger"),
            false => Entrant::built_in(random.name),
        })
        .collect();
    Match::new(game, plan, &entrants, TimeControl::Unlimited).expect("a match")
}

/// The game as it stands at one of the moments, or at its end if that is earlier.
fn table_at(game: &'static dyn AnyGame, moment: usize) -> Box<dyn AnyState> {
    type Moments = BTreeMap<&'static str, Vec<Box<dyn AnyState>>>;
    thread_local! {
        static MADE: RefCell<Moments> = const { RefCell::new(BTreeMap::new()) };
    }
    MADE.with_borrow_mut(|made| {
        let moments = made.entry(game.info().id).or_insert_with(|| {
            let at = |turns: &usize| {
                let mut running = begin(game, false);
                for _ in 0..*turns {
                    running.next();
                }
                running.state().fork()
            };
            MOMENTS.iter().map(at).collect()
        });
        moments[moment].fork()
    })
}
