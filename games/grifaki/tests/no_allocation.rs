//! The rules, the views and the text of a turn take no memory from the heap.

use palestra_core::game::Setup as _;
use palestra_grifaki::{Grifaki, Map, Settings};
use palestra_testkit::{Counting, allocations_of_a_game};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn check(names: &[&str], least_turns: u64) {
    let settings = Settings { max_game_duration: 3000, ..Settings::default() };
    let mut all = 0;
    for seed in 1..4 {
        let map = Map::generate(&settings, &[24, 24, names.len() as u32], seed).unwrap();
        let (turns, allocations) = allocations_of_a_game::<Grifaki>(&settings, &map, names, seed, 50);
        assert_eq!(allocations, 0, "{names:?}, seed {seed}: in {turns} turns");
        all += turns;
    }
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
