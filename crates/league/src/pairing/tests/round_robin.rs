//! Everybody meets everybody.

use super::{BotNumber, Format, changes, groups, most_uneven, play, players, run, stage, unevenness};
use crate::pairing::Round;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Every group of this size.
fn combinations(of: &[BotNumber], size: usize) -> Vec<Vec<BotNumber>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with = |first: usize| {
        let rest = combinations(&of[first + 1..], size - 1);
        rest.into_iter().map(move |group| [&[of[first]], group.as_slice()].concat())
    };
    (0..of.len()).flat_map(with).collect()
}

/// Whether nobody is in two meetings of a round.
fn is_disjoint(round: &Round) -> bool {
    let everybody: Vec<BotNumber> =
        round.meetings.iter().flat_map(|meeting| &meeting.players).chain(&round.byes).copied().collect();
    everybody.iter().collect::<BTreeSet<_>>().len() == everybody.len()
}

proptest! {
    #[test]
    fn every_pair_meets_in_as_few_rounds_as_possible(count in 2_u32..=25, cycles in 1_u32..=3) {
        let mut stage = stage(&Format::RoundRobin { seats: 2, cycles }, count);
        let told = (stage.total_rounds(), stage.total_meetings());
        let rounds = play(&mut stage, 0);
        let pairs = groups(&rounds);
        prop_assert_eq!(pairs.len() as u32, count * (count - 1) / 2);
        prop_assert!(pairs.values().all(|&times| times == cycles));
        prop_assert_eq!(rounds.len() as u32, cycles * (count.next_multiple_of(2) - 1));
        prop_assert_eq!(told, (Some(rounds.len() as u32), u64::from(cycles * count * (count - 1) / 2)));
        prop_assert!(rounds.iter().all(is_disjoint));
        prop_assert!(most_uneven(&rounds) <= 1);
        let mut byes: Vec<BotNumber> = rounds.iter().flat_map(|round| &round.byes).copied().collect();
        byes.sort_unstable();
        let expected = if count % 2 == 0 { 0 } else { cycles };
        let all = players(count).into_iter().flat_map(|player| vec![player; expected as usize]);
        prop_assert_eq!(byes, all.collect::<Vec<_>>());
    }

    #[test]
    fn those_who_stay_all_meet_whoever_comes_and_goes(
        count in 4_u32..=9, seats in 2_u8..=4, cycles in 1_u32..=2, changes in changes(),
    ) {
        let course = run(&Format::RoundRobin { seats, cycles }, count, &changes, 0, 0);
        let times = groups(&course.rounds);
        let stayed: Vec<BotNumber> = course.present.iter().copied().collect();
        for group in combinations(&stayed, seats.into()) {
            prop_assert_eq!(times.get(&group), Some(&cycles), "{:?}", group);
        }
        prop_assert!(times.values().all(|&times| times <= cycles));
        let seats_of = unevenness(&course.rounds);
        let uneven = stayed.iter().filter_map(|player| seats_of.get(player)).max().copied().unwrap_or(0);
        if seats == 2 {
            prop_assert!(course.rounds.iter().all(is_disjoint));
            prop_assert!(uneven <= 1 + 2 * course.left, "{} after {} left", uneven, course.left);
        } else {
            prop_assert!(uneven <= 3, "{}", uneven);
        }
    }

    #[test]
    fn every_table_meets_and_everybody_is_in_a_round_equally_often(
        count in 3_u32..=10, seats in 3_u8..=5, cycles in 1_u32..=2,
    ) {
        prop_assume!(count >= u32::from(seats));
        let mut stage = stage(&Format::RoundRobin { seats, cycles }, count);
        let told = stage.total_meetings();
        let rounds = play(&mut stage, 0);
        let times = groups(&rounds);
        prop_assert_eq!(times.len(), combinations(&players(count), seats.into()).len());
        prop_assert!(times.values().all(|&times| times == cycles));
        prop_assert_eq!(told, times.values().map(|&times| u64::from(times)).sum::<u64>());
        for round in &rounds {
            let mut often = vec![0; count as usize];
            let seated = round.meetings.iter().flat_map(|meeting| &meeting.players);
            seated.for_each(|player| often[player.0 as usize - 1] += 1);
            prop_assert!(often.iter().all(|&times| times == often[0]), "{:?}", often);
        }
        prop_assert!(most_uneven(&rounds) <= 2, "{}", most_uneven(&rounds));
    }

    #[test]
    fn heroes_meet_everybody_else(
        count in 5_u32..=9, heroes in 1_u32..=2, seats in 2_u8..=4, cycles in 1_u32..=2, changes in changes(),
    ) {
        let format = Format::Gauntlet { heroes: players(heroes), seats, cycles };
        let course = run(&format, count, &changes, heroes, 0);
        let times = groups(&course.rounds);
        let others: Vec<BotNumber> = course.present.iter().copied().filter(|player| player.0 > heroes).collect();
        for group in combinations(&others, usize::from(seats) - 1) {
            for hero in players(heroes) {
                let table = [&[hero], group.as_slice()].concat();
                prop_assert_eq!(times.get(&table), Some(&cycles), "{:?}", table);
            }
        }
        let is_hero = |player: &&BotNumber| player.0 <= heroes;
        for (table, &times) in &times {
            prop_assert!(times <= cycles && table.iter().filter(is_hero).count() == 1);
        }
        prop_assert!(most_uneven(&course.rounds) <= 3, "{}", most_uneven(&course.rounds));
    }
}

#[test]
fn a_thousand_players_are_drawn_round_by_round() {
    let mut stage = stage(&Format::RoundRobin { seats: 2, cycles: 1 }, 1000);
    assert_eq!((stage.total_rounds(), stage.total_meetings()), (Some(999), 499_500));
    let meetings: usize = std::iter::from_fn(|| stage.next_round()).map(|round| round.meetings.len()).sum();
    assert_eq!(meetings, 499_500);
}
