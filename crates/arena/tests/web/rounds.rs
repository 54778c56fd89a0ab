//! Scored rounds in every format: their pages, lists of them, and what they come to.

use crate::stand::Stand;
use axum::http::StatusCode;
use palestra_arena::api::{Control, RoundState};
use palestra_arena::ids::{MatchId, RoundId};
use palestra_arena::limits;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::{sleep, timeout};

const PATIENCE: Duration = Duration::from_secs(120);

const GAME: &str = "[[game]]\nid = 'rps'\nhouse = ['greedy', 'random']\nhouse_in_rounds = true\nsubmissions = false\n\
                    settings = { size = 6, first_unit_ticks = 2, max_ticks = 40, hold_ticks = 4 }\n";

const FORMATS: &str = "
[[round]]
name = 'Cup'
[[round.stage]]
name = 'Groups'
groups = 2
points = { win = 2, draw = 1 }
[[round.stage]]
name = 'Finals'
format = 'knockout'
third_place = true
take = 4
repeats = 2
seatings = 'drawn'

[[round]]
name = 'Swiss'
format = 'swiss'
rounds = 3
seatings = 'drawn'

[[round]]
name = 'Double'
format = 'double-knockout'
seatings = 'drawn'

[[round]]
name = 'Gauntlet'
format = 'gauntlet'
heroes = ['p1']
seatings = 'drawn'
";

const FIVE_MORE: [(&str, &str); 5] =
    [("p1", "greedy"), ("p2", "random"), ("p3", "greedy"), ("p4", "random"), ("p5", "greedy")];

/// Players of a round with all of them.
const ALL: usize = 7;

async fn state_of(stand: &Stand, round: u32) -> RoundState {
    stand.hub.round(RoundId(round)).await.expect("a round").round.state
}

async fn until(stand: &Stand, round: u32, wanted: RoundState) {
    let waited = timeout(PATIENCE, async {
        while state_of(stand, round).await != wanted {
            sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "round {round} does not become {wanted:?}");
}

async fn play(stand: &Stand, round: u32) -> Value {
    stand.hub.control(None, Some(RoundId(round)), Control::Start).await.unwrap();
    until(stand, round, RoundState::Over).await;
    stand.get(&format!("/api/rounds/{round}")).await.json()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}")) as usize
}

fn numbers(value: &Value) -> Vec<usize> {
    list(value).iter().map(number).collect()
}

fn meetings(stage: &Value) -> Vec<&Value> {
    list(&stage["rounds"]).iter().flat_map(|round| list(&round["meetings"])).collect()
}

/// Everything about a match of a round is what its own page says.
async fn check_matches(stand: &Stand, detail: &Value) {
    let bots: Vec<&Value> = list(&detail["players"]).iter().map(|player| &player["bot"]).collect();
    for meeting in list(&detail["stages"]).iter().flat_map(meetings) {
        let mut sums = vec![0.0; bots.len()];
        for game in list(&meeting["matches"]) {
            assert_eq!(game["state"], "finished");
            let info = stand.get(&format!("/api/matches/{}/info", game["id"])).await.json();
            assert_eq!((&info["round"], &info["kind"]), (&detail["round"]["id"], &json!("scored")));
            for (seat, (player, points)) in
                list(&info["seats"]).iter().zip(numbers(&game["players"]).iter().zip(list(&game["points"])))
            {
                // What a decider brings decides its meeting, and counts nowhere.
                let counted = if meeting["decider"] == 0 { points } else { &Value::Null };
                assert_eq!((&seat["bot"], &seat["points"]), (bots[*player], counted));
                sums[*player] += points.as_f64().unwrap();
            }
        }
        for (player, points) in numbers(&meeting["players"]).iter().zip(list(&meeting["points"])) {
            assert_eq!(points.as_f64().unwrap(), sums[*player]);
        }
    }
}

/// Who wins a duel goes on to where it leads, and who loses is out, or goes below.
fn check_bracket(stage: &Value, group: usize) -> &Vec<Value> {
    let duels = list(&stage["groups"][group]["bracket"]);
    for duel in duels {
        for side in list(&duel["sides"]) {
            if let Some(before) = side["winner_of"].as_u64() {
                assert_eq!(side["player"], duels[before as usize]["winner"]);
            }
            if let Some(before) = side["loser_of"].as_u64() {
                assert_ne!(side["player"], duels[before as usize]["winner"]);
            }
        }
        match duel["meeting"].as_array() {
            Some(place) => {
                let round = &stage["rounds"][number(&place[0]) - 1];
                assert_eq!(round["number"], place[0]);
                let mut players = numbers(&round["meetings"][number(&place[1])]["players"]);
                let mut sides: Vec<usize> =
                    list(&duel["sides"]).iter().map(|side| number(&side["player"])).collect();
                players.sort_unstable();
                sides.sort_unstable();
                assert_eq!(players, sides);
            }
            None => assert!(list(&duel["sides"]).iter().any(|side| side["nobody"] == true), "{duel}"),
        }
        assert_eq!(duel["winner"].is_null(), duel["decision"].is_null(), "{duel}");
    }
    duels
}

fn parts(duels: &[Value]) -> BTreeMap<&str, usize> {
    let mut parts = BTreeMap::new();
    for duel in duels.iter().filter(|duel| duel["meeting"].is_array()) {
        *parts.entry(duel["part"].as_str().unwrap()).or_default() += 1;
    }
    parts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_of_a_round_shows_its_stages() {
    let stand = Stand::of(&format!("{GAME}{FORMATS}"), &FIVE_MORE).await;
    let waiting = stand.get("/api/rounds/1").await.json();
    assert_eq!((&waiting["round"]["state"], &waiting["stages"]), (&json!("waiting"), &json!([])));
    assert_eq!(waiting["round"]["formats"], json!(["round-robin", "knockout"]));
    assert_eq!(stand.get("/api/rounds/9").await.status, StatusCode::NOT_FOUND);

    // Two groups of everybody against everybody, then the best two of each.
    let cup = play(&stand, 1).await;
    check_matches(&stand, &cup).await;
    let [groups, finals] = &list(&cup["stages"])[..] else { panic!("two stages: {cup}") };
    assert_eq!(
        (&groups["name"], &groups["format"], &groups["state"]),
        (&json!("Groups"), &json!("round-robin"), &json!("over"))
    );
    let tables: Vec<Vec<usize>> = list(&groups["groups"])
        .iter()
        .map(|group| list(&group["standings"]).iter().map(|line| number(&line["bot"])).collect())
        .collect();
    assert_eq!(tables.iter().map(Vec::len).collect::<Vec<_>>(), [3, 4]);
    for (group, table) in tables.iter().enumerate() {
        let of_group = meetings(groups).into_iter().filter(|meeting| number(&meeting["group"]) == group);
        let pairs: Vec<BTreeSet<usize>> =
            of_group.map(|meeting| numbers(&meeting["players"]).into_iter().collect()).collect();
        assert_eq!(pairs.len(), table.len() * (table.len() - 1) / 2);
        assert!(pairs.iter().flatten().all(|player| table.contains(player)));
        assert_eq!(pairs.iter().collect::<BTreeSet<_>>().len(), pairs.len(), "nobody meets twice");
    }
    let byes: usize = list(&groups["rounds"]).iter().map(|round| list(&round["byes"]).len()).sum();
    assert_eq!(byes, 3, "in the group of three somebody sits out every time");
    assert_eq!((&finals["format"], &finals["take"]), (&json!("knockout"), &json!(4)));
    let duels = check_bracket(finals, 0);
    assert_eq!(parts(duels), BTreeMap::from([("final", 1), ("third-place", 1), ("upper", 2)]));
    let went_on: BTreeSet<usize> =
        meetings(finals).iter().flat_map(|meeting| numbers(&meeting["players"])).collect();
    // The better ones of each group; those who are equal in everything share a place, so that a group may send one more.
    assert_eq!(went_on.len(), 4);
    let lines = list(&groups["groups"]).iter().flat_map(|group| list(&group["standings"]));
    let (in_finals, out): (Vec<&Value>, Vec<&Value>) =
        lines.partition(|line| went_on.contains(&number(&line["bot"])));
    let place = |line: &&Value| number(&line["place"]);
    assert!(in_finals.iter().map(place).max() <= out.iter().map(place).min(), "{groups}");
    assert!(meetings(finals).iter().all(|meeting| list(&meeting["matches"]).len() == 2));
    let last = duels.iter().find(|duel| duel["part"] == "final").unwrap();
    assert_eq!(cup["standings"][0]["bot"], last["winner"]);
    check_podium(&cup);
    assert_eq!(list(&cup["standings"]).len(), ALL, "those who did not go on stand behind");

    let swiss = play(&stand, 2).await;
    check_matches(&stand, &swiss).await;
    let stage = &swiss["stages"][0];
    assert_eq!((number(&stage["drawn"]), number(&stage["all"])), (3, 3));
    let pairs: BTreeSet<BTreeSet<usize>> =
        meetings(stage).iter().map(|meeting| numbers(&meeting["players"]).into_iter().collect()).collect();
    assert_eq!(pairs.len(), 9, "nobody meets twice");
    assert!(list(&stage["rounds"]).iter().all(|round| list(&round["byes"]).len() == 1));
    assert_eq!(stage["groups"][0]["bracket"], json!([]));

    let double = play(&stand, 3).await;
    check_matches(&stand, &double).await;
    let duels = check_bracket(&double["stages"][0], 0);
    let parts = parts(duels);
    assert_eq!((parts["upper"], parts["lower"], parts["final"]), (6, 5, 1));
    let last = duels.iter().rfind(|duel| duel["part"] == "final" || duel["part"] == "second-final").unwrap();
    assert_eq!(double["standings"][0]["bot"], last["winner"]);

    let gauntlet = play(&stand, 4).await;
    let hero = list(&gauntlet["players"]).iter().position(|player| player["name"] == "p1").unwrap();
    let all = meetings(&gauntlet["stages"][0]);
    assert_eq!(all.len(), ALL - 1);
    assert!(all.iter().all(|meeting| numbers(&meeting["players"]).contains(&hero)));
    check_points(&stand).await;
}

/// The first three of the table are named with the round.
fn check_podium(detail: &Value) {
    let best = list(&detail["standings"]).iter().filter(|line| number(&line["place"]) <= 3);
    let named = best.map(|line| {
        let player = &detail["players"][number(&line["bot"])];
        json!({ "place": line["place"], "bot": player["bot"], "name": player["name"] })
    });
    assert_eq!(detail["round"]["podium"], named.collect::<Value>());
}

/// Matches that end before anybody can do anything, level.
const EQUALS: &str = "[[game]]\nid = 'rps'\nhouse = ['greedy']\nhouse_in_rounds = true\nsubmissions = false\nsettings = { size = 6, max_ticks = 1 }\n\
                      [[round]]\nname = 'Cup'\nformat = 'knockout'\nseatings = 'drawn'\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_who_are_equal_play_on_and_what_decided_is_told() {
    let stand = Stand::of(EQUALS, &[("p1", "greedy"), ("p2", "greedy"), ("p3", "greedy")]).await;
    let cup = play(&stand, 1).await;
    check_matches(&stand, &cup).await;
    let stage = &cup["stages"][0];
    let duels = check_bracket(stage, 0);
    let decided: Vec<&Value> = duels.iter().map(|duel| &duel["decision"]).collect();
    let by_seed = |seeds: [f64; 2]| json!({ "by": "seed", "deciders": 4, "numbers": seeds });
    assert_eq!(decided, [&by_seed([1.0, 4.0]), &by_seed([2.0, 3.0]), &by_seed([1.0, 2.0])]);
    // One match as planned and two deciders of two matches for each duel.
    let deciders = meetings(stage).into_iter().filter(|meeting| meeting["decider"] != 0);
    assert_eq!(deciders.clone().count(), 3 * 2);
    for meeting in deciders {
        let seats: Vec<Vec<usize>> =
            list(&meeting["matches"]).iter().map(|game| numbers(&game["players"])).collect();
        assert_eq!(seats.len(), 2);
        assert_eq!(seats[0], seats[1].iter().rev().copied().collect::<Vec<_>>(), "seats are swapped");
    }
    let points: Vec<&Value> = list(&cup["standings"]).iter().map(|line| &line["points"]).collect();
    assert_eq!(points, [1.0, 1.0, 0.5, 0.5], "deciders bring none");
    check_podium(&cup);
    check_points(&stand).await;
}

const CUPS: u32 = 8;

fn by_points(duel: &Value) -> bool {
    duel["decision"]["by"] == "points"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_taken_out_of_a_knockout_that_is_over_lets_the_two_play_on() {
    const CUP: &str = "[[round]]\nname = 'Cup'\nformat = 'knockout'\nseatings = 'drawn'\n";
    let stand = Stand::of(&format!("{GAME}{}", CUP.repeat(CUPS as usize)), &FIVE_MORE).await;
    // There may be a cup in which everybody is as good as the other.
    let mut cups = 1..=CUPS;
    let (number_of_cup, cup) = loop {
        let number = cups.next().expect("somebody was better");
        let cup = play(&stand, number).await;
        if list(&cup["stages"][0]["groups"][0]["bracket"]).iter().any(by_points) {
            break (number, cup);
        }
    };
    let clear =
        check_bracket(&cup["stages"][0], 0).iter().rfind(|duel| by_points(duel)).expect("it was found");
    let (round, place) = (number(&clear["meeting"][0]) - 1, number(&clear["meeting"][1]));
    let meetings = |detail: &Value| list(&detail["stages"][0]["rounds"][round]["meetings"]).clone();
    let planned = &meetings(&cup)[place];
    let plays_on = |detail: &Value| {
        let decides = |meeting: &Value| meeting["decider"] != 0 && meeting["players"] == planned["players"];
        meetings(detail).iter().any(decides)
    };
    assert!(!plays_on(&cup));
    let id = planned["matches"][0]["id"].as_i64().unwrap();
    stand.hub.void(None, MatchId(id), "a test".to_owned()).await.unwrap();
    let waited = timeout(PATIENCE, async {
        loop {
            let detail = stand.get(&format!("/api/rounds/{number_of_cup}")).await.json();
            if detail["round"]["state"] == "over" && plays_on(&detail) {
                return detail;
            }
            sleep(Duration::from_millis(20)).await;
        }
    });
    let again = waited.await.expect("the two play on");
    check_bracket(&again["stages"][0], 0);
    check_podium(&again);
    check_points(&stand).await;
}

/// The points of the event are those of all stages of all rounds.
async fn check_points(stand: &Stand) {
    let mut expected: BTreeMap<i64, f64> = BTreeMap::new();
    for round in list(&stand.get("/api/rounds").await.json()["rounds"]) {
        let detail = stand.get(&format!("/api/rounds/{}", round["id"])).await.json();
        for line in list(&detail["stages"])
            .iter()
            .flat_map(|stage| list(&stage["groups"]))
            .flat_map(|group| list(&group["standings"]))
        {
            let bot = detail["players"][number(&line["bot"])]["bot"].as_i64().unwrap();
            *expected.entry(bot).or_default() += line["points"].as_f64().unwrap();
        }
    }
    let as_expected = |lines: &Value| {
        list(lines).iter().all(|line| {
            let bot = line["bot"].as_i64().unwrap();
            line["points"].as_f64() == Some(expected.get(&bot).copied().unwrap_or_default())
        })
    };
    // The standings follow within a moment.
    let waited = timeout(PATIENCE, async {
        while !as_expected(&stand.get("/api/games/rps/standings").await.json()) {
            sleep(Duration::from_millis(20)).await;
        }
    });
    let standings = stand.get("/api/games/rps/standings").await.json();
    assert!(waited.await.is_ok(), "{expected:?} {standings}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_corrected_shows_on_the_page() {
    let stand = Stand::of(&format!("{GAME}{FORMATS}"), &FIVE_MORE).await;
    let states = |detail: &Value| -> Vec<(i64, String)> {
        let matches =
            meetings(&detail["stages"][0]).into_iter().flat_map(|meeting| list(&meeting["matches"]));
        matches
            .map(|game| (game["id"].as_i64().unwrap_or(0), game["state"].as_str().unwrap().to_owned()))
            .collect()
    };
    let before = play(&stand, 2).await;
    let [(first, _), ..] = states(&before)[..] else { panic!("matches") };
    stand.hub.void(None, MatchId(first), "a test".to_owned()).await.unwrap();
    let detail = stand.get("/api/rounds/2").await.json();
    assert_eq!(states(&detail)[0], (first, "void".to_owned()));
    assert_eq!(meetings(&detail["stages"][0])[0]["matches"][0]["points"], json!([]), "it does not count");
    let meeting = meetings(&detail["stages"][0])[0];
    assert_eq!(list(&meeting["points"]).iter().filter_map(Value::as_f64).sum::<f64>(), 0.0);
    // Later rounds may be drawn anew, and are played.
    stand.hub.rerun(None, MatchId(first), "after all".to_owned()).await.unwrap();
    until(&stand, 2, RoundState::Over).await;
    let detail = stand.get("/api/rounds/2").await.json();
    assert!(states(&detail).iter().all(|(id, state)| *id > 0 && *id != first && state == "finished"));
    check_matches(&stand, &detail).await;
    check_points(&stand).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_of_long_ago_can_be_looked_at_and_corrected() {
    const ROUNDS: usize = limits::SHOWN_ROUNDS + 4;
    let round = |round: usize| {
        let start = if round > 1 { "start = 'next'\n" } else { "" };
        format!("[[round]]\nname = 'r{round}'\n{start}seatings = 'drawn'\n")
    };
    let rounds: String = (1..=ROUNDS).map(round).collect();
    let stand = Stand::of(&format!("{GAME}{rounds}"), &[("p1", "greedy")]).await;
    stand.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    until(&stand, ROUNDS as u32, RoundState::Over).await;
    let list = stand.get("/api/rounds").await.json();
    assert!(
        list["rounds"].as_array().unwrap().iter().all(|round| round["progress"] == json!([3, 3])),
        "{list}"
    );
    let detail = stand.get("/api/rounds/1").await.json();
    check_matches(&stand, &detail).await;
    check_points(&stand).await;
    let id = meetings(&detail["stages"][0])[0]["matches"][0]["id"].as_i64().unwrap();
    stand.hub.void(None, MatchId(id), "a test".to_owned()).await.unwrap();
    let detail = stand.get("/api/rounds/1").await.json();
    assert_eq!(meetings(&detail["stages"][0])[0]["matches"][0]["state"], "void");
    check_points(&stand).await;
    stand.hub.rerun(None, MatchId(id), "after all".to_owned()).await.unwrap();
    until(&stand, 1, RoundState::Over).await;
    check_matches(&stand, &stand.get("/api/rounds/1").await.json()).await;
    check_points(&stand).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_rounds_do_not_grow() {
    const ROUNDS: usize = limits::SHOWN_ROUNDS + 5;
    let rounds: String = (1..=ROUNDS).map(|round| format!("[[round]]\nname = 'r{round}'\n")).collect();
    let stand = Stand::of(&format!("{GAME}{rounds}"), &[]).await;
    let ids = |list: &Value| -> Vec<usize> {
        list["rounds"].as_array().unwrap().iter().map(|round| number(&round["id"])).collect()
    };
    assert_eq!(ids(&stand.get("/api/live").await.json()).len(), ROUNDS, "all are to come");
    for round in 2..=ROUNDS {
        stand.hub.control(None, Some(RoundId(round as u32)), Control::Close).await.unwrap();
    }
    let shown: Vec<usize> = std::iter::once(1).chain(ROUNDS - limits::SHOWN_ROUNDS + 1..=ROUNDS).collect();
    let waited = timeout(PATIENCE, async {
        while ids(&stand.get("/api/live").await.json()) != shown {
            sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "{:?}", ids(&stand.get("/api/live").await.json()));
    assert_eq!(ids(&stand.get("/api/event").await.json()), shown);

    // All of them, page by page.
    let (mut all, mut before) = (Vec::new(), String::new());
    loop {
        let page = stand.get(&format!("/api/rounds?limit=4{before}")).await.json();
        all.extend(ids(&page));
        match page["older"].as_u64() {
            Some(older) => before = format!("&before={older}"),
            None => break,
        }
    }
    assert_eq!(all, (1..=ROUNDS).rev().collect::<Vec<_>>());
    assert_eq!(ids(&stand.get("/api/rounds?game=chess").await.json()), [] as [usize; 0]);
    for wrong in ["before=-1", "before=x", "limit=many"] {
        let answer = stand.get(&format!("/api/rounds?{wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_says_how_many_matches_are_played() {
    let names: Vec<String> = (1..=10).map(|player| format!("p{player}")).collect();
    let players: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "random")).collect();
    let game = format!("{GAME}pace = '1s'\n[[round]]\nname = 'Everybody'\nseatings = 'drawn'\n");
    let stand = Stand::of(&game, &players).await;
    stand.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    // Twelve players meet in 66 matches, more than a snapshot shows; one of the ladder may have begun before.
    let waited = timeout(PATIENCE, async {
        while stand.get("/api/live").await.json()["running"].as_u64() < Some(66) {
            sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "{}", stand.get("/api/live").await.json()["running"]);
    let live = stand.get("/api/live").await.json();
    assert_eq!(stand.get("/api/event").await.json()["games"][0]["live"], live["running"]);
    assert_eq!(list(&live["matches"]).len(), limits::SHOWN_RUNNING);
    let detail = stand.get("/api/rounds/1").await.json();
    let running = meetings(&detail["stages"][0]).into_iter().flat_map(|meeting| list(&meeting["matches"]));
    let running: Vec<&Value> = running.collect();
    assert!(running.iter().all(|game| game["state"] == "running" && game["id"].is_number()), "{running:?}");
}
