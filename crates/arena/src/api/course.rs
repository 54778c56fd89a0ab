//! The course of a game, and how far somebody has come in it. What people are told about a step is in the game's words.

use crate::model::CourseState;
use palestra_core::Message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The course of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CourseView {
    /// Its steps, in order.
    pub steps: Vec<CourseStep>,
    /// The number of the version with which steps of whoever asks are checked; nothing without one.
    pub version: Option<u32>,
}

/// A step of a course.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CourseStep {
    /// Its name in the game's words and in addresses.
    pub name: String,
    /// How many matches it has,
    pub matches: u32,
    /// and in how many of them it has to come off.
    pub need: u32,
    /// How whoever asks does in it; nothing before the first check.
    pub result: Option<CourseResult>,
}

/// The latest check of a step.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CourseResult {
    /// Where it stands.
    pub state: CourseState,
    /// Whether the step was ever passed.
    pub passed: bool,
    /// The number of the version that was checked; nothing if it is forgotten.
    pub version: Option<u32>,
    /// When it was asked for.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// What came of its matches, in order.
    pub matches: Vec<CourseMatch>,
}

/// What came of one match of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CourseMatch {
    /// The built-in players in it.
    pub opponents: Vec<String>,
    /// What did not come off: codes and their values; nothing if all did.
    #[schema(value_type = Vec<Object>)]
    pub missed: Vec<Message>,
    /// Why it was lost, if it was and should not have been.
    #[schema(value_type = Vec<Object>)]
    pub why: Vec<Message>,
}
