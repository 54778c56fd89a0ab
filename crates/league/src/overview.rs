//! Everything that a report shows of a tournament, as data: one shape for the terminal, JSON, CSV and the HTML page.
//!
//! Bots are named by their place in [`Overview::bots`].

use crate::pairing::{Decision, Duel};
use crate::plan::Format;
use palestra_core::Message;
use serde::{Serialize, Serializer};

pub use crate::rating::Estimate;

/// A tournament as it stands.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// What it is called.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// The game's name for people.
    pub game_title: String,
    /// Decides everything left to chance.
    pub seed: u64,
    /// Whether the last match has been played.
    pub over: bool,
    /// How far it has come.
    pub progress: Progress,
    /// Everybody who takes or took part.
    pub bots: Vec<BotLine>,
    /// Its stages, in order; those that have not begun are there too.
    pub stages: Vec<StageView>,
    /// How it stands: the table of the stage that counts last, and behind it those who did not reach that stage.
    pub standings: Vec<Standing>,
    /// How strong everybody is, best first.
    pub ratings: Vec<RatingLine>,
    /// What the first seat is worth, in Elo points; `None` before anybody met.
    pub first_mover: Option<Estimate>,
    /// Who beats whom: row against column; `None` on the diagonal and where two never met.
    pub cross: Vec<Vec<Option<Cell>>>,
    /// Faults by bot and kind, most frequent first.
    pub faults: Vec<FaultLine>,
    /// Matches that could not be played, with the reason.
    pub failures: Vec<FailureLine>,
}

/// How far a tournament has come, in matches.
#[derive(Clone, Copy, Default, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Progress {
    /// Played and counted.
    pub finished: u64,
    /// Planned altogether, as far as one can tell now.
    pub planned: u64,
    /// Played again because a fault was the host's.
    pub tainted: u64,
    /// Could not be played.
    pub failed: u64,
    /// Taken out of the count.
    pub voided: u64,
}

/// Somebody who takes part.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotLine {
    /// Its number in the tournament.
    pub number: u32,
    /// What it is called.
    pub name: String,
    /// Where it comes from: a built-in player, a file, a command line.
    pub source: String,
    /// 1, and one more for every replacement.
    pub version: u32,
    /// Taken out of the tournament.
    pub dropped: bool,
}

/// One stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageView {
    /// What it is called.
    pub name: String,
    /// Who meets whom; in JSON in words: "round robin", "Swiss, 5 rounds".
    #[serde(serialize_with = "in_words")]
    pub format: Format,
    /// Where it stands.
    pub state: StageState,
    /// Rounds drawn so far.
    pub round: u32,
    /// Rounds altogether, if one can tell.
    pub rounds: Option<u32>,
    /// Its tables: one, or one per group. Points carried over are included.
    pub groups: Vec<Vec<Standing>>,
    /// Points after every round that is complete, by bot: (bot, points after round 1, 2, ...). Points carried over
    /// come first, as round 0.
    pub course: Vec<(usize, Vec<f64>)>,
    /// The meetings of a knockout by round, for a bracket; empty otherwise.
    pub bracket: Vec<Vec<BracketMeeting>>,
    /// The duels of a knockout by group, those to come included; empty otherwise.
    #[serde(skip)]
    pub duels: Vec<Vec<Duel>>,
}

impl StageView {
    /// A stage that has not begun.
    pub(crate) fn waiting(name: String, format: Format) -> StageView {
        StageView {
            name,
            format,
            state: StageState::Waiting,
            round: 0,
            rounds: None,
            groups: Vec::new(),
            course: Vec::new(),
            bracket: Vec::new(),
            duels: Vec::new(),
        }
    }
}

fn in_words<S: Serializer>(format: &Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(format)
}

/// Where a stage stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StageState {
    /// Others come first.
    Waiting,
    /// Being played.
    Running,
    /// Played.
    Over,
}

/// A meeting in a knockout.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BracketMeeting {
    /// Who meets.
    pub players: Vec<usize>,
    /// The points of each in the planned matches.
    pub points: Vec<f64>,
    /// Who goes on, once that is settled.
    pub winner: Option<usize>,
    /// What settled it.
    pub decision: Option<Decision>,
    /// Its matches, by number; those that were played because it was equal come last.
    pub matches: Vec<u32>,
}

/// A round of a stage: who meets whom, and what became of it.
#[derive(Clone, Debug)]
pub struct RoundLine {
    /// Counted from 1.
    pub number: u32,
    /// Who meets whom, group by group.
    pub meetings: Vec<MeetingLine>,
    /// Who has nobody to meet.
    pub byes: Vec<usize>,
}

/// Some who meet in a round.
#[derive(Clone, Debug)]
pub struct MeetingLine {
    /// The group, counted from 0.
    pub group: usize,
    /// Those who meet, by their places in the list of bots.
    pub players: Vec<usize>,
    /// Which decider of a meeting that was equal, counted from 1; 0 for the meeting itself.
    pub decider: u32,
    /// Its matches in order: the number of each, and what became of it.
    pub matches: Vec<(u32, MatchState)>,
}

/// What became of a match.
#[derive(Clone, Debug)]
pub enum MatchState {
    /// It is to be played, or being played.
    Open,
    /// It was played, and counts.
    Played(MatchLine),
    /// The organiser took it out of the count; how it ended, if it was played.
    Voided(Option<MatchLine>),
    /// It could not be played.
    Failed,
}

/// One line of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Standing {
    /// 1 is the best; those equal in everything share it.
    pub place: u32,
    /// Who.
    pub bot: usize,
    /// The points that count.
    pub points: f64,
    /// The tie-breaks of the stage, by name, in order.
    pub tie_breaks: Vec<(String, f64)>,
    /// Matches played in this stage.
    pub played: u32,
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
    /// Matches with a fault of this bot.
    pub faults: u32,
}

/// How strong a bot is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingLine {
    /// Who.
    pub bot: usize,
    /// Matches that count.
    pub games: u64,
    /// The public number, match by match.
    pub elo: f64,
    /// Weng-Lin: the mean and how unsure it is.
    pub openskill: (f64, f64),
    /// Bradley-Terry, by maximum likelihood, on the Elo scale, with its 95 % interval; without end for a bot that has not
    /// played.
    pub strength: Estimate,
}

/// What happened between two bots, from the row's side.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Matches in which the row's bot came out ahead.
    pub wins: u32,
    /// Matches in which both came out equal.
    pub draws: u32,
    /// Matches in which the column's bot came out ahead.
    pub losses: u32,
    /// The share of the score, a draw as half, with its interval.
    pub score: Estimate,
}

/// Faults of one kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaultLine {
    /// Whose.
    pub bot: usize,
    /// The kind, as in every other table.
    pub kind: String,
    /// How often.
    pub count: u32,
    /// A match that shows it.
    pub example: u32,
    /// What there is to tell of it,
    pub what: Message,
    /// and the same in English.
    pub text: String,
}

/// A match that could not be played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FailureLine {
    /// Its number.
    pub number: u32,
    /// Who should have played, by seat.
    pub bots: Vec<usize>,
    /// What went wrong.
    pub why: String,
}

/// A match, for lists and files.
#[derive(Clone, Debug, Serialize)]
pub struct MatchLine {
    /// Its number.
    pub number: u32,
    /// The stage, counted from 0.
    pub stage: usize,
    /// The round, counted from 1.
    pub round: u32,
    /// Of a knockout's meeting that was equal: which of its deciders, counted from 1. Their points decide that meeting, and
    /// count nowhere else.
    pub decider: u32,
    /// The map's name.
    pub map: String,
    /// The seed.
    pub seed: u64,
    /// By seat.
    pub seats: Vec<SeatLine>,
    /// Turns played.
    pub turns: u32,
    /// How long it took.
    pub millis: u64,
    /// Its replay: what it is called in the viewer of the tournament's folder, or its path there if it has a file of its
    /// own.
    pub replay: Option<String>,
    /// Out of the count.
    pub voided: bool,
    /// A fault in it may have been the host's, and it had been played too often to try again.
    pub tainted: bool,
    /// The worker that played it; nothing if that was the tournament's own machine.
    pub worker: Option<String>,
}

/// What a match brought one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatLine {
    /// Who.
    pub bot: usize,
    /// 1 is the best.
    pub place: u32,
    /// The game's own score.
    pub score: f64,
    /// The points of the tournament.
    pub points: f64,
    /// The kind of its fault, if it had one.
    pub fault: Option<String>,
}
