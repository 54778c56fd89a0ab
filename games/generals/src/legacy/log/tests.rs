//! Logs that the exporter wrote, read back and compared with the match itself; and logs that nobody wrote.

use super::read;
use crate::Generals;
use crate::action::Action;
use crate::legacy::LOG;
use crate::state::State;
use palestra_core::game::State as _;
use palestra_core::legacy::Log;
use palestra_core::{Input, Notes, PlanRequest, Replay, Seat};
use palestra_testkit::{
    LogMoment, check_cut_logs, check_damaged_logs, check_log, check_log_errors, exported, log_of,
    play_built_ins, typed_replay,
};
use serde_json::Value;

const TINY: &str = "3 4 2\n3 1 1 1\n1 4 2 3 1\n1 1 1 3\n";

fn play(map: Option<&str>, rounds: u32, bots: &[&str], seed: u64) -> Replay {
    let changes = [("max_turns", rounds), ("map_rows", 12), ("map_columns", 13)];
    let changes = changes.map(|(key, value)| (key.to_owned(), value.to_string()));
    let request = PlanRequest { changes: &changes, map, players: bots.len() as u8, seed };
    play_built_ins(&Generals, &request, bots)
}

fn text(replay: &Replay) -> String {
    exported(&Generals, LOG.name, replay)
}

fn log(text: &str) -> Box<dyn Log> {
    log_of::<Generals>(text)
}

/// The moments of a match that its log has a board of. Who moved is nobody where a round has ended.
fn moments(replay: &Replay) -> Vec<LogMoment> {
    let typed = typed_replay::<Generals>(replay);
    let mut moments = Vec::new();
    let mut add = |state: &State, mover: Option<Seat>| {
        let mut moment = LogMoment::new::<Generals>(state, replay.head.plan.seats, mover, state.rounds());
        moment.frame["max_rounds"] = 1000.into();
        // The match has not taken the last move back in these moments.
        if mover.is_none() {
            moment.frame["last_move"] = Value::Null;
        }
        moments.push(moment);
    };
    add(&typed.start().unwrap(), None);
    let played = typed.play(|state, seat, input| {
        let moved = !matches!(input, Input::Answer(Action::Pass));
        state.take_turn(seat, input, &mut Notes::counted());
        if moved {
            add(state, Some(seat));
        }
        if state.finish_turn(seat) && state.turns.completed().is_multiple_of(2) {
            add(state, None);
        }
        Ok(())
    });
    played.unwrap();
    moments
}

/// Compares everything that a log can tell; all players either pass or move units.
fn compare(replay: &Replay) {
    let log = log(&text(replay));
    // The match has not gone on to the next player in these moments.
    check_log::<Generals>(&*log, moments(replay), &["to_move"]);
    assert_eq!(log.frame(0)["to_move"], 1);
    assert!(log.frame(log.turns())["to_move"].is_null());
}

#[test]
fn a_log_shows_the_match() {
    for seed in 0..4 {
        compare(&play(None, 300, &["hunter", "greedy"], seed));
        compare(&play(None, 300, &["greedy", "hunter", "random"], seed));
        compare(&play(None, 300, &["hunter", "rest", "random", "hunter"], seed));
    }
}

#[test]
fn the_beginning_is_found_though_nobody_moves_at_first() {
    compare(&play(Some(TINY), 20, &["rest", "rest"], 0));
}

#[test]
fn moves_are_found_by_comparing_boards() {
    // Five against four from the left: the first player has moved all but one. Then the other moves half of its three.
    let log =
        log("1 3 2 0\n1\n6 2\n4 1\n1 1 1 0\n1 3 1 6\n1 3 2 4\n1\n2 2\n0 1\n1 1 1 0\n1 3 1 2\n1 3 2 0\n\
         1\n3 2\n1 1\n1 1 1 0\n1 3 1 3\n1 3 2 1\n1\n3 2\n1 1\n1 1 1 1\n1 3 1 2\n1 3 2 1\n0\n");
    let last_move = |turn| log.frame(turn)["last_move"].to_string();
    assert_eq!(last_move(3), "null", "that is growth");
    assert_eq!((log.mover(3), log.round(3)), (None, 2));
    assert_eq!(last_move(4), r#"{"seat":1,"from":[1,2],"to":[1,1]}"#);
    assert_eq!((log.mover(4), log.round(4)), (Some(Seat::new(1)), 3));
    assert_eq!(log.frame(3)["to_move"], 1);
}

#[test]
fn a_player_that_fails_at_once_has_had_a_capital() {
    let log = log("1 4 2 0\n1\n0 0\n1 1\n1 2 0 1\n1 1 0 0\n1 2 0 40\n1 3 2 1\n0\n");
    assert_eq!(log.frame(0)["kinds"][0], "C.cC");
    assert_eq!(log.frame(0)["players"][0]["fate"], "alive");
    assert_eq!(log.mover(1), Some(Seat::new(1)));
    let fallen = log.frame(1);
    assert_eq!(fallen["players"][0]["fate"], "disqualified");
    assert_eq!(fallen["players"][0]["reason"], serde_json::json!({ "code": "removed", "round": 1 }));
}

#[test]
fn a_log_is_told_by_its_content() {
    for text in [
        "",
        "\n",
        "0",
        TINY,
        "3 4 2 1\n1\n",
        "3 4 2 0",
        "3 4 2 0\n7\n",
        "3 4 2 0 0\n1\n",
        "a b c 0\n1\n",
        "2 2\n0 0\n3 4\n0\n",
        "{}",
        "PALESTRA\u{1}\u{0}",
    ] {
        assert!(read(text).is_none(), "{text:?}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let whole = "1 3 2 0\n1\n1 1\n1 1\n1 3 1 1\n1 4\n1 3 2 1\n0\n";
    assert_eq!(log(whole).turns(), 1);
    assert_eq!(log("1 3 2 0\n0\n").turns(), 0);
    let changes = [
        ("1 3 2 0", "0 3 2 0", 1, "the number of rows is 0, and must be from 1 to 200; "),
        ("1 3 2 0", "1 201 2 0", 1, "the number of columns is 201, "),
        ("1 3 2 0", "1 3 65 0", 1, "the number of players is 65, "),
        ("1 3 2 0", "1 3 9999999999999 0", 1, "the number of players is 9999999999999, "),
        ("0\n1\n1 1", "0\n1\n-1 1", 3, "the army of player 1 is -1, "),
        ("0\n1\n1 1", "0\n1\n1 40001", 3, "the land of player 1 is 40001, "),
        ("1 3 1 1", "0 3 1 1", 5, "the sight of the cell in row 1, column 1 is 0, "),
        ("1 3 1 1", "1 5 1 1", 5, "the kind of the cell in row 1, column 1 is 5, "),
        ("1 3 1 1", "1 3 3 1", 5, "the owner of the cell in row 1, column 1 is 3, "),
        ("1 3 1 1", "1 3 1 4294967296", 5, "the units of the cell in row 1, column 1 is 4294967296, "),
        ("1 3 1 1", "1 3 1 x", 5, "the units of the cell in row 1, column 1 should be here, and \"x\""),
        ("2 1\n0", "2 1\n2 0", 8, "the 1 that a board begins with is 2, "),
        ("2 1\n0", "2 1\n0 1", 8, "\"1\" stands behind the end of the match, 0; remove it"),
    ];
    check_log_errors::<Generals>("log", whole, &changes);
}

#[test]
fn a_log_that_was_cut_off_shows_what_is_there() {
    check_cut_logs::<Generals>(&text(&play(Some(TINY), 6, &["greedy", "random"], 1)), |_, _| {});
    // A board that ends with a number of two digits, of which the first alone is a number too.
    check_cut_logs::<Generals>("1 3 2 0\n1\n1 1\n12 1\n1 3 1 1\n1 4\n1 3 2 12\n0\n", |_, _| {});
}

#[test]
fn damaged_logs_never_panic() {
    let whole = text(&play(Some(TINY), 12, &["greedy", "random"], 1));
    check_damaged_logs::<Generals>(&[whole], "4294967295", |_| {});
}
