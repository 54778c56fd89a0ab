//! Text in and out.

use palestra_core::{AnyGame, AnyState, Eye, Parsed, PlanRequest, Seat};
use palestra_grifaki::Grifaki;
use palestra_testkit::english;
use proptest::prelude::*;

fn open(map: &str, changes: &[(&str, &str)]) -> Box<dyn AnyState> {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let plan = Grifaki.plan(&PlanRequest { changes: &changes, map: Some(map), players: 2, seed: 0 }).unwrap();
    Grifaki.open(&plan).unwrap()
}

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

fn answer(table: &mut dyn AnyState, text: &str) {
    let seat = table.to_move().unwrap();
    let bytes = format!("{text}\n");
    assert_eq!(table.parse(seat, bytes.as_bytes()), Parsed::Done { used: bytes.len() }, "{text}");
    table.apply(seat, 1);
}

const MAP: &str = "2 7 2\n@1 .# c1234 . . c @2\nM . . . . . .";

#[test]
fn a_cell_is_six_words_on_a_line() {
    let table = open(MAP, &[]);
    assert_eq!(text(|out| table.hello(Seat::new(2), out)), "2 7 2 2\n");
    assert_eq!(
        text(|out| table.ask(Seat::new(1), out)),
        "0\n100 1 0 1 1 CAPITAL\n0 0 1 1 0 PLAIN\n1234 0 0 1 0 CITY\n0 0 0 1 0 PLAIN\n0 0 0 1 0 PLAIN\n\
         0 0 0 0 0 MOUNTAIN\n0 0 0 0 0 MOUNTAIN\n\
         0 0 0 1 0 MOUNTAIN\n0 0 0 1 0 PLAIN\n0 0 0 1 0 PLAIN\n0 0 0 1 0 PLAIN\n0 0 0 0 0 PLAIN\n\
         0 0 0 0 0 PLAIN\n0 0 0 0 0 PLAIN\n"
    );
}

#[test]
fn five_word_seats_get_cells_without_the_original_owner() {
    let table = open(MAP, &[("five_word_seats", "1")]);
    assert_eq!(
        text(|out| table.ask(Seat::new(1), out)),
        "0\n100 1 0 1 CAPITAL\n0 0 1 1 PLAIN\n1234 0 0 1 CITY\n0 0 0 1 PLAIN\n0 0 0 1 PLAIN\n\
         0 0 0 0 MOUNTAIN\n0 0 0 0 MOUNTAIN\n\
         0 0 0 1 MOUNTAIN\n0 0 0 1 PLAIN\n0 0 0 1 PLAIN\n0 0 0 1 PLAIN\n0 0 0 0 PLAIN\n\
         0 0 0 0 PLAIN\n0 0 0 0 PLAIN\n"
    );
    assert!(text(|out| table.ask(Seat::new(2), out)).contains("100 2 0 1 2 CAPITAL\n"));
}

#[test]
fn fallen_capitals_keep_their_original_owner_and_hidden_cities_look_like_mountains() {
    let mut table = open("1 4 2\n@1 . . @2", &[("start_army", "1000")]);
    answer(&mut *table, "MOVE 0 0 0 1 1000");
    answer(&mut *table, "EMPTY");
    assert!(
        text(|out| table.ask(Seat::new(1), out))
            .starts_with("0\n0 0 0 1 1 FALLEN_CAPITAL\n1000 1 0 1 0 PLAIN\n")
    );
    answer(&mut *table, "BUILD 0 1 0 1 CITY");
    assert!(text(|out| table.ask(Seat::new(1), out)).contains("800 1 0 1 0 CITY\n"));
    answer(&mut *table, "MOVE 0 3 0 2 1001");
    // Nobody holds a capital now; from the plain of player 2 the city is in sight.
    assert!(
        text(|out| table.ask(Seat::new(2), out))
            .starts_with("0\n0 0 0 1 1 FALLEN_CAPITAL\n800 1 0 1 0 CITY\n")
    );
}

#[test]
fn numbers_of_every_length_are_written() {
    let map = "1 12 11\n@1 @2 @3 @4 @5 @6 @7 @8 @9 @10 @11 .4000000000#";
    for (five, words) in [("", "4000000000 0 1 1 0 PLAIN"), ("11", "4000000000 0 1 1 PLAIN")] {
        let table = open(map, &[("start_army", "1000000"), ("five_word_seats", five)]);
        let asked = text(|out| table.ask(Seat::new(11), out));
        let last = asked.lines().last().unwrap();
        assert_eq!(last, words);
        let own = asked.lines().nth(11).unwrap();
        assert_eq!(own, if five.is_empty() { "1000000 11 0 1 11 CAPITAL" } else { "1000000 11 0 1 CAPITAL" });
        assert_eq!(asked.lines().count(), 13);
    }
}

#[test]
fn answers_may_be_spread_over_lines_and_wait_for_their_last_word_to_end() {
    let mut table = open(MAP, &[]);
    let seat = Seat::new(1);
    for (bytes, used) in [
        ("EMPTY\n", 6),
        ("EMPTY MOVE 0", 6),
        (" \r\n EMPTY\t", 10),
        ("MOVE\n0\n0\r\n0 1\t5\n", 16),
        ("BUILD 0 0 0 0 WALL\n", 19),
        ("BUILD 0 0 0 0 CITY EMPTY\n", 19),
        ("MOVE -1 +2 007 -9223372036854775808 9223372036854775807 x", 56),
        ("MOVE 0 0 0 1 9223372036854775808\n", 33),
        ("MOVE 0 0 0 -99999999999999999999999999 1\n", 41),
    ] {
        assert_eq!(table.parse(seat, bytes.as_bytes()), Parsed::Done { used }, "{bytes:?}");
    }
    for bytes in [
        "",
        " \n",
        "EMPTY",
        "M",
        "MOVE",
        "MOVE 0 0 0 1 5",
        "MOVE 0 0 0 1 ",
        "BUILD 0 0 0 0 WALL",
        "BUILD 0 0 0 0 ",
    ] {
        assert_eq!(table.parse(seat, bytes.as_bytes()), Parsed::NeedMore, "{bytes:?}");
    }
}

#[test]
fn what_cannot_become_an_answer_is_malformed_at_once() {
    let mut table = open(MAP, &[]);
    for (bytes, why) in [
        ("empty\n", "there is no action \"empty\"; there are MOVE, BUILD and EMPTY"),
        ("MOVE, 1 ", "there is no action \"MOVE,\"; there are MOVE, BUILD and EMPTY"),
        ("-1 ", "there is no action \"-1\"; there are MOVE, BUILD and EMPTY"),
        ("MOVE 0 x ", "\"x\" is no integer"),
        ("MOVE 0 0 0 1 1.5\n", "\"1.5\" is no integer"),
        ("MOVE 9223372036854775808x ", "\"9223372036854775808x\" is no integer"),
        ("BUILD 0 0 0 0 wall\n", "there is no building \"wall\"; there are WALL and CITY"),
        ("BUILD 0 0 0 0 5\n", "there is no building \"5\"; there are WALL and CITY"),
        ("BUILD 0 0 0 WALL ", "\"WALL\" is no integer"),
        ("\0 ", "there is no action \"\\0\"; there are MOVE, BUILD and EMPTY"),
    ] {
        let parsed = table.parse(Seat::new(1), bytes.as_bytes());
        let Parsed::Malformed { why: told } = parsed else { panic!("{bytes:?}") };
        assert_eq!(english(&Grifaki, &told), why, "{bytes:?}");
    }
}

#[test]
fn who_is_out_is_told_at_once_and_the_others_who_won() {
    let mut table = open("1 4 3\n@1 @2 . @3", &[("start_army", "10"), ("max_game_duration", "2")]);
    let dismissals = |table: &dyn AnyState| {
        [1, 2, 3].map(|seat| {
            let mut out = Vec::new();
            table.dismissal(Seat::new(seat), &mut out).then(|| String::from_utf8(out).unwrap())
        })
    };
    let told = |text: &str| Some(text.to_owned());
    answer(&mut *table, "EMPTY");
    answer(&mut *table, "MOVE 0 1 0 2 5");
    answer(&mut *table, "MOVE 0 3 0 2 9");
    assert_eq!(dismissals(&*table), [None, None, None]);
    answer(&mut *table, "MOVE 0 0 0 1 11");
    assert_eq!(dismissals(&*table), [None, told("-1\n"), None]);
    assert_eq!(table.to_move(), Some(Seat::new(3)));
    answer(&mut *table, "EMPTY");
    assert_eq!(table.to_move(), None);
    assert_eq!(dismissals(&*table), [told("3\n"), told("-1\n"), told("3\n")]);
}

#[test]
fn a_draw_is_told_as_a_defeat() {
    let mut table = open("1 3 2\n@1 . @2", &[("max_game_duration", "1")]);
    answer(&mut *table, "EMPTY");
    answer(&mut *table, "EMPTY");
    for seat in [1, 2] {
        let mut out = Vec::new();
        assert!(table.dismissal(Seat::new(seat), &mut out));
        assert_eq!(out, b"-1\n");
    }
    let mut table = open("1 3 2\n@1 . @2", &[("max_game_duration", "1")]);
    answer(&mut *table, "MOVE 0 0 0 1 5");
    answer(&mut *table, "EMPTY");
    for seat in [1, 2] {
        let mut out = Vec::new();
        assert!(table.dismissal(Seat::new(seat), &mut out));
        assert_eq!(out, b"1\n", "the winner's number for everybody who stayed");
    }
}

#[test]
fn a_frame_has_what_its_eyes_may_know() {
    let mut table = open("1 7 2\n@1 .7# . . . . @2", &[]);
    answer(&mut *table, "MOVE 0 0 0 1 60");
    let frame = |eye: Eye| table.frame(eye);
    let all = frame(Eye::Spectator);
    assert_eq!(all["kinds"], serde_json::json!(["C.....C"]));
    assert_eq!(all["units"], serde_json::json!([40, 50, 0, 0, 0, 0, 100]));
    assert_eq!(all["walls"], serde_json::json!([[0, 1]]));
    assert_eq!(all["capitals"][1], serde_json::json!({"original": 2, "at": [0, 6]}));
    assert_eq!(all["last_action"], serde_json::json!({"seat": 1, "from": [0, 0], "to": [0, 1], "moved": 60}));
    assert_eq!(all["players"][1]["army"], 100);
    let two = frame(Eye::Seat(Seat::new(2)));
    assert_eq!(two["kinds"], serde_json::json!(["!?....C"]));
    assert_eq!(two["units"], serde_json::json!([0, 0, 0, 0, 0, 0, 100]));
    assert_eq!(two["walls"], serde_json::json!([]));
    assert_eq!(two["capitals"], serde_json::json!([{"original": 2, "at": [0, 6]}]));
    assert_eq!(two["last_action"], serde_json::Value::Null);
    assert_eq!(two["players"][0], serde_json::json!({"seat": 1}));
}

proptest! {
    #[test]
    fn every_answer_reads_as_it_is_written(numbers: [i64; 5], shape in 0..4) {
        let mut table = open(MAP, &[]);
        let [a, b, c, d, amount] = numbers;
        let line = match shape {
            0 => format!("MOVE {a} {b} {c} {d} {amount}\n"),
            1 => format!("BUILD {a} {b} {c} {d} WALL\n"),
            2 => format!("BUILD {a} {b} {c} {d} CITY\n"),
            _ => "EMPTY\n".to_owned(),
        };
        prop_assert_eq!(table.parse(Seat::new(1), line.as_bytes()), Parsed::Done { used: line.len() });
        prop_assert_eq!(text(|out| table.write_answer(out)), line);
        let mut recorded = Vec::new();
        table.encode_answer(&mut recorded);
        prop_assert_eq!(table.decode_answer(&recorded), Some(recorded.len()));
        prop_assert!(table.answer_is(&recorded));
    }
}
