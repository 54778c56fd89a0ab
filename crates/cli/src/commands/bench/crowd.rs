//! Clients that play each other without a pause: is any answer called late, and what is the arena's own share of a turn?

use super::clients::Crowd;
use super::measures::Measures;
use super::stand::{Stand, plan};
use super::{Row, grouped};
use crate::console;
use crate::failure::Failure;
use palestra_arena::store::Store;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Short enough that matches end and others begin while they are measured, all at about the same time.
const TICKS: u32 = 100;
/// The goal for the arena's own share, in seconds.
const SHARE: f64 = 0.005;
const LOOK: Duration = Duration::from_millis(250);

struct Seen {
    counted: Measures,
    answers: u64,
    most: u64,
    connected: usize,
    seconds: f64,
}

pub(super) fn crowd(runtime: &Runtime, clients: u32, seconds: u32) -> Result<Vec<Row>, Failure> {
    let seen = play(runtime, clients, seconds)?;
    let what = format!(
        "{} clients in {} matches at the same time: answers called late",
        grouped(seen.connected as u64),
        grouped(seen.most)
    );
    Ok(vec![Row {
        what,
        ours: grouped(seen.counted.late),
        against: format!("{} answers, {} a second", grouped(seen.answers), grouped(seen.rate())),
        ratio: seen.counted.late as f64 / seen.answers.max(1) as f64,
        goal: "none",
    }])
}

pub(super) fn turns(runtime: &Runtime, clients: u32, seconds: u32) -> Result<Vec<Row>, Failure> {
    let seen = play(runtime, clients, seconds)?;
    let share = seen.counted.share(0.99);
    let what = format!(
        "{} matches of clients at the same time: the arena's own share of a turn at the 99th percentile",
        grouped(seen.most)
    );
    Ok(vec![Row {
        what,
        ours: format!("{:.2} ms (median {:.2} ms)", share * 1e3, seen.counted.share(0.5) * 1e3),
        against: format!("{:.0} ms", SHARE * 1e3),
        ratio: share / SHARE,
        goal: "1 or less",
    }])
}

impl Seen {
    fn rate(&self) -> u64 {
        (self.answers as f64 / self.seconds) as u64
    }
}

/// Lets everybody in, and then has everybody play.
fn play(runtime: &Runtime, clients: u32, seconds: u32) -> Result<Seen, Failure> {
    console::remark(&format!("{clients} clients come in and play for {seconds} s"));
    let (stand, keys) = Stand::open(runtime, &plan(TICKS), async |store| keys(store, clients).await)?;
    let mut crowd = runtime.block_on(Crowd::gather(stand.gateway, keys, None))?;
    let before = stand.measures()?;
    let start = Instant::now();
    crowd.play();
    let mut most = 0;
    while start.elapsed() < Duration::from_secs(seconds.into()) {
        std::thread::sleep(LOOK);
        // One that is being written down counts for a moment while its players are in the next.
        most = most.max(stand.measures()?.running.min(u64::from(clients) / 2));
    }
    let counted = stand.measures()?.since(&before);
    let (answers, seconds) = (crowd.answers(), start.elapsed().as_secs_f64());
    Ok(Seen { counted, answers, most, connected: crowd.connected(), seconds })
}

/// Keys of so many players.
pub(super) async fn keys(store: &Store, players: u32) -> Result<Vec<String>, Failure> {
    let mut keys = Vec::new();
    for number in 1..=players {
        let (_, key) = store.add_program(&format!("client-{number}")).await.map_err(Failure::input)?;
        keys.push(key);
    }
    Ok(keys)
}
