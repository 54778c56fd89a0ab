//! The built-in players: legal, repeatable, and in the order of strength that is claimed.

use palestra_core::game::Setup as _;
use palestra_core::{Fate, Game, Outcome};
use palestra_generals::{Generals, Map, Settings};
use palestra_testkit::{check_no_arguments, play_cleanly};

fn play(map: &Map, names: &[&str], seed: u64) -> (Outcome, u32) {
    play_cleanly::<Generals>(&Settings::default(), map, names, seed)
}

/// Games that the first of two wins, on generated 20 x 20 maps.
fn wins(first: &str, second: &str, pairs: u64) -> u64 {
    let settings = Settings::default();
    let map = |seed| Map::generate(&settings, &[20, 20, 2], seed).unwrap();
    palestra_testkit::wins::<Generals>(&settings, map, first, second, pairs)
}

#[test]
fn every_level_beats_the_one_below() {
    let settings = Settings::default();
    let map = |seed| Map::generate(&settings, &[20, 20, 2], seed).unwrap();
    palestra_testkit::check_sparring_ladder::<Generals>(&settings, map, 20);
}

#[test]
fn hunter_beats_greedy_in_nine_of_ten_games() {
    let wins = wins("hunter", "greedy", 30);
    assert!(wins >= 54, "{wins} of 60");
}

#[test]
fn greedy_clearly_beats_random_and_everybody_beats_rest() {
    let games = wins("greedy", "random", 10);
    assert!(games >= 18, "{games} of 20");
    for name in ["hunter", "greedy"] {
        let games = wins(name, "rest", 5);
        assert!(games >= 9, "{name}: {games} of 10");
    }
}

#[test]
fn everybody_finishes_on_every_sample_map() {
    for sample in Generals::INFO.folder.maps {
        let map = Map::read(&Settings::default(), sample.text).unwrap();
        for name in ["rest", "afk", "random", "greedy", "hunter", "strategist"] {
            play(&map, &vec![name; usize::from(map.seats())], 1);
        }
        let mixed: Vec<&str> = ["hunter", "random", "strategist", "greedy"]
            .into_iter()
            .cycle()
            .take(usize::from(map.seats()))
            .collect();
        play(&map, &mixed, 2);
    }
}

#[test]
fn small_and_strange_boards_are_no_trouble() {
    for map in [
        "1 2 2 3 3",
        "2 1 2 3 3",
        "1 3 2 3 4 3",
        "3 3 2\n3 4 1\n4 4 1\n1 1 3",
        "1 6 3 3 2 0 3 1 1 3",
        "2 2 4 3 3 3 3",
    ] {
        let map = Map::read(&Settings::default(), map).unwrap();
        for name in ["random", "greedy", "hunter", "strategist"] {
            for seed in 0..3 {
                play(&map, &vec![name; usize::from(map.seats())], seed);
            }
        }
    }
}

#[test]
fn nobody_moves_illegally_in_a_crowd() {
    let names = ["hunter", "strategist", "random", "strategist", "greedy"];
    for seed in 0..12 {
        for (side, players) in [(6, 3), (9, 4), (14, 5), (20, 5)] {
            if let Ok(map) = Map::generate(&Settings::default(), &[side, side + 2, players as u32], seed) {
                play(&map, &names[..players], seed);
            }
        }
    }
}

#[test]
fn as_many_players_as_there_are_seats_can_play() {
    let settings = Settings { max_players: 64, max_turns: 150, ..Settings::default() };
    for players in [16, 64] {
        let map = Map::generate(&settings, &[40, 40, players], 1).unwrap();
        let names: Vec<&str> =
            ["strategist", "hunter", "greedy", "random"].into_iter().cycle().take(players as usize).collect();
        let (outcome, _) = play_cleanly::<Generals>(&settings, &map, &names, 5);
        assert!(outcome.placings.iter().any(|placing| placing.fate == Fate::Out));
    }
}

#[test]
fn a_seed_decides_everything() {
    let map = Map::generate(&Settings::default(), &[12, 12, 3], 4).unwrap();
    for names in [["random", "greedy", "hunter"], ["hunter", "strategist", "random"]] {
        assert_eq!(play(&map, &names, 9), play(&map, &names, 9));
    }
}

#[test]
fn no_built_in_player_takes_an_argument() {
    check_no_arguments::<Generals>();
}
