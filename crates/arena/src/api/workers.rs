//! The workers that play matches of an event on other machines, for organisers.

use serde::Serialize;
use utoipa::ToSchema;

/// The workers at an event's queue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkersView {
    /// Where the queue is.
    pub queue: String,
    /// Workers that are there and counted on.
    pub count: u32,
    /// Matches that they play at a time.
    pub places: u32,
    /// Matches that they play now.
    pub playing: u32,
    /// The first of them, and those that are set aside.
    pub workers: Vec<WorkerView>,
}

/// One worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkerView {
    /// What it is called.
    pub name: String,
    /// Matches that it plays at a time.
    pub places: u32,
    /// Matches that it plays now.
    pub playing: u32,
    /// Matches that it has played since it was started.
    pub played: u32,
    /// Its version of the program.
    pub version: String,
    /// Languages of sources that it can play.
    pub toolchains: Vec<String>,
    /// Why nothing of it counts any more; nothing for one that is counted on.
    pub aside: Option<SetAside>,
}

/// Why a worker is set aside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SetAside {
    /// What it has done.
    pub code: AsideCode,
    /// In which match.
    #[serde(rename = "match")]
    pub number: Option<i64>,
    /// What was found, in the words of the program.
    pub detail: Option<String>,
}

/// What a worker is set aside for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AsideCode {
    /// A result does not hold.
    Refused,
    /// It could not play several matches, one after the other.
    Useless,
    /// Two others agree on another result.
    Outvoted,
}
