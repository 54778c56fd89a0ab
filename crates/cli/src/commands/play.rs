//! `palestra play`: one match.

use crate::console;
use crate::failure::Failure;
use crate::games;
use crate::language;
use crate::match_args::{self, GuardArgs, MatchArgs};
use crate::match_server::{MatchServer, ServeArgs};
use crate::progress::Progress;
use crate::report::MatchReport;
use crate::shell;
use crate::signals;
use palestra_core::{AnyGame, Catalog, Match, Replay, Seat};
use palestra_runner::{
    Bot, Cores, Guard, Interrupt, Link, Options, Overheard, Played, Transcripts, Watch, play, write_replay,
};
use palestra_server::FeedPublisher;
use std::io::{IsTerminal as _, PipeWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Play a match and show its result
///
/// A bot is the name of a built-in player, a program, a source file (compiled if need be), a folder in which either is called
/// main, a quoted command line, or `human`: you, in the browser. Bots take the seats in the order given.
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra play generals hunter greedy --seed 7
  palestra play generals ./mybot.py \"java -jar other.jar\" --map duel --logs logs
  palestra play auralux mybot.cpp aggressive afk afk --set max_steps=2000 --json
  palestra play grifaki human mybot.cpp

If a bot runs out of time because this machine was too busy to let it run, the result says so, and the match can be played
again at once.

Exit codes: 0 the match was played, 2 usage, 3 bad input file, 4 a bot could not be started or compiled.")]
pub(crate) struct Args {
    /// The game
    game: String,
    /// The bots, by seat
    #[arg(required = true)]
    bots: Vec<String>,
    #[command(flatten)]
    setup: MatchArgs,
    #[command(flatten)]
    guard: GuardArgs,
    /// Show the match in the browser while it is played, and afterwards until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Seat the bots at random, by the seed
    #[arg(long)]
    shuffle: bool,
    /// Keep every bot's transcript and standard error in this folder
    #[arg(long, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// Write the replay to this file [default: a new file in the folder replays]
    #[arg(long, value_name = "FILE", conflicts_with = "no_replay")]
    replay: Option<PathBuf>,
    /// Write no replay
    #[arg(long)]
    no_replay: bool,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Tell reasons, faults and why a bot lost in this language: en, hu or ru
    #[arg(long, default_value = "en", value_parser = language::parse)]
    language: &'static str,
    #[command(flatten)]
    serve: ServeArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    let seed = args.setup.seed();
    let plan = args.setup.plan(game, args.bots.len(), seed)?;
    let mut names = args.bots.clone();
    if args.shuffle {
        match_args::seating(seed, &mut names);
    }
    let quiet = args.quiet || args.json;
    let guard = args.guard.guard()?;
    let timed = args.setup.game.time.is_some();
    // People take their time, unless somebody wants it otherwise.
    let mut lineup = match_args::lineup(game, &names, &guard, timed, quiet)?;
    let interrupt = signals::interrupt()?;
    let shown = args.watch || !lineup.people.is_empty();
    let match_server = shown.then(|| MatchServer::new(&args.serve, args.watch)).transpose()?;
    let runner = LocalMatch {
        cores: args.setup.cores.clone(),
        logs: args.logs.as_deref(),
        interrupt: &interrupt,
        quiet,
        line_every: None,
        match_server: match_server.as_ref(),
        guard: &guard,
    };
    let time = args.setup.game.time.unwrap_or(game.info().time);
    loop {
        let (start, links) = Bot::seat(lineup.bots, game, plan.clone(), time).map_err(Failure::usage)?;
        let played = runner.play(game, start, links, lineup.people, &mut ())?;
        let report = tell(args, game, &names, &played)?;
        if !report.machine_at_fault() || !wants_again(args, seed, &interrupt) {
            break;
        }
        lineup = match_args::lineup(game, &names, &guard, timed, quiet)?;
    }
    if let Some(match_server) = match_server {
        match_server.stay(&interrupt);
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the replay and tells the result of a match between these bots.
fn tell(
    args: &Args,
    game: &'static dyn AnyGame,
    bots: &[String],
    played: &Played,
) -> Result<MatchReport, Failure> {
    let path = match (&args.replay, args.no_replay) {
        (_, true) => None,
        (Some(path), false) => Some(path.clone()),
        (None, false) => Some(new_replay_path(&played.replay)),
    };
    // The result of a match that was played is told, whatever becomes of its replay.
    let written = path.as_deref().map(|path| write_replay(path, &played.replay).map(|bytes| (path, bytes)));
    let (replay, failed) = match written {
        None => (None, None),
        Some(Ok(replay)) => (Some(replay), None),
        Some(Err(error)) => (None, Some(error)),
    };
    let catalog = Catalog::of(game.info(), args.language);
    let report = MatchReport::new(game, played, bots, replay, &catalog);
    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&report.text())?;
    }
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(report),
    }
}

/// Whether a match in which this machine failed a bot is played again: whoever sits at a terminal is asked, others are told how.
fn wants_again(args: &Args, seed: u64, interrupt: &Interrupt) -> bool {
    if args.json || args.quiet {
        return false;
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() || !std::io::stderr().is_terminal() {
        let mut words: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        if args.setup.seed.is_none() {
            words.extend(["--seed".to_owned(), seed.to_string()]);
        }
        console::remark(&format!("to play it again: palestra {}", shell::line(&words)));
        return false;
    }
    console::remark("play it again? [Y/n]");
    let mut answer = String::new();
    interrupt.wait_for_stdin();
    if interrupt.raised() || stdin.read_line(&mut answer).unwrap_or(0) == 0 {
        return false;
    }
    matches!(answer.trim().to_ascii_lowercase().as_str(), "" | "y" | "yes")
}

/// Where and how matches of one command are played.
pub(crate) struct LocalMatch<'a> {
    pub(crate) cores: Cores,
    pub(crate) logs: Option<&'a Path>,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) quiet: bool,
    /// A plain line every so many rounds, whether there is a terminal or not.
    pub(crate) line_every: Option<u32>,
    /// Who looks on.
    pub(crate) match_server: Option<&'a MatchServer>,
    /// What stands between the bots and this machine.
    pub(crate) guard: &'a Guard,
}

impl LocalMatch<'_> {
    /// Plays a match, with progress; `also` watches it, too.
    pub(crate) fn play(
        &self,
        game: &'static dyn AnyGame,
        start: Match,
        links: Vec<Link>,
        people: Vec<(Seat, PipeWriter)>,
        also: &mut dyn Watch,
    ) -> Result<Played, Failure> {
        let transcripts = self.logs.map(|dir| {
            Transcripts::new(dir, start.state().seats())
                .map_err(|error| Failure::input(format!("failed to keep logs in {}: {error}", dir.display())))
        });
        let reporter =
            self.match_server.map(|match_server| match_server.invite(game, &start, people)).transpose()?;
        let options = Options {
            cores: self.cores.clone(),
            interrupt: Some(self.interrupt),
            transcripts: transcripts.transpose()?,
            guard: Some(self.guard),
        };
        let progress = Progress::new(game.info().round_word, self.quiet, self.line_every);
        let mut watchers = Watchers { progress, reporter, also };
        let played = play(start, links, options, &mut watchers);
        watchers.progress.finish();
        let played = played?;
        if let Some(reporter) = watchers.reporter {
            reporter.end(played.replay.clone());
        }
        if let (Some(error), Some(dir)) = (&played.transcript_error, self.logs) {
            console::remark(&format!("warning: the logs in {} are not complete: {error}", dir.display()));
        }
        Ok(played)
    }
}

/// The terminal, the browsers, and whoever else wants to.
struct Watchers<'a> {
    progress: Progress,
    reporter: Option<FeedPublisher>,
    also: &'a mut dyn Watch,
}

impl Watch for Watchers<'_> {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        self.progress.turn(game, overheard);
        if let Some(reporter) = &mut self.reporter {
            reporter.turn(game, overheard);
        }
        self.also.turn(game, overheard);
    }
}

/// A name in the folder `replays` that no file has yet.
fn new_replay_path(replay: &Replay) -> PathBuf {
    let name = |suffix: String| {
        Path::new("replays").join(format!("{}-{}{suffix}.replay", replay.head.game, replay.head.plan.seed))
    };
    let first = name(String::new());
    if !first.exists() {
        return first;
    }
    (2_u32..)
        .map(|number| name(format!("-{number}")))
        .find(|path| !path.exists())
        .expect("there is always another number")
}
