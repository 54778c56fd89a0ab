//! Whose cells are where, and who sees what from them.

use crate::board::Board;
use crate::owned::Owned;
use crate::sight::{Count, Sight};
use palestra_core::{Counter, Digest, Eye, Seat};
use std::ops::Range;

/// What is counted of every player, for charts.
pub const COUNTERS: &[Counter] = &[
    Counter { key: "army", marked: false },
    Counter { key: "land", marked: false },
    Counter { key: "cities", marked: true },
];

/// The cells that each player owns on a board, and those that it sees from them; kept move by move. What is on a cell is for
/// the game to know. Players are counted from 0.
#[derive(Clone, Debug)]
pub struct Territory<N, const FIRST: i64> {
    board: Board<FIRST>,
    owned: Owned,
    sight: Sight<N>,
}

impl<N: Count, const FIRST: i64> Territory<N, FIRST> {
    /// Nobody owns anything.
    pub fn new(board: Board<FIRST>, players: u8) -> Self {
        let players = usize::from(players);
        Territory {
            board,
            owned: Owned::new(players, board.area(), board.indexes()),
            sight: Sight::new(players, board.indexes()),
        }
    }

    /// Where the cells are.
    #[inline]
    pub fn board(&self) -> Board<FIRST> {
        self.board
    }

    /// Which cells each player owns.
    #[inline]
    pub fn owned(&self) -> &Owned {
        &self.owned
    }

    /// Who sees which cells.
    #[inline]
    pub fn sight(&self) -> &Sight<N> {
        &self.sight
    }

    /// How many cells a seat has.
    #[inline]
    pub fn land(&self, seat: Seat) -> u32 {
        self.owned.count(seat.index())
    }

    /// A player has one more cell, perhaps one of those in front of its list, and sees these from it.
    #[inline]
    pub fn gain(
        &mut self,
        player: usize,
        at: usize,
        in_front: bool,
        seen: impl IntoIterator<Item = Range<usize>>,
    ) {
        self.owned.add(player, at, in_front);
        self.sight.add(player, seen);
    }

    /// A player has one cell less, from which it saw these.
    #[inline]
    pub fn lose(&mut self, player: usize, at: usize, seen: impl IntoIterator<Item = Range<usize>>) {
        self.owned.remove(player, at);
        self.sight.remove(player, seen);
    }

    /// The last cell on the list of a seat: taking it away moves no other.
    #[inline]
    pub fn last_of(&self, seat: Seat) -> Option<usize> {
        self.owned.of(seat.index()).last().map(|at| usize::from(*at))
    }

    /// The cells on the board that a seat does not see.
    pub fn hidden_from(&self, seat: Seat) -> Vec<usize> {
        let sight = self.sight.of(seat.index());
        self.board.cells().filter(|at| sight[*at] == N::from(0)).collect()
    }

    /// Adds the size of the board to a fingerprint.
    pub fn digest(&self, digest: &mut Digest) {
        digest.number(u64::from(self.board.rows()));
        digest.number(u64::from(self.board.columns()));
    }
}

/// What is drawn of the cells of a board, row by row.
#[derive(Clone, Debug)]
pub struct Picture {
    /// A string per row, a letter per cell.
    pub kinds: Vec<String>,
    /// By cell; 0 is nobody's.
    pub owners: Vec<u8>,
    /// By cell.
    pub units: Vec<u32>,
}

/// What one pair of eyes knows of a territory: a spectator sees every cell, and owns none.
#[derive(Clone, Copy, Debug)]
pub struct Eyes<'a, N, const FIRST: i64> {
    territory: &'a Territory<N, FIRST>,
    seat: Option<Seat>,
    /// By cell; 0 is hidden. Empty for a spectator.
    sight: &'a [N],
}

impl<'a, N: Count, const FIRST: i64> Eyes<'a, N, FIRST> {
    /// These eyes.
    #[inline]
    pub fn new(eye: Eye, territory: &'a Territory<N, FIRST>) -> Self {
        match eye {
            Eye::Seat(seat) => Eyes { territory, seat: Some(seat), sight: territory.sight.of(seat.index()) },
            Eye::Spectator => Eyes { territory, seat: None, sight: &[] },
        }
    }

    /// Where the cells are.
    #[inline]
    pub fn board(&self) -> Board<FIRST> {
        self.territory.board
    }

    /// Whose eyes these are; `None` is a spectator.
    #[inline]
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// The player's own cells, those in front first, otherwise in no particular order; none for a spectator.
    #[inline]
    pub fn own_cells(&self) -> &'a [u16] {
        self.seat.map_or(&[], |seat| self.territory.owned.of(seat.index()))
    }

    /// The same, as indexes.
    #[inline]
    pub fn own(&self) -> impl ExactSizeIterator<Item = usize> + use<'a, N, FIRST> {
        self.own_cells().iter().map(|at| usize::from(*at))
    }

    /// Those of them that are in front.
    pub fn own_in_front(&self) -> &'a [u16] {
        self.seat.map_or(&[], |seat| self.territory.owned.front_of(seat.index()))
    }

    /// Whether a cell is in sight.
    #[inline]
    pub fn sees(&self, at: usize) -> bool {
        self.seat.is_none() || self.sight[at] != N::from(0)
    }

    /// The places of two cells, if both are in sight.
    pub fn places(&self, cells: [u16; 2]) -> Option<[[i64; 2]; 2]> {
        let cells = cells.map(usize::from);
        cells.iter().all(|at| self.sees(*at)).then(|| cells.map(|at| self.board().place(at)))
    }

    /// Draws every cell: `draw` gives its letter, owner and units. It is told its row and column, counted from 0, what is on
    /// it, and whether that is in sight.
    pub fn picture<C>(
        self,
        cells: &'a [C],
        mut draw: impl FnMut([u16; 2], &'a C, bool) -> (char, u8, u32),
    ) -> Picture {
        let board = self.board();
        let mut picture = Picture {
            kinds: Vec::with_capacity(usize::from(board.rows())),
            owners: Vec::with_capacity(board.area()),
            units: Vec::with_capacity(board.area()),
        };
        for (row, cells) in (0..).zip(self.rows(cells)) {
            let letters = (0..).zip(cells).map(|(column, (cell, in_sight))| {
                let (letter, owner, units) = draw([row, column], cell, in_sight);
                picture.owners.push(owner);
                picture.units.push(units);
                letter
            });
            picture.kinds.push(letters.collect());
        }
        picture
    }

    /// The rows in order, each of its cells in order, each with whether it is in sight.
    #[inline]
    pub fn rows<C>(
        self,
        cells: &'a [C],
    ) -> impl Iterator<Item = impl Iterator<Item = (&'a C, bool)> + use<'a, C, N, FIRST>> + use<'a, C, N, FIRST>
    {
        let everything = self.seat.is_none();
        self.board().spans().map(move |span| {
            let sight: &[N] = if everything { &[] } else { &self.sight[span.clone()] };
            let row = cells[span].iter().enumerate();
            row.map(move |(place, cell)| (cell, everything || sight[place] != N::from(0)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Eyes, Territory};
    use crate::board::Board;
    use palestra_core::{Eye, Seat};

    #[test]
    fn a_seat_sees_from_its_own_cells_and_a_spectator_everything() {
        let board = Board::<0>::new(1, 3);
        let mut territory = Territory::<u8, 0>::new(board, 2);
        let (a, b) = (6, 7);
        territory.gain(1, a, false, std::iter::once(a..a + 1));
        territory.gain(1, b, true, std::iter::once(b..b + 1));
        territory.lose(1, a, std::iter::once(a..a + 1));
        assert_eq!((territory.land(Seat::new(2)), territory.last_of(Seat::new(2))), (1, Some(b)));
        assert_eq!(territory.hidden_from(Seat::new(2)), [6, 8]);
        let cells: Vec<usize> = (0..board.indexes()).collect();
        let seen = |eye: Eye| {
            let eyes = Eyes::new(eye, &territory);
            let rows: Vec<Vec<(usize, bool)>> =
                eyes.rows(&cells).map(|row| row.map(|(cell, seen)| (*cell, seen)).collect()).collect();
            assert!(rows.iter().flatten().all(|(at, seen)| eyes.sees(*at) == *seen));
            (rows.concat(), eyes.own_cells().to_vec(), eyes.own_in_front().to_vec())
        };
        let theirs = vec![(6, false), (7, true), (8, false)];
        assert_eq!(seen(Eye::Seat(Seat::new(2))), (theirs, vec![7], vec![7]));
        assert_eq!(seen(Eye::Seat(Seat::new(1))).0, [(6, false), (7, false), (8, false)]);
        assert_eq!(seen(Eye::Spectator), (vec![(6, true), (7, true), (8, true)], vec![], vec![]));
    }
}
