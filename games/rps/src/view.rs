//! What one pair of eyes may know. The only place that hides things, and that turns the arena for the far player.

use crate::action::Direction;
use crate::outcome;
use crate::state::{EMPTY, Kind, Label, State, WALL, other};
use palestra_core::game::{self, State as _};
use palestra_core::{Counter, Eye, Fate, Message, Seat};
use serde::Serialize;

/// A borrow of the state as one player sees it: its own factory at (0, 0), the enemy's in the far corner.
///
/// Only what the enemy has in production is hidden, and what its answers were like. A spectator sees that too, and the rest as the starter does.
///
/// Cells are named by an index, `(y + 1) * stride + x + 1`, on an arena with a ring of walls around it: the four
/// neighbours of a cell, [`View::next`], always exist.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    state: &'a State,
    seat: Option<Seat>,
    /// The index of the player that is meant by "ally".
    side: usize,
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Nothing.
    Empty,
    /// The edge of the arena.
    Wall,
    /// A unit.
    Unit {
        /// Its number.
        id: u32,
        /// Whether it is one's own.
        ally: bool,
        /// What it is.
        kind: Kind,
    },
}

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Soldier {
    /// Its number.
    pub id: u32,
    /// Whether it is one's own.
    pub ally: bool,
    /// What it is.
    pub kind: Kind,
    /// The index of its cell.
    pub at: usize,
}

/// Whose a base is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// One's own.
    Ally,
    /// The enemy's.
    Enemy,
    /// Nobody's so far.
    Neutral,
}

/// How a match ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Won.
    Victory,
    /// Lost.
    Defeat,
    /// Neither.
    Draw,
}

impl<'a> View<'a> {
    /// Rows, and columns.
    #[inline]
    pub fn size(&self) -> u16 {
        self.state.size()
    }

    /// How far apart two cells of a column are by index.
    #[inline]
    pub fn stride(&self) -> usize {
        self.state.stride()
    }

    /// How many indexes there are, the ring included.
    #[inline]
    pub fn indexes(&self) -> usize {
        self.state.grid().len()
    }

    /// Whose eyes these are; `None` is a spectator.
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// The tick to be played; after the end, the one after the last.
    #[inline]
    pub fn tick(&self) -> u32 {
        self.state.tick()
    }

    /// The tick after which the match is a draw.
    pub fn max_ticks(&self) -> u32 {
        self.state.max_ticks()
    }

    /// For how many ticks the enemy factory must be held.
    pub fn hold_ticks(&self) -> u32 {
        self.state.hold_ticks()
    }

    /// What the enemy is called; `None` is `bot`.
    pub fn versus(&self) -> Option<u32> {
        match self.state.labels()[1 - self.side] {
            Label::Bot => None,
            Label::Number(number) => Some(number),
        }
    }

    /// How the match ended, once it has.
    pub fn verdict(&self) -> Option<Verdict> {
        let end = self.state.end()?;
        Some(match end.winner {
            None => Verdict::Draw,
            Some(winner) if winner.index() == self.side => Verdict::Victory,
            Some(_) => Verdict::Defeat,
        })
    }

    /// The cell of the own factory.
    #[inline]
    pub(crate) fn own_factory(&self) -> usize {
        self.stride() + 1
    }

    /// The cell of the enemy's factory.
    #[inline]
    pub(crate) fn enemy_factory(&self) -> usize {
        self.indexes() - 1 - self.own_factory()
    }

    /// The cells of the bases: the one to the right, and the one below.
    #[inline]
    pub(crate) fn base_cells(&self) -> [usize; 2] {
        self.state.base_cells()
    }

    /// Whose the bases are: the one to the right, and the one below.
    #[inline]
    pub fn bases(&self) -> [Owner; 2] {
        let mut owners = self.state.bases().map(|owner| match owner {
            None => Owner::Neutral,
            Some(seat) if seat.index() == self.side => Owner::Ally,
            Some(_) => Owner::Enemy,
        });
        if self.side == 1 {
            owners.reverse();
        }
        owners
    }

    /// What stands on a cell.
    #[inline]
    pub fn cell(&self, at: usize) -> Seen {
        match self.state.grid()[self.turned(at)] {
            EMPTY => Seen::Empty,
            WALL => Seen::Wall,
            id => {
                let unit = self.state.unit(id);
                Seen::Unit { id, ally: usize::from(unit.side) == self.side, kind: unit.kind }
            }
        }
    }

    /// The next cell in a direction from one in the arena.
    #[inline]
    pub fn next(&self, at: usize, direction: Direction) -> usize {
        match direction {
            Direction::Left => at - 1,
            Direction::Right => at + 1,
            Direction::Up => at - self.stride(),
            Direction::Down => at + self.stride(),
        }
    }

    /// Column and row of a cell, counted from 0.
    #[inline]
    pub fn place(&self, at: usize) -> [u16; 2] {
        // Short numbers: dividing them is several times faster.
        let (at, stride) = (at as u32, self.stride() as u32);
        [(at % stride) as u16 - 1, (at / stride) as u16 - 1]
    }

    /// How many own units there are.
    #[inline]
    pub(crate) fn own_count(&self) -> usize {
        self.state.players()[self.side].alive.len()
    }

    /// How many units the enemy has.
    #[inline]
    pub(crate) fn enemy_count(&self) -> usize {
        self.state.players()[1 - self.side].alive.len()
    }

    /// The most units that a player can ever have at once, for buffers that never grow.
    #[inline]
    pub(crate) fn most_at_once(&self) -> usize {
        self.state.most_at_once()
    }

    /// The own units, by number.
    #[inline]
    pub fn own(&self) -> impl ExactSizeIterator<Item = Soldier> + use<'a> {
        self.units_of(self.side)
    }

    /// The enemy's units, by number.
    #[inline]
    pub fn enemies(&self) -> impl ExactSizeIterator<Item = Soldier> + use<'a> {
        self.units_of(1 - self.side)
    }

    /// All units, by number.
    pub fn soldiers(&self) -> impl Iterator<Item = Soldier> + use<'a> {
        let (mut own, mut enemies) = (self.own().peekable(), self.enemies().peekable());
        std::iter::from_fn(move || match (own.peek(), enemies.peek()) {
            (Some(mine), Some(theirs)) if theirs.id < mine.id => enemies.next(),
            (Some(_), _) => own.next(),
            (None, _) => enemies.next(),
        })
    }

    #[inline]
    fn units_of(&self, side: usize) -> impl ExactSizeIterator<Item = Soldier> + use<'a> {
        let view = *self;
        view.state.players()[side].alive.iter().map(move |id| {
            let unit = view.state.unit(*id);
            let at = view.turned(usize::from(unit.at));
            Soldier { id: *id, ally: side == view.side, kind: unit.kind, at }
        })
    }

    /// What is being produced; nothing before the first order.
    #[inline]
    pub fn producing(&self) -> Option<Kind> {
        self.state.players()[self.side].producing
    }

    /// How many units have been finished so far.
    #[inline]
    pub fn finished(&self) -> u32 {
        self.state.players()[self.side].finished
    }

    /// The ticks spent on each kind, in the order of [`Kind::ALL`].
    #[inline]
    pub fn spent(&self) -> [u32; 3] {
        self.state.players()[self.side].spent
    }

    /// What the next unit takes without bases.
    #[inline]
    pub(crate) fn unit_ticks(&self) -> u32 {
        self.state.unit_ticks(self.side)
    }

    /// What the next unit takes with the bases held now.
    #[inline]
    pub(crate) fn ticks_needed(&self) -> u32 {
        self.state.ticks_needed(self.side)
    }

    /// For how many ticks the enemy's factory has been held, and the own one by the enemy.
    #[inline]
    pub fn holds(&self) -> [u32; 2] {
        let players = self.state.players();
        [players[self.side].hold, players[1 - self.side].hold]
    }

    /// Between the arena as it is and as this player sees it: for the far one it is turned by half a turn.
    #[inline]
    fn turned(&self, at: usize) -> usize {
        if self.side == 0 { at } else { self.indexes() - 1 - at }
    }
}

impl View<'_> {
    /// The match as far as these eyes know it, to be played on in thought. The enemy's production is what `guess` makes of
    /// a match in which it has none: a kind, and the ticks spent on it.
    pub(crate) fn imagine(self, guess: impl FnOnce(&State) -> (Kind, u32)) -> State {
        let mut state = self.state.clone();
        state.presume_production(1 - self.side, Kind::Rock, 0);
        let (kind, spent) = guess(&state);
        state.presume_production(1 - self.side, kind, spent);
        state
    }
}

/// What is drawn of one moment. Positions are the starter's, whoever looks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// The tick to be played; after the end, the one after the last.
    pub tick: u32,
    /// The tick after which the match is a draw.
    pub max_ticks: u32,
    /// For how many ticks the enemy factory must be held.
    pub hold_ticks: u32,
    /// Whose tick it is; null when the match is over.
    pub to_move: Option<Seat>,
    /// Whose eyes these are; null is a spectator.
    pub eye: Option<Seat>,
    /// Rows, and columns. The factory of seat 1 is at (0, 0), that of seat 2 in the opposite corner.
    pub size: u16,
    /// By seat.
    pub players: Vec<FramePlayer>,
    /// The base at the top right, and the one at the bottom left.
    pub bases: [FrameBase; 2],
    /// By number.
    pub units: Vec<FrameUnit>,
}

/// What is drawn of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FramePlayer {
    /// Its seat.
    pub seat: Seat,
    /// Units in the arena.
    pub units: usize,
    /// Units finished so far.
    pub finished: u32,
    /// Bases held.
    pub bases: u8,
    /// For how many ticks it has held the enemy factory.
    pub hold: u32,
    /// Lines of its answers that were ignored; not there for the eyes of the other player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<u32>,
    /// Answers in a row that did not come in time; not there for the eyes of the other player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed: Option<u32>,
    /// What it produces; not there for the eyes of the other player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub production: Option<FrameProduction>,
    /// Alive, out or disqualified.
    pub fate: Fate,
    /// How the match ended for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Message>,
}

/// What is drawn of a player's production.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrameProduction {
    /// What is being produced; null before the first order.
    pub kind: Option<Kind>,
    /// The ticks spent on rock, paper and scissors.
    pub spent: [u32; 3],
    /// The ticks that the next unit needs, with the bases held now.
    pub needed: u32,
}

/// What is drawn of a base.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrameBase {
    /// Column, counted from 0.
    pub x: u16,
    /// Row, counted from 0.
    pub y: u16,
    /// Who took it; null is nobody.
    pub owner: Option<Seat>,
}

/// What is drawn of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FrameUnit {
    /// Its number.
    pub id: u32,
    /// Whose it is.
    pub seat: Seat,
    /// What it is: `R`, `P` or `S`.
    pub kind: Kind,
    /// Column, counted from 0.
    pub x: u16,
    /// Row, counted from 0.
    pub y: u16,
}

impl<'a> game::View<'a> for View<'a> {
    const COUNTERS: &'static [Counter] = &[
        Counter { key: "units", marked: false },
        Counter { key: "finished", marked: false },
        Counter { key: "bases", marked: true },
        Counter { key: "hold", marked: false },
    ];

    type State = State;
    type Frame = Frame;

    #[inline]
    fn new(state: &'a State, eye: Eye) -> View<'a> {
        match eye {
            Eye::Seat(seat) => View { state, seat: Some(seat), side: seat.index() },
            Eye::Spectator => View { state, seat: None, side: 0 },
        }
    }

    fn frame(self) -> Frame {
        let state = self.state;
        let starter = state.view(Eye::Spectator);
        let [right, below] = starter.base_cells();
        let base = |at: usize, owner: Option<Seat>| {
            let [x, y] = starter.place(at);
            FrameBase { x, y, owner }
        };
        let [right_owner, below_owner] = state.bases();
        Frame {
            tick: self.tick(),
            max_ticks: self.max_ticks(),
            hold_ticks: self.hold_ticks(),
            to_move: state.to_move(),
            eye: self.seat,
            size: self.size(),
            players: Seat::all(2).map(|seat| frame_player(self, seat)).collect(),
            bases: [base(right, right_owner), base(below, below_owner)],
            units: starter
                .soldiers()
                .map(|unit| {
                    let [x, y] = starter.place(unit.at);
                    let seat = Seat::new(if unit.ally { 1 } else { 2 });
                    FrameUnit { id: unit.id, seat, kind: unit.kind, x, y }
                })
                .collect(),
        }
    }

    fn count(self, seat: Seat, counter: usize) -> Option<u64> {
        let player = &self.state.players()[seat.index()];
        match counter {
            0 => Some(player.alive.len() as u64),
            1 => Some(u64::from(player.finished)),
            2 => Some(u64::from(player.bases)),
            3 => Some(u64::from(player.hold)),
            _ => None,
        }
    }
}

fn frame_player(view: View<'_>, seat: Seat) -> FramePlayer {
    let player = &view.state.players()[seat.index()];
    let hidden = view.seat == Some(other(seat));
    FramePlayer {
        seat,
        units: player.alive.len(),
        finished: player.finished,
        bases: player.bases,
        hold: player.hold,
        ignored: (!hidden).then_some(player.ignored),
        missed: (!hidden).then_some(player.missed),
        production: (!hidden).then(|| FrameProduction {
            kind: player.producing,
            spent: player.spent,
            needed: view.state.ticks_needed(seat.index()),
        }),
        fate: view.state.end().map_or(Fate::Alive, |end| outcome::fate(end, seat)),
        reason: view.state.end().map(|end| outcome::reason(view.state, end, seat).into()),
    }
}

#[cfg(test)]
palestra_testkit::golden_frame!(Frame);
