//! Steps per second of a batch, to profile: `cargo run --release -p palestra-train --example steps -- GAME ENVS THREADS SECONDS
//! NUMBER...`, with the numbers that maps of the game are made from.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use palestra_core::batch::{Autoreset, Maps, ScenarioRequest};
use palestra_train::{Batch, Memory};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, envs, threads, seconds, numbers @ ..] = &arguments[..] else {
        panic!("GAME ENVS THREADS SECONDS NUMBER...");
    };
    let number = |text: &String| text.parse().expect("a number");
    let game = palestra_games::by_id(game).expect("a game");
    let numbers: Vec<u32> = numbers.iter().map(|text| text.parse().expect("a number")).collect();
    for per_seat in [true, false] {
        let request = ScenarioRequest {
            changes: &[],
            maps: if numbers.is_empty() { Maps::Usual } else { Maps::Generated(&numbers) },
            map_pool: Some(512),
            players: 2,
            opponents: &[],
            per_seat,
            autoreset: Autoreset::NextStep,
            max_steps: None,
        };
        let scenario = game.scenario(&request).expect("a scenario");
        let mut batch = Batch::new(scenario, number(envs), number(threads), 7).expect("a batch");
        let mut memory = Memory::of(&batch);
        let mut actions = vec![0; batch.envs()];
        batch.reset(None, memory.open()).expect("it begins");
        let (mut steps, start) = (0, Instant::now());
        while start.elapsed().as_secs_f64() < seconds.parse().expect("seconds") {
            batch.sample(&memory.mask, &mut actions).expect("actions");
            batch.step(&actions, memory.open()).expect("a step");
            steps += batch.envs();
        }
        let rate = steps as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!(
            "{} observations: {rate:.3} million steps a second",
            if per_seat { "kept" } else { "whole" }
        );
    }
}
