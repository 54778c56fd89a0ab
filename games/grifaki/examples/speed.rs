//! How many player turns a second the rules, the text and the built-in players make.
//!
//! `cargo run --release -p palestra-grifaki --example speed`
#![allow(clippy::disallowed_types, clippy::print_stdout, reason = "a measurement needs a clock and prints")]

use palestra_core::{Bot, BotSeat, Eye, Game, Input, Notes, Protocol, Seat, play};
use palestra_grifaki::{Action, Grifaki, Map, Settings};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LENGTH: Duration = Duration::from_millis(1500);

fn main() {
    for (side, players) in [(20, 2), (20, 4), (50, 8)] {
        let map = map(side, players);
        for name in ["random", "expander", "warlord"] {
            let what = format!("{side} x {side}, {players} x {name}");
            report(&what, |seed| play_game(&map, name, players, seed));
        }
        let what = format!("{side} x {side}, {players} x expander, every ask written");
        report(&what, |seed| play_and_ask(&map, "expander", players, seed));
    }
}

fn map(side: u32, players: u32) -> Map {
    Grifaki::generate(&Settings::default(), &[side, side, players], 7).expect("a usual map")
}

fn report(what: &str, mut game: impl FnMut(u64) -> u64) {
    let begin = Instant::now();
    let (mut turns, mut games) = (0, 0);
    while begin.elapsed() < LENGTH {
        turns += game(games);
        games += 1;
    }
    let nanos = begin.elapsed().as_nanos() as u64;
    let per_second = turns * 1_000_000_000 / nanos;
    println!(
        "{what:45} {per_second:>10} turns/s {:>6} ns/turn {:>6} turns/game",
        nanos / turns,
        turns / games
    );
}

fn bots(name: &str, players: u32, seed: u64) -> Vec<Box<dyn Bot<Grifaki>>> {
    let built_in = Grifaki::BUILT_INS.iter().find(|bot| bot.name == name).expect("a built-in player");
    Seat::all(players as u8)
        .map(|seat| {
            let seed = seed * 64 + u64::from(seat.number());
            (built_in.make)(BotSeat { seat, seed, argument: None }).expect("it takes no argument")
        })
        .collect()
}

fn play_game(map: &Map, name: &str, players: u32, seed: u64) -> u64 {
    let mut state = Grifaki::start(&Settings::default(), map, seed).expect("a usual map");
    let mut bots = bots(name, players, seed);
    play::play::<Grifaki>(&mut state, &mut bots, &mut Notes::counted(), u64::MAX)
}

fn play_and_ask(map: &Map, name: &str, players: u32, seed: u64) -> u64 {
    let mut state = Grifaki::start(&Settings::default(), map, seed).expect("a usual map");
    let mut bots = bots(name, players, seed);
    let mut notes = Notes::counted();
    let mut action = Action::default();
    let mut text = Vec::new();
    let mut turns = 0;
    while let Some(seat) = Grifaki::to_move(&state) {
        let view = Grifaki::view(&state, Eye::Seat(seat));
        text.clear();
        Grifaki::ask(view, &mut text);
        black_box(&text);
        bots[seat.index()].act(view, &mut action).expect("built-in players do not fail");
        Grifaki::apply(&mut state, seat, Input::Answer(&action), &mut notes);
        turns += 1;
    }
    turns
}
