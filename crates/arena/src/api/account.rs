//! Somebody's own account: signing in, passwords, and keys for programs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Signing in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignIn {
    /// The player's name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// A newcomer with an invite code.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignUp {
    /// The name to be.
    pub name: String,
    /// The password.
    pub password: String,
    /// The code that the organisers hand out.
    pub invite: String,
}

/// A new password for oneself.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangePassword {
    /// The one so far.
    pub old: String,
    /// The new one.
    pub new: String,
}

/// A new key for programs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskToken {
    /// What it is for.
    pub label: String,
}

/// A key for programs, without its secret.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenView {
    /// Its number.
    pub id: i64,
    /// What it is for.
    pub label: String,
    /// Since when.
    pub at: i64,
}

/// A new key: its secret is told once, never kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewToken {
    /// Its number.
    pub id: i64,
    /// The secret.
    pub token: String,
}
