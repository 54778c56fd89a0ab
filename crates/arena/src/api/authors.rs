//! What authors are told of their own bots and matches, and what they say about them.

use super::{MatchResult, MatchView, VersionState};
use crate::ids::{MatchId, VersionId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Somebody's own matches that are over, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnMatchList {
    /// The matches.
    pub matches: Vec<OwnMatch>,
    /// Give this as `before` to get older ones; nothing if there are none. There may be some though this page is short.
    #[schema(value_type = Option<i64>)]
    pub older: Option<MatchId>,
    /// Matches lost lately which were not looked at.
    pub unseen_losses: u32,
}

/// A match of somebody's own.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnMatch {
    /// The match.
    pub game: MatchView,
    /// The own seat, counted from 0.
    pub seat: usize,
    /// How it ended for it.
    pub result: MatchResult,
    /// Whether it was not looked at.
    pub unseen: bool,
}

/// Matches that were looked at.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Seen {
    /// These.
    #[serde(default)]
    #[schema(value_type = Vec<i64>)]
    pub matches: Vec<MatchId>,
    /// And everything up to this one.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    pub until: Option<MatchId>,
}

/// What an author notes about a version.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionNote {
    /// In a few words; empty for nothing.
    pub text: String,
}

/// What was handed in, to read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceView {
    /// Its files: one, or those of an archive.
    pub files: Vec<SourceFile>,
}

/// A file of what was handed in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceFile {
    /// Its name, with the folders of the archive.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// What is in it; nothing if that is no text, or too much to show.
    pub text: Option<String>,
}

/// How the versions of a bot did.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionComparison {
    /// The version that the others are compared with, if it has met anybody.
    pub base: Option<u32>,
    /// The latest versions that have met somebody in matches that count, newest first.
    pub versions: Vec<VersionScore>,
}

/// How a version did.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionScore {
    /// Its number among the bot's versions.
    pub version: u32,
    /// How often it met somebody.
    pub played: u32,
    /// Against everybody it has met.
    pub all: ScoreView,
    /// Against those whom the base has met too; nothing if there are none.
    pub shared: Option<SharedScores>,
}

/// Two versions against the same opponents, each of whom weighs the same for both.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SharedScores {
    /// How many opponents both have met.
    pub opponents: u32,
    /// The version.
    pub own: ScoreView,
    /// The base.
    pub base: ScoreView,
}

/// A share of points (a win 1, a draw one half) with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoreView {
    /// The share.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// What the editor needs to know about a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorView {
    /// The languages that the arena knows.
    pub languages: Vec<EditorLanguage>,
    /// Built-in players to try a bot against, the weakest first.
    pub opponents: Vec<String>,
    /// Their levels on the sparring ladder, in the same order; null stands beside it.
    pub levels: Vec<Option<u8>>,
    /// Bots to begin with.
    pub starters: Vec<Starter>,
}

/// A language that sources can be in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditorLanguage {
    /// What it is called.
    pub name: String,
    /// The endings of its files, the usual one first.
    pub endings: Vec<String>,
}

/// A bot of one file to begin with.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Starter {
    /// The file's name.
    pub file: String,
    /// What is in it.
    pub text: String,
}

/// A version that has become ready, or was rejected.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SettledVersion {
    /// Its number in addresses.
    #[schema(value_type = i64)]
    pub id: VersionId,
    /// Its number among the bot's versions.
    pub number: u32,
    /// The game.
    pub game: String,
    /// What became of it.
    pub state: VersionState,
}
