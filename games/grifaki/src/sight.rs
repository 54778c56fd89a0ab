//! Which cells are seen from which: distance, high ground and mountains in the way, in exact integer geometry.
//!
//! Mountains never move, so everything is worked out once, at the start; a turn only looks it up.

use crate::Board;
use crate::kind::Kind;
use crate::settings::Outlook;
use std::ops::Range;

/// For every cell and every kind it may be of: what is seen from there.
#[derive(Clone, Debug)]
pub(crate) struct Sights {
    /// By kind: which of the tables is its own. Kinds with the same outlook share one.
    table_of: [usize; Kind::OWNABLE],
    tables: Vec<Table>,
}

/// What is seen from every cell with one outlook.
#[derive(Clone, Debug)]
struct Table {
    outlook: Outlook,
    /// By cell: where its spans begin; one more entry at the end.
    begins: Vec<u32>,
    /// Cells that follow one another in a row, by index.
    spans: Vec<Range<u16>>,
}

/// Where a sight ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) board: Board,
    /// By index, the ring included.
    pub(crate) mountain: &'a [bool],
}

impl Sights {
    pub(crate) fn new(ground: Ground<'_>, outlooks: [Outlook; Kind::OWNABLE]) -> Sights {
        let mut tables: Vec<Table> = Vec::new();
        let table_of = outlooks.map(|outlook| {
            let known = tables.iter().position(|table| table.outlook == outlook);
            known.unwrap_or_else(|| {
                tables.push(Table::new(ground, outlook));
                tables.len() - 1
            })
        });
        Sights { table_of, tables }
    }

    /// What is seen from an own cell of this kind.
    #[inline]
    pub(crate) fn from(&self, at: usize, kind: Kind) -> impl Iterator<Item = Range<usize>> {
        let table = &self.tables[self.table_of[kind as usize]];
        let spans = &table.spans[table.begins[at] as usize..table.begins[at + 1] as usize];
        spans.iter().map(|span| usize::from(span.start)..usize::from(span.end))
    }
}

impl Table {
    fn new(ground: Ground<'_>, outlook: Outlook) -> Table {
        let stride = ground.board.stride();
        let rays = Rays::new(outlook.distance as usize, stride);
        let mut table = Table { outlook, begins: vec![0], spans: Vec::new() };
        for at in 0..ground.mountain.len() {
            if !ground.mountain[at] {
                table.look_around(ground, &rays, at);
            }
            table.begins.push(table.spans.len() as u32);
        }
        table
    }

    fn look_around(&mut self, ground: Ground<'_>, rays: &Rays, at: usize) {
        let stride = ground.board.stride();
        let (row, column) = (at / stride, at % stride);
        let distance = self.outlook.distance as usize;
        for to_row in
            row.saturating_sub(distance).max(1)..=(row + distance).min(usize::from(ground.board.rows()))
        {
            let reach = distance - row.abs_diff(to_row);
            let (first, last) = (
                column.saturating_sub(reach).max(1),
                (column + reach).min(usize::from(ground.board.columns())),
            );
            let line = to_row * stride;
            if self.outlook.high {
                self.spans.push((line + first) as u16..(line + last + 1) as u16);
                continue;
            }
            let mut open = false;
            for to_column in first..=last {
                let seen = rays
                    .cells_between(row.abs_diff(to_row), column.abs_diff(to_column))
                    .iter()
                    .all(|step| !ground.mountain[step.from(at, to_row < row, to_column < column, stride)]);
                let to = (line + to_column) as u16;
                match self.spans.last_mut() {
                    Some(span) if open && seen => span.end = to + 1,
                    _ if seen => self.spans.push(to..to + 1),
                    _ => {}
                }
                open = seen;
            }
        }
    }
}

/// For every way to go down and right, up to a distance: the cells whose inside the straight line passes through. The
/// other three quarters are mirror images.
struct Rays {
    side: usize,
    /// By rows and columns; the first and the last cell of the line are left out.
    between: Vec<Vec<Step>>,
}

/// A cell on the way, counted from its beginning.
#[derive(Clone, Copy)]
struct Step {
    rows: u16,
    columns: u16,
}

impl Step {
    #[inline]
    fn from(self, at: usize, up: bool, left: bool, stride: usize) -> usize {
        let rows = usize::from(self.rows) * stride;
        let columns = usize::from(self.columns);
        let at = if up { at - rows } else { at + rows };
        if left { at - columns } else { at + columns }
    }
}

impl Rays {
    fn new(distance: usize, stride: usize) -> Rays {
        // No line is longer than the board, and a step must fit it.
        let side = distance + 1;
        debug_assert!(stride <= usize::from(u16::MAX));
        let mut between = Vec::with_capacity(side * side);
        for rows in 0..side {
            for columns in 0..side {
                let mut steps = Vec::new();
                if rows + columns <= distance {
                    for row in 0..=rows {
                        for column in 0..=columns {
                            let end = (row, column) == (0, 0) || (row, column) == (rows, columns);
                            if !end && passes_inside([rows, columns], [row, column]) {
                                steps.push(Step { rows: row as u16, columns: column as u16 });
                            }
                        }
                    }
                }
                between.push(steps);
            }
        }
        Rays { side, between }
    }

    fn cells_between(&self, rows: usize, columns: usize) -> &[Step] {
        &self.between[rows * self.side + columns]
    }
}

/// Whether the line from the centre of cell (0, 0) to the centre of cell `to` passes through the inside of `cell`.
///
/// At the time t, from 0 to 1, the line is at t * `to`. It is strictly between the sides of the cell in one direction
/// while 2 * cell - 1 < 2 * to * t < 2 * cell + 1; it passes through the inside if both directions have a time in
/// common. Times are compared as fractions.
fn passes_inside(to: [usize; 2], cell: [usize; 2]) -> bool {
    // When one is between the sides, as fractions: from (a, b) = a / b up to (c, d).
    let mut begin = (0_i64, 1_i64);
    let mut end = (1_i64, 1_i64);
    for (to, cell) in to.into_iter().zip(cell) {
        let (to, cell) = (to as i64, cell as i64);
        if to == 0 {
            // Along the middle of this row or column all the time.
            if cell != 0 {
                return false;
            }
            continue;
        }
        let (enter, leave) = ((2 * cell - 1, 2 * to), (2 * cell + 1, 2 * to));
        if less(begin, enter) {
            begin = enter;
        }
        if less(leave, end) {
            end = leave;
        }
    }
    less(begin, end)
}

fn less(a: (i64, i64), b: (i64, i64)) -> bool {
    a.0 * b.1 < b.0 * a.1
}

#[cfg(test)]
mod tests {
    use super::{Ground, Sights, passes_inside};
    use crate::Board;
    use crate::kind::Kind;
    use crate::settings::Outlook;
    use proptest::prelude::*;

    /// Slow and plain: all the times at which the line crosses a side of a cell, in order; between two of them it is
    /// inside one cell, and the time in the middle tells which. Times are numbers of 1 / `unit`.
    fn cells_crossed(to: [i64; 2]) -> Vec<[i64; 2]> {
        let unit = 4 * to[0].abs().max(1) * to[1].abs().max(1);
        let mut times = vec![0, unit];
        for length in to {
            // Sides are at halves: 2 * length * t = 2 k + 1.
            for k in 0..length.abs() {
                times.push((2 * k + 1) * unit / (2 * length.abs()));
            }
        }
        times.sort_unstable();
        times.dedup();
        times
            .windows(2)
            .map(|pair| {
                // The middle is (a + b) / (2 unit); the cell is the nearest whole number to to * middle.
                let twice = pair[0] + pair[1];
                to.map(|length| (length * twice + unit).div_euclid(2 * unit))
            })
            .collect()
    }

    #[test]
    fn the_line_passes_through_the_cells_that_it_crosses() {
        for rows in 0..13 {
            for columns in 0..13 {
                let crossed = cells_crossed([rows, columns]);
                for row in 0..=rows {
                    for column in 0..=columns {
                        let inside =
                            passes_inside([rows as usize, columns as usize], [row as usize, column as usize]);
                        assert_eq!(
                            inside,
                            crossed.contains(&[row, column]),
                            "({rows}, {columns}): ({row}, {column})"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn touching_a_corner_is_not_passing_through() {
        // Along the diagonal only the diagonal cells count.
        assert!(passes_inside([2, 2], [1, 1]));
        assert!(!passes_inside([2, 2], [0, 1]) && !passes_inside([2, 2], [1, 0]));
        // One row down, two columns over: both middle cells are crossed.
        assert!(passes_inside([1, 2], [0, 1]) && passes_inside([1, 2], [1, 1]));
        assert!(!passes_inside([1, 2], [1, 0]) && !passes_inside([1, 2], [0, 2]));
        // One row down, three columns over: in the middle the line goes exactly through a corner.
        assert!(passes_inside([1, 3], [0, 1]) && passes_inside([1, 3], [1, 2]));
        assert!(!passes_inside([1, 3], [0, 2]) && !passes_inside([1, 3], [1, 1]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn sight_is_what_the_slow_version_says(
            height in 1_u16..9,
            width in 1_u16..9,
            distance in 0_u32..8,
            high: bool,
            mountains in proptest::collection::vec(0_u8..4, 64),
        ) {
            let board = Board::new(height, width);
            let mut mountain = vec![true; board.indexes()];
            for (at, height) in board.cells().zip(mountains) {
                mountain[at] = height == 0;
            }
            let ground = Ground { board, mountain: &mountain };
            let outlook = Outlook { distance, high };
            let other = Outlook { distance: 1, high: true };
            let sights = Sights::new(ground, [other, outlook, other, outlook]);
            let index = |row: i64, column: i64| board.index([row, column]).unwrap();
            for row in 0..i64::from(height) {
                for column in 0..i64::from(width) {
                    if mountain[index(row, column)] {
                        continue;
                    }
                    let spans: Vec<_> = sights.from(index(row, column), Kind::City).collect();
                    prop_assert!(sights.from(index(row, column), Kind::FallenCapital).eq(spans.iter().cloned()));
                    for to_row in 0..i64::from(height) {
                        for to_column in 0..i64::from(width) {
                            let to = [to_row - row, to_column - column];
                            let near = to[0].abs() + to[1].abs() <= i64::from(distance);
                            let blocked = cells_crossed(to).into_iter().any(|cell| {
                                cell != to && mountain[index(row + cell[0], column + cell[1])]
                            });
                            let expected = near && (high || !blocked);
                            let at = index(to_row, to_column);
                            let times = spans
                                .iter()
                                .filter(|span| span.contains(&at))
                                .count();
                            prop_assert_eq!(times, usize::from(expected));
                        }
                    }
                }
            }
        }
    }
}
