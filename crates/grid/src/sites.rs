//! What a map is made of.

use crate::board::Board;
use crate::words::Limits;
use palestra_core::SetupError;
use palestra_core::text::FileWords;

/// What is on every cell of a map, row by row, and how many players it is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sites<S, const FIRST: i64> {
    board: Board<FIRST>,
    players: u8,
    sites: Vec<S>,
}

impl<S, const FIRST: i64> Sites<S, FIRST> {
    /// These, for so many players.
    ///
    /// # Panics
    /// If there are not exactly as many sites as cells.
    pub fn new(board: Board<FIRST>, players: u8, sites: Vec<S>) -> Self {
        assert_eq!(sites.len(), board.area());
        Sites { board, players, sites }
    }

    /// Reads a map file: its size, how many players it is for, and its cells, each by `site`, which is told the place of the cell
    /// and the number of players.
    pub fn read(
        limits: Limits,
        text: &str,
        mut site: impl FnMut(&mut FileWords<'_>, [i64; 2], u8) -> Result<S, SetupError>,
    ) -> Result<Self, SetupError> {
        let mut words = FileWords::new("map", text);
        let (board, players) = limits.read::<FIRST>(&mut words)?;
        let mut sites = Vec::with_capacity(board.area());
        for at in board.cells() {
            sites.push(site(&mut words, board.place(at), players)?);
        }
        words.end(format_args!("the last of the {} x {} cells", board.rows(), board.columns()))?;
        Ok(Sites { board, players, sites })
    }

    /// Writes the map file, a row to a line.
    pub fn write(&self, row: impl Fn(&mut String, &[S])) -> String {
        let mut text = format!("{} {} {}\n", self.board.rows(), self.board.columns(), self.players);
        for sites in self.sites.chunks(usize::from(self.board.columns())) {
            row(&mut text, sites);
            text.push('\n');
        }
        text
    }

    /// Where the cells are.
    pub fn board(&self) -> Board<FIRST> {
        self.board
    }

    /// How many players it is for.
    pub fn players(&self) -> u8 {
        self.players
    }

    /// What is where, row by row.
    pub fn sites(&self) -> &[S] {
        &self.sites
    }
}

/// Refuses a game in which the board could come to so many units. No cell can ever hold more of them than the whole board,
/// so it is enough to bound that.
pub fn refuse_overflow(units: u128, what_to_do: &str) -> Result<(), SetupError> {
    if units > u128::from(u32::MAX) {
        let most = u32::MAX;
        return Err(SetupError::new(format!(
            "the board could come to {units} units, and {most} is the most; {what_to_do}"
        )));
    }
    Ok(())
}
