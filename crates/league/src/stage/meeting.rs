//! What the matches of a meeting brought its players: points, walkovers, byes.

use super::{OpenMeeting, Settled};
use crate::event::{Counted, CountedSeat};
use crate::pairing::{BotNumber, Deciders, MeetingResult, Points};
use crate::plan::{Format, PointRule, StagePlan};

impl OpenMeeting {
    /// What the meeting brought its players, in their order.
    pub(crate) fn result(&self, plan: &StagePlan) -> MeetingResult {
        let players = &self.drawn.players;
        let mut result = MeetingResult {
            points: vec![Points::ZERO; players.len()],
            score: vec![Points::ZERO; players.len()],
            deciders: Deciders::default(),
        };
        for player in self.walkovers().flatten() {
            if let Some(place) = players.iter().position(|other| other == player) {
                result.points[place] += walkover(plan);
            }
        }
        for finished in self.played() {
            let points = points_of(&plan.points, finished);
            for (seat, points) in finished.seats.iter().zip(points) {
                if let Some(place) = players.iter().position(|other| *other == seat.player) {
                    result.points[place] += points;
                    result.score[place] += seat.points();
                }
            }
        }
        result
    }

    /// Of every match that is not played because somebody was dropped: who was there for it.
    pub(crate) fn walkovers(&self) -> impl Iterator<Item = &Vec<BotNumber>> {
        self.games.iter().filter_map(|game| match game {
            Some(Settled::Walkover(present)) => Some(present),
            _ => None,
        })
    }

    /// Who was dropped before one of its matches, as often as that.
    pub(super) fn absent(&self) -> impl Iterator<Item = BotNumber> {
        let players = &self.drawn.players;
        self.walkovers()
            .flat_map(|present| players.iter().filter(|player| !present.contains(player)).copied())
    }

    /// Its matches that count.
    pub(crate) fn played(&self) -> impl Iterator<Item = &Counted> {
        self.games.iter().filter_map(|game| match game {
            Some(Settled::Played(finished)) => Some(finished),
            _ => None,
        })
    }
}

/// The points of a match, by seat.
pub(crate) fn points_of(rule: &PointRule, finished: &Counted) -> Vec<Points> {
    let sharing = |place: u32| finished.seats.iter().filter(|other| other.place == place).count();
    let points = |seat: &CountedSeat| match (rule, seat.place, sharing(seat.place)) {
        (PointRule::Result { win, .. }, 1, 1) => *win,
        (PointRule::Result { draw, .. }, 1, _) => *draw,
        (PointRule::Result { loss, .. }, _, _) => *loss,
        (PointRule::Places(points), place, share) => {
            let from = place as usize - 1;
            let sum: Points = points.iter().skip(from).take(share).copied().sum();
            Points(sum.0 / share as i64)
        }
        (PointRule::Score, _, _) => seat.points(),
    };
    finished.seats.iter().map(points).collect()
}

impl CountedSeat {
    /// The game's own score.
    pub(crate) fn points(&self) -> Points {
        let (numerator, denominator) = self.score;
        let thousandths = u128::from(numerator) * 1000 / u128::from(denominator.max(1));
        Points(thousandths.min(u128::from(u32::MAX)) as i64)
    }
}

/// What a match that is not played brings whoever was there for it: as much as one of those that make up a bye.
pub(crate) fn walkover(plan: &StagePlan) -> Points {
    match plan.format {
        Format::Swiss { .. } => bye(&plan.points, 1),
        _ => Points::ZERO,
    }
}

/// What winning a whole meeting would bring.
pub(super) fn bye(rule: &PointRule, games: u64) -> Points {
    let one = match rule {
        PointRule::Result { win, .. } => *win,
        PointRule::Places(points) => points.first().copied().unwrap_or_default(),
        PointRule::Score => Points::whole(1),
    };
    one * games.min(u64::from(u32::MAX)) as u32
}
