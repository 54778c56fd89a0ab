//! The rules, one test for each sentence of the rule book that can go wrong.

use crate::support::{Play, orders};
use palestra_auralux::{Auralux, Settings, Standing};
use palestra_core::game::{State as _, View as _};
use palestra_core::{Eye, Fate, Input, Rng, Score, Seat};
use palestra_testkit::english;

fn defaults() -> Settings {
    Settings::default()
}

/// Two players next to each other, and two free planets.
fn duel() -> Play {
    Play::equidistant(&defaults(), 2, 2, 1)
}

// The start.

#[test]
fn each_player_starts_on_a_level_1_planet_with_full_armor_and_the_start_ships() {
    let play = duel();
    assert_eq!(play.planet(1), (1, 100, 1, 100));
    assert_eq!(play.planet(2), (2, 100, 1, 100));
    assert_eq!(play.planet(3), (0, 0, 0, 0));
    assert_eq!(play.planet(4), (0, 0, 0, 0));
    assert_eq!(play.to_move(), Some(1));
}

// A step.

#[test]
fn nothing_is_produced_in_the_first_step() {
    let mut play = duel();
    play.idle(1);
    assert_eq!(play.planet(2), (2, 100, 1, 100));
    play.idle(1);
    assert_eq!(play.planet(1), (1, 101, 1, 100), "player 1 in step 2");
    assert_eq!(play.planet(2), (2, 100, 1, 100), "player 2 only produces before its own turn");
    play.idle(1);
    assert_eq!(play.planet(2), (2, 101, 1, 100));
}

#[test]
fn production_is_the_multiplier_times_the_level() {
    let settings = Settings { production_multiplier: 7, start_ships: 300, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 0, 1);
    play.orders(&[(1, 1, 300)]).idle(1);
    assert_eq!(play.planet(1), (1, 200 + 14, 2, 200));
    play.orders(&[(1, 1, 214)]).idle(1);
    assert_eq!(play.planet(1), (1, 14 + 21, 3, 300));
}

#[test]
fn neutral_planets_produce_nothing_even_with_ships_on_them() {
    let mut play = duel();
    play.orders(&[(1, 3, 40)]).idle(1);
    assert_eq!(play.planet(3), (1, 40, 0, 0));
    play.idle(10);
    assert_eq!(play.planet(3), (1, 40, 0, 0));
}

#[test]
fn a_group_lands_immediately_before_its_owners_turn_after_as_many_turns_as_the_distance() {
    for distance in [1_u32, 2, 5, 100] {
        let mut play = Play::equidistant(&defaults(), 3, 1, distance);
        play.idle(1).orders(&[(2, 4, 10)]);
        for turn in 1..3 * distance {
            assert_eq!(play.planet(4), (0, 0, 0, 0), "distance {distance}, turn {turn}");
            play.idle(1);
        }
        assert_eq!(play.to_move(), Some(2));
        assert_eq!(play.planet(4), (2, 10, 0, 0), "distance {distance}");
    }
}

#[test]
fn production_comes_before_landing() {
    // 101 ships arrive where 100 stand and one more is produced before: nobody's turn but the attacker's own
    // produces for the attacker, so the defender still has what its own last turn left.
    let mut play = Play::equidistant(&Settings { start_ships: 300, ..defaults() }, 2, 0, 2);
    play.orders(&[(1, 2, 300)]).idle(1);
    assert_eq!(play.to_move(), Some(1));
    play.idle(1);
    assert_eq!(play.planet(2), (2, 301, 1, 100), "player 2 produced before its second turn");
    play.idle(1);
    assert_eq!(play.planet(2), (2, 1, 1, 100), "the attack met the produced ship too");
}

#[test]
fn groups_that_arrive_together_land_in_the_order_they_were_sent() {
    // The first is sent over a long way, the second over a short one, and both land in the same turn.
    let map = "matrix 4 2\n1 2\n0 5 9 3\n5 0 9 1\n9 9 0 2\n3 1 2 0\n";
    let mut play = Play::new(&defaults(), map);
    play.orders(&[(1, 4, 30), (1, 2, 1)]).idle(3);
    play.orders(&[(1, 4, 7), (1, 4, 8)]);
    let under_way: Vec<(usize, u32)> =
        play.state.flights(Seat::new(1)).iter().map(|(turns, group)| (turns, group.ships)).collect();
    assert_eq!(under_way, [(1, 30), (3, 1), (3, 7), (3, 8)]);
    assert_eq!(play.state.flights(Seat::new(1)).ships(), 46);
}

#[test]
fn the_player_whose_turn_comes_first_lands_first() {
    let mut play = duel();
    play.orders(&[(1, 3, 30)]).orders(&[(2, 3, 20)]);
    assert_eq!(play.planet(3), (1, 30, 0, 0), "player 1 has landed, player 2 has not");
    play.idle(1);
    assert_eq!(play.planet(3), (1, 10, 0, 0));
}

#[test]
fn attacks_that_land_together_add_up() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.idle(1).orders(&[(2, 3, 250)]);
    play.orders(&[(1, 2, 61), (1, 2, 60)]).idle(1);
    assert_eq!(play.planet(2), (1, 20, 0, 0), "1 ship and 60 armor by the first, 40 armor by the second");
}

// Landing.

#[test]
fn ships_that_land_on_their_own_planet_join() {
    let mut play = duel();
    play.orders(&[(1, 3, 30)]).idle(1).orders(&[(1, 3, 5)]).idle(1);
    assert_eq!(play.planet(3), (1, 35, 0, 0));
    assert_eq!(play.ships(1), 102);
}

#[test]
fn ships_cancel_one_for_one_and_defenders_that_are_as_many_hold() {
    let mut play = duel();
    // 100 ships each; the defender produced one before.
    play.idle(2).idle(1).idle(1);
    play.orders(&[(1, 2, 102)]);
    play.idle(1);
    assert_eq!(play.planet(2), (2, 0, 1, 100), "102 against 102: the attack ends there");
    assert_eq!(play.ships(1), 1);
    assert_eq!(play.ships(2), 0);
}

#[test]
fn what_is_left_takes_from_the_armor() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.idle(1).orders(&[(2, 3, 250)]).orders(&[(1, 2, 100)]);
    play.idle(1);
    assert_eq!(play.planet(2), (2, 0, 1, 1), "1 ship and 99 armor");
    assert_eq!(play.ships(1), 152);
}

#[test]
fn a_planet_whose_armor_is_broken_becomes_neutral_with_the_rest_of_the_ships() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.idle(1).orders(&[(2, 3, 250)]).orders(&[(1, 2, 120)]);
    play.idle(1);
    assert_eq!(play.planet(2), (1, 19, 0, 0), "120 - 1 - 100");
    assert_eq!(play.ships(1), 250 + 2 - 101);
    assert_eq!(play.state.owned(Seat::new(2)), 1 << 2);
    assert_eq!(play.state.production(Seat::new(2)), 0);
}

#[test]
fn a_planet_broken_to_the_last_ship_belongs_to_nobody() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.idle(1).orders(&[(2, 3, 250)]).orders(&[(1, 2, 101)]);
    play.idle(1);
    assert_eq!(play.planet(2), (0, 0, 0, 0), "101 - 1 - 100");
}

#[test]
fn a_neutral_planet_goes_to_whoever_is_left_on_it() {
    let mut play = duel();
    play.orders(&[(1, 3, 30)]).orders(&[(2, 3, 50)]);
    assert_eq!(play.planet(3), (1, 30, 0, 0));
    play.idle(1);
    assert_eq!(play.planet(3), (2, 20, 0, 0));
    assert_eq!(play.state.owned(Seat::new(1)), 1);
}

#[test]
fn a_neutral_planet_that_is_shot_empty_belongs_to_nobody() {
    let mut play = duel();
    play.orders(&[(1, 3, 30)]).orders(&[(2, 3, 30)]).idle(1);
    assert_eq!(play.planet(3), (0, 0, 0, 0));
    assert_eq!(play.state.owned(Seat::new(1)), 1);
    assert_eq!(play.state.owned(Seat::new(2)), 2);
}

#[test]
fn a_planet_of_a_level_without_ships_keeps_its_owner() {
    let mut play = duel();
    play.orders(&[(1, 3, 100)]);
    assert_eq!(play.planet(1), (1, 0, 1, 100));
    play.idle(1);
    assert_eq!(play.planet(1), (1, 1, 1, 100));
}

// Dead and alive.

/// Three players; the second has lost everything when its third turn comes.
fn beaten(extra: &[(i32, i32, i32)]) -> Play {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 3, 1, 3);
    // Player 1 sends enough to break planet 2 to the last ship: 3 produced ships, 100 armor.
    play.orders(&[(1, 2, 102)]);
    let mut away = vec![(2, 3, 250)];
    away.extend_from_slice(extra);
    play.orders(&away).idle(1);
    play
}

#[test]
fn a_player_without_planet_and_group_is_dead_and_gets_no_turn() {
    let mut play = beaten(&[]);
    play.idle(3).idle(3);
    // Step 4: player 1's group has broken planet 2; player 2's group lands on 3 before its turn, and is beaten.
    assert_eq!(play.to_move(), Some(1));
    assert_eq!(play.planet(2), (0, 0, 0, 0));
    assert_eq!(*play.state.standing(Seat::new(2)), Standing::Alive, "found out at its own turn only");
    play.idle(1);
    assert_eq!(*play.state.standing(Seat::new(2)), Standing::Dead { step: 4 });
    assert_eq!(play.to_move(), Some(3), "player 2 is not asked");
    assert_eq!(play.state.alive(), 2);
}

#[test]
fn a_group_in_flight_keeps_a_player_alive() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let map = "matrix 4 3\n1 2 3\n0 1 9 9\n1 0 9 9\n9 9 0 9\n9 9 9 0\n";
    let mut play = Play::new(&settings, map);
    play.orders(&[(1, 4, 10)]).orders(&[(2, 4, 250)]).idle(1);
    play.orders(&[(1, 2, 101)]).idle(2);
    assert_eq!(play.planet(2), (0, 0, 0, 0));
    assert_eq!(play.state.owned(Seat::new(2)), 0);
    play.idle(1);
    assert_eq!(play.to_move(), Some(2), "it still has a group in flight, and is asked");
    assert_eq!(play.ships(2), 250);
}

#[test]
fn ships_on_a_neutral_planet_keep_a_player_alive() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 3, 1, 1);
    play.idle(1).orders(&[(2, 4, 250)]).idle(1);
    play.orders(&[(1, 2, 101)]).idle(2);
    assert_eq!(play.planet(2), (0, 0, 0, 0));
    play.idle(1);
    assert_eq!(play.to_move(), Some(2));
    assert_eq!(play.planet(4), (2, 250, 0, 0));
}

#[test]
fn the_last_one_alive_wins_at_once() {
    let settings = Settings { start_ships: 250, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 0, 1);
    play.orders(&[(1, 2, 250)]).orders(&[(2, 1, 150)]);
    // Player 1's 250 meet 100 ships and 100 armor; player 2's 150 meet the one ship produced and 100 armor, and
    // 49 stand on planet 1.
    assert_eq!(play.planet(2), (1, 50, 0, 0));
    play.orders(&[]);
    assert_eq!(play.planet(1), (2, 49, 0, 0));
    play.idle(1);
    play.orders(&[(2, 1, 50)]).idle(1);
    assert_eq!(play.planet(1), (1, 1, 0, 0));
    assert_eq!(play.to_move(), Some(1), "player 2's death is found out at its own turn");
    play.idle(1);
    assert_eq!(play.to_move(), None);
    let outcome = play.outcome();
    assert_eq!(outcome.winner, Some(Seat::new(1)));
    assert_eq!(outcome.placings[0].score, Score::ONE);
    assert_eq!(outcome.placings[1].score, Score::ZERO);
    assert_eq!(outcome.placings[1].fate, Fate::Out);
    assert_eq!(english(&Auralux, &outcome.placings[1].reason), "without planets and ships in step 4");
}

#[test]
fn the_planets_of_the_dead_and_disqualified_produce_and_their_groups_land() {
    let mut play = Play::equidistant(&defaults(), 3, 1, 4);
    play.orders(&[(1, 4, 60)]).idle(2);
    play.fault();
    assert_eq!(play.to_move(), Some(2));
    play.idle(2).idle(2);
    assert_eq!(play.planet(1), (1, 40 + 3, 1, 100));
    assert_eq!(play.planet(4), (0, 0, 0, 0));
    play.idle(2);
    assert_eq!(play.planet(1), (1, 40 + 4, 1, 100));
    assert_eq!(play.planet(4), (1, 60, 0, 0));
}

#[test]
fn the_game_is_over_when_nobody_else_is_left_even_in_the_first_step() {
    let mut play = Play::equidistant(&defaults(), 3, 0, 1);
    play.fault().fault();
    assert_eq!(play.to_move(), None);
    let outcome = play.outcome();
    assert_eq!(outcome.winner, Some(Seat::new(3)));
    assert_eq!(outcome.placings[2].place, 1);
    assert_eq!(play.state.rounds(), 0);
}

#[test]
fn the_game_is_over_after_the_last_full_step() {
    let settings = Settings { max_steps: 3, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 0, 1);
    play.idle(5);
    assert_eq!(play.to_move(), Some(2));
    assert!(play.state.outcome().is_none());
    play.idle(1);
    assert_eq!(play.to_move(), None);
    assert_eq!(play.state.rounds(), 3);
    assert_eq!(play.outcome().winner, None);
}

#[test]
fn without_a_step_it_is_a_draw_at_once() {
    let settings = Settings { max_steps: 0, ..defaults() };
    let play = Play::equidistant(&settings, 2, 0, 1);
    assert_eq!(play.to_move(), None);
    assert_eq!(play.state.rounds(), 0);
    let outcome = play.outcome();
    assert_eq!(outcome.winner, None);
    let scores = outcome.placings.iter().map(|placing| (placing.place, placing.score.parts()));
    assert!(scores.clone().all(|score| score == scores.clone().next().unwrap()), "{outcome:?}");
}

#[test]
fn the_last_step_ends_with_skipped_seats_too() {
    let settings = Settings { max_steps: 2, ..defaults() };
    let mut play = Play::equidistant(&settings, 3, 0, 1);
    play.idle(2).fault().idle(2);
    assert_eq!(play.to_move(), None, "player 3 is skipped, and the second step is over");
    assert_eq!(play.planet(3), (3, 101, 1, 100), "it still produced in it");
    assert_eq!(play.state.rounds(), 2);
}

// Orders.

#[test]
fn orders_that_are_not_allowed_are_skipped_with_a_note() {
    let mut play = duel();
    play.orders(&[
        (0, 1, 1),
        (1, 5, 1),
        (-3, 1, 1),
        (1, 3, 0),
        (1, 3, -7),
        (2, 3, 1),
        (3, 3, 1),
        (1, 3, 101),
        (1, 1, 101),
        (i32::MAX, i32::MIN, i32::MIN),
        (1, 3, 100),
        (1, 3, 1),
    ]);
    assert_eq!(
        play.remarks(),
        [
            "1: order 1 skipped: there is no planet 0",
            "1: order 2 skipped: there is no planet 5",
            "1: order 3 skipped: there is no planet -3",
            "1: order 4 skipped: 0 ships cannot be ordered",
            "1: order 5 skipped: -7 ships cannot be ordered",
            "1: order 6 skipped: planet 2 is not yours",
            "1: order 7 skipped: planet 3 is not yours",
            "1: order 8 skipped: planet 1 has 100 ships, not 101",
            "1: order 9 skipped: planet 1 has 100 ships, not 101",
            "1: order 10 skipped: there is no planet 2147483647",
            "1: order 12 skipped: planet 1 has 0 ships, not 1",
        ]
    );
    assert_eq!(*play.state.standing(Seat::new(1)), Standing::Alive, "never a disqualification");
    assert_eq!(play.state.launches(Seat::new(1)).len(), 1);
}

#[test]
fn orders_are_executed_one_after_another() {
    let settings = Settings { start_ships: 350, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 2, 1);
    play.orders(&[(1, 1, 100), (1, 3, 250), (1, 3, 1)]);
    assert_eq!(play.planet(1), (1, 0, 2, 200));
    assert_eq!(play.remarks().len(), 1);
}

#[test]
fn a_neutral_planet_that_is_emptied_belongs_to_nobody() {
    let mut play = duel();
    play.orders(&[(1, 3, 30)]).idle(1);
    play.orders(&[(3, 4, 10), (3, 4, 20), (3, 4, 1)]);
    assert_eq!(play.planet(3), (0, 0, 0, 0));
    assert_eq!(play.remarks(), ["1: order 3 skipped: planet 3 is not yours"]);
    play.idle(1);
    assert_eq!(play.planet(4), (1, 30, 0, 0));
}

#[test]
fn capturing_destroys_exactly_the_cost() {
    let mut play = Play::equidistant(&Settings { start_ships: 150, ..defaults() }, 2, 1, 1);
    play.orders(&[(1, 3, 130)]).idle(1);
    play.orders(&[(3, 3, 120)]);
    assert_eq!(play.planet(3), (1, 30, 1, 100));
    assert_eq!(play.ships(1), 51);
    assert_eq!(play.remarks(), [""; 0]);
    play.idle(1);
    assert_eq!(play.planet(3), (1, 31, 1, 100), "it produces from the next turn on");
}

#[test]
fn too_few_ships_capture_nothing_and_are_not_noted() {
    let mut play = duel();
    play.orders(&[(1, 3, 100)]).idle(1);
    play.orders(&[(3, 3, 99)]);
    assert_eq!(play.planet(3), (1, 100, 0, 0));
    assert_eq!(play.remarks(), [""; 0]);
}

#[test]
fn raising_takes_the_cost_and_the_missing_armor_and_no_more() {
    let settings = Settings { start_ships: 1000, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    // Player 1's planet loses 30 armor: it sends all ships away, and 31 come, against one produced.
    play.orders(&[(1, 3, 1000)]).orders(&[(2, 1, 31)]).idle(1);
    assert_eq!(play.planet(1), (1, 0, 1, 70));
    play.idle(1).orders(&[(3, 1, 500)]).idle(1);
    assert_eq!(play.planet(1), (1, 502, 1, 70));
    play.orders(&[(1, 1, 129)]);
    assert_eq!(play.planet(1), (1, 472, 1, 100), "129 are one too few: they repair 30");
    play.idle(1).orders(&[(1, 1, 400)]);
    assert_eq!(play.planet(1), (1, 373, 2, 200), "exactly 100 are destroyed");
    play.idle(1).orders(&[(1, 1, 375)]);
    assert_eq!(play.planet(1), (1, 175, 3, 300));
    play.idle(1).orders(&[(1, 1, 178)]);
    assert_eq!(play.planet(1), (1, 178, 3, 300), "the top level takes nothing when whole");
    assert_eq!(play.remarks(), [""; 0]);
}

#[test]
fn raising_and_repairing_at_once_is_one_order() {
    let settings = Settings { start_ships: 1000, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.orders(&[(1, 3, 1000)]).orders(&[(2, 1, 31)]).idle(2);
    play.orders(&[(3, 1, 500)]).idle(1);
    play.orders(&[(1, 1, 130)]);
    assert_eq!(play.planet(1), (1, 502 - 130, 2, 200));
}

#[test]
fn repairing_takes_no_more_than_is_missing() {
    let settings = Settings { start_ships: 1000, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.orders(&[(1, 3, 1000)]).orders(&[(2, 1, 31)]).idle(2);
    play.orders(&[(3, 1, 500)]).idle(1);
    play.orders(&[(1, 1, 10), (1, 1, 5), (1, 1, 90)]);
    assert_eq!(play.planet(1), (1, 502 - 30, 1, 100), "repairs may be repeated in a turn");
    assert_eq!(play.remarks(), [""; 0]);
}

#[test]
fn after_a_repair_the_planet_may_be_raised_in_the_same_turn_but_only_once() {
    let settings = Settings { start_ships: 1000, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 0, 1);
    play.orders(&[(1, 1, 100), (1, 1, 300), (1, 1, 1)]);
    assert_eq!(play.planet(1), (1, 900, 2, 200));
    assert_eq!(
        play.remarks(),
        [
            "1: order 2 skipped: planet 1 was captured or raised this turn and takes no more",
            "1: order 3 skipped: planet 1 was captured or raised this turn and takes no more",
        ]
    );
    play.idle(1).orders(&[(1, 1, 300)]);
    assert_eq!(play.planet(1), (1, 702, 3, 300), "the next turn is free again");
}

#[test]
fn a_planet_captured_this_turn_is_not_raised_but_may_send_ships() {
    let settings = Settings { start_ships: 1000, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.orders(&[(1, 3, 500)]).idle(1);
    play.orders(&[(3, 3, 100), (3, 3, 100), (3, 1, 400)]);
    assert_eq!(play.planet(3), (1, 0, 1, 100));
    assert_eq!(play.notes.count(Seat::new(1)), 1);
}

#[test]
fn a_group_beyond_the_limit_in_space_perishes_and_is_not_reported() {
    let settings = Settings { max_groups_in_space: 2, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 2, 2);
    play.orders(&[(1, 3, 10), (1, 4, 10), (1, 3, 25)]);
    assert_eq!(play.planet(1), (1, 55, 1, 100), "its ships are gone");
    assert_eq!(play.ships(1), 75);
    assert_eq!(
        play.remarks(),
        ["1: order 3 lost: the group of 25 ships perished, with 2 groups in flight already"]
    );
    assert!(play.ask(2).starts_with("2\n1 1 3 10\n1 1 4 10\n1 55 1 100\n"));
    play.idle(3);
    assert_eq!(play.planet(3), (1, 10, 0, 0));
    play.orders(&[(1, 3, 1), (3, 4, 10)]);
    assert_eq!(play.state.flights(Seat::new(1)).groups(), 2, "landed groups count no more");
}

#[test]
fn a_neutral_planet_emptied_by_a_perished_group_belongs_to_nobody() {
    let settings = Settings { max_groups_in_space: 1, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.orders(&[(1, 3, 30)]).idle(1);
    play.orders(&[(1, 2, 1), (3, 1, 30)]);
    assert_eq!(play.planet(3), (0, 0, 0, 0));
    assert_eq!(play.ships(1), 71);
}

#[test]
fn the_limit_in_space_may_be_zero() {
    let settings = Settings { max_groups_in_space: 0, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.orders(&[(1, 3, 30)]).idle(2);
    assert_eq!(play.planet(3), (0, 0, 0, 0));
    assert_eq!(play.ships(1), 71);
}

#[test]
fn more_orders_than_allowed_disqualify_and_none_is_executed() {
    let settings = Settings { max_orders_per_turn: 2, ..defaults() };
    let mut play = Play::equidistant(&settings, 3, 0, 1);
    play.orders(&[(1, 2, 10), (1, 2, 10)]);
    assert_eq!(*play.state.standing(Seat::new(1)), Standing::Alive);
    play.orders(&[(2, 1, 10), (2, 1, 10), (2, 1, 10)]);
    assert!(matches!(play.state.standing(Seat::new(2)), Standing::Disqualified { step: 1, .. }));
    assert_eq!(play.planet(2), (2, 100, 1, 100));
    assert_eq!(play.state.flights(Seat::new(2)).groups(), 0);
}

// Disqualified.

#[test]
fn a_disqualified_player_is_asked_no_more_and_keeps_its_planets() {
    let mut play = Play::equidistant(&defaults(), 3, 0, 1);
    play.idle(1).fault();
    assert_eq!(play.to_move(), Some(3));
    play.idle(1);
    assert_eq!(play.to_move(), Some(1));
    play.idle(1);
    assert_eq!(play.to_move(), Some(3));
    assert_eq!(play.planet(2), (2, 101, 1, 100));
    assert_eq!(play.state.alive(), 2);
}

#[test]
fn a_disqualified_player_never_wins_and_its_ships_do_not_count() {
    let settings = Settings { max_steps: 1, ..defaults() };
    let mut play = Play::equidistant(&settings, 3, 1, 1);
    play.fault().idle(2);
    let outcome = play.outcome();
    assert_eq!(outcome.winner, None);
    assert_eq!(outcome.placings[0].score, Score::ZERO);
    // Half of the 200 ships that count, one of four planets.
    assert_eq!(outcome.placings[1].score, Score::fraction(3, 8));
    assert_eq!(outcome.placings[0].place, 3);
    assert_eq!(english(&Auralux, &outcome.placings[0].reason), "disqualified in step 1: out of time");
}

// The result.

#[test]
fn the_score_counts_ships_in_flight_and_planets_of_a_level() {
    let settings = Settings { max_steps: 2, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 2, 1);
    play.orders(&[(1, 3, 60)]).idle(1).orders(&[(1, 4, 10)]).idle(1);
    assert_eq!(play.planet(3), (1, 60, 0, 0), "no planet of its own: level 0");
    let outcome = play.outcome();
    // 101 of 202 ships and one of four planets each.
    assert_eq!(outcome.placings[0].score, Score::fraction(3, 8));
    assert_eq!(outcome.placings[1].score, Score::fraction(3, 8));
    assert_eq!(outcome.placings[0].place, 1);
    assert_eq!(outcome.placings[1].place, 1);
    assert_eq!(
        english(&Auralux, &outcome.placings[1].reason),
        "alive after 2 steps, with 1 planet and 101 ships"
    );
}

#[test]
fn no_ships_of_no_ships_are_no_share() {
    let settings = Settings { max_steps: 1, start_ships: 0, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 1);
    play.idle(2);
    assert_eq!(play.outcome().placings[0].score, Score::fraction(1, 6));
}

#[test]
fn the_last_one_alive_wins_whatever_it_has_left() {
    let settings = Settings { start_ships: 103, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 2);
    play.orders(&[(1, 3, 103)]).orders(&[(2, 1, 103)]).idle(1).fault();
    assert_eq!(play.to_move(), None);
    assert_eq!(play.outcome().winner, Some(Seat::new(1)));
}

#[test]
fn places_alive_by_score_then_the_dead_then_the_disqualified_later_first() {
    let settings = Settings { max_steps: 12, max_players: 5, start_ships: 1000, ..defaults() };
    let mut play = Play::equidistant(&settings, 5, 1, 1);
    // Step 1: player 4 fails. Player 1 sends everything to break player 2.
    play.orders(&[(1, 2, 1000)]).orders(&[(2, 3, 1000)]).idle(1).fault().idle(1);
    // Step 2: planet 2 falls before player 1's turn; player 2's ships meet player 3's thousand and one.
    play.idle(1);
    assert_eq!(*play.state.standing(Seat::new(2)), Standing::Dead { step: 2 });
    assert_eq!(play.to_move(), Some(3));
    play.idle(1).fault();
    assert_eq!(play.to_move(), Some(1));
    while play.to_move().is_some() {
        play.idle(1);
    }
    let places: Vec<u32> = play.outcome().placings.iter().map(|placing| placing.place).collect();
    assert_eq!(places, [1, 3, 2, 5, 4]);
}

// What everybody knows.

#[test]
fn a_bot_cannot_see_who_is_disqualified_until_the_end() {
    let mut play = Play::equidistant(&Settings { max_steps: 2, ..defaults() }, 3, 0, 1);
    play.fault();
    let (one, two) = (Seat::new(1), Seat::new(2));
    assert!(play.state.view(Eye::Seat(two)).standing(one).is_none());
    assert!(play.state.view(Eye::Seat(two)).standing(two).is_some());
    assert!(play.state.view(Eye::Spectator).standing(one).is_some());
    play.idle(4);
    assert!(play.state.view(Eye::Seat(two)).standing(one).is_some());
}

#[test]
fn disturbing_what_is_hidden_changes_nothing_a_seat_sees() {
    let mut play = Play::equidistant(&defaults(), 4, 2, 3);
    play.idle(5);
    let seat = Seat::new(2);
    let ask = play.ask(2);
    let frame = play.state.view(Eye::Seat(seat)).frame();
    assert!(play.state.disturb_hidden(seat, &mut Rng::new(1)));
    assert_eq!(play.state.alive(), 3);
    assert_eq!(play.ask(2), ask);
    assert_eq!(play.state.view(Eye::Seat(seat)).frame(), frame);
    assert_ne!(play.state.view(Eye::Spectator).frame().players, frame.players);
    play.idle(10);

    let mut play = duel();
    assert!(!play.state.disturb_hidden(Seat::new(1), &mut Rng::new(1)));
}

#[test]
fn a_long_game_takes_no_more_memory_than_a_short_one() {
    let settings = Settings { max_steps: 100_000, ..defaults() };
    let mut play = Play::equidistant(&settings, 2, 1, 50);
    let answer = orders(&[(1, 3, 1)]);
    while let Some(seat) = play.state.to_move() {
        play.state.apply(seat, Input::Answer(&answer), &mut play.notes);
    }
    assert_eq!(play.state.flights(Seat::new(1)).groups(), 50);
    assert_eq!(play.planet(3).1 + 50 + play.planet(1).1, play.ships(1));
    assert_eq!(play.ships(1), 100_099);
}
