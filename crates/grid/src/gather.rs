//! Bringing units together, for players: a search for the tree of ways along which so many moves bring the most units to
//! one place.
//!
//! A tree is better than way after way, because units from its branches walk the trunk together. It grows by the branch
//! that brings the most units for its length, again and again, until the moves are spent.

use crate::best::Best;
use crate::board::Board;
use crate::flood::Flood;

/// Buffers of the search, made once and filled again, and what was found.
#[derive(Clone, Debug, Default)]
pub struct Gather {
    flood: Flood,
    /// By cell: what comes together on the way from there to the tree.
    sums: Vec<u32>,
    /// The cells of the tree, each behind the one that it leads to; the place to gather at is the first.
    tree: Vec<u16>,
    /// The move out of each cell of the tree, its first excepted. They are made from the last to the first.
    pub moves: Vec<(u16, u16)>,
    /// What comes to the place.
    pub brought: u32,
}

impl Gather {
    /// Buffers for this board.
    pub fn new<const FIRST: i64>(board: Board<FIRST>) -> Gather {
        Gather {
            flood: Flood::new(board),
            sums: vec![0; board.indexes()],
            tree: Vec::with_capacity(board.indexes()),
            moves: Vec::with_capacity(board.indexes()),
            brought: 0,
        }
    }

    /// Searches for the best tree of at most `longest` moves to `root`, and leaves it in `moves` and `brought`. What
    /// can leave a cell is `spare`; `None` where nobody walks. Every cell looked at costs a node of the budget.
    pub fn search<const FIRST: i64>(
        &mut self,
        board: Board<FIRST>,
        root: usize,
        longest: u16,
        nodes: &mut u32,
        spare: impl Fn(usize) -> Option<u32>,
    ) {
        self.tree.clear();
        self.moves.clear();
        self.tree.push(root as u16);
        self.brought = 0;
        let mut left = longest;
        while left > 0 && *nodes > 0 {
            self.flood.run(board, self.tree.iter().copied(), |at| spare(at).is_some());
            *nodes = nodes.saturating_sub(self.flood.order.len() as u32);
            let Some(end) = self.best_branch(left, &spare) else {
                return;
            };
            self.brought += self.sums[end];
            left -= self.flood.steps(end);
            let trunk = self.moves.len();
            let mut at = end;
            while self.flood.steps(at) > 0 {
                let to = self.flood.back(at);
                self.moves.push((at as u16, to));
                at = usize::from(to);
            }
            // The move into the tree comes first.
            self.moves[trunk..].reverse();
            self.tree.extend(self.moves[trunk..].iter().map(|(from, _)| *from));
        }
    }

    /// The end of the branch that brings the most for its length, at least a unit for each move.
    fn best_branch(&mut self, longest: u16, spare: impl Fn(usize) -> Option<u32>) -> Option<usize> {
        let mut best = Best::default();
        for &at in &self.flood.order {
            let at = usize::from(at);
            let steps = self.flood.steps(at);
            if steps == 0 {
                self.sums[at] = 0;
                continue;
            }
            if steps > longest {
                break;
            }
            let sum = self.sums[usize::from(self.flood.back(at))] + spare(at).unwrap_or(0);
            self.sums[at] = sum;
            let value = u64::from(sum) * 1000 / u64::from(steps);
            if sum >= u32::from(steps) {
                best.offer(value, at);
            }
        }
        best.found()
    }
}

#[cfg(test)]
mod tests {
    use super::Gather;
    use crate::board::Board;

    #[test]
    fn branches_walk_the_trunk_together() {
        // Two branches of one cell each, and a trunk of two: four moves bring all six.
        let units = [[3, 1, 0], [0, 2, 0], [0, 0, 0]];
        let board = Board::<0>::new(3, 3);
        let own = [[0, 0], [0, 1], [1, 1], [2, 1], [0, 2]].map(|place| board.index(place).unwrap());
        let spare = |at: usize| {
            let [row, column] = board.place(at);
            own.contains(&at).then(|| units[row as usize][column as usize])
        };
        let mut gather = Gather::new(board);
        let mut nodes = 1000;
        gather.search(board, own[3], 3, &mut nodes, spare);
        assert_eq!(gather.brought, 6);
        let moves: Vec<_> =
            gather.moves.iter().rev().map(|(from, to)| (usize::from(*from), usize::from(*to))).collect();
        assert_eq!(moves, [(own[0], own[1]), (own[1], own[2]), (own[2], own[3])]);
        assert!(nodes < 1000);
        gather.search(board, own[3], 3, &mut 0, spare);
        assert_eq!((gather.brought, gather.moves.len()), (0, 0), "without a budget nothing is looked at");
    }
}
