//! The built-in players, one file each. They see views only, as any bot does, and never move illegally.

mod greedy;
mod hunter;
mod memory;
mod random;
mod rest;
mod strategist;

use crate::Generals;
use crate::action::{Action, Amount, Move};
use crate::view::View;
use palestra_core::{BuiltIn, Rng};

/// Every built-in player, the weakest first.
pub(crate) const ALL: &[BuiltIn<Generals>] = &[
    BuiltIn {
        name: "rest",
        aliases: &["afk"],
        level: Some(1),
        summary: "passes every turn",
        make: |seat| seat.plain(rest::Rest),
    },
    BuiltIn {
        name: "random",
        aliases: &[],
        level: Some(2),
        summary: "moves a random army in a random direction",
        make: |seat| seat.plain(random::Random { rng: Rng::new(seat.seed) }),
    },
    BuiltIn {
        name: "greedy",
        aliases: &[],
        level: Some(3),
        summary: "takes the best cell it can take now, and walks its largest army to the border when there is none",
        make: |seat| seat.plain(greedy::Greedy::new(seat.seed)),
    },
    BuiltIn {
        name: "hunter",
        aliases: &[],
        level: Some(4),
        summary: "expands, remembers what it saw, gathers an army, finds the enemy's capital and takes it",
        make: |seat| seat.plain(hunter::Hunter::default()),
    },
    BuiltIn {
        name: "strategist",
        aliases: &[],
        level: Some(5),
        summary: "plans whole sequences of moves and takes the one that brings most: land, an army, a capital",
        make: |seat| seat.plain(strategist::Strategist::default()),
    },
];

/// From a cell to one beside it.
type Step = (usize, usize);

/// The move between two cells that share a side.
fn step(view: View<'_>, amount: Amount, from: usize, to: usize) -> Action {
    Action::Move(Move { amount, from: view.board().place(from), to: view.board().place(to) })
}
