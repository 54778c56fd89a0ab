//! Observations and actions as numbers. Sees views, never states.
//!
//! Rows and columns are the player's own: its factory is in the first cell. A turn is one action for each unit that is to
//! move, in the order in which they are carried out, perhaps one that chooses what is produced, and one that ends it.

use crate::Rps;
use crate::action::{Action, Direction};
use crate::map::Arena;
use crate::reader::Knowledge;
use crate::settings::Settings;
use crate::state::Kind;
use crate::view::{Owner, Seen, View};
use palestra_core::encoding::{Decoded, Encoding, Extent, Observation, Space, narrow};
use palestra_core::game::Setup as _;

/// Bytes of a cell.
const PLANES: usize = 8;
const DIRECTIONS: usize = Direction::ALL.len();
const KINDS: usize = Kind::ALL.len();

impl Encoding for Rps {
    type Told = Knowledge;

    fn extent(arena: &Arena) -> Extent {
        Extent { rows: arena.size().into(), columns: arena.size().into(), players: arena.seats() }
    }

    fn space(settings: &Settings, extent: Extent) -> Space {
        let (cells, ticks) = (extent.places() as u32, settings.max_ticks);
        let unit = settings.first_unit_ticks.saturating_mul(2);
        let hold = settings.hold_ticks;
        Space::of_cells(extent)
            .planes(&[("board", 1), ("own_rock", 1), ("own_paper", 1), ("own_scissors", 1)])
            .planes(&[("enemy_rock", 1), ("enemy_paper", 1), ("enemy_scissors", 1), ("ordered", 1)])
            .globals(&[
                ("tick", ticks),
                ("max_ticks", ticks),
                ("hold_ticks", hold),
                ("size", 20),
                ("seat", 1),
            ])
            .globals(&[
                ("base_right_own", 1),
                ("base_right_enemy", 1),
                ("base_below_own", 1),
                ("base_below_enemy", 1),
            ])
            .globals(&[("producing_rock", 1), ("producing_paper", 1), ("producing_scissors", 1)])
            .globals(&[("spent_rock", unit), ("spent_paper", unit), ("spent_scissors", unit)])
            .globals(&[("unit_ticks", unit), ("needed_ticks", unit), ("finished", 20)])
            .globals(&[("own_units", 20), ("enemy_units", 20), ("own_hold", hold), ("enemy_hold", hold)])
            .kind("move", &[("cell", cells), ("direction", DIRECTIONS as u32)])
            .kind("produce", &[("kind", KINDS as u32)])
            .end_turn()
    }

    fn observe(space: &Space, view: View<'_>, pending: &Action, out: &mut Observation<'_>) {
        out.clear();
        let (size, room) = (usize::from(view.size()), space.extent.columns);
        for row in out.planes.chunks_exact_mut(room * PLANES).take(size) {
            row.chunks_exact_mut(PLANES).take(size).for_each(|cell| cell[0] = 1);
        }
        for unit in view.own() {
            let place = place(view, room, unit.at);
            out.planes[place * PLANES + 1 + unit.kind as usize] = 1;
            if ordered(pending, unit.id) {
                out.planes[place * PLANES + 7] = 1;
                continue;
            }
            for (way, direction) in Direction::ALL.into_iter().enumerate() {
                let open = view.cell(view.next(unit.at, direction)) != Seen::Wall;
                out.mask[place * DIRECTIONS + way] = open.into();
            }
        }
        for unit in view.enemies() {
            out.planes[place(view, room, unit.at) * PLANES + 4 + unit.kind as usize] = 1;
        }
        let produce = space.kinds[1].start as usize;
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            let changes = pending.production.is_none() && view.producing() != Some(kind);
            out.mask[produce + number] = changes.into();
        }
        out.mask[space.actions as usize - 1] = 1;
        write_globals(view, pending, out);
    }

    fn clear(pending: &mut Action) {
        pending.clear();
    }

    /// What cannot be written down, because no own unit without an order is there, or production was chosen already, ends the turn.
    fn decode(space: &Space, view: View<'_>, action: u32, pending: &mut Action) -> Decoded {
        let produce = space.kinds[1].start;
        if action >= produce {
            let chosen = Kind::ALL.get((action - produce) as usize);
            return match chosen {
                Some(kind) if pending.production.is_none() => {
                    pending.production = Some(*kind);
                    Decoded::More
                }
                _ => Decoded::Turn,
            };
        }
        let (cell, way) = (action as usize / DIRECTIONS, action as usize % DIRECTIONS);
        let (row, column) = (cell / space.extent.columns, cell % space.extent.columns);
        let size = usize::from(view.size());
        if row >= size || column >= size {
            return Decoded::Turn;
        }
        match view.cell((row + 1) * view.stride() + column + 1) {
            Seen::Unit { id, ally: true, .. } if !ordered(pending, id) => {
                pending.order(id, Direction::ALL[way]);
                Decoded::More
            }
            _ => Decoded::Turn,
        }
    }

    fn encode(space: &Space, view: View<'_>, answer: &Action, out: &mut Vec<u32>) -> bool {
        let begin = out.len();
        for (number, order) in answer.orders.iter().enumerate() {
            let again = answer.orders[..number].iter().any(|earlier| earlier.unit == order.unit);
            let Some(unit) = view.own().find(|unit| unit.id == order.unit && !again) else {
                out.truncate(begin);
                return false;
            };
            let place = place(view, space.extent.columns, unit.at);
            out.push((place * DIRECTIONS + order.direction as usize) as u32);
        }
        out.extend(answer.production.map(|kind| space.kinds[1].start + kind as u32));
        out.push(space.actions - 1);
        if answer.unreadable > 0 {
            out.truncate(begin);
        }
        answer.unreadable == 0
    }
}

/// Whether a unit has its order already.
fn ordered(pending: &Action, unit: u32) -> bool {
    pending.orders.iter().any(|order| order.unit == unit)
}

/// The place of a cell in an observation with so many columns.
fn place(view: View<'_>, room: usize, at: usize) -> usize {
    let [column, row] = view.place(at).map(usize::from);
    row * room + column
}

fn write_globals(view: View<'_>, pending: &Action, out: &mut Observation<'_>) {
    let number = |number: u32| narrow(number.into());
    let bases = view
        .bases()
        .into_iter()
        .flat_map(|owner| [Owner::Ally, Owner::Enemy].map(|whose| i32::from(owner == whose)));
    let producing = pending.production.or(view.producing());
    let kinds = Kind::ALL.map(|kind| i32::from(producing == Some(kind)));
    let head = [
        number(view.tick()),
        number(view.max_ticks()),
        number(view.hold_ticks()),
        view.size().into(),
        view.seat().map_or(0, |seat| seat.index() as i32),
    ];
    let units = [view.own_count(), view.enemy_count()].map(|count| narrow(count as u64));
    let made = [view.unit_ticks(), view.ticks_needed(), view.finished()].map(number);
    let numbers = head.into_iter().chain(bases).chain(kinds).chain(view.spent().map(number));
    out.write_globals(numbers.chain(made).chain(units).chain(view.holds().map(number)));
}
