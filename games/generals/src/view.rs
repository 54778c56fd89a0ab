//! What one pair of eyes may know. The only place that hides things.

use crate::state::{Cell, Kind, LastMove, State};
use palestra_core::game::{self, State as _};
use palestra_core::{Counter, Eye, Fate, Message, Seat};
use palestra_grid::{Eyes, Picture};
use serde::Serialize;
use std::ops::{Deref, Range};

/// A borrow of the state with the fog in front. The board, the own cells and what is in sight are those of [`Eyes`].
///
/// The ring around the board is of mountains.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    state: &'a State,
    eyes: Eyes<'a, u8, 1>,
}

/// What is seen of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Too far away to see more than its outline.
    Hidden {
        /// True for a city or a mountain, false for land or another player's capital.
        obstacle: bool,
    },
    /// In sight.
    Plain {
        /// What it is.
        kind: Kind,
        /// Whose it is; 0 is nobody's.
        owner: u8,
        /// How many units are there.
        units: u32,
    },
}

/// Where a turn may have changed what is seen. It may name cells that look as before.
#[derive(Clone, Debug)]
pub(crate) enum Touched<'a> {
    /// Anywhere.
    Everything,
    /// In these cells.
    Cells {
        /// Units have left it.
        left: Option<usize>,
        /// Units have entered it.
        entered: Option<usize>,
        /// What there is to see from the one that was entered, if the player has it now or had it before. Some of them may be in
        /// the ring.
        around: Option<Around>,
        /// These have grown.
        cities: &'a [u16],
    },
}

/// Cells around one that a player has got or lost.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// Three rows of three.
    pub(crate) spans: [Range<usize>; 3],
    /// Those that are seen from so many own cells are seen anew, or no more.
    pub(crate) seen_from: u8,
}

/// What everybody knows of a player. Zeros for one that is out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Totals {
    /// All units.
    pub army: u64,
    /// All cells.
    pub land: u32,
}

impl<'a> View<'a> {
    /// Number of players at the start.
    pub fn players(&self) -> u8 {
        self.state.turns.players()
    }

    /// Completed rounds.
    pub fn round(&self) -> u32 {
        self.state.turns.completed()
    }

    /// The round after which the game ends.
    pub fn max_rounds(&self) -> u32 {
        self.state.turns.max_rounds()
    }

    /// Whether an attack that exactly cancels the defenders takes the cell.
    pub(crate) fn tie_captures(&self) -> bool {
        self.state.tie_captures()
    }

    /// Whether the game is over for these eyes: for a player also when it is out.
    pub fn is_over(&self) -> bool {
        self.state.to_move().is_none() || self.seat().is_some_and(|seat| !self.state.turns.is_in(seat))
    }

    /// What everybody knows of each player, by seat.
    pub fn totals(&self) -> impl ExactSizeIterator<Item = Totals> + use<'a> {
        let state = self.state;
        Seat::all(self.players()).map(move |seat| Totals {
            army: state.players()[seat.index()].army,
            land: state.territory.land(seat),
        })
    }

    /// What is seen of a cell.
    #[inline]
    pub fn cell(&self, at: usize) -> Seen {
        seen(&self.state.cells()[at], self.sees(at))
    }

    /// The rows in order, each of its cells in order.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Seen> + use<'a>> + use<'a> {
        self.eyes.rows(self.state.cells()).map(|row| row.map(|(cell, in_sight)| seen(cell, in_sight)))
    }

    /// Where the latest turn may have changed what these eyes see.
    #[inline]
    pub(crate) fn touched(&self) -> Touched<'a> {
        let latest = self.state.latest();
        let last_move = self.state.last_move();
        if latest.land_grew || latest.handed_over > u32::from(last_move.is_some()) {
            return Touched::Everything;
        }
        let around = last_move.filter(|_| latest.handed_over > 0).and_then(|last| {
            let own = self.seat()?;
            let seen_from = if last.seat == own {
                1
            } else if latest.former_owner == own.number() {
                0
            } else {
                return None;
            };
            let spans = self.state.around(last.to.into());
            Some(Around { spans, seen_from })
        });
        Touched::Cells {
            left: last_move.map(|last| last.from.into()).filter(|at| self.sees(*at)),
            // Even from afar, a capital that has fallen looks different.
            entered: last_move
                .map(|last| last.to.into())
                .filter(|at| latest.handed_over > 0 || self.sees(*at)),
            around,
            cities: if latest.cities_grew { self.state.growing() } else { &[] },
        }
    }

    /// From how many own cells a cell is seen.
    #[inline]
    pub(crate) fn seen_from(&self, at: usize) -> u8 {
        self.seat().map_or(0, |seat| self.state.territory.sight().of(seat.index())[at])
    }

    /// Players do not know it of one another.
    fn knows_cities(&self) -> bool {
        self.seat().is_none()
    }

    fn frame_player(&self, seat: Seat) -> FramePlayer {
        let player = &self.state.players()[seat.index()];
        FramePlayer {
            seat,
            army: player.army,
            land: self.state.territory.land(seat),
            cities: self.knows_cities().then_some(player.cities),
            fate: self.state.turns.fate(seat),
            reason: self.state.turns.fall_of(seat).map(|fall| Message::of(&fall.reason)),
        }
    }
}

impl<'a> Deref for View<'a> {
    type Target = Eyes<'a, u8, 1>;

    #[inline]
    fn deref(&self) -> &Eyes<'a, u8, 1> {
        &self.eyes
    }
}

#[inline]
fn seen(cell: &Cell, in_sight: bool) -> Seen {
    if in_sight {
        Seen::Plain { kind: cell.kind, owner: cell.owner, units: cell.units }
    } else {
        // The own capital is always in sight, so a hidden one is somebody else's.
        Seen::Hidden { obstacle: matches!(cell.kind, Kind::City | Kind::Mountain) }
    }
}

/// What is drawn of one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// Completed rounds.
    pub round: u32,
    /// The round after which the game ends.
    pub max_rounds: u32,
    /// Whose turn it is; null when the game is over.
    pub to_move: Option<Seat>,
    /// Whose eyes these are; null is a spectator.
    pub eye: Option<Seat>,
    /// Number of rows.
    pub rows: u16,
    /// Number of columns.
    pub columns: u16,
    /// By seat.
    pub players: Vec<FramePlayer>,
    /// A string per row, a letter per cell: `.` land, `c` city, `C` capital, `M` mountain; out of sight `?` land or
    /// another player's capital, `!` city or mountain.
    pub kinds: Vec<String>,
    /// Row by row; 0 is nobody's or out of sight.
    pub owners: Vec<u8>,
    /// Row by row; 0 where out of sight.
    pub units: Vec<u32>,
    /// The move just made, if both of its cells are in sight.
    pub last_move: Option<FrameMove>,
}

/// What is drawn of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FramePlayer {
    /// Its seat.
    pub seat: Seat,
    /// All units.
    pub army: u64,
    /// All cells.
    pub land: u32,
    /// Cities and capital; only for a spectator, as players do not know it of one another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cities: Option<u32>,
    /// Alive, out or disqualified.
    pub fate: Fate,
    /// Why it fell out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Message>,
}

/// What is drawn of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrameMove {
    /// Who moved.
    pub seat: Seat,
    /// Row and column, counted from 1.
    pub from: [i64; 2],
    /// Row and column, counted from 1.
    pub to: [i64; 2],
}

impl<'a> game::View<'a> for View<'a> {
    const COUNTERS: &'static [Counter] = palestra_grid::COUNTERS;

    type State = State;
    type Frame = Frame;

    #[inline]
    fn new(state: &'a State, eye: Eye) -> View<'a> {
        View { state, eyes: Eyes::new(eye, &state.territory) }
    }

    fn frame(self) -> Frame {
        let board = self.board();
        let cells = self.state.cells();
        let Picture { kinds, owners, units } =
            self.picture(cells, |_, cell, in_sight| match seen(cell, in_sight) {
                Seen::Hidden { obstacle: false } => ('?', 0, 0),
                Seen::Hidden { obstacle: true } => ('!', 0, 0),
                Seen::Plain { kind, owner, units } => (letter(kind), owner, units),
            });
        Frame {
            round: self.round(),
            max_rounds: self.max_rounds(),
            to_move: self.state.to_move(),
            eye: self.seat(),
            rows: board.rows(),
            columns: board.columns(),
            players: Seat::all(self.players()).map(|seat| self.frame_player(seat)).collect(),
            kinds,
            owners,
            units,
            last_move: self.state.last_move().and_then(|LastMove { seat, from, to }| {
                self.places([from, to]).map(|[from, to]| FrameMove { seat, from, to })
            }),
        }
    }

    fn count(self, seat: Seat, counter: usize) -> Option<u64> {
        let player = &self.state.players()[seat.index()];
        match counter {
            0 => Some(player.army),
            1 => Some(u64::from(self.state.territory.land(seat))),
            2 => self.knows_cities().then_some(u64::from(player.cities)),
            _ => None,
        }
    }
}

/// What a cell is in [`Frame::kinds`].
pub(crate) fn letter(kind: Kind) -> char {
    match kind {
        Kind::Empty => '.',
        Kind::City => 'c',
        Kind::Capital => 'C',
        Kind::Mountain => 'M',
    }
}

#[cfg(test)]
palestra_testkit::golden_frame!(Frame);
