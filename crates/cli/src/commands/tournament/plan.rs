//! Where a tournament comes from: a file, a command line, or its own folder.

use super::Args;
use crate::bots;
use crate::failure::Failure;
use crate::games;
use crate::match_args;
use palestra_core::{AnyGame, limits};
use palestra_league::event::Identity;
use palestra_league::plan::{self, PlanDraft, QuickPlan, TournamentPlan};
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
    let plan = QuickPlan {
        game,
        bots,
        maps: &maps.map,
        seed: maps.seed,
        time: maps.game.time,
        settings: &maps.game.settings,
        format: quick.format.as_deref(),
        seats: quick.seats,
        rounds: quick.rounds,
        repeats: quick.repeats,
    };
    let draft = plan.read(find, match_args::new_seed()).map_err(Failure::usage)?;
    let home = args.dir.clone().unwrap_or_else(|| PathBuf::from(format!("{game}-cup")));
    finish(args, draft, Path::new(""), home, None)
}

fn find(name: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(name).map_err(|failure| failure.to_string())
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
    plan::read(&text, find, match_args::new_seed())
        .map_err(|error| Failure::input(format!("{}, {error}", file.display())))
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
