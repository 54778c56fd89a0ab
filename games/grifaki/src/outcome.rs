//! How a game ends: places, points and the reasons that people read.

use crate::state::{Cause, Fall, State};
use palestra_core::fault::NOT_STARTED;
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
        Some(fall) => (fate(fall), fall_reason(fall)),
    }))
}

/// What became of a player that fell out.
pub(crate) fn fate(fall: &Fall) -> Fate {
    match fall.cause {
        Cause::Beaten { .. } | Cause::Spent => Fate::Out,
        Cause::Fault(_) | Cause::NotStarted => Fate::Disqualified,
    }
}

/// Why a player fell out, in a few words.
pub(crate) fn fall_reason(fall: &Fall) -> String {
    let tick = fall.tick;
    match &fall.cause {
        Cause::Beaten { by } => format!("lost its last cell to seat {by} in tick {tick}"),
        Cause::Spent => format!("spent its last units in tick {tick}"),
        Cause::Fault(text) => format!("{text} in tick {tick}"),
        Cause::NotStarted => NOT_STARTED.to_owned(),
    }
}

/// Why a player that stayed has this place: the first number in which it differs from the best other one.
fn stay_reason(state: &State, standings: &[Standing], place: u32, best: usize) -> String {
    let mut stayed: Vec<(u32, u64)> = standings
        .iter()
        .filter_map(|standing| match *standing {
            Standing::Stayed { land, army } => Some((land, army)),
            Standing::Fell { .. } => None,
        })
        .collect();
    if stayed.len() == 1 {
        return "last player left".to_owned();
    }
    let ticks = state.tick();
    if place > 1 {
        return format!("still in the game after {ticks} ticks");
    }
    if best > 1 {
        return format!("equal cells and units after {ticks} ticks");
    }
    stayed.sort_unstable_by_key(|numbers| Reverse(*numbers));
    let what = if stayed[0].0 == stayed[1].0 { "equal cells, most units" } else { "most cells" };
    format!("{what} after {ticks} ticks")
}
