//! Logs that the exporter wrote, read back and compared with the match itself; and logs that nobody wrote.

use super::read;
use crate::Auralux;
use crate::legacy::logs::VISUALIZER;
use crate::state::State;
use crate::view::GroupFrame;
use palestra_core::legacy::Log;
use palestra_core::{Notes, PlanRequest, Replay, Seat};
use palestra_testkit::{
    LogMoment, check_cut_logs, check_damaged_logs, check_log, check_log_errors, exported, log_of,
    play_built_ins, typed_replay,
};
use serde_json::Value;

const SQUARE: &str = "4 2\n1 4\n0 0\n3 0\n0 4\n5 5\n";
const MATRIX: &str = "matrix 4 2\n1 4\n0 2 5 9\n2 0 3 6\n5 3 0 4\n9 6 4 0\n";

fn play(map: Option<&str>, steps: u32, bots: &[&str]) -> Replay {
    let changes = [("max_steps".to_owned(), steps.to_string())];
    let request = PlanRequest { changes: &changes, map, players: bots.len() as u8, seed: 1 };
    play_built_ins(&Auralux, &request, bots)
}

fn text(replay: &Replay) -> String {
    exported(&Auralux, VISUALIZER, replay)
}

fn log(text: &str) -> Box<dyn Log> {
    log_of::<Auralux>(text)
}

/// The moments of a match at the end of every turn, of players that are not asked too; before the next player's ships
/// are produced and land, which is how the log has them.
fn moments(replay: &Replay) -> Vec<LogMoment> {
    let seats = replay.head.plan.seats;
    let typed = typed_replay::<Auralux>(replay);
    let mut moments = Vec::new();
    let mut add = |state: &State| {
        let turn = moments.len();
        let mover = turn.checked_sub(1).map(|before| Seat::at(before % usize::from(seats)));
        let round = turn as u32 / u32::from(seats);
        let mut moment = LogMoment::new::<Auralux>(state, seats, mover, round);
        moment.frame["max_steps"] = 10_000.into();
        // The match has not gone on to the next player at that moment.
        moment.frame["step"] = round.into();
        moment.frame["to_move"] = (turn % usize::from(seats) + 1).into();
        moments.push(moment);
    };
    add(&typed.start().unwrap());
    let played = typed.play(|state, seat, input| {
        state.take_turn(seat, input, &mut Notes::counted(), |state, _| add(state));
        Ok(())
    });
    played.unwrap();
    moments.last_mut().unwrap().frame["to_move"] = Value::Null;
    moments
}

/// Compares everything but the last step, which no log tells.
fn compare(replay: &Replay) {
    let moments = moments(replay);
    let flying =
        moments.iter().filter(|moment| !moment.frame["groups"].as_array().unwrap().is_empty()).count();
    assert!(flying > 50, "there is something to see in {flying} frames");
    check_log::<Auralux>(&*log(&text(replay)), moments, &[]);
}

#[test]
fn a_log_shows_the_match() {
    compare(&play(Some(SQUARE), 10_000, &["admiral", "aggressive"]));
    compare(&play(None, 400, &["admiral", "aggressive", "afk", "aggressive_expansion_random"]));
    compare(&play(None, 300, &["upgrade_and_repair_main", "admiral", "aggressive"]));
}

#[test]
fn flights_of_a_map_without_places_are_told_by_their_arrivals() {
    compare(&play(Some(MATRIX), 1000, &["aggressive", "aggressive_expansion_random"]));
}

#[test]
fn a_log_is_told_by_its_content() {
    for text in [
        "",
        "\n",
        "5",
        "-1",
        "disabled by hand",
        "2 2\n1 2\n0 0\n3 4\n",
        "3 2\n1 3\n0 0\n3 4\n5 6\n",
        "999999999 2\n1 1\n",
        "-3 2\n5\n",
        "4 4 2 0\n1\n1 1\n",
        "{\"planets\": 3}",
        "matrix 2 2\n1 2\n0 3\n3 0\n",
        "a b\n",
        "PALESTRA\u{1}\u{0}",
    ] {
        let expected = text.starts_with("-3");
        assert_eq!(read(text).is_some(), expected, "{text:?}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let whole = "2 2\n0 0\n3 4\n1\n1 1 2 5\n1 95 1 100\n2 100 1 100\n-1\n";
    assert_eq!(log(whole).turns(), 1);
    let disabled = read("disabled\n").expect("one of ours").err().expect("nothing to see").to_string();
    assert!(disabled.contains("without DISABLE_VISUALIZER_LOG"));
    let changes = [
        ("2 2\n", "2 3\n", 1, "the number of players is 3, and must be from 2 to 2; "),
        ("3 4\n", "3 99999999999\n", 3, "y of planet 2 should be here, and "),
        ("1\n1 1", "-7\n1 1", 4, "the number of launches is -7, "),
        ("1\n1 1", "100001\n1 1", 4, "the number of launches is 100001, "),
        ("1 1 2 5", "2 1 2 5", 5, "the player of a launch is 2, and must be from 1 to 1; "),
        ("1 1 2 5", "1 0 2 5", 5, "the planet that a launch comes from is 0, "),
        ("1 1 2 5", "1 1 3 5", 5, "the planet that a launch goes to is 3, "),
        ("1 1 2 5", "1 1 2 0", 5, "the ships of a launch is 0, "),
        ("1 95", "3 95", 6, "the player of planet 1 is 3, "),
        ("1 95", "1 -95", 6, "the ships of planet 1 is -95, "),
        ("95 1", "95 4", 6, "the level of planet 1 is 4, "),
        ("1 100\n2", "1 x\n2", 6, "the armor of planet 1 should be here, and \"x\""),
        ("-1\n", "-1\n7\n", 9, "\"7\" stands behind the end of the match, -1; remove it"),
    ];
    check_log_errors::<Auralux>("visualizer log", whole, &changes);
}

/// Every turn but the beginning is somebody's.
fn check_movers(log: &dyn Log) {
    for turn in 0..=log.turns() {
        assert_eq!(log.mover(turn).is_none(), turn == 0);
    }
}

#[test]
fn a_log_that_was_cut_off_shows_what_is_there() {
    let whole = text(&play(Some(SQUARE), 6, &["aggressive", "aggressive"]));
    let turns = log(&whole).turns();
    check_cut_logs::<Auralux>(&whole, |log, end| {
        for turn in 1..=log.turns() {
            let at_the_end = end >= whole.len() - 1 && turn == turns;
            assert_eq!(log.frame(turn)["to_move"].is_null(), at_the_end, "a cut log is not over");
        }
        check_movers(log);
    });
}

#[test]
fn groups_in_a_log_are_in_flight_until_they_land() {
    let log = log(
        "2 2\n0 0\n0 2\n1\n1 1 2 5\n1 95 1 100\n2 100 1 100\n0\n1 95 1 100\n2 101 1 100\n0\n1 96 1 100\n\
                   2 101 1 100\n",
    );
    let groups = |turn: u32| -> Vec<GroupFrame> {
        log.frame(turn)["groups"].as_array().unwrap().iter().map(group).collect()
    };
    let flying =
        |turns_left| vec![GroupFrame { owner: 1, from: 1, to: 2, ships: 5, distance: 2, turns_left }];
    assert_eq!(groups(0), []);
    assert_eq!(groups(1), flying(2));
    assert_eq!(groups(2), flying(2), "only its owner's turns bring it closer");
    assert_eq!(groups(3), flying(1));
    assert_eq!(log.count(3, Seat::new(1), 0), Some(101));
}

fn group(value: &Value) -> GroupFrame {
    let number = |key: &str| value[key].as_u64().unwrap();
    GroupFrame {
        owner: number("owner") as u8,
        from: number("from") as u8,
        to: number("to") as u8,
        ships: number("ships") as u32,
        distance: number("distance") as u32,
        turns_left: number("turns_left") as u32,
    }
}

#[test]
fn damaged_logs_never_panic() {
    let wholes = [SQUARE, MATRIX].map(|map| text(&play(Some(map), 12, &["aggressive", "aggressive"])));
    check_damaged_logs::<Auralux>(&wholes, "2147483647", check_movers);
}
