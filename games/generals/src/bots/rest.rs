//! A player that passes every turn.

use crate::Generals;
use crate::action::Action;
use crate::view::View;
use palestra_core::{Bot, Fault};

pub(super) struct Rest;

impl Bot<Generals> for Rest {
    fn act(&mut self, _view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Pass;
        Ok(())
    }
}
