//! Rounds in tables.

use super::{BotNumber, Format, changes, most_uneven, play, players, run, stage};
use crate::pairing::Round;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn byes(rounds: &[Round]) -> BTreeMap<BotNumber, u32> {
    let mut byes = BTreeMap::new();
    rounds.iter().flat_map(|round| &round.byes).for_each(|player| *byes.entry(*player).or_default() += 1);
    byes
}

/// How often those met who met least and most.
fn meetings(rounds: &[Round], count: u32) -> (u32, u32) {
    let mut met: BTreeMap<(BotNumber, BotNumber), u32> = BTreeMap::new();
    for meeting in rounds.iter().flat_map(|round| &round.meetings) {
        for one in &meeting.players {
            meeting.players.iter().filter(|other| one < *other).for_each(|other| {
                *met.entry((*one, *other)).or_default() += 1;
            });
        }
    }
    let all = met.len() as u32 == count * (count - 1) / 2;
    let least = if all { *met.values().min().unwrap() } else { 0 };
    (least, *met.values().max().unwrap())
}

proptest! {
    #[test]
    fn tables_are_full_and_nobody_sits_out_twice_before_all_did(
        count in 3_u32..=23, seats in 2_u8..=6, rounds in 1_u32..=30,
    ) {
        prop_assume!(count >= u32::from(seats));
        let mut stage = stage(&Format::Tables { seats, rounds }, count);
        let told = (stage.total_rounds(), stage.total_meetings());
        let drawn = play(&mut stage, 0);
        let meetings = drawn.iter().map(|round| round.meetings.len() as u64).sum();
        prop_assert_eq!(told, (Some(drawn.len() as u32), meetings));
        for end in 1..=drawn.len() {
            let byes = byes(&drawn[..end]);
            let had = |player: BotNumber| byes.get(&player).copied().unwrap_or(0);
            let most = players(count).into_iter().map(had).max().unwrap();
            prop_assert!(players(count).into_iter().all(|player| had(player) + 1 >= most));
        }
        for round in &drawn {
            let mut seated: Vec<BotNumber> =
                round.meetings.iter().flat_map(|meeting| &meeting.players).chain(&round.byes).copied().collect();
            seated.sort_unstable();
            prop_assert_eq!(seated, players(count));
            prop_assert!(round.meetings.iter().all(|meeting| meeting.players.len() == usize::from(seats)));
            prop_assert!(round.byes.len() < usize::from(seats));
        }
        prop_assert!(most_uneven(&drawn) <= 3, "{}", most_uneven(&drawn));
    }

    #[test]
    fn seats_stay_even_whoever_comes_and_goes(count in 6_u32..=14, seats in 2_u8..=4, changes in changes()) {
        let course = run(&Format::Tables { seats, rounds: 20 }, count, &changes, u32::from(seats), 0);
        prop_assert_eq!(course.rounds.len(), 20);
        prop_assert!(most_uneven(&course.rounds) <= 3, "{}", most_uneven(&course.rounds));
        let at_the_end = course.rounds.last().unwrap();
        let drawn = at_the_end.meetings.iter().map(|meeting| meeting.players.len()).sum::<usize>();
        prop_assert_eq!(drawn + at_the_end.byes.len(), course.present.len());
    }
}

#[test]
fn everybody_meets_everybody_about_equally_often() {
    // Players, seats, rounds, and how far apart the pairs that met most and least may be.
    for (count, seats, rounds, apart) in
        [(8, 4, 14, 2), (12, 4, 11, 2), (16, 4, 100, 2), (30, 3, 60, 2), (13, 4, 60, 3), (100, 4, 33, 2)]
    {
        let mut stage = stage(&Format::Tables { seats, rounds }, count);
        let (least, most) = meetings(&play(&mut stage, 0), count);
        assert!(most - least <= apart, "{count} players, {seats} seats: {least} to {most}");
    }
}

#[test]
fn nobody_meets_twice_while_there_is_plenty_of_choice() {
    let mut stage = stage(&Format::Tables { seats: 4, rounds: 6 }, 100);
    assert_eq!(meetings(&play(&mut stage, 0), 100).1, 1);
}

#[test]
fn with_one_table_those_who_sit_out_change_so_that_all_meet_as_often() {
    for (count, seats) in [(5, 4), (6, 4), (7, 4), (5, 3), (6, 5), (7, 6), (9, 8)] {
        let mut stage = stage(&Format::Tables { seats, rounds: 30 }, count);
        let (least, most) = meetings(&play(&mut stage, 0), count);
        assert!(most - least <= 2, "{count} players, {seats} seats: {least} to {most} times");
    }
}

#[test]
fn a_stage_that_was_begun_earlier_is_drawn_as_it_was() {
    let format = Format::Tables { seats: 4, rounds: 4 };
    let mut stage = stage(&format, 7);
    stage.draw_as_at_first();
    let drawn: Vec<Vec<u32>> = play(&mut stage, 0)
        .iter()
        .map(|round| round.meetings[0].players.iter().map(|player| player.0).collect())
        .collect();
    assert_eq!(drawn, AT_FIRST);
}

/// Recorded once: tournaments that were begun so go on so.
const AT_FIRST: [[u32; 4]; 4] = [[6, 4, 3, 5], [2, 1, 4, 7], [7, 2, 6, 3], [1, 5, 7, 2]];
