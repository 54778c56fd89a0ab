//! What a player with a memory knows of the board: everything it has ever seen, however long ago.

use super::Step;
use crate::Board;
use crate::state::Kind;
use crate::view::{Seen, View};
use palestra_core::Seat;
use palestra_grid::Flood;

/// The owner of a cell that was lost out of sight.
const SOMEBODY: u8 = u8::MAX;
/// How far away from each other two capitals are thought to be.
const CAPITALS_APART: i64 = 15;
/// The first units wait in the capital until so many can leave together: they then take a cell with every step. Fewer on
/// a small board.
const FIRST_ARMY: u32 = 13;

/// The board as far as it is known.
#[derive(Default)]
pub(super) struct Memory {
    /// By index; the ring around the board is of mountains.
    pub(super) cells: Vec<Known>,
    /// Where the own capital is.
    pub(super) capital: usize,
    /// Whose memory it is.
    me: u8,
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
    /// Takes down what the player has in sight. Memory is taken from the heap in the first turn alone, of which it
    /// says that it is one.
    pub(super) fn look(&mut self, view: View<'_>, seat: Seat) -> bool {
        let me = seat.number();
        self.me = me;
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

    pub(super) fn known(&self, at: usize) -> Known {
        self.cells[at]
    }

    pub(super) fn mine(&self, at: usize) -> bool {
        self.known(at).owner == self.me
    }

    pub(super) fn enemy(&self, at: usize) -> bool {
        self.known(at).enemy_of(self.me)
    }

    /// Whether all but one of the units at a cell would take another.
    pub(super) fn beats(&self, from: usize, to: usize) -> bool {
        self.known(from).spare() > self.known(to).units
    }

    /// Whether the first units still wait in the capital.
    pub(super) fn waits(&self, view: View<'_>) -> bool {
        let share = view.board().area() as u32 / u32::from(view.players());
        view.own_cells().len() == 1 && self.known(self.capital).units < FIRST_ARMY.min(2 + share / 10)
    }

    /// An enemy's capital that falls at once.
    pub(super) fn take_capital(&self, view: View<'_>) -> Option<Step> {
        let falls = |from: usize, to: usize| self.known(to).capital && self.enemy(to) && self.beats(from, to);
        view.own().find_map(|from| {
            Some((from, view.board().neighbours(from).into_iter().find(|to| falls(from, *to))?))
        })
    }

    /// The attack on an army that is so many steps away from the own capital.
    pub(super) fn answer(&self, board: Board, danger: usize, steps: u16) -> Option<Step> {
        let attackers = board.neighbours(danger).into_iter().filter(|from| self.mine(*from));
        let from = attackers.max_by_key(|from| self.known(*from).units)?;
        let desperate = steps <= 2 && self.known(from).units > 2 && from != self.capital;
        (self.beats(from, danger) || desperate).then_some((from, danger))
    }

    /// What an army wants, by the ways from there: a capital, or the place where one may well be.
    pub(super) fn goal(&self, view: View<'_>, near: &Flood, far: &mut Flood) -> Option<usize> {
        let cells = || near.order[1..].iter().map(|at| usize::from(*at));
        let alive = |owner: u8| view.totals().nth(usize::from(owner) - 1).is_some_and(|total| total.land > 0);
        let capital =
            cells().find(|at| self.known(*at).capital && self.enemy(*at) && alive(self.known(*at).owner));
        if capital.is_some() {
            return capital;
        }
        let board = view.board();
        far.run(board, cells().filter(|at| self.enemy(*at)).map(|at| at as u16), |at| self.known(at).open());
        let met = !far.order.is_empty();
        cells()
            .filter(|at| !self.known(*at).seen)
            .min_by_key(|at| {
                let way = i64::from(near.steps(*at));
                match met {
                    true => way + 3 * i64::from(far.steps(*at)),
                    // Nobody puts two capitals close together.
                    false => way - 2 * steps_between(board, *at, self.capital).min(CAPITALS_APART),
                }
            })
            .or_else(|| cells().find(|at| self.enemy(*at)))
    }
}

/// Steps between two cells, if nothing is in the way.
pub(super) fn steps_between(board: Board, from: usize, to: usize) -> i64 {
    let ([row, column], [to_row, to_column]) = (board.place(from), board.place(to));
    (row - to_row).abs() + (column - to_column).abs()
}
