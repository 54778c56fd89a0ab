//! Who won, and what decided it.

use crate::ids::BotId;
use palestra_league::pairing;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One of the best of a round that is over.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PodiumLine {
    /// 1 is the best; those equal in everything share it.
    pub place: u32,
    /// The bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// The player's name.
    pub name: String,
}

/// How a duel of a knockout was decided.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decision {
    /// What told the two apart.
    pub by: DecidedBy,
    /// How many further matches there were because the planned ones left it equal.
    pub deciders: u32,
    /// What each has of that, the winner first; nothing if there was nothing to compare.
    pub numbers: Option<[f64; 2]>,
}

/// What tells the two of a duel apart. Each is asked if all before it are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// Nobody was on the other side.
    Bye,
    /// The other one left, or did not come.
    Absence,
    /// The points of the planned matches.
    Points,
    /// The points of further matches with seats swapped.
    Deciders,
    /// The games' own scores of all matches together.
    Score,
    /// The seed, counted from 1: the better one goes on.
    Seed,
}

impl From<pairing::Decision> for Decision {
    fn from(decision: pairing::Decision) -> Decision {
        Decision {
            by: match decision.by {
                pairing::DecidedBy::Bye => DecidedBy::Bye,
                pairing::DecidedBy::Absence => DecidedBy::Absence,
                pairing::DecidedBy::Points => DecidedBy::Points,
                pairing::DecidedBy::Deciders => DecidedBy::Deciders,
                pairing::DecidedBy::Score => DecidedBy::Score,
                pairing::DecidedBy::Seed => DecidedBy::Seed,
            },
            deciders: decision.deciders,
            numbers: decision.numbers.map(|pair| pair.map(|points| points.0 as f64 / 1000.0)),
        }
    }
}
