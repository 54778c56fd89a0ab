//! Walking distances on a padded board, for players: buffers are made once and filled again.

use crate::board::Board;
use std::iter;

/// Not reached, or no cell.
pub const NONE: u16 = u16::MAX;

/// Walking distances from some cells.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    cells: Vec<Reached>,
    /// The cells that were reached, the nearest first.
    pub order: Vec<u16>,
}

/// Both together, so that reaching a cell is a single store.
#[derive(Clone, Copy, Debug)]
struct Reached {
    steps: u16,
    back: u16,
}

/// What is found at a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// No way.
    Closed,
    /// A way.
    Open,
    /// What was looked for.
    Goal,
}

impl Flood {
    /// Buffers for this board.
    pub fn new<const FIRST: i64>(board: Board<FIRST>) -> Flood {
        let cells = vec![Reached { steps: NONE, back: NONE }; board.indexes()];
        Flood { cells, order: Vec::with_capacity(board.indexes()) }
    }

    /// Makes the buffers, unless they are for this board already. Otherwise they are made when they are first used.
    #[inline]
    pub fn fit<const FIRST: i64>(&mut self, board: Board<FIRST>) {
        if self.cells.len() != board.indexes() {
            *self = Flood::new(board);
        }
    }

    /// Goes from the cells of `sources` wherever it is open, and stops at the first goal, which is given back. Looks at
    /// every cell once at most.
    #[inline]
    pub fn search<const FIRST: i64>(
        &mut self,
        board: Board<FIRST>,
        sources: impl IntoIterator<Item = u16>,
        look: impl Fn(usize) -> Look,
    ) -> Option<usize> {
        self.fit(board);
        self.cells.fill(Reached { steps: NONE, back: NONE });
        self.order.clear();
        for source in sources {
            // A source may be named more than once.
            let cell = &mut self.cells[usize::from(source)];
            if cell.steps == NONE {
                cell.steps = 0;
                self.order.push(source);
            }
        }
        let mut head = 0;
        while let Some(&at) = self.order.get(head) {
            head += 1;
            let steps = self.cells[usize::from(at)].steps + 1;
            for next in board.neighbours(usize::from(at)) {
                if self.cells[next].steps != NONE {
                    continue;
                }
                let found = look(next);
                if found != Look::Closed {
                    self.cells[next] = Reached { steps, back: at };
                    self.order.push(next as u16);
                }
                if found == Look::Goal {
                    return Some(next);
                }
            }
        }
        None
    }

    /// Goes from the cells of `sources` wherever it is open.
    #[inline]
    pub fn run<const FIRST: i64>(
        &mut self,
        board: Board<FIRST>,
        sources: impl IntoIterator<Item = u16>,
        open: impl Fn(usize) -> bool,
    ) {
        self.search(board, sources, |at| if open(at) { Look::Open } else { Look::Closed });
    }

    /// How far away a cell is; [`NONE`] if it was not reached.
    #[inline]
    pub fn steps(&self, at: usize) -> u16 {
        self.cells[at].steps
    }

    /// The next cell on the way back from one that was reached; [`NONE`] for those it began at.
    #[inline]
    pub fn back(&self, at: usize) -> u16 {
        self.cells[at].back
    }

    /// The cells that were reached in at most so many steps, the nearest first, and their steps.
    pub fn within(&self, steps: u16) -> impl Iterator<Item = (usize, u16)> {
        let cells = self.order.iter().map(|at| usize::from(*at));
        cells.map(|at| (at, self.steps(at))).take_while(move |(_, taken)| *taken <= steps)
    }

    /// The way back from a cell that was reached: the next cell of it, and so on to where it began.
    pub fn way_back(&self, at: usize) -> impl Iterator<Item = usize> {
        let next = |at: &usize| (self.back(*at) != NONE).then(|| usize::from(self.back(*at)));
        iter::successors(next(&at), next)
    }

    /// The first step on the way from the one source to a cell.
    pub fn first_step(&self, mut at: usize) -> usize {
        while self.steps(at) > 1 {
            at = usize::from(self.back(at));
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::{Flood, Look, NONE};
    use crate::board::Board;

    /// A hook: from the first cell, right, down and back left.
    const BOARD: [&[u8]; 3] = [b"...", b"##.", b"..."];

    fn open(board: Board<0>) -> impl Fn(usize) -> bool {
        move |at| {
            let [row, column] = board.place(at);
            board.contains(at) && BOARD[row as usize][column as usize] == b'.'
        }
    }

    #[test]
    fn distances_are_those_around_what_is_closed() {
        let board = Board::<0>::new(3, 3);
        let mut flood = Flood::default();
        let start = board.index([0, 0]).unwrap() as u16;
        flood.run(board, [start, start], open(board));
        let steps: Vec<u16> = board.cells().map(|at| flood.steps(at)).collect();
        assert_eq!(steps, [0, 1, 2, NONE, NONE, 3, 6, 5, 4]);
        assert_eq!(flood.order.len(), 7);
        assert_eq!(flood.first_step(board.index([2, 0]).unwrap()), board.index([0, 1]).unwrap());
        assert_eq!(flood.back(usize::from(start)), NONE);
        let cells = |places: &[[i64; 2]]| -> Vec<usize> {
            places.iter().map(|place| board.index(*place).unwrap()).collect()
        };
        let near: Vec<usize> = flood.within(2).map(|(at, _)| at).collect();
        assert_eq!(near, cells(&[[0, 0], [0, 1], [0, 2]]));
        let back: Vec<usize> = flood.way_back(board.index([1, 2]).unwrap()).collect();
        assert_eq!(back, cells(&[[0, 2], [0, 1], [0, 0]]));
    }

    #[test]
    fn a_search_ends_at_the_nearest_goal() {
        let board = Board::<0>::new(3, 3);
        let mut flood = Flood::default();
        let start = board.index([0, 0]).unwrap() as u16;
        let open = open(board);
        let found = flood.search(board, [start], |at| match board.place(at) {
            _ if !open(at) => Look::Closed,
            [_, 2] => Look::Goal,
            _ => Look::Open,
        });
        assert_eq!(found, board.index([0, 2]));
        assert_eq!(flood.order.len(), 3);
        assert_eq!(flood.search(board, [], |_| Look::Goal), None);
    }
}
