//! The configuration and log files of the contest that Auralux comes from.

mod config;
mod decimal;
mod logs;
mod tournament;
mod visualizer;

use crate::map;
use palestra_core::SetupError;
use palestra_core::legacy::{LegacyConfig, LegacyContent, LegacyOutput, TestCase};

pub(crate) use logs::{EXPORTS, export};
pub(crate) use visualizer::read as read_log;

/// The file that tells a match's result to programs.
const SCORES_FILE: &str = "game_scores.log";

/// Reads a run or tournament configuration, which are told apart by a comma behind the first word.
pub(crate) fn read_config(text: &str) -> Option<Result<LegacyConfig, SetupError>> {
    let text = text.trim_start_matches('\u{feff}');
    let words = text.trim_start();
    let end = words.find(|c: char| c == ',' || c.is_ascii_whitespace());
    let (word, rest) = words.split_at(end.unwrap_or(words.len()));
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
pub(crate) fn read_test(text: &str) -> Result<TestCase, SetupError> {
    let (map, players) = map::split_behind(text)?;
    Ok(TestCase {
        map: map.to_owned(),
        players: players.split_ascii_whitespace().map(str::to_owned).collect(),
    })
}

/// The log files of a match, in a folder.
fn outputs(folder: &str, with_visualizer: bool) -> Vec<LegacyOutput> {
    EXPORTS
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
