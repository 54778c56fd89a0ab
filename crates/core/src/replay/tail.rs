//! What a replay has got since somebody last looked: how live matches reach those who watch them.

use super::Replay;
use crate::fault::Fault;
use crate::seat::Seat;
use serde::{Deserialize, Serialize};

impl Replay {
    /// How much of it there is, for [`Tail::extend`].
    pub fn extent(&self) -> Extent {
        Extent {
            answers: self.answers.len(),
            times: self.times.len(),
            faults: self.head.faults.len(),
            departures: self.head.departures.len(),
        }
    }

    /// Adds what came after its end.
    pub fn append(&mut self, tail: Tail) {
        self.head.turns = tail.turns;
        self.answers.extend(tail.answers);
        self.times.extend(tail.times);
        self.head.faults.extend(tail.faults);
        self.head.departures.extend(tail.departures);
    }
}

/// How much of a match has been recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    answers: usize,
    times: usize,
    faults: usize,
    departures: usize,
}

/// The turns of a match since some moment, to be added to a copy of its replay that ends there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tail {
    turns: u32,
    answers: Vec<u8>,
    times: Vec<u8>,
    faults: Vec<(u32, Fault)>,
    departures: Vec<(u32, Seat)>,
}

impl Tail {
    /// Adds what the replay has got since it had this extent, at which the tail must end.
    pub fn extend(&mut self, replay: &Replay, since: Extent) {
        self.turns = replay.head.turns;
        self.answers.extend_from_slice(&replay.answers[since.answers..]);
        self.times.extend_from_slice(&replay.times[since.times..]);
        self.faults.extend_from_slice(&replay.head.faults[since.faults..]);
        self.departures.extend_from_slice(&replay.head.departures[since.departures..]);
    }

    /// Adds the turns that come behind its own.
    pub fn join(&mut self, later: Tail) {
        self.turns = later.turns;
        self.answers.extend(later.answers);
        self.times.extend(later.times);
        self.faults.extend(later.faults);
        self.departures.extend(later.departures);
    }

    /// Leaves only the kinds of its faults, and gives what they were.
    pub fn redact_faults(&mut self) -> Vec<(u32, Fault)> {
        let kinds = self.faults.iter().map(|(turn, fault)| (*turn, fault.kind_only())).collect();
        std::mem::replace(&mut self.faults, kinds)
    }

    /// How many turns there are at its end.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Bytes of everything in it, about.
    pub fn bytes(&self) -> usize {
        self.answers.len() + self.times.len() + self.faults.len() * size_of::<(u32, Fault)>()
    }

    /// Whether there is no turn in it.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }
}
