//! No turn takes memory: not the rules, not the built-in players, not the text for a bot.

use palestra_auralux::{Auralux, Map, Settings};
use palestra_core::Game;
use palestra_core::game::Setup as _;
use palestra_testkit::check_no_allocations;

fn check(names: [&str; 4]) {
    let settings = Settings { max_steps: 2000, ..Settings::default() };
    let map = Auralux::INFO.folder.maps.iter().find(|map| map.name == "four").unwrap();
    let setup = Map::read(&settings, map.text).unwrap();
    let turns = check_no_allocations::<Auralux>(&settings, &setup, &names, 1, 1000);
    assert!(turns > 3000, "{turns} turns of {names:?}");
}

#[test]
fn idle_games_take_no_memory() {
    check(["afk"; 4]);
    check(["upgrade_and_repair_main"; 4]);
}

#[test]
fn busy_games_take_no_memory() {
    check(["aggressive_expansion_nearest"; 4]);
    check(["aggressive_expansion_random_with_sort"; 4]);
}

#[test]
fn the_admiral_takes_no_memory() {
    check(["admiral"; 4]);
}
