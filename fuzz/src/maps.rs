//! Map files, read under settings that may have been changed.
//!
//! The first byte chooses the game. Settings come before the byte 0xF8, as lines `key=value`; the map comes behind it.

use crate::{choose_game, within};
use palestra_core::{AnyGame, Eye, PlanRequest, Seat};

/// What a map of the largest size takes, for every seat's view of it.
const MEMORY: usize = 256 << 20;

/// A map.
pub fn maps(bytes: &[u8]) {
    let Some((game, rest)) = choose_game(bytes) else { return };
    let (settings, map) = match rest.iter().position(|byte| *byte == 0xF8) {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (&rest[..0], rest),
    };
    let (Ok(settings), Ok(map)) = (str::from_utf8(settings), str::from_utf8(map)) else { return };
    let changes: Vec<(String, String)> = settings
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    within(MEMORY, || read(game, &changes, map));
}

fn read(game: &dyn AnyGame, changes: &[(String, String)], map: &str) {
    let request = PlanRequest { changes, map: Some(map), players: 2, seed: 1 };
    let Ok(plan) = game.plan(&request) else { return };
    let again = game.plan(&PlanRequest { map: Some(&plan.setup), ..request });
    assert_eq!(again.as_ref(), Ok(&plan), "a map reads as it is written");
    let Ok(table) = game.open(&plan) else { return };
    assert_eq!(table.seats(), plan.seats);
    let mut told = Vec::new();
    for eye in Seat::all(plan.seats).map(Eye::Seat).chain([Eye::Spectator]) {
        told.clear();
        table.frame(eye);
        if let Eye::Seat(seat) = eye {
            table.hello(seat, &mut told);
            table.ask(seat, &mut told);
        }
    }
}
