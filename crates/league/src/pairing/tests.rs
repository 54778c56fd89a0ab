//! What pairings promise, whatever is played and whoever comes and goes.

mod knockout;
mod round_robin;
mod swiss;
mod tables;

use super::{BotNumber, Deciders, Format, Meeting, MeetingResult, Pairing, PairingError, Points, Round};
use palestra_core::Rng;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Players 1 to n.
fn players(count: u32) -> Vec<BotNumber> {
    (1..=count).map(BotNumber).collect()
}

fn stage(format: &Format, count: u32) -> Pairing {
    Pairing::new(format, &players(count), 7).unwrap()
}

/// A result by chance, draws included.
fn chance(meeting: &Meeting, rng: &mut Rng) -> MeetingResult {
    let mut draw = || meeting.players.iter().map(|_| Points(500 * i64::from(rng.below(3)))).collect();
    MeetingResult { points: draw(), score: draw(), deciders: Deciders::default() }
}

/// Draws a round and reports it, if it has to be.
fn play_round(stage: &mut Pairing, rng: &mut Rng) -> Option<Round> {
    let round = stage.next_round()?;
    if stage.needs_results() {
        let results: Vec<_> = round.meetings.iter().map(|meeting| chance(meeting, rng)).collect();
        stage.report(round.number, &results).unwrap();
    }
    Some(round)
}

fn play(stage: &mut Pairing, seed: u64) -> Vec<Round> {
    let mut rng = Rng::new(seed);
    std::iter::from_fn(|| play_round(stage, &mut rng)).collect()
}

/// Something that happens between two rounds.
#[derive(Clone, Copy, Debug)]
enum Change {
    Round,
    Join,
    /// Somebody, counted around.
    Leave(u32),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        6 => Just(Change::Round),
        1 => Just(Change::Join),
        1 => (0_u32..20).prop_map(Change::Leave),
    ];
    prop::collection::vec(change, 0..20)
}

/// A stage with people coming and going, played to its end.
struct Course {
    rounds: Vec<Round>,
    /// Those who are there at the end.
    present: BTreeSet<BotNumber>,
    joined: u32,
    left: u32,
}

fn run(format: &Format, count: u32, changes: &[Change], keep: u32, seed: u64) -> Course {
    let mut stage = stage(format, count);
    let mut rng = Rng::new(seed);
    let present = players(count).into_iter().collect();
    let mut course = Course { rounds: Vec::new(), present, joined: 0, left: 0 };
    for change in changes {
        match *change {
            Change::Round => course.rounds.extend(play_round(&mut stage, &mut rng)),
            Change::Join => {
                let newcomer = BotNumber(count + course.joined + 1);
                if stage.add(newcomer) != Err(PairingError::Begun) {
                    course.present.insert(newcomer);
                    course.joined += 1;
                }
            }
            Change::Leave(number) => {
                let leaver = BotNumber(number % (count + course.joined) + 1);
                if leaver.0 > keep && course.present.remove(&leaver) {
                    stage.drop(leaver).unwrap();
                    course.left += 1;
                }
            }
        }
    }
    course.rounds.extend(std::iter::from_fn(|| play_round(&mut stage, &mut rng)));
    assert_eq!(stage.next_round(), None);
    assert!(course.rounds.iter().zip(1..).all(|(round, number)| round.number == number));
    assert!(course.rounds.iter().all(|round| !round.meetings.is_empty()));
    course
}

/// How often every group of this size met.
fn groups(rounds: &[Round]) -> BTreeMap<Vec<BotNumber>, u32> {
    let mut groups = BTreeMap::new();
    for meeting in rounds.iter().flat_map(|round| &round.meetings) {
        let mut group = meeting.players.clone();
        group.sort_unstable();
        *groups.entry(group).or_default() += 1;
    }
    groups
}

/// For every player, the difference between the seat taken most often and the one taken least often.
fn unevenness(rounds: &[Round]) -> BTreeMap<BotNumber, u32> {
    let mut sat: BTreeMap<BotNumber, Vec<u32>> = BTreeMap::new();
    for meeting in rounds.iter().flat_map(|round| &round.meetings) {
        for (seat, player) in meeting.players.iter().enumerate() {
            sat.entry(*player).or_insert_with(|| vec![0; meeting.players.len()])[seat] += 1;
        }
    }
    let spread = |seats: Vec<u32>| seats.iter().max().unwrap() - seats.iter().min().unwrap();
    sat.into_iter().map(|(player, seats)| (player, spread(seats))).collect()
}

fn most_uneven(rounds: &[Round]) -> u32 {
    unevenness(rounds).into_values().max().unwrap_or(0)
}

fn formats() -> impl Strategy<Value = Format> {
    prop_oneof![
        (2_u8..=4, 1_u32..=2).prop_map(|(seats, cycles)| Format::RoundRobin { seats, cycles }),
        (2_u8..=4, 1_u32..=8).prop_map(|(seats, rounds)| Format::Tables { seats, rounds }),
        prop::option::of(1_u32..=8).prop_map(|rounds| Format::Swiss { rounds, bye: Points::whole(1) }),
        any::<bool>().prop_map(|double| Format::Knockout { double, third_place: !double }),
        (2_u8..=3).prop_map(|seats| Format::Gauntlet { heroes: players(2), seats, cycles: 1 }),
    ]
}

proptest! {
    #[test]
    fn the_same_calls_give_the_same_rounds(
        format in formats(), count in 4_u32..=9, changes in changes(), seed: u64,
    ) {
        let course = run(&format, count, &changes, 0, seed);
        let again = run(&format, count, &changes, 0, seed);
        prop_assert_eq!(course.rounds, again.rounds);
    }

    #[test]
    fn who_left_is_never_drawn_again(format in formats(), count in 4_u32..=9, after in 0_usize..6, seed: u64) {
        let mut stage = stage(&format, count);
        let mut rng = Rng::new(seed);
        (0..after).for_each(|_| { play_round(&mut stage, &mut rng); });
        let leaver = BotNumber(1 + (seed % u64::from(count)) as u32);
        stage.drop(leaver).unwrap();
        prop_assert_eq!(stage.drop(leaver), Err(PairingError::Unknown(leaver)));
        prop_assert!(stage.add(leaver).is_err());
        for round in std::iter::from_fn(|| play_round(&mut stage, &mut rng)) {
            prop_assert!(!round.byes.contains(&leaver));
            prop_assert!(round.meetings.iter().all(|meeting| !meeting.players.contains(&leaver)));
        }
    }
}

#[test]
fn a_round_waits_for_its_results() {
    let mut stage = stage(&Format::Swiss { rounds: None, bye: Points::whole(1) }, 4);
    let none = MeetingResult { points: vec![], score: vec![], deciders: Deciders::default() };
    assert_eq!(stage.report(1, &[]), Err(PairingError::NotAwaited { round: 1, awaited: None }));
    let round = stage.next_round().unwrap();
    assert_eq!(stage.next_round(), None);
    assert_eq!(stage.awaited(), Some(1));
    assert_eq!(stage.report(2, &[]), Err(PairingError::NotAwaited { round: 2, awaited: Some(1) }));
    assert_eq!(stage.report(1, &[none.clone(), none]), Err(PairingError::Results { round: 1, meetings: 2 }));
    let results: Vec<_> = round.meetings.iter().map(|meeting| chance(meeting, &mut Rng::new(1))).collect();
    stage.report(1, &results).unwrap();
    assert_eq!(stage.awaited(), None);
    assert_eq!(stage.next_round().unwrap().number, 2);
}

#[test]
fn errors_say_what_would_be_right() {
    let error = |format: Format, players: &[u32]| {
        let players: Vec<BotNumber> = players.iter().copied().map(BotNumber).collect();
        Pairing::new(&format, &players, 0).err().unwrap().to_string()
    };
    let robin = |seats, cycles| Format::RoundRobin { seats, cycles };
    assert_eq!(error(robin(4, 1), &[1, 2, 3]), "3 players are too few: this format needs at least 4");
    assert_eq!(error(robin(1, 1), &[1, 2]), "the number of seats is 1: it must be from 2 to 64");
    assert_eq!(error(robin(2, 0), &[1, 2]), "the number of cycles is 0: it must be from 1 to 10000");
    assert_eq!(error(robin(2, 1), &[1, 2, 1]), "player 1 takes part twice: list every player once");
    let many: Vec<u32> = (0..100).collect();
    assert!(
        error(robin(10, 1), &many).starts_with("that would be 17310309456440 meetings, more than 100000000:")
    );
    assert!(error(robin(50, 1), &many).starts_with("that would be 18446744073709551615 meetings"));
    let crowd: Vec<u32> = (0..10_001).collect();
    assert!(error(robin(2, 1), &crowd).starts_with("10001 players are too many"));
    let gauntlet = |heroes: &[u32]| Format::Gauntlet {
        heroes: heroes.iter().copied().map(BotNumber).collect(),
        seats: 2,
        cycles: 1,
    };
    assert!(error(gauntlet(&[]), &[1, 2]).starts_with("a gauntlet needs at least one hero"));
    assert_eq!(
        error(gauntlet(&[3]), &[1, 2]),
        "the hero player 3 does not take part: list it among the players"
    );
    assert_eq!(error(gauntlet(&[1, 2]), &[1, 2]), "2 players are too few: this format needs at least 3");
    let double = Format::Knockout { double: true, third_place: true };
    assert!(error(double, &[1, 2]).contains("leave third place out"));
    let swiss = Format::Swiss { rounds: Some(1000), bye: Points::ZERO };
    assert_eq!(error(swiss, &[1, 2]), "the number of rounds is 1000: it must be from 1 to 256");
}
