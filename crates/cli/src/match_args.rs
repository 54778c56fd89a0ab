//! What every command that plays has in common: the game's options, the map, the bots.

use crate::console;
use crate::failure::Failure;
use crate::report::counted;
use palestra_core::{AnyGame, Plan, PlanRequest, Rng, Seat, TimeControl, limits};
use palestra_queue::messages::Sandbox;
use palestra_runner::{Asked, Bot, Cores, Guard, Level, Workshop, read_text};
use std::io::PipeWriter;
use std::path::{Path, PathBuf};

/// How bots are kept from doing harm.
#[derive(clap::Args)]
pub(crate) struct GuardArgs {
    /// How bots are kept from doing harm: off, auto, or strict; `palestra doctor` tells what this machine gives
    /// [default: auto]
    ///
    /// At every level nothing of a bot outlives its match, and one that computes while it is not its turn is stopped then.
    ///
    /// off: nothing more.
    ///
    /// auto: memory and processes are limited where this machine has control groups, open files and file sizes everywhere;
    /// there are no core dumps. Bots see what you see.
    ///
    /// strict: the same limits everywhere (without control groups, memory is limited process by process), and on scratch space;
    /// compilers too. There is no network, there are no other processes, and no files but the system's programs and the
    /// bot's own: its file, or its folder if it is called main (main.py, main.cpp, main).
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<Level>,
    /// The most memory of a bot, all its processes together: 512M, 2G [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    /// The most processes and threads of a bot [default: 64]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=PROCESSES))]
    processes: Option<u32>,
}

/// The least memory that a bot can be given: less, and hardly any could start.
const LEAST_MEMORY: u64 = 16 << 20;
/// The most processes that a bot can be given.
const PROCESSES: i64 = 4096;

/// Bytes, or so many K, M or G of them, in powers of 1024.
fn memory_size(text: &str) -> Result<u64, String> {
    let unit = |end: char| text.strip_suffix([end, end.to_ascii_lowercase()]);
    let (number, shift) = match (unit('K'), unit('M'), unit('G')) {
        (Some(number), _, _) => (number, 10),
        (_, Some(number), _) => (number, 20),
        (_, _, Some(number)) => (number, 30),
        _ => (text, 0),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    match bytes {
        None => Err("write a number with K, M or G, as in 512M".to_owned()),
        Some(bytes) if bytes < LEAST_MEMORY => Err(format!("it must be {}M or more", LEAST_MEMORY >> 20)),
        Some(bytes) => Ok(bytes),
    }
}

impl GuardArgs {
    /// The guard at this level, or what this machine lacks for it.
    pub(crate) fn guard(&self) -> Result<Guard, Failure> {
        self.guard_unless(None)
    }

    /// The same, at the level of a plan unless the command line says otherwise.
    pub(crate) fn guard_unless(&self, planned: Option<Level>) -> Result<Guard, Failure> {
        // Whoever is about to play does so without the bots of somebody who was killed.
        let ended = palestra_runner::end_orphans();
        if ended > 0 {
            let processes = counted(ended as u64, "process");
            console::remark(&format!("ended {processes} of bots whose palestra had been killed"));
        }
        Guard::with(self.sandbox.or(planned).unwrap_or_default(), self.asked()).map_err(Failure::usage)
    }

    /// The same for workers on other machines.
    pub(crate) fn sandbox_elsewhere(&self, planned: Option<Level>) -> Sandbox {
        Sandbox::new(self.sandbox.or(planned).unwrap_or_default(), self.asked())
    }

    fn asked(&self) -> Asked {
        Asked { memory_bytes: self.memory, processes: self.processes }
    }
}

/// What differs from the game's own settings and time control.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    /// Changes a setting of the game, e.g. --set max_turns=300; can be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) settings: Vec<(String, String)>,
    /// The time control: 2s+1ms (bank and increment), 250ms/answer, or none; the game's own unless given
    #[arg(long)]
    pub(crate) time: Option<TimeControl>,
}

impl GameArgs {
    pub(crate) fn check(&self, game: &dyn AnyGame) -> Result<(), Failure> {
        game.check_settings(&self.settings).map_err(Failure::usage)
    }
}

/// How a match is set up.
#[derive(clap::Args)]
pub(crate) struct MatchArgs {
    /// The map: a file, or the name of one that ships with the game (see `palestra games GAME`)
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// Decides everything left to chance: the generated map, the seating with --shuffle, built-in players
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The cores of the match: shared (one for it and all its bots, the fastest), any (left to the system), or numbers
    #[arg(long, default_value_t)]
    pub(crate) cores: Cores,
}

pub(crate) fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write KEY=VALUE".to_owned()),
    }
}

impl MatchArgs {
    /// The seed asked for, or a new one.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(new_seed)
    }

    /// What the match begins with.
    pub(crate) fn plan(&self, game: &dyn AnyGame, players: usize, seed: u64) -> Result<Plan, Failure> {
        self.game.check(game)?;
        let map = self.map.as_deref().map(|path| read_map(game, path, Path::new(""))).transpose()?;
        plan(
            game,
            &self.game.settings,
            map.as_ref().map(|(path, text)| (path.as_path(), text.as_str())),
            players,
            seed,
        )
    }
}

/// What a match begins with, from settings that are known to be good and a map file's text.
pub(crate) fn plan(
    game: &dyn AnyGame,
    settings: &[(String, String)],
    map: Option<(&Path, &str)>,
    players: usize,
    seed: u64,
) -> Result<Plan, Failure> {
    let info = game.info();
    if players < usize::from(info.min_seats) || players > limits::SEATS {
        return Err(Failure::usage(format!(
            "{} is played by {} to {} bots, and {players} were given",
            info.title, info.min_seats, info.max_seats
        )));
    }
    let request =
        PlanRequest { changes: settings, map: map.map(|(_, text)| text), players: players as u8, seed };
    let plan = match map {
        Some((path, _)) => game.plan(&request).map_err(Failure::in_file(path))?,
        None => game.plan(&request).map_err(Failure::usage)?,
    };
    if usize::from(plan.seats) != players {
        let place =
            map.map_or_else(|| "the map".to_owned(), |(path, _)| format!("the map {}", path.display()));
        return Err(Failure::usage(format!(
            "{place} is for {} players, and {players} bots were given",
            plan.seats
        )));
    }
    Ok(plan)
}

/// A map's text: from a file in this folder, or one that ships.
pub(crate) fn read_map(game: &dyn AnyGame, path: &Path, folder: &Path) -> Result<(PathBuf, String), Failure> {
    let file = folder.join(path);
    if !file.exists()
        && let Some(map) = game.maps().iter().find(|map| path == Path::new(map.name))
    {
        return Ok((path.to_owned(), map.text.to_owned()));
    }
    let text = read_text(&file, limits::MAP_BYTES).map_err(|error| {
        let names: Vec<&str> = game.maps().iter().map(|map| map.name).collect();
        Failure::input(format!("{error}; maps that ship with {} are {}", game.info().id, names.join(", ")))
    })?;
    Ok((path.to_owned(), text))
}

/// The name that stands for a person.
pub(crate) const HUMAN: &str = "human";

/// Makes bots ready, by name.
pub(crate) fn bots(
    game: &dyn AnyGame,
    names: &[String],
    guard: &Guard,
    quiet: bool,
) -> Result<Vec<Bot>, Failure> {
    if names.iter().any(|name| name == HUMAN) {
        return Err(Failure::usage("a human can only take a seat in palestra play"));
    }
    Ok(lineup(game, names, guard, true, quiet)?.bots)
}

/// Who plays a match.
pub(crate) struct Lineup {
    /// By seat, people included.
    pub(crate) bots: Vec<Bot>,
    /// The seats of people, and where their answers go.
    pub(crate) people: Vec<(Seat, PipeWriter)>,
}

/// Makes bots and people ready, by name. If `timed`, people have a clock too.
pub(crate) fn lineup(
    game: &dyn AnyGame,
    names: &[String],
    guard: &Guard,
    timed: bool,
    quiet: bool,
) -> Result<Lineup, Failure> {
    let workshop = Workshop::open(guard)?;
    let mut tell = |text: &str| {
        if !quiet {
            console::remark(text);
        }
    };
    let (mut bots, mut people) = (Vec::with_capacity(names.len()), Vec::new());
    for (index, name) in names.iter().enumerate() {
        bots.push(if name == HUMAN {
            let (person, answers) = Bot::person(name.clone(), timed)?;
            people.push((Seat::at(index), answers));
            person
        } else {
            workshop.bot(game, name, &mut tell)?
        });
    }
    Ok(Lineup { bots, people })
}

/// The order in which `--shuffle` seats the bots.
pub(crate) fn seating(seed: u64, names: &mut [String]) {
    Rng::stream(seed, "seating", 0).shuffle(names);
}

/// A seed nobody asked for: short enough to type again.
pub(crate) fn new_seed() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    // The standard library seeds its hash tables from the system's randomness; that is enough to differ.
    std::collections::hash_map::RandomState::new().build_hasher().finish() % 1_000_000_000
}
