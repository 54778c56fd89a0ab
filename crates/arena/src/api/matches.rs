//! Matches: in a list, and on their own pages.

use crate::ids::{AccountId, BotId, ChallengeId, MatchId, RoundId};
use crate::model::{MatchKind, MatchState};
use palestra_core::Message;
use serde::Serialize;
use utoipa::ToSchema;

/// A match in a list, and on its own page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchView {
    /// Its number.
    #[schema(value_type = i64)]
    pub id: MatchId,
    /// The game.
    pub game: String,
    /// Why it was played.
    pub kind: MatchKind,
    /// The scored round it belongs to.
    #[schema(value_type = Option<u32>)]
    pub round: Option<RoundId>,
    /// The challenge it belongs to.
    #[schema(value_type = Option<i64>)]
    pub challenge: Option<ChallengeId>,
    /// Where it stands.
    pub state: MatchState,
    /// When it began.
    pub started: i64,
    /// When it was over.
    pub ended: Option<i64>,
    /// Its place in the order in which matches were counted, which ratings depend on.
    pub counted: Option<i64>,
    /// Turns played so far, as far as everybody may see them.
    pub turns: u32,
    /// By seat.
    pub seats: Vec<SeatView>,
    /// Whether who asks may look at it now.
    pub watchable: bool,
    /// How far behind who asks sees it while it goes on, because it hides things from its players; nothing if at once.
    pub late: Option<LateView>,
    /// Whether it can be shown again: replays of very old matches are not kept.
    pub replay: bool,
    /// Why it does not count, if so.
    pub why: Option<String>,
    /// The worker that played it; nothing if that was the arena's own machine.
    pub worker: Option<String>,
}

/// How far behind a match is shown: both null if it is shown when it is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LateView {
    /// So many seconds,
    pub seconds: Option<u32>,
    /// and at least so many rounds.
    pub rounds: Option<u32>,
}

/// One seat of a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatView {
    /// The player; nobody for the server's own bot.
    #[schema(value_type = Option<i64>)]
    pub player: Option<AccountId>,
    /// The bot.
    #[schema(value_type = Option<i64>)]
    pub bot: Option<BotId>,
    /// The version that played, counted from 1, or 0 if it was only tried; nothing for a client and for a built-in player.
    pub version: Option<u32>,
    /// A built-in player of the organisers, or the server's own bot.
    pub built_in: bool,
    /// Somebody who plays by hand.
    pub person: bool,
    /// The name.
    pub name: String,
    /// 1 is the best; nothing while the match goes on.
    pub place: Option<u32>,
    /// Points of the scored round; nothing if the match does not count.
    pub points: Option<f64>,
    /// The rating after the match, and how far the match moved it; nothing if it did not count.
    pub elo: Option<(f64, f64)>,
    /// The kind of its first fault: "out_of_time".
    pub fault: Option<String>,
    /// What there is to tell of that fault, for its author only: a code and its values, or of matches that were played
    /// before there were codes a sentence.
    #[schema(value_type = Option<Object>)]
    pub fault_message: Option<Message>,
    /// How it came to its place, for its author only: a code and its values.
    #[schema(value_type = Option<Object>)]
    pub reason: Option<Message>,
}

/// Some matches, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchList {
    /// The matches.
    pub matches: Vec<MatchView>,
    /// Give this as `before` to get older ones; nothing if there are none.
    #[schema(value_type = Option<i64>)]
    pub older: Option<MatchId>,
}
