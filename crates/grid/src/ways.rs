//! Ways on which an army takes the most, for players: a beam search, in which of all ways of a length only the best are
//! followed.

use crate::board::Board;
use std::cmp::Reverse;

/// Buffers of the search, made once and filled again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    tried: Vec<Tried>,
}

/// A way: the last of its steps.
#[derive(Clone, Copy, Debug)]
struct Tried {
    at: u16,
    /// Where the step before it is among those tried; itself for the cell that a way begins at.
    back: u16,
    units: u32,
    gain: u32,
}

/// How much is searched.
#[derive(Clone, Copy, Debug)]
pub struct Breadth {
    /// Ways of one length that are followed.
    pub beam: usize,
    /// The most steps of a way.
    pub steps: u32,
    /// Steps that are kept in all, over the searches of a turn; at most 65535.
    pub nodes: usize,
}

/// A way that was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Found {
    /// What it gains in a thousand steps.
    pub(crate) value: u64,
    place: u16,
}

/// What a step leads to.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    /// Units there afterwards.
    pub units: u32,
    /// What was gained by it.
    pub gain: u32,
}

impl Ways {
    /// Buffers that never grow.
    pub(crate) fn new(breadth: Breadth) -> Ways {
        Ways { tried: Vec::with_capacity(breadth.nodes + 8 * breadth.beam) }
    }

    /// Begins a turn: forgets all ways.
    pub(crate) fn clear(&mut self) {
        self.tried.clear();
    }

    /// The best way from a cell with so many units, all but one of which take each step. `arrive` says what becomes of
    /// units that step into a cell; `None` where they cannot.
    pub(crate) fn search<const FIRST: i64>(
        &mut self,
        board: Board<FIRST>,
        from: usize,
        units: u32,
        breadth: Breadth,
        arrive: impl Fn(usize, u32) -> Option<Arrived>,
    ) -> Option<Found> {
        let first = self.tried.len();
        if first >= breadth.nodes {
            return None;
        }
        self.tried.push(Tried { at: from as u16, back: first as u16, units, gain: 0 });
        let mut best: Option<Found> = None;
        let mut ways = first..first + 1;
        for depth in 1..=breadth.steps {
            let begin = self.tried.len();
            if begin >= breadth.nodes {
                break;
            }
            for place in ways {
                self.step(board, place, &arrive);
            }
            // The order is complete, so that a sort that takes no memory gives the same one everywhere.
            self.tried[begin..].sort_unstable_by_key(|way| Reverse((way.gain, way.units, way.at, way.back)));
            self.tried.truncate(begin + breadth.beam);
            let Some(way) = self.tried.get(begin) else {
                break;
            };
            let value = u64::from(way.gain) * 1000 / u64::from(depth);
            if way.gain > 0 && best.is_none_or(|best| value > best.value) {
                best = Some(Found { value, place: begin as u16 });
            }
            ways = begin..self.tried.len();
        }
        best
    }

    /// The moves of a way, the last of them first.
    pub(crate) fn moves(&self, found: Found, moves: &mut Vec<(u16, u16)>) {
        let mut place = found.place;
        loop {
            let here = self.tried[usize::from(place)];
            if here.back == place {
                return;
            }
            moves.push((self.tried[usize::from(here.back)].at, here.at));
            place = here.back;
        }
    }

    fn step<const FIRST: i64>(
        &mut self,
        board: Board<FIRST>,
        place: usize,
        arrive: impl Fn(usize, u32) -> Option<Arrived>,
    ) {
        let way = self.tried[place];
        if way.units < 2 {
            return;
        }
        for to in board.neighbours(usize::from(way.at)) {
            if self.is_on_way(place, to) {
                continue;
            }
            if let Some(Arrived { units, gain }) = arrive(to, way.units - 1) {
                self.tried.push(Tried { at: to as u16, back: place as u16, units, gain: way.gain + gain });
            }
        }
    }

    fn is_on_way(&self, mut place: usize, cell: usize) -> bool {
        loop {
            let way = self.tried[place];
            if usize::from(way.at) == cell {
                return true;
            }
            if usize::from(way.back) == place {
                return false;
            }
            place = usize::from(way.back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrived, Breadth, Ways};
    use crate::board::Board;

    #[test]
    fn a_way_avoids_the_dead_end() {
        // From the middle of the upper row: one cell to the left, or four to the right and down.
        let board = Board::<0>::new(3, 3);
        let open = [[0, 0], [0, 2], [1, 2], [2, 2], [2, 1]].map(|place| board.index(place).unwrap());
        let from = board.index([0, 1]).unwrap();
        let breadth = Breadth { beam: 4, steps: 8, nodes: 100 };
        let mut ways = Ways::new(breadth);
        let arrive = |at: usize, units: u32| {
            open.contains(&at).then_some(Arrived { units, gain: if at == open[4] { 9 } else { 1 } })
        };
        let found = ways.search(board, from, 9, breadth, arrive).unwrap();
        assert_eq!(found.value, 3000);
        let mut moves = Vec::new();
        ways.moves(found, &mut moves);
        let cells: Vec<usize> = moves.iter().rev().map(|(_, to)| usize::from(*to)).collect();
        assert_eq!(cells, open[1..]);
        assert!(ways.search(board, from, 1, breadth, arrive).is_none(), "a single unit cannot leave");
        assert!(
            ways.search(board, from, 9, Breadth { nodes: 1, ..breadth }, arrive).is_none(),
            "the budget is spent"
        );
    }
}
