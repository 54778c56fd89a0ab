//! `palestra worker`: plays what servers put into a queue.

use crate::console;
use crate::failure::Failure;
use crate::live::{Live, Snapshot};
use crate::report::counted;
use crate::signals;
use metrics::{counter, gauge};
use metrics_exporter_prometheus::PrometheusBuilder;
use palestra_games::GAMES;
use palestra_queue::{
    Address, Ended, OfferSummary, Worker, WorkerCounts, WorkerNews, WorkerOptions, is_name, limits, new_name,
};
use palestra_runner::{Guard, Interrupt, Level};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Play matches for servers on other machines, from a queue
///
/// Takes as many matches as it has places, fetches their programs, compiles and plays them here in the sandbox that the
/// server asks for, and sends back results, replays and standard error. Stop it whenever you like: Ctrl-C finishes what is
/// being played, a second one breaks it off, and what is not played is played by others.
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra worker nats://server:4222                       every core of this machine plays
  palestra worker nats://server:4222 --places 2 --name pc7
  palestra worker tls://server:4222 --creds pc7.creds      as palestra event workers add has written it
  palestra tournament cup.toml --queue nats://server:4222  the matches, from another machine

Exit codes: 0 it was stopped, 1 the server counts nothing of it any more, 2 usage, or the queue cannot be reached.")]
pub(crate) struct Args {
    /// Where the queue is: nats://host:4222, or tls://host:4222; several servers of a cluster with commas between them
    address: String,
    /// How this worker shows the queue who it is: a file of credentials
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// Certificates of authorities that may vouch for the queue, instead of the system's
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// What this worker is called; no two may be called the same [default: this machine's name and some letters]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Matches at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=limits::PLACES as i64))]
    places: Option<u32>,
    /// Print one JSON object a line for everything that happens
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    /// Tell Prometheus what it does, at http://ADDRESS/metrics
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
}

/// Between two pictures of how it goes.
const SHOW_EVERY: Duration = Duration::from_millis(250);
/// Matches whose lines are shown.
const RESULTS: usize = 5;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut address: Address = args.address.parse().map_err(Failure::usage)?;
    address.credentials.clone_from(&args.creds);
    address.certificates.clone_from(&args.ca);
    let made_for = address.worker().map_err(Failure::usage)?;
    let name = args.name.clone().or(made_for).unwrap_or_else(new_name);
    if !is_name(&name) {
        let most = limits::NAME_BYTES;
        return Err(Failure::usage(format!(
            "a worker cannot be called {name:?}; write up to {most} letters, digits, - and _"
        )));
    }
    palestra_runner::end_orphans();
    if let Some(address) = args.metrics {
        let measures = PrometheusBuilder::new().install_recorder().map_err(Failure::input)?;
        palestra_server::tell_measures(address, move || measures.render())
            .map_err(|error| Failure::usage(format!("metrics cannot be told at {address}: {error}")))?;
    }
    let options = WorkerOptions {
        name: name.clone(),
        places: args.places.map(|places| places as usize),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        strict: Guard::new(Level::Strict).is_ok(),
        cache: None,
    };
    let (stop, break_off) = (Interrupt::new()?, Interrupt::new()?);
    // The first Ctrl-C finishes, the second breaks off, the third ends this program at once.
    signals::raise_in_turn(vec![stop.clone(), break_off.clone()])?;
    let show = Arc::new(Show {
        json: args.json,
        live: Mutex::new(Some(Live::new(&format!("worker {name}"), args.quiet || args.json))),
        last: Mutex::default(),
        start: Instant::now(),
    });
    let listener = {
        let show = Arc::clone(&show);
        Arc::new(move |news| show.hear(news))
    };
    let worker = Worker::new(GAMES, address, options, listener);
    let (counts, show_too) = (Arc::clone(&worker.counts), Arc::clone(&show));
    thread::spawn(move || {
        loop {
            thread::sleep(SHOW_EVERY);
            show_too.picture(&counts);
        }
    });
    let counts = Arc::clone(&worker.counts);
    let ended = worker.run(&stop, &break_off).map_err(Failure::usage)?;
    let played = counts.played.load(Ordering::Relaxed);
    show.end(&json!({ "what": "ended", "played": played }), &format!("played {}", counted(played, "match")));
    Ok(match ended {
        Ended::Stopped => ExitCode::SUCCESS,
        Ended::SetAside(_) => ExitCode::from(crate::failure::NOT_SO),
    })
}

/// Tells what the worker does.
struct Show {
    json: bool,
    /// Nothing once it has ended.
    live: Mutex<Option<Live>>,
    /// The last matches.
    last: Mutex<VecDeque<String>>,
    start: Instant,
}

impl Show {
    fn hear(&self, news: WorkerNews) {
        if self.json {
            self.print(&told(&news));
            return;
        }
        let text = match news {
            WorkerNews::Played { game, number, time } => {
                let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                last.push_back(format!("{game}, match {number}: {:.2} s", time.as_secs_f64()));
                if last.len() > RESULTS {
                    last.pop_front();
                }
                return;
            }
            WorkerNews::Ready(offer) => ready(&offer),
            WorkerNews::Lacks(lack) => format!("there is work that cannot be played here: {lack}"),
            WorkerNews::Trouble { number, why } => format!("match {number} could not be played: {why}"),
            WorkerNews::Later(why) => why,
            WorkerNews::SetAside(why) => format!("the server has set this worker aside: {why}"),
        };
        if let Some(live) = &*self.live.lock().unwrap_or_else(PoisonError::into_inner) {
            live.log(&text);
        }
    }

    fn print(&self, line: &Value) {
        // Whoever read it is gone; the matches go on.
        let _ = console::print(&format!("{line}\n"));
    }

    fn picture(&self, counts: &WorkerCounts) {
        let played = counts.played.load(Ordering::Relaxed);
        let troubles = counts.troubles.load(Ordering::Relaxed);
        let playing = counts.playing.load(Ordering::Relaxed);
        counter!("palestra_worker_matches_total").absolute(played);
        counter!("palestra_worker_troubles_total").absolute(troubles);
        gauge!("palestra_worker_playing").set(playing);
        gauge!("palestra_worker_waiting").set(counts.waiting.load(Ordering::Relaxed));
        counter!("palestra_worker_busy_microseconds_total").absolute(counts.busy.load(Ordering::Relaxed));
        let snapshot = Snapshot {
            done: played,
            rate: played as f64 / self.start.elapsed().as_secs_f64().max(0.001),
            first: Some(format!("playing {}", counted(playing.into(), "match"))),
            results: self.last.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect(),
            faults: (troubles > 0).then(|| format!("{} could not be played", counted(troubles, "match"))),
            ..Snapshot::default()
        };
        if let Some(live) = &mut *self.live.lock().unwrap_or_else(PoisonError::into_inner) {
            live.update(&snapshot);
        }
    }

    fn end(&self, line: &Value, text: &str) {
        if let Some(live) = self.live.lock().unwrap_or_else(PoisonError::into_inner).take() {
            live.finish();
        }
        match self.json {
            true => self.print(line),
            false => console::remark(text),
        }
    }
}

/// "worker pc7: 2 places, sandbox off, auto, strict; C (gcc 12.2), ..."
fn ready(offer: &OfferSummary) -> String {
    let tools: Vec<String> = offer.toolchains.iter().map(|(name, tool)| format!("{name} ({tool})")).collect();
    format!(
        "worker {}: {}, {:.1} million turns a second; sandbox {}; {}",
        offer.name,
        counted(offer.places.into(), "place"),
        offer.speed as f64 / 1e6,
        offer.sandboxes.join(", "),
        tools.join(", ")
    )
}

fn told(news: &WorkerNews) -> Value {
    match news {
        WorkerNews::Ready(offer) => json!({
            "what": "ready",
            "name": offer.name,
            "places": offer.places,
            "sandboxes": offer.sandboxes,
            "toolchains": offer.toolchains.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "turns_per_second": offer.speed,
        }),
        WorkerNews::Lacks(lack) => {
            json!({ "what": "lacks", "why": lack.to_string(), "update": lack.is_old() })
        }
        WorkerNews::Played { game, number, time } => {
            json!({ "what": "played", "game": game, "match": number, "ms": time.as_millis() as u64 })
        }
        WorkerNews::Trouble { number, why } => json!({ "what": "not_played", "match": number, "why": why }),
        WorkerNews::Later(why) => json!({ "what": "later", "why": why }),
        WorkerNews::SetAside(why) => json!({ "what": "set_aside", "why": why }),
    }
}
