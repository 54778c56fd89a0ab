//! `palestra run`: the contests' own configuration files, as they are.

mod companion;
mod roster;

use crate::commands::play::LocalMatch;
use crate::console;
use crate::failure::Failure;
use crate::games::{GAMES, names};
use crate::match_args::{self, GuardArgs};
use crate::match_server::{MatchServer, ServeArgs, somebody_looks};
use crate::palette;
use crate::report::{MatchReport, counted};
use crate::signals;
use companion::{Companion, Pace};
use palestra_core::legacy::{
    ConfigFile, LegacyConfig, LegacyContent, LegacyGame, LegacyRun, LegacyTournament, PlayedGame,
};
use palestra_core::{AnyGame, Catalog, Seat, SetupError, limits};
use palestra_league::worker_pool::{self, Scheduler};
use palestra_runner::{
    Bot, Cores, FileError, Guard, Interrupt, MatchError, Played, read_text, write_atomically, write_replay,
};
use roster::Roster;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Play what a contest's own configuration file describes, and write its logs where it says
///
/// Every game knows the configuration files of the contest it comes from; they are recognised by their content. Paths
/// in them mean what they meant to the contest's own tools.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The configuration file, or a folder with one; - is standard input
    config: PathBuf,
    /// Decides what is left to chance
    #[arg(long)]
    seed: Option<u64>,
    /// Changes a setting of the game beyond what the configuration says; can be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = match_args::key_value)]
    settings: Vec<(String, String)>,
    /// Write a replay to this file as well
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    guard: GuardArgs,
    /// Show every match in the browser while it is played, and afterwards until Ctrl-C [default: if the contest's own
    /// program did so, and there is a screen]
    #[arg(long, conflicts_with = "no_watch")]
    watch: bool,
    /// Show no match
    #[arg(long)]
    no_watch: bool,
    #[command(flatten)]
    serve: ServeArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = config_file(&args.config)?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let text = read_text(&file, limits::CONFIG_BYTES)?;
    let beside = |name: &str| read_text(&folder.join(name), limits::CONFIG_BYTES).ok();
    let (game, config) = recognise(GAMES, &ConfigFile { text: &text, beside: &beside })
        .map_err(|why| Failure::input(format!("{} {why}", file.display())))?;
    let config = config.map_err(Failure::in_file(&file))?;
    game.check_settings(&args.settings).map_err(Failure::usage)?;
    let interrupt = signals::interrupt()?;
    let guard = args.guard.guard()?;
    let by_itself = matches!(&config, LegacyConfig::Run(run) if run.shown);
    let watch = args.watch || (by_itself && !args.no_watch && !args.json && somebody_looks());
    let match_server = watch.then(|| MatchServer::new(&args.serve, true)).transpose()?;
    let run = Run {
        game,
        config: &file,
        folder: &folder,
        args,
        interrupt: &interrupt,
        match_server: match_server.as_ref(),
        guard: &guard,
    };
    match config {
        LegacyConfig::Run(one) => run.one(&one)?,
        LegacyConfig::Tournament(tournament) => run.tournament(&tournament)?,
    }
    if let Some(match_server) = match_server {
        match_server.stay(&interrupt);
    }
    Ok(ExitCode::SUCCESS)
}

/// The game whose configuration this is, and what it reads; the error ends a sentence about the file.
fn recognise(
    games: &[&'static dyn AnyGame],
    config: &ConfigFile<'_>,
) -> Result<(&'static dyn AnyGame, Result<LegacyConfig, SetupError>), String> {
    let by_word = |game: &&&dyn AnyGame| game.config_begins_with(config.first_word());
    let known_by_word = games.iter().any(|game| by_word(&game));
    let asked = games.iter().filter(|game| !known_by_word || by_word(game));
    let mut claims: Vec<_> = asked.filter_map(|game| Some((*game, game.read_config(config)?))).collect();
    match claims.len() {
        0 => Err(format!("is no configuration that palestra knows; it knows those of {}", names())),
        1 => Ok(claims.remove(0)),
        _ => {
            let ids: Vec<&str> = claims.iter().map(|(game, _)| game.info().id).collect();
            Err(format!(
                "could be a configuration of {}; change it so that only one of them fits",
                ids.join(" and of ")
            ))
        }
    }
}

/// The file itself, or the one that a game looks for in the folder.
fn config_file(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let names: Vec<&str> = GAMES.iter().flat_map(|game| game.config_files()).copied().collect();
    names.iter().map(|name| path.join(name)).find(|file| file.is_file()).ok_or_else(|| {
        Failure::input(format!(
            "{} is a folder without a configuration; looked for {}",
            path.display(),
            names.join(", ")
        ))
    })
}

/// The matches of a tournament that have not been played.
struct LegacyList<'a> {
    run: &'a Run<'a>,
    found: usize,
    total: usize,
    done: usize,
    queue: VecDeque<usize>,
}

impl Scheduler for LegacyList<'_> {
    type Job = usize;
    type Report = Result<(), Failure>;
    type Error = Failure;

    fn next(&mut self, room: usize) -> Result<Vec<usize>, Failure> {
        let count = room.min(self.queue.len());
        Ok(self.queue.drain(..count).collect())
    }

    fn done(&mut self, number: usize, report: Result<Result<(), Failure>, String>) -> Result<(), Failure> {
        let panicked = |why: String| Failure::input(format!("match {} came to a halt: {why}", number + 1));
        match report.map_err(panicked)? {
            Err(_) if self.run.interrupt.raised() => return Ok(()),
            played => played?,
        }
        self.done += 1;
        if !self.run.args.quiet {
            console::remark(&format!("match {} of {}", self.found + self.done, self.total));
        }
        Ok(())
    }

    fn tick(&mut self, _: usize) -> Result<(), Failure> {
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.run.interrupt.raised()
    }
}

struct Run<'a> {
    game: &'static dyn AnyGame,
    config: &'a Path,
    folder: &'a Path,
    args: &'a Args,
    interrupt: &'a Interrupt,
    match_server: Option<&'a MatchServer>,
    guard: &'a Guard,
}

impl Run<'_> {
    fn one(&self, run: &LegacyRun) -> Result<(), Failure> {
        let roster = self.roster(std::iter::once(run))?;
        let seed = self.args.seed.unwrap_or_else(match_args::new_seed);
        let played = self.play(run, &roster, seed, &Cores::Shared, false)?;
        let beside = run.recording.as_ref().map(|path| self.path(run, path));
        let replay = match self.args.replay.as_ref().or(beside.as_ref()) {
            None => None,
            Some(path) => Some((path.as_path(), write_replay(path, &played.replay)?)),
        };
        let english = Catalog::english(self.game.info());
        let report = MatchReport::new(self.game, &played, &played.replay.head.bots, replay, &english);
        if self.args.json {
            return console::print_json(&report);
        }
        let mut text = report.text();
        let live = run.live_logs.iter().map(|log| &log.path);
        for path in live.chain(run.outputs.iter().map(|output| &output.path)) {
            text.push_str(&format!("log: {}\n", self.path(run, path).display()));
        }
        if run.shown {
            for (seat, bot) in (1..).map(Seat::new).zip(&played.replay.head.bots) {
                text.push_str(&format!("player {seat}: {}, {bot}\n", palette::colour(seat)));
            }
        }
        console::print(&text)
    }

    /// Plays what has not been played yet, side by side; a match that was interrupted is played again.
    fn tournament(&self, tournament: &LegacyTournament) -> Result<(), Failure> {
        // What cannot be read, or is not a whole result, was cut off while it was written.
        let result = |game: &LegacyGame| {
            let scores = read_text(Path::new(&game.scores), limits::CONFIG_BYTES)?;
            Ok::<_, FileError>(PlayedGame { players: game.players.clone(), scores })
        };
        let unplayed = |game: &LegacyGame| !result(game).is_ok_and(|game| (tournament.tells_result)(&game));
        let queue: VecDeque<usize> =
            (0..tournament.games.len()).filter(|number| unplayed(&tournament.games[*number])).collect();
        let found = tournament.games.len() - queue.len();
        let roster = self.roster(queue.iter().map(|number| &tournament.games[*number].run))?;
        let mut list = LegacyList { run: self, found, total: tournament.games.len(), done: 0, queue };
        let seed = self.args.seed.unwrap_or(0);
        worker_pool::run(&mut list, &worker_pool::worker_cores(1, None), |number, cores| {
            let game = &tournament.games[*number];
            self.play(&game.run, &roster, seed.wrapping_add(game.seed), cores, true).map(drop)
        })?;
        if self.interrupt.raised() {
            return Err(MatchError::Interrupted.into());
        }
        let mut results = Vec::with_capacity(tournament.games.len());
        for game in &tournament.games {
            results.push(result(game)?);
        }
        let table = (tournament.table)(&tournament.players, &results).map_err(Failure::input)?;
        let path = Path::new(&tournament.result_file);
        write_atomically(path, |file| file.write_all(table.as_bytes()))?;
        if self.args.json {
            return console::print_json(&serde_json::json!({
                "game": self.game.info().id,
                "matches": results.len(),
                "played_before": found,
                "result": tournament.result_file,
            }));
        }
        console::print(&format!(
            "{table}\n{}, {found} of them played before; result: {}\n",
            counted(results.len() as u64, "match"),
            tournament.result_file
        ))
    }

    /// Where a path of the configuration leads.
    fn path(&self, run: &LegacyRun, path: &str) -> PathBuf {
        if run.beside_config { self.folder.join(path) } else { PathBuf::from(path) }
    }

    fn roster<'r>(&self, runs: impl Iterator<Item = &'r LegacyRun>) -> Result<Roster, Failure> {
        Roster::new(runs, |run, path| self.path(run, path), self.guard, self.args.quiet)
    }

    fn play(
        &self,
        run: &LegacyRun,
        roster: &Roster,
        seed: u64,
        cores: &Cores,
        quiet: bool,
    ) -> Result<Played, Failure> {
        let game = self.game;
        let settings = [run.settings.as_slice(), &self.args.settings].concat();
        game.check_settings(&settings).map_err(Failure::in_file(self.config))?;
        let map = match &run.map {
            None => None,
            Some(path) => {
                let path = self.path(run, path);
                let text = read_text(&path, limits::MAP_BYTES)?;
                Some((path, text))
            }
        };
        let map = map.as_ref().map(|(path, text)| (path.as_path(), text.as_str()));
        let plan = match_args::plan(game, &settings, map, run.bots.len(), seed)
            .map_err(|failure| failure.blamed_on(self.config))?;
        let bots = roster.bots(run, self.work_dir(run)?.as_deref());
        let quiet = quiet || self.args.quiet || self.args.json;
        let runner = LocalMatch {
            cores: cores.clone(),
            logs: None,
            interrupt: self.interrupt,
            quiet,
            line_every: run.line_every.filter(|_| !quiet),
            match_server: self.match_server,
            guard: self.guard,
        };
        let (start, links) = Bot::seat(bots, game, plan, game.info().time).map_err(Failure::usage)?;
        let pace = run.pace.filter(|_| self.match_server.is_some());
        let pace = pace.map(|time| Pace { time, next: Instant::now() + time, interrupt: self.interrupt });
        let place = |path: &str| self.path(run, path);
        let mut companion = Companion::new(game, run, start.recorded(), place, pace)?;
        let played = runner.play(game, start, links, Vec::new(), &mut companion)?;
        companion.finish(&played.replay)?;
        for output in &run.outputs {
            let path = self.path(run, &output.path);
            write_atomically(&path, |file| match output.content {
                LegacyContent::Text(text) => file.write_all(text.as_bytes()),
                LegacyContent::Export(format) => {
                    game.export(format, &played.replay, file).map_err(std::io::Error::other)
                }
                LegacyContent::Stderr(seat) => {
                    played.stderr[seat.index()].iter().try_for_each(|(_, piece)| file.write_all(piece))
                }
            })?;
        }
        Ok(played)
    }

    /// The folder that programs are started in, made anew if it is not there.
    fn work_dir(&self, run: &LegacyRun) -> Result<Option<PathBuf>, Failure> {
        let Some(dir) = &run.work_dir else { return Ok(None) };
        let path = self.path(run, dir);
        std::fs::create_dir_all(&path)
            .map_err(|error| Failure::input(format!("failed to make the folder {dir}: {error}")))?;
        Ok(Some(path))
    }
}

#[cfg(test)]
mod tests {
    use super::recognise;
    use palestra_core::AnyGame;
    use palestra_core::legacy::ConfigFile;

    #[test]
    fn a_file_that_two_games_claim_is_an_error_that_names_both() {
        let generals: &'static dyn AnyGame = &palestra_generals::Generals;
        let config = ConfigFile::alone("log.txt\nmap.txt\n2\na\nb\n");
        assert!(
            recognise(&[generals], &config)
                .is_ok_and(|(game, read)| game.info().id == "generals" && read.is_ok())
        );
        let both = recognise(&[generals, generals], &config).err().unwrap();
        assert!(both.starts_with("could be a configuration of generals and of generals;"), "{both}");
        assert!(recognise(&[], &config).err().unwrap().starts_with("is no configuration"));
    }
}
