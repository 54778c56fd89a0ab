//! A player that looks one move ahead: it takes the best cell it can take now. When there is none, its largest army
//! walks towards the nearest cell that is not its own.

use super::step;
use crate::Generals;
use crate::action::{Action, Amount};
use crate::state::Kind;
use crate::view::{Seen, View};
use palestra_core::{Bot, Fault, Rng};
use palestra_grid::{Best, Flood, Look};

pub(super) struct Greedy {
    rng: Rng,
    flood: Flood,
}

impl Bot<Generals> for Greedy {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        self.flood.fit(view.board());
        let found = self.best_capture(view).or_else(|| self.walk_to_border(view));
        *action = match found {
            Some((from, to)) => step(view, Amount::AllButOne, from, to),
            None => Action::Pass,
        };
        Ok(())
    }
}

impl Greedy {
    pub(super) fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed), flood: Flood::default() }
    }

    fn best_capture(&mut self, view: View<'_>) -> Option<(usize, usize)> {
        let me = view.seat()?.number();
        let mut best = Best::default();
        for from in view.own() {
            let Seen::Plain { units: present @ 2.., .. } = view.cell(from) else {
                continue;
            };
            for to in view.board().neighbours(from) {
                let Seen::Plain { kind, owner, units } = view.cell(to) else {
                    continue;
                };
                if kind == Kind::Mountain || owner == me || units >= present - 1 {
                    continue;
                }
                let worth: u64 = match (kind, owner) {
                    (Kind::Capital, _) => 4,
                    (Kind::City, _) => 3,
                    (_, 1..) => 2,
                    _ => 1,
                };
                // Equal cells are chosen between by chance, so that it does not always go the same way.
                let value = worth << 32 | u64::from(self.rng.bits() as u32);
                best.offer(value, (from, to));
            }
        }
        best.found()
    }

    fn walk_to_border(&mut self, view: View<'_>) -> Option<(usize, usize)> {
        let me = view.seat()?.number();
        let units = |at: usize| match view.cell(at) {
            Seen::Plain { units, .. } => units,
            Seen::Hidden { .. } => 0,
        };
        let largest = view.own().max_by_key(|at| units(*at))?;
        if units(largest) < 2 {
            return None;
        }
        // From the army outwards over own land; the first foreign cell met is the nearest.
        let border = self.flood.search(view.board(), [largest as u16], |at| match view.cell(at) {
            Seen::Hidden { .. } | Seen::Plain { kind: Kind::Mountain, .. } => Look::Closed,
            Seen::Plain { owner, .. } if owner == me => Look::Open,
            // Cities are left alone until they can be taken at a blow.
            Seen::Plain { kind: Kind::City, .. } => Look::Closed,
            Seen::Plain { .. } => Look::Goal,
        })?;
        Some((largest, self.flood.first_step(border)))
    }
}
