//! `palestra map`: makes a map.

use crate::console;
use crate::failure::Failure;
use crate::games;
use crate::match_args;
use palestra_runner::write_atomically;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a map and write it to standard output
///
/// What the numbers mean depends on the game: rows, columns and players for generals. The same seed makes the same
/// map.
#[derive(clap::Args)]
#[command(after_help = "For example: palestra map generals 20 20 2 --seed 7 > map.txt")]
pub(crate) struct Args {
    /// The game
    game: String,
    /// The numbers its generator asks for
    #[arg(required = true)]
    numbers: Vec<u32>,
    /// Makes it repeatable; chosen and shown unless given
    #[arg(long)]
    seed: Option<u64>,
    /// Changes a setting of the generator, e.g. --set map_city_percent=5
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = match_args::key_value)]
    settings: Vec<(String, String)>,
    /// Write to this file instead
    #[arg(long, short)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    let seed = args.seed.unwrap_or_else(match_args::new_seed);
    let map = game.generate(&args.settings, &args.numbers, seed).map_err(Failure::usage)?;
    match &args.out {
        Some(path) => write_atomically(path, |file| file.write_all(map.as_bytes()))?,
        None => console::print(&map)?,
    }
    if args.seed.is_none() {
        console::remark(&format!("seed {seed}"));
    }
    Ok(ExitCode::SUCCESS)
}
