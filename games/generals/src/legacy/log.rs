//! Reads the contest's log, to look at: random access to a log of any length, with its text and a few numbers for every
//! board in memory.
//!
//! Every board of the log is a turn here: what a move has made of it, or the growth at the end of every second round.
//! Not in the log, and derived by comparing each board with the one before: who moved from where to where, the round,
//! who fell out and how, and the beginning. A move of no units leaves no trace, and passes have no board at all: rounds
//! are counted by the growth, and between two growths by the order of the movers. Settings other than the default ones
//! cannot be told.

mod change;
#[cfg(test)]
mod tests;

use crate::messages::Reason;
use crate::settings::Settings;
use crate::state::Kind;
use crate::view::{self, Frame, FrameMove, FramePlayer};
use change::{Change, change};
use palestra_core::legacy::Log;
use palestra_core::text::FileWords;
use palestra_core::{Fate, Message, Seat, SetupError};
use serde_json::Value;

/// What a log may hold. Numbers beyond these are taken for damage, and none of them makes memory be asked for.
mod limits {
    /// Bytes of a log: places in it are kept in 32 bits.
    pub(super) const BYTES: usize = u32::MAX as usize;
    /// As the settings `max_side` and `max_players` can be.
    pub(super) const SIDE: u64 = 200;
    pub(super) const PLAYERS: u64 = 64;
    /// Units of a cell, and of a player, as the rules keep them.
    pub(super) const UNITS: u64 = u32::MAX as u64;
}

/// Reads a log; `None` if the text is something else.
pub(crate) fn read(text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    is_ours(text).then(|| Ok(Box::new(Boards::read(text)?) as Box<dyn Log>))
}

/// Whether a text begins as no other file does: with rows, columns, players and a 0, and `1` or `0` on the next line.
fn is_ours(text: &str) -> bool {
    let mut lines = text.lines();
    let sizes = lines.next().is_some_and(|line| {
        let mut words = line.split_ascii_whitespace();
        let numbers = words.by_ref().take(3).filter(|word| word.parse::<i64>().is_ok()).count();
        numbers == 3 && words.eq(["0"])
    });
    sizes && lines.next().is_some_and(|line| matches!(line.trim_ascii(), "0" | "1"))
}

struct Boards {
    text: Box<str>,
    sizes: Sizes,
    /// Before the first board of the log.
    start: Board,
    moments: Vec<Moment>,
    /// For each board of the log and each seat: cities and capital.
    cities: Vec<u16>,
    /// By seat: the turn in which a player fell out, and how.
    falls: Vec<Option<(u32, Fate, Reason)>>,
    /// Whether the log has its end.
    complete: bool,
}

#[derive(Clone, Copy)]
struct Sizes {
    rows: u16,
    columns: u16,
    seats: u8,
}

/// What is known of a board but its cells.
struct Moment {
    /// Where it begins in the text.
    begin: u32,
    /// Completed rounds.
    round: u32,
    change: Change,
    /// Who is next, as far as can be told; nobody if at most one player is left.
    next: Option<Seat>,
}

/// Everything on the board at one moment.
#[derive(Clone, Default)]
struct Board {
    /// By seat.
    totals: Vec<Totals>,
    /// Row by row.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Default)]
struct Totals {
    army: u64,
    land: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    kind: Kind,
    owner: u8,
    units: u32,
}

impl Boards {
    fn read(text: &str) -> Result<Boards, SetupError> {
        let mut words = FileWords::new("log", text);
        words.check_size(limits::BYTES, "boards")?;
        let sizes = Sizes {
            rows: words.bounded("the number of rows", 1..=limits::SIDE)? as u16,
            columns: words.bounded("the number of columns", 1..=limits::SIDE)? as u16,
            seats: words.bounded("the number of players", 2..=limits::PLAYERS)? as u8,
        };
        words.bounded("the number of the spectator", 0..=0)?;
        let mut log = Boards {
            text: Box::default(),
            sizes,
            start: Board::default(),
            moments: Vec::new(),
            cities: Vec::new(),
            falls: vec![None; usize::from(sizes.seats)],
            complete: false,
        };
        log.read_boards(&mut words)?;
        log.text = text.into();
        Ok(log)
    }

    /// Reads every board once, so that nothing can go wrong later. A last one that was cut off is left out.
    fn read_boards(&mut self, words: &mut FileWords<'_>) -> Result<(), SetupError> {
        let mut before = Board::bare(self.sizes);
        let mut board = before.clone();
        let mut rounds = Rounds::default();
        self.start = before.clone();
        loop {
            let begin = words.split().0.len();
            if words.skip_word("0") {
                self.complete = true;
                return words.end("the end of the match, 0");
            }
            let read = board.read(words, self.sizes);
            let rest = words.split().1;
            match read {
                // What ends where the text ends may have lost its last digits.
                _ if rest.trim_ascii().is_empty() && (read.is_err() || rest.is_empty()) => return Ok(()),
                Err(error) => return Err(error),
                Ok(()) => {}
            }
            if self.moments.is_empty() {
                self.start = board.beginning();
                before.clone_from(&self.start);
            }
            self.add(begin as u32, &before, &board, &mut rounds);
            std::mem::swap(&mut before, &mut board);
        }
    }

    /// Takes down what has led from one board to the next.
    fn add(&mut self, begin: u32, before: &Board, after: &Board, rounds: &mut Rounds) {
        let expected = rounds.next(before);
        let change = change(before, after, usize::from(self.sizes.columns), expected);
        rounds.go_on(before, &change);
        for (index, fall) in self.falls.iter_mut().enumerate() {
            if fall.is_none() && after.totals[index].land == 0 {
                let heir = before.capital(index as u8 + 1).map_or(0, |at| after.cells[at].owner);
                let round = rounds.completed + 1;
                let (fate, reason) = match heir {
                    0 => (Fate::Disqualified, Reason::Removed { round }),
                    heir => (Fate::Out, Reason::Captured { by: Seat::new(heir), round }),
                };
                *fall = Some((self.moments.len() as u32 + 1, fate, reason));
            }
        }
        self.cities.extend(after.cities(self.sizes.seats));
        self.moments.push(Moment { begin, round: rounds.completed, change, next: rounds.next(after) });
    }

    fn words(&self, turn: u32) -> FileWords<'_> {
        FileWords::new("log", &self.text[self.moments[turn as usize - 1].begin as usize..])
    }

    fn board(&self, turn: u32) -> Board {
        if turn == 0 {
            return self.start.clone();
        }
        let mut board = Board::default();
        board.read(&mut self.words(turn), self.sizes).expect("it was read before");
        board
    }

    fn moment(&self, turn: u32) -> Option<&Moment> {
        self.moments.get((turn as usize).checked_sub(1)?)
    }

    fn cities(&self, turn: u32, seat: Seat) -> u32 {
        match (turn as usize).checked_sub(1) {
            Some(moment) => u32::from(self.cities[moment * usize::from(self.sizes.seats) + seat.index()]),
            None => u32::from(self.start.capital(seat.number()).is_some()),
        }
    }

    fn player(&self, turn: u32, seat: Seat, totals: Totals) -> FramePlayer {
        let fall = self.falls[seat.index()].as_ref().filter(|(fallen, ..)| *fallen <= turn);
        FramePlayer {
            seat,
            army: totals.army,
            land: totals.land,
            cities: Some(self.cities(turn, seat)),
            fate: fall.map_or(Fate::Alive, |(_, fate, _)| *fate),
            reason: fall.map(|(.., reason)| Message::of(reason)),
        }
    }

    fn last_move(&self, turn: u32) -> Option<FrameMove> {
        let Change::Turn { seat: Some(seat), moved: Some((from, to)) } = self.moment(turn)?.change else {
            return None;
        };
        let columns = i64::from(self.sizes.columns);
        let place = |at: u16| [i64::from(at) / columns + 1, i64::from(at) % columns + 1];
        Some(FrameMove { seat, from: place(from), to: place(to) })
    }
}

impl Log for Boards {
    fn seats(&self) -> u8 {
        self.sizes.seats
    }

    fn turns(&self) -> u32 {
        self.moments.len() as u32
    }

    fn mover(&self, turn: u32) -> Option<Seat> {
        match self.moment(turn)?.change {
            Change::Turn { seat, .. } => seat,
            Change::Growth => None,
        }
    }

    fn round(&self, turn: u32) -> u32 {
        self.moment(turn).map_or(0, |moment| match moment.change {
            Change::Turn { .. } => moment.round + 1,
            Change::Growth => moment.round,
        })
    }

    fn frame(&self, turn: u32) -> Value {
        let board = self.board(turn);
        let next = self.moment(turn).map_or(Some(Seat::new(1)), |moment| moment.next);
        let over = self.complete && turn == self.turns();
        let last_round = self.moments.last().map_or(0, |moment| moment.round);
        let rows = board.cells.chunks(usize::from(self.sizes.columns));
        let frame = Frame {
            round: self.moment(turn).map_or(0, |moment| moment.round),
            max_rounds: Settings::default().max_turns.max(last_round),
            to_move: next.filter(|_| !over),
            eye: None,
            rows: self.sizes.rows,
            columns: self.sizes.columns,
            players: Seat::all(self.sizes.seats)
                .zip(&board.totals)
                .map(|(seat, totals)| self.player(turn, seat, *totals))
                .collect(),
            kinds: rows.map(|row| row.iter().map(|cell| view::letter(cell.kind)).collect()).collect(),
            owners: board.cells.iter().map(|cell| cell.owner).collect(),
            units: board.cells.iter().map(|cell| cell.units).collect(),
            last_move: self.last_move(turn),
        };
        serde_json::to_value(frame).expect("a frame is plain data")
    }

    fn count(&self, turn: u32, seat: Seat, counter: usize) -> Option<u64> {
        // Behind the 1 that a board begins with.
        let total = |place: usize| self.words(turn).nth(1 + 2 * seat.index() + place)?.parse().ok();
        match counter {
            0 if turn == 0 => Some(self.start.totals[seat.index()].army),
            0 => total(0),
            1 if turn == 0 => Some(u64::from(self.start.totals[seat.index()].land)),
            1 => total(1),
            2 => Some(u64::from(self.cities(turn, seat))),
            _ => None,
        }
    }
}

/// Counts rounds: by the growth at the end of every second one, and between two growths by the order of the movers.
#[derive(Default)]
struct Rounds {
    completed: u32,
    /// As many as there were at the last growth.
    grown: u32,
    /// The number of the last mover of the running round; 0 is nobody yet.
    last: u8,
}

impl Rounds {
    /// Who is to move, if nobody passes; nobody if at most one player is left.
    fn next(&self, board: &Board) -> Option<Seat> {
        let playing =
            || Seat::all(board.totals.len() as u8).filter(|seat| board.totals[seat.index()].land > 0);
        if playing().count() < 2 {
            return None;
        }
        playing().find(|seat| seat.number() > self.last).or_else(|| playing().next())
    }

    fn go_on(&mut self, before: &Board, change: &Change) {
        match change {
            Change::Growth => *self = Rounds { completed: self.grown + 2, grown: self.grown + 2, last: 0 },
            Change::Turn { seat, .. } => {
                let mover = seat.or_else(|| self.next(before)).map_or(0, Seat::number);
                if mover <= self.last {
                    self.completed = self.grown + 1;
                }
                self.last = mover;
            }
        }
    }
}

impl Board {
    /// Empty land, and nobody on it.
    fn bare(sizes: Sizes) -> Board {
        let area = usize::from(sizes.rows) * usize::from(sizes.columns);
        Board {
            totals: vec![Totals::default(); usize::from(sizes.seats)],
            cells: vec![Cell { kind: Kind::Empty, owner: 0, units: 0 }; area],
        }
    }

    fn read(&mut self, words: &mut FileWords<'_>, sizes: Sizes) -> Result<(), SetupError> {
        words.bounded("the 1 that a board begins with", 1..=1)?;
        self.totals.clear();
        for seat in Seat::all(sizes.seats) {
            let army = words.bounded(format_args!("the army of player {seat}"), 0..=limits::UNITS)?;
            let land =
                words.bounded(format_args!("the land of player {seat}"), 0..=limits::SIDE.pow(2))? as u32;
            self.totals.push(Totals { army, land });
        }
        self.cells.clear();
        for row in 1..=sizes.rows {
            for column in 1..=sizes.columns {
                let mut part = |what: &str, range| {
                    words.bounded(format_args!("{what} of the cell in row {row}, column {column}"), range)
                };
                part("the sight", 1..=1)?;
                let kind = match part("the kind", 1..=4)? {
                    1 => Kind::Empty,
                    2 => Kind::City,
                    3 => Kind::Capital,
                    _ => Kind::Mountain,
                };
                let (mut owner, mut units) = (0, 0);
                if kind != Kind::Mountain {
                    owner = part("the owner", 0..=u64::from(sizes.seats))? as u8;
                    units = part("the units", 0..=limits::UNITS)? as u32;
                }
                self.cells.push(Cell { kind, owner, units });
            }
        }
        Ok(())
    }

    /// The beginning of the match, whose first board this is.
    ///
    /// Before that players have nothing but their capitals, all with as many units. These have grown by one if nobody
    /// has moved in the first two rounds. One player may have lost its capital at once: that was the capital next in
    /// reading order, as they are numbered.
    fn beginning(&self) -> Board {
        let capitals = || self.cells.iter().filter(|cell| cell.kind == Kind::Capital);
        let most = capitals().map(|cell| cell.units).max().unwrap_or(0);
        let grown = most == 2 && capitals().all(|cell| cell.units == most);
        let units = most - u32::from(grown);
        let mut board = self.clone();
        for cell in &mut board.cells {
            match cell.kind {
                Kind::Capital => cell.units = units,
                Kind::Empty => *cell = Cell { kind: Kind::Empty, owner: 0, units: 0 },
                Kind::City | Kind::Mountain => cell.owner = 0,
            }
        }
        let mut from = 0;
        for (number, totals) in (1..).zip(&mut board.totals) {
            let own = |cell: &Cell| cell.kind == Kind::Capital && cell.owner == number;
            let lost = |cell: &Cell| cell.kind == Kind::City && cell.units == units;
            let rest = &mut board.cells[from..];
            let at = rest.iter().position(own).or_else(|| rest.iter().position(lost));
            *totals = Totals::default();
            if let Some(at) = at {
                rest[at] = Cell { kind: Kind::Capital, owner: number, units };
                *totals = Totals { army: u64::from(units), land: 1 };
                from += at + 1;
            }
        }
        board
    }

    fn capital(&self, number: u8) -> Option<usize> {
        self.cells.iter().position(|cell| cell.kind == Kind::Capital && cell.owner == number)
    }

    /// Cities and capital, by seat.
    fn cities(&self, seats: u8) -> impl Iterator<Item = u16> {
        let mut counts = [0; limits::PLAYERS as usize + 1];
        for cell in self.cells.iter().filter(|cell| cell.kind.is_city()) {
            counts[usize::from(cell.owner)] += 1;
        }
        counts.into_iter().skip(1).take(usize::from(seats))
    }
}
