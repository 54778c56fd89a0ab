//! One match that many pages look at: does it go on as quickly as without them?

use super::clients::Crowd;
use super::crowd::keys;
use super::stand::{Stand, plan};
use super::{Row, grouped};
use crate::console;
use crate::failure::Failure;
use serde::Deserialize;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use ureq::Agent;

/// As long as a match can be.
const TICKS: u32 = 100_000;
/// A client that is not in a hurry: the match goes through everything that is measured.
const THINKS: Duration = Duration::from_millis(1);
/// How long a match, or a page, may take to begin.
const BEGINS: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(20);
/// Moments in one piece of a match; see docs/viewer.md.
const CHUNK: u32 = 128;

pub(super) fn watchers(runtime: &Runtime, pages: u32, seconds: u32) -> Result<Vec<Row>, Failure> {
    console::remark(&format!("{pages} pages look at one match, for {seconds} s; and nobody, for as long"));
    let (stand, keys) = Stand::open(runtime, &plan(TICKS), async |store| keys(store, 2).await)?;
    let crowd = runtime.block_on(Crowd::gather(stand.gateway, keys, Some(THINKS)))?;
    crowd.play();
    let number = running(&stand)?;
    let half = Duration::from_secs_f64(f64::from(seconds) / 2.0);
    let alone_before = rate(&crowd, half);
    let audience = Audience::gather(&stand, number, pages)?;
    let (then, start) = (audience.pieces(), Instant::now());
    let watched = rate(&crowd, half * 2);
    let pieces = (audience.pieces() - then) as f64 / start.elapsed().as_secs_f64();
    audience.leave();
    let alone = (alone_before + rate(&crowd, half)) / 2.0;
    if running(&stand)? != number {
        return Err(Failure::input("the match was over too soon; ask for fewer --seconds"));
    }
    Ok(vec![Row {
        what: format!(
            "a match that {} pages look at, {} pieces of it a second: turns",
            grouped(pages.into()),
            grouped(pieces as u64)
        ),
        ours: format!("{watched:.0}/s"),
        against: format!("nobody looks, {alone:.0}/s"),
        ratio: watched / alone,
        goal: "0.95 or more",
    }])
}

/// Answers a second, from now on.
fn rate(crowd: &Crowd, time: Duration) -> f64 {
    let (before, start) = (crowd.answers(), Instant::now());
    thread::sleep(time);
    (crowd.answers() - before) as f64 / start.elapsed().as_secs_f64()
}

/// The number of the match that is being played.
fn running(stand: &Stand) -> Result<i64, Failure> {
    let start = Instant::now();
    while start.elapsed() < BEGINS {
        let live: serde_json::Value =
            serde_json::from_str(&stand.page("/api/live")?).map_err(Failure::input)?;
        if let Some(number) = live["matches"][0]["id"].as_i64() {
            return Ok(number);
        }
        thread::sleep(LOOK);
    }
    Err(Failure::input("no match has begun"))
}

/// Pages that look at a match as browsers do: they hear how far it is, and fetch what they have not seen.
struct Audience {
    over: Arc<AtomicBool>,
    pieces: Arc<AtomicU64>,
    pages: Vec<thread::JoinHandle<Result<(), ureq::Error>>>,
}

#[derive(Deserialize)]
struct Progress {
    turns: u32,
}

#[derive(Deserialize)]
struct Piece {
    first: Option<serde_json::Value>,
    changes: Vec<serde_json::Value>,
}

impl Audience {
    fn gather(stand: &Stand, number: i64, pages: u32) -> Result<Audience, Failure> {
        let (over, pieces) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let inside = Arc::new(AtomicU64::new(0));
        let page = |_| {
            let address = format!("{}/api/matches/{number}", stand.site);
            let (over, pieces, inside) = (Arc::clone(&over), Arc::clone(&pieces), Arc::clone(&inside));
            thread::spawn(move || {
                let agent = Agent::new_with_defaults();
                let answer = agent.get(format!("{address}/events")).call()?;
                inside.fetch_add(1, Ordering::Relaxed);
                look(&agent, &address, BufReader::new(answer.into_body().into_reader()), &over, &pieces)
            })
        };
        let threads: Vec<_> = (0..pages).map(page).collect();
        let start = Instant::now();
        while inside.load(Ordering::Relaxed) < pages.into() {
            if start.elapsed() > BEGINS {
                let inside = inside.load(Ordering::Relaxed);
                return Err(Failure::input(format!("only {inside} of {pages} pages were let in")));
            }
            thread::sleep(LOOK);
        }
        Ok(Audience { over, pieces, pages: threads })
    }

    /// Pieces of the match that were fetched.
    fn pieces(&self) -> u64 {
        self.pieces.load(Ordering::Relaxed)
    }

    fn leave(self) {
        self.over.store(true, Ordering::Relaxed);
        for page in self.pages {
            // What went wrong shows in the number of pieces.
            let _ = page.join();
        }
    }
}

fn look(
    agent: &Agent,
    address: &str,
    events: impl BufRead,
    over: &AtomicBool,
    pieces: &AtomicU64,
) -> Result<(), ureq::Error> {
    let (mut chunk, mut known) = (0, 0);
    for line in events.lines() {
        if over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let line = line?;
        let progress =
            line.strip_prefix("data: ").and_then(|data| serde_json::from_str::<Progress>(data).ok());
        let Some(Progress { turns }) = progress else { continue };
        if turns / CHUNK != chunk {
            (chunk, known) = (turns / CHUNK, 0);
        }
        let frames = agent.get(format!("{address}/frames?every=1&chunk={chunk}&after={known}")).call()?;
        let piece: Piece = frames.into_body().read_json()?;
        known += usize::from(piece.first.is_some()) + piece.changes.len();
        pieces.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}
