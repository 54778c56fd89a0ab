//! A test for every paragraph of the rule book, and for every example of its original.

use super::{Cause, EMPTY, Kind, State, Unit};
use crate::Rps;
use crate::action::{Action, Direction};
use crate::map::Arena;
use crate::messages::Reason;
use crate::settings::Settings;
use crate::view::{Owner, Verdict, View};
use Direction::{Down, Left, Right, Up};
use Kind::{Paper, Rock, Scissors};
use palestra_core::game::{State as _, View as _};
use palestra_core::{Digest, Exit, Eye, Fate, Fault, Input, Message, Notes, Progress, Protocol, Rng, Seat};
use palestra_testkit::english;

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);

fn start() -> State {
    with(Settings::default())
}

fn with(settings: Settings) -> State {
    State::start(&settings, &Arena::new(settings.size).unwrap(), 0).unwrap()
}

fn cell(state: &State, x: usize, y: usize) -> usize {
    (y + 1) * state.stride() + x + 1
}

/// Puts a unit somewhere, in the starter's coordinates, and gives its number.
fn put(state: &mut State, seat: Seat, kind: Kind, x: usize, y: usize) -> u32 {
    let at = cell(state, x, y);
    assert_eq!(state.grid[at], EMPTY);
    let id = state.units.len() as u32 + 1;
    state.units.push(Unit { ordered: 0, at: at as u16, kind, side: seat.index() as u8 });
    state.grid[at] = id;
    state.players[seat.index()].alive.push(id);
    id
}

/// Where a unit is, in the starter's coordinates; `None` if it has vanished.
fn place(state: &State, id: u32) -> Option<[u16; 2]> {
    state
        .players
        .iter()
        .any(|player| player.alive.contains(&id))
        .then(|| View::new(state, Eye::Spectator).place(usize::from(state.unit(id).at)))
}

fn answer(orders: &[(u32, Direction)], production: Option<Kind>) -> Action {
    let mut action = Action { production, ..Action::default() };
    for (unit, direction) in orders {
        action.order(*unit, *direction);
    }
    action
}

fn apply(state: &mut State, action: &Action) -> Notes {
    let mut notes = Notes::kept();
    let seat = state.to_move().expect("the match goes on");
    state.apply(seat, Input::Answer(action), &mut notes);
    notes
}

/// The tick of whoever is to move, with these orders.
fn tick(state: &mut State, orders: &[(u32, Direction)]) {
    apply(state, &answer(orders, None));
}

fn produce(state: &mut State, kind: Kind) {
    apply(state, &answer(&[], Some(kind)));
}

fn pass(state: &mut State) {
    tick(state, &[]);
}

fn fault(state: &mut State, fault: &Fault) {
    let seat = state.to_move().expect("the match goes on");
    state.apply(seat, Input::Fault(fault), &mut Notes::counted());
}

fn packet(state: &State, seat: Seat) -> String {
    let mut text = Vec::new();
    Rps::ask(state.view(Eye::Seat(seat)), &mut text);
    String::from_utf8(text).unwrap()
}

// The arena.

#[test]
fn the_match_begins_empty_with_neutral_bases_and_the_starter_on_odd_ticks() {
    let mut state = start();
    let first = "tick 1\nversus 2\nsoldiers 0\nbase r N\nbase d N\nprod 10 0 0 0\n.\n";
    assert_eq!(packet(&state, ONE), first);
    for number in 1..=6 {
        assert_eq!(
            (state.tick(), state.to_move()),
            (number, Some(Seat::new(if number % 2 == 1 { 1 } else { 2 })))
        );
        pass(&mut state);
    }
}

#[test]
fn factories_and_bases_are_in_the_corners() {
    let state = start();
    let view = View::new(&state, Eye::Spectator);
    assert_eq!(view.place(state.factory(ONE)), [0, 0]);
    assert_eq!(view.place(state.factory(TWO)), [19, 19]);
    assert_eq!(state.base_cells().map(|at| view.place(at)), [[19, 0], [0, 19]]);
}

// Orders.

#[test]
fn units_move_one_cell_in_each_direction() {
    for (direction, to) in [(Left, [4, 5]), (Right, [6, 5]), (Up, [5, 4]), (Down, [5, 6])] {
        let mut state = start();
        let unit = put(&mut state, ONE, Rock, 5, 5);
        tick(&mut state, &[(unit, direction)]);
        assert_eq!(place(&state, unit), Some(to));
        assert_eq!(state.grid[cell(&state, 5, 5)], EMPTY);
    }
}

#[test]
fn the_far_player_moves_mirrored() {
    for (direction, to) in [(Left, [6, 5]), (Right, [4, 5]), (Up, [5, 6]), (Down, [5, 4])] {
        let mut state = start();
        let unit = put(&mut state, TWO, Rock, 5, 5);
        pass(&mut state);
        tick(&mut state, &[(unit, direction)]);
        assert_eq!(place(&state, unit), Some(to));
    }
}

#[test]
fn a_unit_takes_one_order_per_tick_and_a_new_one_in_the_next() {
    let mut state = start();
    let unit = put(&mut state, ONE, Rock, 5, 5);
    let notes = apply(&mut state, &answer(&[(unit, Right), (unit, Right), (unit, Down)], None));
    assert_eq!(place(&state, unit), Some([6, 5]));
    assert_eq!(notes.count(ONE), 2);
    assert_eq!(
        english(&Rps, &notes.list()[0].what),
        "order to unit 1 ignored: it had its order in this tick"
    );
    pass(&mut state);
    tick(&mut state, &[(unit, Down)]);
    assert_eq!(place(&state, unit), Some([6, 6]));
}

#[test]
fn walls_stop_a_unit_on_every_side() {
    for (x, y, direction) in [(0, 7, Left), (19, 7, Right), (7, 0, Up), (7, 19, Down)] {
        let mut state = start();
        let unit = put(&mut state, ONE, Rock, x, y);
        let notes = apply(&mut state, &answer(&[(unit, direction)], None));
        assert_eq!(place(&state, unit), Some([x as u16, y as u16]));
        assert_eq!(notes.count(ONE), 0, "nothing was ignored");
    }
}

#[test]
fn whoever_bumps_into_something_has_used_its_order() {
    let mut state = start();
    let (left, right) = (put(&mut state, ONE, Rock, 5, 5), put(&mut state, ONE, Rock, 6, 5));
    let walled = put(&mut state, ONE, Paper, 0, 9);
    tick(&mut state, &[(left, Right), (right, Right), (left, Right), (walled, Left), (walled, Right)]);
    assert_eq!(place(&state, left), Some([5, 5]));
    assert_eq!(place(&state, right), Some([7, 5]));
    assert_eq!(place(&state, walled), Some([0, 9]));
}

#[test]
fn the_order_of_orders_decides_whether_a_row_moves() {
    let mut state = start();
    let (left, right) = (put(&mut state, ONE, Rock, 5, 5), put(&mut state, ONE, Rock, 6, 5));
    tick(&mut state, &[(right, Right), (left, Right)]);
    assert_eq!((place(&state, left), place(&state, right)), (Some([6, 5]), Some([7, 5])));
}

#[test]
fn every_fight_ends_as_rock_paper_scissors_does() {
    for (attacker, defender, attacker_lives, defender_lives) in [
        (Rock, Rock, false, false),
        (Rock, Paper, false, true),
        (Rock, Scissors, true, false),
        (Paper, Rock, true, false),
        (Paper, Paper, false, false),
        (Paper, Scissors, false, true),
        (Scissors, Rock, false, true),
        (Scissors, Paper, true, false),
        (Scissors, Scissors, false, false),
    ] {
        for attacking in [ONE, TWO] {
            let mut state = start();
            if attacking == TWO {
                pass(&mut state);
            }
            let by = put(&mut state, attacking, attacker, 5, 5);
            let on = put(&mut state, super::other(attacking), defender, 6, 5);
            // Bystanders, so that nobody has lost by this.
            put(&mut state, ONE, Rock, 10, 10);
            put(&mut state, TWO, Rock, 12, 12);
            tick(&mut state, &[(by, if attacking == ONE { Right } else { Left })]);
            let what = format!("{attacker:?} on {defender:?}");
            assert_eq!(place(&state, by), attacker_lives.then_some([6, 5]), "{what}");
            assert_eq!(place(&state, on), defender_lives.then_some([6, 5]), "{what}");
            assert_eq!(state.grid[cell(&state, 5, 5)], EMPTY, "{what}");
            assert_eq!(state.grid[cell(&state, 6, 5)] == EMPTY, !attacker_lives && !defender_lives, "{what}");
        }
    }
}

#[test]
fn a_second_attacker_may_step_in_where_two_equals_vanished() {
    let mut state = start();
    let (first, second) = (put(&mut state, ONE, Rock, 5, 5), put(&mut state, ONE, Rock, 6, 4));
    let enemy = put(&mut state, TWO, Rock, 6, 5);
    put(&mut state, TWO, Rock, 12, 12);
    tick(&mut state, &[(first, Right), (second, Down)]);
    assert_eq!((place(&state, first), place(&state, enemy)), (None, None));
    assert_eq!(place(&state, second), Some([6, 5]));
}

#[test]
fn a_base_is_taken_by_stepping_on_it_and_kept_until_the_other_side_does() {
    let mut state = start();
    let unit = put(&mut state, ONE, Rock, 18, 0);
    let enemy = put(&mut state, TWO, Paper, 19, 2);
    tick(&mut state, &[(unit, Right)]);
    assert_eq!(state.bases, [Some(ONE), None]);
    tick(&mut state, &[(enemy, Left)]);
    tick(&mut state, &[(unit, Left)]);
    assert_eq!(state.bases, [Some(ONE), None], "kept when the unit leaves");
    assert_eq!([state.players[0].bases, state.players[1].bases], [1, 0]);
    for (who, direction) in [(TWO, Left), (ONE, Left), (TWO, Down), (ONE, Left), (TWO, Down)] {
        tick(&mut state, &[(if who == ONE { unit } else { enemy }, direction)]);
    }
    assert_eq!(place(&state, enemy), Some([19, 0]));
    assert_eq!(state.bases, [Some(TWO), None]);
    assert_eq!([state.players[0].bases, state.players[1].bases], [0, 1]);
}

#[test]
fn a_winning_attacker_takes_the_base_and_two_equals_leave_it() {
    for (kind, owner) in [(Paper, TWO), (Rock, ONE), (Scissors, ONE)] {
        let mut state = start();
        let unit = put(&mut state, ONE, Rock, 18, 0);
        let enemy = put(&mut state, TWO, kind, 19, 1);
        put(&mut state, ONE, Rock, 3, 3);
        tick(&mut state, &[(unit, Right)]);
        tick(&mut state, &[(enemy, Down)]);
        assert_eq!(state.bases, [Some(owner), None], "{kind:?}");
    }
}

#[test]
fn unknown_enemy_and_vanished_units_and_unreadable_lines_are_ignored_and_counted() {
    let mut state = start();
    let (own, enemy) = (put(&mut state, ONE, Rock, 5, 5), put(&mut state, TWO, Rock, 6, 5));
    put(&mut state, ONE, Rock, 1, 5);
    let mut action = answer(&[(0, Up), (99, Up), (u32::MAX, Up), (enemy, Up), (own, Right), (own, Up)], None);
    action.unreadable = 3;
    let notes = apply(&mut state, &action);
    let texts: Vec<String> = notes.list().iter().map(|note| english(&Rps, &note.what)).collect();
    assert_eq!(
        texts,
        [
            "order to unit 0 ignored: there is no such unit",
            "order to unit 99 ignored: there is no such unit",
            "order to unit 4294967295 ignored: there is no such unit",
            "order to unit 2 ignored: it is the enemy's",
            "order to unit 1 ignored: there is no such unit",
            "3 lines are no orders, and were ignored",
        ]
    );
    assert_eq!(state.players[0].ignored, 8);
    assert_eq!(place(&state, enemy), None);
}

// Production.

#[test]
fn the_starters_first_unit_shows_in_its_11th_packet_and_to_the_enemy_at_tick_20() {
    let mut state = start();
    for number in 1..=19 {
        assert!(packet(&state, ONE).contains("soldiers 0\n"), "tick {number}");
        if number % 2 == 1 { produce(&mut state, Rock) } else { produce(&mut state, Paper) }
    }
    assert_eq!(
        packet(&state, TWO),
        "tick 20\nversus 1\nsoldiers 1\n1 E R 19 19\nbase r N\nbase d N\nprod 10 0 9 0\n.\n"
    );
    pass(&mut state);
    assert_eq!(
        packet(&state, ONE),
        "tick 21\nversus 2\nsoldiers 2\n1 A R 0 0\n2 E P 19 19\nbase r N\nbase d N\nprod 11 0 0 0\n.\n"
    );
    pass(&mut state);
    assert!(packet(&state, TWO).starts_with("tick 22\nversus 1\nsoldiers 2\n1 E R 19 19\n2 A P 0 0\n"));
}

#[test]
fn nine_ticks_saved_on_each_kind_give_units_on_own_ticks_28_30_and_33() {
    let mut state = start();
    let mut appeared = Vec::new();
    for own_tick in 1..=33 {
        let kind = match own_tick {
            1..=9 | 28 => Rock,
            10..=18 | 29..=30 => Paper,
            _ => Scissors,
        };
        // Each unit steps off the factory in time.
        let before = state.units.len() as u32;
        apply(&mut state, &answer(&[(before, if before == 1 { Right } else { Down })], Some(kind)));
        if state.units.len() as u32 > before {
            appeared.push((own_tick, kind));
        }
        pass(&mut state);
    }
    assert_eq!(appeared, [(28, Rock), (30, Paper), (33, Scissors)]);
    assert_eq!(state.players[0].spent, [0, 0, 0]);
}

#[test]
fn nothing_is_produced_before_the_first_order() {
    let mut state = start();
    for _ in 0..100 {
        pass(&mut state);
    }
    assert_eq!((state.units.len(), state.players[0].spent), (0, [0, 0, 0]));
}

#[test]
fn the_chosen_kind_lasts_and_the_other_counters_keep_theirs() {
    let mut state = start();
    produce(&mut state, Rock);
    produce(&mut state, Scissors);
    pass(&mut state);
    pass(&mut state);
    assert_eq!((state.players[0].spent, state.players[1].spent), ([2, 0, 0], [0, 0, 2]));
    produce(&mut state, Paper);
    assert_eq!((state.players[0].spent, state.players[1].spent), ([2, 1, 0], [0, 0, 2]));
    state.players[0].spent = [9, 4, 5];
    pass(&mut state);
    produce(&mut state, Rock);
    assert_eq!((state.players[0].spent, state.players[0].alive.len()), ([0, 4, 5], 1));
}

#[test]
fn each_unit_takes_a_tick_longer_and_bases_shorten_it_rounded_down() {
    let state = start();
    let needed: Vec<[u32; 3]> =
        (0..6).map(|finished| [0, 1, 2].map(|bases| state.rules.ticks_needed(finished, bases))).collect();
    assert_eq!(needed, [[10, 7, 5], [11, 8, 5], [12, 9, 6], [13, 9, 6], [14, 10, 7], [15, 11, 7]]);
}

#[test]
fn a_base_taken_in_a_tick_speeds_up_the_production_of_that_tick() {
    let mut state = start();
    let unit = put(&mut state, ONE, Rock, 18, 0);
    state.players[0].producing = Some(Paper);
    state.players[0].spent = [0, 6, 0];
    tick(&mut state, &[(unit, Right)]);
    assert_eq!(state.players[0].finished, 1);
}

#[test]
fn an_occupied_factory_only_lets_the_counter_grow() {
    for (seat, kind) in [(ONE, Rock), (TWO, Scissors)] {
        let mut state = start();
        let blocking = put(&mut state, seat, kind, 0, 0);
        put(&mut state, TWO, Rock, 12, 12);
        put(&mut state, ONE, Rock, 10, 12);
        state.players[0].producing = Some(Paper);
        state.players[0].spent = [0, 14, 0];
        pass(&mut state);
        assert_eq!((state.players[0].spent, state.players[0].finished), ([0, 15, 0], 0));
        if seat == ONE {
            pass(&mut state);
            tick(&mut state, &[(blocking, Right)]);
        } else {
            tick(&mut state, &[(blocking, Left)]);
            pass(&mut state);
        }
        assert_eq!((state.players[0].spent, state.players[0].finished), ([0, 0, 0], 1));
    }
}

#[test]
fn a_unit_finished_under_a_factor_that_was_lost_waits_for_the_full_time() {
    let mut state = start();
    let guard = put(&mut state, ONE, Rock, 0, 0);
    let thief = put(&mut state, TWO, Rock, 19, 1);
    state.bases[0] = Some(ONE);
    state.players[0].bases = 1;
    state.players[0].producing = Some(Rock);
    state.players[0].spent = [6, 0, 0];
    pass(&mut state);
    assert_eq!(
        (state.players[0].spent[0], state.players[0].finished),
        (7, 0),
        "done, but the factory is full"
    );
    tick(&mut state, &[(thief, Down)]);
    assert_eq!(state.bases[0], Some(TWO));
    tick(&mut state, &[(guard, Right)]);
    let mut own_ticks = 8;
    while state.players[0].finished == 0 {
        assert_eq!(state.players[0].spent[0], own_ticks);
        pass(&mut state);
        pass(&mut state);
        own_ticks += 1;
    }
    assert_eq!(own_ticks, 10, "the time without the base");
}

#[test]
fn several_production_orders_the_last_valid_one_counts() {
    let mut state = start();
    let mut action = Action::default();
    let text = b"prod R\nprod S\nprod X\nprod\nprod P Q\n.\n";
    Rps::parse(state.view(Eye::Seat(ONE)), text, &mut Progress::default(), &mut action);
    assert_eq!((action.production, action.unreadable), (Some(Scissors), 3));
    apply(&mut state, &action);
    assert_eq!(state.players[0].spent, [0, 0, 1]);
}

// Victory.

#[test]
fn the_factory_must_be_held_for_20_ticks_the_first_included() {
    let mut state = start();
    let unit = put(&mut state, ONE, Rock, 18, 19);
    put(&mut state, TWO, Rock, 5, 5);
    tick(&mut state, &[(unit, Right)]);
    assert_eq!(state.players[0].hold, 1);
    for held in 2..20 {
        pass(&mut state);
        assert_eq!((state.players[0].hold, state.end().is_none()), (held, true));
    }
    pass(&mut state);
    let end = state.end().unwrap();
    assert_eq!((end.winner, end.tick, &end.cause), (Some(ONE), 20, &Cause::Held));
    assert_eq!(state.to_move(), None);
    let outcome = state.outcome().unwrap();
    assert_eq!(outcome.winner, Some(ONE));
    assert_eq!(outcome.placings.iter().map(|placing| placing.place).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(
        english(&Rps, &outcome.placings[0].reason),
        "held the enemy factory for 20 ticks until tick 20"
    );
    assert_eq!((outcome.placings[0].fate, outcome.placings[1].fate), (Fate::Alive, Fate::Out));
}

#[test]
fn stepping_off_starts_the_count_anew_and_handing_over_does_not() {
    let mut state = start();
    let (holder, heir) = (put(&mut state, ONE, Rock, 19, 19), put(&mut state, ONE, Paper, 18, 19));
    put(&mut state, TWO, Rock, 5, 5);
    pass(&mut state);
    pass(&mut state);
    assert_eq!(state.players[0].hold, 2);
    tick(&mut state, &[(holder, Up), (heir, Right)]);
    assert_eq!((state.players[0].hold, place(&state, heir)), (3, Some([19, 19])));
    pass(&mut state);
    tick(&mut state, &[(heir, Left)]);
    assert_eq!(state.players[0].hold, 0);
    pass(&mut state);
    tick(&mut state, &[(holder, Down)]);
    assert_eq!(state.players[0].hold, 1);
}

#[test]
fn a_holder_that_is_beaten_holds_no_more() {
    let mut state = start();
    put(&mut state, ONE, Rock, 19, 19);
    put(&mut state, ONE, Rock, 1, 1);
    let avenger = put(&mut state, TWO, Paper, 19, 18);
    pass(&mut state);
    assert_eq!(state.players[0].hold, 1);
    tick(&mut state, &[(avenger, Up)]);
    assert_eq!(state.players[0].hold, 0);
}

#[test]
fn without_an_enemy_unit_the_factory_falls_at_once() {
    let mut state = start();
    let unit = put(&mut state, TWO, Rock, 1, 0);
    pass(&mut state);
    tick(&mut state, &[(unit, Right)]);
    let end = state.end().unwrap();
    assert_eq!((end.winner, end.tick, &end.cause), (Some(TWO), 2, &Cause::NoUnitLeft));
}

#[test]
fn losing_the_last_unit_with_an_enemy_on_the_factory_loses_at_once() {
    let mut state = start();
    put(&mut state, ONE, Rock, 19, 19);
    put(&mut state, ONE, Paper, 6, 5);
    let last = put(&mut state, TWO, Rock, 5, 5);
    for _ in 0..3 {
        pass(&mut state);
    }
    tick(&mut state, &[(last, Left)]);
    assert_eq!(state.end().unwrap().winner, Some(ONE), "it attacked and lost in its own tick");
    assert_eq!(state.end().unwrap().tick, 4);
}

#[test]
fn a_unit_of_its_own_on_the_factory_is_no_conquest() {
    let mut state = start();
    put(&mut state, ONE, Rock, 0, 0);
    for _ in 0..60 {
        pass(&mut state);
    }
    assert!(state.end().is_none());
    assert_eq!([state.players[0].hold, state.players[1].hold], [0, 0]);
}

#[test]
fn both_may_hold_and_the_earlier_one_wins() {
    let mut state = start();
    let (one, two) = (put(&mut state, ONE, Rock, 18, 19), put(&mut state, TWO, Rock, 1, 0));
    tick(&mut state, &[(one, Right)]);
    tick(&mut state, &[(two, Right)]);
    while state.end().is_none() {
        pass(&mut state);
    }
    assert_eq!((state.end().unwrap().winner, state.end().unwrap().tick), (Some(ONE), 20));
}

#[test]
fn after_the_last_tick_it_is_a_draw() {
    let mut state = start();
    while state.end().is_none() {
        pass(&mut state);
    }
    assert_eq!(state.rounds(), 4000);
    let outcome = state.outcome().unwrap();
    assert_eq!(outcome.winner, None);
    for (seat, placing) in Seat::all(2).zip(&outcome.placings) {
        assert_eq!((placing.place, placing.score.parts(), placing.fate), (1, (1, 2), Fate::Alive));
        assert_eq!(english(&Rps, &placing.reason), "no winner after 4000 ticks");
        let last = packet(&state, seat);
        assert!(last.starts_with("tick 4001\n") && last.ends_with("finished draw\n.\n"), "{last}");
    }
}

#[test]
fn a_victory_in_the_last_tick_counts() {
    let mut state = with(Settings { max_ticks: 20, ..Settings::default() });
    let unit = put(&mut state, ONE, Rock, 18, 19);
    put(&mut state, TWO, Rock, 5, 5);
    tick(&mut state, &[(unit, Right)]);
    while state.end().is_none() {
        pass(&mut state);
    }
    assert_eq!(state.end().unwrap().winner, Some(ONE));
}

// The last packet.

#[test]
fn both_get_the_last_packet_and_for_the_one_that_moved_the_parity_differs() {
    let mut state = start();
    let unit = put(&mut state, ONE, Rock, 18, 19);
    let mut words = Vec::new();
    assert!(!Rps::dismissal(state.view(Eye::Seat(ONE)), &mut words) && words.is_empty());
    assert!(packet(&state, ONE).starts_with("tick 1\n"));
    tick(&mut state, &[(unit, Right)]);
    for (seat, text) in [
        (
            ONE,
            "tick 2\nversus 2\nsoldiers 1\n1 A R 19 19\nbase r N\nbase d N\nprod 10 0 0 0\nfinished victory\n.\n",
        ),
        (
            TWO,
            "tick 2\nversus 1\nsoldiers 1\n1 E R 0 0\nbase r N\nbase d N\nprod 10 0 0 0\nfinished defeat\n.\n",
        ),
    ] {
        words.clear();
        assert!(Rps::dismissal(state.view(Eye::Seat(seat)), &mut words));
        assert_eq!(String::from_utf8(words.clone()).unwrap(), text);
    }
}

// Faults.

#[test]
fn a_missed_answer_passes_the_tick_with_production_and_victory() {
    let mut state = start();
    let unit = put(&mut state, ONE, Rock, 18, 19);
    put(&mut state, TWO, Rock, 5, 5);
    apply(&mut state, &answer(&[(unit, Right)], Some(Paper)));
    while state.end().is_none() {
        fault(&mut state, &Fault::OutOfTime);
    }
    assert_eq!((state.end().unwrap().winner, state.end().unwrap().tick), (Some(ONE), 20));
    assert_eq!((state.players[0].finished, state.players[0].spent), (1, [0, 0, 0]));
    assert_eq!(state.players[0].missed, 9);
}

#[test]
fn forty_missed_answers_in_a_row_lose_and_39_do_not() {
    let mut state = start();
    for round in 0..2 {
        for _ in 0..39 {
            fault(&mut state, &Fault::OutOfTime);
            pass(&mut state);
        }
        if round == 0 {
            pass(&mut state);
            pass(&mut state);
            assert_eq!(state.players[0].missed, 0, "an answer in time ends the row");
        }
    }
    assert!(state.end().is_none());
    fault(&mut state, &Fault::OutOfTime);
    let outcome = state.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.placings[0].fate), (Some(TWO), Fate::Disqualified));
    assert_eq!(english(&Rps, &outcome.placings[0].reason), "out of time 40 times in a row in tick 159");
    assert_eq!(english(&Rps, &outcome.placings[1].reason), "opponent disqualified in tick 159");
}

#[test]
fn the_fortieth_missed_answer_still_wins_if_the_tick_does() {
    let mut state = with(Settings { max_missed_answers: 10, ..Settings::default() });
    put(&mut state, ONE, Rock, 19, 19);
    put(&mut state, TWO, Rock, 5, 5);
    for _ in 0..19 {
        if state.to_move() == Some(ONE) { fault(&mut state, &Fault::OutOfTime) } else { pass(&mut state) }
    }
    assert_eq!((state.players[0].missed, state.players[0].hold), (10, 19));
    assert_eq!(state.end().unwrap().winner, Some(TWO), "held for 19 ticks only");
    let mut state = with(Settings { max_missed_answers: 10, hold_ticks: 19, ..Settings::default() });
    put(&mut state, ONE, Rock, 19, 19);
    put(&mut state, TWO, Rock, 5, 5);
    for _ in 0..19 {
        if state.to_move() == Some(ONE) { fault(&mut state, &Fault::OutOfTime) } else { pass(&mut state) }
    }
    assert_eq!(state.end().unwrap().winner, Some(ONE));
}

#[test]
fn every_other_fault_loses_at_once() {
    for what in [
        Fault::Exited(Exit::Code(3)),
        Fault::Exited(Exit::ClosedOutput),
        Fault::too_long(b"1 up"),
        Fault::malformed(Message::none(), b"?"),
        Fault::OverMemory,
    ] {
        let mut state = start();
        state.players[1].producing = Some(Rock);
        pass(&mut state);
        fault(&mut state, &what);
        let outcome = state.outcome().unwrap();
        assert_eq!((outcome.winner, outcome.placings[1].fate), (Some(ONE), Fate::Disqualified));
        assert_eq!(outcome.placings[1].reason, Reason::Failed { tick: 2, fault: what.message() }.into());
        assert_eq!(state.players[1].spent, [0, 0, 0], "the tick is not played");
        assert!(
            packet(&state, ONE).starts_with("tick 3\n") && packet(&state, ONE).contains("finished victory\n")
        );
        assert!(
            packet(&state, TWO).starts_with("tick 3\n") && packet(&state, TWO).contains("finished defeat\n")
        );
    }
}

// What is seen.

#[test]
fn the_far_player_sees_everything_mirrored_the_names_of_the_bases_too() {
    let mut state = start();
    put(&mut state, ONE, Rock, 3, 1);
    put(&mut state, TWO, Scissors, 18, 12);
    state.bases = [Some(ONE), None];
    let body = |seat| packet(&state, seat).split_once("soldiers").unwrap().1.to_owned();
    assert_eq!(body(ONE), " 2\n1 A R 3 1\n2 E S 18 12\nbase r A\nbase d N\nprod 10 0 0 0\n.\n");
    assert_eq!(body(TWO), " 2\n1 E R 16 18\n2 A S 1 7\nbase r N\nbase d E\nprod 10 0 0 0\n.\n");
    let view = View::new(&state, Eye::Seat(TWO));
    assert_eq!(view.bases(), [Owner::Neutral, Owner::Enemy]);
    assert_eq!(view.verdict(), None::<Verdict>);
}

#[test]
fn every_corner_of_the_largest_and_the_smallest_arena_is_written() {
    for (size, far) in [(100, 99), (11, 10), (10, 9), (4, 3)] {
        let mut state = with(Settings { size, ..Settings::default() });
        for (x, y) in [(0, 0), (far, 0), (0, far), (far, far)] {
            put(&mut state, ONE, Rock, x, y);
        }
        let lines = format!("soldiers 4\n1 A R 0 0\n2 A R {far} 0\n3 A R 0 {far}\n4 A R {far} {far}\nbase");
        assert!(packet(&state, ONE).contains(&lines));
        let lines = format!("soldiers 4\n1 E R {far} {far}\n2 E R 0 {far}\n3 E R {far} 0\n4 E R 0 0\nbase");
        assert!(packet(&state, TWO).contains(&lines));
    }
}

#[test]
fn units_are_numbered_in_order_of_appearance_and_listed_by_number() {
    let mut state = with(Settings { first_unit_ticks: 1, unit_ticks_growth: 0, ..Settings::default() });
    produce(&mut state, Rock);
    produce(&mut state, Paper);
    apply(&mut state, &answer(&[(1, Right)], None));
    apply(&mut state, &answer(&[(2, Right)], None));
    assert!(packet(&state, ONE).contains("soldiers 4\n1 A R 1 0\n2 E P 18 19\n3 A R 0 0\n4 E P 19 19\nbase"));
}

#[test]
fn the_packet_names_the_bot_by_name_and_others_by_number() {
    let mut state = start();
    for (labels, lines) in [
        (["1", "2"], ["versus 2", "versus 1"]),
        (["7", "bot"], ["versus bot", "versus 7"]),
        (["marshal", "greedy"], ["versus 2", "versus 1"]),
        (["bot", "12"], ["versus 12", "versus bot"]),
        (["", "99999999999"], ["versus 2", "versus 1"]),
    ] {
        state.introduce(&labels.map(str::to_owned));
        for (seat, line) in Seat::all(2).zip(lines) {
            assert_eq!(packet(&state, seat).lines().nth(1), Some(line));
        }
    }
    state.introduce(&[]);
    state.introduce(&["1".to_owned(), "2".to_owned(), "3".to_owned()]);
}

#[test]
fn what_the_enemy_produces_is_hidden_and_nothing_else() {
    let mut state = start();
    produce(&mut state, Rock);
    produce(&mut state, Paper);
    let sent = |state: &State| {
        let frame = state.view(Eye::Seat(ONE)).frame();
        (packet(state, ONE), serde_json::to_string(&frame).unwrap())
    };
    let digest = |state: &State| {
        let mut digest = Digest::default();
        state.digest(&mut digest);
        digest.finish()
    };
    let (before, fingerprint) = (sent(&state), digest(&state));
    assert!(state.disturb_hidden(ONE, &mut Rng::new(1)));
    assert_eq!(sent(&state), before);
    assert_ne!(digest(&state), fingerprint);
}

// Room.

#[test]
fn there_is_room_for_every_unit_there_can_be() {
    for settings in [
        Settings::default(),
        Settings {
            first_unit_ticks: 1,
            unit_ticks_growth: 0,
            max_ticks: 301,
            size: 12,
            ..Settings::default()
        },
        Settings { first_unit_ticks: 3, factor_two_bases: [3, 2], max_ticks: 999, ..Settings::default() },
    ] {
        let mut state = with(Settings { hold_ticks: 100_000, ..settings });
        // The enemy keeps a unit, so that the match goes on when its factory is walked over.
        put(&mut state, TWO, Rock, 5, 0);
        let room = (state.units.capacity(), state.players[0].alive.capacity());
        state.bases = [Some(ONE); 2];
        state.players[0].bases = 2;
        while state.end().is_none() {
            let orders: Vec<(u32, Direction)> = (2..=state.units.len() as u32)
                .map(|id| (id, if state.tick % 4 < 2 { Right } else { Down }))
                .collect();
            let kind = Kind::ALL[state.units.len() % 3];
            apply(&mut state, &answer(&orders, Some(kind)));
        }
        assert_eq!((state.units.capacity(), state.players[0].alive.capacity()), room);
        assert!(state.units.len() > 20, "{}", state.units.len());
    }
}
