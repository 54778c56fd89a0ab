//! Players, their bots, and what they have handed in.

use crate::ids::{AccountId, BotId, MatchId, VersionId};
use crate::model::{Rejection, VersionState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Somebody's place in a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StandingLine {
    /// 1 is the best; those equal in everything share it.
    pub place: u32,
    /// The bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// Whose it is.
    #[schema(value_type = i64)]
    pub player: AccountId,
    /// The player's name.
    pub name: String,
    /// A built-in player of the organisers'.
    pub house: bool,
    /// Whether a client of it is connected now.
    pub online: bool,
    /// Points of scored rounds.
    pub points: f64,
    /// The Elo rating, rounded.
    pub elo: i32,
    /// Matches that count for the rating.
    pub played: u32,
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
    /// What plays: "version 3", "connected", "built in", or nothing yet.
    pub plays: Presence,
}

/// What plays for a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// Nothing at the moment.
    Nothing,
    /// A client that is connected.
    Client,
    /// The active version of what was handed in.
    Version,
    /// A built-in player.
    BuiltIn,
}

/// A player in the list of all.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerLine {
    /// The number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// A built-in player of the organisers'.
    pub house: bool,
    /// Whether a client is connected.
    pub online: bool,
}

/// A player's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerView {
    /// The number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// A built-in player of the organisers'.
    pub house: bool,
    /// Since when.
    pub joined: i64,
    /// The player's place in every game with a bot.
    pub bots: Vec<(String, StandingLine)>,
}

/// A bot's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotView {
    /// The number.
    #[schema(value_type = i64)]
    pub id: BotId,
    /// The game.
    pub game: String,
    /// How it stands.
    pub standing: StandingLine,
    /// What was handed in, newest first; what others may not know is left out.
    pub versions: Vec<VersionView>,
    /// Its rating over time, thinned out to what a chart can show.
    pub ratings: Vec<RatingPoint>,
    /// Its results against everybody it has met.
    pub opponents: Vec<OpponentLine>,
}

/// A rating at a time.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingPoint {
    /// When.
    pub at: i64,
    /// The match after which it was so.
    #[schema(value_type = i64)]
    pub game: MatchId,
    /// The rating.
    pub elo: f64,
    /// The version that played; nothing for a client and for a built-in player.
    pub version: Option<u32>,
}

/// Results against one opponent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpponentLine {
    /// The opponent's bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// Whose it is.
    #[schema(value_type = i64)]
    pub player: AccountId,
    /// Its player's name.
    pub name: String,
    /// Matches in which this bot came out ahead.
    pub won: u32,
    /// Equal.
    pub drawn: u32,
    /// Behind.
    pub lost: u32,
}

/// Something that was handed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionView {
    /// Its number in addresses.
    #[schema(value_type = i64)]
    pub id: VersionId,
    /// Its number among the bot's versions, counted from 1.
    pub number: u32,
    /// The file that was handed in.
    pub file: String,
    /// When.
    pub at: i64,
    /// What became of it.
    pub state: VersionState,
    /// Whether it is the one that plays.
    pub active: bool,
    /// What the compiler and the smoke match said; for its author only.
    pub log: Option<String>,
    /// The smoke match, for its author only.
    #[schema(value_type = Option<i64>)]
    pub smoke: Option<MatchId>,
    /// Why it was rejected, for its author only; nothing if it was not, or by an earlier palestra.
    pub rejection: Option<Rejection>,
    /// What its author notes about it, for its author only.
    pub note: Option<String>,
    /// The built-in player that it was tried against, if it was not handed in but only tried: it has no number then, never
    /// plays again, and is for its author only.
    pub trial: Option<String>,
}
