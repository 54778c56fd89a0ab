//! A player that does nothing.

use crate::Grifaki;
use crate::action::Action;
use crate::view::View;
use palestra_core::{Bot, Fault};

pub(super) struct Idle;

impl Bot<Grifaki> for Idle {
    fn act(&mut self, _view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Empty;
        Ok(())
    }
}
