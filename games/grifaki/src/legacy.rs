//! The original program's own files: `game_config.json`, `launch_options.json`, and its log.

mod log;

use crate::Grifaki;
use crate::settings::Settings;
use palestra_core::fault::printable;
use palestra_core::legacy::{
    ConfigFile, Export, Legacy, LegacyBot, LegacyConfig, LegacyContent, LegacyLiveLog, LegacyOutput,
    LegacyRun, LiveExport, TestCase,
};
use palestra_core::replay::TypedReplay;
use palestra_core::settings::Settings as _;
use palestra_core::{ReplayError, Seat, SetupError, limits};
use serde_json::{Map as Object, Value};
use std::io;
use std::time::Duration;

use log::RuntimeLog;

/// The original program's log.
const LOG: Export = Export {
    name: "log",
    file: "runtimeLog.log",
    summary: "the course of the run: every action, what was not allowed, who fell out, the result",
};

/// The file that names the bots.
const LAUNCH_OPTIONS: &str = "launch_options.json";
const GAME_CONFIG: &str = "game_config.json";
/// Something is printed every so many ticks.
const LINE_EVERY: u32 = 100;
/// The seed of the map when `game_config.json` has none.
const RAND_SEED: u64 = 11;
/// Keys of `launch_options.json`.
const PLAYER_LINKS: &str = "player_links";
const TIME_BARRIER: &str = "time_barrier";
/// The longest time between two ticks, in milliseconds.
const LONGEST_BARRIER: u64 = 60_000;
/// Where the recording of a run goes.
const RECORDING: &str = "recording.replay";
/// Keys that many a file of another kind has too: alone they do not make a text a `game_config.json`.
const EVERYDAY_KEYS: [&str; 3] = ["width", "height", "map"];

impl Legacy for Grifaki {
    const EXPORTS: &'static [Export] = &[LOG];
    const CONFIG_FILES: &'static [&'static str] = &[LAUNCH_OPTIONS];

    /// Reads either file, together with the other one beside it. `None` if the text is something else.
    fn read_config(config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        let object = match read_object(config.text) {
            Ok(object) => object,
            // A slip of the pen in a file that is plainly ours is worth a sentence.
            Err(why) if config.text.contains(&format!("\"{PLAYER_LINKS}\"")) => {
                return Some(Err(not_readable(LAUNCH_OPTIONS, &why)));
            }
            Err(_) => return None,
        };
        let has = |key: &str| object.contains_key(key);
        let launch_beside = (config.beside)(LAUNCH_OPTIONS);
        let run = if has(PLAYER_LINKS) || has(TIME_BARRIER) {
            let game = (config.beside)(GAME_CONFIG);
            let game = game.map(|text| read_object(&text).map_err(|why| not_readable(GAME_CONFIG, &why)));
            game.transpose().and_then(|game| read_run(&object, &game.unwrap_or_default()))
        } else if Settings::docs()
            .iter()
            .any(|doc| has(doc.key) && (launch_beside.is_some() || !EVERYDAY_KEYS.contains(&doc.key)))
        {
            read_launch(launch_beside).and_then(|launch| read_run(&launch, &object))
        } else {
            return None;
        };
        Some(run.map(LegacyConfig::Run))
    }

    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        palestra_grid::read_test(text, |words| words.word("a cell").map(drop))
    }

    fn export(
        _: &str,
        recording: &TypedReplay<'_, Grifaki>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        RuntimeLog::new(recording)?.write(recording.replay, out)
    }

    fn live_export(
        format: &str,
        recording: &TypedReplay<'_, Grifaki>,
    ) -> Result<Option<Box<dyn LiveExport>>, ReplayError> {
        if format == LOG.name { Ok(Some(Box::new(RuntimeLog::new(recording)?))) } else { Ok(None) }
    }
}

fn read_launch(text: Option<String>) -> Result<Object<String, Value>, SetupError> {
    let Some(text) = text else {
        return Err(SetupError::new(format!(
            "{GAME_CONFIG} does not say who plays; put a {LAUNCH_OPTIONS} with {PLAYER_LINKS} into the same folder"
        )));
    };
    read_object(&text).map_err(|why| not_readable(LAUNCH_OPTIONS, &why))
}

fn read_run(launch: &Object<String, Value>, game: &Object<String, Value>) -> Result<LegacyRun, SetupError> {
    let bots = read_launch_options(launch)?;
    let outputs = Seat::all(bots.len() as u8)
        .map(|seat| LegacyOutput {
            path: format!("player_{seat}_stderr.log"),
            content: LegacyContent::Stderr(seat),
        })
        .collect();
    Ok(LegacyRun {
        bots,
        settings: read_game_config(game)?,
        beside_config: true,
        line_every: Some(LINE_EVERY),
        shown: true,
        pace: launch.get(TIME_BARRIER).and_then(Value::as_u64).map(Duration::from_millis),
        recording: Some(RECORDING.to_owned()),
        live_logs: vec![LegacyLiveLog { path: LOG.file.to_owned(), format: LOG.name }],
        outputs,
        ..LegacyRun::default()
    })
}

fn read_launch_options(options: &Object<String, Value>) -> Result<Vec<LegacyBot>, SetupError> {
    let error = |what: String| SetupError::new(format!("{LAUNCH_OPTIONS}: {what}"));
    for (key, value) in options.iter().filter(|(key, _)| !is_comment(key)) {
        match key.as_str() {
            PLAYER_LINKS => {}
            TIME_BARRIER if value.as_u64().is_some_and(|time| time <= LONGEST_BARRIER) => {}
            TIME_BARRIER => {
                return Err(error(format!(
                    "{TIME_BARRIER} must be a whole number of milliseconds, at most {LONGEST_BARRIER}"
                )));
            }
            other => {
                return Err(error(format!(
                    "there is no key {}; there are {PLAYER_LINKS} and {TIME_BARRIER}",
                    printable(other.as_bytes())
                )));
            }
        }
    }
    let links = options.get(PLAYER_LINKS).and_then(Value::as_array).ok_or_else(|| {
        error(format!("{PLAYER_LINKS} must be a list with the path of a bot for each player"))
    })?;
    if !(2..=limits::SEATS).contains(&links.len()) {
        return Err(error(format!(
            "{PLAYER_LINKS} has {} bots, and must have 2 to {}",
            links.len(),
            limits::SEATS
        )));
    }
    let bots = links.iter().enumerate().map(|(index, link)| match link.as_str() {
        Some(path) if !path.trim().is_empty() => Ok(LegacyBot::Program(path.to_owned())),
        _ => Err(error(format!("{PLAYER_LINKS} has no path for player {}", index + 1))),
    });
    bots.collect()
}

fn read_game_config(config: &Object<String, Value>) -> Result<Vec<(String, String)>, SetupError> {
    let docs = Settings::docs();
    let mut settings = Vec::new();
    for (key, value) in config.iter().filter(|(key, _)| !is_comment(key)) {
        if !docs.iter().any(|doc| doc.key == key) {
            let keys: Vec<&str> = docs.iter().map(|doc| doc.key).collect();
            return Err(SetupError::new(format!(
                "{GAME_CONFIG}: there is no key {}; there are {}",
                printable(key.as_bytes()),
                keys.join(", ")
            )));
        }
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        settings.push((key.clone(), text));
    }
    if !config.contains_key("rand_seed") {
        settings.push(("rand_seed".to_owned(), RAND_SEED.to_string()));
    }
    palestra_core::settings::with_changes::<Settings>(&settings)
        .map_err(|error| SetupError::new(format!("{GAME_CONFIG}: {error}")))?;
    Ok(settings)
}

fn is_comment(key: &str) -> bool {
    key.starts_with("__")
}

fn not_readable(file: &str, why: &str) -> SetupError {
    SetupError::new(format!("{file} is no readable JSON object: {why}"))
}

/// A JSON object whose fractions are texts, so that they keep every digit they were written with.
fn read_object(text: &str) -> Result<Object<String, Value>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match serde_json::from_str(&quote_fractions(text)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("it is another kind of value".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Puts numbers with a point or an exponent into quotation marks.
fn quote_fractions(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest),
            '-' | '0'..='9' => {
                let end = |c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9');
                rest.find(end).unwrap_or(rest.len())
            }
            other => other.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let fraction = first != '"' && token.len() > 1 && token.contains(['.', 'e', 'E']);
        for part in if fraction { ["\"", token, "\""] } else { ["", token, ""] } {
            quoted.push_str(part);
        }
        rest = after;
    }
    quoted
}

/// The length of the string literal that a text begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
