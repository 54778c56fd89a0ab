//! Swiss: checked against all pairings there are, where they can be counted.

use super::{
    BotNumber, Change, Deciders, Format, Meeting, MeetingResult, Pairing, Points, Round, chance, changes,
    play_round, players, stage, unevenness,
};
use palestra_core::Rng;
use proptest::prelude::*;
use std::collections::BTreeMap;

const SWISS: Format = Format::Swiss { rounds: Some(12), bye: Points::whole(1) };

type Met = BTreeMap<(BotNumber, BotNumber), u32>;

fn pair(meeting: &Meeting) -> (BotNumber, BotNumber) {
    let (one, other) = (meeting.players[0], meeting.players[1]);
    (one.min(other), one.max(other))
}

/// The fewest repeats that any pairing has, with a bye for one of those who may have it.
fn fewest_repeats(free: &[BotNumber], met: &Met, idle: &[BotNumber]) -> u32 {
    if free.len() % 2 == 1 {
        let without =
            |bye: &BotNumber| free.iter().copied().filter(|player| player != bye).collect::<Vec<_>>();
        return idle.iter().map(|bye| fewest_repeats(&without(bye), met, idle)).min().unwrap();
    }
    let Some((&one, rest)) = free.split_first() else { return 0 };
    let with = |place: usize| {
        let others = [&rest[..place], &rest[place + 1..]].concat();
        met.get(&(one, rest[place])).copied().unwrap_or(0) + fewest_repeats(&others, met, idle)
    };
    (0..rest.len()).map(with).min().unwrap()
}

proptest! {
    #[test]
    fn nobody_meets_twice_while_it_can_be_avoided(count in 2_u32..=8, changes in changes(), seed: u64) {
        let mut stage = stage(&SWISS, count);
        let mut rng = Rng::new(seed);
        let mut byes: BTreeMap<BotNumber, u32> = players(count).into_iter().map(|player| (player, 0)).collect();
        let mut met = Met::new();
        let mut joined = 0;
        for change in changes.into_iter().chain([Change::Round; 12]) {
            match change {
                Change::Join if byes.len() < 9 => {
                    joined += 1;
                    stage.add(BotNumber(count + joined)).unwrap();
                    let fewest = byes.values().min().copied().unwrap_or(0);
                    byes.insert(BotNumber(count + joined), fewest);
                }
                Change::Leave(number) if byes.len() > 2 => {
                    let leaver = *byes.keys().nth(number as usize % byes.len()).unwrap();
                    byes.remove(&leaver);
                    stage.drop(leaver).unwrap();
                }
                _ => {
                    let Some(round) = play_round(&mut stage, &mut rng) else { break };
                    let field: Vec<BotNumber> = byes.keys().copied().collect();
                    let fewest = byes.values().min().copied().unwrap();
                    let idle: Vec<BotNumber> = field.iter().copied().filter(|player| byes[player] == fewest).collect();
                    prop_assert_eq!(round.byes.len(), field.len() % 2);
                    prop_assert!(round.byes.iter().all(|player| idle.contains(player)));
                    let pairs: Vec<_> = round.meetings.iter().map(pair).collect();
                    let repeats: u32 = pairs.iter().filter_map(|pair| met.get(pair)).sum();
                    prop_assert_eq!(repeats, fewest_repeats(&field, &met, &idle));
                    let mut seated: Vec<BotNumber> = pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect();
                    seated.extend(&round.byes);
                    seated.sort_unstable();
                    prop_assert_eq!(seated, field);
                    pairs.into_iter().for_each(|pair| *met.entry(pair).or_default() += 1);
                    round.byes.iter().for_each(|player| *byes.get_mut(player).unwrap() += 1);
                }
            }
        }
    }

    #[test]
    fn seats_stay_even(count in 2_u32..=20, seed: u64) {
        let mut stage = stage(&Format::Swiss { rounds: Some(9), bye: Points::whole(1) }, count);
        let mut rng = Rng::new(seed);
        let rounds: Vec<Round> = std::iter::from_fn(|| play_round(&mut stage, &mut rng)).collect();
        prop_assert_eq!(rounds.len(), 9);
        let uneven = unevenness(&rounds).into_values().max().unwrap();
        prop_assert!(uneven <= 3, "{}", uneven);
    }
}

/// The favourite, who has the lower number, wins.
fn favourites_win(round: &Round) -> Vec<MeetingResult> {
    let points = |meeting: &Meeting| {
        let best = meeting.players.iter().min().unwrap();
        meeting.players.iter().map(|player| Points::whole(i32::from(player == best))).collect::<Vec<_>>()
    };
    round
        .meetings
        .iter()
        .map(|meeting| MeetingResult {
            points: points(meeting),
            score: points(meeting),
            deciders: Deciders::default(),
        })
        .collect()
}

fn pairs_of(stage: &mut Pairing) -> (Vec<(u32, u32)>, Vec<u32>) {
    let round = stage.next_round().unwrap();
    stage.report(round.number, &favourites_win(&round)).unwrap();
    let pairs = round.meetings.iter().map(pair).map(|(one, other)| (one.0, other.0)).collect();
    (pairs, round.byes.iter().map(|player| player.0).collect())
}

#[test]
fn the_upper_half_of_a_score_group_meets_the_lower_half() {
    let mut stage = stage(&Format::Swiss { rounds: None, bye: Points::whole(1) }, 8);
    assert_eq!(stage.total_rounds(), Some(3));
    assert_eq!(pairs_of(&mut stage).0, [(1, 5), (2, 6), (3, 7), (4, 8)]);
    let second = pairs_of(&mut stage).0;
    assert_eq!(
        second.iter().map(|&(one, other)| (one <= 4, other <= 4)).collect::<Vec<_>>(),
        [(true, true), (true, true), (false, false), (false, false)]
    );
    pairs_of(&mut stage);
    assert_eq!(stage.next_round(), None);
    let ledger = stage.ledger().unwrap();
    assert_eq!(ledger.points(BotNumber(1)), Points::whole(3));
    assert_eq!(ledger.wins(BotNumber(1)), 3);
    assert_eq!(ledger.buchholz(BotNumber(1)), ledger.sonneborn_berger(BotNumber(1)));
}

#[test]
fn the_lowest_without_a_bye_has_one() {
    let mut stage = stage(&SWISS, 7);
    let (pairs, byes) = pairs_of(&mut stage);
    assert_eq!((pairs, byes), (vec![(1, 4), (2, 5), (3, 6)], vec![7]));
    let (_, byes) = pairs_of(&mut stage);
    assert_eq!(byes, [6]);
}

#[test]
fn a_large_field_is_paired_in_sections_without_repeats() {
    for count in [300, 401] {
        let mut stage = stage(&SWISS, count);
        let first = stage.next_round().unwrap();
        let half = count / 2;
        assert!(first.meetings.iter().all(|meeting| pair(meeting).0.0 + half == pair(meeting).1.0));
        let mut rng = Rng::new(3);
        let results: Vec<_> = first.meetings.iter().map(|meeting| chance(meeting, &mut rng)).collect();
        stage.report(1, &results).unwrap();
        let mut met: Vec<_> = first.meetings.iter().map(pair).collect();
        let mut byes = first.byes;
        while let Some(round) = play_round(&mut stage, &mut rng) {
            met.extend(round.meetings.iter().map(pair));
            byes.extend(round.byes);
        }
        assert_eq!(met.len(), 12 * half as usize);
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), 12 * half as usize);
        byes.sort_unstable();
        byes.dedup();
        assert_eq!(byes.len(), if count % 2 == 1 { 12 } else { 0 });
    }
}

proptest! {
    #[test]
    fn the_bye_goes_to_the_last_who_had_none_unless_others_would_meet_again(half in 1_u32..=4, seed: u64) {
        let count = 2 * half + 1;
        let mut stage = stage(&SWISS, count);
        let mut rng = Rng::new(seed);
        let mut byes: BTreeMap<BotNumber, u32> = players(count).into_iter().map(|player| (player, 0)).collect();
        let mut met = Met::new();
        loop {
            let points = |player: &BotNumber| stage.ledger().unwrap().points(*player);
            let mut order = players(count);
            order.sort_by_key(|player| std::cmp::Reverse(points(player)));
            let fewest = byes.values().min().copied().unwrap();
            let last = order.iter().rfind(|player| byes[*player] == fewest).copied().unwrap();
            let Some(round) = play_round(&mut stage, &mut rng) else { break };
            let without: Vec<BotNumber> = players(count).into_iter().filter(|player| *player != last).collect();
            if fewest_repeats(&without, &met, &[]) == 0 {
                prop_assert_eq!(&round.byes, &[last]);
            }
            *byes.get_mut(&round.byes[0]).unwrap() += 1;
            round.meetings.iter().for_each(|meeting| *met.entry(pair(meeting)).or_default() += 1);
        }
    }
}

#[test]
fn points_that_were_carried_over_decide_who_meets() {
    let mut stage = stage(&SWISS, 4);
    let carried: Vec<(BotNumber, Points)> = players(4)
        .into_iter()
        .zip([9, 0, 9, 0])
        .map(|(player, points)| (player, Points::whole(points)))
        .collect();
    stage.carry(&carried);
    let round = stage.next_round().unwrap();
    let pairs: Vec<_> = round.meetings.iter().map(pair).collect();
    assert_eq!(pairs, [(BotNumber(1), BotNumber(3)), (BotNumber(2), BotNumber(4))]);
}
