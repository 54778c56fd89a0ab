//! Land and mountains of a map in the making. Cells are counted row by row, without a ring.

/// Not in reach.
pub const FAR: u32 = u32::MAX;

/// Where the mountains are.
#[derive(Clone, Debug)]
pub struct Terrain {
    rows: usize,
    columns: usize,
    /// By cell.
    pub mountain: Vec<bool>,
}

impl Terrain {
    /// Nothing but land.
    pub fn new(rows: usize, columns: usize) -> Terrain {
        Terrain { rows, columns, mountain: vec![false; rows * columns] }
    }

    /// Number of cells.
    pub fn area(&self) -> usize {
        self.mountain.len()
    }

    /// The cells that are no mountains.
    pub fn land(&self) -> impl Iterator<Item = usize> {
        (0..self.area()).filter(|at| !self.mountain[*at])
    }

    /// The cells that share a side with one.
    pub fn neighbours(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (row, column) = (at / self.columns, at % self.columns);
        let up = (row > 0).then(|| at - self.columns);
        let left = (column > 0).then(|| at - 1);
        let right = (column + 1 < self.columns).then_some(at + 1);
        let down = (row + 1 < self.rows).then_some(at + self.columns);
        [up, left, right, down].into_iter().flatten()
    }

    /// The walking distance of every cell from the nearest of some, around mountains and whatever else is closed.
    pub fn distances(&self, sources: &[usize], closed: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut steps = vec![FAR; self.area()];
        let mut queue = sources.to_vec();
        for source in sources {
            steps[*source] = 0;
        }
        let mut head = 0;
        while let Some(&at) = queue.get(head) {
            head += 1;
            for next in self.neighbours(at) {
                if steps[next] == FAR && !self.mountain[next] && !closed(next) {
                    steps[next] = steps[at] + 1;
                    queue.push(next);
                }
            }
        }
        steps
    }

    /// How many of the neighbours of a cell are open, and in how many pieces they are if the cell is closed and nothing but the
    /// eight cells around it is looked at. 0 pieces is a ring that is open all around.
    pub fn pieces_around(&self, at: usize, open: impl Fn(usize) -> bool) -> (usize, usize) {
        const RING: [(isize, isize); 8] =
            [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
        let (row, column) = ((at / self.columns) as isize, (at % self.columns) as isize);
        let around = RING.map(|(down, right)| {
            let (row, column) = (row + down, column + right);
            let inside =
                (0..self.rows as isize).contains(&row) && (0..self.columns as isize).contains(&column);
            inside && open(row as usize * self.columns + column as usize)
        });
        // The neighbours are at the odd places. A piece ends with each that does not lead on to the next one.
        let neighbours = || (1..8).step_by(2).filter(|side| around[*side]);
        let ends = neighbours().filter(|side| !(around[(side + 1) % 8] && around[(side + 2) % 8]));
        (neighbours().count(), ends.count())
    }
}

#[cfg(test)]
mod tests {
    use super::{FAR, Terrain};

    fn terrain(rows: &[&str]) -> Terrain {
        let mut terrain = Terrain::new(rows.len(), rows[0].len());
        terrain.mountain = rows.concat().bytes().map(|byte| byte == b'#').collect();
        terrain
    }

    #[test]
    fn distances_go_around_mountains_and_what_is_closed() {
        let terrain = terrain(&[".#.", "...", ".#."]);
        assert_eq!(terrain.distances(&[0], |_| false), [0, FAR, 4, 1, 2, 3, 2, FAR, 4]);
        assert_eq!(terrain.distances(&[0, 2], |_| false), [0, FAR, 0, 1, 2, 1, 2, FAR, 2]);
        assert_eq!(terrain.distances(&[0], |at| at == 4), [0, FAR, FAR, 1, FAR, FAR, 2, FAR, FAR]);
        assert_eq!(terrain.land().collect::<Vec<_>>(), [0, 2, 3, 4, 5, 6, 8]);
    }

    #[test]
    fn what_is_around_a_cell_is_counted_in_pieces() {
        let around = |rows: &[&str]| {
            let terrain = terrain(rows);
            terrain.pieces_around(4, |at| !terrain.mountain[at])
        };
        assert_eq!(around(&["...", "...", "..."]), (4, 0));
        assert_eq!(around(&["..#", "...", "..."]), (4, 1));
        assert_eq!(around(&[".#.", "...", ".#."]), (2, 2));
        assert_eq!(around(&["#.#", "...", "#.#"]), (4, 4));
        assert_eq!(around(&[".#.", "#.#", ".#."]), (0, 0));
        let corner = terrain(&["..", ".."]);
        assert_eq!(corner.pieces_around(0, |_| true), (2, 1));
    }
}
