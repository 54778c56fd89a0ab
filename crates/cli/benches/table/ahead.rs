//! What a bot costs that writes many small pieces ahead of its turns.

use super::{Table, compiled, pass_bot, plan, play_match};
use palestra_auralux::Auralux;
use palestra_core::AnyGame;
use palestra_core::game::Game as _;
use palestra_runner::{Bot, Guard, Launch, Level, Options};
use std::time::Instant;

/// Ten thousand steps of a bot that answers every number it reads, as a sample of the contest does: at each level against
/// the same without a sandbox.
pub(super) fn ahead(table: &mut Table) {
    let Ok(strict) = Guard::new(Level::Strict) else {
        println!("  this machine has no strict sandbox; see palestra doctor");
        return;
    };
    let auto = Guard::new(Level::Auto).expect("auto is always possible");
    let guards = [Guard::off(), auto, strict];
    let mut best = [f64::MAX; 3];
    for _ in 0..5 {
        for (best, guard) in best.iter_mut().zip(&guards) {
            *best = best.min(seconds(guard));
        }
    }
    let [off, auto, strict] = best;
    for (level, took) in [("at the level auto", auto), ("in the strict sandbox", strict)] {
        table.row(
            &format!("10000 steps of a bot that answers every number it reads, {level}"),
            format!("{took:.2} s"),
            &format!("outside, {off:.2} s"),
            took / off,
            "2 or less",
        );
    }
}

fn seconds(guard: &Guard) -> f64 {
    let map = Auralux.generate(&[], &[20, 2], 1).expect("a map");
    let plan = plan(&Auralux, &map, &["max_steps=10000"]);
    let program = compiled("numbers");
    let launch = Launch { readable: vec![program.clone()], ..Launch::new(vec![program.into()]) };
    let bots = vec![Bot::program("numbers", launch), pass_bot("0", 21, 21)];
    let options = Options { guard: Some(guard), ..Options::default() };
    let start = Instant::now();
    let played = play_match(&Auralux, plan, Auralux::INFO.time, bots, options);
    assert!(played.faults.is_empty(), "{:?}", played.faults);
    start.elapsed().as_secs_f64()
}
