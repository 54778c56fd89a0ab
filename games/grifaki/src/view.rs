//! What one pair of eyes may know. The only place that hides things.

use crate::kind::{Building, Kind};
use crate::outcome;
use crate::state::{Cell, Deed, LastAction, State};
use palestra_core::game::{self, State as _};
use palestra_core::{Counter, Eye, Fate, Message, Seat};
use palestra_grid::{Eyes, Picture};
use serde::Serialize;
use std::ops::Deref;

/// A borrow of the state with the fog in front. The board, the own cells and what is in sight are those of [`Eyes`].
///
/// The ring around the board is of mountains.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    state: &'a State,
    eyes: Eyes<'a, u16, 0>,
}

/// What is seen of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// In the fog.
    Hidden {
        /// All that is known: whether it is a plain, or anything else.
        plain: bool,
    },
    /// In sight.
    Clear {
        /// What it is.
        kind: Kind,
        /// Whose it is; 0 is nobody's.
        owner: u8,
        /// How many units are there.
        units: u32,
        /// Whether it has a wall.
        wall: bool,
        /// Whose capital it was made as; 0 for every other cell.
        original: u8,
    },
}

/// How the game went, for one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It fell out, or nobody won.
    Lost,
    /// This one won.
    Won(Seat),
}

impl<'a> View<'a> {
    /// Number of players at the start.
    pub fn players(&self) -> u8 {
        self.state.turns.players()
    }

    /// Completed ticks.
    pub fn tick(&self) -> u32 {
        self.state.turns.completed()
    }

    /// The tick after which the game ends.
    pub fn max_ticks(&self) -> u32 {
        self.state.turns.max_rounds()
    }

    /// How many times as strong units behind a wall defend, as a fraction.
    pub(crate) fn wall_coefficient(&self) -> (u64, u64) {
        self.state.wall()
    }

    /// Whether a move must leave a unit behind.
    #[inline]
    pub fn leave_one(&self) -> bool {
        self.state.leave_one()
    }

    /// Whether this seat's bot expects cells of five words.
    pub(crate) fn five_words(&self) -> bool {
        self.seat().is_some_and(|seat| self.state.five_words(seat))
    }

    /// What the player's next building of a kind costs; `None` is out of reach, or a spectator.
    pub fn price(&self, building: Building) -> Option<u32> {
        self.state.price(self.seat()?, building)
    }

    /// Where the player's own capital was made; `None` for a spectator.
    pub fn home(&self) -> Option<usize> {
        self.seat().map(|seat| self.state.capital(seat))
    }

    /// How the game went, once it is over for these eyes: for a player also when it is out.
    pub fn verdict(&self) -> Option<Verdict> {
        if self.seat().is_some_and(|seat| !self.state.turns.is_in(seat)) {
            return Some(Verdict::Lost);
        }
        let outcome = outcome::outcome(self.state)?;
        Some(outcome.winner.map_or(Verdict::Lost, Verdict::Won))
    }

    /// The player's own cities and capitals.
    pub(crate) fn own_cities(&self) -> &'a [u16] {
        self.own_in_front()
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

    /// A player learns nothing about the others but what it sees; when the game is over, everybody may look back.
    fn knows_all_of(&self, seat: Seat) -> bool {
        self.seat().is_none_or(|own| own == seat)
    }

    fn frame_player(&self, seat: Seat) -> FramePlayer {
        let player = &self.state.players()[seat.index()];
        let known = self.knows_all_of(seat);
        let told = known || self.state.to_move().is_none();
        FramePlayer {
            seat,
            army: known.then_some(player.army),
            land: known.then(|| self.state.territory.land(seat)),
            cities: known.then(|| self.state.cities(seat)),
            fate: told.then(|| self.state.turns.fate(seat)),
            reason: self.state.turns.fall_of(seat).filter(|_| told).map(|fall| Message::of(&fall.reason)),
        }
    }
}

impl<'a> Deref for View<'a> {
    type Target = Eyes<'a, u16, 0>;

    #[inline]
    fn deref(&self) -> &Eyes<'a, u16, 0> {
        &self.eyes
    }
}

#[inline]
fn seen(cell: &Cell, in_sight: bool) -> Seen {
    if in_sight {
        let &Cell { kind, owner, units, wall, original } = cell;
        Seen::Clear { kind, owner, units, wall, original }
    } else {
        Seen::Hidden { plain: cell.kind == Kind::Plain }
    }
}

/// What is drawn of one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// Completed ticks.
    pub tick: u32,
    /// The tick after which the game ends.
    pub max_ticks: u32,
    /// Whose turn it is; null when the game is over.
    pub to_move: Option<Seat>,
    /// Whose eyes these are; null is a spectator.
    pub eye: Option<Seat>,
    /// Number of rows.
    pub height: u16,
    /// Number of columns.
    pub width: u16,
    /// By seat.
    pub players: Vec<FramePlayer>,
    /// A string per row, a letter per cell: `.` plain, `c` city, `C` capital, `F` fallen capital, `M` mountain; out of
    /// sight `?` a plain, `!` anything else.
    pub kinds: Vec<String>,
    /// Row by row; 0 is nobody's or out of sight.
    pub owners: Vec<u8>,
    /// Row by row; 0 where out of sight.
    pub units: Vec<u32>,
    /// Row and column, counted from 0, of every wall in sight.
    pub walls: Vec<[u16; 2]>,
    /// Every capital in sight, fallen or not.
    pub capitals: Vec<FrameCapital>,
    /// The action just taken, if both of its cells are in sight.
    pub last_action: Option<FrameAction>,
    /// Whether a move must leave a unit behind.
    pub leave_one: bool,
    /// What the player's next buildings cost; null for a spectator.
    pub prices: Option<FramePrices>,
}

/// What a player's next buildings cost; null is out of reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FramePrices {
    /// A wall.
    pub wall: Option<u32>,
    /// A city.
    pub city: Option<u32>,
}

/// What is drawn of a player. Of the others a player knows only what it sees, so their numbers are left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FramePlayer {
    /// Its seat.
    pub seat: Seat,
    /// All units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub army: Option<u64>,
    /// All cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub land: Option<u32>,
    /// Cities and capitals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cities: Option<u32>,
    /// Alive, out or disqualified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<Fate>,
    /// Why it fell out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Message>,
}

/// What is drawn of a capital beyond its cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrameCapital {
    /// Whose it was made as.
    pub original: Seat,
    /// Row and column, counted from 0.
    pub at: [u16; 2],
}

/// What is drawn of an action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FrameAction {
    /// Who acted.
    pub seat: Seat,
    /// Row and column, counted from 0.
    pub from: [i64; 2],
    /// Row and column, counted from 0.
    pub to: [i64; 2],
    /// How many units moved; left out for a building.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<u32>,
    /// What was built; left out for a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built: Option<Building>,
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
        let (mut walls, mut capitals) = (Vec::new(), Vec::new());
        let cells = self.state.cells();
        let Picture { kinds, owners, units } = self.picture(cells, |at, cell, in_sight| {
            let (kind, owner, units, wall, original) = match seen(cell, in_sight) {
                Seen::Hidden { plain } => return (if plain { '?' } else { '!' }, 0, 0),
                Seen::Clear { kind, owner, units, wall, original } => (kind, owner, units, wall, original),
            };
            if wall {
                walls.push(at);
            }
            if original != 0 {
                capitals.push(FrameCapital { original: Seat::new(original), at });
            }
            (letter(kind), owner, units)
        });
        Frame {
            tick: self.tick(),
            max_ticks: self.max_ticks(),
            to_move: self.state.to_move(),
            eye: self.seat(),
            height: board.rows(),
            width: board.columns(),
            players: Seat::all(self.players()).map(|seat| self.frame_player(seat)).collect(),
            kinds,
            owners,
            units,
            walls,
            capitals,
            last_action: frame_action(self),
            leave_one: self.leave_one(),
            prices: self
                .seat()
                .map(|_| FramePrices { wall: self.price(Building::Wall), city: self.price(Building::City) }),
        }
    }

    fn count(self, seat: Seat, counter: usize) -> Option<u64> {
        let number = match counter {
            0 => self.state.players()[seat.index()].army,
            1 => u64::from(self.state.territory.land(seat)),
            2 => u64::from(self.state.cities(seat)),
            _ => return None,
        };
        self.knows_all_of(seat).then_some(number)
    }
}

fn frame_action(view: View<'_>) -> Option<FrameAction> {
    let LastAction { seat, from, to, deed } = view.state.last_action()?;
    let (moved, built) = match deed {
        Deed::Moved { amount } => (Some(amount), None),
        Deed::Built(building) => (None, Some(building)),
    };
    view.places([from, to]).map(|[from, to]| FrameAction { seat, from, to, moved, built })
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Plain => '.',
        Kind::City => 'c',
        Kind::Capital => 'C',
        Kind::FallenCapital => 'F',
        Kind::Mountain => 'M',
    }
}

#[cfg(test)]
palestra_testkit::golden_frame!(Frame);
