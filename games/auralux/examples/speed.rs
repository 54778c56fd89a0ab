//! Player turns per second of games between built-in players, on one thread.
//!
//! `cargo run --release -p palestra-auralux --example speed`
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads the clock and prints; the rules do not"
)]

use palestra_auralux::{Auralux, Settings};
use palestra_core::play::play;
use palestra_core::{Bot, BotSeat, Game, Notes, Seat};
use std::time::{Duration, Instant};

fn main() {
    println!("{:<58} {:>12} {:>9} {:>7}", "game", "turns/s", "ns/turn", "games");
    measure("four", &["afk"; 4]);
    measure("four", &["upgrade_and_repair_main"; 4]);
    measure("four", &["aggressive_expansion_nearest"; 4]);
    measure("four", &["aggressive_expansion_random"; 4]);
    measure("four", &["aggressive_expansion_nearest_with_sort"; 4]);
    measure("duel", &["aggressive_expansion_nearest"; 2]);
    measure("four", &["admiral"; 4]);
    measure("duel", &["admiral", "aggressive_expansion_nearest"]);
}

/// Plays for about a second; a game that is over begins again.
fn measure(map: &str, names: &[&str]) {
    let settings = Settings::default();
    let text = Auralux::MAPS.iter().find(|sample| sample.name == map).expect("a sample map").text;
    let setup = Auralux::read_setup(&settings, text).expect("a good map");
    let mut notes = Notes::counted();
    let mut turns = 0;
    let mut games = 0;
    let mut seed = 0;
    let mut spent = Duration::ZERO;
    while spent < Duration::from_secs(1) {
        seed += 1;
        let mut bots: Vec<Box<dyn Bot<Auralux>>> =
            Seat::all(names.len() as u8).map(|seat| built_in(names[seat.index()], seat, seed)).collect();
        let mut state = Auralux::start(&settings, &setup, seed).expect("a good start");
        let begin = Instant::now();
        turns += play::<Auralux>(&mut state, &mut bots, &mut notes, u64::MAX);
        spent += begin.elapsed();
        games += 1;
    }
    let nanos = spent.as_nanos() as u64;
    println!(
        "{:<58} {:>12} {:>9} {:>7}",
        format!("{map}: {}", players(names)),
        u128::from(turns) * 1_000_000_000 / u128::from(nanos),
        nanos / turns.max(1),
        games
    );
}

fn players(names: &[&str]) -> String {
    let alike = names.iter().all(|name| *name == names[0]);
    if alike { format!("{} x {}", names.len(), names[0]) } else { names.join(" against ") }
}

fn built_in(name: &str, seat: Seat, seed: u64) -> Box<dyn Bot<Auralux>> {
    let found = Auralux::BUILT_INS.iter().find(|built_in| built_in.name == name).expect("a built-in player");
    (found.make)(BotSeat { seat, seed, argument: None }).expect("it takes no argument")
}
