//! Observations and actions as numbers. Sees views, never states, so it cannot tell what a seat may not know.

use crate::Grifaki;
use crate::action::{Action, Build, Move};
use crate::kind::{Building, Kind};
use crate::map::Map;
use crate::settings::Settings;
use crate::view::{Seen, View};
use palestra_core::encoding::{Decoded, Encoding, Extent, Observation, Space, behind, narrow};
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
    fn extent(map: &Map) -> Extent {
        let board = map.board();
        Extent { rows: board.rows().into(), columns: board.columns().into(), players: map.seats() }
    }

    fn space(settings: &Settings, extent: Extent) -> Space {
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
            .rest("nothing")
    }

    fn observe(space: &Space, view: View<'_>, _pending: &Action, out: &mut Observation<'_>) {
        out.clear();
        let (own, players) = (view.seat().map_or(0, |seat| seat.number()), view.players());
        let relative = |owner: u8| if owner == 0 || own == 0 { 0 } else { behind(own, owner, players) };
        for (row, cells) in view.rows().enumerate() {
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
        write_mask(space, view, out.mask);
        write_globals(view, out);
    }

    fn decode(space: &Space, view: View<'_>, action: u32, pending: &mut Action) -> Decoded {
        let cell_of =
            |number: usize| [number / space.extent.columns, number % space.extent.columns].map(|n| n as i64);
        let step = |from: [i64; 2], site: usize| [from[0] + STEPS[site][0], from[1] + STEPS[site][1]];
        let (number, build) = (action as usize, space.kinds[1].start as usize);
        *pending = if action + 1 >= space.actions {
            Action::Empty
        } else if number < build {
            let from = cell_of(number / MOVES);
            let present = view.board().index(from).map_or(0, |at| match view.cell(at) {
                Seen::Clear { units, .. } => units,
                Seen::Hidden { .. } => 0,
            });
            let amount = amount(view, present, number % AMOUNTS).into();
            Action::Move(Move { from, to: step(from, 1 + number / AMOUNTS % DIRECTIONS), amount })
        } else {
            let number = number - build;
            let from = cell_of(number / BUILDS);
            let building = BUILDINGS[number % BUILDINGS.len()];
            Action::Build(Build { from, to: step(from, number / BUILDINGS.len() % SITES), building })
        };
        Decoded::Turn
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
                let amount =
                    (0..AMOUNTS).find(|part| i64::from(amount(view, units, *part)) == order.amount)?;
                Some(place * MOVES + way * AMOUNTS + amount)
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

/// How many of the units of a cell a move takes.
fn amount(view: View<'_>, present: u32, part: usize) -> u32 {
    match part {
        0 => present.saturating_sub(view.leave_one().into()),
        1 => present.saturating_sub(1),
        _ => present / 2,
    }
}

/// What the rules allow. With a sight of 0 steps a neighbour may be hidden: then a move that may turn out to be one into a
/// mountain is offered, too.
fn write_mask(space: &Space, view: View<'_>, mask: &mut [u8]) {
    mask[space.actions as usize - 1] = 1;
    let board = view.board();
    let own = view.seat().map_or(0, |seat| seat.number());
    let build = space.kinds[1].start as usize;
    let prices = BUILDINGS.map(|building| view.price(building));
    for at in view.own_cells().iter().map(|at| usize::from(*at)) {
        let Seen::Clear { units, .. } = view.cell(at) else { continue };
        let [row, column] = board.place(at);
        let place = row as usize * space.extent.columns + column as usize;
        let amounts = [0, 1, 2].map(|part| u8::from(amount(view, units, part) > 0));
        let affords = prices.map(|price| price.is_some_and(|price| price <= units));
        for (site, [rows, columns]) in STEPS.into_iter().enumerate() {
            let Some(to) = board.index([row + rows, column + columns]) else { continue };
            let seen = view.cell(to);
            if site > 0 && !matches!(seen, Seen::Clear { kind: Kind::Mountain, .. }) {
                mask[place * MOVES + (site - 1) * AMOUNTS..][..AMOUNTS].copy_from_slice(&amounts);
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

fn write_globals(view: View<'_>, out: &mut Observation<'_>) {
    use palestra_core::game::View as _;
    let seat = view.seat();
    let [home_row, home_column] = view.home().map_or([0, 0], |at| view.board().place(at));
    // -1 is out of reach.
    let price = |building| view.price(building).map_or(-1, |price| narrow(price.into()));
    let counted = |counter| narrow(seat.and_then(|seat| view.count(seat, counter)).unwrap_or(0));
    out.write_globals([
        narrow(view.tick().into()),
        narrow(view.max_ticks().into()),
        view.players().into(),
        seat.map_or(0, |seat| seat.index() as i32),
        view.leave_one().into(),
        home_row as i32,
        home_column as i32,
        price(Building::Wall),
        price(Building::City),
        counted(0),
        counted(1),
        counted(2),
    ]);
}
