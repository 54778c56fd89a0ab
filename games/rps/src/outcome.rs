//! How a match ends: places, points and reasons.

use crate::messages::Reason;
use crate::state::{Cause, End, State};
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
            Placing { place, score, fate: fate(end, seat), reason: reason(state, end, seat).into() }
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

/// How it came to that.
pub(crate) fn reason(state: &State, end: &End, seat: Seat) -> Reason {
    let (tick, won) = (end.tick, end.winner == Some(seat));
    let hold = state.hold_ticks();
    match (&end.cause, won) {
        (Cause::Limit, _) => Reason::NoWinner { ticks: tick },
        (Cause::Held, true) => Reason::Held { hold, tick },
        (Cause::Held, false) => Reason::LostFactory { hold, tick },
        (Cause::NoUnitLeft, true) => Reason::NoEnemyLeft { tick },
        (Cause::NoUnitLeft, false) => Reason::NoUnitLeft { tick },
        (Cause::Missed | Cause::Fault(_), true) => Reason::OpponentDisqualified { tick },
        (Cause::Missed, false) => {
            Reason::MissedAnswers { missed: state.players()[seat.index()].missed, tick }
        }
        (Cause::Fault(fault), false) => Reason::Failed { tick, fault: fault.clone() },
        (Cause::NotStarted, true) => Reason::OpponentNotStarted {},
        (Cause::NotStarted, false) => Reason::NotStarted {},
    }
}
