//! What organisers are told, and what they ask for.

use crate::ids::AccountId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An account, for organisers.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccountView {
    /// The number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// Whether the admin pages are open.
    pub organiser: bool,
    /// A built-in player.
    pub house: bool,
    /// Shut out by the organisers.
    pub banned: bool,
    /// Whether a client is connected.
    pub online: bool,
}

/// A new account's password: told once, never kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPassword {
    /// The player's number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// A new account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddPlayer {
    /// The name.
    pub name: String,
    /// The password; one is made up if there is none.
    pub password: Option<String>,
    /// Whether the admin pages are to be open.
    #[serde(default)]
    pub organiser: bool,
}

/// What a table of players says.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportPreview {
    /// The heading of the column that names were taken from, if the table has headings.
    pub name_heading: Option<String>,
    /// That of the passwords.
    pub password_heading: Option<String>,
    /// The players, in the order of the table.
    pub players: Vec<ImportedPlayer>,
}

/// A player in a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportedPlayer {
    /// The name.
    pub name: String,
    /// Whether the table has a password for it.
    pub has_password: bool,
    /// Whether it has an account already, which stays as it is.
    pub is_known: bool,
}

/// Whether somebody is shut out.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ban {
    /// Shut out, or let in again.
    pub banned: bool,
}

/// A line of the event's log, for organisers.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogLine {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// Who did it; nobody for what happened by itself.
    pub who: Option<String>,
    /// What happened.
    pub text: String,
}

/// Something to announce.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Announce {
    /// What.
    pub text: String,
}

/// Why something is done.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reason {
    /// In a few words.
    #[serde(default)]
    pub why: String,
}

/// What the organisers can do to the whole event or to a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Begin now, whatever the plan says.
    Start,
    /// Begin nothing more for a while.
    Pause,
    /// Go on.
    Resume,
    /// End it: what has not been played is not played.
    Close,
}
