//! Map files, sample maps and generated maps.

use palestra_auralux::{Auralux, Map, Settings, State};
use palestra_core::game::{Setup as _, State as _};
use palestra_core::{Game, Seat};

fn read(text: &str) -> Result<Map, String> {
    Map::read(&Settings::default(), text).map_err(|error| error.to_string())
}

fn refused(text: &str) -> String {
    read(text).expect_err(text)
}

fn distance(dx: i32, dy: i32) -> usize {
    let settings = Settings { max_distance: 1000, ..Settings::default() };
    let text = format!("2 2\n1 2\n-7 4\n{} {}\n", dx - 7, dy + 4);
    Map::read(&settings, &text).unwrap().distance(0, 1)
}

#[test]
fn distances_are_rounded_to_the_nearest_integer() {
    assert_eq!(distance(1, 0), 1);
    assert_eq!(distance(1, 1), 1, "1.41");
    assert_eq!(distance(2, 1), 2, "2.24");
    assert_eq!(distance(2, 2), 3, "2.83");
    assert_eq!(distance(-3, 4), 5);
    assert_eq!(distance(10, 10), 14, "14.14");
    assert_eq!(distance(0, -1000), 1000);
    // d(d-1) < dx^2 + dy^2 <= d(d+1), for every pair that is small enough to try.
    for dx in 0..60 {
        for dy in 0..60 {
            if (dx, dy) != (0, 0) {
                let (square, d) = (dx * dx + dy * dy, distance(dx, dy) as i32);
                assert!(d * (d - 1) < square && square <= d * (d + 1), "{dx} {dy}");
            }
        }
    }
}

#[test]
fn a_map_is_read_word_by_word() {
    let map = read("3 2 1 3 0 0\t3\r\n4 10 0").unwrap();
    assert_eq!(map.planets(), 3);
    assert_eq!(map.seats(), 2);
    assert_eq!(map.start(Seat::new(2)), 2);
    assert_eq!(map.distances_from(0), [0, 5, 10]);
    assert_eq!(map.longest(), 10);
    assert!(map.has_places());
    assert_eq!(map.place(1), (3, 4));
    assert_eq!(map.write(), "3 2\n1 3\n0 0\n3 4\n10 0\n");
}

#[test]
fn a_matrix_is_a_map_too() {
    let text = "matrix 3 2\n3 1\n0 7 1\n7 0 100\n1 100 0\n";
    let map = read(text).unwrap();
    assert_eq!(map.distance(1, 2), 100);
    assert_eq!(map.write(), text);
    assert!(!map.has_places());
    assert_eq!([0, 1, 2].map(|planet| map.place(planet)), [(0, 0), (20, 0), (0, 20)], "a grid by number");
}

#[test]
fn impossible_maps_are_refused_with_a_reason() {
    let cases = [
        ("", "the map ends where the number of planets should be; is it cut off?"),
        ("3", "the map ends where the number of players should be; is it cut off?"),
        ("x 2", "map, line 1: the number of planets should be here, and \"x\" is no such number"),
        ("2 2\n1", "the map ends where the start planet of player 2 should be; is it cut off?"),
        ("2 2\n1 2\n0 0\n0", "the map ends where y of planet 2 should be; is it cut off?"),
        (
            "2 2\n1 2\n0 0\n0 99999999999",
            "map, line 4: y of planet 2 should be here, and \"99999999999\" is no such number",
        ),
        ("2 2\n1 2\n0 0\n1 1\n5\n", "map, line 5: \"5\" stands behind the last planet; remove it"),
        (
            "2 2\n1 2\n0 0\n0 0\n",
            "planets 1 and 2 are 0 apart, and every distance must be from 1 to 100 (setting max_distance)",
        ),
        (
            "3 2\n1 2\n0 0\n1 1\n101 0\n",
            "planets 1 and 3 are 101 apart, and every distance must be from 1 to 100 (setting max_distance)",
        ),
        ("2 2\n1 1\n0 0\n1 1\n", "players 1 and 2 both start on planet 1; give each its own"),
        ("2 2\n1 3\n0 0\n1 1\n", "player 2 starts on planet 3, and the planets are 1 to 2"),
        ("2 2\n0 1\n0 0\n1 1\n", "player 1 starts on planet 0, and the planets are 1 to 2"),
        ("2 3\n1 2 3\n0 0\n1 1\n", "the map has 2 planets for 3 players; each player needs one to start on"),
        ("2 1\n1\n0 0\n1 1\n", "the map has 1 players, and needs at least 2"),
        ("-2 2\n", "the map has -2 planets for 2 players; each player needs one to start on"),
        ("9 5\n", "the map has 5 players, and may have 4; raise the setting max_players (up to 8)"),
        ("21 2\n", "the map has 21 planets, and may have 20; raise the setting max_planets (up to 128)"),
        (
            "2 2\n1 2\n0 0\n2000000000 0\n",
            "planet 2 is at 2000000000 0, and coordinates must be from -1000000000 to 1000000000",
        ),
        (
            "matrix 2 2 1 2 0 5 6 0",
            "the matrix has 5 from planet 1 to planet 2 and 6 back; both ways must be alike",
        ),
        ("matrix 2 2 1 2 0 5 5 1", "planet 2 is 1 away from itself in the matrix; the diagonal must be 0"),
        (
            "matrix 2 2 1 2 0 0 0 0",
            "planets 1 and 2 are 0 apart, and every distance must be from 1 to 100 (setting max_distance)",
        ),
        (
            "matrix 2 2 1 2 0 5 5",
            "the map ends where the distance from planet 2 to planet 2 should be; is it cut off?",
        ),
        ("matrix 2 2 1 2 0 5 5 0 1", "map, line 1: \"1\" stands behind the last planet; remove it"),
    ];
    for (text, reason) in cases {
        assert_eq!(refused(text), reason, "{text:?}");
    }
}

#[test]
fn far_away_coordinates_are_fine_if_planets_are_close() {
    assert_eq!(read("2 2 1 2 999999999 -999999999 999999990 -999999999").unwrap().distance(0, 1), 9);
    assert!(refused("2 2 1 2 -1000000000 -1000000000 1000000000 1000000000").contains("2828427125 apart"));
}

#[test]
fn limits_can_be_raised() {
    let settings = Settings { max_planets: 128, max_players: 8, ..Settings::default() };
    let map = Map::generate(&settings, &[128, 8], 1).unwrap();
    assert_eq!(Map::read(&settings, &map.write()).unwrap(), map);
    let state = State::start(&settings, &map, 0).unwrap();
    assert_eq!(state.planets().len(), 128);
}

#[test]
fn every_sample_map_is_read_and_written_back() {
    for map in Auralux::INFO.folder.maps {
        let read = read(map.text).unwrap_or_else(|error| panic!("{}: {error}", map.name));
        assert_eq!(read.write(), map.text, "{}", map.name);
    }
}

/// Sorted distances from a start planet to the other start planets, and to all others.
fn outlook(map: &Map, seat: Seat) -> (Vec<u16>, Vec<u16>) {
    let row = map.distances_from(map.start(seat));
    let starts: Vec<usize> = Seat::all(map.seats()).map(|seat| map.start(seat)).collect();
    let (mut to_starts, mut to_others) = (Vec::new(), Vec::new());
    for (planet, distance) in row.iter().enumerate() {
        let list = if starts.contains(&planet) { &mut to_starts } else { &mut to_others };
        list.push(*distance);
    }
    to_starts.sort_unstable();
    to_others.sort_unstable();
    (to_starts, to_others)
}

#[test]
fn generated_maps_for_two_three_and_four_are_exactly_fair() {
    let settings = Settings { max_planets: 128, ..Settings::default() };
    for (planets, players) in (2..=41)
        .map(|n| (n, 2))
        .chain((3..=41).filter(|n| n % 3 != 2).map(|n| (n, 3)))
        .chain((4..=41).map(|n| (n, 4)))
        .chain([(128, 2), (127, 3), (128, 4)])
    {
        for seed in 0..4 {
            let map = Map::generate(&settings, &[planets, players], seed)
                .unwrap_or_else(|error| panic!("{planets} {players} {seed}: {error}"));
            assert_eq!((map.planets(), u32::from(map.seats())), (planets as usize, players));
            let first = outlook(&map, Seat::new(1));
            for seat in Seat::all(map.seats()) {
                assert_eq!(outlook(&map, seat), first, "{planets} {players} {seed}");
            }
        }
    }
}

#[test]
fn generated_maps_for_other_numbers_are_nearly_fair() {
    let settings = Settings { max_planets: 128, max_players: 8, ..Settings::default() };
    for players in [5, 6, 7, 8] {
        for planets in [players, 3 * players, 5 * players] {
            let map = Map::generate(&settings, &[planets, players], 3).unwrap();
            let first = outlook(&map, Seat::new(1));
            for seat in Seat::all(map.seats()) {
                let other = outlook(&map, seat);
                for (one, other) in first.0.iter().zip(&other.0).chain(first.1.iter().zip(&other.1)) {
                    assert!(one.abs_diff(*other) <= 2, "{planets} {players} seat {seat}");
                }
            }
        }
        for planets in players..40 {
            Map::generate(&settings, &[planets, players], 1).unwrap();
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_map_and_another_one_another() {
    let make = |seed| Map::generate(&Settings::default(), &[12, 4], seed).unwrap();
    assert_eq!(make(1), make(1));
    assert_ne!(make(1), make(2));
    // Recorded once: a generated map is part of what a seed means.
    assert_eq!(Map::generate(&Settings::default(), &[4, 2], 7).unwrap().write(), GENERATED);
}

const GENERATED: &str = "4 2\n1 2\n32 42\n18 8\n40 11\n10 39\n";

#[test]
fn impossible_requests_are_refused_with_a_reason() {
    let request = |settings: &Settings, planets, players| {
        Map::generate(settings, &[planets, players], 1).unwrap_err().to_string()
    };
    let defaults = Settings::default();
    assert_eq!(
        request(&defaults, 21, 2),
        "the map has 21 planets, and may have 20; raise the setting max_planets (up to 128)"
    );
    assert_eq!(
        request(&defaults, 1, 2),
        "the map has 1 planets for 2 players; each player needs one to start on"
    );
    assert_eq!(
        request(&defaults, 11, 3),
        "no map of 11 planets is as good for each of 3 players: one planet is nobody's counterpart; ask for 10 or 12"
    );
    assert_eq!(request(&defaults, 20, 1), "the map has 1 players, and needs at least 2");
    assert!(request(&defaults, 20, 5).contains("max_players"));
    let cramped = Settings { max_distance: 3, ..defaults };
    assert_eq!(
        request(&cramped, 20, 2),
        "no map of 20 planets for 2 players was found with distances up to 3; ask for fewer planets or raise the \
         setting max_distance"
    );
}

#[test]
fn every_longest_distance_is_kept_to() {
    for max_distance in [2, 5, 10, 37, 100, 1000] {
        let settings = Settings { max_distance, ..Settings::default() };
        let planets = if max_distance < 5 { 4 } else { 9 };
        let map = Map::generate(&settings, &[planets, 2], 5).unwrap();
        assert!(map.longest() <= max_distance as usize);
    }
}

#[test]
fn a_match_without_a_map_gets_about_five_planets_for_each_player() {
    let planets = |settings: &Settings, players| Map::default_for(settings, players, 1).unwrap().planets();
    let defaults = Settings::default();
    assert_eq!([2, 3, 4].map(|players| planets(&defaults, players)), [10, 15, 20]);
    let large = Settings { max_players: 8, max_planets: 128, ..Settings::default() };
    assert_eq!(planets(&large, 8), 40);
    let small = Settings { max_planets: 6, ..Settings::default() };
    assert_eq!(planets(&small, 2), 6);
    assert!(Map::default_for(&defaults, 5, 1).is_err());
    assert!(Map::default_for(&defaults, 1, 1).is_err());
    assert!(Map::default_for(&defaults, 0, 1).is_err());
}
