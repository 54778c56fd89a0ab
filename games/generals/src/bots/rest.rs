//! A player that passes every turn.

use crate::Generals;
use crate::action::Action;
use crate::view::View;
use palestra_core::{Bot, BotSeat, Fault};

struct Rest;

pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Generals>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Rest))
}

impl Bot<Generals> for Rest {
    fn act(&mut self, _view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Pass;
        Ok(())
    }
}
