//! The player that the contest's server offers: always there, and easy to beat.

use super::{begin, produce};
use crate::Rps;
use crate::action::{Action, Direction};
use crate::state::Kind;
use crate::view::View;
use palestra_core::{Bot, Fault};

pub(super) struct Primitive;

impl Bot<Rps> for Primitive {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        begin(view, action);
        produce(view, Kind::ALL[view.finished() as usize % 3], action);
        // Only one unit moves in a tick, each in its turn: along the upper wall and down the right one, over the base,
        // looking at nothing.
        let turn = view.tick() as usize / 2;
        let Some(unit) = view.own().nth(turn % view.own_count().max(1)) else {
            return Ok(());
        };
        if unit.at != view.enemy_factory() {
            let at_the_wall = unit.at % view.stride() == view.stride() - 2;
            action.order(unit.id, if at_the_wall { Direction::Down } else { Direction::Right });
        }
        Ok(())
    }
}
