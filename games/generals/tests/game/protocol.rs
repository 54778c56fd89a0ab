//! What bots are sent and what is understood of their answers.

use palestra_core::game::{Setup as _, State as _, View as _};
use palestra_core::{
    AnyGame, AnyState, Bot, BotSeat, Entrant, Eye, Fate, Fault, Game, Input, Match, Next, Notes, Outcome,
    Parsed, Plan, PlanRequest, Progress, Protocol, Replay, Rng, Seat, Spent, TimeControl,
};
use palestra_generals::{Action, Amount, Generals, Map, Move, Settings, State};
use palestra_testkit::english;
use proptest::prelude::*;

fn start(map: &str) -> State {
    let settings = Settings::default();
    State::start(&settings, &Map::read(&settings, map).unwrap(), 0).unwrap()
}

fn parse(bytes: &[u8]) -> (Parsed, Action) {
    let state = start("1 2 2 3 3");
    let mut action = Action::Pass;
    let view = state.view(Eye::Spectator);
    let parsed = Generals::parse(view, bytes, &mut Progress::default(), &mut action);
    (parsed, action)
}

fn sent(state: &State, eye: Eye) -> String {
    let view = state.view(eye);
    let mut out = b"kept ".to_vec();
    Generals::hello(view, &mut out);
    Generals::ask(view, &mut out);
    String::from_utf8(out).unwrap()
}

fn open(changes: &[(&str, &str)], map: Option<&str>, players: u8) -> Box<dyn AnyState> {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let request = PlanRequest { changes: &changes, map, players, seed: 5 };
    Generals.open(&Generals.plan(&request).unwrap()).unwrap()
}

#[test]
fn a_player_sees_its_cells_and_the_eight_around_each() {
    let state = start("3 5 2\n4 1 2 40 1 1\n3 1 4 2 7 1\n1 1 1 1 3");
    let first = "kept 3 5 2 1\n1\n1 1\n1 1\n1 4\n1 1 0 0\n0 2\n0 1\n0 1\n1 3 1 1\n1 1 0 0\n0 2\n0 2\n0 1\n\
                 1 1 0 0\n1 1 0 0\n0 1\n0 1\n0 1\n";
    assert_eq!(sent(&state, Eye::Seat(Seat::new(1))), first);
    let second = "kept 3 5 2 2\n1\n1 1\n1 1\n0 2\n0 1\n0 2\n0 1\n0 1\n0 1\n0 1\n0 2\n1 2 0 7\n1 1 0 0\n\
                  0 1\n0 1\n0 1\n1 1 0 0\n1 3 2 1\n";
    assert_eq!(sent(&state, Eye::Seat(Seat::new(2))), second);
    let all = "kept 3 5 2 0\n1\n1 1\n1 1\n1 4\n1 1 0 0\n1 2 0 40\n1 1 0 0\n1 1 0 0\n1 3 1 1\n1 1 0 0\n1 4\n\
               1 2 0 7\n1 1 0 0\n1 1 0 0\n1 1 0 0\n1 1 0 0\n1 1 0 0\n1 3 2 1\n";
    assert_eq!(sent(&state, Eye::Spectator), all);
}

#[test]
fn numbers_of_every_length_are_written_whole() {
    for units in [0, 9, 10, 99, 100, 999, 1000, 12_345, 4_294_960_000_u32] {
        let state = start(&format!("1 3 2\n3 2 {units} 3"));
        assert!(sent(&state, Eye::Spectator).ends_with(&format!("1 3 1 1\n1 2 0 {units}\n1 3 2 1\n")));
    }
    let players = 12;
    let state = start(&format!("1 12 {players}{}", " 3".repeat(players)));
    let text = sent(&state, Eye::Seat(Seat::new(12)));
    assert!(text.starts_with("kept 1 12 12 12\n1\n1 1\n"));
    assert!(text.ends_with("0 1\n1 3 11 1\n1 3 12 1\n"));
}

#[test]
fn a_player_that_is_out_has_zeros_and_its_cells_look_as_what_they_are() {
    let mut table = open(&[], Some("1 7 3\n3 1 1 3 1 1 3"), 3);
    assert!(matches!(table.parse(Seat::new(1), b"-1\n"), Parsed::Done { used: 3 }));
    table.apply(Seat::new(1), 1);
    table.fault(Seat::new(2), 2, &Fault::OutOfTime);
    let mut text = Vec::new();
    assert!(table.dismissal(Seat::new(2), &mut text), "it need not wait for its next turn");
    assert!(!table.dismissal(Seat::new(1), &mut text) && !table.dismissal(Seat::new(3), &mut text));
    assert_eq!(text, b"0\n");
    text.clear();
    table.ask(Seat::new(3), &mut text);
    // A neutral city where the capital was: "0 2" from afar.
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "1\n1 1\n0 0\n1 1\n0 1\n0 1\n0 1\n0 2\n0 1\n1 1 0 0\n1 3 3 1\n"
    );
}

#[test]
fn everybody_is_dismissed_when_the_game_is_over() {
    let mut table = open(&[("max_turns", "1")], Some("1 3 2\n3 1 3"), 2);
    for seat in [1, 2] {
        let seat = Seat::new(seat);
        assert!(!table.dismissal(seat, &mut Vec::new()));
        table.parse(seat, b"-1\n");
        table.apply(seat, 1);
    }
    for seat in [1, 2] {
        let mut text = Vec::new();
        assert!(table.dismissal(Seat::new(seat), &mut text));
        assert_eq!(text, b"0\n");
    }
}

#[test]
fn answers_are_read_by_words() {
    let order = |amount, numbers: [i64; 4]| {
        let [a, b, c, d] = numbers;
        Action::Move(Move { amount, from: [a, b], to: [c, d] })
    };
    let (all, half) = (Amount::AllButOne, Amount::Half);
    for (text, used, action) in [
        ("-1\n", 3, Action::Pass),
        (" \r\n -1 1 1", 7, Action::Pass),
        ("1 2 3 2 4\n", 10, order(all, [2, 3, 2, 4])),
        ("2\n2\n3\t\t2 4\r\n-1\n", 11, order(half, [2, 3, 2, 4])),
        ("1 -7 0 +99 007 1 2", 15, order(all, [-7, 0, 99, 7])),
        ("1 9223372036854775807 1 1 -9223372036854775808 ", 47, order(all, [i64::MAX, 1, 1, i64::MIN])),
    ] {
        assert_eq!(parse(text.as_bytes()), (Parsed::Done { used }, action), "{text:?}");
    }
}

#[test]
fn an_unfinished_answer_waits() {
    for text in ["", "  \n", "-", "-1", "1", "1 ", "1 1 1 1", "1 1 1 1 1", "3", "x", "1 1 x"] {
        assert_eq!(parse(text.as_bytes()).0, Parsed::NeedMore, "{text:?}");
    }
}

#[test]
fn what_cannot_become_an_answer_is_refused_without_waiting_for_more() {
    for (text, why) in [
        ("0 ", "there is no option 0; the options are -1, 1 and 2"),
        ("3 1 1 1 2\n", "there is no option 3; the options are -1, 1 and 2"),
        ("-2\n", "there is no option -2; the options are -1, 1 and 2"),
        ("pass\n", "\"pass\" is no integer"),
        ("1.0 ", "\"1.0\" is no integer"),
        ("1 a ", "\"a\" is no integer"),
        ("2 1 1 1 2x\n", "\"2x\" is no integer"),
        ("1 9223372036854775808 ", "\"9223372036854775808\" is no integer"),
        ("\u{2014}1\n", "\"\u{2014}1\" is no integer"),
        ("- 1\n", "\"-\" is no integer"),
    ] {
        let Parsed::Malformed { why: told } = parse(text.as_bytes()).0 else { panic!("{text:?}") };
        assert_eq!(english(&Generals, &told), why, "{text:?}");
    }
}

fn any_action() -> impl Strategy<Value = Action> {
    let number = || prop_oneof![-3..60_i64, any::<i64>()];
    let order = (any::<bool>(), [number(), number()], [number(), number()]).prop_map(|(half, from, to)| {
        let amount = if half { Amount::Half } else { Amount::AllButOne };
        Action::Move(Move { amount, from, to })
    });
    prop_oneof![1 => Just(Action::Pass), 9 => order]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic_and_never_claim_more_than_there_is(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            prop::collection::vec(prop::sample::select(&b"0123456789-+ \n\rx"[..]), 0..60),
        ]
    ) {
        match parse(&bytes).0 {
            Parsed::Done { used } => prop_assert!(used > 0 && used <= bytes.len()),
            Parsed::NeedMore => {}
            Parsed::Malformed { why } => prop_assert!(why.to_text().len() < 1000),
        }
    }

    #[test]
    fn answers_round_trip_as_text_and_as_a_record(action in any_action(), rest in "[ 0-9x]{0,9}") {
        let mut text = Vec::new();
        Generals::write_answer(&action, &mut text);
        let length = text.len();
        text.extend_from_slice(rest.as_bytes());
        prop_assert_eq!(parse(&text), (Parsed::Done { used: length }, action));

        let mut table = open(&[], Some("1 2 2 3 3"), 2);
        table.parse(Seat::new(1), &text);
        let mut record = Vec::new();
        table.encode_answer(&mut record);
        let size = record.len();
        record.extend_from_slice(b"next");
        table.parse(Seat::new(1), b"-1 ");
        prop_assert_eq!(table.decode_answer(&record), Some(size));
        let mut again = Vec::new();
        table.write_answer(&mut again);
        prop_assert_eq!(&again[..], &text[..length]);
    }

    #[test]
    fn nothing_hidden_reaches_a_player(seed: u64, turns in 0..400_u64, side in 4..11_u32, players in 2..5_u32) {
        let settings = Settings { max_side: 50, ..Settings::default() };
        let Ok(map) = Map::generate(&settings, &[side, side, players], seed) else {
            return Ok(());
        };
        let mut state = State::start(&settings, &map, seed).unwrap();
        let mut bots = bots(&["greedy", "random", "hunter", "greedy"][..players as usize], seed);
        palestra_core::play::play::<Generals>(&mut state, &mut bots, &mut Notes::counted(), turns);
        for seat in Seat::all(players as u8) {
            let mut other = state.clone();
            if other.disturb_hidden(seat, &mut Rng::new(seed)) {
                prop_assert_ne!(sent(&other, Eye::Spectator), sent(&state, Eye::Spectator));
            }
            prop_assert_eq!(sent(&other, Eye::Seat(seat)), sent(&state, Eye::Seat(seat)));
            let frame = |state: &State| serde_json::to_value(state.view(Eye::Seat(seat)).frame()).unwrap();
            prop_assert_eq!(frame(&other), frame(&state));
        }
    }
}

fn bots(names: &[&str], seed: u64) -> Vec<Box<dyn Bot<Generals>>> {
    let made = names.iter().enumerate().map(|(index, name)| {
        let built_in = Generals::BUILT_INS.iter().find(|bot| bot.name == *name).unwrap();
        let seat = BotSeat { seat: Seat::at(index), seed: seed.wrapping_add(index as u64), argument: None };
        (built_in.make)(seat).unwrap()
    });
    made.collect()
}

/// A match of scripted answers; a fault where the script has none.
fn play_match(map: &str, changes: &[(&str, &str)], script: &[&str]) -> Replay {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let request = PlanRequest { changes: &changes, map: Some(map), players: 2, seed: 1 };
    let plan = Generals.plan(&request).unwrap();
    let entrants = vec![Entrant::outside("script"); usize::from(plan.seats)];
    run(plan, &entrants, script).1
}

/// Plays a match to its end: built-in players by themselves, the others by the script, with a fault at its end.
fn run(plan: Plan, entrants: &[Entrant], script: &[&str]) -> (Outcome, Replay) {
    let mut game = Match::new(&Generals, plan, entrants, TimeControl::Unlimited).unwrap();
    let mut script = script.iter();
    loop {
        match game.next() {
            Next::Moved(_) => {}
            Next::Ask(seat, _) => match script.next() {
                Some(answer) => {
                    game.receive(seat, format!("{answer}\n").as_bytes(), Spent::NOTHING);
                }
                None => game.fail(seat, Fault::OutOfTime, Spent::NOTHING),
            },
            Next::Over => return game.finish(Vec::new()).unwrap(),
        }
    }
}

fn log(replay: &Replay) -> String {
    let mut out = Vec::new();
    Generals.export("log", replay, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_log_has_the_board_after_every_move_and_every_second_round() {
    let replay = play_match(
        "1 3 2\n3 1 3",
        &[("max_turns", "4")],
        &["-1", "-1", "-1", "-1", "1 1 1 1 2", "1 1 3 1 2", "-1", "-1"],
    );
    let board = |first: &str, middle: &str, second: &str, totals: &str| {
        format!("1\n{totals}\n1 3 1 {first}\n1 1 {middle}\n1 3 2 {second}\n")
    };
    let expected = [
        "1 3 2 0\n".to_owned(),
        board("2", "0 0", "2", "2 1\n2 1"), // after round 2, with its growth
        board("1", "1 1", "2", "2 2\n2 1"), // the move of player 1
        board("1", "1 0", "1", "1 2\n1 1"), // the move of player 2
        board("2", "1 0", "2", "2 2\n2 1"), // after round 4
        "0\n".to_owned(),
    ];
    assert_eq!(log(&replay), expected.concat());
    assert_eq!(replay.verify(&Generals).unwrap(), 8);
}

#[test]
fn the_log_has_invalid_moves_and_faults_before_the_growth_of_their_round() {
    let map = "1 5 3\n3 1 3 1 3";
    let replay = play_match(map, &[], &["-1", "-1", "-1", "-1", "-1", "1 9 9 9 9"]);
    let all = log(&replay);
    let boards: Vec<&str> = all.split("1\n1 ").collect();
    assert!(boards.len() > 2, "{all}");
    let after_illegal = "1\n1 1\n1 1\n0 0\n1 3 1 1\n1 1 0 0\n1 3 2 1\n1 1 0 0\n1 2 0 1\n";
    let after_round = "1\n2 1\n2 1\n0 0\n1 3 1 2\n1 1 0 0\n1 3 2 2\n1 1 0 0\n1 2 0 1\n";
    let after_fault = "1\n0 0\n2 1\n0 0\n1 2 0 2\n1 1 0 0\n1 3 2 2\n1 1 0 0\n1 2 0 1\n";
    assert_eq!(all, format!("1 5 3 0\n{after_illegal}{after_round}{after_fault}0\n"));
    assert!(Generals.export("svg", &replay, &mut Vec::new()).is_err());
}

#[test]
fn a_wrong_move_is_not_the_same_as_an_unreadable_one() {
    let mut state = start("1 3 2\n3 1 3");
    let mut notes = Notes::kept();
    let order = Action::Move(Move { amount: Amount::Half, from: [1, 1], to: [-5, 1] });
    state.apply(Seat::new(1), Input::Answer(&order), &mut notes);
    let placing = &state.outcome().unwrap().placings[0];
    assert_eq!(placing.fate, Fate::Disqualified);
    assert_eq!(english(&Generals, &placing.reason), "illegal move in round 1: there is no cell (-5, 1)");
    assert_eq!(notes.count(Seat::new(1)), 1);
}

#[test]
fn a_frame_names_what_it_shows() {
    let mut table = open(&[], Some("2 3 2\n3 2 7 4\n1 1 3"), 2);
    table.parse(Seat::new(1), b"1 1 1 2 1\n");
    table.apply(Seat::new(1), 1);
    let frame = |eye| table.frame(eye).to_string();
    assert_eq!(
        frame(Eye::Spectator),
        "{\"round\":0,\"max_rounds\":1000,\"to_move\":2,\"eye\":null,\"rows\":2,\"columns\":3,\"players\":[\
         {\"seat\":1,\"army\":1,\"land\":1,\"cities\":1,\"fate\":\"alive\"},{\"seat\":2,\"army\":1,\"land\":1,\"cities\":1,\"fate\":\"alive\"}],\
         \"kinds\":[\"CcM\",\"..C\"],\"owners\":[1,0,0,0,0,2],\"units\":[1,7,0,0,0,1],\
         \"last_move\":{\"seat\":1,\"from\":[1,1],\"to\":[2,1]}}"
    );
    let hidden = frame(Eye::Seat(Seat::new(2)));
    assert!(hidden.contains("\"kinds\":[\"?cM\",\"?.C\"]"), "{hidden}");
    assert!(hidden.contains("\"last_move\":null"), "{hidden}");
}
