//! Challenges: a few matches of one's own version against an opponent of choice, and what came of them.

use super::MatchView;
use crate::ids::{AccountId, BotId, ChallengeId, MatchId, VersionId};
pub use crate::model::ChallengeState;
use palestra_core::Message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a player wants to know.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenChallenge {
    /// The game.
    pub game: String,
    /// One of the player's own versions; the one that plays unless given.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    pub version: Option<VersionId>,
    /// Against whom.
    pub opponent: ChallengeOpponent,
    /// How many matches, from 1 to 20.
    pub matches: u32,
}

/// Against whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeOpponent {
    /// Whatever plays for this bot now: its active version, or a built-in player.
    #[schema(value_type = i64)]
    Bot(BotId),
    /// Another of one's own versions.
    #[schema(value_type = i64)]
    Version(VersionId),
}

/// A challenge and how it stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChallengeView {
    /// Its number.
    #[schema(value_type = i64)]
    pub id: ChallengeId,
    /// The game.
    pub game: String,
    /// The player's own version, and its opponent.
    pub sides: [ChallengeSide; 2],
    /// How many matches were asked for.
    pub matches: u32,
    /// When.
    pub at: i64,
    /// Where it stands.
    pub state: ChallengeState,
    /// When it was over.
    pub ended: Option<i64>,
    /// Why it was cancelled; nothing if its player has.
    #[schema(value_type = Option<Object>)]
    pub why: Option<Message>,
    /// How its next match stands, if it is open.
    pub turn: Option<ChallengeTurn>,
    /// The result so far.
    pub result: DuelResult,
}

/// Who plays in a challenge.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChallengeSide {
    /// The bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// Its player.
    #[schema(value_type = i64)]
    pub player: AccountId,
    /// That player's name.
    pub name: String,
    /// The number of the version; nothing for a built-in player.
    pub version: Option<u32>,
}

/// How the next match of an open challenge stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChallengeTurn {
    /// Matches of other challenges that begin before it; nothing while one of its own is being played.
    pub ahead: Option<u32>,
    /// The match that is being played.
    #[schema(value_type = Option<i64>)]
    pub running: Option<MatchId>,
}

/// What a challenge brought the player's own version.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DuelResult {
    /// Matches that count.
    pub played: u32,
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
    /// The share of points from 0 to 1, and the limits of its 95 % interval; nothing without a match.
    pub share: Option<[f64; 3]>,
    /// By the seat of one's own version.
    pub seats: Vec<SeatResult>,
    /// Matches in which one's own version made a mistake.
    pub faults: u32,
}

/// What a version brought from one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatResult {
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
}

/// A challenge with its matches.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChallengeDetail {
    /// The challenge.
    pub challenge: ChallengeView,
    /// What was played, in order.
    pub matches: Vec<MatchView>,
}
