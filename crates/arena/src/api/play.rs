//! Playing by hand, in the browser: what is offered, and tables at which people wait for each other.

use crate::ids::MatchId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What can be played by hand.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayOffer {
    /// Whether who asks may play.
    pub allowed: bool,
    /// How long an answer may take, in seconds.
    pub seconds: u32,
    /// The games.
    pub games: Vec<PlayGame>,
}

/// A game that can be played by hand.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayGame {
    /// Its name in addresses.
    pub id: String,
    /// The fewest and the most players of a match.
    pub seats: (u8, u8),
    /// Built-in players who play along.
    pub opponents: Vec<String>,
    /// Their levels on the sparring ladder, in the same order; null stands beside it.
    pub levels: Vec<Option<u8>>,
    /// What it can be played on.
    pub maps: Vec<PlayMap>,
}

/// Something to play on.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayMap {
    /// Its name.
    pub name: String,
    /// For how many players it is.
    pub seats: Vec<u8>,
}

/// What somebody wants to play.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenTable {
    /// The game.
    pub game: String,
    /// The name of a map; any that fits unless given.
    #[serde(default)]
    pub map: Option<String>,
    /// By seat.
    pub seats: Vec<Chair>,
}

/// Who is to sit somewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Chair {
    /// Who asks.
    Me,
    /// Whoever gets the invitation.
    Invited,
    /// A built-in player.
    House(String),
}

/// The secret of somebody's place at a table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableToken {
    /// The secret.
    pub token: String,
}

/// A table as somebody sees it who sits there or is invited.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableView {
    /// The game.
    pub game: String,
    /// The name of the map, if one was chosen.
    pub map: Option<String>,
    /// The seat of who asks, counted from 1.
    pub seat: u8,
    /// How it stands for who asks.
    pub status: TableStatus,
    /// By seat.
    pub seats: Vec<TableSeat>,
    /// The places that are still free, for whoever sits there.
    pub invitations: Vec<Invitation>,
    /// When it is forgotten, if nothing happens before.
    pub expires: i64,
    /// The match that is played, or was played last.
    #[schema(value_type = Option<i64>)]
    pub latest: Option<MatchId>,
    /// What opens the seat in that match, as soon as it can be looked at.
    pub key: Option<String>,
    /// Why a match could not be played.
    pub trouble: Option<String>,
    /// The secret of the place that was just taken.
    pub token: Option<String>,
}

/// How a table stands for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum TableStatus {
    /// Who asks can sit down.
    Invited,
    /// Others are waited for.
    Waiting,
    /// A match is being played.
    Playing,
    /// A match is over, and another one can be played.
    Over,
}

/// One seat at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TableSeat {
    /// Who sits there, if somebody does.
    pub name: Option<String>,
    /// A built-in player.
    pub house: bool,
    /// Whether a match may begin.
    pub ready: bool,
}

/// A place at a table that is free.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Invitation {
    /// Which seat, counted from 1.
    pub seat: u8,
    /// The secret that opens it: `/play?invite=…`.
    pub token: String,
}
