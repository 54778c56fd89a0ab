//! Both dialects of the gateway: the same bytes mean the same, however the network cuts them.
//!
//! The first byte says how long the pieces are. Bytes from 0xF8 on, which no text has, are what the arena does meanwhile.

use palestra_arena::gateway::fuzzing::{self, Step};
use palestra_games::GAMES;
use std::time::Duration;

const PACKET: &[u8] = b"tick 1\nversus bot\nsoldiers 0\nprod 10 0 0 0\n.\n";

/// A client of a contest's own.
pub fn gateway_classic(bytes: &[u8]) {
    let game = GAMES.iter().find(|game| game.client_lines().is_some());
    let game = *game.expect("a game with clients of its own");
    with_steps(bytes, |steps, size| fuzzing::lines(game, steps, size));
}

/// A bridge.
pub fn gateway_bridge(bytes: &[u8]) {
    with_steps(bytes, fuzzing::bridge);
}

fn with_steps(bytes: &[u8], go: impl Fn(&[Step<'_>], usize)) {
    let Some((size, said)) = bytes.split_first() else { return };
    let mut steps = Vec::new();
    for run in said.chunk_by(|a, b| *a < 0xF8 && *b < 0xF8) {
        steps.push(match run {
            [0xF8] => Step::Begin,
            [0xF9] => Step::Packet(PACKET),
            [0xFA] => Step::Over,
            [0xFB] => Step::Settle,
            [0xFC] => Step::Wait(Duration::from_secs(1)),
            [0xFD] => Step::Wait(Duration::from_secs(20)),
            bytes => Step::Hear(bytes),
        });
    }
    go(&steps, usize::from(*size));
}
