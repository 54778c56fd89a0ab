//! What decides a duel of a knockout, in the order in which it is asked.

use super::{MeetingResult, Points};
use serde::Serialize;
use std::cmp::Ordering;

/// How a duel was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decision {
    /// What told the two apart.
    pub by: DecidedBy,
    /// How many further matches there were because the planned ones left it equal.
    pub deciders: u32,
    /// What each has of that, the winner first; nothing if there was nothing to compare.
    #[cfg_attr(test, ts(type = "[number, number] | null"))]
    pub numbers: Option<[Points; 2]>,
}

/// What tells the two of a duel apart. Each is asked if all before it are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(any(test, feature = "typescript"), derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// Nobody was on the other side.
    Bye,
    /// The other one left, or did not come.
    Absence,
    /// The points of the planned matches.
    Points,
    /// The points of further matches with seats swapped.
    Deciders,
    /// The games' own scores of all matches together.
    Score,
    /// The seed, counted from 1: the better one goes on.
    Seed,
}

/// A side of a duel that was played.
#[derive(Clone, Copy)]
pub(super) struct Contender {
    /// Its place in the field: the lower, the better its seed.
    pub(super) seed: usize,
    pub(super) present: bool,
}

impl Decision {
    /// A duel that was not played.
    pub(super) fn unplayed(by: DecidedBy) -> Decision {
        Decision { by, deciders: 0, numbers: None }
    }

    /// Which of the two sides goes on from a duel with this result, and why.
    pub(super) fn of(sides: [Contender; 2], result: &MeetingResult) -> (usize, Decision) {
        let deciders = result.deciders.matches;
        if sides[0].present != sides[1].present {
            let decision = Decision { by: DecidedBy::Absence, deciders, numbers: None };
            return (usize::from(sides[1].present), decision);
        }
        let asked = [
            (DecidedBy::Points, &result.points),
            (DecidedBy::Deciders, &result.deciders.points),
            (DecidedBy::Score, &result.score),
        ];
        for (by, points) in asked {
            if let Some(winner) = better(points) {
                let numbers = Some([points[winner], points[1 - winner]]);
                return (winner, Decision { by, deciders, numbers });
            }
        }
        let winner = usize::from(sides[1].seed < sides[0].seed);
        let seed = |side: usize| Points::whole(sides[side].seed as i32 + 1);
        (winner, Decision { by: DecidedBy::Seed, deciders, numbers: Some([seed(winner), seed(1 - winner)]) })
    }
}

/// The side with more points; nobody if they are equal, or if there are none.
fn better(points: &[Points]) -> Option<usize> {
    match points.first()?.cmp(points.get(1)?) {
        Ordering::Equal => None,
        order => Some(usize::from(order == Ordering::Less)),
    }
}
