//! The bots of a field: made ready before the first match, recognised when a tournament goes on.

use crate::console;
use crate::failure::Failure;
use crate::match_args::{self, GameArgs, GuardArgs, HUMAN};
use crate::queue::{self, QueueArgs};
use palestra_arena::workshop::pack;
use palestra_core::{AnyGame, EntrantKind};
use palestra_league::bundle::fingerprint;
use palestra_league::event::Identity;
use palestra_league::match_runner::MatchRunner;
use palestra_league::pairing::BotNumber;
use palestra_league::plan::Map;
use palestra_league::store;
use palestra_queue::Field;
use palestra_runner::{Bot, Cores, Guard, Workshop, read_bytes};
use std::path::{Path, PathBuf};

/// How the matches of a field are set up.
#[derive(clap::Args)]
pub(crate) struct MapArgs {
    /// A map: a file, or the name of one that ships; can be given several times [default: a new one every time]
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Vec<String>,
    /// Decides everything left to chance
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

impl MapArgs {
    /// The maps; the settings are checked on the way.
    pub(crate) fn maps(&self, game: &dyn AnyGame) -> Result<Vec<Map>, Failure> {
        self.game.check(game)?;
        if self.map.is_empty() {
            return Ok(vec![Map::Fresh]);
        }
        self.map.iter().map(|name| read_map(game, name, Path::new(""))).collect()
    }
}

/// How matches are played side by side, and how that is told.
#[derive(clap::Args)]
pub(crate) struct PoolArgs {
    /// Matches at the same time on this machine, 1 to 1024, or 0 with --queue [default: one for each core]
    #[arg(long, value_name = "N", value_parser = parallel)]
    pub(crate) parallel: Option<usize>,
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
    #[command(flatten)]
    pub(crate) guard: GuardArgs,
    /// Print exactly one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

impl PoolArgs {
    /// Whether progress is not wanted.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet || self.json
    }
}

fn parallel(text: &str) -> Result<usize, String> {
    let most = palestra_league::limits::PARALLEL;
    match text.parse() {
        Ok(number) if (0..=most).contains(&number) => Ok(number),
        _ => Err(format!("write a number from 0 to {most}")),
    }
}

/// A map that ships, or a file in this folder.
pub(crate) fn read_map(game: &dyn AnyGame, name: &str, folder: &Path) -> Result<Map, Failure> {
    let (_, text) = match_args::read_map(game, name.as_ref(), folder)?;
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(Map::Text { name: stem.unwrap_or_else(|| name.to_owned()), text })
}

/// The folder that is meant: this one, or the only one here.
pub(crate) fn folder(dir: Option<&Path>, what: &str) -> Result<PathBuf, Failure> {
    if let Some(dir) = dir {
        return Ok(dir.to_owned());
    }
    let here = Path::new(".");
    let inside = std::fs::read_dir(here)?.flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        std::iter::once(here.to_owned()).chain(inside).filter(|folder| store::holds_log(folder)).collect();
    match (found.pop(), found.len()) {
        (Some(folder), 0) => Ok(folder),
        (None, _) => Err(Failure::usage(format!("there is no {what} here; say where it is with --dir"))),
        (Some(_), _) => Err(Failure::usage("there are several here; choose one with --dir")),
    }
}

/// What a bot is: paths are meant from this folder, and kept so that they can be found from anywhere.
pub(crate) fn identify(game: &dyn AnyGame, source: &str, folder: &Path) -> Identity {
    let built_in = game.built_ins().iter().any(|built_in| built_in.answers_to(source));
    let file = folder.join(source);
    if built_in || !(file.is_file() || file.is_dir()) {
        return Identity { source: source.to_owned(), fingerprint: None };
    }
    let path = file.canonicalize().unwrap_or(file);
    // Of a folder what would be handed in counts, and not what tools leave in it.
    let bytes = match path.is_dir() {
        true => pack(&path).ok().map(|(_, bytes)| bytes),
        false => read_bytes(&path, palestra_league::limits::PROGRAM_BYTES).ok(),
    };
    Identity { source: path.display().to_string(), fingerprint: bytes.map(|bytes| fingerprint(&bytes)) }
}

/// Makes a bot ready: compiles it if need be.
pub(crate) fn make_ready(
    game: &dyn AnyGame,
    identity: &Identity,
    guard: &Guard,
    quiet: bool,
) -> Result<Bot, Failure> {
    if identity.source == HUMAN {
        return Err(Failure::usage("a human can only take a seat in palestra play"));
    }
    let mut tell = |text: &str| {
        if !quiet {
            console::remark(text);
        }
    };
    Ok(Workshop::open(guard)?.bot(game, &identity.source, &mut tell)?)
}

/// Makes a bot ready, enters it and lets it answer once; says why it cannot. Where nothing is played here, that is left to
/// the workers.
pub(crate) fn prepare(
    runner: &MatchRunner<'_>,
    field: Option<&Field<'_>>,
    (player, name): (BotNumber, &str),
    identity: &Identity,
    seats: u8,
    places: &[Cores],
    quiet: bool,
) -> Result<(), String> {
    if let Some(field) = field {
        queue::enter(field, runner.game, (player, name), identity, !places.is_empty())?;
    }
    let Some(cores) = places.first() else {
        return Ok(());
    };
    let bot =
        make_ready(runner.game, identity, runner.guard, quiet).map_err(|failure| failure.to_string())?;
    let built_in = bot.entrant.kind == EntrantKind::BuiltIn;
    runner.enter(player, name.to_owned(), bot);
    if built_in { Ok(()) } else { runner.try_out(player, seats, cores) }
}
