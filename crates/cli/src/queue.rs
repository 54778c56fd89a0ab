//! What `--queue` means for the commands that play many matches: workers on other machines play too.

use crate::failure::Failure;
use crate::queue_address::QueueAddress;
use palestra_core::AnyGame;
use palestra_league::event::Identity;
use palestra_league::pairing::BotNumber;
use palestra_queue::{Address, DispatchOptions, Dispatcher, Field, PackError, PortableBot, is_name, new_run};
use palestra_runner::{Guard, Workshop};
use std::path::Path;

/// How workers on other machines take part.
#[derive(clap::Args)]
pub(crate) struct QueueArgs {
    #[command(flatten)]
    address: QueueAddress,
    /// The part of the workers' matches, 0 to 1, that a second worker plays too, to be compared: for bots that always
    /// answer the same
    #[arg(long, value_name = "SHARE", value_parser = share)]
    double_play: Option<f64>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("write a number from 0 to 1".to_owned()),
    }
}

impl QueueArgs {
    /// Connects, if that is wanted here or in a plan; `parallel` is how many matches are played on this machine.
    pub(crate) fn connect(
        &self,
        planned: Option<&str>,
        run: impl FnOnce() -> Result<String, Failure>,
        parallel: Option<usize>,
    ) -> Result<Option<Dispatcher>, Failure> {
        let planned = planned.map(str::parse::<Address>).transpose().map_err(Failure::usage)?;
        let Some(address) = self.address.settle(planned)? else {
            return match (self.double_play.is_some(), parallel) {
                (true, _) => Err(Failure::usage("there is no queue; say where it is with --queue")),
                (_, Some(0)) => Err(Failure::usage(
                    "with parallel 0 nothing is played here; say with --queue where workers find the matches",
                )),
                _ => Ok(None),
            };
        };
        let options = DispatchOptions {
            double_play: self.double_play.unwrap_or(0.0),
            give_back: parallel != Some(0),
            ..DispatchOptions::new(run()?)
        };
        Ok(Some(Dispatcher::connect(&address, options).map_err(Failure::usage)?))
    }
}

/// The file in a tournament's folder that says what it is called at queues.
const RUN: &str = "queue.run";

/// What the tournament in this folder is called at queues, whoever goes on with it.
pub(crate) fn run_of(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(RUN);
    if let Some(known) = std::fs::read_to_string(&path).ok().filter(|run| is_name(run)) {
        return Ok(known);
    }
    let run = new_run();
    palestra_runner::write_atomically(&path, |file| file.write_all(run.as_bytes()))?;
    Ok(run)
}

/// Lets a bot play elsewhere, if it can travel. `here` is whether matches are played on this machine too.
pub(crate) fn enter(
    field: &Field<'_>,
    game: &dyn AnyGame,
    (player, name): (BotNumber, &str),
    identity: &Identity,
    here: bool,
) -> Result<(), String> {
    let guard = Guard::off();
    let workshop = Workshop::open(&guard).map_err(|error| error.to_string())?;
    match PortableBot::new(game, &workshop, &identity.source) {
        Ok(bot) => field.enter(player, name.to_owned(), bot),
        Err(PackError::Command(_)) if here => field.keep_here(player),
        Err(error) if here => {
            crate::console::remark(&format!("{name} is played on this machine only: {error}"));
            field.keep_here(player);
        }
        Err(error) => return Err(format!("{error}; let it play on this machine, with --parallel 1 or more")),
    }
    Ok(())
}
