//! How a game ends: places, points and reasons.

use crate::messages::Reason;
use crate::state::{Fall, State};
use palestra_core::game::State as _;
use palestra_core::{Fate, Outcome, Seat};
use std::cmp::Reverse;

/// What decides between two players; greater is better. Those who stayed are above those who fell, who are compared
/// by how late that was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Standing {
    Fell { order: u32 },
    Stayed { army: u64, cities: u32, land: u32 },
}

/// How it ended, once nobody is to move.
pub(crate) fn outcome(state: &State) -> Option<Outcome> {
    if state.to_move().is_some() {
        return None;
    }
    let standings: Vec<Standing> = Seat::all(state.players().len() as u8)
        .map(|seat| (seat, &state.players()[seat.index()]))
        .map(|(seat, player)| match &player.fall {
            Some(fall) => Standing::Fell { order: fall.order },
            None => Standing::Stayed { army: player.army, cities: player.cities, land: state.land(seat) },
        })
        .collect();
    Some(Outcome::by_rank(&standings, |index, place, top| match &state.players()[index].fall {
        None => (Fate::Alive, stay_reason(state, &standings, place, top)),
        Some(fall) => (fate(fall), fall.reason.clone()),
    }))
}

/// What became of a player that fell out.
pub(crate) fn fate(fall: &Fall) -> Fate {
    match fall.reason {
        Reason::Captured { .. } => Fate::Out,
        _ => Fate::Disqualified,
    }
}

/// Why a player that stayed has this place: the first number in which it differs from the best other one.
fn stay_reason(state: &State, standings: &[Standing], place: u32, best: usize) -> Reason {
    let mut stayed: Vec<(u64, u32, u32)> = standings
        .iter()
        .filter_map(|standing| match *standing {
            Standing::Stayed { army, cities, land } => Some((army, cities, land)),
            Standing::Fell { .. } => None,
        })
        .collect();
    if stayed.len() == 1 {
        return Reason::LastLeft {};
    }
    let rounds = state.round();
    if place > 1 {
        return Reason::Stayed { rounds };
    }
    if best > 1 {
        return Reason::AllEqual { rounds };
    }
    stayed.sort_unstable_by_key(|numbers| Reverse(*numbers));
    let (first, second) = (stayed[0], stayed[1]);
    if first.0 != second.0 {
        Reason::LargestArmy { rounds }
    } else if first.1 != second.1 {
        Reason::MostCities { rounds }
    } else {
        Reason::MostLand { rounds }
    }
}
