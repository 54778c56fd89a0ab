//! What is read of the text that a bot is sent is what is seen; what holds for every game is tested for all of them.

use palestra_core::AnyGame;
use palestra_core::encoding::Reading;
use palestra_grifaki::Grifaki;
use palestra_testkit::{Readings, check_foreign};

#[test]
fn a_reader_sees_what_a_view_shows() {
    for (players, seed) in [(2, 5), (16, 6)] {
        let changes =
            &[("max_game_duration", "90"), ("wall_cost", "2"), ("city_cost", "3"), ("leave_one", "false")];
        let readings = Readings { changes, map: None, players, seed, late: 0 };
        assert!(readings.check_drawn(&Grifaki, 1000) > 20);
    }
}

#[test]
fn what_was_built_is_counted_where_it_was_allowed() {
    let mut reader = Grifaki.reader(&[]).unwrap();
    let board = |units: u32, wall: u8| format!("0\n{units} 1 {wall} 1 1 CAPITAL\n0 0 0 0 0 PLAIN\n");
    assert_eq!(reader.read(format!("1 2 2 1\n{}", board(300, 0)).as_bytes()), Reading::Turn);
    let prices = |reader: &dyn palestra_core::encoding::Reader| {
        let mut page = reader.space().page();
        reader.observe(&[], &mut page.open());
        let price = |name: &str| {
            let globals = &reader.space().globals;
            page.globals[globals.iter().position(|channel| channel.name == name).unwrap()]
        };
        [price("wall_price"), price("city_price")]
    };
    assert_eq!(prices(&*reader), [50, 200]);
    for refused in ["BUILD 0 0 0 1 WALL\n", "BUILD 0 0 0 0 CITY\n", "BUILD 0 1 0 0 WALL\n", "EMPTY\n", "?\n"]
    {
        reader.answered(refused.as_bytes());
        assert_eq!(prices(&*reader), [50, 200], "{refused}");
    }
    reader.answered(b"BUILD 0 0 0 0 WALL\n");
    assert_eq!(reader.read(board(250, 1).as_bytes()), Reading::Turn);
    assert_eq!(prices(&*reader), [55, 200]);
}

#[test]
fn what_no_game_says_is_told() {
    check_foreign(
        &Grifaki,
        &[
            "0 3 2 1 ",
            "3 3 2 3 ",
            "3 3 99 1 ",
            "9999999 9999999 2 1 ",
            "a ",
            "1 1 1 1 0 1 1 0 1 1 HILL ",
            "1 1 1 1 0 1 9 0 1 1 CAPITAL ",
            "1 1 1 1 0 1 1 0 1 CAPITAL 1 ",
        ],
    );
}
