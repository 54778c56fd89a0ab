//! `palestra ladder`: matches without end, for ratings.

use crate::bots::{self, MapArgs, PoolArgs};
use crate::console;
use crate::failure::Failure;
use crate::games;
use crate::match_args;
use crate::queue;
use crate::signals;
use crate::standings;
use crate::status::{self, StatusDisplay};
use palestra_core::{AnyGame, Catalog};
use palestra_league::event::{Event, Finished, StageRound};
use palestra_league::ladder::{Ladder, LadderEntry, LadderObserver, LadderPlan, LadderRun, RunLimits};
use palestra_league::log::Log as _;
use palestra_league::match_runner::MatchRunner;
use palestra_league::overview::{MatchLine, Overview};
use palestra_league::pairing::BotNumber;
use palestra_league::plan::check_name;
use palestra_league::rating::elo::EloSettings;
use palestra_league::store::{self, Store};
use palestra_league::tournament::Job;
use palestra_league::worker_pool::{self, Elsewhere};
use palestra_queue::{Field, FieldOptions};
use palestra_runner::{Cores, Guard};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::RwLock;
use std::time::Duration;

/// Bots in one match, unless somebody says otherwise.
const SEATS: u8 = 2;

/// Play without end, to know how strong everybody is
///
/// Chooses the matches that say most. Bots can be added, replaced and dropped while it runs, from another terminal. Stop
/// it whenever you like; started again, it goes on. With the same --seed and --parallel it plays the same matches.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
For example:
  palestra ladder generals ./mybot.py                      among the built-in players, level by level
  palestra ladder generals hunter greedy ./mybot.py        in the folder generals-ladder
  palestra ladder generals-ladder                          go on with it
  palestra ladder add mybot2 ./mybot2.py                   from another terminal
  palestra ladder standings

Exit codes: 0 it was played, 2 usage, 3 bad input file, 4 too few of the bots can play.")]
pub(crate) struct Args {
    /// A game and its bots, or a ladder's folder; a bot alone meets the built-in players of every level
    #[arg(required = true)]
    what: Vec<String>,
    #[command(subcommand)]
    command: Option<Command>,
    /// The ladder's folder [default: GAME-ladder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Let the built-in players of every level play too
    #[arg(long)]
    levels: bool,
    /// Bots in one match [default: 2]
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    #[command(flatten)]
    maps: MapArgs,
    /// Stop after so many matches
    #[arg(long, value_name = "N")]
    matches: Option<u64>,
    /// Stop after so many minutes
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    #[command(flatten)]
    pool: PoolArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Let another bot join, or a new version of one that plays
    Add(NewBot),
    /// Let a bot play no longer
    Drop(DropBot),
    /// How everybody stands
    Standings(Look),
}

#[derive(clap::Args)]
struct NewBot {
    /// What it is called; a bot of this name that plays is replaced
    name: String,
    /// What it is: a built-in player, a program, a source file, a folder with either called main, a quoted command line
    bot: String,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
struct DropBot {
    /// What it is called
    name: String,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
struct Look {
    #[command(flatten)]
    folder: Folder,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Folder {
    /// The ladder's folder [default: the only one here]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        None => play(args),
        Some(Command::Add(bot)) => add(bot),
        Some(Command::Drop(bot)) => drop_bot(bot),
        Some(Command::Standings(look)) => show(look),
    }
}

fn play(args: &Args) -> Result<ExitCode, Failure> {
    let guard = args.pool.guard.guard()?;
    let interrupt = signals::interrupt()?;
    let quiet = args.pool.quiet();
    let (mut store, ladder) = open(args)?;
    let game = games::find(&ladder.plan().game)?;
    let run = || queue::run_of(store.folder());
    let queue = args.pool.queue.connect(None, run, args.pool.parallel)?;
    let field = queue.as_ref().map(|dispatcher| {
        let options = FieldOptions {
            game,
            setup: ladder.plan().setup(game),
            sandbox: args.pool.guard.sandbox_elsewhere(None),
            cores: 1,
            replays: true,
            only_elsewhere: args.pool.parallel == Some(0),
        };
        Field::new(dispatcher, options)
    });
    let runner = MatchRunner {
        game,
        setup: ladder.plan().setup(game),
        guard: &guard,
        interrupt: &interrupt,
        replays: true,
        roster: RwLock::default(),
    };
    let places = worker_pool::worker_cores(1, args.pool.parallel);
    let status = StatusDisplay::new(game.info(), &ladder.plan().name, quiet, queue.as_ref());
    let seats = ladder.plan().seats;
    let field = field.as_ref();
    let mut rail = LadderProgress { runner: &runner, field, places: places.clone(), seats, quiet, status };
    let mut gone = Vec::new();
    for (number, entry) in ladder.entries().iter().enumerate().filter(|(_, entry)| entry.gone.is_none()) {
        let bot = BotNumber(number as u32);
        if let Err(why) = rail.make_ready(bot, entry) {
            gone.push(Event::BotDropped { bot, why, from: StageRound::default() });
        }
    }
    store.append(&gone)?;
    let mut ladder = ladder;
    ladder.catch_up(&mut store)?;
    enough_bots(&ladder, &store)?;
    let limits = RunLimits {
        matches: args.matches,
        time: args.minutes.map(|minutes| Duration::from_secs(60 * minutes)),
        places: field.is_none().then_some(places.len()),
    };
    let mut run = LadderRun::new(ladder, store, limits, &interrupt, &mut rail)?;
    let elsewhere = field.map(|field| field as &dyn Elsewhere<_, _>);
    worker_pool::run_with(&mut run, &places, elsewhere, |job, cores| runner.play(job, cores))?;
    let (ladder, mut store) = run.end()?;
    rail.status.finish();
    let overview = ladder.overview(&Catalog::english(game.info()));
    write_report(&ladder, &overview, &mut store)?;
    if args.pool.json {
        console::print_json(&overview)?;
    } else {
        console::print(&standings::ladder(&overview))?;
        console::print(&standings::levels(game, &overview))?;
        let folder = store.folder().display();
        console::print(&format!("report: {folder}/report.html; start the same command again to go on\n"))?;
    }
    enough_bots(&ladder, &store)?;
    Ok(ExitCode::SUCCESS)
}

fn enough_bots(ladder: &Ladder, store: &Store) -> Result<(), Failure> {
    let playing = ladder.entries().iter().filter(|entry| entry.gone.is_none()).count();
    let seats = usize::from(ladder.plan().seats);
    if playing >= seats {
        return Ok(());
    }
    Err(Failure::bot(format!(
        "a match needs {seats} bots, and {playing} can play; let others join with palestra ladder add NAME BOT --dir {}",
        store.folder().display()
    )))
}

/// What is asked for must be what the ladder was begun with; what is not said stays as it is.
fn agrees(
    args: &Args,
    game: Option<&'static dyn AnyGame>,
    bots: &[String],
    ladder: &Ladder,
    folder: &Path,
) -> Result<(), Failure> {
    let (plan, folder) = (ladder.plan(), folder.display());
    if let Some(game) = game.filter(|game| game.info().id != plan.game) {
        return Err(Failure::usage(format!(
            "{folder} holds a ladder of {}, not of {}; begin the new one in another folder with --dir",
            plan.game,
            game.info().id
        )));
    }
    let (game, maps) = (games::find(&plan.game)?, &args.maps);
    let sorted = |settings: &[(String, String)]| {
        let mut settings = settings.to_vec();
        settings.sort();
        settings
    };
    let options = [
        ("--set", !maps.game.settings.is_empty() && sorted(&maps.game.settings) != sorted(&plan.settings)),
        ("--time", maps.game.time.is_some_and(|time| time != plan.time.unwrap_or(game.info().time))),
        ("--seed", maps.seed.is_some_and(|seed| seed != plan.seed)),
        ("--seats", args.seats.is_some_and(|seats| seats != plan.seats)),
        ("--map", !maps.map.is_empty() && maps.maps(game)? != plan.maps),
    ];
    let changed: Vec<&str> =
        options.into_iter().filter(|(_, differs)| *differs).map(|(option, _)| option).collect();
    if !changed.is_empty() {
        return Err(Failure::usage(format!(
            "the ladder in {folder} was begun with another {}; go on with it by palestra ladder {folder}, or begin a new one \
             with --dir",
            changed.join(", ")
        )));
    }
    for name in bots {
        let identity = bots::identify(game, name, Path::new(""));
        let mut known = ladder.entries().iter().filter(|entry| entry.name == *name).peekable();
        // Whoever has left since is no stranger: the same command goes on.
        if known.peek().is_none() {
            return Err(Failure::usage(format!(
                "{name} does not play on the ladder in {folder}; let it join with palestra ladder add {name:?} {:?} --dir \
                 {folder}, or begin a new ladder with --dir",
                identity.source
            )));
        }
        if known.all(|entry| entry.identity.source != identity.source) {
            return Err(Failure::usage(format!(
                "{name} is another program on the ladder in {folder}; let this one take its place with palestra ladder add \
                 {name:?} {:?} --dir {folder}",
                identity.source
            )));
        }
    }
    for entry in ladder.entries().iter().filter(|entry| entry.gone.is_none()) {
        let LadderEntry { name, identity, .. } = entry;
        let now = bots::identify(game, &identity.source, Path::new(""));
        if now.fingerprint.is_some() && now.fingerprint != identity.fingerprint {
            return Err(Failure::usage(format!(
                "{name} has changed since it last played; let the new version take its place with palestra ladder add \
                 {name:?} {:?} --dir {folder}",
                identity.source
            )));
        }
    }
    Ok(())
}

/// The ladder that is meant: one that goes on, or a new one.
fn open(args: &Args) -> Result<(Store, Ladder), Failure> {
    let [first, bots @ ..] = &args.what[..] else {
        return Err(Failure::usage("name a game and its bots, or a ladder's folder"));
    };
    let new = games::by_id(first);
    let folder = match (&args.dir, new) {
        (Some(dir), _) => dir.clone(),
        (None, Some(_)) => PathBuf::from(format!("{first}-ladder")),
        (None, None) => PathBuf::from(first),
    };
    if new.is_none() && !store::holds_log(&folder) {
        games::find(first)?;
    }
    let mut store = Store::open(&folder)?;
    if let Some(ladder) = Ladder::open(&mut store)? {
        agrees(args, new, bots, &ladder, &folder)?;
        return Ok((store, ladder));
    }
    if !store.course()?.is_empty() {
        return Err(no_ladder(&folder, true));
    }
    let Some(game) = new else {
        return Err(no_ladder(&folder, false));
    };
    if let Err(failure) = begin(args, game, bots, &mut store) {
        store.discard();
        return Err(failure);
    }
    let ladder = Ladder::open(&mut store)?;
    Ok((store, ladder.expect("it was opened just now")))
}

/// Who plays: those named, and the players of the sparring ladder if they are asked for, or if a bot is there alone.
fn with_levels(args: &Args, game: &'static dyn AnyGame, bots: &[String]) -> Vec<String> {
    let mut all = bots.to_vec();
    if args.levels || bots.len() == 1 {
        let unnamed = game
            .sparring_ladder()
            .into_iter()
            .filter(|player| !bots.iter().any(|bot| player.answers_to(bot)));
        all.extend(unnamed.map(|player| player.name.to_owned()));
    }
    all
}

fn begin(args: &Args, game: &'static dyn AnyGame, bots: &[String], store: &mut Store) -> Result<(), Failure> {
    let plan = LadderPlan {
        name: format!("{} ladder", game.info().title),
        game: game.info().id.to_owned(),
        seed: args.maps.seed.unwrap_or_else(match_args::new_seed),
        settings: args.maps.game.settings.clone(),
        time: args.maps.game.time,
        maps: args.maps.maps(game)?,
        seats: args.seats.unwrap_or(SEATS),
        elo: EloSettings::default(),
    };
    let bots = with_levels(args, game, bots);
    if bots.len() < usize::from(plan.seats) {
        return Err(Failure::usage(format!(
            "a match needs {} bots, and {} are named; name more of them",
            plan.seats,
            bots.len()
        )));
    }
    let setup = plan.setup(game);
    for map in 0..plan.maps.len() {
        setup.plan(game, map as u32, plan.seats, plan.seed).map_err(Failure::usage)?;
    }
    let program = format!("palestra {}", env!("CARGO_PKG_VERSION"));
    let mut events = vec![Event::LadderOpened { program, ladder: Box::new(plan) }];
    for (number, source) in (0..).zip(&bots) {
        check_name(source).map_err(|why| Failure::usage(format!("{source:?}: {why}")))?;
        let identity = bots::identify(game, source, Path::new(""));
        bots::make_ready(game, &identity, &Guard::off(), args.pool.quiet())?;
        events.push(Event::BotAdded {
            bot: BotNumber(number),
            name: source.clone(),
            identity,
            from: StageRound::default(),
            rating: None,
        });
    }
    Ok(store.append(&events)?)
}

/// Looks on, and makes those ready who join.
struct LadderProgress<'a> {
    runner: &'a MatchRunner<'a>,
    field: Option<&'a Field<'a>>,
    places: Vec<Cores>,
    seats: u8,
    quiet: bool,
    status: StatusDisplay<'a>,
}

impl LadderObserver for LadderProgress<'_> {
    fn result(&mut self, ladder: &Ladder, finished: &Finished) {
        self.status.result(finished, |bot| ladder.entries()[bot].name.clone());
    }

    fn failed(&mut self, _: &Ladder, job: &Job, why: &str) {
        self.status.say(&format!("match {} was not played: {why}", job.number));
    }

    fn tick(&mut self, ladder: &Ladder, _: usize) {
        status::show_ladder(&mut self.status, ladder);
    }

    fn make_ready(&mut self, player: BotNumber, entry: &LadderEntry) -> Result<(), String> {
        let LadderEntry { name, identity, .. } = entry;
        let ready = bots::prepare(
            self.runner,
            self.field,
            (player, name.as_str()),
            identity,
            self.seats,
            &self.places,
            self.quiet,
        );
        match &ready {
            Err(why) => self.status.say(&format!("going on without {name}: {why}")),
            Ok(()) if !self.quiet => self.status.say(&format!("{name} plays")),
            Ok(()) => {}
        }
        ready
    }
}

fn write_report(ladder: &Ladder, overview: &Overview, store: &mut Store) -> Result<(), Failure> {
    let mut lines: Vec<MatchLine> = Vec::new();
    ladder.matches(store, |line| lines.push(line))?;
    standings::write_page(store.folder(), overview, lines.into_iter())?;
    Ok(())
}

impl Folder {
    fn path(&self) -> Result<PathBuf, Failure> {
        bots::folder(self.dir.as_deref(), "ladder")
    }
}

fn add(args: &NewBot) -> Result<ExitCode, Failure> {
    check_name(&args.name).map_err(|why| Failure::usage(format!("{:?}: {why}", args.name)))?;
    let mut store = Store::beside(&args.folder.path()?)?;
    let ladder = known(&mut store)?;
    let game = games::find(&ladder.plan().game)?;
    let identity = bots::identify(game, &args.bot, Path::new(""));
    bots::make_ready(game, &identity, &Guard::off(), false)?;
    let from = StageRound::default();
    let mut events = Vec::new();
    if let Some(bot) = ladder.find(&args.name) {
        events.push(Event::BotDropped { bot, why: "a new version took its place".to_owned(), from });
    }
    let bot = BotNumber(ladder.entries().len() as u32);
    events.push(Event::BotAdded { bot, name: args.name.clone(), identity, from, rating: None });
    store.append(&events)?;
    console::print(&format!("{} joins the ladder\n", args.name))?;
    Ok(ExitCode::SUCCESS)
}

fn drop_bot(args: &DropBot) -> Result<ExitCode, Failure> {
    let mut store = Store::beside(&args.folder.path()?)?;
    let ladder = known(&mut store)?;
    let Some(bot) = ladder.find(&args.name) else {
        return Err(Failure::usage(format!("there is no bot \"{}\" on the ladder", args.name)));
    };
    store.append(&[Event::BotDropped {
        bot,
        why: "by the organiser".to_owned(),
        from: StageRound::default(),
    }])?;
    console::print(&format!("{} leaves the ladder\n", args.name))?;
    Ok(ExitCode::SUCCESS)
}

fn show(args: &Look) -> Result<ExitCode, Failure> {
    let mut store = Store::look(&args.folder.path()?)?;
    let ladder = known(&mut store)?;
    let game = games::find(&ladder.plan().game)?;
    let overview = ladder.overview(&Catalog::english(game.info()));
    if args.json {
        console::print_json(&overview)?;
    } else {
        console::print(&standings::ladder(&overview))?;
        console::print(&standings::levels(game, &overview))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn known(store: &mut Store) -> Result<Ladder, Failure> {
    if let Some(ladder) = Ladder::open(store)? {
        return Ok(ladder);
    }
    let tournament = !store.course()?.is_empty();
    Err(no_ladder(store.folder(), tournament))
}

fn no_ladder(folder: &Path, tournament: bool) -> Failure {
    let folder = folder.display();
    Failure::usage(match tournament {
        true => format!(
            "{folder} holds a tournament; use palestra tournament for it, or another folder with --dir"
        ),
        false => format!(
            "{folder} holds a ladder or tournament that was stopped before it was opened; begin again with the command that \
             you began with"
        ),
    })
}
