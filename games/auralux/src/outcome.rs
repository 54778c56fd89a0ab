//! How a game ended: scores, places and reasons.

use crate::messages::Reason;
use crate::state::{Standing, State};
use palestra_core::outcome::places;
use palestra_core::{Fate, Outcome, Placing, Score, Seat};

/// The end of a game that is over.
pub(crate) fn outcome(state: &State) -> Outcome {
    let winner = winner(state);
    let keys: Vec<(Rank, u128)> = Seat::all(state.seats())
        .map(|seat| match state.standing(seat) {
            Standing::Alive => (Rank::Alive, share(state, seat).0),
            Standing::Dead { step } => (Rank::Dead, u128::from(*step)),
            Standing::Disqualified { step, .. } => (Rank::Disqualified, u128::from(*step)),
        })
        .collect();
    let placings = Seat::all(state.seats())
        .zip(places(&keys))
        .map(|(seat, place)| Placing {
            place,
            score: score(state, seat),
            fate: state.standing(seat).fate(),
            reason: reason(state, seat).into(),
        })
        .collect();
    Outcome { winner, placings }
}

/// The one player alive, if the game is over and there is exactly one.
pub(crate) fn winner(state: &State) -> Option<Seat> {
    let mut alive = Seat::all(state.seats()).filter(|seat| *state.standing(*seat) == Standing::Alive);
    let only = alive.next().filter(|_| alive.next().is_none());
    only.filter(|_| state.is_over())
}

/// The winner has 1 and all others 0; without a winner everybody has a share of ships and planets.
pub(crate) fn score(state: &State, seat: Seat) -> Score {
    match winner(state) {
        Some(winner) if winner == seat => Score::ONE,
        Some(_) => Score::ZERO,
        None => {
            let (numerator, denominator) = share(state, seat);
            Score::fraction(numerator, denominator)
        }
    }
}

/// Half the share of all ships and half the share of all planets. Disqualified players have none, and their ships
/// do not count; 0 of 0 ships is no share.
fn share(state: &State, seat: Seat) -> (u128, u128) {
    let counts = |seat: &Seat| !matches!(state.standing(*seat), Standing::Disqualified { .. });
    if !counts(&seat) {
        return (0, 1);
    }
    let all_ships: u128 =
        Seat::all(state.seats()).filter(counts).map(|seat| u128::from(state.ships(seat))).sum();
    let all_planets = state.planets().len() as u128;
    let ships = u128::from(state.ships(seat));
    let planets = u128::from(state.producing(seat).count_ones());
    if all_ships == 0 {
        return (planets, 2 * all_planets);
    }
    (ships * all_planets + planets * all_ships, 2 * all_ships * all_planets)
}

fn reason(state: &State, seat: Seat) -> Reason {
    fall_reason(state.standing(seat)).unwrap_or_else(|| stay_reason(state, seat))
}

/// Why a player fell out; `None` if it did not.
pub(crate) fn fall_reason(standing: &Standing) -> Option<Reason> {
    match standing {
        Standing::Alive => None,
        Standing::Dead { step } => Some(Reason::Extinct { step: *step }),
        Standing::Disqualified { step: 0, .. } => Some(Reason::NotStarted {}),
        Standing::Disqualified { step, why } => {
            Some(Reason::DisqualifiedIn { step: *step, why: why.clone() })
        }
    }
}

fn stay_reason(state: &State, seat: Seat) -> Reason {
    let steps = state.steps();
    if winner(state).is_some() {
        return Reason::OnlyOne { steps };
    }
    let planets = state.producing(seat).count_ones();
    Reason::Survived { steps, planets, ships: state.ships(seat) }
}

/// Later is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Disqualified,
    Dead,
    Alive,
}

impl Standing {
    /// The same in the words of every game.
    pub fn fate(&self) -> Fate {
        match self {
            Standing::Alive => Fate::Alive,
            Standing::Dead { .. } => Fate::Out,
            Standing::Disqualified { .. } => Fate::Disqualified,
        }
    }
}
