//! How a game ends: places, points and reasons.

use crate::messages::Reason;
use crate::state::State;
use palestra_core::Outcome;
use palestra_grid::Stayed;

/// How it ended, once nobody is to move: the largest army, then the most cities, then the most land.
pub(crate) fn outcome(state: &State) -> Option<Outcome> {
    let rounds = state.turns.completed();
    state.turns.outcome(
        |seat| {
            let player = &state.players()[seat.index()];
            (player.army, player.cities, state.territory.land(seat))
        },
        |stayed| match stayed {
            Stayed::Alone => Reason::LastLeft {},
            Stayed::Behind => Reason::Stayed { rounds },
            Stayed::Tied => Reason::AllEqual { rounds },
            Stayed::Ahead { own, other } if own.0 != other.0 => Reason::LargestArmy { rounds },
            Stayed::Ahead { own, other } if own.1 != other.1 => Reason::MostCities { rounds },
            Stayed::Ahead { .. } => Reason::MostLand { rounds },
        },
    )
}
