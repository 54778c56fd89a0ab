//! What a worker offers, measured when it starts.

use super::{OfferSummary, WorkerCounts, WorkerOptions};
use crate::limits;
use crate::messages::FORMAT;
use crate::need::{Offer, is_name, own_system};
use palestra_core::{AnyGame, PlanRequest};
use palestra_runner::{Guard, Level, Workshop};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A name for a worker of this machine that no other one has.
pub fn new_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let fits = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let host: String = host.trim().chars().filter(fits).take(40).collect();
    let host = if is_name(&host) { host } else { "worker".to_owned() };
    format!("{host}-{}", &crate::dispatch::new_run()[..4])
}

/// What this machine offers.
pub(super) fn measure(games: &[&'static dyn AnyGame], options: &WorkerOptions, places: u32) -> Offer {
    let rules = games.iter().map(|game| (game.info().id.to_owned(), game.info().rules_version)).collect();
    let mut sandboxes = vec![Level::Off.to_string(), Level::Auto.to_string()];
    if options.strict {
        sandboxes.push(Level::Strict.to_string());
    }
    Offer {
        name: options.name.clone(),
        session: crate::dispatch::new_session(),
        version: options.version.clone(),
        format: FORMAT,
        rules,
        toolchains: toolchains(),
        sandboxes,
        system: own_system(),
        places,
        speed: games.first().map_or(0.0, |game| speed(*game)),
        playing: 0,
        played: 0,
    }
}

impl Offer {
    /// With what it does now.
    pub(super) fn now(&self, counts: &WorkerCounts, begun: usize) -> Offer {
        Offer { playing: begun as u32, played: counts.played.load(Ordering::Relaxed), ..self.clone() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an offer is plain data")
    }

    pub(super) fn summary(&self) -> OfferSummary {
        OfferSummary {
            name: self.name.clone(),
            places: self.places,
            sandboxes: self.sandboxes.clone(),
            toolchains: self.toolchains.iter().map(|(name, tool)| (name.clone(), tool.clone())).collect(),
            speed: self.speed as u64,
        }
    }
}

/// Toolchains that can be used, and what their tools say about their versions.
fn toolchains() -> BTreeMap<String, String> {
    let guard = Guard::off();
    let Ok(workshop) = Workshop::open(&guard) else { return BTreeMap::new() };
    let usable =
        workshop.toolchains().into_iter().filter_map(|status| Some((status.name, status.tool.ok()?)));
    usable.map(|(name, tool)| (name, version(&tool).unwrap_or_else(|| tool.display().to_string()))).collect()
}

/// The first line that a tool prints about its version.
fn version(tool: &Path) -> Option<String> {
    let argument = match tool.file_name()?.to_str()? {
        "go" => "version",
        "fpc" => "-iV",
        _ => "--version",
    };
    let mut command = Command::new(tool);
    command.arg(argument).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    palestra_runner::mark(&mut command);
    let mut child = command.spawn().ok()?;
    let deadline = Instant::now() + limits::TOOL_VERSION;
    while child.try_wait().ok()?.is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut text = String::new();
    child.stdout.take()?.take(1 << 10).read_to_string(&mut text).ok()?;
    Some(text.lines().next()?.chars().filter(|c| !c.is_control()).take(100).collect())
}

/// Turns between built-in players in a second, on one core: the weakest, who take no time to think.
fn speed(game: &dyn AnyGame) -> f64 {
    let players = game.sparring_ladder();
    let Some(player) = players.first() else { return 0.0 };
    let (start, mut turns, mut seed) = (Instant::now(), 0, 0);
    while start.elapsed() < limits::SPEED {
        seed += 1;
        let request = PlanRequest { changes: &[], map: None, players: 2, seed };
        let Ok(rollout) = game.plan(&request).and_then(|plan| game.rollout(&plan, player.name, seed, false))
        else {
            return 0.0;
        };
        turns += rollout();
    }
    turns as f64 / start.elapsed().as_secs_f64()
}
