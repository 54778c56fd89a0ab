//! The configuration of one match: words with white space between them.

use super::outputs;
use crate::Auralux;
use crate::map::shortened;
use crate::settings::Settings;
use palestra_core::legacy::{LegacyBot, LegacyRun};
use palestra_core::settings::with_changes;
use palestra_core::{BotSeat, Game as _, Seat, SetupError, limits};

pub(super) const OPTIONS: &[&str] =
    &["MAP", "PLAYER", "MAX_STEPS", "LOG_DIR", "TMP_DIR", "DISABLE_VISUALIZER_LOG"];

/// Reads it.
pub(super) fn read(text: &str) -> Result<LegacyRun, SetupError> {
    let mut words = text.split_ascii_whitespace();
    let mut map = None;
    let mut steps = None;
    let mut log_dir = None;
    let mut tmp_dir = None;
    let mut quiet = None;
    let mut bots = Vec::new();
    while let Some(option) = words.next() {
        let mut value = |what: &str| {
            words.next().map(str::to_owned).ok_or_else(|| {
                SetupError::new(format!("the configuration ends where {what} of {option} should be"))
            })
        };
        match option {
            "MAP" => set(&mut map, option, value("the path")?)?,
            "MAX_STEPS" => set(&mut steps, option, value("the number")?)?,
            "LOG_DIR" => set(&mut log_dir, option, value("the folder")?)?,
            "TMP_DIR" => set(&mut tmp_dir, option, value("the folder")?)?,
            "DISABLE_VISUALIZER_LOG" => set(&mut quiet, option, String::new())?,
            "PLAYER" => {
                let kind = value("the kind")?;
                let name = value("the name or path")?;
                bots.push(bot(&kind, &name)?);
            }
            other => {
                return Err(SetupError::new(format!(
                    "the configuration has no option \"{}\"; it has {}",
                    shortened(other),
                    OPTIONS.join(", ")
                )));
            }
        }
    }
    let Some(map) = map else {
        return Err(SetupError::new("the configuration names no map; write MAP and the path of one"));
    };
    if bots.is_empty() || bots.len() > limits::SEATS {
        return Err(SetupError::new(format!(
            "the configuration has {} players; write one PLAYER for each start planet of the map",
            bots.len()
        )));
    }
    let settings: Vec<(String, String)> =
        steps.map(|steps| ("max_steps".to_owned(), steps)).into_iter().collect();
    with_changes::<Settings>(&settings)
        .map_err(|error| SetupError::new(format!("MAX_STEPS of the configuration is wrong: {error}")))?;
    let programs = bots.iter().any(|bot| matches!(bot, LegacyBot::Program(_)));
    let work_dir = tmp_dir.unwrap_or_else(|| "tmp/self_run".to_owned());
    Ok(LegacyRun {
        map: Some(map),
        bots,
        settings,
        work_dir: programs.then_some(work_dir),
        outputs: outputs(log_dir.as_deref().unwrap_or("logs"), quiet.is_none()),
        ..LegacyRun::default()
    })
}

/// A player: `DEFAULT name` or `PROCESS path`.
pub(super) fn bot(kind: &str, name: &str) -> Result<LegacyBot, SetupError> {
    match kind {
        "PROCESS" => Ok(LegacyBot::Program(name.to_owned())),
        "DEFAULT" => {
            check_built_in(name)?;
            Ok(LegacyBot::BuiltIn(name.to_owned()))
        }
        other => Err(SetupError::new(format!(
            "a player is \"{}\" {}; write DEFAULT and a built-in player's name, or PROCESS and a path",
            shortened(other),
            shortened(name)
        ))),
    }
}

/// Sets an option that may be given once.
pub(super) fn set(slot: &mut Option<String>, option: &str, value: String) -> Result<(), SetupError> {
    if slot.replace(value).is_some() {
        return Err(SetupError::new(format!("the configuration has {option} twice; leave one of them out")));
    }
    Ok(())
}

fn check_built_in(name: &str) -> Result<(), SetupError> {
    let (base, argument) = match name.split_once(':') {
        Some((base, argument)) => (base, Some(argument)),
        None => (name, None),
    };
    let found =
        Auralux::BUILT_INS.iter().find(|built_in| built_in.name == base || built_in.aliases.contains(&base));
    let Some(built_in) = found else {
        let names: Vec<&str> = Auralux::BUILT_INS.iter().map(|built_in| built_in.name).collect();
        return Err(SetupError::new(format!(
            "there is no built-in player \"{}\"; there are {}",
            shortened(base),
            names.join(", ")
        )));
    };
    let trial = BotSeat { seat: Seat::new(1), seed: 0, argument };
    (built_in.make)(trial)
        .map(drop)
        .map_err(|why| SetupError::new(format!("the built-in player {base} cannot play: {why}")))
}
