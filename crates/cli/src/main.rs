//! The `palestra` program: joins the games to the runner and gives both a command line.

mod arena_client;
mod bots;
mod bracket;
mod browser;
mod commands;
#[cfg(test)]
mod conformance;
mod console;
mod course_progress;
mod failure;
mod language;
mod live;
mod match_args;
mod match_server;
mod palette;
mod progress;
mod queue;
mod queue_address;
mod report;
mod shell;
mod signals;
mod standings;
mod status;
mod system;
#[cfg(target_os = "linux")]
mod zoo;

use clap::{Parser, Subcommand};
use palestra_games as games;
use std::process::ExitCode;

/// The place where programs meet: bots for turn-based strategy games play matches against each other.
#[derive(Parser)]
#[command(name = "palestra", version, max_term_width = 110)]
#[command(after_help = "\
First steps:
  palestra games                                  which games there are
  palestra learn generals                         a course of small steps to your first bot
  palestra play generals hunter greedy --watch    watch two built-in players in the browser
  palestra play generals human greedy             play against one yourself
  palestra new generals --language python mybot   a first bot of your own, in a folder
  palestra play generals greedy mybot             try it: a folder, a source file, a program, or \"a command\"
  palestra check generals mybot                   does it keep to the protocol, the time and the rules?")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(commands::games::Args),
    New(commands::new::Args),
    Play(commands::play::Args),
    Learn(commands::learn::Args),
    Run(commands::run::Args),
    Duel(commands::duel::Args),
    Tournament(commands::tournament::Args),
    Ladder(commands::ladder::Args),
    Worker(commands::worker::Args),
    Serve(commands::serve::Args),
    #[command(subcommand)]
    Event(commands::event::Command),
    Connect(commands::connect::Args),
    Submit(commands::submit::Args),
    Map(commands::map::Args),
    #[command(subcommand)]
    Replay(commands::replay::Command),
    View(commands::view::Args),
    Judge(commands::judge::Args),
    Check(commands::check::Args),
    Drive(commands::drive::Args),
    #[command(subcommand)]
    Bench(commands::bench::Command),
    Doctor(commands::doctor::Args),
    Completions(commands::completions::Args),
}

fn main() -> ExitCode {
    // A sandbox begins as another process of this program.
    palestra_runner::sandbox::cell_main();
    let cli = Cli::parse();
    palestra_runner::adopt_strays();
    let done = match cli.command {
        Command::Games(args) => commands::games::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Learn(args) => commands::learn::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Duel(args) => commands::duel::run(&args),
        Command::Ladder(args) => commands::ladder::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Worker(args) => commands::worker::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Event(command) => commands::event::run(&command),
        Command::Connect(args) => commands::connect::run(&args),
        Command::Submit(args) => commands::submit::run(&args),
        Command::Map(args) => commands::map::run(&args),
        Command::Replay(command) => commands::replay::run(&command),
        Command::View(args) => commands::view::run(&args),
        Command::Judge(args) => commands::judge::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Drive(args) => commands::drive::run(&args),
        Command::Bench(command) => commands::bench::run(&command),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Completions(args) => commands::completions::run::<Cli>(&args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => failure.tell(),
    }
}
