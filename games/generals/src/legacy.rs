//! The contest's own files: its run configuration and its log.

mod log;

use crate::Generals;
use crate::action::Action;
use palestra_core::game::State as _;
use palestra_core::legacy::{
    ConfigFile, Export, Legacy, LegacyBot, LegacyConfig, LegacyContent, LegacyOutput, LegacyRun, Log,
    TestCase,
};
use palestra_core::replay::TypedReplay;
use palestra_core::{Eye, Input, Notes, Protocol as _, ReplayError, SetupError, limits};
use std::io;

/// The contest's log.
const LOG: Export = Export {
    name: "log",
    file: "log.txt",
    summary: "the whole board after every move and every second round, as the contest's viewer reads it",
};

/// How often the log has the board though nobody may have moved.
const LOG_EVERY_ROUNDS: u32 = 2;

impl Legacy for Generals {
    const EXPORTS: &'static [Export] = &[LOG];

    /// Reads a run configuration: the log file, the map file, the number of players, and a line for each with the path
    /// of its program. `None` if the text is something else.
    fn read_config(config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        let text = config.text.strip_prefix('\u{feff}').unwrap_or(config.text);
        let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        let [log, map, count, programs @ ..] = lines.as_slice() else {
            return None;
        };
        if !is_path(log)
            || !is_path(map)
            || count.is_empty()
            || !count.bytes().all(|byte| byte.is_ascii_digit())
        {
            return None;
        }
        Some(read_players(count, programs).map(|bots| {
            LegacyConfig::Run(LegacyRun {
                map: Some((*map).to_owned()),
                bots,
                outputs: vec![LegacyOutput {
                    path: (*log).to_owned(),
                    content: LegacyContent::Export(LOG.name),
                }],
                ..LegacyRun::default()
            })
        }))
    }

    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        palestra_grid::read_test(text, |words| {
            if words.number::<u64>("the type of a cell")? == 2 {
                words.number::<u64>("the units of a city")?;
            }
            Ok(())
        })
    }

    /// Writes the log: `n m k 0`, the board without fog, again and again, and a `0`.
    fn export(
        _: &str,
        recording: &TypedReplay<'_, Generals>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        let mut notes = Notes::counted();
        let mut text = Vec::new();
        Generals::hello(recording.start()?.view(Eye::Spectator), &mut text);
        recording.play(|state, seat, input| {
            let moved = !matches!(input, Input::Answer(Action::Pass));
            state.take_turn(seat, input, &mut notes);
            if moved {
                Generals::ask(state.view(Eye::Spectator), &mut text);
            }
            let round_over = state.finish_turn(seat);
            if round_over && state.turns.completed().is_multiple_of(LOG_EVERY_ROUNDS) {
                Generals::ask(state.view(Eye::Spectator), &mut text);
            }
            out.write_all(&text)?;
            text.clear();
            Ok(())
        })?;
        text.extend_from_slice(b"0\n");
        out.write_all(&text)?;
        Ok(())
    }

    fn read_log(text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        log::read(text)
    }
}

/// Whether a line can be the name of a file, rather than the beginning of JSON, TOML, XML, or a map's numbers.
fn is_path(line: &str) -> bool {
    let foreign = line.starts_with(['{', '[', '<', '#', '"', '}', ']']) || line.contains(" = ");
    let numbers = line.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    !foreign && !numbers
}

fn read_players(count: &str, programs: &[&str]) -> Result<Vec<LegacyBot>, SetupError> {
    let players = count.parse::<usize>().ok();
    let Some(players) = players.filter(|players| (2..=limits::SEATS).contains(players)) else {
        return Err(SetupError::new(format!(
            "line 3 of the run config says {} players, and must say 2 to {}",
            palestra_core::fault::printable(count.as_bytes()),
            limits::SEATS
        )));
    };
    if programs.len() != players {
        return Err(SetupError::new(format!(
            "line 3 of the run config says {players} players, and {} lines with programs follow; make them equal",
            programs.len()
        )));
    }
    if let Some(blank) = programs.iter().position(|program| program.is_empty()) {
        return Err(SetupError::new(format!(
            "line {} of the run config is empty, and must have the path of the program of player {}",
            blank + 4,
            blank + 1
        )));
    }
    Ok(programs.iter().map(|program| LegacyBot::Program((*program).to_owned())).collect())
}
