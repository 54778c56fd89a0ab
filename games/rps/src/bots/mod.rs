//! The built-in players, one file each. They see views only, as any bot does, and keep their buffers.

mod greedy;
mod marshal;
mod oracle;
mod primitive;
mod random;

use crate::Rps;
use crate::action::{Action, Direction};
use crate::state::Kind;
use crate::view::View;
use palestra_core::{BuiltIn, Rng};

/// Every built-in player, the weakest first.
pub(crate) const ALL: &[BuiltIn<Rps>] = &[
    BuiltIn {
        name: "random",
        aliases: &[],
        level: Some(1),
        summary: "produces anything and moves every unit in a random direction",
        make: |seat| seat.plain(random::Random { rng: Rng::new(seat.seed), drawn_for: None }),
    },
    BuiltIn {
        name: "bot",
        aliases: &[],
        level: Some(2),
        summary: "the server's primitive player: one unit at a time creeps along the walls to the enemy factory",
        make: |seat| seat.plain(primitive::Primitive),
    },
    BuiltIn {
        name: "greedy",
        aliases: &[],
        level: Some(3),
        summary: "takes bases, attacks what it beats nearby, and goes for the enemy factory",
        make: |seat| seat.plain(greedy::Greedy { rng: Rng::new(seat.seed) }),
    },
    BuiltIn {
        name: "marshal",
        aliases: &[],
        level: Some(4),
        summary: "hands out goals to the units they suit best, answers every attacker with what beats it, and keeps its units safe",
        make: |seat| seat.plain(marshal::Marshal::new(seat.seed)),
    },
    BuiltIn {
        name: "oracle",
        aliases: &[],
        level: Some(5),
        summary: "plays on from every moment in several of the marshal's styles, and takes the one that comes out best",
        make: |seat| seat.plain(oracle::Oracle::new(seat.seed)),
    },
];

/// Steps between two cells.
#[inline]
fn distance(view: View<'_>, from: usize, to: usize) -> u32 {
    let ([x, y], [to_x, to_y]) = (view.place(from), view.place(to));
    u32::from(x.abs_diff(to_x)) + u32::from(y.abs_diff(to_y))
}

/// Orders a kind to be produced, unless it is being produced already.
#[inline]
fn produce(view: View<'_>, kind: Kind, action: &mut Action) {
    action.production = (view.producing() != Some(kind)).then_some(kind);
}

/// Makes the answer empty, with room for an order to every unit there can ever be.
#[inline]
fn begin(view: View<'_>, action: &mut Action) {
    action.clear();
    action.orders.reserve(view.most_at_once());
}

/// The directions that lead nearer to a cell, the longer way first.
fn towards(view: View<'_>, from: usize, to: usize) -> impl Iterator<Item = Direction> {
    let ([x, y], [to_x, to_y]) = (view.place(from), view.place(to));
    let across = match to_x.cmp(&x) {
        std::cmp::Ordering::Less => Some(Direction::Left),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Direction::Right),
    };
    let along = match to_y.cmp(&y) {
        std::cmp::Ordering::Less => Some(Direction::Up),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Direction::Down),
    };
    let both = if x.abs_diff(to_x) >= y.abs_diff(to_y) { [across, along] } else { [along, across] };
    both.into_iter().flatten()
}
