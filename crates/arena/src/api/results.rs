//! Who won, and what decided it.

use crate::ids::BotId;
use palestra_league::pairing::{self, DecidedBy};
use serde::Serialize;
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

impl From<pairing::Decision> for Decision {
    fn from(decision: pairing::Decision) -> Decision {
        Decision {
            by: decision.by,
            deciders: decision.deciders,
            numbers: decision.numbers.map(|pair| pair.map(|points| points.0 as f64 / 1000.0)),
        }
    }
}
