//! The built-in players, one file each. They see views only, as any bot does, and never send what is not allowed.

mod expander;
mod idle;
mod memory;
mod overlord;
mod random;
mod warlord;

use crate::Grifaki;
use crate::action::{Action, Build, Move};
use crate::kind::Building;
use crate::view::View;
use palestra_core::{BuiltIn, Rng};

/// Every built-in player, the weakest first.
pub(crate) const ALL: &[BuiltIn<Grifaki>] = &[
    BuiltIn {
        name: "idle",
        aliases: &["rest", "afk"],
        level: Some(1),
        summary: "answers EMPTY every turn",
        make: |seat| seat.plain(idle::Idle),
    },
    BuiltIn {
        name: "random",
        aliases: &[],
        level: Some(2),
        summary: "moves a random part of a random army in a random direction, and builds now and then",
        make: |seat| seat.plain(random::Random { rng: Rng::new(seat.seed) }),
    },
    BuiltIn {
        name: "expander",
        aliases: &[],
        level: Some(3),
        summary: "takes the best cell it can take now, and walks its largest army to the border when there is none",
        make: |seat| seat.plain(expander::Expander::new(seat.seed)),
    },
    BuiltIn {
        name: "settler",
        aliases: &[],
        level: Some(4),
        summary: "takes land and cities along the ways that bring most, builds, and attacks late",
        make: |seat| seat.plain(overlord::Overlord::settler()),
    },
    BuiltIn {
        name: "warlord",
        aliases: &[],
        level: None,
        summary: "expands, builds cities and walls when they pay, gathers an army, finds capitals and takes them",
        make: |seat| seat.plain(warlord::Warlord::default()),
    },
    BuiltIn {
        name: "overlord",
        aliases: &[],
        level: Some(5),
        summary: "plans whole sequences of moves and takes the one that brings most: land, cities, an army, a capital",
        make: |seat| seat.plain(overlord::Overlord::default()),
    },
];

/// The move of so many units between two cells that share a side.
fn step(view: View<'_>, from: usize, to: usize, amount: u32) -> Action {
    Action::Move(Move {
        from: view.board().place(from),
        to: view.board().place(to),
        amount: i64::from(amount),
    })
}

/// The building of something, paid from one cell, on that cell or one beside it.
fn build(view: View<'_>, from: usize, to: usize, building: Building) -> Action {
    Action::Build(Build { from: view.board().place(from), to: view.board().place(to), building })
}

/// Whether so many units take a cell with so many defenders, and at least one is left to hold it.
#[inline]
fn takes(view: View<'_>, amount: u32, units: u32, wall: bool) -> bool {
    if !wall {
        return amount > units;
    }
    let (p, q) = view.wall_coefficient();
    u128::from(amount) * u128::from(q) >= u128::from(units) * u128::from(p) + u128::from(q)
}
