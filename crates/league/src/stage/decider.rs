//! Deciders: two who are equal after their meeting in a knockout play on, two matches with seats swapped at a time, until
//! one of them is better or as many have been played as the plan allows. They decide who goes on, and bring no points.

use super::{Draw, OpenMeeting, OpenRound, StageRun};
use crate::limits;
use crate::overview::BracketMeeting;
use crate::pairing::seating::{Games, MapChoice, Seatings};
use crate::pairing::{BotNumber, Decision, MeetingResult, Pairing, Points};
use crate::plan::{Format, StagePlan};
use std::collections::BTreeMap;

/// The matches of one decider.
pub(super) const GAMES: Games = Games { maps: MapChoice::Each(1), seatings: Seatings::Rotations, repeats: 1 };

impl StageRun {
    pub(crate) fn is_knockout(&self) -> bool {
        matches!(self.plan.format, Format::Knockout { .. })
    }

    /// How many deciders a meeting may have.
    fn most_deciders(&self) -> u32 {
        match self.plan.format {
            Format::Knockout { deciders: Some(deciders), .. } => deciders.min(limits::MAX_DECIDERS),
            Format::Knockout { deciders: None, .. } if self.drawing >= 3 => limits::DECIDERS,
            _ => 0,
        }
    }

    /// Who has to play on before the next round can count: nobody while something is missing in it.
    pub(crate) fn deciders(&self) -> Vec<Draw> {
        let most = self.most_deciders();
        let round = self.open.front().filter(|round| most > 0 && round.missing == 0);
        let drawn = |round: &OpenRound, meeting: &OpenMeeting| {
            let before = round.deciders(meeting).count() as u32;
            let open = before < most
                && round.absent(meeting).next().is_none()
                && round.result(&self.plan, meeting).is_equal();
            open.then(|| Draw {
                group: meeting.drawn.group,
                players: meeting.drawn.players.clone(),
                // Whoever plays on at the same time does so on the same map.
                number: u64::from(round.number) + u64::from(before),
                decider: before + 1,
            })
        };
        let planned =
            round.into_iter().flat_map(|round| round.planned().map(move |meeting| (round, meeting)));
        planned.filter_map(|(round, meeting)| drawn(round, meeting)).collect()
    }

    /// Whether a match of a round that does not count yet belongs to a decider.
    pub(crate) fn is_decider(&self, number: u32) -> bool {
        let holds = |meeting: &OpenMeeting| {
            (meeting.drawn.first..meeting.drawn.first + meeting.drawn.matches).contains(&number)
        };
        let deciders = self.open.iter().flat_map(|round| &round.meetings);
        deciders.filter(|meeting| meeting.drawn.decider > 0).any(holds)
    }

    /// Takes in deciders whose matches have numbers.
    pub(crate) fn open_deciders(&mut self, meetings: Vec<OpenMeeting>) {
        self.decider_matches += meetings.iter().map(|meeting| meeting.games.len() as u64).sum::<u64>();
        self.extend_round(meetings);
    }
}

impl OpenRound {
    fn planned(&self) -> impl Iterator<Item = &OpenMeeting> {
        self.meetings.iter().filter(|meeting| meeting.drawn.decider == 0)
    }

    /// The deciders of a meeting, in order.
    fn deciders<'a>(&'a self, planned: &'a OpenMeeting) -> impl Iterator<Item = &'a OpenMeeting> {
        self.meetings.iter().filter(|meeting| meeting.drawn.decides(&planned.drawn))
    }

    /// Who was dropped before a match of a meeting or of its deciders.
    fn absent<'a>(&'a self, planned: &'a OpenMeeting) -> impl Iterator<Item = BotNumber> {
        planned.absent().chain(self.deciders(planned).flat_map(OpenMeeting::absent))
    }

    /// What a meeting brought, with its deciders.
    pub(super) fn result(&self, plan: &StagePlan, planned: &OpenMeeting) -> MeetingResult {
        let mut result = planned.result(plan);
        for decider in self.deciders(planned) {
            let MeetingResult { points, score, .. } = decider.result(plan);
            result.deciders.matches += decider.games.len() as u32;
            add(&mut result.deciders.points, &points);
            add(&mut result.score, &score);
        }
        result
    }

    /// A meeting as a bracket shows it.
    pub(super) fn bracket_meeting(
        &self,
        planned: &OpenMeeting,
        result: &MeetingResult,
        decided: Option<(BotNumber, Decision)>,
    ) -> BracketMeeting {
        let numbers = |meeting: &OpenMeeting| (meeting.drawn.first..).take(meeting.games.len());
        BracketMeeting {
            players: planned.drawn.players.iter().map(|player| player.0 as usize).collect(),
            points: result.points.iter().map(|points| points.0 as f64 / 1000.0).collect(),
            winner: decided.map(|(winner, _)| winner.0 as usize),
            decision: decided.map(|(_, decision)| decision),
            matches: numbers(planned).chain(self.deciders(planned).flat_map(numbers)).collect(),
        }
    }
}

/// By place among the meetings of a group's round: who won, and why.
pub(super) fn decided(pairing: &Pairing, round: u32) -> BTreeMap<usize, (BotNumber, Decision)> {
    let duels = pairing.bracket().into_iter();
    let of_round = duels.filter_map(|duel| {
        let (_, place) = duel.meeting.filter(|(drawn, _)| *drawn == round)?;
        Some((place, (duel.winner?, duel.decision?)))
    });
    of_round.collect()
}

fn add(sums: &mut Vec<Points>, more: &[Points]) {
    sums.resize(more.len(), Points::ZERO);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += *more);
}
