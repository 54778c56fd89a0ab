//! Games without their types, for everything that only moves text: the runner, replays, the command line.
//!
//! A game is typed inside and erased exactly once: [`AnyGame`] is a [`Game`], [`AnyState`] a [`State`] of one.

use crate::any_state::{AnyState, TypedState};
use crate::batch::{AnyScenario, Scenario, ScenarioRequest, Shared};
use crate::encoding::{Encoding, Reader, Space, TextReader};
use crate::folder::SampleMap;
use crate::game::{
    BuiltIn, Counter, Game, Info, SettingsOf, Setup, SetupError, SetupOf, Situation, View, ViewOf,
};
use crate::legacy::{ClientLines, ConfigFile, Export, Legacy, LegacyConfig, LiveExport, Log, TestCase};
use crate::limits;
use crate::message::Message;
use crate::plan::{Plan, PlanRequest};
use crate::play::{self, Rollout};
use crate::replay::{Replay, ReplayError, TypedReplay};
use crate::settings::{self, SettingDoc, Settings};
use std::io;

/// A game that can be played, without its types. Every [`Legacy`] is one.
pub trait AnyGame: Send + Sync {
    /// See [`Game::INFO`].
    fn info(&self) -> &'static Info;
    /// See [`Settings::docs`].
    fn settings(&self) -> Vec<SettingDoc>;
    /// Whether these changes of settings are possible.
    fn check_settings(&self, changes: &[(String, String)]) -> Result<(), SetupError>;
    /// Every built-in player: name, other names, level, summary.
    fn built_ins(&self) -> Vec<BuiltInDoc>;
    /// The built-in players of the sparring ladder, the weakest first.
    fn sparring_ladder(&self) -> Vec<BuiltInDoc> {
        let mut players = self.built_ins();
        players.retain(|player| player.level.is_some());
        players.sort_by_key(|player| player.level);
        players
    }
    /// Maps that ship with it.
    fn maps(&self) -> &'static [SampleMap];
    /// The numbers the map generator asks for.
    fn map_arguments(&self) -> &'static [&'static str];
    /// What is counted of every player.
    fn counters(&self) -> &'static [Counter];
    /// See [`Legacy::EXPORTS`].
    fn exports(&self) -> &'static [Export];
    /// Writes a new map file from the numbers that [`AnyGame::map_arguments`] names.
    fn generate(
        &self,
        changes: &[(String, String)],
        numbers: &[u32],
        seed: u64,
    ) -> Result<String, SetupError>;
    /// Settles everything that a match begins with.
    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, SetupError>;
    /// A whole game of the built-in player of this name on every seat, typed and without a replay, for benchmarks and
    /// training. With `told`, what the player to move is sent is written in every turn.
    fn rollout(&self, plan: &Plan, player: &str, seed: u64, told: bool) -> Result<Rollout, SetupError>;
    /// What observations and actions of a match are; see [`Encoding`].
    fn space(&self, plan: &Plan) -> Result<Space, SetupError>;
    /// The same with actions for everything that the rules allow; see [`Encoding::exact_space`].
    fn exact_space(&self, plan: &Plan) -> Result<Space, SetupError>;
    /// Reads what a bot is sent, with settings that differ from the defaults.
    fn reader(&self, changes: &[(String, String)]) -> Result<Box<dyn Reader>, SetupError>;
    /// What many games side by side have in common; see [`crate::batch`].
    fn scenario(&self, request: &ScenarioRequest<'_>) -> Result<Box<dyn AnyScenario>, SetupError>;
    /// The state before the first turn.
    fn open(&self, plan: &Plan) -> Result<Box<dyn AnyState>, SetupError>;
    /// See [`Legacy::CLIENT_LINES`].
    fn client_lines(&self) -> Option<&'static ClientLines>;
    /// Names of configuration files to look for when a whole folder is given.
    fn config_files(&self) -> &'static [&'static str];
    /// See [`Legacy::config_begins_with`].
    fn config_begins_with(&self, word: &str) -> bool;
    /// Reads a contest's own run configuration; `None` if the file is something else.
    fn read_config(&self, config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>>;
    /// Reads a test of a test system.
    fn read_test(&self, text: &str) -> Result<TestCase, SetupError>;
    /// Writes a replay in one of the game's log formats.
    fn export(&self, format: &str, replay: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError>;
    /// See [`Legacy::live_export`].
    fn live_export(&self, format: &str, start: &Replay) -> Result<Option<Box<dyn LiveExport>>, ReplayError>;
    /// Reads a log that the contest's own tools wrote; `None` if the text is something else.
    fn read_log(&self, text: &str) -> Option<Result<Box<dyn Log>, SetupError>>;
    /// Short games that bring out the usual mistakes of a bot.
    fn situations(&self) -> &'static [Situation];
    /// See [`Game::messages`].
    fn messages(&self) -> Vec<Message>;
}

/// A built-in player, for people.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInDoc {
    /// What people call it on the command line.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// Its rung on the game's sparring ladder, counted from 1 for the weakest; `None` stands beside the ladder.
    pub level: Option<u8>,
    /// One line about how it plays.
    pub summary: &'static str,
}

impl BuiltInDoc {
    /// Whether this name (perhaps with an argument behind a colon) means this player.
    pub fn answers_to(&self, name: &str) -> bool {
        let name = name.split(':').next().unwrap_or(name);
        self.name == name || self.aliases.contains(&name)
    }
}

impl<G: Legacy> AnyGame for G {
    fn info(&self) -> &'static Info {
        &G::INFO
    }

    fn settings(&self) -> Vec<SettingDoc> {
        SettingsOf::<G>::docs()
    }

    fn check_settings(&self, changes: &[(String, String)]) -> Result<(), SetupError> {
        settings::with_changes::<SettingsOf<G>>(changes).map(drop)
    }

    fn built_ins(&self) -> Vec<BuiltInDoc> {
        G::BUILT_INS.iter().map(built_in_doc).collect()
    }

    fn maps(&self) -> &'static [SampleMap] {
        G::INFO.folder.maps
    }

    fn map_arguments(&self) -> &'static [&'static str] {
        SetupOf::<G>::ARGUMENTS
    }

    fn counters(&self) -> &'static [Counter] {
        ViewOf::<G>::COUNTERS
    }

    fn exports(&self) -> &'static [Export] {
        G::EXPORTS
    }

    fn generate(
        &self,
        changes: &[(String, String)],
        numbers: &[u32],
        seed: u64,
    ) -> Result<String, SetupError> {
        let settings = settings::with_changes::<SettingsOf<G>>(changes)?;
        Ok(generate_setup::<G>(&settings, numbers, seed)?.write())
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, SetupError> {
        let settings = settings::with_changes::<SettingsOf<G>>(request.changes)?;
        let setup = match request.map {
            Some(text) => read_setup::<G>(&settings, text)?,
            None => SetupOf::<G>::default_for(&settings, request.players, request.seed)?,
        };
        Ok(Plan {
            settings: settings::to_json(&settings),
            setup: setup.write(),
            seed: request.seed,
            seats: setup.seats(),
            absent: Vec::new(),
        })
    }

    fn rollout(&self, plan: &Plan, player: &str, seed: u64, told: bool) -> Result<Rollout, SetupError> {
        let settings = settings::from_json::<SettingsOf<G>>(&plan.settings)?;
        let setup = read_setup::<G>(&settings, &plan.setup)?;
        play::rollout::<G>(plan.start::<G>(&settings, &setup)?, setup.seats(), player, seed, told)
    }

    fn space(&self, plan: &Plan) -> Result<Space, SetupError> {
        let settings = settings::from_json::<SettingsOf<G>>(&plan.settings)?;
        let setup = read_setup::<G>(&settings, &plan.setup)?;
        Ok(G::space(&settings, G::extent(&setup)))
    }

    fn exact_space(&self, plan: &Plan) -> Result<Space, SetupError> {
        let settings = settings::from_json::<SettingsOf<G>>(&plan.settings)?;
        let setup = read_setup::<G>(&settings, &plan.setup)?;
        Ok(G::exact_space(&settings, G::extent(&setup)))
    }

    fn reader(&self, changes: &[(String, String)]) -> Result<Box<dyn Reader>, SetupError> {
        Ok(Box::new(TextReader::<G>::new(settings::with_changes::<SettingsOf<G>>(changes)?)))
    }

    fn scenario(&self, request: &ScenarioRequest<'_>) -> Result<Box<dyn AnyScenario>, SetupError> {
        Ok(Box::new(Shared::new(Scenario::<G>::new(request)?)))
    }

    fn open(&self, plan: &Plan) -> Result<Box<dyn AnyState>, SetupError> {
        let settings = settings::from_json::<SettingsOf<G>>(&plan.settings)?;
        let setup = read_setup::<G>(&settings, &plan.setup)?;
        Ok(Box::new(TypedState::<G>::new(plan.start::<G>(&settings, &setup)?, setup.seats())))
    }

    fn client_lines(&self) -> Option<&'static ClientLines> {
        G::CLIENT_LINES
    }

    fn config_files(&self) -> &'static [&'static str] {
        G::CONFIG_FILES
    }

    fn config_begins_with(&self, word: &str) -> bool {
        G::config_begins_with(word)
    }

    fn read_config(&self, config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        G::read_config(config)
    }

    fn read_test(&self, text: &str) -> Result<TestCase, SetupError> {
        G::read_test(text)
    }

    fn export(&self, format: &str, replay: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError> {
        if !G::EXPORTS.iter().any(|export| export.name == format) {
            return Err(ReplayError::UnknownExport(format.to_owned()));
        }
        G::export(format, &typed_replay::<G>(replay)?, out)
    }

    fn live_export(&self, format: &str, start: &Replay) -> Result<Option<Box<dyn LiveExport>>, ReplayError> {
        G::live_export(format, &typed_replay::<G>(start)?)
    }

    fn read_log(&self, text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        G::read_log(text)
    }

    fn situations(&self) -> &'static [Situation] {
        G::SITUATIONS
    }

    fn messages(&self) -> Vec<Message> {
        G::messages()
    }
}

fn typed_replay<G: Encoding>(replay: &Replay) -> Result<TypedReplay<'_, G>, ReplayError> {
    let settings = settings::from_json::<SettingsOf<G>>(&replay.head.plan.settings)?;
    let setup = read_setup::<G>(&settings, &replay.head.plan.setup)?;
    Ok(TypedReplay { settings, setup, replay })
}

/// Makes a map from the numbers that it asks for.
pub(crate) fn generate_setup<G: Game>(
    settings: &SettingsOf<G>,
    numbers: &[u32],
    seed: u64,
) -> Result<SetupOf<G>, SetupError> {
    if numbers.len() != SetupOf::<G>::ARGUMENTS.len() {
        return Err(SetupError::new(format!(
            "a map of {} is made from {} numbers ({}), and {} were given",
            G::INFO.id,
            SetupOf::<G>::ARGUMENTS.len(),
            SetupOf::<G>::ARGUMENTS.join(", "),
            numbers.len()
        )));
    }
    SetupOf::<G>::generate(settings, numbers, seed)
}

pub(crate) fn read_setup<G: Game>(settings: &SettingsOf<G>, text: &str) -> Result<SetupOf<G>, SetupError> {
    if text.len() > limits::MAP_BYTES {
        return Err(SetupError::new(format!(
            "the map has {} bytes, and may have {} at most",
            text.len(),
            limits::MAP_BYTES
        )));
    }
    let setup = SetupOf::<G>::read(settings, text)?;
    let seats = usize::from(setup.seats());
    if seats > limits::SEATS {
        return Err(SetupError::new(format!(
            "the map has {seats} players, and may have {} at most",
            limits::SEATS
        )));
    }
    Ok(setup)
}

fn built_in_doc<G: Game>(built_in: &BuiltIn<G>) -> BuiltInDoc {
    BuiltInDoc {
        name: built_in.name,
        aliases: built_in.aliases,
        level: built_in.level,
        summary: built_in.summary,
    }
}
