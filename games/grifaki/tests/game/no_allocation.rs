//! The rules, the views and the text of a turn take no memory from the heap.

use palestra_core::game::Setup as _;
use palestra_grifaki::{Grifaki, Map, Settings};
use palestra_testkit::check_no_allocations;

fn check(names: &[&str], least_turns: u64) {
    let settings = Settings { max_game_duration: 3000, ..Settings::default() };
    let turns = |seed| {
        let map = Map::generate(&settings, &[24, 24, names.len() as u32], seed).unwrap();
        check_no_allocations::<Grifaki>(&settings, &map, names, seed, 50)
    };
    let all: u64 = (1..4).map(turns).sum();
    assert!(all >= least_turns, "{names:?}: only {all} turns");
}

#[test]
fn a_turn_takes_nothing_from_the_heap() {
    check(&["random", "random"], 10_000);
    // With captures of capitals.
    check(&["expander", "random", "expander"], 3_000);
}

#[test]
fn the_warlord_only_uses_its_own_buffers() {
    check(&["warlord", "warlord", "expander"], 1_000);
}

#[test]
fn the_overlord_only_uses_its_own_buffers() {
    check(&["overlord", "warlord", "settler"], 1_000);
}
