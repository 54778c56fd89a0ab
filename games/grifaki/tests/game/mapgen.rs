//! The map generator: connected, by the shares, capitals far apart, or an error that says what to change.

use palestra_core::game::{Setup as _, State as _};
use palestra_core::settings::with_changes;
use palestra_grifaki::{Base, Map, Settings, State};
use proptest::prelude::*;

fn settings(changes: &[(&str, &str)]) -> Settings {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    with_changes(&changes).unwrap()
}

fn count(map: &Map, what: impl Fn(Base) -> bool) -> usize {
    map.sites().iter().filter(|site| what(site.base)).count()
}

/// Walking distances from a cell; `None` where nobody gets.
fn distances(map: &Map, from: usize) -> Vec<Option<u32>> {
    let (height, width) = (usize::from(map.board().rows()), usize::from(map.board().columns()));
    let mut found = vec![None; height * width];
    found[from] = Some(0);
    let mut queue = vec![from];
    let mut head = 0;
    while head < queue.len() {
        let at = queue[head];
        head += 1;
        for next in 0..height * width {
            let apart = (at / width).abs_diff(next / width) + (at % width).abs_diff(next % width);
            if apart == 1 && found[next].is_none() && map.sites()[next].base != Base::Mountain {
                found[next] = found[at].map(|steps| steps + 1);
                queue.push(next);
            }
        }
    }
    found
}

fn capitals(map: &Map) -> Vec<usize> {
    (0..map.sites().len()).filter(|at| matches!(map.sites()[*at].base, Base::Capital { .. })).collect()
}

fn connected(map: &Map) -> bool {
    let from = distances(map, capitals(map)[0]);
    from.iter().zip(map.sites()).all(|(steps, site)| steps.is_some() || site.base == Base::Mountain)
}

#[test]
fn the_usual_map_has_its_shares_and_its_capitals_far_apart() {
    for seed in 0..20 {
        for players in [2, 4] {
            let map = Map::generate(&Settings::default(), &[20, 20, players], seed).unwrap();
            assert_eq!(count(&map, |base| base == Base::Mountain), 24);
            assert_eq!(count(&map, |base| base == Base::City { units: 0 }), 8);
            assert!(connected(&map));
            let least = if players == 2 { 20 } else { 12 };
            let capitals = capitals(&map);
            assert_eq!(capitals.len(), players as usize);
            for at in &capitals {
                let from = distances(&map, *at);
                let near =
                    capitals.iter().filter(|other| *other != at).filter_map(|other| from[*other]).min();
                assert!(near.unwrap() >= least, "{near:?} steps");
            }
        }
    }
}

#[test]
fn being_connected_goes_before_the_shares() {
    let crowded = settings(&[("map", r#"[["MOUNTAIN", 0.9], ["PLAIN", 0.1]]"#)]);
    for seed in 0..5 {
        let map = Map::generate(&crowded, &[12, 12, 2], seed).unwrap();
        assert!(connected(&map));
        assert!(count(&map, |base| base == Base::Mountain) > 70, "still a good many");
    }
}

#[test]
fn other_shares_and_city_armies_are_settings() {
    let cities = settings(&[("map", r#"[["CITY", "1"]]"#), ("neutral_city_army", "7")]);
    let map = Map::generate(&cities, &[5, 6, 3], 1).unwrap();
    assert_eq!(count(&map, |base| base == Base::City { units: 7 }), 27);
    assert_eq!(capitals(&map).len(), 3);
}

#[test]
fn what_cannot_be_made_is_an_error_that_says_why() {
    let error = |settings: &Settings, numbers: [u32; 3]| {
        Map::generate(settings, &numbers, 1).unwrap_err().to_string()
    };
    let usual = Settings::default();
    assert_eq!(
        error(&usual, [1, 2, 3]),
        "a map of 1 x 2 cells has 2 that are no mountains, and 3 players need one each; ask for a larger map, fewer \
         players or fewer mountains"
    );
    let rocks = settings(&[("map", r#"[["MOUNTAIN", 0.99], ["PLAIN", 0.01]]"#)]);
    assert!(error(&rocks, [10, 10, 2]).contains("has 1 that are no mountains, and 2 players"));
    let half = settings(&[("map", r#"[["MOUNTAIN", 0.5]]"#)]);
    assert!(error(&half, [10, 10, 2]).contains("must sum to 1"));
    assert!(error(&usual, [0, 10, 2]).contains("0 rows"));
    assert!(error(&usual, [10, 201, 2]).contains("201 columns"));
    assert!(error(&usual, [10, 10, 1]).contains("1 players"));
    assert!(error(&usual, [10, 10, 17]).contains("max_players"));
    assert!(error(&usual, [u32::MAX, u32::MAX, u32::MAX]).contains("max_side"));
    assert!(Map::generate(&usual, &[10, 10], 1).is_err());
}

#[test]
fn every_width_and_height_that_can_be_set_can_be_made() {
    for (width, height) in [("200", "2"), ("2", "200"), ("1", "2")] {
        let settings = settings(&[("width", width), ("height", height)]);
        let map = Map::default_for(&settings, 2, 1).unwrap();
        assert_eq!(
            (map.board().columns().to_string(), map.board().rows().to_string()),
            (width.to_owned(), height.to_owned())
        );
    }
}

#[test]
fn rand_seed_decides_the_map_of_a_match_and_otherwise_the_match_does() {
    let seeded = settings(&[("rand_seed", "11")]);
    let of = |settings: &Settings, seed| Map::default_for(settings, 2, seed).unwrap();
    assert_eq!(of(&seeded, 1), of(&seeded, 2));
    assert_eq!(of(&seeded, 1), of(&Settings::default(), 11));
    assert_ne!(of(&Settings::default(), 1), of(&Settings::default(), 2));
    assert_eq!(of(&settings(&[("width", "9"), ("height", "5")]), 1).board().columns(), 9);
}

#[test]
fn the_largest_maps_are_made_in_good_time() {
    let large = settings(&[
        ("max_side", "200"),
        ("max_players", "64"),
        ("map", r#"[["MOUNTAIN", 0.3], ["PLAIN", 0.68], ["CITY", 0.02]]"#),
        ("max_game_duration", "1000"),
    ]);
    let map = Map::generate(&large, &[200, 200, 64], 3).unwrap();
    assert_eq!(capitals(&map).len(), 64);
    assert!(State::start(&large, &map, 3).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_map_is_connected_and_reads_as_it_is_written(
        height in 1_u32..16,
        width in 1_u32..16,
        players in 2_u32..9,
        mountains in 0_u64..100,
        seed: u64,
    ) {
        let (mountains, cities) = (mountains.min(90), mountains % 10);
        let share = |percent: u64| format!("{}.{:02}", percent / 100, percent % 100);
        let map = format!(
            r#"[["MOUNTAIN", "{}"], ["CITY", "{}"], ["PLAIN", "{}"]]"#,
            share(mountains),
            share(cities),
            share(100 - mountains - cities),
        );
        let settings = settings(&[("map", &map)]);
        if let Ok(map) = Map::generate(&settings, &[height, width, players], seed) {
            prop_assert!(connected(&map));
            let mut found: Vec<u8> = map
                .sites()
                .iter()
                .filter_map(|site| match site.base {
                    Base::Capital { player } => Some(player),
                    _ => None,
                })
                .collect();
            found.sort_unstable();
            prop_assert_eq!(found, (1..=players as u8).collect::<Vec<_>>());
            prop_assert_eq!(&Map::read(&settings, &map.write()).unwrap(), &map);
            prop_assert_eq!(&Map::generate(&settings, &[height, width, players], seed).unwrap(), &map);
        } else {
            let free = height * width - height * width * mountains as u32 / 100;
            prop_assert!(free < players, "only too few cells are an error");
        }
    }
}
