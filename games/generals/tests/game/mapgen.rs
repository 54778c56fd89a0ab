//! What the map generator promises, checked by other means than its own.

use palestra_core::game::{Setup as _, State as _};
use palestra_core::settings::with_changes;
use palestra_core::{AnyGame, Game};
use palestra_generals::{Generals, Map, Settings, Site, State};
use proptest::prelude::*;
use std::collections::VecDeque;

const FAR: u32 = u32::MAX;

/// Walking distances from one cell; `closed` cells are not entered.
fn walk(map: &Map, from: usize, closed: impl Fn(Site) -> bool) -> Vec<u32> {
    let (rows, columns) = (usize::from(map.board().rows()), usize::from(map.board().columns()));
    let mut steps = vec![FAR; rows * columns];
    let mut queue = VecDeque::from([from]);
    steps[from] = 0;
    while let Some(at) = queue.pop_front() {
        for next in 0..rows * columns {
            let apart = (next / columns).abs_diff(at / columns) + (next % columns).abs_diff(at % columns);
            if apart == 1 && steps[next] == FAR && !closed(map.sites()[next]) {
                steps[next] = steps[at] + 1;
                queue.push_back(next);
            }
        }
    }
    steps
}

fn places(map: &Map, wanted: impl Fn(Site) -> bool) -> Vec<usize> {
    (0..map.sites().len()).filter(|at| wanted(map.sites()[*at])).collect()
}

fn is_city(site: Site) -> bool {
    matches!(site, Site::City { .. })
}

fn is_mountain(site: Site) -> bool {
    site == Site::Mountain
}

/// Checks everything; gives the least distance between two capitals.
fn check(map: &Map, numbers: [u32; 3], settings: &Settings, radius: u32) -> u32 {
    let [rows, columns, players] = numbers;
    assert_eq!([u32::from(map.board().rows()), u32::from(map.board().columns())], [rows, columns]);
    let capitals = places(map, |site| site == Site::Capital);
    assert_eq!(capitals.len() as u32, players);
    let walks: Vec<Vec<u32>> = capitals.iter().map(|at| walk(map, *at, is_mountain)).collect();

    let land = places(map, |site| !is_mountain(site));
    assert!(land.iter().all(|at| walks[0][*at] != FAR), "all land hangs together");
    let without_cities = walk(map, capitals[0], |site| is_mountain(site) || is_city(site));
    let open = places(map, |site| !is_mountain(site) && !is_city(site));
    assert!(open.iter().all(|at| without_cities[*at] != FAR), "no city bars the way");

    let mut nearest = FAR;
    for (player, steps) in walks.iter().enumerate() {
        for (other, at) in capitals.iter().enumerate() {
            if other != player {
                nearest = nearest.min(steps[*at]);
            }
        }
    }
    assert!(nearest >= 2.max(settings.map_capital_distance), "capitals are apart");

    let around: Vec<usize> =
        walks.iter().map(|steps| land.iter().filter(|at| steps[**at] <= radius).count()).collect();
    let spread = around.iter().max().unwrap() - around.iter().min().unwrap();
    assert!(spread <= settings.map_fair_tolerance as usize, "land is fair: {around:?}");

    let cities = places(map, is_city);
    // By player: the distances of the cities that are nearer to it than to anybody else.
    let mut own = vec![Vec::new(); capitals.len()];
    for at in &cities {
        let best = walks.iter().map(|steps| steps[*at]).min().unwrap();
        let owners: Vec<usize> = (0..walks.len()).filter(|player| walks[*player][*at] == best).collect();
        assert_eq!(owners.len(), 1, "every city is somebody's");
        own[owners[0]].push(best);
        let Site::City { units } = map.sites()[*at] else { unreachable!() };
        let [least, most] = settings.neutral_city_army;
        assert!((least..=most).contains(&units));
    }
    for distances in &mut own {
        distances.sort_unstable();
    }
    for distances in &own {
        assert_eq!(distances.len(), own[0].len(), "as many cities for each");
        for (a, b) in distances.iter().zip(&own[0]) {
            assert!(a.abs_diff(*b) <= 2, "cities are equally far: {own:?}");
        }
        let nearest = (distances.first(), own[0].first());
        if let (Some(a), Some(b)) = nearest {
            assert!(a.abs_diff(*b) <= 1, "the nearest city is equally far: {own:?}");
        }
    }
    nearest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn maps_of_any_size_are_connected_and_fair(
        rows in 1..25_u32, columns in 1..25_u32, players in 2..9_u32, seed: u64,
        mountains in 0..50_u32, cities in 0..15_u32, radius in 1..7_u32, tolerance in 2..5_u32,
    ) {
        let settings = Settings {
            map_mountain_percent: mountains,
            map_city_percent: cities,
            map_fair_radius: radius,
            map_fair_tolerance: tolerance,
            ..Settings::default()
        };
        match Map::generate(&settings, &[rows, columns, players], seed) {
            Ok(map) => {
                check(&map, [rows, columns, players], &settings, radius);
                let room = rows * columns >= 25 * players && rows.min(columns) >= 5;
                prop_assert!(cities == 0 || !room || places(&map, is_city).len() as u32 >= players);
                prop_assert_eq!(&Map::read(&settings, &map.write()).unwrap(), &map);
                prop_assert_eq!(&Map::generate(&settings, &[rows, columns, players], seed).unwrap(), &map);
            }
            // Crowded boards may be refused; boards with room may not.
            Err(error) => prop_assert!(rows * columns < 12 * players || rows.min(columns) < 3, "{rows} {columns} {players}: {}", error),
        }
    }
}

#[test]
fn usual_maps_have_capitals_far_apart_mountains_and_cities() {
    let settings = Settings { map_fair_radius: 6, ..Settings::default() };
    for seed in 0..40 {
        let map = Map::generate(&settings, &[20, 20, 2], seed).unwrap();
        let nearest = check(&map, [20, 20, 2], &settings, 6);
        assert!(nearest >= 12, "seed {seed}: capitals {nearest} steps apart");
        let mountains = places(&map, is_mountain).len();
        assert!((60..=80).contains(&mountains), "seed {seed}: {mountains} mountains");
        let cities = places(&map, is_city).len();
        assert!((8..=12).contains(&cities), "seed {seed}: {cities} cities");
    }
}

#[test]
fn a_match_without_a_map_gets_one_for_any_number_of_players() {
    let settings = Settings::default();
    for players in 2..=16 {
        for seed in 0..4 {
            let map = Map::default_for(&settings, players, seed).unwrap();
            assert_eq!(map.seats(), players);
        }
    }
}

#[test]
fn small_and_odd_requests_work() {
    let settings = Settings { map_fair_radius: 1, ..Settings::default() };
    for numbers in [[5, 10, 3], [1, 12, 2], [12, 1, 2], [1, 3, 2], [2, 2, 2], [3, 3, 2], [2, 7, 3], [6, 6, 4]]
    {
        for seed in 0..20 {
            let map = Map::generate(&settings, &numbers, seed)
                .unwrap_or_else(|error| panic!("{numbers:?}, seed {seed}: {error}"));
            check(&map, numbers, &settings, 1);
        }
    }
}

#[test]
fn everybody_has_a_city_within_reach_where_the_board_has_room() {
    let settings = Settings { map_fair_radius: 1, ..Settings::default() };
    for numbers in [[5, 10, 3], [5, 5, 2], [6, 6, 2], [4, 8, 2], [8, 8, 4], [10, 10, 6]] {
        for seed in 0..50 {
            let map = Map::generate(&settings, &numbers, seed).unwrap();
            check(&map, numbers, &settings, 1);
            // As many for each, as has been checked.
            assert!(places(&map, is_city).len() as u32 >= numbers[2], "{numbers:?}, seed {seed}");
        }
    }
    let none = Settings { map_city_percent: 0, ..settings };
    assert!(places(&Map::generate(&none, &[5, 10, 3], 1).unwrap(), is_city).is_empty());
}

#[test]
fn the_distance_asked_for_is_kept() {
    let settings = Settings { map_capital_distance: 20, map_fair_radius: 5, ..Settings::default() };
    for seed in 0..10 {
        let map = Map::generate(&settings, &[20, 20, 2], seed).unwrap();
        assert!(check(&map, [20, 20, 2], &settings, 5) >= 20);
    }
}

#[test]
fn the_largest_usual_map_is_made() {
    let settings = Settings { map_fair_radius: 8, ..Settings::default() };
    let map = Map::generate(&settings, &[50, 50, 8], 3).unwrap();
    check(&map, [50, 50, 8], &settings, 8);
    let settings = Settings { max_side: 200, ..Settings::default() };
    assert!(Map::generate(&settings, &[200, 200, 2], 3).is_ok());
}

#[test]
fn the_seed_decides() {
    let settings = Settings::default();
    let make = |seed| Map::generate(&settings, &[20, 20, 2], seed).unwrap();
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn what_cannot_be_met_is_refused_with_the_number_to_change() {
    let error = |changes: &[(&str, &str)], numbers: &[u32]| {
        let changes: Vec<(String, String)> =
            changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        assert!(with_changes::<Settings>(&changes).is_ok());
        AnyGame::generate(&Generals, &changes, numbers, 1).unwrap_err().to_string()
    };
    assert!(error(&[], &[1, 2, 2]).contains("ask for a larger map or fewer players"));
    assert!(error(&[], &[0, 5, 2]).contains("0 rows"));
    assert!(error(&[], &[5, 51, 2]).contains("max_side"));
    assert!(error(&[], &[5, 5, 1]).contains("1 players"));
    assert!(error(&[], &[5, 5, 17]).contains("max_players"));
    assert!(error(&[], &[2, 5, 9]).contains("no room for 9 capitals"));
    assert!(error(&[], &[5, 5]).contains("rows, columns, players"));
    assert!(error(&[("map_capital_distance", "60")], &[20, 20, 2]).contains("lower map_capital_distance"));
    assert!(error(&[("neutral_city_army", "9,3")], &[20, 20, 2]).contains("neutral_city_army"));
}

#[test]
fn sample_maps_load_and_the_fair_ones_are_connected() {
    let settings = Settings::default();
    for sample in Generals::INFO.folder.maps {
        let map =
            Map::read(&settings, sample.text).unwrap_or_else(|error| panic!("{}: {error}", sample.name));
        let capitals = places(&map, |site| site == Site::Capital);
        let steps = walk(&map, capitals[0], is_mountain);
        assert!(capitals.iter().all(|at| steps[*at] != FAR), "{}", sample.name);
        assert!(State::start(&settings, &map, 0).is_ok());
    }
}
