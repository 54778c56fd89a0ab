//! Remarks of the rules on what a player did: a skipped order, say. They never change the course of a game.

use crate::limits;
use crate::message::Message;
use crate::seat::Seat;

/// Something the rules have to say about an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The turn it belongs to, counted from 1 over all seats; 0 if it is about the whole match.
    pub turn: u32,
    /// Whom it is about.
    pub seat: Seat,
    /// The remark itself.
    pub what: Message,
}

/// The remarks about one seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatNotes {
    /// Those that were kept, in order.
    pub kept: Vec<Note>,
    /// How many there were, those that were not kept included.
    pub count: u32,
}

impl SeatNotes {
    /// Takes in a remark that does not come from the rules.
    pub fn push(&mut self, note: Note) {
        self.kept.push(note);
        self.count += 1;
    }
}

/// Where the rules put their remarks.
#[derive(Clone, Debug)]
pub struct Notes {
    keep: bool,
    turn: u32,
    kept: Vec<Note>,
    counts: [u32; limits::SEATS],
}

impl Notes {
    /// Keeps the remarks, up to `limits::NOTES_KEPT`.
    pub fn kept() -> Notes {
        Notes { keep: true, ..Notes::counted() }
    }

    /// Only counts them: for training and benchmarks.
    pub fn counted() -> Notes {
        Notes { keep: false, turn: 0, kept: Vec::new(), counts: [0; limits::SEATS] }
    }

    /// From now on remarks belong to this turn.
    pub fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
    }

    /// A remark about a seat. It is only made if it is kept.
    pub fn add<M: Into<Message>>(&mut self, seat: Seat, what: impl FnOnce() -> M) {
        self.counts[seat.index()] += 1;
        if self.keep && self.kept.len() < limits::NOTES_KEPT {
            self.kept.push(Note { turn: self.turn, seat, what: what().into() });
        }
    }

    /// The remarks about a seat.
    pub fn of(&self, seat: Seat) -> SeatNotes {
        let kept = self.kept.iter().filter(|note| note.seat == seat).cloned().collect();
        SeatNotes { kept, count: self.count(seat) }
    }

    /// How many remarks there were about a seat, the ones not kept included.
    pub fn count(&self, seat: Seat) -> u32 {
        self.counts[seat.index()]
    }

    /// The remarks kept, in order.
    pub fn list(&self) -> &[Note] {
        &self.kept
    }
}
