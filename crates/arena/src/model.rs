//! What the store, the hub and the site have in common: where events, rounds, matches and versions stand. Serialised it is
//! the spelling of the API; the database has its own, in `store/words.rs`.

mod rejection;

pub use rejection::{Rejection, RejectionStep, SourcePlace};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where an event stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum EventState {
    /// Matches are played.
    Open,
    /// The organisers have stopped everything for a while: no match begins.
    Paused,
    /// It is over: no match begins any more, and nothing is taken in.
    Closed,
}

/// Where a round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RoundState {
    /// Its time has not come.
    Waiting,
    /// Being played.
    Running,
    /// Begun, and stopped by the organisers for a while.
    Paused,
    /// Played.
    Over,
    /// Called off by the organisers.
    Cancelled,
}

/// Why a match was played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum MatchKind {
    /// Two clients wished it.
    Free,
    /// A client against the server's own bot.
    Practice,
    /// The ladder chose it.
    Ladder,
    /// It is part of a scored round.
    Scored,
    /// The first match of a version that was handed in, for its author.
    Smoke,
    /// Somebody played it by hand, in the browser.
    Hand,
    /// A player wanted to know how a version of its own does against somebody.
    Challenge,
}

/// Where a match stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum MatchState {
    /// Being played.
    Running,
    /// Played.
    Finished,
    /// Played, and taken out of the count.
    Void,
}

/// Where a challenge stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeState {
    /// Some of its matches have not been played.
    Open,
    /// All of them have been.
    Over,
    /// Taken back, or given up.
    Cancelled,
}

/// What became of something handed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum VersionState {
    /// Others are before it.
    Queued,
    /// Being compiled.
    Compiling,
    /// Playing its first match.
    Trying,
    /// It can play.
    Ready,
    /// It cannot be compiled or started, failed in its first match, or was set aside because the arena died of it.
    Rejected,
}

/// Where the check of a step of a course stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CourseState {
    /// It waits for its turn, or is being played.
    Queued,
    /// The bot does what the step asks for.
    Passed,
    /// It does not.
    Missed,
    /// The check could not be played.
    Failed,
}

/// How a match ended for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum MatchResult {
    /// Best place, alone.
    Won,
    /// Best place, shared.
    Drawn,
    /// Neither.
    Lost,
}

impl MatchKind {
    /// Those that are no part of the event itself: lists are without them unless they are asked for.
    pub(crate) const APART: [MatchKind; 3] = [MatchKind::Smoke, MatchKind::Hand, MatchKind::Challenge];

    /// Whether it is no part of the event itself.
    pub(crate) fn is_apart(self) -> bool {
        MatchKind::APART.contains(&self)
    }

    /// Whether such matches move ratings.
    pub(crate) fn is_rated(self) -> bool {
        matches!(self, MatchKind::Free | MatchKind::Ladder | MatchKind::Scored)
    }
}
