//! How a match ends: places, points and the reasons that people read.

use crate::state::{Cause, End, State};
use palestra_core::fault::NOT_STARTED;
use palestra_core::{Fate, Outcome, Placing, Score, Seat};

/// How it ended, once nobody is to move.
pub(crate) fn outcome(state: &State) -> Option<Outcome> {
    let end = state.end()?;
    let placings = Seat::all(2)
        .map(|seat| {
            let (place, score) = match end.winner {
                None => (1, Score::fraction(1, 2)),
                Some(winner) if winner == seat => (1, Score::ONE),
                Some(_) => (2, Score::ZERO),
            };
            Placing { place, score, fate: fate(end, seat), reason: reason(state, end, seat) }
        })
        .collect();
    Some(Outcome { winner: end.winner, placings })
}

/// What became of a player.
pub(crate) fn fate(end: &End, seat: Seat) -> Fate {
    match end.cause {
        _ if end.winner == Some(seat) => Fate::Alive,
        Cause::NotStarted => Fate::Disqualified,
        _ if end.winner.is_none() => Fate::Alive,
        Cause::Held | Cause::NoUnitLeft | Cause::Limit => Fate::Out,
        Cause::Missed | Cause::Fault(_) => Fate::Disqualified,
    }
}

/// Why, in a few words.
pub(crate) fn reason(state: &State, end: &End, seat: Seat) -> String {
    let (tick, won) = (end.tick, end.winner == Some(seat));
    let hold = state.hold_ticks();
    match (&end.cause, won) {
        (Cause::Limit, _) => format!("no winner after {tick} ticks"),
        (Cause::Held, true) => format!("held the enemy factory for {hold} ticks until tick {tick}"),
        (Cause::Held, false) => format!("factory held by the enemy for {hold} ticks until tick {tick}"),
        (Cause::NoUnitLeft, true) => format!("on the enemy factory with no enemy unit left in tick {tick}"),
        (Cause::NoUnitLeft, false) => format!("no unit left and the factory taken in tick {tick}"),
        (Cause::Missed | Cause::Fault(_), true) => format!("opponent disqualified in tick {tick}"),
        (Cause::Missed, false) => {
            let missed = state.players()[seat.index()].missed;
            format!("out of time {missed} times in a row in tick {tick}")
        }
        (Cause::Fault(fault), false) => format!("{fault} in tick {tick}"),
        (Cause::NotStarted, true) => format!("the opponent {NOT_STARTED}"),
        (Cause::NotStarted, false) => NOT_STARTED.to_owned(),
    }
}
