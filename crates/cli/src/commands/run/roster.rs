//! The programs that a contest's own configuration names, made ready once, however many matches they play.

use crate::console;
use crate::failure::Failure;
use palestra_core::legacy::{LegacyBot, LegacyRun};
use palestra_runner::{Bot, Delegate, Guard, Launch, MatchError, Workshop};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// By path, as the configuration writes it: how each is started, or `None` if it cannot be.
pub(super) struct Roster(BTreeMap<String, Option<Launch>>);

impl Roster {
    /// Makes all programs of these matches ready. One that is there and cannot be started is told of: its players are out,
    /// and the others play.
    pub(super) fn new<'a>(
        runs: impl Iterator<Item = &'a LegacyRun>,
        place: impl Fn(&LegacyRun, &str) -> PathBuf,
        guard: &Guard,
        quiet: bool,
    ) -> Result<Roster, Failure> {
        let workshop = Workshop::open(guard)?;
        let mut programs = BTreeMap::new();
        for run in runs {
            for bot in &run.bots {
                if let LegacyBot::Program(path) = bot
                    && !programs.contains_key(path)
                {
                    let launch = ready(&workshop, &place(run, path), path, guard, quiet)?;
                    programs.insert(path.clone(), launch);
                }
            }
        }
        Ok(Roster(programs))
    }

    /// The bots of a match by seat, programs in this folder.
    pub(super) fn bots(&self, run: &LegacyRun, dir: Option<&Path>) -> Vec<Bot> {
        let bot = |bot: &LegacyBot| match bot {
            LegacyBot::BuiltIn(name) => Bot::built_in(name),
            LegacyBot::Program(path) => match self.0.get(path).cloned().flatten() {
                None => Bot::absent(path),
                Some(launch) => Bot::program(path, Launch { dir: dir.map(Path::to_owned), ..launch }),
            },
        };
        run.bots.iter().map(bot).collect()
    }
}

/// How to start the program at this place. It is started for a moment: only then is it known that it can be.
fn ready(
    workshop: &Workshop<'_>,
    file: &Path,
    name: &str,
    guard: &Guard,
    quiet: bool,
) -> Result<Option<Launch>, Failure> {
    let mut tell = |text: &str| {
        if !quiet {
            console::remark(text);
        }
    };
    let why = match workshop.program(file, name, &mut tell) {
        Ok(launch) => match Delegate::start(name, &launch, guard) {
            Ok(_) => return Ok(Some(launch)),
            Err(error @ MatchError::Start { .. }) => error.to_string(),
            Err(error) => return Err(error.into()),
        },
        Err(error) if error.is_the_bots_own() => error.to_string(),
        Err(error) => return Err(error.into()),
    };
    let why = why.trim_end();
    console::remark(&format!("warning: {why}\n{name} is out before the first turn, and the others play"));
    Ok(None)
}
