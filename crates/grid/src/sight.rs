//! Who sees which cells.

use palestra_core::{Eye, Seat};
use std::ops::{AddAssign, Range, SubAssign};

/// For each player and cell: how many own cells of the player the cell is visible from. Kept move by move; `N` is the
/// shortest number that can count them.
#[derive(Clone, Debug)]
pub struct Sight<N> {
    /// Of each player.
    indexes: usize,
    counts: Vec<N>,
}

impl<N: Copy + From<u8> + AddAssign + SubAssign> Sight<N> {
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

/// What one pair of eyes sees: a spectator sees every cell.
#[derive(Clone, Copy, Debug)]
pub struct Eyes<'a, N> {
    seat: Option<Seat>,
    /// By cell; 0 is hidden. Empty for a spectator.
    sight: &'a [N],
}

impl<'a, N: Copy + From<u8> + AddAssign + SubAssign + PartialEq> Eyes<'a, N> {
    /// These eyes.
    #[inline]
    pub fn new(eye: Eye, sight: &'a Sight<N>) -> Eyes<'a, N> {
        match eye {
            Eye::Seat(seat) => Eyes { seat: Some(seat), sight: sight.of(seat.index()) },
            Eye::Spectator => Eyes { seat: None, sight: &[] },
        }
    }

    /// Whose they are; `None` is a spectator.
    #[inline]
    pub fn seat(self) -> Option<Seat> {
        self.seat
    }

    /// Whether a cell is in sight.
    #[inline]
    pub fn see(self, at: usize) -> bool {
        self.seat.is_none() || self.sight[at] != N::from(0)
    }

    /// The cells of a span, each with whether it is in sight.
    #[inline]
    pub fn look_at<C>(
        self,
        cells: &'a [C],
        span: Range<usize>,
    ) -> impl Iterator<Item = (&'a C, bool)> + use<'a, N, C> {
        let everything = self.seat.is_none();
        let sight: &[N] = if everything { &[] } else { &self.sight[span.clone()] };
        cells[span]
            .iter()
            .enumerate()
            .map(move |(place, cell)| (cell, everything || sight[place] != N::from(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Eyes, Sight};
    use palestra_core::{Eye, Seat};

    #[test]
    fn a_cell_is_hidden_when_the_last_one_that_saw_it_is_gone() {
        let mut sight = Sight::<u8>::new(2, 6);
        sight.add(1, [0..2, 3..5]);
        sight.add(1, [1..2, 5..5]);
        sight.remove(1, [0..1, 1..2]);
        assert_eq!(sight.of(1), [0, 1, 0, 1, 1, 0]);
        let sees = |eye: Eye| {
            let eyes = Eyes::new(eye, &sight);
            let looked: Vec<(char, bool)> = eyes
                .look_at(&['a', 'b', 'c', 'd', 'e', 'f'], 1..4)
                .map(|(cell, seen)| (*cell, seen))
                .collect();
            ((0..6).map(|at| eyes.see(at)).collect::<Vec<bool>>(), looked)
        };
        let (all, looked) = sees(Eye::Seat(Seat::new(2)));
        assert_eq!(all, [false, true, false, true, true, false]);
        assert_eq!(looked, [('b', true), ('c', false), ('d', true)]);
        assert_eq!(sees(Eye::Seat(Seat::new(1))).0, [false; 6]);
        let (all, looked) = sees(Eye::Spectator);
        assert_eq!(all, [true; 6]);
        assert_eq!(looked, [('b', true), ('c', true), ('d', true)]);
    }
}
