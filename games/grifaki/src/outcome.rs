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
    Stayed { land: u32, army: u64 },
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
            None => Standing::Stayed { land: state.land(seat), army: player.army },
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
        Reason::Beaten { .. } | Reason::Spent { .. } => Fate::Out,
        _ => Fate::Disqualified,
    }
}

/// Why a player that stayed has this place: the first number in which it differs from the best other one.
fn stay_reason(state: &State, standings: &[Standing], place: u32, best: usize) -> Reason {
    let mut stayed: Vec<(u32, u64)> = standings
        .iter()
        .filter_map(|standing| match *standing {
            Standing::Stayed { land, army } => Some((land, army)),
            Standing::Fell { .. } => None,
        })
        .collect();
    if stayed.len() == 1 {
        return Reason::LastLeft {};
    }
    let ticks = state.tick();
    if place > 1 {
        return Reason::Stayed { ticks };
    }
    if best > 1 {
        return Reason::AllEqual { ticks };
    }
    stayed.sort_unstable_by_key(|numbers| Reverse(*numbers));
    if stayed[0].0 == stayed[1].0 { Reason::MostUnits { ticks } } else { Reason::MostCells { ticks } }
}
