//! `palestra tournament`: plans, plays and corrects a tournament.

mod admin;
mod plan;
mod play;
mod recover;

use crate::bots::{MapArgs, PoolArgs};
use crate::failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play a tournament: round robin, free for all, Swiss, knockout, gauntlet, in stages
///
/// The plan is a file, or a game and its bots on the command line. Everything is kept in one folder; stop it whenever you
/// like, start the same command again, and it goes on where it was.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
For example:
  palestra tournament cup.toml                            what the file plans; see docs/tournaments.md
  palestra tournament generals hunter greedy ./mybot.py   a round robin, in the folder generals-cup
  palestra tournament auralux a.py b.py c.cpp d --format tables --seats 4 --rounds 50
  palestra tournament cup                                 go on with the tournament in the folder cup
  palestra tournament standings --dir cup
  palestra tournament void 17 --dir cup --why \"the power went out\"

Exit codes: 0 everything was played, 1 some matches could not be played, 2 usage, 3 bad input file,
4 a bot does not start or compile.")]
pub(crate) struct Args {
    /// A plan (cup.toml), a tournament's folder, or a game and its bots
    #[arg(required = true)]
    what: Vec<String>,
    #[command(subcommand)]
    command: Option<Command>,
    /// The tournament's folder [default: the plan's name without its ending, or GAME-cup]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    quick: Quick,
    /// Go on without bots that do not start or compile
    #[arg(long)]
    without_broken: bool,
    #[command(flatten)]
    pool: PoolArgs,
}

/// The plan of a tournament on the command line.
#[derive(clap::Args)]
struct Quick {
    /// round-robin, tables, swiss, knockout or double-knockout
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Bots in one match [default: 2; 4 for tables]
    #[arg(long, value_name = "N")]
    seats: Option<u32>,
    /// Rounds, for tables and swiss
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// How often everything is played
    #[arg(long, value_name = "N")]
    repeats: Option<u32>,
    #[command(flatten)]
    maps: MapArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    /// How far it has come
    Status(admin::Look),
    /// How it stands
    Standings(admin::Look),
    /// The matches that were played
    Matches(admin::Matches),
    /// Write the replay of a match to a file
    Replay(admin::Replay),
    /// Write the report as HTML, CSV and JSON into the tournament's folder
    Export(admin::Folder),
    /// Take matches out of the count
    Void(admin::Void),
    /// Have matches played again; what they brought before does not count
    Rerun(admin::Rerun),
    /// Let another bot take part
    AddBot(admin::NewBot),
    /// Let another program play under a bot's name from now on
    ReplaceBot(admin::NewBot),
    /// Let a bot take part no longer
    DropBot(admin::DropBot),
    /// Make a lost or damaged log again from what is left of it, and from the replays
    Recover(recover::Recover),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        None => play::run(args),
        Some(Command::Status(look)) => admin::status(look),
        Some(Command::Standings(look)) => admin::standings(look),
        Some(Command::Matches(matches)) => admin::matches(matches),
        Some(Command::Replay(replay)) => admin::replay(replay),
        Some(Command::Export(folder)) => admin::export(folder),
        Some(Command::Void(void)) => admin::void(void),
        Some(Command::Rerun(rerun)) => admin::rerun(rerun),
        Some(Command::AddBot(bot)) => admin::add_bot(bot),
        Some(Command::ReplaceBot(bot)) => admin::replace_bot(bot),
        Some(Command::DropBot(bot)) => admin::drop_bot(bot),
        Some(Command::Recover(args)) => recover::run(args),
    }
}
