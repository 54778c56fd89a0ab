//! Where a tournament comes from: a file, a command line, or its own folder.

use super::Args;
use crate::bots;
use crate::failure::Failure;
use crate::games;
use crate::match_args;
use palestra_core::limits;
use palestra_league::event::Identity;
use palestra_league::plan::{self, PlanDraft, TournamentPlan};
use palestra_league::store;
use palestra_runner::{Level, read_text};
use std::path::{Path, PathBuf};

/// What is to be played, and where.
pub(super) struct Wanted {
    pub(super) folder: PathBuf,
    /// The plan's file, if it has one.
    pub(super) file: Option<PathBuf>,
    /// The plan and the bots; `None` is whatever the folder holds.
    pub(super) plan: Option<(TournamentPlan, Bots)>,
    /// Whether the seed was asked for.
    pub(super) seeded: bool,
    pub(super) parallel: Option<usize>,
    pub(super) sandbox: Option<Level>,
    /// The queue that the plan names.
    pub(super) queue: Option<String>,
}

pub(super) fn wanted(args: &Args) -> Result<Wanted, Failure> {
    match &args.what[..] {
        [folder] if store::holds_log(Path::new(folder)) => Ok(Wanted {
            folder: folder.into(),
            file: None,
            plan: None,
            seeded: false,
            parallel: args.pool.parallel,
            sandbox: None,
            queue: None,
        }),
        [file] if games::by_id(file).is_none() => from_file(args, Path::new(file)),
        [game, bots @ ..] => from_words(args, game, bots),
        [] => Err(Failure::usage("name a plan such as cup.toml, or a game and its bots")),
    }
}

fn from_file(args: &Args, file: &Path) -> Result<Wanted, Failure> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let home = args.dir.clone().unwrap_or_else(|| PathBuf::from(file.file_stem().unwrap_or_default()));
    finish(args, draft_of(file)?, folder, home, Some(file))
}

/// The quick form is a plan like any other.
fn from_words(args: &Args, game: &str, bots: &[String]) -> Result<Wanted, Failure> {
    games::find(game)?;
    let (quick, maps) = (&args.quick, &args.quick.maps);
    let mut plan = toml::Table::new();
    plan.insert("game".to_owned(), game.into());
    let list = |items: &[String]| toml::Value::from(items.to_vec());
    plan.insert("bots".to_owned(), list(bots));
    if !maps.map.is_empty() {
        plan.insert("maps".to_owned(), list(&maps.map));
    }
    if let Some(seed) = maps.seed {
        let seed = i64::try_from(seed).map_err(|_| Failure::usage("--seed is too large"))?;
        plan.insert("seed".to_owned(), seed.into());
    }
    if let Some(time) = maps.game.time {
        plan.insert("time".to_owned(), time.to_string().into());
    }
    let settings: toml::Table =
        maps.game.settings.iter().map(|(key, value)| (key.clone(), value.clone().into())).collect();
    plan.insert("settings".to_owned(), settings.into());
    let mut stage = toml::Table::new();
    if let Some(format) = &quick.format {
        stage.insert("format".to_owned(), format.clone().into());
    }
    let numbers = [("seats", quick.seats), ("rounds", quick.rounds), ("repeats", quick.repeats)];
    for (key, number) in numbers {
        if let Some(number) = number {
            stage.insert(key.to_owned(), i64::from(number).into());
        }
    }
    plan.insert("stage".to_owned(), toml::Value::Array(vec![stage.into()]));
    let text = toml::to_string(&plan).map_err(Failure::usage)?;
    let draft = read(&text).map_err(|error| Failure::usage(error.message))?;
    let home = args.dir.clone().unwrap_or_else(|| PathBuf::from(format!("{game}-cup")));
    finish(args, draft, Path::new(""), home, None)
}

fn read(text: &str) -> Result<PlanDraft, plan::PlanError> {
    let find = |name: &str| games::find(name).map_err(|failure| failure.to_string());
    plan::read(text, find, match_args::new_seed())
}

/// By name.
type Bots = Vec<(String, Identity)>;

/// The plan in a file, its bots, and whether it names a seed.
pub(super) fn read_file(file: &Path) -> Result<(TournamentPlan, Bots, bool), Failure> {
    let draft = draft_of(file)?;
    let seeded = draft.seeded;
    let (plan, bots) = settle(draft, file.parent().unwrap_or(Path::new("")), Some(file))?;
    Ok((plan, bots, seeded))
}

fn draft_of(file: &Path) -> Result<PlanDraft, Failure> {
    let text = read_text(file, limits::CONFIG_BYTES)?;
    read(&text).map_err(|error| Failure::input(format!("{}, {error}", file.display())))
}

fn finish(
    args: &Args,
    draft: PlanDraft,
    folder: &Path,
    home: PathBuf,
    file: Option<&Path>,
) -> Result<Wanted, Failure> {
    let (seeded, parallel, sandbox, queue) =
        (draft.seeded, draft.parallel, draft.sandbox, draft.queue.clone());
    let plan = settle(draft, folder, file)?;
    Ok(Wanted {
        folder: home,
        file: file.map(Path::to_owned),
        plan: Some(plan),
        seeded,
        parallel: args.pool.parallel.or(parallel),
        sandbox,
        queue,
    })
}

/// The plan with the texts of its maps, and its bots.
fn settle(draft: PlanDraft, folder: &Path, file: Option<&Path>) -> Result<(TournamentPlan, Bots), Failure> {
    let mut plan = draft.plan;
    let game = games::find(&plan.game)?;
    if !draft.maps.is_empty() {
        let read = |(map, line): &(String, usize)| {
            bots::read_map(game, map, folder).map_err(|failure| match file {
                Some(file) => Failure::input(format!("{}, line {line}: maps: {failure}", file.display())),
                None => failure,
            })
        };
        plan.maps = draft.maps.iter().map(read).collect::<Result<_, _>>()?;
    }
    let bots = draft.bots.into_iter().map(|(name, source, _)| (name, bots::identify(game, &source, folder)));
    Ok((plan, bots.collect()))
}
