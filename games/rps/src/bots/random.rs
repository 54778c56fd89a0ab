//! A player that moves at random.

use super::begin;
use crate::Rps;
use crate::action::{Action, Direction};
use crate::state::Kind;
use crate::view::View;
use palestra_core::{Bot, Fault, Rng};

pub(super) struct Random {
    pub(super) rng: Rng,
    /// How many units were finished when the kind was drawn.
    pub(super) drawn_for: Option<u32>,
}

impl Bot<Rps> for Random {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        begin(view, action);
        if self.drawn_for != Some(view.finished()) {
            self.drawn_for = Some(view.finished());
            action.production = Some(Kind::ALL[self.rng.below(3) as usize]);
        }
        // One draw is enough for 32 units.
        let mut bits = 0;
        for (place, unit) in view.own().enumerate() {
            if place % 32 == 0 {
                bits = self.rng.bits();
            }
            action.order(unit.id, Direction::ALL[(bits & 3) as usize]);
            bits >>= 2;
        }
        Ok(())
    }
}
