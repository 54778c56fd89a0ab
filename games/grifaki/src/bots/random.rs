//! A player that moves by chance, and builds by chance when it can pay.

use super::{build, step};
use crate::Grifaki;
use crate::action::Action;
use crate::kind::{Building, Kind};
use crate::view::{Seen, View};
use palestra_core::{Bot, Fault, Rng};

/// Armies that are looked at before giving up for this turn.
const TRIES: u32 = 8;
/// One turn in so many goes into a building, if it can be paid.
const BUILD_EVERY: u32 = 16;

pub(super) struct Random {
    pub(super) rng: Rng,
}

impl Bot<Grifaki> for Random {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        let found = (0..TRIES).find_map(|_| self.attempt(view));
        *action = found.unwrap_or_default();
        Ok(())
    }
}

impl Random {
    fn attempt(&mut self, view: View<'_>) -> Option<Action> {
        let from = usize::from(*self.rng.pick(view.own_cells())?);
        let Seen::Clear { units, kind, wall, .. } = view.cell(from) else {
            return None;
        };
        if self.rng.chance(1, BUILD_EVERY) {
            let building = if self.rng.chance(1, 2) { Building::Wall } else { Building::City };
            let fits = match building {
                Building::Wall => !wall,
                Building::City => kind == Kind::Plain,
            };
            let pays = view.price(building).is_some_and(|price| price < units);
            return (fits && pays).then(|| build(view, from, from, building));
        }
        let most = if view.leave_one() { units - 1 } else { units };
        let to = view.board().neighbours(from)[self.rng.below(4) as usize];
        let mountain = matches!(view.cell(to), Seen::Clear { kind: Kind::Mountain, .. });
        // The ring around the board is never in sight.
        let off_board = !view.sees(to);
        if most == 0 || mountain || off_board {
            return None;
        }
        Some(step(view, from, to, self.rng.between(1, most)))
    }
}
