//! The built-in players: always allowed, repeatable, and in the order of strength that is claimed.

use palestra_core::game::Setup as _;
use palestra_core::{Game, Outcome};
use palestra_grifaki::{Grifaki, Map, Settings};
use palestra_testkit::{check_no_arguments, play_cleanly};

fn play(map: &Map, names: &[&str], seed: u64) -> (Outcome, u32) {
    play_cleanly::<Grifaki>(&Settings::default(), map, names, seed)
}

/// Games that the first of two wins, on generated 20 x 20 maps.
fn wins(first: &str, second: &str, pairs: u64) -> u64 {
    let settings = Settings::default();
    let map = |seed| Map::generate(&settings, &[20, 20, 2], seed).unwrap();
    palestra_testkit::wins::<Grifaki>(&settings, map, first, second, pairs)
}

#[test]
fn every_level_beats_the_one_below() {
    let settings = Settings::default();
    let map = |seed| Map::generate(&settings, &[20, 20, 2], seed).unwrap();
    palestra_testkit::check_sparring_ladder::<Grifaki>(&settings, map, 20);
}

#[test]
fn warlord_beats_expander_in_nine_of_ten_games() {
    let wins = wins("warlord", "expander", 30);
    assert!(wins >= 54, "{wins} of 60");
}

#[test]
fn expander_clearly_beats_random_and_everybody_beats_idle() {
    let games = wins("expander", "random", 10);
    assert!(games >= 18, "{games} of 20");
    for name in ["warlord", "expander"] {
        let games = wins(name, "idle", 5);
        assert!(games >= 9, "{name}: {games} of 10");
    }
}

#[test]
fn everybody_finishes_on_every_sample_map() {
    let settings = Settings { max_game_duration: 600, ..Settings::default() };
    for sample in Grifaki::INFO.folder.maps {
        let map = Map::read(&settings, sample.text).unwrap();
        for name in ["idle", "rest", "afk", "random", "expander", "settler", "warlord", "overlord"] {
            play_cleanly::<Grifaki>(&settings, &map, &vec![name; usize::from(map.seats())], 1);
        }
        let mixed: Vec<&str> = ["warlord", "random", "overlord", "expander"]
            .into_iter()
            .cycle()
            .take(usize::from(map.seats()))
            .collect();
        play_cleanly::<Grifaki>(&settings, &map, &mixed, 2);
    }
}

#[test]
fn small_and_strange_boards_and_settings_are_no_trouble() {
    let blind = r#"[["PLAIN",0,false],["CITY",0,false],["CAPITAL",0,false],["FALLEN_CAPITAL",0,false]]"#;
    let strange = [
        vec![],
        vec![("leave_one", "true"), ("start_army", "1")],
        vec![("view_distance", blind)],
        vec![("wall_cost", "0"), ("city_cost", "0"), ("wall_cost_growth", "0"), ("city_cost_growth", "0")],
        vec![("wall_defense_coefficient", "0.3"), ("start_army", "1000")],
    ];
    for changes in strange {
        let changes: Vec<(String, String)> = changes
            .into_iter()
            .chain([("max_game_duration", "300")])
            .map(|(k, v)| (k.into(), v.into()))
            .collect();
        let settings: Settings = palestra_core::settings::with_changes(&changes).unwrap();
        for map in [
            "1 2 2 @1 @2",
            "2 1 2 @2 @1",
            "1 3 2 @1 M @2",
            "3 3 2\n@1 M .\nM M .9#\nc . @2",
            "1 6 3 @1 c0 @3 .5 .# @2#",
            "2 2 4 @1 @2 @3 @4",
        ] {
            let map = Map::read(&settings, map).unwrap();
            for name in ["random", "expander", "settler", "warlord", "overlord"] {
                for seed in 0..3 {
                    play_cleanly::<Grifaki>(&settings, &map, &vec![name; usize::from(map.seats())], seed);
                }
            }
        }
    }
}

#[test]
fn nobody_breaks_a_rule_in_a_crowd() {
    let settings = Settings { max_game_duration: 800, ..Settings::default() };
    let names = ["warlord", "overlord", "random", "overlord", "settler"];
    for seed in 0..8 {
        for (side, players) in [(6, 3), (9, 4), (14, 5)] {
            let numbers = [side, side + 2, players as u32];
            let map = Map::generate(&settings, &numbers, seed).unwrap();
            play_cleanly::<Grifaki>(&settings, &map, &names[..players], seed);
        }
    }
}

#[test]
fn as_many_players_as_there_are_seats_can_play() {
    let settings = Settings { max_players: 64, max_game_duration: 100, ..Settings::default() };
    for players in [16, 64] {
        let map = Map::generate(&settings, &[40, 40, players], 1).unwrap();
        let names: Vec<&str> = ["overlord", "warlord", "expander", "random"]
            .into_iter()
            .cycle()
            .take(players as usize)
            .collect();
        play_cleanly::<Grifaki>(&settings, &map, &names, 5);
    }
}

#[test]
fn a_seed_decides_everything() {
    let map = Map::generate(&Settings::default(), &[12, 12, 3], 4).unwrap();
    for names in [["random", "expander", "warlord"], ["warlord", "overlord", "random"]] {
        assert_eq!(play(&map, &names, 9), play(&map, &names, 9));
    }
}

#[test]
fn no_built_in_player_takes_an_argument() {
    check_no_arguments::<Grifaki>();
}
