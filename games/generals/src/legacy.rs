//! The contest's own files: its run configuration and its log.

mod log;

use crate::Generals;
use crate::protocol::{self, Action};
use crate::view::View;
use palestra_core::legacy::{Export, LegacyBot, LegacyConfig, LegacyContent, LegacyOutput, LegacyRun};
use palestra_core::replay::Recording;
use palestra_core::{Eye, Input, Notes, ReplayError, SetupError, limits};
use std::io;

pub(crate) use log::read as read_log;

/// The contest's log.
pub(crate) const LOG: Export = Export {
    name: "log",
    file: "log.txt",
    summary: "the whole board after every move and every second round, as the contest's viewer reads it",
};

/// How often the log has the board though nobody may have moved.
const LOG_EVERY_ROUNDS: u32 = 2;

/// Writes the log: `n m k 0`, the board without fog, again and again, and a `0`.
pub(crate) fn write_log(
    recording: &Recording<'_, Generals>,
    out: &mut dyn io::Write,
) -> Result<(), ReplayError> {
    let mut state = recording.start()?;
    let mut inputs = recording.inputs();
    let mut notes = Notes::counted();
    let mut text = Vec::new();
    protocol::hello(View::new(&state, Eye::Spectator), &mut text);
    while let Some(input) = inputs.next()? {
        let Some(seat) = state.to_move() else {
            return Err(ReplayError::Mismatch("the game is over before its last turn".to_owned()));
        };
        let moved = !matches!(input, Input::Answer(Action::Pass));
        state.take_turn(seat, input, &mut notes);
        if moved {
            protocol::ask(View::new(&state, Eye::Spectator), &mut text);
        }
        let round_over = state.finish_turn(seat);
        if round_over && state.round().is_multiple_of(LOG_EVERY_ROUNDS) {
            protocol::ask(View::new(&state, Eye::Spectator), &mut text);
        }
        out.write_all(&text)?;
        text.clear();
    }
    text.extend_from_slice(b"0\n");
    out.write_all(&text)?;
    Ok(())
}

/// Reads a run configuration: the log file, the map file, the number of players, and a line for each with the path
/// of its program. `None` if the text is something else.
pub(crate) fn read_config(text: &str) -> Option<Result<LegacyConfig, SetupError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let [log, map, count, programs @ ..] = lines.as_slice() else {
        return None;
    };
    if !is_path(log) || !is_path(map) || count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    Some(read_players(count, programs).map(|bots| {
        LegacyConfig::Run(LegacyRun {
            map: Some((*map).to_owned()),
            bots,
            outputs: vec![LegacyOutput { path: (*log).to_owned(), content: LegacyContent::Export(LOG.name) }],
            ..LegacyRun::default()
        })
    }))
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
