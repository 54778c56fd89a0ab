//! What is read of the text that a bot is sent is what is seen; what holds for every game is tested for all of them.

use palestra_core::AnyGame;
use palestra_core::encoding::{Reader, Reading};
use palestra_rps::Rps;
use palestra_testkit::{Readings, check_foreign};

/// Settings under which units are many and near, so that factories are held, lost and held again.
const CROWDED: &[(&str, &str)] =
    &[("size", "4"), ("first_unit_ticks", "1"), ("max_ticks", "600"), ("hold_ticks", "90")];

#[test]
fn a_reader_sees_what_a_view_shows() {
    let all_alike = [CROWDED, &[("unit_ticks_growth", "0")]].concat();
    let slower =
        [CROWDED, &[("first_unit_ticks", "3"), ("factor_one_base", "5,2"), ("factor_two_bases", "1,7")]]
            .concat();
    for changes in [CROWDED, &all_alike, &slower[1..], &[("size", "7"), ("max_ticks", "1500")]] {
        for seed in 0..6 {
            let readings = Readings { changes, map: None, players: 2, seed, late: 0 };
            assert!(readings.check_drawn(&Rps, 1000) > 20);
            readings.check_played(&Rps, &["marshal", "greedy"]);
        }
    }
}

#[test]
fn an_answer_that_came_too_late_is_noticed() {
    for seed in 0..6 {
        let readings = Readings { changes: CROWDED, map: None, players: 2, seed, late: 5 };
        assert!(readings.check_drawn(&Rps, 1000) > 20);
    }
}

fn packet(tick: u32, soldiers: &str, prod: &str) -> String {
    let count = soldiers.lines().count();
    format!("tick {tick}\nversus 2\nsoldiers {count}\n{soldiers}base r N\nbase d N\nprod {prod}\n.\n")
}

fn global(reader: &dyn Reader, name: &str) -> i32 {
    let mut page = reader.space().page();
    reader.observe(&[], &mut page.open());
    page.globals[reader.space().globals.iter().position(|channel| channel.name == name).unwrap()]
}

/// An intruder falls, and the next one stands in its place: the factory was free in between, or it was not.
#[test]
fn who_has_been_in_the_factory_follows_from_what_was_answered() {
    for (answer, hold) in [("2 left\n.\n", 1), (".\n", 4)] {
        let mut reader = Rps.reader(&[]).unwrap();
        let first = packet(21, "1 E R 0 0\n2 A R 1 0\n3 E P 0 1\n", "10 0 0 0");
        assert_eq!(reader.read(first.as_bytes()), Reading::Turn);
        assert_eq!(global(&*reader, "enemy_hold"), 1);
        reader.answered(answer.as_bytes());
        let second = packet(23, "3 E P 0 0\n", "10 0 0 0");
        assert_eq!(reader.read(second.as_bytes()), Reading::Turn);
        assert_eq!(global(&*reader, "enemy_hold"), hold - i32::from(hold > 1));
    }
}

#[test]
fn what_no_game_says_is_told() {
    let texts = [
        packet(1, "", "10 0 0 x"),
        packet(1, "1 A R 20 0\n", "10 0 0 0"),
        packet(1, "1 N R 2 0\n", "10 0 0 0"),
        packet(1, "1 A X 2 0\n", "10 0 0 0"),
        packet(1, "2 A R 2 0\n1 A R 3 0\n", "10 0 0 0"),
        packet(1, "999999 A R 3 0\n", "10 0 0 0"),
        packet(1, "", "10 0 0 0").replace("soldiers", "units"),
        packet(1, "", "10 0 0 0").replace("\n.\n", "\n?\n"),
    ];
    check_foreign(&Rps, &texts.each_ref().map(String::as_str));
}
