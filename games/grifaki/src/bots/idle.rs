//! A player that does nothing.

use crate::Grifaki;
use crate::action::Action;
use crate::view::View;
use palestra_core::{Bot, BotSeat, Fault};

struct Idle;

pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Grifaki>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Idle))
}

impl Bot<Grifaki> for Idle {
    fn act(&mut self, _view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        *action = Action::Empty;
        Ok(())
    }
}
