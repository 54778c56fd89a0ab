//! The rows of each game: what the file `bench.toml` in its folder asks to be measured.

use super::{Table, best, thousands};
use palestra_core::{AnyGame, Plan, PlanRequest};
use palestra_games::GAMES;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a rule is measured for, three times.
const SECONDS: f64 = 1.5;

/// A game, and what is measured of it.
pub(super) struct Measured {
    pub(super) game: &'static dyn AnyGame,
    pub(super) bench: Bench,
}

/// What `bench.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bench {
    /// The built-in players of the match that the viewer shows.
    pub(super) shown: Vec<String>,
    #[serde(default)]
    rules: Vec<Rules>,
    pub(super) idle: Option<Idle>,
    /// Environments for training: python/examples/speed.py reads that.
    #[serde(default, rename = "batch")]
    _batch: IgnoredAny,
}

/// Whole games between built-in players in one process.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    what: String,
    /// The numbers that its map is made from.
    map: Vec<u32>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    /// Who sits on every seat.
    player: String,
    /// Whether what the player to move is sent is written in every turn.
    #[serde(default)]
    text: bool,
    /// Threads over independent games.
    #[serde(default = "one")]
    threads: usize,
    /// What the rate is held against: a number of turns per second,
    yardstick: Option<f64>,
    /// or that of another row of this file.
    against: Option<Against>,
    #[serde(default = "one_or_more")]
    goal: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Against {
    row: usize,
    called: String,
}

/// A match between two programs that do nothing: they write `pass` after so many lines in every turn, and read so many at
/// the start.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Idle {
    pub(super) what: String,
    /// The numbers that its map is made from.
    map: Vec<u32>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
    pub(super) pass: String,
    pub(super) hello_lines: u32,
    pub(super) ask_lines: u32,
}

fn one() -> usize {
    1
}

fn one_or_more() -> String {
    "1 or more".to_owned()
}

/// Every game of the list.
pub(super) fn measured() -> impl Iterator<Item = Measured> {
    GAMES.iter().map(|game| {
        let file = folder(*game).join("bench.toml");
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let bench = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Measured { game: *game, bench }
    })
}

fn folder(game: &dyn AnyGame) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = here.join("../../games").join(game.info().id);
    if shipped.is_dir() { shipped } else { here.join("tests/fixtures").join(game.info().id) }
}

fn plan(game: &dyn AnyGame, map: &[u32], settings: &BTreeMap<String, String>) -> Plan {
    let map = game.generate(&[], map, 1).expect("a map");
    let changes: Vec<(String, String)> = settings.clone().into_iter().collect();
    let request = PlanRequest { changes: &changes, map: Some(&map), players: 2, seed: 1 };
    game.plan(&request).expect("a sound plan")
}

impl Idle {
    pub(super) fn plan(&self, game: &dyn AnyGame) -> Plan {
        plan(game, &self.map, &self.settings)
    }
}

pub(super) fn in_process(table: &mut Table) {
    for Measured { game, bench } in measured() {
        let mut rates: Vec<f64> = Vec::new();
        for rules in &bench.rules {
            let plan = plan(game, &rules.map, &rules.settings);
            let rate = best(3, || {
                std::thread::scope(|scope| {
                    let measure = || rate_of(game, &plan, rules);
                    let threads: Vec<_> = (0..rules.threads).map(|_| scope.spawn(measure)).collect();
                    threads.into_iter().map(|thread| thread.join().expect("it measures")).sum()
                })
            });
            let (yardstick, called) = yardstick(&rules.what, rules.against.as_ref(), rules.yardstick, &rates);
            let what = format!("{}, {}", game.info().title, rules.what);
            table.row(&what, many(rate), &called, rate / yardstick, &rules.goal);
            rates.push(rate);
        }
    }
}

/// What a rate is held against, and what that is called.
fn yardstick(what: &str, against: Option<&Against>, rate: Option<f64>, rates: &[f64]) -> (f64, String) {
    match (against, rate) {
        (Some(against), None) => (rates[against.row], against.called.clone()),
        (None, Some(yardstick)) => (yardstick, many(yardstick)),
        _ => panic!("{what}: one of against and yardstick"),
    }
}

fn many(rate: f64) -> String {
    if rate < 1e6 { thousands(rate) } else { format!("{:.2} million/s", rate / 1e6) }
}

/// Player turns per second of whole games, one after the other; setting them up does not count.
fn rate_of(game: &dyn AnyGame, plan: &Plan, rules: &Rules) -> f64 {
    let (mut turns, mut seed, mut took) = (0, 0, Duration::ZERO);
    while took.as_secs_f64() < SECONDS {
        let rollout = game.rollout(plan, &rules.player, seed, rules.text).expect("a game");
        let start = Instant::now();
        turns += rollout();
        took += start.elapsed();
        seed += 1;
    }
    turns as f64 / took.as_secs_f64()
}
