//! The built-in players: never ignored, repeatable, and in the order of strength that is claimed.

use palestra_core::Outcome;
use palestra_rps::{Arena, Rps, Settings};
use palestra_testkit::{check_no_arguments, play_cleanly};

fn play(settings: &Settings, names: [&str; 2], seed: u64) -> (Outcome, u32) {
    play_cleanly::<Rps>(settings, &Arena::new(settings.size).unwrap(), &names, seed)
}

/// Matches that the first of two wins.
fn wins(first: &str, second: &str, pairs: u64) -> u64 {
    let usual = Settings::default();
    palestra_testkit::wins::<Rps>(&usual, |_| Arena::new(usual.size).unwrap(), first, second, pairs)
}

#[test]
fn every_level_beats_the_one_below() {
    let usual = Settings::default();
    palestra_testkit::check_sparring_ladder::<Rps>(&usual, |_| Arena::new(usual.size).unwrap(), 20);
}

#[test]
fn everybody_beats_those_that_are_said_to_be_weaker() {
    for (first, second, pairs, least) in [
        ("bot", "random", 20, 36),
        ("greedy", "random", 30, 58),
        ("greedy", "bot", 30, 58),
        ("marshal", "random", 30, 58),
        ("marshal", "bot", 30, 58),
        ("marshal", "greedy", 50, 95),
    ] {
        let wins = wins(first, second, pairs);
        assert!(wins >= least, "{first} against {second}: {wins} of {}", 2 * pairs);
    }
}

#[test]
fn everybody_finishes_in_every_arena_and_is_never_ignored() {
    let names = ["random", "bot", "greedy", "marshal", "oracle"];
    for size in [4, 5, 8, 20, 40] {
        for one in names {
            for two in names {
                // Whoever thinks ahead plays a whole match every tick.
                let max_ticks = if [one, two].contains(&"oracle") { 200 } else { 1200 };
                let settings = Settings { size, max_ticks, ..Settings::default() };
                play(&settings, [one, two], u64::from(size));
            }
        }
    }
    let crowded = Settings {
        size: 9,
        first_unit_ticks: 1,
        unit_ticks_growth: 0,
        max_ticks: 800,
        ..Settings::default()
    };
    for one in names {
        for two in names {
            play(&crowded, [one, two], 3);
        }
    }
}

#[test]
fn a_seed_decides_everything() {
    let usual = Settings::default();
    for names in [["random", "greedy"], ["marshal", "random"], ["oracle", "greedy"]] {
        assert_eq!(play(&usual, names, 9), play(&usual, names, 9));
    }
}

#[test]
fn no_built_in_player_takes_an_argument() {
    check_no_arguments::<Rps>();
}
