//! What map files and protocols of boards begin with (rows, columns, players), and their lines of cells.

use crate::board::Board;
use palestra_core::encoding::{Extent, Unread, number};
use palestra_core::legacy::TestCase;
use palestra_core::text::{FileWords, Words};
use palestra_core::{Seat, SetupError, limits, push_line};

/// No store of [`palestra_core::text::put`] is longer: the last one may reach beyond the last line.
const STORE: usize = 24;

/// Writes a line for every cell: `put` stores it at a place in the room, and gives its end.
///
/// Room is made for a row of the longest lines; then every line is a few stores of fixed size.
#[inline]
pub fn write_lines<const FIRST: i64, T>(
    out: &mut Vec<u8>,
    board: Board<FIRST>,
    rows: impl Iterator<Item = impl Iterator<Item = T>>,
    longest_line: usize,
    put: impl Fn(&mut [u8], usize, T) -> usize,
) {
    let room = usize::from(board.columns()) * longest_line + STORE;
    let mut end = out.len();
    for row in rows {
        out.resize(end + room, 0);
        let out = out.as_mut_slice();
        for cell in row {
            end = put(out, end, cell);
        }
    }
    out.truncate(end);
}

/// How large a map may be: the settings `max_side` and `max_players`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most rows, and the most columns.
    pub side: u32,
    /// The most players.
    pub players: u32,
}

impl Limits {
    /// Reads the first three numbers of a map file: its size, and how many players it is for.
    pub(crate) fn read<const FIRST: i64>(
        self,
        words: &mut FileWords<'_>,
    ) -> Result<(Board<FIRST>, u8), SetupError> {
        let rows = self.read_side(words, "rows")?;
        let columns = self.read_side(words, "columns")?;
        let players: u64 = words.number("the number of players")?;
        match u8::try_from(players) {
            Ok(few) if (2..=self.players).contains(&u32::from(few)) => Ok((Board::new(rows, columns), few)),
            _ => Err(words.error(format_args!(
                "the map is for {players} players, and must be for 2 to {}; change it, or the setting max_players",
                self.players
            ))),
        }
    }

    fn read_side(self, words: &mut FileWords<'_>, what: &str) -> Result<u16, SetupError> {
        let side: u64 = words.number(format_args!("the number of {what}"))?;
        if side < 1 || side > u64::from(self.side) {
            return Err(words.error(format_args!(
                "the map has {side} {what}, and must have 1 to {}; change it, or the setting max_side",
                self.side
            )));
        }
        Ok(side as u16)
    }

    /// Whether a map that is to be generated keeps them.
    pub fn check(self, rows: u32, columns: u32, players: u32) -> Result<(), SetupError> {
        for (side, what) in [(rows, "rows"), (columns, "columns")] {
            if side < 1 || side > self.side {
                return Err(SetupError::new(format!(
                    "a map of {side} {what} was asked for, and it must have 1 to {}; change it, or the setting max_side",
                    self.side
                )));
            }
        }
        if players < 2 || players > self.players {
            return Err(SetupError::new(format!(
                "a map for {players} players was asked for, and it must be for 2 to {}; change it, or the setting \
                 max_players",
                self.players
            )));
        }
        Ok(())
    }
}

/// Reads a test of a test system: a map whose cells `skip` reads one by one, and player names. Nothing is checked but where
/// the map ends.
pub fn read_test(
    text: &str,
    skip: impl Fn(&mut FileWords<'_>) -> Result<(), SetupError>,
) -> Result<TestCase, SetupError> {
    let mut words = FileWords::new("map", text);
    let rows: u64 = words.number("the number of rows")?;
    let columns: u64 = words.number("the number of columns")?;
    words.number::<u64>("the number of players")?;
    // Without a bound of its own: the words run out long before a large product does.
    for _ in 0..rows.saturating_mul(columns) {
        skip(&mut words)?;
    }
    let (map, rest) = words.split();
    Ok(TestCase {
        map: format!("{}\n", map.trim()),
        players: rest.split_whitespace().map(str::to_owned).collect(),
    })
}

/// What a bot is told once: `rows columns players id`; the id of a spectator is 0.
pub fn hello<const FIRST: i64>(board: Board<FIRST>, players: u8, seat: Option<Seat>, out: &mut Vec<u8>) {
    push_line!(out, board.rows(), board.columns(), players, seat.map_or(0, Seat::number));
}

/// Reads that: how large the board is, and whose bot it is.
pub fn read_hello(words: &mut Words<'_>) -> Result<(Extent, Seat), Unread> {
    let [rows, columns]: [u16; 2] = [number(words)?, number(words)?];
    let [players, id]: [u8; 2] = [number(words)?, number(words)?];
    let extent = Extent { rows: rows.into(), columns: columns.into(), players };
    let fits = (1..=limits::MAP_BYTES).contains(&extent.places())
        && usize::from(players) <= limits::SEATS
        && (1..=players).contains(&id);
    fits.then(|| (extent, Seat::new(id))).ok_or(Unread::Foreign)
}
