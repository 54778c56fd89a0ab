//! A door for fuzzers: both dialects against bytes and moments of anybody's choice, and what must hold whatever comes.

use super::Disconnect;
use super::bridge::Bridge;
use super::dialect::{Dialect, Received};
use super::lines::{LineDialect, Words};
use crate::api::MatchKind;
use crate::ids::MatchId;
use crate::play::{MatchEnd, MatchResult, MatchStart};
use palestra_core::AnyGame;
use std::time::{Duration, Instant};

/// What happens to a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// The client sends bytes.
    Hear(&'a [u8]),
    /// A match begins.
    Begin,
    /// The match sends bytes to the client.
    Packet(&'a [u8]),
    /// The match is over.
    Over,
    /// The session asks whether the client is free again.
    Settle,
    /// Time passes.
    Wait(Duration),
}

/// Goes through these steps with a client of a contest that has its own lines; what it sends comes whole, and again in
/// pieces of `size` bytes.
pub fn lines(game: &'static dyn AnyGame, steps: &[Step<'_>], size: usize) {
    let words = Words::of(&[game]).expect("a game with clients of its own");
    same(|| LineDialect::new(words), steps, size);
}

/// The same with a client that is a bridge.
pub fn bridge(steps: &[Step<'_>], size: usize) {
    same(Bridge::default, steps, size);
}

fn same<D: Dialect>(new: impl Fn() -> D, steps: &[Step<'_>], size: usize) {
    let (mut whole, mut pieces) = (new(), new());
    let mut now = Instant::now();
    for step in steps {
        if let Step::Wait(time) = step {
            now += *time;
        }
        let one = take(&mut whole, *step, usize::MAX, now);
        let other = take(&mut pieces, *step, size.max(1), now);
        assert_eq!(one, other, "{step:?} in pieces of {size}");
        if one.is_err() {
            return;
        }
    }
}

/// What a step brings: what was received, what is sent, and until when something is owed.
type Taken = (Received, Vec<u8>, Option<Instant>);

fn take<D: Dialect>(dialect: &mut D, step: Step<'_>, size: usize, now: Instant) -> Result<Taken, Disconnect> {
    let mut received = Received::default();
    let mut sent = Vec::new();
    let mut owed = None;
    match step {
        Step::Hear(bytes) => {
            for piece in bytes.chunks(size) {
                dialect.hear(piece, now, &mut received)?;
            }
            assert!(
                received.answer.len() <= bytes.len() + crate::limits::LINE_BYTES,
                "an answer out of nothing"
            );
        }
        Step::Begin => {
            let names = ["anna", "b c\n"].map(str::to_owned).to_vec();
            let game = "game".to_owned();
            let start = MatchStart { number: MatchId(1), game, seat: 1, names, kind: MatchKind::Scored };
            sent = dialect.begin(&start, &mut received);
            assert!(sent.is_empty() || sent.ends_with(b"\n"));
        }
        Step::Packet(bytes) => sent = dialect.packet(bytes.to_vec(), now),
        Step::Over => {
            let words = "it is\nover".to_owned();
            sent = dialect.over(&MatchEnd { result: MatchResult::Lost, words });
        }
        Step::Settle => owed = dialect.settle(now)?,
        Step::Wait(_) => {}
    }
    Ok((received, sent, owed))
}
