//! What a match begins with: settings, map, seed and seats.

use crate::game::{Game, SettingsOf, SetupError, SetupOf, State as _};
use crate::seat::Seat;
use serde::{Deserialize, Serialize};

/// What a match is asked to begin with.
#[derive(Clone, Debug)]
pub struct PlanRequest<'a> {
    /// Settings that differ from the defaults.
    pub changes: &'a [(String, String)],
    /// The map file's text, if one was given.
    pub map: Option<&'a str>,
    /// How many players there are.
    pub players: u8,
    /// Decides everything that is left to chance.
    pub seed: u64,
}

/// What a match begins with, settled and written down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The settings, as JSON.
    pub settings: String,
    /// The map, in the game's own format.
    pub setup: String,
    /// Decides everything in the match that is left to chance.
    pub seed: u64,
    /// The number of seats.
    pub seats: u8,
    /// Seats whose players could not be started, and are out before the first turn; in order. A replay has them behind
    /// the rest of its head, as its first version knew none.
    #[serde(skip)]
    pub absent: Vec<Seat>,
}

impl Plan {
    /// The first moment of a match with this plan, whose settings and setup have been read.
    pub(crate) fn start<G: Game>(
        &self,
        settings: &SettingsOf<G>,
        setup: &SetupOf<G>,
    ) -> Result<G::State, SetupError> {
        let mut state = G::State::start(settings, setup, self.seed)?;
        if !self.absent.is_empty() {
            state.withdraw(&self.absent);
        }
        Ok(state)
    }
}
