//! What a player with a memory knows of the board: everything it has ever seen, however long ago.

use crate::state::Kind;
use crate::view::{Seen, View};

/// The owner of a cell that was lost out of sight.
const SOMEBODY: u8 = u8::MAX;

/// The board as far as it is known.
#[derive(Default)]
pub(super) struct Memory {
    /// By index; the ring around the board is of mountains.
    pub(super) cells: Vec<Known>,
    /// Where the own capital is.
    pub(super) capital: usize,
}

/// What was seen of a cell, however long ago.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    /// Whether it was ever in sight.
    pub(super) seen: bool,
    /// Mountain, or city, or one of both that was never in sight.
    pub(super) obstacle: bool,
    pub(super) mountain: bool,
    pub(super) capital: bool,
    pub(super) owner: u8,
    pub(super) units: u32,
}

impl Known {
    /// Whether an army walks through, rather than having to lay siege to it.
    pub(super) fn open(self) -> bool {
        !self.obstacle || (self.seen && !self.mountain && self.owner != 0)
    }

    /// Whether it belongs to somebody else than `me`.
    pub(super) fn enemy_of(self, me: u8) -> bool {
        self.owner != 0 && self.owner != me
    }

    /// What can leave it.
    pub(super) fn spare(self) -> u32 {
        self.units.saturating_sub(1)
    }
}

impl Memory {
    /// Takes down what the player `me` has in sight. Memory is taken from the heap in the first turn alone, of which it
    /// says that it is one.
    pub(super) fn look(&mut self, view: View<'_>, me: u8) -> bool {
        let board = view.board();
        let first = self.cells.len() != board.indexes();
        if first {
            let ring = Known { seen: true, obstacle: true, mountain: true, ..Known::default() };
            self.cells = vec![ring; board.indexes()];
            board.cells().for_each(|at| self.cells[at] = Known::default());
        }
        for (span, row) in board.spans().zip(view.rows()) {
            for (at, seen) in span.zip(row) {
                let known = &mut self.cells[at];
                match seen {
                    Seen::Hidden { obstacle } => {
                        // A capital that looks like a city from afar has fallen.
                        known.capital &= !obstacle;
                        known.obstacle = obstacle;
                        if known.owner == me {
                            // Own cells are always in sight: somebody has taken it.
                            known.owner = SOMEBODY;
                        }
                    }
                    Seen::Plain { kind, owner, units } => {
                        *known = Known {
                            seen: true,
                            obstacle: matches!(kind, Kind::City | Kind::Mountain),
                            mountain: kind == Kind::Mountain,
                            capital: kind == Kind::Capital,
                            owner,
                            units,
                        };
                        if known.capital && owner == me {
                            self.capital = at;
                        }
                    }
                }
            }
        }
        first
    }
}
