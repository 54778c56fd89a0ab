//! A plan in a few words, as a command line or another program has them: one stage, and what a file would say of it.

use super::{PlanDraft, PlanError};
use palestra_core::{AnyGame, TimeControl};

/// What is known of the plan; everything else is as a file has it that does not name it.
#[derive(Clone, Copy, Default, Debug)]
pub struct QuickPlan<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Who takes part.
    pub bots: &'a [String],
    /// Files, or names of maps that ship.
    pub maps: &'a [String],
    /// Decides everything left to chance.
    pub seed: Option<u64>,
    /// The time control.
    pub time: Option<TimeControl>,
    /// Settings of the game that differ from the defaults.
    pub settings: &'a [(String, String)],
    /// Who meets whom.
    pub format: Option<&'a str>,
    /// Bots in one match.
    pub seats: Option<u32>,
    /// Rounds, for formats that have some.
    pub rounds: Option<u32>,
    /// How often everything is played.
    pub repeats: Option<u32>,
}

impl QuickPlan<'_> {
    /// The plan, read as that of a file is; see [`read`](super::read).
    pub fn read(
        &self,
        find: impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
        seed: u64,
    ) -> Result<PlanDraft, PlanError> {
        let wrong = |message: String| PlanError { line: None, message };
        let mut plan = toml::Table::new();
        plan.insert("game".to_owned(), self.game.into());
        plan.insert("bots".to_owned(), self.bots.to_vec().into());
        if !self.maps.is_empty() {
            plan.insert("maps".to_owned(), self.maps.to_vec().into());
        }
        if let Some(seed) = self.seed {
            let seed = i64::try_from(seed).map_err(|_| wrong(format!("the seed {seed} is too large")))?;
            plan.insert("seed".to_owned(), seed.into());
        }
        if let Some(time) = self.time {
            plan.insert("time".to_owned(), time.to_string().into());
        }
        let settings: toml::Table =
            self.settings.iter().map(|(key, value)| (key.clone(), value.clone().into())).collect();
        plan.insert("settings".to_owned(), settings.into());
        let mut stage = toml::Table::new();
        if let Some(format) = self.format {
            stage.insert("format".to_owned(), format.into());
        }
        for (key, number) in [("seats", self.seats), ("rounds", self.rounds), ("repeats", self.repeats)] {
            if let Some(number) = number {
                stage.insert(key.to_owned(), i64::from(number).into());
            }
        }
        plan.insert("stage".to_owned(), toml::Value::Array(vec![stage.into()]));
        let text = toml::to_string(&plan).map_err(|error| wrong(error.to_string()))?;
        // Nobody has seen its lines.
        super::read(&text, find, seed).map_err(|error| wrong(error.message))
    }
}
