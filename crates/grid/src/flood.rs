//! Walking distances on a padded board, for players: buffers are made once and filled again.

use crate::board::Board;

/// Not reached, or no cell.
pub const NONE: u16 = u16::MAX;

/// Walking distances from some cells.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    /// By cell; [`NONE`] is not reached.
    pub steps: Vec<u16>,
    /// By cell that was reached: the next one on the way back; [`NONE`] for those it began at.
    pub back: Vec<u16>,
    /// The cells that were reached, the nearest first.
    pub order: Vec<u16>,
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
        let none = || vec![NONE; board.indexes()];
        Flood { steps: none(), back: none(), order: Vec::with_capacity(board.indexes()) }
    }

    /// Makes the buffers, unless they are for this board already. Otherwise they are made when they are first used.
    #[inline]
    pub fn fit<const FIRST: i64>(&mut self, board: Board<FIRST>) {
        if self.steps.len() != board.indexes() {
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
        self.steps.fill(NONE);
        self.order.clear();
        for source in sources {
            // A source may be named more than once.
            if self.steps[usize::from(source)] == NONE {
                self.steps[usize::from(source)] = 0;
                self.back[usize::from(source)] = NONE;
                self.order.push(source);
            }
        }
        let mut head = 0;
        while let Some(&at) = self.order.get(head) {
            head += 1;
            let index = usize::from(at);
            for next in board.neighbours(index) {
                if self.steps[next] != NONE {
                    continue;
                }
                let found = look(next);
                if found != Look::Closed {
                    self.steps[next] = self.steps[index] + 1;
                    self.back[next] = at;
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

    /// The first step on the way from the one source to a cell.
    pub fn first_step(&self, mut at: usize) -> usize {
        while self.steps[at] > 1 {
            at = usize::from(self.back[at]);
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
        let steps: Vec<u16> = board.cells().map(|at| flood.steps[at]).collect();
        assert_eq!(steps, [0, 1, 2, NONE, NONE, 3, 6, 5, 4]);
        assert_eq!(flood.order.len(), 7);
        assert_eq!(flood.first_step(board.index([2, 0]).unwrap()), board.index([0, 1]).unwrap());
        assert_eq!(flood.back[usize::from(start)], NONE);
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
