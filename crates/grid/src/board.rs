//! Where the cells of a board are.

/// A board of rows and columns, whose first ones the game counts as `FIRST`: 0 or 1.
///
/// Cells are named by an index on a board with a ring of cells around it, so that the neighbours of a cell always exist.
/// The index of the cell in the n-th row and the m-th column is `n * stride + m`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board<const FIRST: i64> {
    rows: u16,
    columns: u16,
}

impl<const FIRST: i64> Board<FIRST> {
    /// A board of this size.
    pub fn new(rows: u16, columns: u16) -> Self {
        Board { rows, columns }
    }

    /// Number of rows.
    #[inline]
    pub fn rows(self) -> u16 {
        self.rows
    }

    /// Number of columns.
    #[inline]
    pub fn columns(self) -> u16 {
        self.columns
    }

    /// Number of cells.
    #[inline]
    pub fn area(self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    /// How far apart two cells of a column are by index.
    #[inline]
    pub fn stride(self) -> usize {
        usize::from(self.columns) + 2
    }

    /// How many indexes there are, the ring included.
    #[inline]
    pub fn indexes(self) -> usize {
        (usize::from(self.rows) + 2) * self.stride()
    }

    /// The index of the cell in a row and a column, if it is on the board.
    #[inline]
    pub fn index(self, [row, column]: [i64; 2]) -> Option<usize> {
        let inside = (FIRST..FIRST + i64::from(self.rows)).contains(&row)
            && (FIRST..FIRST + i64::from(self.columns)).contains(&column);
        inside.then(|| (row - FIRST + 1) as usize * self.stride() + (column - FIRST + 1) as usize)
    }

    /// Row and column of a cell.
    #[inline]
    pub fn place(self, at: usize) -> [i64; 2] {
        // Short numbers: dividing them is several times faster.
        let (at, stride) = (at as u32, self.stride() as u32);
        [i64::from(at / stride) - 1 + FIRST, i64::from(at % stride) - 1 + FIRST]
    }

    /// Whether a cell is on the board, and not in its ring.
    pub fn contains(self, at: usize) -> bool {
        self.index(self.place(at)).is_some()
    }

    /// The rows, by the indexes of their cells.
    #[inline]
    pub fn spans(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (stride, columns) = (self.stride(), usize::from(self.columns));
        (1..=usize::from(self.rows)).map(move |row| {
            let start = row * stride + 1;
            start..start + columns
        })
    }

    /// The cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = usize> {
        self.spans().flatten()
    }

    /// The four cells that share a side with one on the board.
    #[inline]
    pub fn neighbours(self, at: usize) -> [usize; 4] {
        [at - self.stride(), at - 1, at + 1, at + self.stride()]
    }

    /// Whether two cells on the board share a side: those one apart by index are in the same row, or one of them would be
    /// in the ring.
    #[inline]
    pub fn share_a_side(self, a: usize, b: usize) -> bool {
        let apart = a.abs_diff(b);
        apart == 1 || apart == self.stride()
    }
}

#[cfg(test)]
mod tests {
    use super::Board;

    #[test]
    fn a_place_has_an_index_if_it_is_on_the_board() {
        let board = Board::<1>::new(2, 3);
        assert_eq!((board.area(), board.stride(), board.indexes()), (6, 5, 20));
        assert_eq!(board.cells().collect::<Vec<_>>(), [6, 7, 8, 11, 12, 13]);
        for at in board.cells() {
            assert_eq!(board.index(board.place(at)), Some(at));
        }
        assert_eq!(board.place(6), [1, 1]);
        for place in [[0, 1], [1, 0], [3, 1], [1, 4], [i64::MIN, 1], [1, i64::MAX]] {
            assert_eq!(board.index(place), None, "{place:?}");
        }
        let from_zero = Board::<0>::new(2, 3);
        assert_eq!((from_zero.place(6), from_zero.index([0, 0])), ([0, 0], Some(6)));
        assert_eq!((from_zero.index([-1, 0]), from_zero.index([2, 0])), (None, None));
    }

    #[test]
    fn the_ring_is_not_on_the_board() {
        let board = Board::<0>::new(2, 3);
        let inside: Vec<usize> = (0..board.indexes()).filter(|at| board.contains(*at)).collect();
        assert_eq!(inside, board.cells().collect::<Vec<_>>());
    }

    #[test]
    fn neighbours_are_those_that_share_a_side() {
        let board = Board::<0>::new(3, 3);
        for at in board.cells() {
            for other in board.cells() {
                assert_eq!(
                    board.share_a_side(at, other),
                    board.neighbours(at).contains(&other),
                    "{at} {other}"
                );
            }
        }
    }
}
