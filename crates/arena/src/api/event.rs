//! The event as a whole: what is shown around every page, and what changes all the time.

use super::authors::SettledVersion;
use super::matches::MatchView;
use super::rounds::RoundView;
use crate::ids::AccountId;
use crate::model::EventState;
use crate::plan::{ChallengeRule, Translations};
use palestra_core::Message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The event at a glance: what the site shows around every page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventView {
    /// What it is called.
    pub name: String,
    /// The same by language, where the plan has several.
    pub name_in: Translations,
    /// What it is about, in a few sentences; may be empty.
    pub about: String,
    /// The same by language, where the plan has several.
    pub about_in: Translations,
    /// The server's time.
    pub now: i64,
    /// Where the event stands.
    pub state: EventState,
    /// Its games.
    pub games: Vec<GameView>,
    /// Its scored rounds: those that go on or are to come, and the latest of the others.
    pub rounds: Vec<RoundView>,
    /// What the organisers have to say, newest first.
    pub announcements: Vec<Announcement>,
    /// Whether players challenge each other, and whether that moves ratings.
    pub challenges: ChallengeRule,
    /// How newcomers get an account.
    pub registration: Registration,
    /// The port of the TCP gateway, if there is one.
    pub gateway: Option<u16>,
    /// Whether the gateway takes TLS.
    pub gateway_tls: bool,
    /// Clients connected to the gateway now.
    pub online: u32,
    /// Who asks, if signed in.
    pub me: Option<Me>,
}

/// How newcomers get an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// From the organisers only.
    Closed,
    /// By themselves, with the code that the organisers hand out.
    Invite,
}

/// A game of the event.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    /// Its name in addresses: "generals".
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// One line about it.
    pub summary: String,
    /// The fewest and the most players of a match.
    pub seats: (u8, u8),
    /// The time control, as a plan writes it.
    pub time: String,
    /// The same for people: a code and its values.
    #[schema(value_type = Object)]
    pub time_message: Message,
    /// Whether bots can be handed in.
    pub submissions: bool,
    /// Whether clients at home can play free matches.
    pub free_play: bool,
    /// Bots on its ladder.
    pub bots: u32,
    /// Matches being played now.
    pub live: u32,
    /// Starter kits to download.
    pub kits: Vec<Kit>,
}

/// A starter kit.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kit {
    /// The language: "Python", "C++".
    pub language: String,
    /// Its file's name.
    pub file: String,
    /// Where to get it.
    pub href: String,
}

/// What the organisers have to say.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Announcement {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// What.
    pub text: String,
}

/// Somebody who is signed in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The player's number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The player's name.
    pub name: String,
    /// Whether the admin pages are open.
    pub organiser: bool,
}

/// What changes all the time: sent as a stream, and once on request.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveView {
    /// The server's time.
    pub now: i64,
    /// Where the event stands.
    pub state: EventState,
    /// Matches being played: scored ones first, then the best rated; only so many.
    pub matches: Vec<MatchView>,
    /// How many are being played altogether.
    pub running: u32,
    /// The latest results, newest first.
    pub latest: Vec<MatchView>,
    /// Rounds that go on or are to come, and the latest of the others, by number.
    pub rounds: Vec<RoundView>,
    /// The newest announcement's number, to notice a new one.
    pub announcement: Option<i64>,
    /// Clients connected to the gateway.
    pub online: u32,
    /// What became lately of versions of who asks, newest first.
    pub settled: Vec<SettledVersion>,
}
