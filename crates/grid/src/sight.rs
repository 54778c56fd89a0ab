//! Who sees which cells.

use std::ops::{AddAssign, Range, SubAssign};

/// For each player and cell: how many own cells of the player the cell is visible from. Kept move by move; `N` is the
/// shortest number that can count them.
#[derive(Clone, Debug)]
pub struct Sight<N> {
    /// Of each player.
    indexes: usize,
    counts: Vec<N>,
}

/// A number that can count own cells.
pub trait Count: Copy + From<u8> + AddAssign + SubAssign + PartialEq {}

impl<N: Copy + From<u8> + AddAssign + SubAssign + PartialEq> Count for N {}

impl<N: Count> Sight<N> {
    /// Nobody sees anything.
    pub fn new(players: usize, indexes: usize) -> Sight<N> {
        Sight { indexes, counts: vec![N::from(0); players * indexes] }
    }

    /// The counts of a player, counted from 0.
    #[inline]
    pub fn of(&self, player: usize) -> &[N] {
        &self.counts[player * self.indexes..][..self.indexes]
    }

    /// One own cell more from which these are visible.
    #[inline]
    pub fn add(&mut self, player: usize, spans: impl IntoIterator<Item = Range<usize>>) {
        self.change(player, spans, |count| *count += N::from(1));
    }

    /// One own cell less from which these are visible.
    #[inline]
    pub fn remove(&mut self, player: usize, spans: impl IntoIterator<Item = Range<usize>>) {
        self.change(player, spans, |count| *count -= N::from(1));
    }

    #[inline]
    fn change(&mut self, player: usize, spans: impl IntoIterator<Item = Range<usize>>, by: impl Fn(&mut N)) {
        let counts = &mut self.counts[player * self.indexes..][..self.indexes];
        for span in spans {
            counts[span].iter_mut().for_each(&by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sight;

    #[test]
    fn a_cell_is_hidden_when_the_last_one_that_saw_it_is_gone() {
        let mut sight = Sight::<u8>::new(2, 6);
        sight.add(1, [0..2, 3..5]);
        sight.add(1, [1..2, 5..5]);
        sight.remove(1, [0..1, 1..2]);
        assert_eq!(sight.of(1), [0, 1, 0, 1, 1, 0]);
        assert_eq!(sight.of(0), [0; 6]);
    }
}
