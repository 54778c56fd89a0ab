//! The rules, the players and the text of a tick take no memory from the heap.

use palestra_rps::{Arena, Rps, Settings};
use palestra_testkit::check_no_allocations;

#[test]
fn a_tick_takes_nothing_from_the_heap() {
    let long = Settings { hold_ticks: 100_000, ..Settings::default() };
    let crowded = Settings {
        first_unit_ticks: 1,
        unit_ticks_growth: 0,
        max_ticks: 2000,
        size: 30,
        ..Settings::default()
    };
    for (names, settings) in [
        (["random", "random"], &long),
        (["bot", "random"], &long),
        (["greedy", "random"], &long),
        (["marshal", "greedy"], &long),
        (["marshal", "random"], &long),
        (["random", "random"], &crowded),
        (["bot", "bot"], &Settings::default()),
    ] {
        let arena = Arena::new(settings.size).unwrap();
        let ticks = check_no_allocations::<Rps>(settings, &arena, &names, 5, 100);
        assert!(ticks > 110, "{names:?}: {ticks}");
    }
}
