//! The organiser's admin: looks at a tournament and corrects it, while nobody plays it.

use crate::bots;
use crate::console;
use crate::failure::Failure;
use crate::games;
use crate::report::{new_table, score};
use crate::standings;
use palestra_core::{AnyGame, Catalog};
use palestra_league::bundle::name_of_match;
use palestra_league::event::{Event, StageRound};
use palestra_league::log::Log as _;
use palestra_league::overview::{MatchLine, Overview, StageState};
use palestra_league::pairing::BotNumber;
use palestra_league::plan::TournamentPlan;
use palestra_league::report::csv;
use palestra_league::store::Store;
use palestra_league::tournament::Tournament;
use palestra_runner::{Guard, write_atomically};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A tournament's folder.
#[derive(clap::Args)]
pub(super) struct Folder {
    /// The tournament's folder [default: the only one here]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// What to look at, and how.
#[derive(clap::Args)]
pub(super) struct Look {
    #[command(flatten)]
    folder: Folder,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(super) struct Matches {
    #[command(flatten)]
    look: Look,
    /// Only matches of this bot; can be given several times for matches in which all of them met
    #[arg(long, value_name = "BOT")]
    bot: Vec<String>,
}

#[derive(clap::Args)]
pub(super) struct Replay {
    /// The match, by number
    number: u32,
    /// The file [default: match-N.replay]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(super) struct Void {
    /// The matches, by number
    #[arg(required = true)]
    matches: Vec<u32>,
    /// Why, for the log
    #[arg(long, default_value = "by the organiser")]
    why: String,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(super) struct Rerun {
    /// The matches, by number
    #[arg(required_unless_present = "failed")]
    matches: Vec<u32>,
    /// All that could not be played
    #[arg(long)]
    failed: bool,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(super) struct NewBot {
    /// What it is called
    name: String,
    /// What it is: a built-in player, a program, a source file, a folder with either called main, a quoted command line
    bot: String,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(super) struct DropBot {
    /// What it is called
    name: String,
    /// Why, for the log
    #[arg(long, default_value = "by the organiser")]
    why: String,
    #[command(flatten)]
    folder: Folder,
}

impl Folder {
    fn path(&self) -> Result<PathBuf, Failure> {
        bots::folder(self.dir.as_deref(), "tournament")
    }

    /// The same, or the one of this plan.
    pub(super) fn path_or(&self, plan: Option<&Path>) -> Result<PathBuf, Failure> {
        match (&self.dir, plan.and_then(Path::file_stem)) {
            (None, Some(name)) => Ok(name.into()),
            _ => self.path(),
        }
    }

    /// To look at only: somebody may be playing it.
    fn look(&self) -> Result<(Store, Tournament, &'static dyn AnyGame), Failure> {
        let mut store = Store::look(&self.path()?)?;
        let tournament = Tournament::open(&mut store, &mut Vec::new())?;
        let game = games::find(&tournament.plan().game)?;
        Ok((store, tournament, game))
    }

    /// Opens the tournament to change it.
    fn open(&self) -> Result<(Store, Tournament, &'static dyn AnyGame), Failure> {
        let mut store = Store::open_existing(&self.path()?)?;
        tell_rebuilt(&store);
        let mut log = Vec::new();
        let tournament = Tournament::open(&mut store, &mut log)?;
        store.append(&log)?;
        let game = games::find(&tournament.plan().game)?;
        Ok((store, tournament, game))
    }
}

/// Says that a log was damaged where that could be made good.
pub(super) fn tell_rebuilt(store: &Store) {
    if store.was_rebuilt() {
        let folder = store.folder().display();
        console::remark(&format!(
            "the indexes of the log in {folder} were damaged, and were made again from its rows"
        ));
    }
}

/// The plan in a folder, if there is one.
pub(super) fn plan_of(store: &mut Store) -> Result<Option<TournamentPlan>, Failure> {
    let course = store.course()?;
    Ok(course.into_iter().find_map(|(_, event)| match event {
        Event::Opened { plan, .. } => Some(*plan),
        _ => None,
    }))
}

pub(super) fn status(look: &Look) -> Result<ExitCode, Failure> {
    let (store, tournament, game) = look.folder.look()?;
    let overview = tournament.overview(&Catalog::english(game.info()));
    if look.json {
        console::print_json(&overview)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text =
        format!("{} in {}: {}\n", overview.name, store.folder().display(), standings::progress(&overview));
    for stage in &overview.stages {
        let rounds = stage.rounds.map_or_else(String::new, |rounds| format!(" of {rounds}"));
        text += &match stage.round {
            0 if stage.state == StageState::Over => {
                format!("{}: {}, with nobody to meet\n", stage.name, stage.format)
            }
            0 => format!("{}: {}, to come\n", stage.name, stage.format),
            round => format!("{}: {}, round {round}{rounds}\n", stage.name, stage.format),
        };
    }
    text += &standings::troubles(&overview);
    console::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn standings(look: &Look) -> Result<ExitCode, Failure> {
    let (_, tournament, game) = look.folder.look()?;
    let overview = tournament.overview(&Catalog::english(game.info()));
    if look.json {
        console::print_json(&overview)?;
    } else {
        console::print(&standings::standings(&overview))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn matches(args: &Matches) -> Result<ExitCode, Failure> {
    let (mut store, tournament, _) = args.look.folder.look()?;
    let wanted: Vec<usize> = args
        .bot
        .iter()
        .map(|name| find(&tournament, name).map(|player| player.0 as usize))
        .collect::<Result<_, _>>()?;
    let mut matches = tournament.matches(&mut store)?;
    let meets = |line: &MatchLine| wanted.iter().all(|bot| line.seats.iter().any(|seat| seat.bot == *bot));
    let lines: Vec<MatchLine> = matches.by_ref().filter(meets).collect();
    matches.finish()?;
    if args.look.json {
        console::print_json(&lines)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = new_table();
    table.set_header(["match", "stage", "round", "map", "seed", "bots and points by seat", "turns", ""]);
    for line in &lines {
        let seats = line.seats.iter().map(|seat| {
            let fault = seat.fault.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default();
            format!("{} {}{fault}", tournament.bots()[seat.bot].name, score(seat.points))
        });
        table.add_row([
            line.number.to_string(),
            tournament.plan().stages[line.stage].name.clone(),
            line.round.to_string(),
            line.map.clone(),
            line.seed.to_string(),
            seats.collect::<Vec<_>>().join(", "),
            line.turns.to_string(),
            notes(line),
        ]);
    }
    console::print(&format!("{}\n", table.trim_fmt()))?;
    Ok(ExitCode::SUCCESS)
}

/// What else there is to say of a match: whether it counts, and which worker played it.
fn notes(line: &MatchLine) -> String {
    let state = [(line.voided, "voided"), (line.tainted, "tainted")].into_iter().find(|(is, _)| *is);
    let words = state.map(|(_, word)| word).into_iter().chain(line.worker.as_deref());
    words.collect::<Vec<_>>().join(", ")
}

pub(super) fn replay(args: &Replay) -> Result<ExitCode, Failure> {
    let number = args.number;
    let mut store = Store::look(&args.folder.path()?)?;
    let Some(bytes) = store.replay(number)? else {
        return Err(Failure::usage(format!(
            "there is no replay of match {number} in {}; palestra tournament matches lists what was played",
            store.folder().display()
        )));
    };
    let path = args.out.clone().unwrap_or_else(|| format!("{}.replay", name_of_match(number)).into());
    write_atomically(&path, |file| file.write_all(&bytes))?;
    console::print(&format!("{}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn export(folder: &Folder) -> Result<ExitCode, Failure> {
    let (mut store, tournament, game) = folder.look()?;
    let files = write_reports(&tournament, &tournament.overview(&Catalog::english(game.info())), &mut store)?;
    for file in files {
        console::print(&format!("{}\n", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the report in every form into the tournament's folder; says which files that were.
pub(super) fn write_reports(
    tournament: &Tournament,
    overview: &Overview,
    store: &mut Store,
) -> Result<Vec<PathBuf>, Failure> {
    let folder = store.folder().to_owned();
    // Matches are read while they are written: there may be very many.
    let mut matches = tournament.matches(store)?;
    let mut files: Vec<PathBuf> =
        standings::write_page(&folder, overview, matches.by_ref())?.into_iter().collect();
    matches.finish()?;
    let mut write = |name: &str, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        write_atomically(&path, |file| content(file))?;
        files.push(path);
        Ok::<(), Failure>(())
    };
    let mut matches = tournament.matches(store)?;
    write("matches.csv", &mut |file| csv::matches(overview, matches.by_ref(), file))?;
    matches.finish()?;
    write("tournament.json", &mut |file| Ok(serde_json::to_writer_pretty(file, overview)?))?;
    write("standings.csv", &mut |file| csv::standings(overview, file))?;
    write("ratings.csv", &mut |file| csv::ratings(overview, file))?;
    write("cross.csv", &mut |file| csv::cross_table(overview, file))?;
    Ok(files)
}

pub(super) fn void(args: &Void) -> Result<ExitCode, Failure> {
    let (mut store, tournament, game) = args.folder.open()?;
    known(&tournament, &args.matches)?;
    let events = args.matches.iter().map(|number| Event::Voided { number: *number, why: args.why.clone() });
    store.append(&events.collect::<Vec<_>>())?;
    after(store, game, "without it")
}

pub(super) fn rerun(args: &Rerun) -> Result<ExitCode, Failure> {
    let (mut store, tournament, game) = args.folder.open()?;
    let mut numbers = args.matches.clone();
    if args.failed {
        numbers.extend(tournament.failed());
    }
    known(&tournament, &numbers)?;
    let events: Vec<Event> = numbers.iter().map(|number| Event::Rerun { number: *number }).collect();
    store.append(&events)?;
    after(store, game, "until then")
}

/// Numbers that are no matches are told before anything is changed.
fn known(tournament: &Tournament, numbers: &[u32]) -> Result<(), Failure> {
    match numbers.iter().find(|number| !tournament.knows(**number)) {
        Some(number) => {
            Err(Failure::usage(format!("there is no match {number}; palestra tournament matches lists them")))
        }
        None => Ok(()),
    }
}

pub(super) fn add_bot(args: &NewBot) -> Result<ExitCode, Failure> {
    let (mut store, mut tournament, game) = args.folder.open()?;
    let identity = bots::identify(game, &args.bot, Path::new(""));
    bots::make_ready(game, &identity, &Guard::off(), false)?;
    let (bot, from) = tournament.welcome(&args.name)?;
    store.append(&[Event::BotAdded { bot, name: args.name.clone(), identity, from, rating: None }])?;
    console::print(&format!("{} takes part {}\n", args.name, from_when_on(&tournament, from)))?;
    after(store, game, "so far")
}

pub(super) fn replace_bot(args: &NewBot) -> Result<ExitCode, Failure> {
    let (mut store, tournament, game) = args.folder.open()?;
    let bot = find(&tournament, &args.name)?;
    let identity = bots::identify(game, &args.bot, Path::new(""));
    bots::make_ready(game, &identity, &Guard::off(), false)?;
    store.append(&[Event::BotReplaced { bot, identity }])?;
    console::print(&format!("{} is {} from the next match on\n", args.name, args.bot))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn drop_bot(args: &DropBot) -> Result<ExitCode, Failure> {
    let (mut store, tournament, game) = args.folder.open()?;
    let bot = find(&tournament, &args.name)?;
    if let Some(dropped) = &tournament.bots()[bot.0 as usize].dropped {
        console::print(&format!(
            "{} was dropped before, {} ({}); nothing changes\n",
            args.name,
            from_when_on(&tournament, dropped.from),
            dropped.why
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    let from = tournament.leaving_place(&mut store)?;
    store.append(&[Event::BotDropped { bot, why: args.why.clone(), from }])?;
    let mut log = Vec::new();
    let tournament = Tournament::open(&mut store, &mut log)?;
    store.append(&log)?;
    let missed = match tournament.missed_by(bot) {
        0 => String::new(),
        1 => ", and one match of a round that has begun is not played".to_owned(),
        matches => format!(", and {matches} matches of rounds that have begun are not played"),
    };
    console::print(&format!(
        "{} is not paired any more {}{missed}\n",
        args.name,
        from_when_on(&tournament, from)
    ))?;
    after(store, game, "so far")
}

fn from_when_on(tournament: &Tournament, from: StageRound) -> String {
    match tournament.plan().stages.get(from.stage as usize) {
        Some(stage) => format!("from round {} of {} on", from.round, stage.name),
        None => "after the end".to_owned(),
    }
}

fn find(tournament: &Tournament, name: &str) -> Result<BotNumber, Failure> {
    let place = tournament.bots().iter().position(|bot| bot.name == name);
    let names = || tournament.bots().iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ");
    place.map(|place| BotNumber(place as u32)).ok_or_else(|| {
        Failure::usage(format!("there is no bot \"{name}\" in the tournament; there are {}", names()))
    })
}

/// How it stands after a correction, and what to do next.
fn after(mut store: Store, game: &dyn AnyGame, how: &str) -> Result<ExitCode, Failure> {
    let mut log = Vec::new();
    let tournament = Tournament::open(&mut store, &mut log)?;
    store.append(&log)?;
    let overview = tournament.overview(&Catalog::english(game.info()));
    console::print(&format!("{how}:\n{}", standings::standings(&overview)))?;
    if !tournament.over() {
        let folder = store.folder().display();
        console::remark(&format!("there are matches to play; go on with palestra tournament {folder}"));
    }
    Ok(ExitCode::SUCCESS)
}
