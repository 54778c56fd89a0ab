//! What is read of the text that a bot is sent is what is seen; what holds for every game is tested for all of them.

use palestra_generals::Generals;
use palestra_testkit::{Readings, check_foreign};

#[test]
fn a_reader_sees_what_a_view_shows() {
    for (players, seed) in [(2, 5), (16, 6)] {
        let changes = &[("max_turns", "90"), ("tie_captures", "true")];
        let readings = Readings { changes, map: None, players, seed, late: 0 };
        assert!(readings.check_drawn(&Generals, 1000) > 20);
    }
    let tiny = palestra_core::AnyGame::maps(&Generals).iter().find(|map| map.name == "tiny").unwrap();
    let readings = Readings { changes: &[], map: Some(tiny.text), players: 2, seed: 1, late: 0 };
    assert!(readings.check_drawn(&Generals, 7) > 20);
}

#[test]
fn what_no_game_says_is_told() {
    check_foreign(
        &Generals,
        &[
            "0 3 2 1 ",
            "3 3 2 3 ",
            "3 3 99 1 ",
            "9999999 9999999 2 1 ",
            "a ",
            "1 1 1 1 1 1 1 3 1 ",
            "1 1 1 1 1 1 1 1 5 ",
        ],
    );
}
