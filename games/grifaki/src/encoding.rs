//! Observations and actions as numbers. Sees views, never states, so it cannot tell what a seat may not know.

use crate::action::{Action, Build, Move};
use crate::kind::{Building, Kind};
use crate::map::Map;
use crate::reader::Knowledge;
use crate::settings::Settings;
use crate::view::{Seen, View};
use crate::{Board, Grifaki};
use palestra_core::Seat;
use palestra_core::encoding::{
    Decoded, Encoding, Extent, Observation, POWERS, Space, behind, narrow, powers_of,
};
use palestra_core::game::Setup as _;

/// Bytes of a cell.
const PLANES: usize = 11;
/// Parts of an army that a move takes: as many as may go, all but one, half.
const AMOUNTS: usize = 3;
const DIRECTIONS: usize = 4;
/// Where a cell's units can build: on the cell itself, or one step away.
const SITES: usize = 1 + DIRECTIONS;
const BUILDINGS: [Building; 2] = [Building::Wall, Building::City];
const MOVES: usize = DIRECTIONS * AMOUNTS;
const BUILDS: usize = SITES * BUILDINGS.len();
/// Steps to a site: here, up, left, right, down.
const STEPS: [[i64; 2]; SITES] = [[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]];

impl Encoding for Grifaki {
    type Told = Knowledge;

    fn extent(map: &Map) -> Extent {
        let board = map.board();
        Extent { rows: board.rows().into(), columns: board.columns().into(), players: map.seats() }
    }

    fn space(settings: &Settings, extent: Extent) -> Space {
        Grifaki::actions(settings, extent).rest("nothing")
    }

    fn exact_space(settings: &Settings, extent: Extent) -> Space {
        Grifaki::actions(settings, extent)
            .kind("one_unit", &[("cell", extent.places() as u32), ("direction", DIRECTIONS as u32)])
            .kind("more_units", &[("power_of_two", POWERS)])
            .end_turn()
    }

    fn observe(space: &Space, view: View<'_>, pending: &Action, out: &mut Observation<'_>) {
        observe(space, &view, pending, out);
    }

    fn decode(space: &Space, view: View<'_>, action: u32, pending: &mut Action) -> Decoded {
        decode(space, &view, action, pending)
    }

    fn encode(space: &Space, view: View<'_>, answer: &Action, out: &mut Vec<u32>) -> bool {
        let site = |from: [i64; 2], to: [i64; 2]| {
            view.board().index(to)?;
            STEPS.iter().position(|step| [from[0] + step[0], from[1] + step[1]] == to)
        };
        let place = |cell: [i64; 2]| {
            let at = view.board().index(cell)?;
            Some((at, cell[0] as usize * space.extent.columns + cell[1] as usize))
        };
        let number = match answer {
            Action::Empty => Some(space.actions as usize - 1),
            Action::Move(order) => place(order.from).and_then(|(at, place)| {
                let Seen::Clear { units, .. } = view.cell(at) else { return None };
                let way = site(order.from, order.to)?.checked_sub(1)?;
                let part =
                    (0..AMOUNTS).find(|part| i64::from(amount_of(&view, units, *part)) == order.amount);
                if let Some(part) = part {
                    return Some(place * MOVES + way * AMOUNTS + part);
                }
                let [one, more] = exact_kinds(space)?;
                let most = amount_of(&view, units, 0);
                let left =
                    u32::try_from(order.amount).ok().filter(|amount| *amount <= most)?.checked_sub(1)?;
                out.push(one + (place * DIRECTIONS + way) as u32);
                out.extend(powers_of(left).map(|power| more + power));
                // That is all of it.
                Some(space.actions as usize - 1)
            }),
            Action::Build(order) => place(order.from).and_then(|(_, place)| {
                let site = site(order.from, order.to)?;
                let building = BUILDINGS.iter().position(|building| *building == order.building)?;
                let number = place * BUILDS + site * BUILDINGS.len() + building;
                Some(space.kinds[1].start as usize + number)
            }),
        };
        out.extend(number.map(|number| number as u32));
        number.is_some()
    }
}

impl Grifaki {
    /// What is seen, and the actions that every space has.
    fn actions(settings: &Settings, extent: Extent) -> Space {
        let others = u32::from(extent.players).saturating_sub(1).max(1);
        let (cells, ticks) = (extent.places() as u32, settings.max_game_duration);
        Space::of_cells(extent)
            .planes(&[("board", 1), ("in_sight", 1), ("city", 1), ("capital", 1), ("fallen_capital", 1)])
            .planes(&[("mountain", 1), ("hidden_no_plain", 1), ("own", 1), ("other", others), ("wall", 1)])
            .planes(&[("made_for", others + 1)])
            .counts(&[("units", 200)])
            .globals(&[("tick", ticks), ("max_ticks", ticks), ("players", others + 1), ("seat", others)])
            .globals(&[
                ("leave_one", 1),
                ("home_row", extent.rows as u32),
                ("home_column", extent.columns as u32),
            ])
            .globals(&[
                ("wall_price", 100),
                ("city_price", 500),
                ("army", 1000),
                ("land", 100),
                ("cities", 10),
            ])
            .kind("move", &[("cell", cells), ("direction", DIRECTIONS as u32), ("amount", AMOUNTS as u32)])
            .kind("build", &[("cell", cells), ("site", SITES as u32), ("building", BUILDINGS.len() as u32)])
    }
}

/// Writes everything that is seen, and what may be done.
pub(crate) fn observe(space: &Space, shown: &impl Shown, pending: &Action, out: &mut Observation<'_>) {
    out.clear();
    let (own, players) = (shown.seat().map_or(0, |seat| seat.number()), shown.players());
    let relative = |owner: u8| if owner == 0 || own == 0 { 0 } else { behind(own, owner, players) };
    for (row, cells) in shown.rows().enumerate() {
        for (column, seen) in cells.enumerate() {
            let place = row * space.extent.columns + column;
            let planes: [u8; PLANES] = match seen {
                Seen::Hidden { plain } => [1, 0, 0, 0, 0, 0, u8::from(!plain), 0, 0, 0, 0],
                Seen::Clear { kind, owner, units, wall, original } => {
                    out.counts[place] = narrow(units.into());
                    let is = |what: Kind| u8::from(kind == what);
                    let ours = owner == own && own != 0;
                    let made_for = if original == 0 { 0 } else { 1 + relative(original) };
                    let kinds = [Kind::City, Kind::Capital, Kind::FallenCapital, Kind::Mountain].map(is);
                    let [city, capital, fallen, mountain] = kinds;
                    [
                        1,
                        1,
                        city,
                        capital,
                        fallen,
                        mountain,
                        0,
                        ours.into(),
                        relative(owner),
                        wall.into(),
                        made_for,
                    ]
                }
            };
            out.planes[place * PLANES..][..PLANES].copy_from_slice(&planes);
        }
    }
    match exact_kinds(space).zip(begun(pending)) {
        None => write_mask(space, shown, out.mask),
        // A move was begun: it is added to, or made.
        Some(([_, more], order)) => {
            for power in 0..POWERS {
                let can = with_more(shown, order, power).is_some();
                out.mask[(more + power) as usize] = can.into();
            }
            out.mask[space.actions as usize - 1] = 1;
        }
    }
    write_globals(shown, out);
}

/// Adds what an action means to the answer. Behind a move that was begun, whatever cannot be added to it makes it.
pub(crate) fn decode(space: &Space, shown: &impl Shown, action: u32, pending: &mut Action) -> Decoded {
    let exact = exact_kinds(space);
    if let Some(([_, more], order)) = exact.zip(begun(pending)) {
        let power = action.checked_sub(more).filter(|power| *power < POWERS);
        let Some(order) = power.and_then(|power| with_more(shown, order, power)) else {
            return Decoded::Turn;
        };
        *pending = Action::Move(order);
        return Decoded::More;
    }
    let cell_of =
        |number: usize| [number / space.extent.columns, number % space.extent.columns].map(|n| n as i64);
    let step = |from: [i64; 2], site: usize| [from[0] + STEPS[site][0], from[1] + STEPS[site][1]];
    let (number, build) = (action as usize, space.kinds[1].start as usize);
    let one = exact.map_or(space.actions - 1, |[one, _]| one) as usize;
    let more = exact.map_or(space.actions - 1, |[_, more]| more) as usize;
    *pending = if number >= more {
        Action::Empty
    } else if number >= one {
        let from = cell_of((number - one) / DIRECTIONS);
        Action::Move(Move { from, to: step(from, 1 + (number - one) % DIRECTIONS), amount: 1 })
    } else if number < build {
        let from = cell_of(number / MOVES);
        let amount = amount_of(shown, present(shown, from), number % AMOUNTS).into();
        Action::Move(Move { from, to: step(from, 1 + number / AMOUNTS % DIRECTIONS), amount })
    } else {
        let number = number - build;
        let from = cell_of(number / BUILDS);
        let building = BUILDINGS[number % BUILDINGS.len()];
        Action::Build(Build { from, to: step(from, number / BUILDINGS.len() % SITES), building })
    };
    if (one..more).contains(&number) { Decoded::More } else { Decoded::Turn }
}

/// What a player is shown: by its view, or by the text that its bot is sent.
pub(crate) trait Shown {
    fn seat(&self) -> Option<Seat>;
    fn players(&self) -> u8;
    fn board(&self) -> Board;
    fn cell(&self, at: usize) -> Seen;
    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Seen>>;
    fn own_cells(&self) -> impl Iterator<Item = usize>;
    fn home(&self) -> Option<usize>;
    fn price(&self, building: Building) -> Option<u32>;
    fn leave_one(&self) -> bool;
    /// Completed ticks, and how many there can be.
    fn ticks(&self) -> [u32; 2];
    /// The own army, land and cities.
    fn counts(&self) -> [u64; 3];
}

impl Shown for View<'_> {
    fn seat(&self) -> Option<Seat> {
        (**self).seat()
    }

    fn players(&self) -> u8 {
        View::players(self)
    }

    fn board(&self) -> Board {
        (**self).board()
    }

    fn cell(&self, at: usize) -> Seen {
        View::cell(self, at)
    }

    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Seen>> {
        View::rows(self)
    }

    fn own_cells(&self) -> impl Iterator<Item = usize> {
        (**self).own_cells().iter().map(|at| usize::from(*at))
    }

    fn home(&self) -> Option<usize> {
        View::home(self)
    }

    fn price(&self, building: Building) -> Option<u32> {
        View::price(self, building)
    }

    fn leave_one(&self) -> bool {
        View::leave_one(self)
    }

    fn ticks(&self) -> [u32; 2] {
        [self.tick(), self.max_ticks()]
    }

    fn counts(&self) -> [u64; 3] {
        use palestra_core::game::View as _;
        let seat = Shown::seat(self);
        [0, 1, 2].map(|counter| seat.and_then(|seat| self.count(seat, counter)).unwrap_or(0))
    }
}

/// How many of the units of a cell a move takes.
fn amount_of(shown: &impl Shown, present: u32, part: usize) -> u32 {
    match part {
        0 => present.saturating_sub(shown.leave_one().into()),
        1 => present.saturating_sub(1),
        _ => present / 2,
    }
}

/// Where the actions of an exact space begin that a fixed one does not have: moves of one unit that are begun, and more units.
fn exact_kinds(space: &Space) -> Option<[u32; 2]> {
    match &space.kinds[..] {
        [_, _, one, more, _] => Some([one.start, more.start]),
        _ => None,
    }
}

/// The move that was begun in this turn.
fn begun(pending: &Action) -> Option<Move> {
    match pending {
        Action::Move(order) => Some(*order),
        Action::Empty | Action::Build(_) => None,
    }
}

/// A move with this power of two more units, if they may go.
fn with_more(shown: &impl Shown, order: Move, power: u32) -> Option<Move> {
    let amount = order.amount + (1 << power);
    let most = amount_of(shown, present(shown, order.from), 0);
    (amount <= i64::from(most)).then_some(Move { amount, ..order })
}

/// The units that are seen in a cell; 0 beyond the edge.
fn present(shown: &impl Shown, cell: [i64; 2]) -> u32 {
    shown.board().index(cell).map_or(0, |at| match shown.cell(at) {
        Seen::Clear { units, .. } => units,
        Seen::Hidden { .. } => 0,
    })
}

/// What the rules allow. With a sight of 0 steps a neighbour may be hidden: then a move that may turn out to be one into a
/// mountain is offered, too.
fn write_mask(space: &Space, shown: &impl Shown, mask: &mut [u8]) {
    mask[space.actions as usize - 1] = 1;
    let board = shown.board();
    let own = shown.seat().map_or(0, |seat| seat.number());
    let build = space.kinds[1].start as usize;
    let one = exact_kinds(space).map(|[one, _]| one as usize);
    let prices = BUILDINGS.map(|building| shown.price(building));
    for at in shown.own_cells() {
        let Seen::Clear { units, .. } = shown.cell(at) else { continue };
        let [row, column] = board.place(at);
        let place = row as usize * space.extent.columns + column as usize;
        let amounts = [0, 1, 2].map(|part| u8::from(amount_of(shown, units, part) > 0));
        let affords = prices.map(|price| price.is_some_and(|price| price <= units));
        for (site, [rows, columns]) in STEPS.into_iter().enumerate() {
            let Some(to) = board.index([row + rows, column + columns]) else { continue };
            let seen = shown.cell(to);
            if site > 0 && !matches!(seen, Seen::Clear { kind: Kind::Mountain, .. }) {
                mask[place * MOVES + (site - 1) * AMOUNTS..][..AMOUNTS].copy_from_slice(&amounts);
                if let Some(one) = one {
                    mask[one + place * DIRECTIONS + site - 1] = amounts[0];
                }
            }
            if let Seen::Clear { kind, owner, wall, .. } = seen
                && owner == own
            {
                let fits = [!wall, kind == Kind::Plain];
                let allowed = [affords[0] && fits[0], affords[1] && fits[1]].map(u8::from);
                mask[build + place * BUILDS + site * BUILDINGS.len()..][..BUILDINGS.len()]
                    .copy_from_slice(&allowed);
            }
        }
    }
}

fn write_globals(shown: &impl Shown, out: &mut Observation<'_>) {
    let [home_row, home_column] = shown.home().map_or([0, 0], |at| shown.board().place(at));
    // -1 is out of reach.
    let price = |building| shown.price(building).map_or(-1, |price| narrow(price.into()));
    let [tick, max_ticks] = shown.ticks().map(|ticks| narrow(ticks.into()));
    let [army, land, cities] = shown.counts().map(narrow);
    out.write_globals([
        tick,
        max_ticks,
        shown.players().into(),
        shown.seat().map_or(0, |seat| seat.index() as i32),
        shown.leave_one().into(),
        home_row as i32,
        home_column as i32,
        price(Building::Wall),
        price(Building::City),
        army,
        land,
        cities,
    ]);
}
