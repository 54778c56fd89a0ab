//! `palestra tournament recover`: a log from what is left of a lost or damaged one, and from the replays.

use super::admin::Folder;
use super::plan;
use crate::console;
use crate::failure::Failure;
use crate::games;
use crate::report::counted;
use palestra_league::event::{Event, opening};
use palestra_league::recover;
use palestra_league::store::{Store, StoreError, salvage};
use palestra_league::tournament::Tournament;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to recover.
#[derive(clap::Args)]
pub(super) struct Recover {
    /// The tournament's plan, in case its log has lost it
    plan: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

/// What the rows of a log tell.
enum Told {
    Tournament,
    Ladder,
    /// Not enough to go on with: the plan, or one of the bots, is missing.
    TooLittle,
}

pub(super) fn run(args: &Recover) -> Result<ExitCode, Failure> {
    let folder = args.folder.path_or(args.plan.as_deref())?;
    match Store::open_existing(&folder) {
        Ok(store) => {
            let how = if store.was_rebuilt() { "whole; its indexes were made again" } else { "whole" };
            console::print(&format!("the log of {} is {how}\n", folder.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        Err(StoreError::Lost { .. } | StoreError::Damaged { .. } | StoreError::Log { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let saved = salvage(&folder)?;
    let told = told(saved.events());
    let missing = saved.missing;
    let (ladder, kept) = match (told, &args.plan) {
        (Told::Ladder, _) => (true, saved.keep()?),
        (Told::Tournament, None) => (false, saved.keep()?),
        (_, Some(file)) => {
            let (mut plan, bots, seeded) = plan::read_file(file)?;
            if !seeded {
                plan.seed = seed_of(&folder).ok_or_else(|| {
                    Failure::usage(format!(
                        "{} names no seed, and no report in {} tells it; write the seed of the tournament into the plan",
                        file.display(),
                        folder.display()
                    ))
                })?;
            }
            (false, saved.keep_instead(&opening(&plan, &bots))?)
        }
        (Told::TooLittle, None) => {
            let folder = folder.display();
            return Err(Failure::usage(format!(
                "the log of {folder} does not tell its plan any more; name it: palestra tournament recover cup.toml --dir \
                 {folder}"
            )));
        }
    };
    if missing > 0 {
        console::remark(&format!("{} of the log could not be read", counted(missing, "row")));
    }
    if let Some(kept) = kept {
        console::remark(&format!("what was left of the log is kept as {}", kept.display()));
    }
    if ladder {
        console::print(&format!("the ladder in {} goes on with what was left\n", folder.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    from_replays(&folder, args.plan.is_some())
}

fn from_replays(folder: &Path, anew: bool) -> Result<ExitCode, Failure> {
    let mut store = Store::open(folder)?;
    let tournament = Tournament::open(&mut store, &mut Vec::new())?;
    let game = games::find(&tournament.plan().game)?;
    let found = recover::results(&mut store, game)?;
    if found.unsound > 0 {
        console::remark(&format!("replays that do not hold, and count for nothing: {}", found.unsound));
    }
    if anew {
        console::remark(
            "corrections (void, drop-bot and so on) are not in replays, and have to be made again",
        );
    }
    let tournament = Tournament::open(&mut store, &mut Vec::new())?;
    let progress = tournament.progress();
    console::print(&format!(
        "{}: {} from replays, {} of {} there\n",
        folder.display(),
        counted(found.matches.into(), "result"),
        progress.finished,
        counted(progress.planned, "match")
    ))?;
    if !tournament.over() {
        console::remark(&format!(
            "there are matches to play; go on with palestra tournament {}",
            folder.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn told(events: impl Iterator<Item = Event>) -> Told {
    let (mut told, mut bots) = (Told::TooLittle, 0);
    for event in events {
        match event {
            Event::Opened { .. } => told = Told::Tournament,
            Event::LadderOpened { .. } => told = Told::Ladder,
            // A number that is left out belonged to somebody who is lost.
            Event::BotAdded { bot, .. } if bot.0 == bots => bots += 1,
            Event::BotAdded { .. } => return Told::TooLittle,
            _ => {}
        }
    }
    told
}

/// The seed that the tournament's report tells.
fn seed_of(folder: &Path) -> Option<u64> {
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("tournament.json")).ok()?).ok()?;
    report["seed"].as_u64()
}
