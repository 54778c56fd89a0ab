//! One test per paragraph of the rule book, and the books that are kept move by move against a slow recount.

use super::{Kind, State};
use crate::Generals;
use crate::action::{Action, Amount, Move};
use crate::map::Map;
use crate::messages::{Reason, Unreadable};
use crate::outcome::outcome;
use crate::settings::Settings;
use palestra_core::game::{Setup as _, State as _};
use palestra_core::{
    Exit, Eye, Fate, Fault, Input, Message, Notes, Parsed, Progress, Protocol as _, Rng, Score, Seat,
};
use proptest::prelude::*;

fn said(message: &Message) -> String {
    palestra_testkit::english(&Generals, message)
}

fn start(settings: &Settings, map: &str) -> State {
    State::start(settings, &Map::read(settings, map).unwrap(), 0).unwrap()
}

fn game(map: &str) -> State {
    start(&Settings::default(), map)
}

/// Takes turns as bots would: one answer for each player to move.
fn play(state: &mut State, answers: &str) {
    for answer in answers.split(',') {
        let seat = state.to_move().expect("the game goes on");
        let mut action = Action::Pass;
        let text = format!("{answer}\n");
        let view = state.view(Eye::Seat(seat));
        let used = Generals::parse(view, text.as_bytes(), &mut Progress::default(), &mut action);
        assert_eq!(used, Parsed::Done { used: text.len() });
        state.apply(seat, Input::Answer(&action), &mut Notes::counted());
        check_books(state);
    }
}

fn pass_rounds(state: &mut State, rounds: u32) {
    let end = state.turns.completed() + rounds;
    while state.turns.completed() < end && state.to_move().is_some() {
        play(state, "-1");
    }
}

fn fault(state: &mut State, fault: &Fault) {
    let seat = state.to_move().expect("the game goes on");
    state.apply(seat, Input::Fault(fault), &mut Notes::counted());
    check_books(state);
}

/// A row to a word: owner, kind and units of each cell, `.` land, `c` city, `C` capital, `M` mountain.
fn board(state: &State) -> String {
    let row = |row: usize| {
        let cells = &state.cells[row * state.territory.board().stride() + 1..]
            [..usize::from(state.territory.board().columns())];
        let cell = |cell: &super::Cell| match cell.kind {
            Kind::Mountain => "M".to_owned(),
            Kind::Empty => format!("{}.{}", cell.owner, cell.units),
            Kind::City => format!("{}c{}", cell.owner, cell.units),
            Kind::Capital => format!("{}C{}", cell.owner, cell.units),
        };
        cells.iter().map(cell).collect::<Vec<_>>().join(" ")
    };
    (1..=usize::from(state.territory.board().rows())).map(row).collect::<Vec<_>>().join(" / ")
}

/// Puts units on a cell of the board by hand, for its owner or for somebody else.
fn put(state: &mut State, place: [i64; 2], owner: u8, units: u32) {
    let at = state.territory.board().index(place).unwrap();
    state.hand_over(at, owner);
    let old = state.cells[at].units;
    state.cells[at].units = units;
    if owner != 0 {
        let player = &mut state.players[usize::from(owner) - 1];
        player.army = player.army - u64::from(old) + u64::from(units);
    }
    state.growing.sort_unstable();
    state.growing.dedup();
    let cells = &state.cells;
    state.growing.retain(|at| cells[usize::from(*at)].owner != 0);
    check_books(state);
}

/// Everything that is kept move by move, counted anew.
fn check_books(state: &State) {
    let players = state.players.len();
    let mut growing = Vec::new();
    for (index, player) in state.players.iter().enumerate() {
        let number = index as u8 + 1;
        let own: Vec<usize> = (0..state.cells.len()).filter(|at| state.cells[*at].owner == number).collect();
        let cells = || own.iter().map(|at| state.cells[*at]);
        assert_eq!(player.army, cells().map(|cell| u64::from(cell.units)).sum::<u64>());
        assert_eq!(state.territory.owned().count(index) as usize, own.len());
        assert_eq!(player.cities as usize, cells().filter(|cell| cell.kind.is_city()).count());
        let out = !state.turns.is_in(Seat::at(index));
        assert_eq!(out, own.is_empty());
        let capitals = cells().filter(|cell| cell.kind == Kind::Capital).count();
        assert_eq!(capitals, usize::from(!out));
        let mut list: Vec<usize> =
            state.territory.owned().of(index).iter().map(|at| usize::from(*at)).collect();
        list.sort_unstable();
        assert_eq!(list, own);
        let mut sight = vec![0; state.cells.len()];
        for at in own {
            for around in -1..=1 {
                let middle = at as isize + around * state.territory.board().stride() as isize;
                for seen in middle - 1..=middle + 1 {
                    sight[seen as usize] += 1;
                }
            }
            if state.cells[at].kind.is_city() {
                growing.push(at as u16);
            }
        }
        assert_eq!(state.territory.sight().of(index), sight);
    }
    let mut kept = state.growing.clone();
    kept.sort_unstable();
    growing.sort_unstable();
    assert_eq!(kept, growing);
    let left = Seat::all(players as u8).filter(|seat| state.turns.fall_of(*seat).is_none()).count();
    assert_eq!(state.turns.left() as usize, left);
    assert!(state.cells.iter().all(|cell| cell.kind != Kind::Mountain || (cell.owner, cell.units) == (0, 0)));
    assert!(state.cells.iter().all(|cell| usize::from(cell.owner) <= players));
}

#[test]
fn players_are_numbered_in_reading_order_and_begin_with_one_unit() {
    let state = game("2 3 2\n1 2 40 3\n4 3 1");
    assert_eq!(board(&state), "0.0 0c40 1C1 / M 2C1 0.0");
    assert_eq!(state.to_move(), Some(Seat::new(1)));
    let settings = Settings { start_army: 7, ..Settings::default() };
    assert_eq!(board(&start(&settings, "1 3 2 3 1 3")), "1C7 0.0 2C7");
}

#[test]
fn players_take_turns_in_order_and_the_fallen_are_passed_over() {
    let mut state = game("1 5 3\n3 1 3 1 3");
    let mut order = Vec::new();
    for answer in ["-1", "1 9 9 9 9", "-1", "-1", "-1", "-1"] {
        order.push(state.to_move().unwrap().number());
        play(&mut state, answer);
    }
    assert_eq!(order, [1, 2, 3, 1, 3, 1]);
}

#[test]
fn cities_and_capitals_grow_every_second_round_neutral_ones_never() {
    let mut state = game("1 4 2\n3 2 9 2 5 3");
    put(&mut state, [1, 2], 1, 3);
    pass_rounds(&mut state, 1);
    assert_eq!(board(&state), "1C1 1c3 0c5 2C1");
    play(&mut state, "-1");
    assert_eq!(board(&state), "1C1 1c3 0c5 2C1", "growth waits for the end of the round");
    play(&mut state, "-1");
    assert_eq!(board(&state), "1C2 1c4 0c5 2C2");
    pass_rounds(&mut state, 2);
    assert_eq!(board(&state), "1C3 1c5 0c5 2C3");
}

#[test]
fn land_grows_every_fiftieth_round_cities_and_capitals_not_with_it() {
    let settings = Settings { city_growth_every: 1000, ..Settings::default() };
    let mut state = start(&settings, "1 5 2\n3 1 1 2 9 3");
    put(&mut state, [1, 2], 1, 4);
    put(&mut state, [1, 4], 2, 9);
    pass_rounds(&mut state, 49);
    assert_eq!(board(&state), "1C1 1.4 0.0 2c9 2C1");
    pass_rounds(&mut state, 1);
    assert_eq!(board(&state), "1C1 1.5 0.0 2c9 2C1");
}

#[test]
fn both_growths_come_together_at_round_fifty() {
    let mut state = game("1 4 2\n3 1 1 3");
    put(&mut state, [1, 2], 1, 1);
    pass_rounds(&mut state, 50);
    assert_eq!(board(&state), "1C26 1.2 0.0 2C26");
}

#[test]
fn growth_intervals_are_settings() {
    let settings = Settings { city_growth_every: 3, land_growth_every: 1, ..Settings::default() };
    let mut state = start(&settings, "1 3 2\n3 1 3");
    put(&mut state, [1, 2], 1, 0);
    pass_rounds(&mut state, 3);
    assert_eq!(board(&state), "1C2 1.3 2C2");
}

#[test]
fn option_one_leaves_one_unit_and_option_two_moves_half_rounded_down() {
    let mut state = game("2 3 2\n3 1 1\n1 1 3");
    put(&mut state, [1, 1], 1, 7);
    play(&mut state, "2 1 1 1 2");
    assert_eq!(board(&state), "1C4 1.3 0.0 / 0.0 0.0 2C1");
    play(&mut state, "-1,1 1 1 2 1");
    assert_eq!(board(&state), "1C1 1.3 0.0 / 1.3 0.0 2C1");
}

#[test]
fn units_move_between_own_cells() {
    let mut state = game("1 4 2\n3 1 1 3");
    put(&mut state, [1, 2], 1, 5);
    play(&mut state, "1 1 2 1 1");
    assert_eq!(board(&state), "1C5 1.1 0.0 2C1");
}

#[test]
fn a_move_of_no_units_is_legal_and_does_nothing() {
    let mut state = game("1 4 2\n3 1 1 3");
    play(&mut state, "1 1 1 1 2,2 1 4 1 3");
    assert_eq!(board(&state), "1C1 0.0 0.0 2C1");
    assert_eq!(state.turns.left(), 2);
}

#[test]
fn a_fight_cancels_pairwise() {
    for (attackers, defenders, after) in [(8, 4, "1.1 1.3"), (5, 4, "1.1 2.0"), (4, 4, "1.1 2.1")] {
        let mut state = game("2 4 2\n3 1 1 1\n1 1 1 3");
        put(&mut state, [1, 2], 1, attackers);
        put(&mut state, [1, 3], 2, defenders);
        play(&mut state, "1 1 2 1 3");
        assert_eq!(board(&state), format!("1C1 {after} 0.0 / 0.0 0.0 0.0 2C1"));
    }
}

#[test]
fn a_neutral_cell_is_taken_as_any_other() {
    let mut state = game("1 4 2\n3 2 4 1 3");
    put(&mut state, [1, 1], 1, 5);
    play(&mut state, "1 1 1 1 2");
    assert_eq!(board(&state), "1C1 0c0 0.0 2C1", "what remains must be more than nothing");
    put(&mut state, [1, 1], 1, 2);
    play(&mut state, "-1,1 1 1 1 2,-1");
    assert_eq!(board(&state), "1C2 1c2 0.0 2C2", "and a taken city grows");
}

#[test]
fn a_tie_takes_the_cell_if_the_setting_says_so_but_nothing_takes_nothing() {
    let settings = Settings { tie_captures: true, ..Settings::default() };
    let map = "1 4 2\n3 1 1 3";
    let mut state = start(&settings, map);
    put(&mut state, [1, 2], 1, 5);
    put(&mut state, [1, 3], 2, 4);
    play(&mut state, "1 1 2 1 3");
    assert_eq!(board(&state), "1C1 1.1 1.0 2C1");
    let mut state = start(&settings, map);
    play(&mut state, "1 1 1 1 2");
    assert_eq!(board(&state), "1C1 0.0 0.0 2C1");
    let mut state = start(&settings, "1 2 2\n3 3");
    put(&mut state, [1, 1], 1, 2);
    play(&mut state, "1 1 1 1 2");
    assert_eq!(board(&state), "1C1 1c0");
    assert_eq!(outcome(&state).unwrap().winner, Some(Seat::new(1)));
}

#[test]
fn a_fallen_capital_brings_all_cells_with_half_the_units_rounded_up() {
    let mut state = game("2 5 3\n3 1 3 1 1\n1 2 50 1 4 3");
    put(&mut state, [1, 2], 1, 9);
    put(&mut state, [1, 3], 2, 3);
    put(&mut state, [1, 4], 2, 7);
    put(&mut state, [1, 5], 2, 1);
    put(&mut state, [2, 2], 2, 6);
    play(&mut state, "1 1 2 1 3");
    assert_eq!(board(&state), "1C1 1.1 1c5 1.4 1.1 / 0.0 1c3 0.0 M 3C1");
    assert_eq!(state.to_move(), Some(Seat::new(3)));
    let fall = state.turns.fall_of(Seat::new(2)).unwrap();
    assert_eq!(fall.reason, Reason::Captured { by: Seat::new(1), round: fall.round });
    play(&mut state, "-1,-1,-1");
    assert_eq!(
        board(&state),
        "1C2 1.1 1c6 1.4 1.1 / 0.0 1c4 0.0 M 3C2",
        "a captured capital grows as a city"
    );
}

#[test]
fn taking_a_captured_capital_again_ends_nobody() {
    let mut state = game("1 5 3\n3 1 3 1 3");
    put(&mut state, [1, 2], 1, 9);
    put(&mut state, [1, 4], 3, 30);
    play(&mut state, "1 1 2 1 3,1 1 4 1 3");
    assert_eq!(board(&state), "1C1 1.1 3c22 3.1 3C1");
    assert_eq!(state.turns.left(), 2);
}

#[test]
fn every_invalid_move_loses_at_once_and_leaves_neutral_cells_behind() {
    let map = "2 4 3\n3 1 4 3\n1 2 9 1 3";
    for (answer, why) in [
        ("1 0 1 1 1", "there is no cell (0, 1)"),
        ("1 1 1 0 1", "there is no cell (0, 1)"),
        ("2 1 1 1 0", "there is no cell (1, 0)"),
        ("1 2 5 2 4", "there is no cell (2, 5)"),
        ("1 3 1 2 1", "there is no cell (3, 1)"),
        ("1 -9223372036854775808 1 1 1", "there is no cell (-9223372036854775808, 1)"),
        ("1 9223372036854775807 1 1 1", "there is no cell (9223372036854775807, 1)"),
        ("1 2 1 1 1", "cell (2, 1) is not its own"),
        ("1 1 4 2 4", "cell (1, 4) is not its own"),
        ("1 1 3 1 2", "cell (1, 3) is not its own"),
        ("1 1 1 1 1", "cells (1, 1) and (1, 1) do not share a side"),
        ("1 1 1 2 2", "cells (1, 1) and (2, 2) do not share a side"),
        ("1 1 2 1 4", "cells (1, 2) and (1, 4) do not share a side"),
        ("1 1 2 1 3", "cell (1, 3) is a mountain"),
    ] {
        let mut state = game(map);
        put(&mut state, [1, 2], 1, 5);
        put(&mut state, [2, 2], 1, 8);
        play(&mut state, answer);
        assert_eq!(board(&state), "0c1 0.5 M 2C1 / 0.0 0c8 0.0 3C1", "{answer}");
        let Some(fall) = state.turns.fall_of(Seat::new(1)) else { panic!("{answer}") };
        assert_eq!(said(&fall.reason.clone().into()), format!("illegal move in round 1: {why}"));
        assert_eq!(state.to_move(), Some(Seat::new(2)));
        pass_rounds(&mut state, 2);
        assert_eq!(board(&state), "0c1 0.5 M 2C2 / 0.0 0c8 0.0 3C2", "what is neutral does not grow");
    }
}

#[test]
fn a_step_over_the_edge_into_the_next_row_is_not_adjacent() {
    let mut state = game("2 3 2\n3 1 1\n1 1 3");
    put(&mut state, [1, 3], 1, 5);
    play(&mut state, "1 1 3 2 1");
    assert_eq!(state.turns.left(), 1);
}

#[test]
fn a_fault_loses_as_an_invalid_move_does() {
    let faults = [
        Fault::OutOfTime,
        Fault::malformed(Unreadable::NoInteger { word: "x".to_owned() }.into(), b"x"),
        Fault::too_long(b"x"),
        Fault::Exited(Exit::Code(1)),
        Fault::OverMemory,
    ];
    for given in faults {
        let mut state = game("1 4 2\n3 1 1 3");
        put(&mut state, [1, 2], 1, 5);
        fault(&mut state, &given);
        assert_eq!(board(&state), "0c1 0.5 0.0 2C1");
        let end = outcome(&state).unwrap();
        assert_eq!(end.winner, Some(Seat::new(2)));
        assert_eq!(end.placings[0].fate, Fate::Disqualified);
        assert_eq!(end.placings[0].reason, Reason::Failed { round: 1, fault: given.message() }.into());
        assert_eq!(said(&end.placings[1].reason), "last player left");
    }
}

#[test]
fn a_remark_says_why_a_player_is_out() {
    let mut state = game("1 4 2\n3 1 1 3");
    let mut notes = Notes::kept();
    let order = Action::Move(Move { amount: Amount::Half, from: [1, 2], to: [1, 1] });
    state.apply(Seat::new(1), Input::Answer(&order), &mut notes);
    assert_eq!(said(&notes.list()[0].what), "illegal move: cell (1, 2) is not its own; the player is out");
}

#[test]
fn the_game_stops_the_moment_one_player_is_left() {
    let mut state = game("1 3 2\n3 1 3");
    pass_rounds(&mut state, 3);
    assert_eq!((state.turns.completed(), state.rounds()), (3, 3));
    play(&mut state, "1 5 5 5 5");
    assert_eq!((state.to_move(), state.turns.completed(), state.rounds()), (None, 3, 4));
    let mut state = game("1 2 2\n3 3");
    pass_rounds(&mut state, 1);
    put(&mut state, [1, 2], 2, 5);
    play(&mut state, "-1,1 1 2 1 1");
    assert_eq!(board(&state), "2c3 2C1", "no growth after the last move, though the round would be over");
    let end = outcome(&state).unwrap();
    assert_eq!(end.winner, Some(Seat::new(2)));
    assert_eq!(said(&end.placings[0].reason), "captured by seat 2 in round 2");
    assert_eq!((end.placings[0].fate, end.placings[0].score), (Fate::Out, Score::ZERO));
    assert_eq!((end.placings[1].place, end.placings[1].score), (1, Score::ONE));
}

#[test]
fn the_last_round_grows_before_the_result_is_taken() {
    let settings = Settings { max_turns: 2, ..Settings::default() };
    let mut state = start(&settings, "1 4 2\n3 2 5 1 3");
    put(&mut state, [1, 2], 1, 1);
    put(&mut state, [1, 3], 2, 1);
    assert_eq!(state.players[0].army, state.players[1].army);
    pass_rounds(&mut state, 2);
    assert_eq!((state.to_move(), state.turns.completed(), state.rounds()), (None, 2, 2));
    let end = outcome(&state).unwrap();
    assert_eq!(end.winner, Some(Seat::new(1)));
    assert_eq!(said(&end.placings[0].reason), "largest army after 2 rounds");
    assert_eq!(said(&end.placings[1].reason), "still in the game after 2 rounds");
    assert_eq!((end.placings[1].place, end.placings[1].fate), (2, Fate::Alive));
}

/// What three players hold besides their capitals, and how it ends after one round.
fn decided_by(holdings: &[([i64; 2], u8, u32)]) -> palestra_core::Outcome {
    let settings = Settings { max_turns: 1, ..Settings::default() };
    let mut state = start(&settings, "3 4 3\n3 1 1 1\n3 2 9 1 1\n3 1 1 1");
    for (place, owner, units) in holdings {
        put(&mut state, *place, *owner, *units);
    }
    pass_rounds(&mut state, 1);
    outcome(&state).unwrap()
}

#[test]
fn the_result_goes_by_army_then_cities_then_cells() {
    let places = |end: &palestra_core::Outcome| end.placings.iter().map(|p| p.place).collect::<Vec<_>>();
    let end = decided_by(&[([1, 2], 1, 5), ([2, 2], 2, 4), ([3, 2], 3, 1), ([3, 3], 3, 1)]);
    assert_eq!((end.winner, places(&end)), (Some(Seat::new(1)), vec![1, 2, 3]));
    let end = decided_by(&[([1, 2], 1, 2), ([1, 3], 1, 2), ([2, 2], 2, 4)]);
    assert_eq!((end.winner, places(&end)), (Some(Seat::new(2)), vec![2, 1, 3]));
    assert_eq!(said(&end.placings[1].reason), "equal army, most cities after 1 round");
    let end = decided_by(&[([1, 2], 1, 2), ([1, 3], 1, 2), ([3, 2], 3, 4)]);
    assert_eq!((end.winner, places(&end)), (Some(Seat::new(1)), vec![1, 3, 2]));
    assert_eq!(said(&end.placings[0].reason), "equal army and cities, most land after 1 round");
}

#[test]
fn equal_players_at_the_top_share_the_point() {
    let end = decided_by(&[([1, 2], 1, 4), ([3, 2], 3, 4)]);
    assert_eq!(end.winner, None);
    let half = Score::fraction(1, 2);
    let found: Vec<_> = end.placings.iter().map(|p| (p.place, p.score)).collect();
    assert_eq!(found, [(1, half), (3, Score::ZERO), (1, half)]);
    assert_eq!(said(&end.placings[0].reason), "equal army, cities and land after 1 round");
    assert_eq!(decided_by(&[]).placings[2].score, Score::fraction(1, 3));
}

#[test]
fn the_own_capital_counts_as_a_city_as_a_captured_one_does() {
    let mut state = game("1 5 3\n3 1 3 1 3");
    put(&mut state, [1, 2], 1, 9);
    play(&mut state, "1 1 2 1 3");
    let cities: Vec<u32> = state.players.iter().map(|player| player.cities).collect();
    assert_eq!(cities, [2, 0, 1]);
}

#[test]
fn survivors_are_above_the_fallen_and_later_is_better() {
    let settings = Settings { max_turns: 3, ..Settings::default() };
    let mut state = start(&settings, "1 9 5\n3 1 3 1 3 1 3 1 3");
    play(&mut state, "-1,-1,-1,1 9 9 9 9,-1");
    play(&mut state, "-1,1 9 9 9 9,1 9 9 9 9,-1");
    play(&mut state, "-1,-1");
    let places: Vec<u32> = outcome(&state).unwrap().placings.iter().map(|p| p.place).collect();
    assert_eq!(places, [1, 4, 3, 5, 1]);
}

#[test]
fn nothing_is_decided_before_the_end() {
    assert_eq!(outcome(&game("1 3 2\n3 1 3")), None);
}

#[test]
fn settings_under_which_units_could_overflow_are_refused() {
    let settings =
        Settings { max_turns: 1_000_000, land_growth_every: 1, max_side: 200, ..Settings::default() };
    let map = format!("100 100 2\n3 3{}", " 1".repeat(9998));
    let map = Map::read(&settings, &map).unwrap();
    let error = State::start(&settings, &map, 0).unwrap_err().to_string();
    assert!(error.contains("lower max_turns"), "{error}");
    let settings = Settings::default();
    let map = Map::read(&settings, "1 3 2\n3 2 4294967295 3").unwrap();
    assert!(State::start(&settings, &map, 0).is_err());
    let map = Map::read(&settings, "1 3 2\n3 2 4294960000 3").unwrap();
    assert!(State::start(&settings, &map, 0).is_ok());
}

/// What a random player may answer: mostly sensible, sometimes illegal.
fn random_action(state: &State, seat: Seat, rng: &mut Rng, illegal_of_1000: u32) -> Action {
    let amount = if rng.chance(1, 2) { Amount::AllButOne } else { Amount::Half };
    let anywhere = |rng: &mut Rng, side: u16| i64::from(rng.between(0, u32::from(side) + 1));
    if rng.chance(illegal_of_1000, 1000) {
        return Action::Move(Move {
            amount,
            from: [
                anywhere(rng, state.territory.board().rows()),
                anywhere(rng, state.territory.board().columns()),
            ],
            to: [
                anywhere(rng, state.territory.board().rows()),
                anywhere(rng, state.territory.board().columns()),
            ],
        });
    }
    let own = state.territory.owned().of(seat.index());
    let richest = own.iter().copied().max_by_key(|at| state.cells[usize::from(*at)].units);
    let from = if rng.chance(1, 2) { richest } else { rng.pick(own).copied() };
    let from = usize::from(from.expect("a player in the game has a cell"));
    let stride = state.territory.board().stride();
    let to = *rng.pick(&[from - stride, from - 1, from + 1, from + stride]).expect("four of them");
    if state.cells[to].kind == Kind::Mountain {
        return Action::Pass;
    }
    let place = |at: usize| [(at / stride) as i64, (at % stride) as i64];
    Action::Move(Move { amount, from: place(from), to: place(to) })
}

/// A board of random cells; capitals anywhere.
fn random_map(rows: u32, columns: u32, players: u32, rng: &mut Rng) -> String {
    let area = (rows * columns) as usize;
    let mut cells: Vec<String> = (0..area)
        .map(|index| match rng.below(10) {
            _ if index < players as usize => "3".to_owned(),
            0 => format!("2 {}", rng.below(6)),
            1 => "4".to_owned(),
            _ => "1".to_owned(),
        })
        .collect();
    rng.shuffle(&mut cells);
    format!("{rows} {columns} {players}\n{}", cells.join(" "))
}

fn units_on_board(state: &State) -> u64 {
    state.cells.iter().map(|cell| u64::from(cell.units)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn books_and_units_stay_right_in_random_games(
        seed: u64, rows in 1..9_u32, columns in 2..9_u32, players in 2..7_u32, tie_captures: bool,
        illegal in prop_oneof![Just(0_u32), Just(20_u32)],
    ) {
        let players = players.min(rows * columns);
        let mut rng = Rng::new(seed);
        let settings = Settings {
            max_turns: 120,
            land_growth_every: 10,
            tie_captures,
            ..Settings::default()
        };
        let mut state = start(&settings, &random_map(rows, columns, players, &mut rng));
        let mut notes = Notes::counted();
        while let Some(seat) = state.to_move() {
            let action = random_action(&state, seat, &mut rng, illegal);
            let before = state.clone();
            state.take_turn(seat, Input::Answer(&action), &mut notes);
            check_books(&state);
            let lost = units_on_board(&before) - units_on_board(&state);
            prop_assert_eq!(lost, expected_loss(&before, &state, seat, &action));

            let before = state.clone();
            let round_over = state.finish_turn(seat);
            check_books(&state);
            let grown = units_on_board(&state) - units_on_board(&before);
            prop_assert_eq!(grown, if round_over { expected_growth(&state) } else { 0 });
        }
        prop_assert!(outcome(&state).is_some());
    }

    #[test]
    fn what_is_hidden_changes_and_the_books_stay_right(
        seed: u64, rows in 1..8_u32, columns in 2..8_u32, turns in 0..200_u32,
    ) {
        let mut rng = Rng::new(seed);
        let players = 3.min(rows * columns);
        let mut state = start(&Settings::default(), &random_map(rows, columns, players, &mut rng));
        for _ in 0..turns {
            let Some(seat) = state.to_move() else { break };
            let action = random_action(&state, seat, &mut rng, 3);
            state.apply(seat, Input::Answer(&action), &mut Notes::counted());
        }
        for seat in Seat::all(players as u8) {
            let mut other = state.clone();
            let changed = other.disturb_hidden(seat, &mut rng);
            check_books(&other);
            prop_assert_eq!(changed, board(&other) != board(&state));
            for at in 0..state.cells.len() {
                if state.territory.sight().of(seat.index())[at] != 0 {
                    let plain = |state: &State| (state.cells[at].kind, state.cells[at].owner, state.cells[at].units);
                    prop_assert_eq!(plain(&other), plain(&state));
                }
            }
            prop_assert_eq!(other.territory.owned().of(seat.index()), state.territory.owned().of(seat.index()));
        }
    }
}

/// Units that a turn takes off the board: twice what a fight cancels, and half of what a fallen player had left.
fn expected_loss(before: &State, after: &State, seat: Seat, action: &Action) -> u64 {
    let Action::Move(order) = action else { return 0 };
    if !after.turns.is_in(seat) {
        return 0;
    }
    let (from, to) = (
        before.territory.board().index(order.from).unwrap(),
        before.territory.board().index(order.to).unwrap(),
    );
    let target = before.cells[to];
    if target.owner == seat.number() {
        return 0;
    }
    let moved = match order.amount {
        Amount::AllButOne => before.cells[from].units.saturating_sub(1),
        Amount::Half => before.cells[from].units / 2,
    };
    let fight = 2 * u64::from(moved.min(target.units));
    if target.kind != Kind::Capital || after.cells[to].kind == Kind::Capital {
        return fight;
    }
    let halved = before
        .territory
        .owned()
        .of(usize::from(target.owner) - 1)
        .iter()
        .filter(|at| usize::from(**at) != to)
        .map(|at| u64::from(before.cells[usize::from(*at)].units / 2));
    fight + halved.sum::<u64>()
}

fn expected_growth(state: &State) -> u64 {
    let owned = || state.cells.iter().filter(|cell| cell.owner != 0);
    let cities = owned().filter(|cell| cell.kind.is_city()).count() as u64;
    let land = owned().count() as u64 - cities;
    let due = |every: u32| u64::from(state.turns.completed().is_multiple_of(every));
    cities * due(state.rules.city_growth_every) + land * due(state.rules.land_growth_every)
}
