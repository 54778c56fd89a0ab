//! Steps per second of processor time of a batch, to profile: `cargo run --release -p palestra-train --example steps --
//! GAME kept|whole ENVS THREADS SECONDS NUMBER...`, with the numbers that maps of the game are made from. Observations are
//! kept for every seat, or written as a whole for the one to move.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use palestra_core::batch::{Autoreset, Maps, ScenarioRequest};
use palestra_train::{Batch, Memory};
use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

/// Everybody has drawn every map by then, and games are in their middle.
const WARM_UP: usize = 600;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, observations, envs, threads, seconds, numbers @ ..] = &arguments[..] else {
        panic!("GAME kept|whole ENVS THREADS SECONDS NUMBER...");
    };
    let number = |text: &String| text.parse().expect("a number");
    let game = palestra_games::by_id(game).expect("a game");
    let numbers: Vec<u32> = numbers.iter().map(|text| text.parse().expect("a number")).collect();
    let request = ScenarioRequest {
        changes: &[],
        maps: if numbers.is_empty() { Maps::Usual } else { Maps::Generated(&numbers) },
        map_pool: Some(512),
        players: 2,
        opponents: &[],
        per_seat: observations == "kept",
        exact: false,
        autoreset: Autoreset::NextStep,
        max_steps: None,
    };
    let scenario = game.scenario(&request).expect("a scenario");
    let mut batch = Batch::new(scenario, number(envs), number(threads), 7).expect("a batch");
    let mut memory = Memory::of(&batch);
    let mut actions = vec![0; batch.envs()];
    batch.reset(None, memory.open()).expect("it begins");
    let mut round = |batch: &mut Batch| {
        batch.sample(&memory.mask, &mut actions).expect("actions");
        batch.step(&actions, memory.open()).expect("a step");
    };
    for _ in 0..WARM_UP {
        round(&mut batch);
    }
    let (mut steps, start, used) = (0, Instant::now(), processor_time());
    while start.elapsed().as_secs_f64() < seconds.parse().expect("seconds") {
        round(&mut batch);
        steps += batch.envs();
    }
    println!("{:.3} million steps a second", steps as f64 / (processor_time() - used) / 1e6);
}

/// Of all threads, in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
