//! How a game ends: places, points and reasons.

use crate::messages::Reason;
use crate::state::State;
use palestra_core::Outcome;
use palestra_grid::Stayed;

/// How it ended, once nobody is to move: the most cells, then the most units.
pub(crate) fn outcome(state: &State) -> Option<Outcome> {
    let ticks = state.turns.completed();
    state.turns.outcome(
        |seat| (state.territory.land(seat), state.players()[seat.index()].army),
        |stayed| match stayed {
            Stayed::Alone => Reason::LastLeft {},
            Stayed::Behind => Reason::Stayed { ticks },
            Stayed::Tied => Reason::AllEqual { ticks },
            Stayed::Ahead { own, other } if own.0 == other.0 => Reason::MostUnits { ticks },
            Stayed::Ahead { .. } => Reason::MostCells { ticks },
        },
    )
}
