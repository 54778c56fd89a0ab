//! A player that looks one move ahead: it takes the best cell it can take now. When there is none, its largest army
//! walks towards the nearest cell that is not its own. It always leaves a unit behind, and never builds.

use super::{step, takes};
use crate::Grifaki;
use crate::action::Action;
use crate::kind::Kind;
use crate::view::{Seen, View};
use palestra_core::{Bot, Fault, Rng};
use palestra_grid::{Best, Flood, Look};

pub(super) struct Expander {
    rng: Rng,
    flood: Flood,
}

impl Bot<Grifaki> for Expander {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        self.flood.fit(view.board());
        let found = self.best_capture(view).or_else(|| self.walk_to_border(view));
        *action = match found {
            Some((from, to)) => step(view, from, to, units(view, from) - 1),
            None => Action::Empty,
        };
        Ok(())
    }
}

fn units(view: View<'_>, at: usize) -> u32 {
    match view.cell(at) {
        Seen::Clear { units, .. } => units,
        Seen::Hidden { .. } => 0,
    }
}

impl Expander {
    pub(super) fn new(seed: u64) -> Expander {
        Expander { rng: Rng::new(seed), flood: Flood::default() }
    }

    fn best_capture(&mut self, view: View<'_>) -> Option<(usize, usize)> {
        let me = view.seat()?.number();
        // Equal cells are chosen between by chance, so that it does not always go the same way. One number a turn is
        // spread over all of them.
        let chance = self.rng.bits() | 1;
        let mut best = Best::default();
        for from in view.own() {
            let Seen::Clear { units: present @ 2.., .. } = view.cell(from) else {
                continue;
            };
            for to in view.board().neighbours(from) {
                let Seen::Clear { kind, owner, units, wall, .. } = view.cell(to) else {
                    continue;
                };
                if owner == me || kind == Kind::Mountain || !takes(view, present - 1, units, wall) {
                    continue;
                }
                let worth: u64 = match (kind, owner) {
                    (Kind::Capital, _) => 5,
                    (Kind::City | Kind::FallenCapital, _) => 4,
                    (_, 1..) => 3,
                    _ => 2,
                };
                let value = worth << 32 | (chance.wrapping_mul((from * to) as u64 + 1) >> 32);
                best.offer(value, (from, to));
            }
        }
        best.found()
    }

    fn walk_to_border(&mut self, view: View<'_>) -> Option<(usize, usize)> {
        let me = view.seat()?.number();
        let largest = view.own().max_by_key(|at| units(view, *at))?;
        if units(view, largest) < 2 {
            return None;
        }
        // From the army outwards over own land; the first foreign cell met is the nearest.
        let border = self.flood.search(view.board(), [largest as u16], |at| match view.cell(at) {
            Seen::Hidden { .. } | Seen::Clear { kind: Kind::Mountain, .. } => Look::Closed,
            Seen::Clear { owner, .. } if owner == me => Look::Open,
            Seen::Clear { .. } => Look::Goal,
        })?;
        // If that is next to the army, it would have been taken.
        let to = self.flood.first_step(border);
        (to != border).then_some((largest, to))
    }
}
