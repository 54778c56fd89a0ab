//! What the page of a round shows: its stages, with their tables, brackets and matches.

use super::round::Play;
use crate::api::{
    BracketPart, DuelSide, DuelView, LeagueRound, MeetingView, RoundDetail, RoundMatch, RoundMatchState,
    RoundPlayer, RoundStanding, RoundView, StageGroup, StageState, StageView,
};
use crate::ids::BotId;
use crate::limits;
use palestra_league::overview::{self, MatchLine, MatchState, MeetingLine, RoundLine, Standing};
use palestra_league::pairing::{Duel, Origin, Part, Points, Side};
use palestra_league::plan::PointRule;

/// The kind of the fault of somebody who did not come to a match.
pub(super) const ABSENT: &str = "absent";

impl Play {
    pub(super) fn detail(&mut self, round: RoundView, bots: &[BotId]) -> RoundDetail {
        let contestants = bots.iter().zip(self.tournament.bots());
        let players = contestants.map(|(bot, contestant)| RoundPlayer {
            bot: *bot,
            name: contestant.name.clone(),
            elo: contestant.rating.unwrap_or_default(),
        });
        RoundDetail {
            round,
            players: players.collect(),
            standings: standings(self.tournament.standings()),
            stages: self.stages(),
        }
    }

    fn stages(&mut self) -> Vec<StageView> {
        let rounds = self.tournament.rounds(&mut self.log, limits::PAGE_MATCHES);
        // A log in memory has no way to fail.
        let mut rounds = rounds.unwrap_or_default().into_iter();
        let views = self.tournament.stage_views().into_iter().zip(&self.tournament.plan().stages);
        let stage =
            |(index, (view, plan)): (usize, (overview::StageView, &palestra_league::plan::StagePlan))| {
                let rounds = rounds.next().unwrap_or_default();
                let brackets = self.tournament.brackets(index);
                let group = |(index, table): (usize, Vec<Standing>)| StageGroup {
                    standings: standings(table),
                    bracket: brackets[index].iter().map(|duel| duel_view(duel, index, &rounds)).collect(),
                };
                StageView {
                    format: plan.format.kind(),
                    state: match view.state {
                        overview::StageState::Waiting => StageState::Waiting,
                        overview::StageState::Running => StageState::Running,
                        overview::StageState::Over => StageState::Over,
                    },
                    name: view.name,
                    drawn: view.round,
                    all: view.rounds,
                    take: plan.take,
                    groups: view.groups.into_iter().enumerate().map(group).collect(),
                    rounds: rounds.iter().map(|round| self.league_round(round)).collect(),
                }
            };
        views.enumerate().map(stage).collect()
    }

    fn league_round(&self, round: &RoundLine) -> LeagueRound {
        LeagueRound {
            number: round.number,
            meetings: round.meetings.iter().map(|meeting| self.meeting(meeting)).collect(),
            byes: round.byes.clone(),
        }
    }

    fn meeting(&self, meeting: &MeetingLine) -> MeetingView {
        let matches: Vec<RoundMatch> =
            meeting.matches.iter().map(|(number, fate)| self.round_match(*number, fate, meeting)).collect();
        let points = |player: &usize| {
            let counted = meeting.matches.iter().filter_map(|(_, fate)| match fate {
                MatchState::Played(line) => line.seats.iter().find(|seat| seat.bot == *player),
                _ => None,
            });
            // Not their sum: that of nothing is -0.
            counted.fold(0.0, |sum, seat| sum + seat.points)
        };
        MeetingView {
            group: meeting.group,
            decider: meeting.decider,
            points: meeting.players.iter().map(points).collect(),
            players: meeting.players.clone(),
            matches,
        }
    }

    fn round_match(&self, number: u32, fate: &MatchState, meeting: &MeetingLine) -> RoundMatch {
        let running = self.in_flight.get(&number).copied();
        let (state, line) = match fate {
            MatchState::Open if running.is_some() => (RoundMatchState::Running, None),
            MatchState::Open => (RoundMatchState::Planned, None),
            MatchState::Played(line) if is_forfeit(line) => (RoundMatchState::Forfeit, Some(line)),
            MatchState::Played(line) => (RoundMatchState::Finished, Some(line)),
            MatchState::Voided(line) => (RoundMatchState::Void, line.as_ref()),
            MatchState::Failed => (RoundMatchState::Failed, None),
        };
        let seats = line.map(|line| &line.seats[..]).unwrap_or_default();
        let players = match seats {
            [] => meeting.players.clone(),
            seats => seats.iter().map(|seat| seat.bot).collect(),
        };
        // A match that is to be played again has no number yet; the one before it does not count.
        let id = line.and_then(|_| self.matches.get(&number).copied());
        RoundMatch {
            id: running.filter(|_| state == RoundMatchState::Running).or(id),
            state,
            players,
            points: match state {
                RoundMatchState::Void => Vec::new(),
                _ => seats.iter().map(|seat| seat.points).collect(),
            },
        }
    }
}

fn is_forfeit(line: &MatchLine) -> bool {
    line.turns == 0 && line.seats.iter().any(|seat| seat.fault.as_deref() == Some(ABSENT))
}

fn standings(table: Vec<Standing>) -> Vec<RoundStanding> {
    let line = |line: Standing| RoundStanding {
        place: line.place,
        bot: line.bot,
        points: line.points,
        played: line.played,
        won: line.won,
        drawn: line.drawn,
        lost: line.lost,
    };
    table.into_iter().map(line).collect()
}

/// A duel of a group; its meeting is looked for among those of all groups.
fn duel_view(duel: &Duel, group: usize, rounds: &[RoundLine]) -> DuelView {
    let among_all = |(number, place): (u32, usize)| {
        let round = rounds.iter().find(|round| round.number == number)?;
        let of_group = round.meetings.iter().enumerate().filter(|(_, meeting)| meeting.group == group);
        Some((number, of_group.map(|(index, _)| index).nth(place)?))
    };
    DuelView {
        part: match duel.part {
            Part::Upper => BracketPart::Upper,
            Part::Lower => BracketPart::Lower,
            Part::Final => BracketPart::Final,
            Part::SecondFinal => BracketPart::SecondFinal,
            Part::ThirdPlace => BracketPart::ThirdPlace,
        },
        round: duel.round,
        sides: duel.sides.map(side_view),
        winner: duel.winner.map(|winner| winner.0 as usize),
        decision: duel.decision.map(Into::into),
        meeting: duel.meeting.and_then(among_all),
    }
}

fn side_view(side: Side) -> DuelSide {
    let (winner_of, loser_of) = match side.from {
        Origin::Winner(duel) => (Some(duel), None),
        Origin::Loser(duel) => (None, Some(duel)),
        Origin::Field | Origin::Nobody => (None, None),
    };
    let player = side.player.map(|player| player.0 as usize);
    DuelSide { player, winner_of, loser_of, nobody: side.from == Origin::Nobody }
}

/// Points for a win and for a draw, where that is how points are given.
pub(super) fn points_of(rule: &PointRule) -> Option<(f64, f64)> {
    match rule {
        PointRule::Result { win, draw, .. } => Some((number(*win), number(*draw))),
        PointRule::Places(_) | PointRule::Score => None,
    }
}

/// Points as a plain number.
pub(super) fn number(points: Points) -> f64 {
    points.0 as f64 / 1000.0
}
