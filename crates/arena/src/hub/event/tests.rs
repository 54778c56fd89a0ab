//! An event without a store, a runtime or sockets: what matches do to programs, who is shown them when, and what begins.

use super::{Event, Participant, Proposal, Source, delay_of};
use crate::api::{EventState, MatchKind};
use crate::hub::challenges::tests::challenge;
use crate::hub::matches::Matches;
use crate::hub::outcome::{Effect, Outcome};
use crate::hub::programs::Programs;
use crate::hub::roster::tests::roster;
use crate::hub::schedule::Capacity;
use crate::hub::start::Ended;
use crate::hub::tests::event_plan;
use crate::hub::{Ticket, Wish};
use crate::ids::{AccountId, BotId, MatchId, RoundId, VersionId};
use crate::plan;
use crate::seeds::Seeds;
use crate::store::{BotRow, NewAccount, Store};
use palestra_core::AnyGame;
use palestra_server::SpectatorDelay;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

const ROOM: Capacity =
    Capacity { programs: 4, here: 4, places: 4, places_here: 4, workers: false, quarantine: false };

/// An event in which two players have a version on the ladder.
fn event(rounds: &str, suspects: &[VersionId]) -> Event {
    let plan = Arc::new(event_plan(rounds));
    let (seeds, matches) = (Seeds::new([1; 32], 1), Matches::new(1, MatchId(0), 0));
    let mut event = Event::new(plan, EventState::Open, seeds, matches, Programs::new(suspects.to_vec()));
    event.roster = roster(2);
    event.rounds.plan_missing(&event.plan.rounds, 0, &mut Outcome::default());
    event
}

fn ladder_match(event: &Event) -> Proposal {
    let bots = [BotId(1), BotId(2)];
    let seats = bots.map(|bot| event.roster.participant(bot, event.roster.source(bot).unwrap())).to_vec();
    Proposal { game: "rps".to_owned(), kind: MatchKind::Ladder, seats, round: None, apart: None }
}

fn fails(event: &mut Event, number: MatchId, out: &mut Outcome) {
    let now = Instant::now();
    event.end(Ended { number, report: Ok(Err("a test".to_owned())), at: now, replay: None }, now, out);
}

fn join(event: &mut Event, player: i64, wish: Wish, now: Instant, out: &mut Outcome) -> Ticket {
    let (player, bot) = (AccountId(player), BotId(player));
    let ticket = event.clients.join(player, "rps".to_owned(), bot, mpsc::channel(4).0, out).unwrap();
    event.clients.wish(ticket, wish);
    event.clients.free(ticket, now);
    ticket
}

fn kinds(event: &Event) -> Vec<MatchKind> {
    event.matches.running.values().map(|running| running.kind).collect()
}

#[tokio::test]
async fn versions_are_marked_in_the_store_from_the_beginning_of_a_match_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("data"), None).await.unwrap();
    for name in ["anna", "bela"] {
        let new = NewAccount { name: name.to_owned(), password: None, organiser: false };
        let player = store.add_account(new).await.unwrap().0.id;
        let bot = store.bot_of(player, "rps", None, 1500.0).await.unwrap();
        store.add_version(&bot, "bot.py", b"pass".to_vec()).await.unwrap();
    }
    let (mut event, mut out) = (event("", &[]), Outcome::default());
    let deaths = async || store.count_death().await.unwrap().iter().map(|s| s.deaths).collect::<Vec<_>>();
    let commit = async |out: &mut Outcome| {
        store.commit(&std::mem::take(out).changes).await.unwrap();
    };
    let [first, second] = [0, 1].map(|_| event.begin(ladder_match(&event), &mut out));
    commit(&mut out).await;
    assert_eq!(deaths().await, [1, 1], "both would be suspects");
    fails(&mut event, first, &mut out);
    commit(&mut out).await;
    store.begin_work(VersionId(1), false).await.unwrap();
    assert_eq!(deaths().await, [2, 1], "they play another match");
    fails(&mut event, second, &mut out);
    commit(&mut out).await;
    assert_eq!(deaths().await, [0; 0], "they have come through it");
    // Closing is no death.
    event.begin(ladder_match(&event), &mut out);
    commit(&mut out).await;
    store.close_work().await.unwrap();
    assert_eq!(deaths().await, [0; 0]);
}

#[test]
fn suspects_play_one_match_at_a_time_and_never_each_other() {
    let versions = [VersionId(1), VersionId(2)];
    let mut event = event("", &versions);
    let row =
        BotRow { id: BotId(3), built_in: Some("bot".to_owned()), ..event.roster.bots[&BotId(1)].row.clone() };
    event.roster.add_bot(BotRow { player: AccountId(3), active: None, ..row }, None);
    for _ in 0..20 {
        for _ in 0..5 {
            event.last_ladder.clear();
            event.schedule(ROOM, Instant::now(), &mut Outcome::default()).unwrap();
        }
        let programs = event.matches.running.values().map(|running| {
            running.seats.iter().filter(|seat| matches!(seat.source, Source::Version(..))).count()
        });
        let programs: Vec<usize> = programs.filter(|count| *count > 0).collect();
        assert!(programs.len() <= 1 && programs.iter().all(|count| *count == 1), "{programs:?}");
        let over: Vec<MatchId> = event.matches.running.keys().copied().collect();
        for number in over {
            fails(&mut event, number, &mut Outcome::default());
        }
        // They are no suspects any more once they have come through a match, which this test does not want.
        event.programs.suspects.extend(versions);
        event.roster.bots.values_mut().for_each(|entry| entry.broken = false);
    }
}

#[test]
fn a_scored_round_has_its_game_to_itself_and_who_does_not_come_loses() {
    let mut event = event("[[round]]\nname = 'a'\n", &[]);
    let (now, mut out) = (Instant::now(), Outcome::default());
    event.roster.bots.values_mut().for_each(|entry| entry.row.active = None);
    event.control_round(None, RoundId(1), crate::api::Control::Start, &mut out).unwrap();
    event.schedule(ROOM, now, &mut out).unwrap();
    let any = Wish { any: true, bot: true, players: Vec::new() };
    join(&mut event, 1, any, now, &mut out);
    event.schedule(ROOM, now + event.plan.grace / 2, &mut out).unwrap();
    assert!(kinds(&event).is_empty() && out.changes.matches.is_empty(), "the other one is waited for");
    event.schedule(ROOM, now + event.plan.grace, &mut out).unwrap();
    let forfeit = &out.changes.matches[0];
    assert_eq!(
        forfeit.seats.iter().map(|seat| (seat.bot.unwrap().0, seat.place)).collect::<Vec<_>>().iter().min(),
        Some(&(1, 1))
    );
    assert_eq!(forfeit.turns, 0);
    // The next time it is looked the round is over, and the client is given the bot.
    event.schedule(ROOM, now + event.plan.grace + event.plan.bot_after, &mut out).unwrap();
    assert_eq!(kinds(&event), [MatchKind::Practice]);
    event.count_points();
    assert!(event.roster.standings("rps", |_| true)[0].points > 0.0);
}

#[test]
fn challenges_wait_for_scored_rounds_make_room_for_them_and_share_with_the_ladder() {
    let mut event = event("[[round]]\nname = 'a'\n", &[]);
    let now = Instant::now();
    let one = Capacity { programs: 1, here: 1, places: 1, places_here: 1, ..ROOM };
    let schedule = |event: &mut Event, capacity: Capacity| {
        let mut out = Outcome::default();
        event.last_ladder.clear();
        event.schedule(capacity, now, &mut out).unwrap();
        out.effects.iter().any(|effect| matches!(effect, Effect::GiveWay))
    };
    let end_all = |event: &mut Event| {
        for number in event.matches.running.keys().copied().collect::<Vec<_>>() {
            fails(event, number, &mut Outcome::default());
        }
        event.roster.bots.values_mut().for_each(|entry| (entry.broken, entry.strikes) = (false, 0));
    };
    event.challenges.add(challenge(1, 1, 20), &mut Outcome::default());
    let mut begun = Vec::new();
    for _ in 0..2 {
        assert!(!schedule(&mut event, one));
        begun.extend(kinds(&event));
        end_all(&mut event);
    }
    assert_eq!(begun, [MatchKind::Challenge, MatchKind::Ladder], "where there is room for one, in turn");

    schedule(&mut event, one);
    assert_eq!(kinds(&event), [MatchKind::Challenge]);
    event.control_round(None, RoundId(1), crate::api::Control::Start, &mut Outcome::default()).unwrap();
    assert!(schedule(&mut event, Capacity { programs: 0, ..one }), "a scored match waits for its place");
    end_all(&mut event);
    schedule(&mut event, one);
    assert_eq!(kinds(&event), [MatchKind::Scored]);
    assert!(!schedule(&mut event, ROOM), "nothing is in the way");
    let scored = |kind: &MatchKind| *kind == MatchKind::Scored;
    assert!(kinds(&event).iter().all(scored), "there is room, but a round runs: {:?}", kinds(&event));
    // What made room has not failed, and is played when the round is over.
    let mut rounds = 0;
    while !kinds(&event).contains(&MatchKind::Challenge) && rounds < 10 {
        end_all(&mut event);
        schedule(&mut event, ROOM);
        rounds += 1;
    }
    assert!(rounds < 10, "{:?}", kinds(&event));
}

#[test]
fn nothing_begins_while_the_event_is_paused() {
    let mut event = event("", &[]);
    let mut out = Outcome::default();
    event.control(None, crate::api::Control::Pause, &mut out).unwrap();
    event.schedule(ROOM, Instant::now(), &mut out).unwrap();
    assert!(kinds(&event).is_empty());
    assert_eq!(out.changes.settings, [("state", "paused".to_owned())]);
    event.control(None, crate::api::Control::Resume, &mut out).unwrap();
    event.schedule(Capacity { quarantine: true, ..ROOM }, Instant::now(), &mut out).unwrap();
    assert!(kinds(&event).is_empty(), "no program plays beside a suspect that is tried");
    event.schedule(ROOM, Instant::now() + Duration::from_secs(60), &mut out).unwrap();
    assert_eq!(kinds(&event), [MatchKind::Ladder]);
}

#[test]
fn a_match_is_shown_late_if_somebody_in_it_could_look() {
    let find = |id: &str| -> Result<&'static dyn AnyGame, String> {
        Ok(if id == "auralux" { &palestra_auralux::Auralux } else { &palestra_generals::Generals })
    };
    let seat = |source: Source| Participant { player: None, bot: None, name: String::new(), source };
    let client = || seat(Source::Client(Ticket(1)));
    let program = || seat(Source::Version(VersionId(1), 1));
    let house = || seat(Source::BuiltIn("rest".to_owned()));
    for (sandbox, game, seats, late) in [
        ("strict", "generals", [client(), client()], true),
        ("strict", "generals", [client(), house()], true),
        ("strict", "generals", [program(), client()], true),
        ("strict", "generals", [program(), program()], false),
        ("auto", "generals", [program(), program()], true),
        ("off", "generals", [program(), house()], true),
        ("off", "generals", [house(), house()], false),
        ("off", "auralux", [client(), client()], false),
    ] {
        let text = format!("name = 'x'\nsandbox = '{sandbox}'\n[[game]]\nid = '{game}'\n");
        let plan = plan::parse(Path::new("event.toml"), &text, find).unwrap();
        let delay = delay_of(&plan, &plan.games[0], &seats);
        assert_eq!(delay, late.then_some(SpectatorDelay::UntilEnd), "{sandbox} {game}");
    }
}
