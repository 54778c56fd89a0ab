//! The configuration and log files of the contest that Auralux comes from.

mod config;
mod decimal;
mod logs;
mod tournament;
mod visualizer;

use crate::{Auralux, map};
use palestra_core::legacy::{
    ConfigFile, Export, Legacy, LegacyConfig, LegacyContent, LegacyOutput, Log, TestCase,
};
use palestra_core::replay::TypedReplay;
use palestra_core::{ReplayError, SetupError};
use std::io;

/// The file that tells a match's result to programs.
const SCORES_FILE: &str = "game_scores.log";

impl Legacy for Auralux {
    const EXPORTS: &'static [Export] = logs::EXPORTS;

    /// Whether either kind of configuration may begin with this word.
    fn config_begins_with(word: &str) -> bool {
        config::OPTIONS.contains(&word) || tournament::OPTIONS.contains(&word)
    }

    /// Reads a run or tournament configuration, which are told apart by a comma behind the first word.
    fn read_config(file: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        let text = file.text.trim_start_matches('\u{feff}');
        let word = file.first_word();
        let rest = &text.trim_start()[word.len()..];
        let comma = rest.trim_start_matches(|c: char| c != '\n' && c.is_ascii_whitespace()).starts_with(',');
        if comma && tournament::OPTIONS.contains(&word) {
            Some(tournament::read(text).map(LegacyConfig::Tournament))
        } else if !comma && config::OPTIONS.contains(&word) {
            Some(config::read(text).map(LegacyConfig::Run))
        } else {
            None
        }
    }

    /// Reads a test of a test system: a map, and behind it the players' names.
    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        let (map, players) = map::split_behind(text)?;
        Ok(TestCase {
            map: map.to_owned(),
            players: players.split_ascii_whitespace().map(str::to_owned).collect(),
        })
    }

    fn export(
        format: &str,
        recording: &TypedReplay<'_, Auralux>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        logs::export(format, recording, out)
    }

    fn read_log(text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        visualizer::read(text)
    }
}

/// The log files of a match, in a folder.
fn outputs(folder: &str, with_visualizer: bool) -> Vec<LegacyOutput> {
    logs::EXPORTS
        .iter()
        .map(|export| LegacyOutput {
            path: format!("{folder}/{}", export.file),
            content: if export.name == logs::VISUALIZER && !with_visualizer {
                LegacyContent::Text("disabled\n")
            } else {
                LegacyContent::Export(export.name)
            },
        })
        .collect()
}
