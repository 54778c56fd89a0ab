//! Whoever is dropped plays no more, however often and whenever it is dropped; nothing that was played is lost for it.

use crate::plans::{any_plan, plan_of, stage_of};
use crate::show::{Show, World};
use palestra_core::Rng;
use palestra_league::event::Event;
use palestra_league::pairing::BotNumber;
use palestra_league::plan::{Format, TournamentPlan};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A tournament of one stage for each format.
fn plan(formats: &[Format]) -> TournamentPlan {
    plan_of(formats.iter().map(|format| stage_of(format.clone(), 2)).collect(), 1)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn whoever_is_dropped_plays_no_more_and_what_it_played_stays(
        (plan, bots) in any_plan(), seed in any::<u64>(), drops in 1_u32..10,
    ) {
        let mut chaos = Rng::new(seed);
        let mut show = Show::open(&plan, bots, World::new(seed));
        for _ in 0..drops {
            let matches = chaos.below(20) as usize;
            show.play(&mut chaos, matches);
            show.commit();
            show.reopen();
            show.commit();
            let (played, standing) = (show.matches(true), show.so_far());
            let bot = BotNumber(chaos.below(bots));
            let again = show.is_dropped(bot);
            show.drop(bot);
            prop_assert_eq!(&played, &show.matches(true));
            if again {
                prop_assert_eq!(standing, show.so_far(), "saying it again changes nothing");
            }
        }
        // Show looks that no match of a bot that was dropped is handed out.
        show.play(&mut chaos, usize::MAX);
        prop_assert!(show.over());
    }
}

#[test]
fn what_was_drawn_ahead_and_has_not_begun_is_drawn_again() {
    for format in [Format::RoundRobin { cycles: 2 }, Format::Tables { rounds: 12 }] {
        let mut show = Show::open(&plan(std::slice::from_ref(&format)), 4, World::new(1));
        show.look_for(1_000);
        show.commit();
        show.reopen();
        show.drop(BotNumber(2));
        show.play_in_order();
        let played = show.matches(false);
        assert!(!played.is_empty());
        assert!(!show.played(BotNumber(2)), "{format:?}: {played:#?}");
    }
}

#[test]
fn the_opponent_in_a_round_that_has_begun_has_a_bye() {
    let swiss = [Format::Swiss { rounds: Some(3) }];
    let mut show = Show::open(&plan(&swiss), 4, World::new(1));
    show.play(&mut Rng::new(1), 1);
    show.commit();
    show.reopen();
    let (absent, opponent) = show.waiting_pair();
    show.drop(absent);
    assert_eq!(show.points(opponent), 2.0, "a match won");
    assert!(!show.played(absent));
    show.play_in_order();
}

#[test]
fn in_a_duel_that_has_begun_the_opponent_goes_on() {
    let knockout = [Format::Knockout { double: false, third_place: false, deciders: None }];
    let mut show = Show::open(&plan(&knockout), 4, World::new(1));
    show.play(&mut Rng::new(1), 1);
    show.commit();
    show.reopen();
    let (absent, opponent) = show.waiting_pair();
    show.drop(absent);
    show.play_in_order();
    let standing = show.end()["standings"].clone();
    let best: Vec<_> = standing.as_array().unwrap().iter().take(2).map(|line| line["bot"].clone()).collect();
    assert!(best.contains(&opponent.0.into()), "it plays the final: {standing:#}");
}

#[test]
fn a_stage_with_one_bot_is_won_by_it_and_one_with_none_is_empty() {
    let formats = [
        Format::RoundRobin { cycles: 1 },
        Format::Tables { rounds: 2 },
        Format::Swiss { rounds: None },
        Format::Knockout { double: false, third_place: true, deciders: None },
        Format::Knockout { double: true, third_place: false, deciders: None },
        Format::Gauntlet { heroes: vec!["bot 0".to_owned()], cycles: 1 },
    ];
    for format in formats {
        for left in [1, 0] {
            let plan = plan(&[Format::RoundRobin { cycles: 1 }, format.clone()]);
            let mut show = Show::open(&plan, 3, World::new(1));
            show.play(&mut Rng::new(1), 2);
            show.commit();
            show.reopen();
            // All at once: with one left, it would be over.
            show.drop_all((left..3).map(BotNumber));
            show.play_in_order();
            let end = show.end();
            let winners = end["stages"][1]["groups"][0].as_array().unwrap().len();
            assert_eq!(winners, left as usize, "{format:?}: {end:#}");
            assert_eq!(end["standings"].as_array().unwrap().len(), 3);
            if left == 1 {
                assert_eq!(
                    (&end["standings"][0]["bot"], &end["standings"][0]["place"]),
                    (&0.into(), &1.into())
                );
            }
        }
    }
}

#[test]
fn somebody_who_joins_a_field_that_was_too_small_meets_whoever_was_left() {
    let mut show = Show::open(&plan(&[Format::RoundRobin { cycles: 1 }]), 2, World::new(1));
    show.drop(BotNumber(1));
    show.play_in_order();
    assert!(show.matches(false).is_empty());
    show.join();
    show.play_in_order();
    assert!(show.played(BotNumber(0)) && show.played(BotNumber(2)));
}

#[test]
fn a_match_of_somebody_who_was_dropped_is_played_again_if_the_organiser_wants_that() {
    let mut show = Show::open(&plan(&[Format::RoundRobin { cycles: 1 }]), 3, World::new(1));
    show.play_in_order();
    show.drop(BotNumber(1));
    let before = show.end();
    let number = show.number_of(BotNumber(1));
    show.append(&[Event::Rerun { number }]);
    show.reopen();
    assert!(!show.over());
    show.wanted.push(number);
    show.play_in_order();
    assert_eq!(show.end(), before);
}
