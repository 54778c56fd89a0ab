//! What a player with a memory knows of the board: everything it has ever seen, however long ago.

use crate::kind::Kind;
use crate::view::{Seen, View};
use palestra_core::Seat;

/// The owner of a cell that was lost out of sight.
const SOMEBODY: u8 = u8::MAX;

/// The board as far as it is known.
#[derive(Default)]
pub(super) struct Memory {
    /// By index.
    pub(super) cells: Vec<Known>,
    /// Whose memory it is.
    me: u8,
}

/// What was seen of a cell, however long ago.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// When it was last in sight, plus one; 0 is never.
    pub(super) seen: u32,
    /// What it is, or the best guess: a mountain if it is no plain and was never in sight.
    pub(super) kind: Kind,
    pub(super) owner: u8,
    pub(super) units: u32,
    pub(super) wall: bool,
}

impl Known {
    /// Whether it belongs to somebody else than `me`.
    pub(super) fn enemy_of(self, me: u8) -> bool {
        self.owner != 0 && self.owner != me
    }
}

impl Memory {
    /// Takes down what the player has in sight. Memory is taken from the heap in the first turn alone, of which it
    /// says that it is one.
    pub(super) fn look(&mut self, view: View<'_>, seat: Seat) -> bool {
        let me = seat.number();
        self.me = me;
        let board = view.board();
        let first = self.cells.len() != board.indexes();
        if first {
            let nothing = Known { seen: 0, kind: Kind::Mountain, owner: 0, units: 0, wall: false };
            self.cells = vec![nothing; board.indexes()];
        }
        for (span, row) in board.spans().zip(view.rows()) {
            for (known, seen) in self.cells[span].iter_mut().zip(row) {
                match seen {
                    Seen::Clear { kind, owner, units, wall, .. } => {
                        *known = Known { seen: view.tick() + 1, kind, owner, units, wall };
                    }
                    Seen::Hidden { plain } => {
                        if plain {
                            known.kind = Kind::Plain;
                        } else if known.kind == Kind::Plain && known.seen > 0 {
                            known.kind = Kind::City;
                        }
                        if known.owner == me {
                            known.owner = SOMEBODY;
                        }
                    }
                }
            }
        }
        first
    }

    pub(super) fn known(&self, at: usize) -> Known {
        self.cells[at]
    }

    pub(super) fn units(&self, at: usize) -> u32 {
        self.known(at).units
    }

    pub(super) fn own(&self, at: usize) -> bool {
        self.known(at).owner == self.me
    }

    pub(super) fn enemy(&self, at: usize) -> bool {
        self.known(at).enemy_of(self.me)
    }

    /// Whether a capital of somebody else is known.
    pub(super) fn knows_capital(&self) -> bool {
        self.others_capitals().next().is_some()
    }

    /// The fewest units that a known capital of somebody else is thought to hold: some of what grew since it was seen
    /// has gone out again.
    pub(super) fn weakest_capital(&self, tick: u32) -> Option<u32> {
        self.others_capitals().map(|known| known.units + (tick + 1 - known.seen) / 2).min()
    }

    fn others_capitals(&self) -> impl Iterator<Item = &Known> {
        self.cells.iter().filter(|cell| cell.kind == Kind::Capital && cell.owner != self.me && cell.seen > 0)
    }
}
