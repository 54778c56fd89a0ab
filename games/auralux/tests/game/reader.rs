//! What is read of the text that a bot is sent is what is seen; what holds for every game is tested for all of them.

use palestra_auralux::Auralux;
use palestra_core::AnyGame;
use palestra_testkit::{Readings, check_foreign};

#[test]
fn a_reader_sees_what_a_view_shows() {
    let changes = &[
        ("max_steps", "60"),
        ("production_multiplier", "3"),
        ("max_groups_in_space", "4"),
        ("max_orders_per_turn", "3"),
        ("upgrade_cost", "5,9"),
        ("capture_cost", "7"),
        ("armor", "3,0,4"),
        ("max_distance", "200"),
        ("max_planets", "60"),
        ("max_players", "8"),
    ];
    for (players, seed) in [(2, 1), (3, 2), (8, 3)] {
        let readings = Readings { changes, map: None, players, seed, late: 0 };
        assert!(readings.check_drawn(&Auralux, 1000) > 20);
        let names = ["admiral", "aggressive", "admiral", "disqualify:7"].repeat(2);
        assert!(readings.check_played(&Auralux, &names[..players.into()]) > 20);
    }
}

#[test]
fn a_reader_sees_it_on_the_maps_that_ship() {
    for (map, players) in [("tiny", 2), ("lanes", 2), ("trio", 3), ("cross", 4)] {
        let text = Auralux.maps().iter().find(|sample| sample.name == map).map(|sample| sample.text);
        let readings = Readings { changes: &[("max_steps", "60")], map: text, players, seed: 4, late: 0 };
        assert!(readings.check_drawn(&Auralux, 1 << 16) > 20, "{map}");
    }
}

#[test]
fn what_no_game_says_is_told() {
    check_foreign(
        &Auralux,
        &[
            "0 2 2 ",
            "3 2 2 ",
            "1 2 129 ",
            "a ",
            "1 2 2 0 5 5 0 0 1 1 1 1 3 1 1 1 ",
            "1 2 2 0 5 5 0 0 1 1 1 1 2 1 4 1 ",
            "1 2 2 0 5 6 0 0 1 1 1 1 2 1 1 1 ",
            "1 2 2 0 5 5 0 0 1 1 1 1 0 1 1 1 ",
            "1 2 2 0 5 5 0 1 2 2 2 7 ",
            "1 2 2 0 5 5 0 1 2 3 2 7 ",
        ],
    );
}
