//! Two who are equal in a knockout play on, with seats swapped; if that does not help, a rule decides, and says so.

use crate::plans::{plan_of, stage_of};
use crate::show::{Show, World};
use palestra_league::event::Event;
use palestra_league::pairing::BotNumber;
use palestra_league::plan::{Format, TournamentPlan};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A knockout with one match to a meeting.
fn knockout(deciders: Option<u32>) -> TournamentPlan {
    plan_of(vec![stage_of(Format::Knockout { double: false, third_place: false, deciders }, 2)], 1)
}

fn bracket(end: &Value) -> Vec<Vec<Value>> {
    let rounds = end["stages"][0]["bracket"].as_array().unwrap();
    rounds.iter().map(|round| round.as_array().unwrap().clone()).collect()
}

/// Places and bots, in the order of the table.
fn table(end: &Value) -> Vec<(u64, u64)> {
    let number = |value: &Value| value.as_u64().unwrap();
    let lines = end["standings"].as_array().unwrap();
    lines.iter().map(|line| (number(&line["place"]), number(&line["bot"]))).collect()
}

/// Who met in the deciders that are part of the tournament, and who sat first in them.
fn deciders(show: &mut Show) -> Vec<(u64, u64)> {
    let lines = show.lines();
    let of_deciders = lines.into_iter().filter(|line| line.decider > 0);
    of_deciders.map(|line| (line.seats[0].bot as u64, line.seats[1].bot as u64)).collect()
}

#[test]
fn two_who_are_equal_play_on_with_seats_swapped_until_one_is_better() {
    // The first decider is level, too; in the second the first match is, and then the first seat wins.
    let mut show = Show::open(&knockout(None), 2, World::level_below(5));
    show.play_in_order();
    assert_eq!(deciders(&mut show), [(0, 1), (1, 0), (0, 1), (1, 0)]);
    let end = show.end();
    let meeting = &bracket(&end)[0][0];
    assert_eq!((&meeting["winner"], &meeting["points"]), (&json!(1), &json!([1.0, 1.0])));
    assert_eq!(meeting["decision"], json!({ "by": "deciders", "deciders": 4, "numbers": [5, 3] }));
    assert_eq!(table(&end), [(1, 1), (2, 0)], "the table follows the bracket");
    let line = &end["standings"][0];
    assert_eq!((&line["points"], &line["played"], &line["won"]), (&json!(1.0), &json!(5), &json!(1)));
}

#[test]
fn if_they_stay_equal_the_better_seed_goes_on_and_that_is_said() {
    let mut show = Show::open(&knockout(None), 4, World::level_below(u32::MAX));
    show.play_in_order();
    assert_eq!(deciders(&mut show).len(), 3 * 4, "as many as are allowed");
    let end = show.end();
    let decided: Vec<Value> =
        bracket(&end).concat().iter().map(|meeting| meeting["decision"].clone()).collect();
    let seed = |winner: u32, loser: u32| json!({ "by": "seed", "deciders": 4, "numbers": [winner, loser] });
    assert_eq!(decided, [seed(1, 4), seed(2, 3), seed(1, 2)]);
    assert_eq!(table(&end), [(1, 0), (2, 1), (3, 2), (3, 3)]);
    assert_eq!(
        (end["progress"]["finished"].clone(), end["progress"]["planned"].clone()),
        (json!(15), json!(15))
    );
}

#[test]
fn deciders_bring_no_points() {
    let mut show = Show::open(&knockout(None), 2, World::level_below(2));
    show.play_in_order();
    assert_eq!([show.points(BotNumber(0)), show.points(BotNumber(1))], [1.0, 1.0]);
}

#[test]
fn a_knockout_that_was_begun_without_deciders_goes_on_without_them() {
    let before = TournamentPlan { drawing: 2, ..knockout(None) };
    let stored = serde_json::to_value(&before).unwrap();
    assert_eq!(
        stored["stages"][0]["format"],
        json!({ "knockout": { "double": false, "third_place": false } })
    );
    for plan in [serde_json::from_value(stored).unwrap(), knockout(Some(0))] {
        let mut show = Show::open(&plan, 4, World::level_below(u32::MAX));
        show.play_in_order();
        assert!(deciders(&mut show).is_empty());
        assert_eq!(
            bracket(&show.end())[1][0]["decision"],
            json!({ "by": "seed", "deciders": 0, "numbers": [1, 2] })
        );
    }
    assert!(before.differences(&knockout(None)).is_empty(), "its file is still the same plan");
}

#[test]
fn stopped_in_the_middle_of_a_decider_it_goes_on_as_the_same_tournament() {
    for level_below in [5, 7, 9, u32::MAX] {
        let mut whole = Show::open(&knockout(Some(3)), 4, World::level_below(level_below));
        whole.play_in_order();
        let mut broken = Show::open(&knockout(Some(3)), 4, World::level_below(level_below));
        while !broken.over() {
            broken.play_one();
            broken.commit();
            broken.reopen();
        }
        assert_eq!(whole.end(), broken.end());
        assert_eq!(whole.matches(true), broken.matches(true));
        assert_eq!(whole.course(), broken.course(), "and no round was drawn twice");
    }
}

#[test]
fn who_leaves_in_the_middle_of_a_decider_has_lost() {
    let mut show = Show::open(&knockout(None), 2, World::level_below(u32::MAX));
    show.play_one();
    show.play_one();
    show.commit();
    show.reopen();
    show.drop(BotNumber(0));
    show.play_in_order();
    let meeting = &bracket(&show.end())[0][0];
    assert_eq!((&meeting["winner"], &meeting["decision"]["by"]), (&json!(1), &json!("absence")));
}

#[test]
fn a_correction_that_makes_a_meeting_equal_keeps_what_was_played_after_it() {
    let mut show = Show::open(&knockout(None), 4, World::level_below(1));
    show.play_in_order();
    let numbers = |show: &mut Show| show.lines().iter().map(|line| line.number).collect::<BTreeSet<u32>>();
    let (before, played, end) = (numbers(&mut show), show.attempts(), show.end());
    assert_eq!(before, BTreeSet::from([1, 2, 3]));
    show.append(&[Event::Voided { number: 1, why: "the lights went out".to_owned() }]);
    show.reopen();
    show.play_in_order();
    // The two who were at it play on, the first seat wins each time, and the better seed goes on as before.
    assert_eq!(deciders(&mut show).len(), 4);
    assert_eq!(show.attempts(), played + 4, "the final was not played again");
    assert_eq!(table(&show.end()), table(&end));
    // Once the match counts again, nobody has anything to decide.
    show.append(&[Event::Rerun { number: 1 }]);
    show.reopen();
    show.play_in_order();
    assert_eq!(numbers(&mut show), before);
    assert_eq!(show.end(), end);
}
