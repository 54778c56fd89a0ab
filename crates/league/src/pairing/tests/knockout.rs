//! Knockouts, whatever is played.

use super::super::{DecidedBy, Deciders, Decision, Origin, Part};
use super::{
    BotNumber, Change, Format, Meeting, MeetingResult, Pairing, PairingError, Points, Round, chance, changes,
    play_round, players, stage,
};
use palestra_core::Rng;
use proptest::prelude::*;
use std::collections::BTreeMap;

const SINGLE: Format = Format::Knockout { double: false, third_place: false };
const THIRD: Format = Format::Knockout { double: false, third_place: true };
const DOUBLE: Format = Format::Knockout { double: true, third_place: false };

/// Who won by this result: the points, the score, the better seed.
fn winner(meeting: &Meeting, result: &MeetingResult) -> BotNumber {
    let worth =
        |seat: usize| (result.points[seat], result.score[seat], std::cmp::Reverse(meeting.players[seat]));
    meeting.players[usize::from(worth(1) > worth(0))]
}

/// Plays to the end; losses by player.
fn losses(stage: &mut Pairing, seed: u64) -> (Vec<Round>, BTreeMap<BotNumber, u32>) {
    let mut rng = Rng::new(seed);
    let mut losses = BTreeMap::new();
    let mut rounds = Vec::new();
    while let Some(round) = stage.next_round() {
        let results: Vec<_> = round.meetings.iter().map(|meeting| chance(meeting, &mut rng)).collect();
        for (meeting, result) in round.meetings.iter().zip(&results) {
            let won = winner(meeting, result);
            let loser = *meeting.players.iter().find(|player| **player != won).unwrap();
            *losses.entry(loser).or_default() += 1;
        }
        stage.report(round.number, &results).unwrap();
        rounds.push(round);
    }
    (rounds, losses)
}

fn champions(stage: &Pairing) -> Vec<BotNumber> {
    let places = stage.places().unwrap();
    places.iter().filter(|(place, _)| *place == 1).map(|(_, player)| *player).collect()
}

proptest! {
    #[test]
    fn everybody_but_one_loses_once(count in 2_u32..=40, seed: u64) {
        let mut stage = stage(&SINGLE, count);
        let told = (stage.total_rounds(), stage.total_meetings());
        let (rounds, losses) = losses(&mut stage, seed);
        prop_assert_eq!(told, (Some(rounds.len() as u32), u64::from(count) - 1));
        prop_assert_eq!(champions(&stage).len(), 1);
        for player in players(count) {
            let expected = u32::from(champions(&stage) != [player]);
            prop_assert_eq!(losses.get(&player).copied().unwrap_or(0), expected);
        }
        let missing = count.next_power_of_two() - count;
        let mut byes = rounds[0].byes.clone();
        byes.sort_unstable();
        prop_assert_eq!(byes, players(missing));
        prop_assert!(rounds[1..].iter().all(|round| round.byes.is_empty()));
    }

    #[test]
    fn everybody_but_one_loses_twice(count in 2_u32..=40, seed: u64) {
        let mut stage = stage(&DOUBLE, count);
        let (rounds, losses) = losses(&mut stage, seed);
        let champion = champions(&stage);
        prop_assert_eq!(champion.len(), 1);
        let mut meetings = 0;
        for player in players(count) {
            let lost = losses.get(&player).copied().unwrap_or(0);
            let enough = if champion == [player] { lost <= 1 } else { lost == 2 };
            prop_assert!(enough, "{} lost {} times", player, lost);
            meetings += lost;
        }
        prop_assert_eq!(meetings as usize, rounds.iter().map(|round| round.meetings.len()).sum::<usize>());
        prop_assert!(rounds.len() as u32 <= stage.total_rounds().unwrap());
        prop_assert!(u64::from(meetings) <= stage.total_meetings());
        // Only somebody who lost, or a top seed in the first round, goes on without an opponent.
        let missing = count.next_power_of_two() - count;
        let mut lost: Vec<BotNumber> = Vec::new();
        for round in &rounds {
            for bye in &round.byes {
                prop_assert!(lost.contains(bye) || (round.number == 1 && bye.0 <= missing), "{:?}", round);
            }
            let seated: Vec<BotNumber> = round.meetings.iter().flat_map(|meeting| &meeting.players).copied().collect();
            prop_assert!(round.byes.iter().all(|bye| !seated.contains(bye)));
            lost.extend(seated);
        }
    }

    #[test]
    fn the_bracket_tells_the_same_as_the_rounds(count in 2_u32..=40, seed: u64, kind in 0_usize..3) {
        let format = &[SINGLE, THIRD, DOUBLE][kind];
        let mut stage = stage(format, count);
        prop_assert!(stage.bracket().is_empty());
        let (rounds, _) = losses(&mut stage, seed);
        let duels = stage.bracket();
        // Everybody comes from the field once.
        let mut field: Vec<BotNumber> = duels
            .iter()
            .flat_map(|duel| duel.sides)
            .filter(|side| side.from == Origin::Field)
            .map(|side| side.player.unwrap())
            .collect();
        field.sort_unstable();
        prop_assert_eq!(field, players(count));
        // Every meeting is a duel, with the same players; a duel without one has a side with nobody.
        let mut met = 0;
        for duel in &duels {
            let mut sides: Vec<BotNumber> = duel.sides.iter().filter_map(|side| side.player).collect();
            sides.sort_unstable();
            match duel.meeting {
                Some((round, place)) => {
                    let mut players = rounds[round as usize - 1].meetings[place].players.clone();
                    players.sort_unstable();
                    prop_assert_eq!(&sides, &players);
                    met += 1;
                }
                None => prop_assert!(duel.sides.iter().any(|side| side.from == Origin::Nobody)),
            }
            prop_assert_eq!(duel.winner.is_some(), !sides.is_empty());
            for side in duel.sides {
                match side.from {
                    Origin::Winner(before) => prop_assert_eq!(side.player, duels[before].winner),
                    Origin::Loser(before) => prop_assert!(side.player != duels[before].winner),
                    Origin::Nobody => prop_assert_eq!(side.player, None),
                    Origin::Field => {}
                }
            }
        }
        prop_assert_eq!(met, rounds.iter().map(|round| round.meetings.len()).sum::<usize>());
        let last = duels.iter().rfind(|duel| matches!(duel.part, Part::Final | Part::SecondFinal)).unwrap();
        prop_assert_eq!(last.winner, champions(&stage).first().copied());
        prop_assert_eq!(duels.iter().any(|duel| duel.part == Part::Lower), kind == 2 && count > 2);
    }

    #[test]
    fn places_follow_from_how_far_everybody_came(count in 4_u32..=33, seed: u64) {
        let mut stage = stage(&THIRD, count);
        let (rounds, _) = losses(&mut stage, seed);
        let places = stage.places().unwrap();
        prop_assert_eq!(places.iter().take(4).map(|(place, _)| *place).collect::<Vec<_>>(), [1, 2, 3, 4]);
        // The two of the last round play for the first and the third place.
        let last = &rounds[rounds.len() - 1];
        prop_assert_eq!(last.meetings.len(), if count == 3 { 1 } else { 2 });
        let place = |player: &BotNumber| places.iter().find(|(_, other)| other == player).unwrap().0;
        let mut played: Vec<Vec<u32>> =
            last.meetings.iter().map(|meeting| meeting.players.iter().map(place).collect()).collect();
        played.iter_mut().for_each(|places| places.sort_unstable());
        played.sort();
        prop_assert_eq!(played, [[1, 2], [3, 4]]);
        // Everybody else shares a place with those who were out in the same round.
        let half = count.next_power_of_two() / 2;
        let first_round_losers = places.iter().filter(|(place, _)| *place == half + 1).count();
        prop_assert_eq!(first_round_losers as u32, if half >= 4 { count - half } else { 1 });
    }

    #[test]
    fn there_is_one_winner_whoever_leaves(double: bool, count in 2_u32..=12, changes in changes(), seed: u64) {
        let mut stage = stage(if double { &DOUBLE } else { &SINGLE }, count);
        let mut rng = Rng::new(seed);
        let mut present = players(count);
        for change in changes {
            match change {
                Change::Round => drop(play_round(&mut stage, &mut rng)),
                Change::Leave(number) if present.len() > 1 => {
                    stage.drop(present.remove(number as usize % present.len())).unwrap();
                }
                _ => {}
            }
        }
        while play_round(&mut stage, &mut rng).is_some() {}
        prop_assert_eq!(champions(&stage).len(), 1);
    }
}

/// Plays to the end, the lower number wins.
fn favourites_win(stage: &mut Pairing) -> Vec<Round> {
    let mut rounds = Vec::new();
    while let Some(round) = stage.next_round() {
        let result = |_: &Meeting| MeetingResult {
            points: vec![Points::ZERO; 2],
            score: vec![Points::ZERO; 2],
            deciders: Deciders::default(),
        };
        let results: Vec<_> = round.meetings.iter().map(result).collect();
        stage.report(round.number, &results).unwrap();
        rounds.push(round);
    }
    rounds
}

fn pairs(round: &Round) -> Vec<(u32, u32)> {
    let ordered = |meeting: &Meeting| {
        let (one, other) = (meeting.players[0].0, meeting.players[1].0);
        (one.min(other), one.max(other))
    };
    round.meetings.iter().map(ordered).collect()
}

#[test]
fn seeds_meet_late() {
    let mut stage = stage(&THIRD, 8);
    let rounds = favourites_win(&mut stage);
    assert_eq!(pairs(&rounds[0]), [(1, 8), (4, 5), (2, 7), (3, 6)]);
    assert_eq!(pairs(&rounds[1]), [(1, 4), (2, 3)]);
    assert_eq!(pairs(&rounds[2]), [(1, 2), (3, 4)]);
    let places: Vec<(u32, u32)> =
        stage.places().unwrap().into_iter().map(|(place, player)| (place, player.0)).collect();
    assert_eq!(places, [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (5, 7), (5, 8)]);
}

#[test]
fn a_double_elimination_of_eight() {
    let mut stage = stage(&DOUBLE, 8);
    let rounds = favourites_win(&mut stage);
    let all: Vec<_> = rounds.iter().map(pairs).collect();
    assert_eq!(all[0], [(1, 8), (4, 5), (2, 7), (3, 6)]);
    assert_eq!(all[1], [(1, 4), (2, 3), (5, 8), (6, 7)]);
    // The losers of the half-finals come in from the other end: 5 meets 3, 6 meets 4.
    assert_eq!(all[2], [(1, 2), (3, 5), (4, 6)]);
    assert_eq!(all[3..], [vec![(3, 4)], vec![(2, 3)], vec![(1, 2)]]);
    let places: Vec<u32> = stage.places().unwrap().into_iter().map(|(place, _)| place).collect();
    assert_eq!(places, [1, 2, 3, 4, 5, 5, 7, 7]);
}

#[test]
fn the_grand_final_is_played_again_if_the_unbeaten_one_loses_it() {
    let mut stage = stage(&DOUBLE, 2);
    let wins = |player: u32, round: &Round| {
        let points: Vec<Points> = round.meetings[0]
            .players
            .iter()
            .map(|other| Points::whole(i32::from(other.0 == player)))
            .collect();
        vec![MeetingResult { score: points.clone(), points, deciders: Deciders::default() }]
    };
    for (number, player) in [(1, 1), (2, 2), (3, 2)] {
        let round = stage.next_round().unwrap();
        assert_eq!(round.number, number);
        stage.report(number, &wins(player, &round)).unwrap();
    }
    assert_eq!(stage.next_round(), None);
    assert_eq!(champions(&stage), [BotNumber(2)]);
}

#[test]
fn who_leaves_in_the_middle_of_a_duel_has_lost_it() {
    let mut stage = stage(&SINGLE, 4);
    let round = stage.next_round().unwrap();
    stage.drop(BotNumber(1)).unwrap();
    assert_eq!(stage.add(BotNumber(9)), Err(PairingError::Begun));
    let points: Vec<_> = round
        .meetings
        .iter()
        .map(|meeting| {
            let points: Vec<Points> =
                meeting.players.iter().map(|player| -Points::whole(player.0 as i32)).collect();
            MeetingResult { score: points.clone(), points, deciders: Deciders::default() }
        })
        .collect();
    stage.report(1, &points).unwrap();
    assert_eq!(pairs(&stage.next_round().unwrap()), [(2, 4)]);
}

#[test]
fn players_can_join_before_the_first_round() {
    let mut stage = stage(&SINGLE, 3);
    stage.add(BotNumber(9)).unwrap();
    assert_eq!(pairs(&stage.next_round().unwrap()), [(1, 9), (2, 3)]);
}

#[test]
fn a_duel_is_decided_by_the_first_thing_that_tells_the_two_apart() {
    let whole = |pair: [i32; 2]| pair.map(Points::whole).to_vec();
    let deciders = |matches: u32, points: [i32; 2]| Deciders { matches, points: whole(points) };
    let decided = |points: [i32; 2], score: [i32; 2], deciders: Deciders| {
        let mut stage = stage(&SINGLE, 2);
        let round = stage.next_round().unwrap();
        assert_eq!(round.meetings[0].players, players(2));
        stage.report(1, &[MeetingResult { points: whole(points), score: whole(score), deciders }]).unwrap();
        let duel = &stage.bracket()[0];
        (duel.winner.unwrap().0, duel.decision.unwrap())
    };
    let by = |by: DecidedBy, deciders: u32, numbers: [i32; 2]| Decision {
        by,
        deciders,
        numbers: Some(numbers.map(Points::whole)),
    };
    use DecidedBy::{Deciders as Further, Points as Planned, Score, Seed};
    assert_eq!(decided([1, 2], [9, 0], Deciders::default()), (2, by(Planned, 0, [2, 1])));
    assert_eq!(decided([1, 1], [9, 0], deciders(2, [0, 2])), (2, by(Further, 2, [2, 0])));
    assert_eq!(decided([1, 1], [4, 7], deciders(4, [2, 2])), (2, by(Score, 4, [7, 4])));
    assert_eq!(decided([1, 1], [7, 7], Deciders::default()), (1, by(Seed, 0, [1, 2])));
}
