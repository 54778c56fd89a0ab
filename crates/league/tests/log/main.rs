//! Whatever happens to a tournament on its way, its end depends on its plan and on what the matches brought alone.

mod damage;
mod deciders;
mod drops;
mod kept;
mod ladder;
mod plans;
mod ratings;
mod show;

use kept::Kept;
use palestra_core::Rng;
use palestra_league::event::Event;
use plans::any_plan;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use show::{Show, World};
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn neither_the_order_of_finishing_nor_the_number_of_workers_matters(
        (plan, bots) in any_plan(), seed in any::<u64>(),
    ) {
        let world = World::new(seed);
        let mut quiet = Show::open(&plan, bots, world.clone());
        quiet.play_in_order();
        let mut busy = Show::open(&plan, bots, world);
        busy.play(&mut Rng::new(seed), usize::MAX);
        prop_assert_eq!(quiet.end(), busy.end());
        prop_assert_eq!(quiet.matches(true), busy.matches(true), "and the numbers are the same");
    }

    #[test]
    fn a_tournament_that_was_killed_at_any_point_ends_like_one_that_was_not(
        (plan, bots) in any_plan(), seed in any::<u64>(),
    ) {
        let world = World::new(seed);
        let mut whole = Show::open(&plan, bots, world.clone());
        whole.play_in_order();
        let mut broken = Show::open(&plan, bots, world);
        let mut chaos = Rng::new(seed);
        while !broken.over() {
            let matches = chaos.between(1, 12) as usize;
            broken.play(&mut chaos, matches);
            // The last results are in the log, or are lost.
            if chaos.chance(1, 2) {
                broken.commit();
            }
            let before = broken.logged();
            broken.reopen();
            prop_assert_eq!(broken.progress().finished, before, "what the log has counts, once");
        }
        prop_assert_eq!(whole.end(), broken.end());
        prop_assert_eq!(whole.matches(true), broken.matches(true));
    }

    #[test]
    fn a_log_in_memory_is_as_good_as_one_in_a_folder((plan, bots) in any_plan(), seed in any::<u64>()) {
        let logs = [Kept::folder(), Kept::memory()];
        let course = logs.map(|log| {
            let mut show = Show::open_in(log, &plan, bots, World::new(seed));
            let mut chaos = Rng::new(seed);
            let mut course = Vec::new();
            while !show.over() {
                let matches = chaos.between(1, 30) as usize;
                show.play(&mut chaos, matches);
                show.commit();
                if let Some(picked) = show.pick(&mut chaos).filter(|_| chaos.chance(1, 8)) {
                    show.world.void(picked.key);
                    let why = "the lights went out".to_owned();
                    show.append(&[Event::Voided { number: picked.number, why }]);
                }
                show.reopen();
                course.push((show.so_far(), show.matches(true)));
            }
            course
        });
        prop_assert_eq!(&course[0], &course[1]);
    }

    #[test]
    fn how_it_stands_is_the_same_for_whoever_only_reads_the_log(
        (plan, bots) in any_plan(), seed in any::<u64>(), matches in 1_usize..40,
    ) {
        let mut show = Show::open(&plan, bots, World::new(seed));
        show.play(&mut Rng::new(seed), matches);
        show.look_for_more();
        show.commit();
        let standing = show.so_far();
        show.reopen();
        prop_assert_eq!(standing, show.so_far());
    }

    #[test]
    fn corrected_is_as_good_as_played_so_in_the_first_place(
        (plan, bots) in any_plan(), seed in any::<u64>(), corrections in 1_u32..6,
    ) {
        let mut chaos = Rng::new(seed);
        let mut corrected = Show::open(&plan, bots, World::new(seed));
        for _ in 0..corrections {
            // In the middle, or when everything has been played.
            let matches = if chaos.chance(1, 3) { usize::MAX } else { chaos.between(1, 30) as usize };
            corrected.play(&mut chaos, matches);
            corrected.commit();
            corrected.reopen();
            let Some(number) = corrected.pick(&mut chaos) else { continue };
            let events = match chaos.below(3) {
                0 => {
                    corrected.world.void(number.key.clone());
                    vec![Event::Voided { number: number.number, why: "the lights went out".to_owned() }]
                }
                // Taken out, and back in with another result.
                1 => {
                    corrected.world.change(number.key.clone());
                    vec![
                        Event::Voided { number: number.number, why: "the lights went out".to_owned() },
                        Event::Rerun { number: number.number },
                    ]
                }
                _ => {
                    corrected.world.change(number.key.clone());
                    vec![Event::Rerun { number: number.number }]
                }
            };
            corrected.append(&events);
            corrected.reopen();
        }
        corrected.play(&mut chaos, usize::MAX);
        let mut straight = Show::open(&plan, bots, corrected.world.clone());
        straight.play_in_order();
        prop_assert_eq!(straight.end(), corrected.end());
        prop_assert_eq!(straight.matches(false), corrected.matches(false));
    }

    #[test]
    fn taken_out_and_played_again_with_the_same_result_no_match_is_played_twice(
        (plan, bots) in any_plan(), seed in any::<u64>(),
    ) {
        let mut chaos = Rng::new(seed);
        let mut show = Show::open(&plan, bots, World::new(seed));
        show.play(&mut chaos, usize::MAX);
        show.commit();
        let (end, matches) = (show.end(), show.matches(true));
        let picked = show.pick(&mut chaos).expect("something was played");
        show.append(&[Event::Voided { number: picked.number, why: "the lights went out".to_owned() }]);
        show.reopen();
        show.play(&mut chaos, usize::MAX);
        show.append(&[Event::Rerun { number: picked.number }]);
        show.reopen();
        let before = show.attempts();
        show.play(&mut chaos, usize::MAX);
        show.commit();
        prop_assert_eq!((end, matches), (show.end(), show.matches(true)), "and the numbers are as before");
        prop_assert_eq!(show.attempts(), before + 1, "only what was to be played again");
    }

    #[test]
    fn what_a_stage_ended_with_is_what_the_next_one_begins_with(
        (plan, bots) in any_plan(), seed in any::<u64>(),
    ) {
        let mut show = Show::open(&plan, bots, World::new(seed));
        show.play_in_order();
        let end = show.end();
        for (index, stage) in plan.stages.iter().enumerate().skip(1) {
            let table = |index: usize| {
                let groups = end["stages"][index]["groups"].as_array().unwrap();
                groups.iter().map(|group| group.as_array().unwrap().clone()).collect::<Vec<_>>()
            };
            let before = table(index - 1);
            let [before] = &before[..] else { continue };
            let names = |lines: &[serde_json::Value]| {
                lines.iter().map(|line| line["bot"].as_u64().unwrap()).collect::<BTreeSet<_>>()
            };
            let took = before.len().min(stage.take.unwrap_or(u32::MAX) as usize);
            let goes_on: BTreeSet<u64> = table(index).iter().flat_map(|group| names(group)).collect();
            prop_assert_eq!(names(&before[..took]), goes_on, "stage {}", index);
        }
    }

    #[test]
    fn a_plan_that_has_changed_is_known_by_what_has((one, _) in any_plan(), (other, _) in any_plan(), keep in 0_u32..4) {
        // Plans that have much in common.
        let mut other = other;
        if keep < 3 {
            other.seed = one.seed;
        }
        if keep < 2 {
            other.stages.clone_from(&one.stages);
        }
        if keep == 1 {
            other.settings.push(("max_turns".to_owned(), "7".to_owned()));
        }
        prop_assert_eq!(one.differences(&other).is_empty(), one == other);
        other.drawing += 1;
        prop_assert_eq!(one.differences(&other).is_empty(), keep == 0);
    }

    #[test]
    fn who_comes_and_goes_does_so_however_often_it_is_killed_afterwards(
        (plan, bots) in any_plan(), seed in any::<u64>(), changes in 1_u32..4,
    ) {
        let mut chaos = Rng::new(seed);
        let mut whole = Show::open(&plan, bots, World::new(seed));
        for _ in 0..changes {
            let matches = chaos.between(1, 20) as usize;
            whole.play(&mut chaos, matches);
            whole.come_or_go(&mut chaos);
        }
        let mut broken = whole.copy();
        whole.play_in_order();
        while !broken.over() {
            let matches = chaos.between(1, 12) as usize;
            broken.play(&mut chaos, matches);
            broken.commit();
            broken.reopen();
        }
        prop_assert_eq!(whole.end(), broken.end());
        prop_assert_eq!(whole.matches(true), broken.matches(true));
    }

    #[test]
    fn a_rerun_that_brings_the_same_changes_nothing(
        (plan, bots) in any_plan(), seed in any::<u64>(), reruns in 1_u32..4,
    ) {
        let mut chaos = Rng::new(seed);
        let mut show = Show::open(&plan, bots, World::new(seed));
        show.play(&mut chaos, usize::MAX);
        show.commit();
        let end = show.end();
        for _ in 0..reruns {
            let picked = show.pick(&mut chaos).expect("something was played");
            show.append(&[Event::Rerun { number: picked.number }]);
            show.reopen();
            prop_assert!(!show.over(), "a match waits to be played again");
            show.play(&mut chaos, usize::MAX);
            show.commit();
        }
        prop_assert_eq!(end, show.end());
    }
}
