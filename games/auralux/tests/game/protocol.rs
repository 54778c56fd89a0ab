//! The text that bots read and write.

use crate::support::{Play, orders};
use palestra_auralux::{Auralux, Order, Settings};
use palestra_core::game::{State as _, View as _};
use palestra_core::settings::Settings as _;
use palestra_core::{Eye, Parsed, Progress, Protocol, Seat, limits};
use palestra_testkit::english;

const MAP: &str = "3 2\n1 3\n0 0\n3 4\n10 0\n";

fn parse_with(settings: &Settings, text: &str) -> (Parsed, Vec<Order>) {
    let play = Play::new(settings, MAP);
    let mut read = Vec::new();
    let view = play.state.view(Eye::Seat(Seat::new(1)));
    (Auralux::parse(view, text.as_bytes(), &mut Progress::default(), &mut read), read)
}

fn parse(text: &str) -> (Parsed, Vec<Order>) {
    parse_with(&Settings::default(), text)
}

fn done(text: &str) -> (usize, Vec<Order>) {
    match parse(text) {
        (Parsed::Done { used }, read) => (used, read),
        (other, _) => panic!("{text:?}: {other:?}"),
    }
}

fn malformed(text: &str) -> String {
    match parse(text) {
        (Parsed::Malformed { why }, _) => english(&Auralux, &why),
        (other, _) => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn hello_is_who_you_are_and_the_distances() {
    let play = Play::new(&Settings::default(), MAP);
    let mut out = Vec::new();
    Auralux::hello(play.state.view(Eye::Seat(Seat::new(2))), &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), "2 2 3\n0 5 10\n5 0 8\n10 8 0\n");
}

#[test]
fn others_launches_are_told_and_own_ones_are_not() {
    let mut play = Play::equidistant(&Settings::default(), 3, 0, 5);
    assert_eq!(play.ask(1), "0\n1 100 1 100\n2 100 1 100\n3 100 1 100\n");
    play.orders(&[(1, 2, 5), (1, 3, 6), (1, 2, 7)]);
    assert_eq!(play.ask(2), "3\n1 1 2 5\n1 1 3 6\n1 1 2 7\n1 82 1 100\n2 100 1 100\n3 100 1 100\n");
    play.orders(&[(2, 3, 1)]);
    assert_eq!(play.ask(3), "4\n1 1 2 5\n1 1 3 6\n1 1 2 7\n2 2 3 1\n1 82 1 100\n2 99 1 100\n3 100 1 100\n");
    play.orders(&[(3, 1, 2)]);
    assert_eq!(
        play.ask(1),
        "2\n2 2 3 1\n3 3 1 2\n1 83 1 100\n2 99 1 100\n3 98 1 100\n",
        "by player number, and nothing of its own"
    );
    play.idle(1);
    assert_eq!(play.ask(2), "1\n3 3 1 2\n1 83 1 100\n2 100 1 100\n3 98 1 100\n", "each launch is told once");
}

#[test]
fn a_skipped_turn_is_a_turn_without_launches() {
    let mut play = Play::equidistant(&Settings::default(), 3, 0, 5);
    play.orders(&[(1, 2, 5)]).idle(2);
    play.fault().idle(2);
    assert_eq!(play.to_move(), Some(2), "player 1 was skipped");
    assert!(play.ask(2).starts_with("0\n"));
    assert!(play.ask(3).starts_with("0\n"));
}

#[test]
fn captures_and_repairs_are_no_launches() {
    let mut play = Play::equidistant(&Settings::default(), 2, 0, 5);
    play.orders(&[(1, 1, 100)]);
    assert_eq!(play.ask(2), "0\n1 0 2 200\n2 100 1 100\n");
}

#[test]
fn the_goodbye_comes_when_the_game_is_over_to_everybody_and_not_before() {
    let mut play = Play::equidistant(&Settings { max_steps: 2, ..Settings::default() }, 3, 0, 1);
    let goodbye = |play: &Play, seat: u8| {
        let mut out = Vec::new();
        let given = Auralux::dismissal(play.state.view(Eye::Seat(Seat::new(seat))), &mut out);
        assert_eq!(given, !out.is_empty());
        String::from_utf8(out).unwrap()
    };
    play.fault();
    assert_eq!(goodbye(&play, 1), "", "a disqualified player waits for the end");
    play.idle(4);
    for seat in 1..=3 {
        assert_eq!(goodbye(&play, seat), "-1\n");
    }
}

#[test]
fn an_answer_is_its_lines() {
    assert_eq!(done("0\n"), (2, vec![]));
    assert_eq!(done("2\n1 2 3\n4 5 6\n"), (14, orders(&[(1, 2, 3), (4, 5, 6)])));
    assert_eq!(done("1\r\n1 2 3\r\n"), (10, orders(&[(1, 2, 3)])));
    assert_eq!(done("  1 \n\t1  2\x0b3 \n"), (14, orders(&[(1, 2, 3)])));
    assert_eq!(done("+1\n+1 -2 0003\n"), (14, orders(&[(1, -2, 3)])));
    assert_eq!(done("1\n-2147483648 2147483647 0\n").1, orders(&[(i32::MIN, i32::MAX, 0)]));
}

#[test]
fn what_was_written_ahead_is_left_for_the_next_turn() {
    assert_eq!(done("0\n0\n0\n"), (2, vec![]));
    assert_eq!(done("1\n1 2 3\n7\nnonsense").0, 8);
}

#[test]
fn further_words_on_a_line_do_not_matter() {
    assert_eq!(done("1 and more\n1 2 3 4 five\n").1, orders(&[(1, 2, 3)]));
    assert_eq!(done("1abc\n1 2 3xyz\n").1, orders(&[(1, 2, 3)]));
    assert_eq!(done("0 99999999999999999999\n").1, vec![]);
}

#[test]
fn a_line_is_complete_with_its_line_break() {
    for text in ["", "0", "12", "1\n", "1\n1 2 3", "2\n1 2 3\n", "x", "-1", "1\n1 2 x", "\r", "99999"] {
        assert_eq!(parse(text).0, Parsed::NeedMore, "{text:?}");
    }
}

#[test]
fn what_is_no_number_is_malformed() {
    for text in ["\n", "\r\n", "  \n", "x\n", "-\n", "x 1\n", ",1\n"] {
        assert_eq!(
            malformed(text),
            "the first line does not begin with the number of orders, a whole number of 32 bits",
            "{text:?}"
        );
    }
    for line in ["\n", "1 2\n", "1 2 x\n", "1 2x 3\n", "1,2,3\n", "1.5 2 3\n", "x\n"] {
        assert_eq!(
            malformed(&format!("2\n1 2 3\n{line}")),
            "the line of order 2 does not begin with three whole numbers of 32 bits",
            "{line:?}"
        );
    }
}

#[test]
fn numbers_run_into_each_other_as_streams_read_them() {
    assert_eq!(done("1\n1+2-3\n").1, orders(&[(1, 2, -3)]));
}

#[test]
fn a_bad_line_is_known_before_the_rest_arrives() {
    assert!(matches!(parse("3\noops\n").0, Parsed::Malformed { .. }));
}

#[test]
fn integers_outside_32_bits_are_malformed() {
    malformed("2147483648\n");
    malformed("-2147483649\n");
    malformed("1\n1 2 2147483648\n");
    malformed("1\n1 -2147483649 3\n");
    malformed("1\n99999999999999999999999 2 3\n");
}

#[test]
fn too_many_or_negative_orders_are_malformed_at_once() {
    assert_eq!(malformed("-1\n"), "the number of orders is -1, and must be from 0 to 1000");
    assert_eq!(malformed("1001\n"), "the number of orders is 1001, and must be from 0 to 1000");
    assert_eq!(parse("1000\n").0, Parsed::NeedMore);
    let settings = Settings { max_orders_per_turn: 1, ..Settings::default() };
    assert!(matches!(parse_with(&settings, "2\n").0, Parsed::Malformed { .. }));
}

#[test]
fn as_many_orders_as_can_be_allowed_fit_into_an_answer() {
    let most = Settings { max_orders_per_turn: 25_000, ..Settings::default() };
    most.check().unwrap();
    assert!(Settings { max_orders_per_turn: 25_001, ..most }.check().is_err());
    let order = Order { from: i32::MIN, to: i32::MIN, count: i32::MIN };
    let mut answer = Vec::new();
    Auralux::write_answer(&vec![order; 25_000], &mut answer);
    assert!(answer.len() <= limits::ANSWER_BYTES, "{} bytes", answer.len());
    let (parsed, read) = parse_with(&most, std::str::from_utf8(&answer).unwrap());
    assert_eq!((parsed, read.len()), (Parsed::Done { used: answer.len() }, 25_000));
}

#[test]
fn every_word_of_a_large_game_is_told() {
    // Numbers beyond 32 bits cannot be ordered, but they can stand on a planet.
    let settings = Settings {
        production_multiplier: 1000,
        start_ships: 1_000_000,
        max_steps: 1_000_000,
        ..Settings::default()
    };
    let mut play = Play::equidistant(&settings, 2, 0, 1);
    play.orders(&[(1, 1, 1_000_000)]).idle(1).orders(&[(1, 1, 1_000_000)]);
    play.idle(2 * 800_000);
    let ships = play.ships(1);
    assert!(ships > u64::from(u32::MAX) / 2);
    assert!(play.ask(2).contains(&format!("1 {ships} 3 300")));
}

#[test]
fn frames_say_what_they_show() {
    let mut play = Play::new(&Settings::default(), MAP);
    play.orders(&[(1, 2, 30)]).idle(2);
    let frame = play.state.view(Eye::Spectator).frame();
    assert_eq!(
        serde_json::to_value(&frame).unwrap(),
        serde_json::json!({
            "step": 1, "max_steps": 10000, "to_move": 2, "placed": true, "costs": [100, 100, 200],
            "players": [
                {"ships": 101, "planets": 1, "production": 1, "fate": "alive"},
                {"ships": 101, "planets": 1, "production": 1, "fate": "alive"},
            ],
            "planets": [
                {"x": 0, "y": 0, "owner": 1, "ships": 71, "level": 1, "armor": 100, "full_armor": 100},
                {"x": 3, "y": 4, "owner": 0, "ships": 0, "level": 0, "armor": 0, "full_armor": 0},
                {"x": 10, "y": 0, "owner": 2, "ships": 101, "level": 1, "armor": 100, "full_armor": 100},
            ],
            "groups": [{"owner": 1, "from": 1, "to": 2, "ships": 30, "distance": 5, "turns_left": 4}],
        })
    );
    let frame = play.state.view(Eye::Seat(Seat::new(2))).frame();
    assert_eq!(frame.players[0].fate, None);
}
