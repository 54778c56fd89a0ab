//! Many matches: is one player better than another, and who is the best of several? Played by the league that the command line
//! plays with.

use crate::lineup::{self, GuardRequest, Player};
use crate::resident::Mistakes;
use crate::{REPORT_PAGE, game, value_error};
use palestra_core::{AnyGame, Catalog};
use palestra_league::bundle::fingerprint;
use palestra_league::duel::{Duel, DuelPlan, DuelReport};
use palestra_league::event::{Finished, Identity, opening};
use palestra_league::limits;
use palestra_league::log_writer::{Batch, LogWriter};
use palestra_league::match_runner::{MapCache, MatchOutcome, MatchRunner, MatchSetup};
use palestra_league::overview::MatchLine;
use palestra_league::pairing;
use palestra_league::plan::{Map, QuickPlan};
use palestra_league::rating::sprt::SprtSettings;
use palestra_league::report::page;
use palestra_league::store::{Store, holds_log};
use palestra_league::tournament::{Job, Tournament, TournamentError};
use palestra_league::tournament_run::{TournamentObserver, TournamentRun};
use palestra_league::worker_pool;
use palestra_runner::{Bot, Cores, Guard, Interrupt, Link, read_bytes};
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::RwLock;

/// What all matches have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FieldRequest {
    game: String,
    settings: Vec<(String, String)>,
    /// Their names and texts; none are new ones every time.
    maps: Vec<(String, String)>,
    seed: u64,
    time: Option<String>,
    guard: GuardRequest,
    parallel: Option<usize>,
    /// Called now and then with the result so far, as JSON.
    progress: Py<PyAny>,
}

/// A field that is ready to play.
struct Field {
    game: &'static dyn AnyGame,
    guard: Guard,
    interrupt: Interrupt,
    mistakes: Mistakes,
    /// Each with the name that it goes by.
    bots: Vec<(String, Bot)>,
    places: Vec<Cores>,
    setup: MatchSetup,
}

impl FieldRequest {
    fn ready(&self, py: Python<'_>, players: Vec<(String, Player)>) -> PyResult<Field> {
        let game = game(&self.game)?;
        game.check_settings(&self.settings).map_err(value_error)?;
        let (guard, mistakes) = (self.guard.guard(py)?, Mistakes::default());
        let names: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
        let bots = lineup::bots(py, game, players, &guard, &mistakes)?;
        if self.parallel.is_some_and(|parallel| !(1..=limits::PARALLEL).contains(&parallel)) {
            return Err(value_error(format!("parallel must be from 1 to {}", limits::PARALLEL)));
        }
        let places = match lineup::has_functions(&bots) {
            // One function is called by one thread, unless somebody says otherwise.
            true => vec![Cores::Any; self.parallel.unwrap_or(1)],
            false => worker_pool::worker_cores(1, self.parallel),
        };
        let text = |(name, text): &(String, String)| Map::Text { name: name.clone(), text: text.clone() };
        let maps = match &self.maps[..] {
            [] => vec![Map::Fresh],
            maps => maps.iter().map(text).collect(),
        };
        let setup = MatchSetup {
            settings: self.settings.clone(),
            time: lineup::time(self.time.as_deref(), game, &bots)?,
            maps,
            seed: self.seed,
            generated: MapCache::default(),
        };
        let bots = names.into_iter().zip(bots).collect();
        Ok(Field { game, guard, interrupt: Interrupt::new()?, mistakes, bots, places, setup })
    }

    fn tell(&self, mistakes: &Mistakes, interrupt: &Interrupt, told: &impl Serialize) {
        let text = serde_json::to_string(told).expect("it is plain data");
        if let Err(error) = Python::attach(|py| self.progress.call1(py, (text,))) {
            mistakes.add(error);
            interrupt.raise();
        }
    }
}

impl Field {
    /// Enters everybody, once each program has answered once.
    fn runner(&mut self, replays: bool) -> MatchRunner<'_> {
        let Field { game, guard, interrupt, setup, .. } = self;
        let setup = setup.clone();
        MatchRunner { game: *game, setup, guard, interrupt, replays, roster: RwLock::default() }
    }
}

/// Lets everybody take part, and each program answer once before.
fn enter(runner: &MatchRunner<'_>, bots: Vec<(String, Bot)>, seats: u8, cores: &Cores) -> Result<(), String> {
    for (number, (name, bot)) in (0..).map(pairing::BotNumber).zip(bots) {
        let is_program = matches!(bot.link, Link::Program(_));
        runner.enter(number, name.clone(), bot);
        if is_program {
            runner.try_out(number, seats, cores).map_err(|why| format!("{name} cannot play: {why}"))?;
        }
    }
    Ok(())
}

/// Plays a duel; gives its report as JSON. `test` is Elo and error rates: `elo0`, `elo1`, `alpha`, `beta`.
#[pyfunction]
pub(crate) fn duel(
    py: Python<'_>,
    request: FieldRequest,
    players: Vec<(String, Player)>,
    seats: u8,
    test: (f64, f64, f64, f64),
    max_games: u64,
    all_games: bool,
) -> PyResult<String> {
    let mut field = request.ready(py, players)?;
    let (elo0, elo1, alpha, beta) = test;
    let plan = DuelPlan {
        seats,
        maps: field.setup.maps.len() as u32,
        seed: request.seed,
        test: SprtSettings { elo0, elo1, alpha, beta, ..SprtSettings::default() },
        max_games,
        all_games,
        retries: limits::RETRIES,
    };
    for map in 0..plan.maps {
        field.setup.plan(field.game, map, seats, request.seed).map_err(value_error)?;
    }
    let (bots, places) = (std::mem::take(&mut field.bots), field.places.clone());
    let (mistakes, interrupt) = (field.mistakes.clone(), field.interrupt.clone());
    let runner = field.runner(false);
    let played = lineup::interruptible(py, &interrupt, &mistakes, || {
        enter(&runner, bots, seats, &places[0])?;
        let mut watch = |report: &DuelReport| request.tell(&mistakes, &interrupt, report);
        let mut duel = Duel::new(plan, &interrupt, &mut watch).map_err(|error| error.to_string())?;
        worker_pool::run(&mut duel, &places, |job, cores| stop_at_mistakes(&runner, job, cores))?;
        Ok::<DuelReport, String>(duel.report())
    })?;
    let report = played.map_err(value_error)?;
    let english = Catalog::english(runner.game.info());
    let mut told = serde_json::to_value(&report).expect("it is plain data");
    told["examples"] =
        report.examples.iter().map(|fault| fault.as_ref().map(|fault| english.say(fault))).collect();
    Ok(told.to_string())
}

/// A function that has failed ends everything; the match in which it did is not played.
fn stop_at_mistakes(runner: &MatchRunner<'_>, job: &Job, cores: &Cores) -> MatchOutcome {
    let outcome = runner.play(job, cores);
    if matches!(outcome, MatchOutcome::Interrupted) {
        runner.interrupt.raise();
    }
    outcome
}

/// What a tournament is, beside what its matches have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PlanRequest {
    format: Option<String>,
    seats: Option<u32>,
    rounds: Option<u32>,
    repeats: Option<u32>,
    /// Where it is kept; there must be none yet.
    folder: PathBuf,
}

/// Plays a tournament in its folder; gives how it ended as JSON, and its report as a page.
#[pyfunction]
pub(crate) fn tournament(
    py: Python<'_>,
    request: FieldRequest,
    plan: PlanRequest,
    players: Vec<(String, Player)>,
) -> PyResult<(String, String)> {
    let folder = &plan.folder;
    if holds_log(folder) {
        let folder = folder.display();
        return Err(value_error(format!(
            "{folder} holds a tournament already; go on with it by palestra tournament {folder}, or name another folder"
        )));
    }
    let mut field = request.ready(py, players)?;
    let bots = std::mem::take(&mut field.bots);
    let names: Vec<String> = bots.iter().map(|(name, _)| name.clone()).collect();
    let quick = QuickPlan {
        game: &request.game,
        bots: &names,
        maps: &[],
        seed: Some(request.seed),
        time: Some(field.setup.time),
        settings: &request.settings,
        format: plan.format.as_deref(),
        seats: plan.seats,
        rounds: plan.rounds,
        repeats: plan.repeats,
    };
    let find = |name: &str| palestra_games::find(name).map_err(|unknown| unknown.to_string());
    let mut drafted = quick.read(find, request.seed).map_err(value_error)?.plan;
    drafted.maps.clone_from(&field.setup.maps);
    let shown: Vec<&str> = names.iter().map(String::as_str).collect();
    Tournament::check(&drafted, &shown).map_err(value_error)?;
    for (number, map) in (0..).zip(&drafted.maps) {
        let seats = drafted.stages[0].seats;
        field
            .setup
            .plan(field.game, number, seats, request.seed)
            .map_err(|error| value_error(format!("the map {}: {error}", map.name())))?;
    }
    let identities: Vec<(String, Identity)> =
        bots.iter().map(|(name, bot)| (name.clone(), identity(bot))).collect();
    let (places, seats) = (field.places.clone(), drafted.stages[0].seats);
    let (mistakes, interrupt) = (field.mistakes.clone(), field.interrupt.clone());
    let runner = field.runner(true);
    let played = lineup::interruptible(py, &interrupt, &mistakes, || {
        enter(&runner, bots, seats, &places[0])?;
        let mut store = Store::open(folder).map_err(|error| error.to_string())?;
        store.append(&opening(&drafted, &identities)).map_err(|error| error.to_string())?;
        let mut observer = Told { request: &request, mistakes: &mistakes, interrupt: &interrupt };
        run(&runner, store, &places, &mut observer).map_err(|error| error.to_string())
    })?;
    played.map_err(value_error)
}

/// What a bot is, for whoever goes on with its tournament from a command line.
fn identity(bot: &Bot) -> Identity {
    match &bot.link {
        Link::Program(launch) => {
            let file = launch.command.last().map(PathBuf::from).filter(|file| file.is_file());
            let bytes = file.as_deref().and_then(|file| read_bytes(file, limits::PROGRAM_BYTES).ok());
            let source = file.map_or_else(|| bot.entrant.name.clone(), |file| file.display().to_string());
            Identity { source, fingerprint: bytes.map(|bytes| fingerprint(&bytes)) }
        }
        _ => Identity { source: bot.entrant.name.clone(), fingerprint: None },
    }
}

/// Plays what a log begins; gives how it ended as JSON, and its report as a page.
fn run(
    runner: &MatchRunner<'_>,
    mut store: Store,
    places: &[Cores],
    observer: &mut dyn TournamentObserver,
) -> Result<(String, String), TournamentError> {
    let mut log = Vec::new();
    let tournament = Tournament::open(&mut store, &mut log)?;
    let log_writer = LogWriter::begin(store.folder())?;
    let batch = Batch::from(log);
    let mut run =
        TournamentRun { tournament, store, log_writer, batch, interrupt: runner.interrupt, observer };
    let played = worker_pool::run(&mut run, places, |job, cores| stop_at_mistakes(runner, job, cores));
    let TournamentRun { tournament, mut store, mut log_writer, batch, .. } = run;
    // Whatever stopped it: what was played is kept.
    log_writer.append(batch)?;
    log_writer.end()?;
    played?;
    let overview = tournament.overview(&Catalog::english(runner.game.info()));
    let mut matches = tournament.matches(&mut store)?;
    let lines: Vec<MatchLine> = matches.by_ref().collect();
    matches.finish()?;
    let mut report = Vec::new();
    if !REPORT_PAGE.is_empty() {
        page::write(REPORT_PAGE, &overview, lines.iter().cloned(), &mut report)
            .expect("there is room in memory, and the page has a place for it");
    }
    let mut told = serde_json::to_value(&overview).expect("it is plain data");
    told["matches"] = serde_json::to_value(&lines).expect("it is plain data");
    Ok((told.to_string(), String::from_utf8_lossy(&report).into_owned()))
}

/// Python hears how it goes.
struct Told<'a> {
    request: &'a FieldRequest,
    mistakes: &'a Mistakes,
    interrupt: &'a Interrupt,
}

impl TournamentObserver for Told<'_> {
    fn result(&mut self, _: &Tournament, _: &Finished, _: bool) {}

    fn failed(&mut self, _: &Tournament, _: &Job, _: &str) {}

    fn tick(&mut self, tournament: &Tournament, _: usize) {
        self.request.tell(self.mistakes, self.interrupt, &tournament.progress());
    }
}

/// The bytes of the replay of a match of the tournament in a folder.
#[pyfunction]
pub(crate) fn tournament_replay(folder: PathBuf, number: u32) -> PyResult<crate::replay::Replay> {
    let bytes = Store::look(&folder).and_then(|mut store| store.replay(number)).map_err(value_error)?;
    let bytes = bytes.ok_or_else(|| value_error(format!("there is no replay of a match {number}")))?;
    crate::replay::Replay::read(&bytes)
}
