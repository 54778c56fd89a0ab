//! The words exchanged with bots, and what a match makes of them: late answers, broken pipes, lines to the server.

use palestra_core::game::{State as _, View as _};
use palestra_core::{
    AnyGame, Entrant, Exit, Eye, Fate, Fault, Game, Heard, Input, Match, Next, Notes, Parsed, PlanRequest,
    Progress, Protocol, Replay, Seat, Spent, TimeControl,
};
use palestra_rps::{Action, Arena, Direction, Kind, Order, Rps, Settings, State};
use palestra_testkit::english;
use std::time::Duration;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

fn parse(bytes: &[u8]) -> (Parsed, Action) {
    let state = State::start(&Settings::default(), &Arena::new(20).unwrap(), 0).unwrap();
    // Whatever was in it must not stay.
    let mut action = Action { orders: Vec::new(), production: Some(Kind::Rock), unreadable: 9 };
    action.order(7, Direction::Up);
    let view = state.view(Eye::Seat(ONE));
    let parsed = Rps::parse(view, bytes, &mut Progress::default(), &mut action);
    (parsed, action)
}

fn check(text: &str, orders: &[(u32, Direction)], production: Option<Kind>, unreadable: u32) {
    let (parsed, action) = parse(text.as_bytes());
    assert_eq!(parsed, Parsed::Done { used: text.len() }, "{text:?}");
    let orders: Vec<Order> =
        orders.iter().map(|(unit, direction)| Order { unit: *unit, direction: *direction }).collect();
    assert_eq!(action, Action { orders, production, unreadable }, "{text:?}");
}

#[test]
fn answers_are_read_line_by_line() {
    use Direction::{Down, Left, Right, Up};
    check(".\n", &[], None, 0);
    check(
        "5 right\n7 right\n3 down\nprod P\n.\n",
        &[(5, Right), (7, Right), (3, Down)],
        Some(Kind::Paper),
        0,
    );
    check("1 left\r\n2 up\r\nprod S\r\n.\r\n", &[(1, Left), (2, Up)], Some(Kind::Scissors), 0);
    check("  1 \t left  \n\n   \n . \n", &[(1, Left)], None, 0);
    check("prod R\nprod S\nprod X\n.\n", &[], Some(Kind::Scissors), 1);
    check("4294967295 up\n4294967296 up\n-1 up\n0 up\n.\n", &[(u32::MAX, Up), (0, Up)], None, 2);
    check("1 up\n1 up\n.\n", &[(1, Up), (1, Up)], None, 0);
}

#[test]
fn what_is_no_order_is_counted_and_never_malformed() {
    for line in [
        "hello",
        "1",
        "1 north",
        "1 Left",
        "left 1",
        "1 left 2",
        "prod",
        "prod Q",
        "prod RP",
        "prod R R",
        "Prod R",
        "1left",
        "..",
        ". .",
        "ping",
        "tick 5",
        "opponents 3",
        "1.0 up",
        "0x1 up",
        "\u{e9}",
        "\0",
        "1 up;",
        "1,up",
    ] {
        check(&format!("{line}\n.\n"), &[], None, 1);
    }
    let (parsed, action) = parse(b"\xff\xfe up\n\x80\n.\n");
    assert!(matches!(parsed, Parsed::Done { .. }));
    assert_eq!(action.unreadable, 2);
}

#[test]
fn lines_to_the_server_may_come_between_the_lines_of_an_answer() {
    let text =
        "pong\n1 left\nopponent 3 7 bot\nlogin secret\nopponent \nopponent\n2 up\nopponent any\npong\r\n.\n";
    check(text, &[(1, Direction::Left), (2, Direction::Up)], None, 0);
    for text in ["pong\n", "opponent any\n", "login x\npong\n", "opponent .\n"] {
        assert_eq!(parse(text.as_bytes()).0, Parsed::NeedMore, "{text:?} is no answer");
    }
}

#[test]
fn an_answer_ends_with_its_point_and_the_next_one_begins_behind_it() {
    for text in ["", "1 left", "1 left\n", "1 left\n.", ".", "..\n", "prod R\n. x\n"] {
        assert_eq!(parse(text.as_bytes()).0, Parsed::NeedMore, "{text:?}");
    }
    let (parsed, action) = parse(b"1 left\n.\nprod R\n.\n");
    assert_eq!(parsed, Parsed::Done { used: 9 });
    assert_eq!((action.orders.len(), action.production), (1, None));
}

#[test]
fn a_long_answer_is_no_trouble() {
    let text = "12 left\n".repeat(100_000) + ".\n";
    let (parsed, action) = parse(text.as_bytes());
    assert_eq!(parsed, Parsed::Done { used: text.len() });
    let mut state = State::start(&Settings::default(), &Arena::new(20).unwrap(), 0).unwrap();
    let mut notes = Notes::kept();
    state.apply(ONE, Input::Answer(&action), &mut notes);
    assert_eq!(notes.count(ONE), 100_000);
}

#[test]
fn nothing_is_said_before_the_first_packet() {
    let running = new_match("bot");
    assert!(!running.dismissed(ONE));
    let state = State::start(&Settings::default(), &Arena::new(20).unwrap(), 0).unwrap();
    let mut text = Vec::new();
    Rps::hello(state.view(Eye::Seat(ONE)), &mut text);
    assert!(text.is_empty());
}

/// A match of an outside player on seat 1 against a built-in one.
fn new_match(enemy: &str) -> Match {
    let plan = Rps.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 1 }).unwrap();
    let entrants = [Entrant::outside("client"), Entrant::built_in(enemy)];
    Match::new(&Rps, plan, &entrants, TimeControl::PerAnswer(Duration::from_millis(250))).unwrap()
}

/// Goes on until the outside player is asked; gives its packet.
fn asked(running: &mut Match) -> Option<String> {
    loop {
        match running.next() {
            Next::Moved(_) => {}
            Next::Ask(seat, budget) => {
                assert_eq!((seat, budget), (ONE, Some(Duration::from_millis(250))));
                return Some(String::from_utf8(std::mem::take(running.outbox(ONE))).unwrap());
            }
            Next::Over => return None,
        }
    }
}

/// A turn at the beginning of the match.
fn spent(millis: u64) -> Spent {
    spent_until(millis, millis)
}

/// A turn that ended so many milliseconds after the match began.
fn spent_until(at: u64, millis: u64) -> Spent {
    Spent { at: Duration::from_millis(at), wall: Duration::from_millis(millis), cpu: None }
}

#[test]
fn the_time_control_is_250_ms_for_each_answer() {
    assert_eq!(Rps::INFO.time, TimeControl::PerAnswer(Duration::from_millis(250)));
}

#[test]
fn a_late_answer_passes_the_tick_and_is_thrown_away_when_it_comes() {
    let mut running = new_match("bot");
    assert!(asked(&mut running).unwrap().starts_with("tick 1\nversus bot\nsoldiers 0\n"));
    assert_eq!(running.receive(ONE, b"prod R\n.\n", spent(10)), Heard::TurnOver);
    let before = asked(&mut running).unwrap();
    assert!(before.starts_with("tick 3\n") && before.contains("prod 10 1 0 0\n"));
    // This one does not come in time; production goes on.
    assert_eq!(running.time_out(ONE, spent(250)), Heard::TurnOver);
    let after = asked(&mut running).unwrap();
    assert!(after.starts_with("tick 5\n") && after.contains("prod 10 2 0 0\n"));
    // Now it comes, half of it together with a line to the server, and then the answer that is due.
    assert_eq!(running.receive(ONE, b"prod S\npong\n", spent(5)), Heard::Waiting);
    assert_eq!(running.receive(ONE, b".\n", spent(6)), Heard::Waiting);
    assert_eq!(running.receive(ONE, b"prod P\n.\n", spent(7)), Heard::TurnOver);
    assert!(asked(&mut running).unwrap().contains("prod 10 2 1 0\n"));
    assert_eq!(running.faults().len(), 1);
}

#[test]
fn an_answer_that_never_comes_is_written_off_after_five_seconds() {
    for (waited, thrown_away) in [(4_990, true), (5_010, false)] {
        let mut running = new_match("bot");
        asked(&mut running).unwrap();
        running.time_out(ONE, spent(250));
        asked(&mut running).unwrap();
        // The packet that was not answered had been sent at the very beginning.
        let heard = running.receive(ONE, b"prod P\n.\n", spent_until(waited, 20));
        assert_eq!(heard == Heard::Waiting, thrown_away, "{waited}");
    }
}

/// Every answer after the skipped one comes in time, and is taken for the one before until the debt is written off.
#[test]
fn whoever_skips_one_answer_is_back_in_step_after_five_seconds() {
    let mut running = new_match("bot");
    let mut at = 0;
    asked(&mut running).unwrap();
    at += 250;
    running.time_out(ONE, spent_until(at, 250));
    let mut missed = 0;
    loop {
        asked(&mut running).unwrap();
        if running.receive(ONE, b"prod R\n.\n", spent_until(at + 20, 20)) == Heard::TurnOver {
            break;
        }
        missed += 1;
        at += 250;
        running.time_out(ONE, spent_until(at, 250));
    }
    assert_eq!(missed, 19, "written off 5 s after the packet that was never answered");
    for _ in 0..100 {
        asked(&mut running).unwrap();
        at += 20;
        assert_eq!(running.receive(ONE, b".\n", spent_until(at + 20, 20)), Heard::TurnOver);
    }
    assert_eq!(running.faults().len(), 20);
}

#[test]
fn lines_to_the_server_before_a_packet_do_not_disturb_the_answer() {
    let mut running = new_match("random");
    asked(&mut running).unwrap();
    assert_eq!(running.receive(ONE, b".\nopponent any\npong\n", spent(1)), Heard::TurnOver);
    asked(&mut running).unwrap();
    assert!(running.wrote_ahead(ONE));
    assert_eq!(running.receive(ONE, b"", spent(0)), Heard::Waiting);
    assert_eq!(running.receive(ONE, b"prod R\n.\n", spent(1)), Heard::TurnOver);
    assert!(asked(&mut running).unwrap().contains("prod 10 1 0 0\n"));
    assert!(running.state().notes().list().is_empty());
}

#[test]
fn forty_late_answers_in_a_row_lose_the_match_and_both_get_the_last_packet() {
    let mut running = new_match("random");
    for missed in 0..40 {
        assert!(asked(&mut running).is_some(), "{missed}");
        running.time_out(ONE, spent(250));
    }
    assert_eq!(running.next(), Next::Over);
    let last = String::from_utf8(std::mem::take(running.outbox(ONE))).unwrap();
    assert!(last.starts_with("tick 80\n") && last.ends_with("finished defeat\n.\n"), "{last}");
    let (outcome, replay) = running.finish(Vec::new()).unwrap();
    assert_eq!((outcome.winner, outcome.placings[0].fate), (Some(TWO), Fate::Disqualified));
    assert_eq!(replay.verify(&Rps).unwrap(), 79);
}

#[test]
fn endless_long_answers_lose_the_match_before_they_fill_the_memory() {
    let mut running = new_match("bot");
    let answer = ["1 up\n".repeat(200_000).as_bytes(), b".\n"].concat();
    while asked(&mut running).is_some() {
        running.receive(ONE, &answer, spent(1));
    }
    let [(_, ONE, fault)] = running.faults() else { panic!("{:?}", running.faults()) };
    assert_eq!(english(&Rps, &fault.message()), "answers too long: more than 33554432 bytes in one match");
    let (outcome, replay) = running.finish(Vec::new()).unwrap();
    assert_eq!(outcome.winner, Some(TWO));
    assert_eq!(
        Replay::from_bytes(&replay.to_bytes().unwrap()).unwrap().verify(&Rps).unwrap(),
        replay.head.turns
    );
}

#[test]
fn a_closed_connection_loses_the_match() {
    let mut running = new_match("random");
    asked(&mut running).unwrap();
    running.closed(ONE, Exit::ClosedOutput, spent(1));
    assert_eq!(running.next(), Next::Over);
    let (outcome, _) = running.finish(Vec::new()).unwrap();
    assert_eq!(outcome.winner, Some(TWO));
    assert_eq!(english(&Rps, &outcome.placings[0].reason), "closed its output in tick 1");
    let last = String::from_utf8(std::mem::take(running.outbox(ONE))).unwrap();
    assert!(last.starts_with("tick 2\nversus 2\n") && last.ends_with("finished defeat\n.\n"), "{last}");
}

#[test]
fn a_match_can_be_written_as_the_clients_log_it() {
    let mut running = new_match("bot");
    asked(&mut running).unwrap();
    running.receive(ONE, b"prod R\nnonsense\n9 up\n.\n", spent(1));
    asked(&mut running).unwrap();
    running.time_out(ONE, spent(250));
    asked(&mut running).unwrap();
    running.fail(ONE, Fault::Exited(Exit::Code(3)), spent(1));
    let (_, replay) = running.finish(Vec::new()).unwrap();
    let mut log = Vec::new();
    Rps.export("packets", &replay, &mut log).unwrap();
    let packet = |seat: u8, tick: u32, versus: &str, prod: &str, last: &str| {
        format!(
            "# seat {seat}\ntick {tick}\nversus {versus}\nsoldiers 0\nbase r N\nbase d N\nprod 10 {prod}\n{last}.\n\n"
        )
    };
    let expected = [
        packet(1, 1, "bot", "0 0 0", ""),
        "9 up\nprod R\n?\n.\n\n".to_owned(),
        packet(2, 2, "1", "0 0 0", ""),
        "prod R\n.\n\n".to_owned(),
        packet(1, 3, "bot", "1 0 0", ""),
        "(out of time)\n\n".to_owned(),
        packet(2, 4, "1", "1 0 0", ""),
        ".\n\n".to_owned(),
        packet(1, 5, "bot", "2 0 0", ""),
        "(exited with code 3)\n\n".to_owned(),
        packet(1, 6, "bot", "2 0 0", "finished defeat\n"),
        packet(2, 6, "1", "2 0 0", "finished victory\n"),
    ]
    .concat();
    assert_eq!(String::from_utf8(log).unwrap(), expected);
    assert!(Rps.export("log", &replay, &mut Vec::new()).is_err());
}

#[test]
fn a_frame_names_what_it_shows() {
    let mut state =
        State::start(&Settings { first_unit_ticks: 1, ..Settings::default() }, &Arena::new(6).unwrap(), 0)
            .unwrap();
    for kind in [Kind::Rock, Kind::Scissors] {
        let action = Action { production: Some(kind), ..Action::default() };
        let seat = state.to_move().unwrap();
        state.apply(seat, Input::Answer(&action), &mut Notes::counted());
    }
    let frame = |eye| serde_json::to_value(state.view(eye).frame()).unwrap();
    let seen = frame(Eye::Spectator);
    let player = |seat: u8, kind: &str| {
        serde_json::json!({
            "seat": seat, "units": 1, "finished": 1, "bases": 0, "hold": 0, "ignored": 0, "missed": 0,
            "production": {"kind": kind, "spent": [0, 0, 0], "needed": 2},
            "fate": "alive",
        })
    };
    assert_eq!(
        seen,
        serde_json::json!({
            "tick": 3, "max_ticks": 4000, "hold_ticks": 20, "to_move": 1, "eye": null, "size": 6,
            "players": [player(1, "R"), player(2, "S")],
            "bases": [{"x": 5, "y": 0, "owner": null}, {"x": 0, "y": 5, "owner": null}],
            "units": [
                {"id": 1, "seat": 1, "kind": "R", "x": 0, "y": 0},
                {"id": 2, "seat": 2, "kind": "S", "x": 5, "y": 5},
            ],
        })
    );
    // Players see the same arena, but not what the other one produces.
    for seat in Seat::all(2) {
        let mut own = frame(Eye::Seat(seat));
        assert_eq!(own["eye"], seat.number());
        let enemy = 1 - seat.index();
        own["eye"] = serde_json::Value::Null;
        for hidden in ["production", "ignored", "missed"] {
            assert!(own["players"][enemy].get(hidden).is_none());
            own["players"][enemy][hidden] = seen["players"][enemy][hidden].clone();
        }
        assert_eq!(own, seen);
    }
}
