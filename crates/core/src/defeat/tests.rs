//! When the balance tips, on made-up numbers. Real games are in the conformance tests.

use super::{Counts, Defeat, Field, Loser, defeats};
use crate::message::Message;
use crate::rng::Rng;
use crate::seat::Seat;
use serde_json::json;

#[allow(unreachable_pub, reason = "an example is written as a game's own crate is")]
mod nim {
    use crate as palestra_core;
    include!("../../examples/nim/game.rs");
}

/// What a player was told who had these numbers, round by round, while the others had those; a turn for each round.
fn told(rounds: &[Vec<u64>], seat: usize) -> Defeat {
    let field = Field { plays: vec![true; rounds[0].len()] };
    let mut loser = Loser::new(Seat::at(seat), 1);
    for (turn, counts) in rounds.iter().enumerate() {
        if turn > 0 {
            loser.took_turn(turn as u32, std::time::Duration::ZERO, crate::replay::Recorded::Answer(&[]));
        }
        loser.look(turn as u32, &Counts(vec![Some(counts.clone())]), &field);
    }
    let mut replay = nim::played(7);
    replay.head.outcome.placings = vec![replay.head.outcome.placings[0].clone(); rounds[0].len()];
    loser.defeat(&replay, &["army"])
}

fn balance(rounds: &[Vec<u64>], seat: usize) -> Message {
    told(rounds, seat).balance.expect("something is counted")
}

fn two(own: &[u64], other: &[u64]) -> Vec<Vec<u64>> {
    own.iter().zip(other).map(|(own, other)| vec![*own, *other]).collect()
}

#[test]
fn the_balance_tips_behind_the_last_moment_that_was_even() {
    let rounds = two(&[10, 12, 9, 14, 8, 5, 0], &[10, 12, 13, 14, 15, 20, 30]);
    let defeat = told(&rounds, 0);
    assert_eq!(
        serde_json::to_value(&defeat.balance).unwrap(),
        json!({ "code": "balance_tipped", "turn": 4, "counter": "army", "own": 14, "all": 28, "own_end": 0, "all_end": 30 })
    );
    assert_eq!(defeat.turn, 4, "the player's first turn behind it");
}

#[test]
fn a_few_units_short_all_the_time_is_not_behind() {
    let rounds = two(&[20, 19, 19, 19, 2], &[20, 20, 20, 20, 30]);
    assert_eq!(balance(&rounds, 0).value("turn"), Some(&json!(4)));
}

#[test]
fn whoever_is_behind_at_once_or_never_is_told_so() {
    assert_eq!(balance(&two(&[10, 5, 4], &[10, 12, 14]), 0).code(), "balance_behind");
    assert_eq!(balance(&two(&[1, 2, 3], &[9, 9, 9]), 0).code(), "balance_behind");
    assert_eq!(balance(&two(&[10, 20, 30], &[10, 12, 14]), 0).code(), "balance_held");
    assert_eq!(balance(&two(&[0, 0], &[0, 0]), 0).code(), "balance_held");
}

#[test]
fn any_number_of_players_and_any_numbers_come_to_what_the_definition_says() {
    let mut rng = Rng::new(7);
    for case in 0..2000_u32 {
        let (players, moments) = (2 + rng.below(15) as usize, 1 + rng.below(40) as usize);
        let top = [2, 30, 1000][case as usize % 3];
        let mut number =
            || if case % 50 == 0 { u64::MAX - u64::from(rng.below(3)) } else { rng.below(top).into() };
        let rounds: Vec<Vec<u64>> = (0..moments).map(|_| (0..players).map(|_| number()).collect()).collect();
        for seat in 0..players {
            let even = |counts: &Vec<u64>| {
                let all = counts.iter().fold(0_u64, |all, one| all.saturating_add(*one));
                u128::from(counts[seat]) * players as u128 * 10 >= u128::from(all) * 9
            };
            let last = rounds.iter().rposition(even);
            let expected = match last {
                Some(at) if at + 1 == moments => ("balance_held", None),
                Some(at) if at > 0 => ("balance_tipped", Some(json!(at + 1))),
                _ => ("balance_behind", None),
            };
            let defeat = told(&rounds, seat);
            let balance = defeat.balance.as_ref().unwrap();
            assert_eq!((balance.code(), balance.value("turn").cloned()), expected, "{rounds:?}, seat {seat}");
            assert!((defeat.turn as usize) < moments, "a turn that was played");
        }
    }
}

#[test]
fn a_game_that_counts_nothing_says_nothing_of_balance_and_winners_hear_nothing() {
    let replay = nim::played(7);
    let found = defeats(&nim::Nim, &replay).unwrap();
    let [defeat] = &found[..] else { panic!("one of the two has lost") };
    assert_ne!(Some(defeat.seat), replay.head.outcome.winner);
    assert_eq!((&defeat.balance, defeat.conduct.code()), (&None, "conduct_untimed"));
    let mut drawn = replay;
    drawn.head.outcome.placings.iter_mut().for_each(|placing| placing.place = 1);
    assert_eq!(defeats(&nim::Nim, &drawn).unwrap(), []);
}
