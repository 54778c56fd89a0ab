//! A player that moves at random.

use super::step;
use crate::Generals;
use crate::action::{Action, Amount};
use crate::state::Kind;
use crate::view::{Seen, View};
use palestra_core::{Bot, Fault, Rng};

/// Draws before it passes. Most cells hold a single unit, which cannot move.
const DRAWS: u32 = 8;

pub(super) struct Random {
    pub(super) rng: Rng,
}

impl Bot<Generals> for Random {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Pass;
        let own = view.own_cells();
        for _ in 0..DRAWS {
            // One draw for everything: the high half chooses the cell, the low bits the rest.
            let bits = self.rng.bits();
            let from = usize::from(own[(((bits >> 32) * own.len() as u64) >> 32) as usize]);
            let Seen::Plain { units: 2.., .. } = view.cell(from) else {
                continue;
            };
            let to = view.board().neighbours(from)[(bits & 3) as usize];
            if !matches!(view.cell(to), Seen::Plain { kind: Kind::Mountain, .. }) {
                let amount = if bits & 4 == 0 { Amount::AllButOne } else { Amount::Half };
                *action = step(view, amount, from, to);
                break;
            }
        }
        Ok(())
    }
}
