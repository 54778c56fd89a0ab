//! What a player with a memory knows of the board: everything it has ever seen, however long ago.

use crate::kind::Kind;
use crate::view::{Seen, View};

/// The owner of a cell that was lost out of sight.
const SOMEBODY: u8 = u8::MAX;

/// The board as far as it is known.
#[derive(Default)]
pub(super) struct Memory {
    /// By index.
    pub(super) cells: Vec<Known>,
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
    /// Takes down what the player `me` has in sight. Memory is taken from the heap in the first turn alone, of which it
    /// says that it is one.
    pub(super) fn look(&mut self, view: View<'_>, me: u8) -> bool {
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
}
