//! How many ticks a second the rules, the text and the built-in players make.
//!
//! `cargo run --release -p palestra-rps --example speed`
#![allow(clippy::disallowed_types, clippy::print_stdout, reason = "a measurement needs a clock and prints")]

use palestra_core::{Bot, BotSeat, Eye, Game, Input, Notes, Protocol, Seat, play};
use palestra_rps::{Action, Arena, Rps, Settings};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LENGTH: Duration = Duration::from_millis(1500);

fn main() {
    for names in [
        ["bot", "bot"],
        ["bot", "random"],
        ["random", "random"],
        ["greedy", "random"],
        ["greedy", "greedy"],
        ["marshal", "random"],
        ["marshal", "greedy"],
        ["marshal", "marshal"],
    ] {
        let what = names.join(" against ");
        report(&what, |seed| play_match(names, seed));
        report(&format!("{what}, every packet written"), |seed| play_and_ask(names, seed));
    }
}

fn report(what: &str, mut game: impl FnMut(u64) -> u64) {
    let begin = Instant::now();
    let (mut ticks, mut games) = (0, 0);
    while begin.elapsed() < LENGTH {
        ticks += game(games);
        games += 1;
    }
    let nanos = begin.elapsed().as_nanos() as u64;
    let per_second = ticks * 1_000_000_000 / nanos;
    println!(
        "{what:50} {per_second:>10} ticks/s {:>6} ns/tick {:>6} ticks/match",
        nanos / ticks,
        ticks / games
    );
}

fn bots(names: [&str; 2], seed: u64) -> Vec<Box<dyn Bot<Rps>>> {
    let bot = |(index, name): (usize, &str)| {
        let built_in = Rps::BUILT_INS.iter().find(|bot| bot.name == name).expect("a built-in player");
        let seat = BotSeat { seat: Seat::at(index), seed: seed * 2 + index as u64, argument: None };
        (built_in.make)(seat).expect("it takes no argument")
    };
    names.into_iter().enumerate().map(bot).collect()
}

fn arena() -> Arena {
    Arena::new(20).expect("the usual size")
}

fn play_match(names: [&str; 2], seed: u64) -> u64 {
    let mut state = Rps::start(&Settings::default(), &arena(), seed).expect("a usual match");
    play::play::<Rps>(&mut state, &mut bots(names, seed), &mut Notes::counted(), u64::MAX)
}

fn play_and_ask(names: [&str; 2], seed: u64) -> u64 {
    let mut state = Rps::start(&Settings::default(), &arena(), seed).expect("a usual match");
    let mut bots = bots(names, seed);
    let mut notes = Notes::counted();
    let mut action = Action::default();
    let mut text = Vec::new();
    let mut ticks = 0;
    while let Some(seat) = Rps::to_move(&state) {
        let view = Rps::view(&state, Eye::Seat(seat));
        text.clear();
        Rps::ask(view, &mut text);
        black_box(&text);
        bots[seat.index()].act(view, &mut action).expect("built-in players do not fail");
        Rps::apply(&mut state, seat, Input::Answer(&action), &mut notes);
        ticks += 1;
    }
    ticks
}
