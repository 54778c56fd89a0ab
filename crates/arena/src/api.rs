//! What the site and other programs are told, as JSON. Every shape here is part of `/api/openapi.json`, and the site's
//! types are generated from it.
//!
//! Times are milliseconds since 1970. Numbers of matches, players, bots and versions are their names in addresses.

mod account;
mod admin;
mod authors;
pub mod challenges;
mod convert;
pub mod course;
mod downloads;
mod event;
mod machine;
mod matches;
pub mod play;
mod players;
mod results;
mod rounds;
mod workers;

pub use account::{AskToken, ChangePassword, NewToken, SignIn, SignUp, TokenView};
pub use admin::{
    AccountView, AddPlayer, Announce, Ban, Control, ImportPreview, ImportedPlayer, LogLine, NewPassword,
    Reason,
};
pub use authors::{
    EditorLanguage, EditorView, OwnMatch, OwnMatchList, ScoreView, Seen, SettledVersion, SharedScores,
    SourceFile, SourceView, Starter, VersionComparison, VersionNote, VersionScore,
};
pub use downloads::{Download, DownloadKind, DownloadList, System};
pub use event::{Announcement, EventView, GameView, Kit, LiveView, Me, Registration};
pub use machine::MachineView;
pub use matches::{LateView, MatchList, MatchView, SeatView};
pub use players::{
    BotView, OpponentLine, PlayerLine, PlayerView, Presence, RatingPoint, StandingLine, VersionView,
};
pub use results::{Decision, PodiumLine};
pub use rounds::{
    BracketPart, DuelSide, DuelView, LeagueRound, MeetingView, RoundDetail, RoundList, RoundMatch,
    RoundMatchState, RoundPlayer, RoundStanding, RoundView, StageGroup, StageState, StageView,
};
pub use workers::{AsideCode, SetAside, WorkerView, WorkersView};

pub use crate::model::{
    CourseState, EventState, MatchKind, MatchResult, MatchState, Rejection, RejectionStep, RoundState,
    SourcePlace, VersionState,
};

use palestra_core::Message;
use serde::Serialize;
use utoipa::ToSchema;

/// Something went wrong: one sentence.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Wrong {
    /// What, where, and what to do.
    pub error: String,
    /// The same for people of every language: a code and its values.
    #[schema(value_type = Object)]
    pub message: Option<Message>,
}

/// How JSON spells one of a few.
pub(crate) fn spelling(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => unreachable!("it is written as one word"),
    }
}
