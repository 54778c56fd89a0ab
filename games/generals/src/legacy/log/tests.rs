//! Logs that the exporter wrote, read back and compared with the match itself; and logs that nobody wrote.

use super::read;
use crate::legacy::LOG;
use crate::protocol::Action;
use crate::state::State;
use crate::view::{Frame, View, frame as draw};
use crate::{Generals, Settings};
use palestra_core::legacy::Log;
use palestra_core::replay::Recording;
use palestra_core::{
    AnyGame, Entrant, Eye, Game, Input, Match, Next, Notes, PlanRequest, Replay, Rng, Seat, TimeControl,
    settings,
};
use serde_json::Value;

const TINY: &str = "3 4 2\n3 1 1 1\n1 4 2 3 1\n1 1 1 3\n";

fn play(map: Option<&str>, rounds: u32, bots: &[&str], seed: u64) -> Replay {
    let changes = [("max_turns", rounds), ("map_rows", 12), ("map_columns", 13)];
    let changes = changes.map(|(key, value)| (key.to_owned(), value.to_string()));
    let request = PlanRequest { changes: &changes, map, players: bots.len() as u8, seed };
    let plan = Generals.plan(&request).unwrap();
    let entrants: Vec<Entrant> = bots.iter().map(|name| Entrant::BuiltIn((*name).to_owned())).collect();
    let mut game = Match::new(&Generals, plan, &entrants, TimeControl::Unlimited).unwrap();
    while game.next() != Next::Over {}
    game.finish(Vec::new()).unwrap().1
}

fn text(replay: &Replay) -> String {
    let mut out = Vec::new();
    Generals.export(LOG.name, replay, &mut out).unwrap();
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

/// A moment of a match that its log has a board of.
struct Moment {
    frame: Frame,
    counts: Vec<u64>,
    /// Who moved; nobody where a round has ended.
    mover: Option<Seat>,
    rounds: u32,
}

fn moments(replay: &Replay) -> Vec<Moment> {
    let moment = |state: &State, mover| {
        let view = View::new(state, Eye::Spectator);
        let counts = all_counters(view.players()).map(|(seat, counter)| {
            Generals::count(view, seat, counter).expect("a spectator knows everything")
        });
        Moment { frame: draw(view), counts: counts.collect(), mover, rounds: state.rounds_begun() }
    };
    let settings: Settings = settings::from_json(&replay.plan.settings).unwrap();
    let setup = Generals::read_setup(&settings, &replay.plan.setup).unwrap();
    let recording = Recording::<Generals> { settings, setup, replay };
    let mut state = recording.start().unwrap();
    let mut moments = vec![moment(&state, None)];
    let mut inputs = recording.inputs();
    while let Some(input) = inputs.next().unwrap() {
        let seat = state.to_move().unwrap();
        let moved = !matches!(input, Input::Answer(Action::Pass));
        state.take_turn(seat, input, &mut Notes::counted());
        if moved {
            moments.push(moment(&state, Some(seat)));
        }
        if state.finish_turn(seat) && state.round().is_multiple_of(2) {
            moments.push(moment(&state, None));
        }
    }
    moments
}

fn all_counters(seats: u8) -> impl Iterator<Item = (Seat, usize)> {
    Seat::all(seats).flat_map(|seat| (0..Generals::COUNTERS.len()).map(move |counter| (seat, counter)))
}

/// Compares everything that a log can tell; all players either pass or move units.
fn compare(replay: &Replay) {
    let log = log(&text(replay));
    let moments = moments(replay);
    assert_eq!(log.turns() as usize + 1, moments.len());
    for (turn, moment) in (0..).zip(&moments) {
        let counted =
            all_counters(log.seats()).map(|(seat, counter)| log.count(turn, seat, counter).unwrap());
        assert!(counted.eq(moment.counts.iter().copied()), "turn {turn}");
        assert_eq!(log.mover(turn), moment.mover, "turn {turn}");
        assert_eq!(log.round(turn), moment.rounds, "turn {turn}");
        let mut expected = moment.frame.clone();
        // The match has not gone on to the next player in these moments, nor taken the last move back.
        let mut shown = frame(&*log, turn);
        shown["to_move"] = moment.frame.to_move.map(Seat::number).into();
        expected.max_rounds = 1000;
        expected.last_move = expected.last_move.filter(|_| moment.mover.is_some());
        assert_eq!(shown, serde_json::to_value(expected).unwrap(), "turn {turn}");
    }
    assert_eq!(frame(&*log, 0)["to_move"], 1);
    assert!(frame(&*log, log.turns())["to_move"].is_null());
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
    let last_move = |turn| frame(&*log, turn)["last_move"].to_string();
    assert_eq!(last_move(3), "null", "that is growth");
    assert_eq!((log.mover(3), log.round(3)), (None, 2));
    assert_eq!(last_move(4), r#"{"seat":1,"from":[1,2],"to":[1,1]}"#);
    assert_eq!((log.mover(4), log.round(4)), (Some(Seat::new(1)), 3));
    assert_eq!(frame(&*log, 3)["to_move"], 1);
}

#[test]
fn a_player_that_fails_at_once_has_had_a_capital() {
    let log = log("1 4 2 0\n1\n0 0\n1 1\n1 2 0 1\n1 1 0 0\n1 2 0 40\n1 3 2 1\n0\n");
    assert_eq!(frame(&*log, 0)["kinds"][0], "C.cC");
    assert_eq!(frame(&*log, 0)["players"][0]["fate"], "alive");
    assert_eq!(log.mover(1), Some(Seat::new(1)));
    let fallen = frame(&*log, 1);
    assert_eq!(fallen["players"][0]["fate"], "disqualified");
    assert_eq!(fallen["players"][0]["reason"], "an answer that is not allowed, or none, in round 1");
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
    for (from, to, expected) in [
        ("1 3 2 0", "0 3 2 0", "log, line 1: the number of rows is 0, and must be from 1 to 200; "),
        ("1 3 2 0", "1 201 2 0", "log, line 1: the number of columns is 201, "),
        ("1 3 2 0", "1 3 65 0", "log, line 1: the number of players is 65, "),
        ("1 3 2 0", "1 3 9999999999999 0", "log, line 1: the number of players is 9999999999999, "),
        ("0\n1\n1 1", "0\n1\n-1 1", "log, line 3: the army of player 1 is -1, "),
        ("0\n1\n1 1", "0\n1\n1 40001", "log, line 3: the land of player 1 is 40001, "),
        ("1 3 1 1", "0 3 1 1", "log, line 5: the sight of the cell in row 1, column 1 is 0, "),
        ("1 3 1 1", "1 5 1 1", "log, line 5: the kind of the cell in row 1, column 1 is 5, "),
        ("1 3 1 1", "1 3 3 1", "log, line 5: the owner of the cell in row 1, column 1 is 3, "),
        (
            "1 3 1 1",
            "1 3 1 4294967296",
            "log, line 5: the units of the cell in row 1, column 1 is 4294967296, ",
        ),
        (
            "1 3 1 1",
            "1 3 1 x",
            "log, line 5: the units of the cell in row 1, column 1 should be here, and \"x\"",
        ),
        ("2 1\n0", "2 1\n2 0", "log, line 8: the 1 that a board begins with is 2, "),
        ("2 1\n0", "2 1\n0 1", "log, line 8: \"1\" stands behind the end of the match, 0; remove it"),
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
        log.mover(turn);
        log.round(turn);
        for (seat, counter) in all_counters(log.seats()) {
            assert!(log.count(turn, seat, counter).is_some());
        }
    }
}

#[test]
fn a_log_that_was_cut_off_shows_what_is_there() {
    let whole = text(&play(Some(TINY), 6, &["greedy", "random"], 1));
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
        look_at(&*log);
    }
    assert_eq!(seen, turns);
}

#[test]
fn damaged_logs_never_panic() {
    let mut rng = Rng::new(3);
    let whole = text(&play(Some(TINY), 12, &["greedy", "random"], 1));
    let mut readable = 0;
    for _ in 0..3000 {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..=rng.below(2) {
            let at = rng.below(bytes.len() as u32) as usize;
            let new: &[u8] = match rng.below(4) {
                0 => b"",
                1 => b" 99999999999999999999 ",
                2 => b"4294967295",
                _ => &[*rng.pick(b"0123456789 -\nx").unwrap()],
            };
            drop(bytes.splice(at..=at, new.iter().copied()));
        }
        if let Some(Ok(log)) = read(&String::from_utf8_lossy(&bytes)) {
            readable += 1;
            look_at(&*log);
        }
    }
    assert!(readable > 100, "some damage goes unnoticed");
    for _ in 0..1000 {
        let bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(256) as u8).collect();
        let _ = read(&String::from_utf8_lossy(&bytes));
    }
}
