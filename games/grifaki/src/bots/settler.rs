//! A player that thinks of its own land first: the strongest one without its first strike.
//!
//! It takes land and cities along the ways that bring most, builds, and sets out for a capital only when the game is well
//! under way. Its units are all over its land then, and next to nobody is at home: whoever comes early takes its capital.

use super::overlord::Overlord;
use crate::Grifaki;
use palestra_core::{Bot, BotSeat};

/// From this tick on it attacks.
const FIRST_ATTACK: u32 = 100;

pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Grifaki>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Overlord::attacking_from(FIRST_ATTACK)))
}
