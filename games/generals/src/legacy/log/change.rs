//! What has led from one board of a log to the next, found by comparing them.

use super::{Board, Cell};
use crate::state::Kind;
use palestra_core::Seat;

/// What has happened between two boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// A round is over, and cities have grown.
    Growth,
    /// Somebody had a turn.
    Turn {
        /// Who, if that can be told: a move of no units leaves no trace.
        seat: Option<Seat>,
        /// From where to where, by place on the board.
        moved: Option<(u16, u16)>,
    },
}

/// Compares two boards; `expected` is who is next if nobody passes.
pub(super) fn change(before: &Board, after: &Board, columns: usize, expected: Option<Seat>) -> Change {
    // Moves bring nobody new units.
    if army(after) > army(before) {
        return Change::Growth;
    }
    let boards = Boards { before: &before.cells, after: &after.cells, columns };
    let changed: Vec<usize> =
        (0..after.cells.len()).filter(|at| before.cells[*at] != after.cells[*at]).collect();
    if let Some(to) = boards.taken(&changed) {
        return turn(after.cells[to].owner, boards.attacker(&changed, to).map(|from| (from, to)));
    }
    if let Some(lost) = changed.iter().find(|at| before.cells[**at].owner != after.cells[**at].owner) {
        return turn(before.cells[*lost].owner, None);
    }
    let &[one, other] = changed.as_slice() else {
        return turn(0, None);
    };
    // Two that attack each other can look alike: then it was the one whose turn comes first.
    let seats = before.totals.len();
    let owner = |(from, _): (usize, usize)| before.cells[from].owner;
    let wait = |number: u8| (usize::from(number) + seats - expected.map_or(1, Seat::number) as usize) % seats;
    let moves = [(one, other), (other, one)].into_iter().filter(|(from, to)| boards.can_be(*from, *to));
    let found = moves.min_by_key(|found| wait(owner(*found)));
    turn(found.map_or(0, owner), found)
}

/// A turn of the player with this number; 0 is unknown.
fn turn(number: u8, moved: Option<(usize, usize)>) -> Change {
    Change::Turn {
        seat: (number != 0).then(|| Seat::new(number)),
        moved: moved.map(|(from, to)| (from as u16, to as u16)),
    }
}

/// All units that are somebody's.
fn army(board: &Board) -> u64 {
    board.cells.iter().filter(|cell| cell.owner != 0).map(|cell| u64::from(cell.units)).sum()
}

struct Boards<'a> {
    before: &'a [Cell],
    after: &'a [Cell],
    columns: usize,
}

impl Boards<'_> {
    /// The cell that somebody has moved to and taken. With a capital all other cells of its owner change hands.
    fn taken(&self, changed: &[usize]) -> Option<usize> {
        let taken = || {
            changed.iter().copied().filter(|at| {
                let owner = self.after[*at].owner;
                owner != 0 && owner != self.before[*at].owner
            })
        };
        taken().find(|at| self.before[*at].kind == Kind::Capital).or_else(|| taken().next())
    }

    /// The cell that another was taken from.
    fn attacker(&self, changed: &[usize], to: usize) -> Option<usize> {
        let seat = self.after[to].owner;
        changed.iter().copied().find(|at| {
            let (before, after) = (self.before[*at], self.after[*at]);
            let kept = before.owner == seat && after.owner == seat;
            kept && after.units < before.units && self.adjacent(*at, to)
        })
    }

    /// Whether a move between two cells that have kept their owners can have changed them so.
    fn can_be(&self, from: usize, to: usize) -> bool {
        let (source, left) = (self.before[from], self.after[from]);
        let (target, met) = (self.before[to], self.after[to]);
        let moved = source.units.saturating_sub(left.units);
        let possible = moved > 0 && (moved == source.units - 1 || moved == source.units / 2);
        let arrives = if source.owner == target.owner {
            met.units.checked_sub(target.units) == Some(moved)
        } else {
            target.units.checked_sub(met.units) == Some(moved)
        };
        source.owner != 0 && possible && arrives && self.adjacent(from, to)
    }

    fn adjacent(&self, one: usize, other: usize) -> bool {
        let apart = one.abs_diff(other);
        apart == self.columns || (apart == 1 && one / self.columns == other / self.columns)
    }
}
