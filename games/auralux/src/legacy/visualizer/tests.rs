//! Logs that the exporter wrote, read back and compared with the match itself; and logs that nobody wrote.

use super::read;
use crate::legacy::logs::VISUALIZER;
use crate::state::State;
use crate::view::{Frame, GroupFrame, View};
use crate::{Auralux, Settings};
use palestra_core::legacy::Log;
use palestra_core::replay::Recording;
use palestra_core::{
    AnyGame, Entrant, Eye, Game, Match, Next, Notes, PlanRequest, Replay, Rng, Seat, TimeControl, settings,
};
use serde_json::Value;

const SQUARE: &str = "4 2\n1 4\n0 0\n3 0\n0 4\n5 5\n";
const MATRIX: &str = "matrix 4 2\n1 4\n0 2 5 9\n2 0 3 6\n5 3 0 4\n9 6 4 0\n";

fn play(map: Option<&str>, steps: u32, bots: &[&str]) -> Replay {
    let changes = [("max_steps".to_owned(), steps.to_string())];
    let request = PlanRequest { changes: &changes, map, players: bots.len() as u8, seed: 1 };
    let plan = Auralux.plan(&request).unwrap();
    let entrants: Vec<Entrant> = bots.iter().map(|name| Entrant::BuiltIn((*name).to_owned())).collect();
    let mut game = Match::new(&Auralux, plan, &entrants, TimeControl::Unlimited).unwrap();
    while game.next() != Next::Over {}
    game.finish(Vec::new()).unwrap().1
}

fn text(replay: &Replay) -> String {
    let mut out = Vec::new();
    Auralux.export(VISUALIZER, replay, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn log(text: &str) -> Box<dyn Log> {
    read(text).expect("one of ours").unwrap()
}

fn error(text: &str) -> String {
    read(text).expect("one of ours").err().expect("broken").to_string()
}

fn frame(log: &dyn Log, turn: u32) -> Value {
    let mut out = Vec::new();
    log.frame(turn, &mut out);
    serde_json::from_slice(&out).unwrap()
}

/// The frames of a match at the end of every turn, of players that are not asked too; before the next player's ships
/// are produced and land, which is how the log has them.
fn frames(replay: &Replay) -> Vec<(Frame, Vec<u64>)> {
    let moment = |state: &State| {
        let view = View::new(state, Eye::Spectator);
        let counts = Seat::all(state.seats())
            .flat_map(|seat| {
                (0..Auralux::COUNTERS.len()).map(move |counter| Auralux::count(view, seat, counter))
            })
            .map(|count| count.expect("a spectator knows everything"));
        (Frame::new(view), counts.collect())
    };
    let settings: Settings = settings::from_json(&replay.plan.settings).unwrap();
    let setup = Auralux::read_setup(&settings, &replay.plan.setup).unwrap();
    let recording = Recording::<Auralux> { settings, setup, replay };
    let mut state = recording.start().unwrap();
    let mut frames = vec![moment(&state)];
    let mut inputs = recording.inputs();
    while let Some(input) = inputs.next().unwrap() {
        state.take_turn(input, &mut Notes::counted(), |state, _| frames.push(moment(state)));
    }
    frames
}

/// Compares everything but the last step, which no log tells.
fn compare(replay: &Replay) {
    let log = log(&text(replay));
    let frames = frames(replay);
    assert_eq!(log.turns() as usize + 1, frames.len());
    let flying = frames.iter().filter(|(frame, _)| !frame.groups.is_empty()).count();
    assert!(flying > 50, "there is something to see in {flying} frames");
    for (turn, (expected, counts)) in (0..).zip(frames) {
        let mut expected = serde_json::to_value(expected).unwrap();
        let seats = u32::from(log.seats());
        expected["max_steps"] = 10_000.into();
        // The match has not gone on to the next player at that moment.
        expected["step"] = (turn / seats).into();
        expected["to_move"] = if turn == log.turns() { Value::Null } else { (turn % seats + 1).into() };
        assert_eq!(frame(&*log, turn), expected, "turn {turn}");
        let counted = Seat::all(log.seats())
            .flat_map(|seat| (0..Auralux::COUNTERS.len()).map(move |counter| (seat, counter)))
            .map(|(seat, counter)| log.count(turn, seat, counter).unwrap());
        assert!(counted.eq(counts), "turn {turn}");
        assert_eq!(log.round(turn), turn / seats);
        assert_eq!(log.mover(turn), (turn > 0).then(|| Seat::at((turn as usize - 1) % seats as usize)));
    }
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
    assert!(error("disabled\n").contains("without DISABLE_VISUALIZER_LOG"));
    for (from, to, expected) in [
        ("2 2\n", "2 3\n", "visualizer log, line 1: the number of players is 3, and must be from 2 to 2; "),
        ("3 4\n", "3 99999999999\n", "visualizer log, line 3: y of planet 2 should be here, and "),
        ("1\n1 1", "-7\n1 1", "visualizer log, line 4: the number of launches is -7, "),
        ("1\n1 1", "100001\n1 1", "visualizer log, line 4: the number of launches is 100001, "),
        (
            "1 1 2 5",
            "2 1 2 5",
            "visualizer log, line 5: the player of a launch is 2, and must be from 1 to 1; ",
        ),
        ("1 1 2 5", "1 0 2 5", "visualizer log, line 5: the planet that a launch comes from is 0, "),
        ("1 1 2 5", "1 1 3 5", "visualizer log, line 5: the planet that a launch goes to is 3, "),
        ("1 1 2 5", "1 1 2 0", "visualizer log, line 5: the ships of a launch is 0, "),
        ("1 95", "3 95", "visualizer log, line 6: the player of planet 1 is 3, "),
        ("1 95", "1 -95", "visualizer log, line 6: the ships of planet 1 is -95, "),
        ("95 1", "95 4", "visualizer log, line 6: the level of planet 1 is 4, "),
        ("1 100\n2", "1 x\n2", "visualizer log, line 6: the armor of planet 1 should be here, and \"x\""),
        (
            "-1\n",
            "-1\n7\n",
            "visualizer log, line 9: \"7\" stands behind the end of the match, -1; remove it",
        ),
    ] {
        assert!(whole.contains(from), "{from:?}");
        let error = error(&whole.replacen(from, to, 1));
        assert!(error.starts_with(expected), "{error}");
    }
}

/// Looks at everything that a log shows.
fn look_at(log: &dyn Log) {
    for turn in 0..=log.turns() {
        frame(log, turn);
        for seat in Seat::all(log.seats()) {
            for counter in 0..Auralux::COUNTERS.len() {
                assert!(log.count(turn, seat, counter).is_some());
            }
        }
        assert_eq!(log.mover(turn).is_none(), turn == 0);
    }
}

#[test]
fn a_log_that_was_cut_off_shows_what_is_there() {
    let whole = text(&play(Some(SQUARE), 6, &["aggressive", "aggressive"]));
    let turns = log(&whole).turns();
    let mut seen = 0;
    for end in 0..whole.len() {
        let Some(read) = read(&whole[..end]) else {
            assert_eq!(seen, 0, "once it is recognised, it stays so");
            continue;
        };
        let log = read.unwrap_or_else(|error| panic!("cut at {end}: {error}"));
        assert!(log.turns() >= seen);
        seen = log.turns();
        for turn in 1..=seen {
            let at_the_end = end >= whole.len() - 1 && turn == turns;
            assert_eq!(frame(&*log, turn)["to_move"].is_null(), at_the_end, "a cut log is not over");
        }
        look_at(&*log);
    }
    assert_eq!(seen, turns);
}

#[test]
fn groups_in_a_log_are_in_flight_until_they_land() {
    let log = log(
        "2 2\n0 0\n0 2\n1\n1 1 2 5\n1 95 1 100\n2 100 1 100\n0\n1 95 1 100\n2 101 1 100\n0\n1 96 1 100\n\
                   2 101 1 100\n",
    );
    let groups = |turn: u32| -> Vec<GroupFrame> {
        frame(&*log, turn)["groups"].as_array().unwrap().iter().map(group).collect()
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
    let mut rng = Rng::new(3);
    let mut readable = 0;
    for map in [SQUARE, MATRIX] {
        let whole = text(&play(Some(map), 12, &["aggressive", "aggressive"]));
        for _ in 0..1500 {
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..=rng.below(2) {
                let at = rng.below(bytes.len() as u32) as usize;
                let new: &[u8] = match rng.below(4) {
                    0 => b"",
                    1 => b" 99999999999999999999 ",
                    2 => b"2147483647",
                    _ => &[*rng.pick(b"0123456789 -\nx").unwrap()],
                };
                drop(bytes.splice(at..=at, new.iter().copied()));
            }
            if let Some(Ok(log)) = read(&String::from_utf8_lossy(&bytes)) {
                readable += 1;
                look_at(&*log);
            }
        }
    }
    assert!(readable > 100, "some damage goes unnoticed");
    for _ in 0..1000 {
        let bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(256) as u8).collect();
        let _ = read(&String::from_utf8_lossy(&bytes));
    }
}
