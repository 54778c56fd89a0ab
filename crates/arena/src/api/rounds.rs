//! Scored rounds: stages, meetings, brackets and tables.

use super::results::{Decision, PodiumLine};
use crate::ids::{BotId, MatchId, RoundId};
use crate::model::RoundState;
use crate::plan::Translations;
use palestra_league::plan::StageFormat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A scored round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundView {
    /// Its number.
    #[schema(value_type = u32)]
    pub id: RoundId,
    /// What it is called.
    pub name: String,
    /// The same by language, where the plan has several.
    pub name_in: Translations,
    /// What its stages are called, in order, by language, where the plan has several.
    pub stages_in: Vec<Translations>,
    /// The game.
    pub game: String,
    /// The formats of its stages, in order.
    pub formats: Vec<StageFormat>,
    /// Where it stands.
    pub state: RoundState,
    /// When it begins, if that is settled.
    pub starts: Option<i64>,
    /// When it was to begin by the plan, if that was over before it could: it waits for an organiser.
    pub missed: Option<i64>,
    /// When it was over.
    pub ended: Option<i64>,
    /// How many take part at most; everybody unless given.
    pub best: Option<u32>,
    /// Points for a win and for a draw, where that is how points are given, in all stages alike.
    pub points: Option<(f64, f64)>,
    /// Matches played, and altogether as far as one can tell.
    pub progress: (u32, u32),
    /// The best three places, once it is over.
    pub podium: Vec<PodiumLine>,
}

/// Some rounds, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundList {
    /// The rounds.
    pub rounds: Vec<RoundView>,
    /// Give this as `before` to get older ones; nothing if there are none.
    #[schema(value_type = Option<u32>)]
    pub older: Option<RoundId>,
}

/// A round's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundDetail {
    /// The round.
    pub round: RoundView,
    /// Who takes part. Everywhere else on this page somebody is named by the place in this list.
    pub players: Vec<RoundPlayer>,
    /// The table, best first: that of the last stage, and behind it those who did not reach it.
    pub standings: Vec<RoundStanding>,
    /// Its stages, in order; empty before it has begun.
    pub stages: Vec<StageView>,
}

/// A stage of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageView {
    /// What it is called.
    pub name: String,
    /// Who meets whom.
    pub format: StageFormat,
    /// Where it stands.
    pub state: StageState,
    /// League rounds drawn so far.
    pub drawn: u32,
    /// League rounds altogether, if one can tell.
    pub all: Option<u32>,
    /// How many of the stage before take part; everybody unless given.
    pub take: Option<u32>,
    /// Its groups; one if it is not split.
    pub groups: Vec<StageGroup>,
    /// The league rounds that were drawn, in order; of a very large stage only the latest.
    pub rounds: Vec<LeagueRound>,
}

/// Where a stage stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StageState {
    /// Others come first.
    Waiting,
    /// Being played.
    Running,
    /// Played.
    Over,
}

/// Some who play among themselves in a stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageGroup {
    /// The table, best first; points carried over from the stage before are included.
    pub standings: Vec<RoundStanding>,
    /// The duels of a knockout, those to come included; empty otherwise.
    pub bracket: Vec<DuelView>,
}

/// Meetings that can be played side by side.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeagueRound {
    /// Counted from 1 within the stage.
    pub number: u32,
    /// Who meets whom, group by group.
    pub meetings: Vec<MeetingView>,
    /// Who has nobody to meet.
    pub byes: Vec<usize>,
}

/// Some who meet, once or several times.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MeetingView {
    /// The group, counted from 0.
    pub group: usize,
    /// Who.
    pub players: Vec<usize>,
    /// Further matches of a knockout's meeting that was equal: which of its deciders, counted from 1; 0 for the meeting
    /// itself.
    pub decider: u32,
    /// The points of each so far.
    pub points: Vec<f64>,
    /// Its matches, in order.
    pub matches: Vec<RoundMatch>,
}

/// A match of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundMatch {
    /// Its number in addresses; nothing before it begins, and if it was not played.
    #[schema(value_type = Option<i64>)]
    pub id: Option<MatchId>,
    /// Where it stands.
    pub state: RoundMatchState,
    /// Who plays; by seat, once it was played.
    pub players: Vec<usize>,
    /// Their points, in the same order; empty before it was played. Those of a void match do not count.
    pub points: Vec<f64>,
}

/// Where a match of a round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RoundMatchState {
    /// It is still to be played.
    Planned,
    /// Being played.
    Running,
    /// Played.
    Finished,
    /// Somebody did not come and has lost it.
    Forfeit,
    /// Taken out of the count.
    Void,
    /// It could not be played, or nobody came.
    Failed,
}

/// A duel of a knockout. Duels are named by their places in their bracket.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DuelView {
    /// Which part of the bracket it belongs to.
    pub part: BracketPart,
    /// The round of the bracket, counted from 1.
    pub round: u32,
    /// The two sides.
    pub sides: [DuelSide; 2],
    /// Who goes on, once that is settled.
    pub winner: Option<usize>,
    /// What settled it.
    pub decision: Option<Decision>,
    /// Its meeting: the number of the league round, and its place among the meetings there; nothing before it is drawn,
    /// and if one side has nobody.
    pub meeting: Option<(u32, usize)>,
}

/// A part of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BracketPart {
    /// Of those who have not lost.
    Upper,
    /// Of those who have lost once.
    Lower,
    /// Decides who has won.
    Final,
    /// Played only if the final was lost by the one who had not lost before.
    SecondFinal,
    /// Of those who lost the half-finals.
    ThirdPlace,
}

/// A side of a duel: from the field, from a duel before, or nobody (then the other side goes on).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DuelSide {
    /// Who is on it, once that is settled.
    pub player: Option<usize>,
    /// The duel whose winner it is.
    pub winner_of: Option<usize>,
    /// The duel whose loser it is.
    pub loser_of: Option<usize>,
    /// There is nobody, and there will be nobody.
    pub nobody: bool,
}

/// Somebody in a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundPlayer {
    /// The bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// The player's name.
    pub name: String,
    /// The rating at the beginning of the round.
    pub elo: f64,
}

/// One line of a round's table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundStanding {
    /// 1 is the best.
    pub place: u32,
    /// The place in `players`.
    pub bot: usize,
    /// Points of this stage.
    pub points: f64,
    /// Matches played.
    pub played: u32,
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
}
