//! Challenges at real sockets, with programs that were handed in: what is asked for, refused, played and told.

use crate::clients::{Open, Said};
use palestra_arena::api::Control;
use palestra_arena::limits;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::time::{sleep, timeout};

const PATIENCE: Duration = Duration::from_secs(300);

/// Short matches, and one of the ladder alone.
const PLAN: &str =
    "[[game]]\nid = 'generals'\nmaps = ['duel']\nsettings = { max_turns = 20 }\npause = '1h'\n";

fn kit() -> Vec<u8> {
    let file = "../../games/generals/kits/python/generals.py";
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

async fn until<T>(what: &str, mut there: impl AsyncFnMut() -> Option<T>) -> T {
    let waited = timeout(PATIENCE, async {
        loop {
            if let Some(found) = there().await {
                return found;
            }
            sleep(Duration::from_millis(50)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("{what} in time"))
}

/// Hands something in; says the number of the version.
async fn hand_in(open: &Open, key: &str, content: &[u8]) -> i64 {
    let said = open.upload(key, "/api/games/generals/versions?file=bot.py", content).await;
    said.json()["id"].as_i64().unwrap_or_else(|| panic!("{}", said.json()))
}

async fn ready(open: &Open, key: &str, version: i64) {
    until("a version", async || {
        let view = open.get(Some(key), &format!("/api/versions/{version}")).await.json();
        assert_ne!(view["state"], "rejected", "{view}");
        (view["state"] == "ready").then_some(())
    })
    .await;
}

async fn bot_of(open: &Open, name: &str) -> i64 {
    until("a bot", async || {
        let lines = open.get(None, "/api/games/generals/standings").await.json();
        lines.as_array()?.iter().find(|line| line["name"] == name)?["bot"].as_i64()
    })
    .await
}

/// Waits for the one match of the ladder; how everybody stands then.
async fn settled(open: &Open) -> Vec<Value> {
    until("a match of the ladder", async || {
        let lines = open.get(None, "/api/games/generals/standings").await.json();
        let lines: Vec<Value> =
            lines.as_array()?.iter().map(|line| json!([line["bot"], line["elo"], line["played"]])).collect();
        (lines.len() == 2 && lines.iter().all(|line| line[2] == 1)).then_some(lines)
    })
    .await
}

async fn challenge(open: &Open, key: &str, opponent: Value, matches: u32) -> Said {
    let wanted = json!({ "game": "generals", "opponent": opponent, "matches": matches });
    open.post(Some(key), "/api/challenges", wanted).await
}

fn refusal(said: &Said) -> String {
    assert!((400..500).contains(&said.status), "{}", said.json());
    said.json()["error"].as_str().unwrap().to_owned()
}

/// Waits until a challenge is over; its report.
async fn report(open: &Open, key: &str, id: i64) -> Value {
    until("a report", async || {
        let said = open.get(Some(key), &format!("/api/challenges/{id}")).await.json();
        (said["challenge"]["state"] != "open").then_some(said)
    })
    .await
}

#[tokio::test]
async fn a_version_plays_whom_it_likes_and_its_author_gets_a_report() {
    let open = Open::of(&format!("sandbox = 'off'\nreplays = 'own'\n{PLAN}house = ['random']\n")).await;
    let (anna, carla) = (open.account("anna", false).await, open.account("carla", false).await);
    let first = hand_in(&open, &anna, &kit()).await;
    ready(&open, &anna, first).await;
    let house = bot_of(&open, "random").await;
    let before = settled(&open).await;
    let said = challenge(&open, &anna, json!({ "bot": house }), 3).await;
    let view = said.json();
    assert_eq!((said.status, &view["state"], &view["matches"]), (200, &"open".into(), &3.into()), "{view}");
    assert!(view["turn"].is_object(), "{view}");
    let id = view["id"].as_i64().unwrap();
    let told = report(&open, &anna, id).await;
    let result = &told["challenge"]["result"];
    assert_eq!((&told["challenge"]["state"], &result["played"]), (&"over".into(), &3.into()));
    let counts = ["won", "drawn", "lost"].map(|how| result[how].as_u64().unwrap());
    assert_eq!(counts.iter().sum::<u64>(), 3);
    let seats: Vec<u64> = result["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| ["won", "drawn", "lost"].map(|how| seat[how].as_u64().unwrap()).iter().sum())
        .collect();
    assert_eq!(seats, [2, 1], "the seats are exchanged");
    let share: Vec<f64> =
        result["share"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap()).collect();
    assert!(share[1] <= share[0] && share[0] <= share[2] && share[2] > share[1], "{share:?}");

    // Matches in which the seats are exchanged are on the same map with the same seed.
    let matches = told["matches"].as_array().unwrap();
    let mut seeds = Vec::new();
    for view in matches {
        let number = view["id"].as_i64().unwrap();
        assert_eq!(
            (&view["kind"], &view["challenge"], &view["seats"][0]["elo"]),
            (&"challenge".into(), &id.into(), &Value::Null)
        );
        let head = open.get(Some(&anna), &format!("/api/matches/{number}")).await;
        seeds.push(head.json()["seed"].clone());
        // Whose eyes: the rights are those of any other match.
        assert_eq!(open.get(Some(&carla), &format!("/api/matches/{number}")).await.status, 403);
        assert_eq!(open.get(None, &format!("/api/matches/{number}/replay")).await.status, 403);
    }
    assert_eq!((seeds[0] == seeds[1], seeds[1] == seeds[2]), (true, false));
    assert_eq!(open.get(Some(&carla), &format!("/api/challenges/{id}")).await.status, 404);
    assert_eq!(open.get(None, &format!("/api/challenges/{id}")).await.status, 401);
    // It moved nothing and is in no list of the event's.
    assert_eq!(settled(&open).await, before);
    let list = open.get(Some(&anna), "/api/matches?kind=ladder").await.json();
    let all = open.get(Some(&anna), "/api/matches").await.json();
    let listed = |list: &Value| list["matches"].as_array().unwrap().len();
    assert_eq!((listed(&list), listed(&all)), (1, 1));

    // Against an older version of one's own.
    let second = hand_in(&open, &anna, &[&kit()[..], b"\n# second\n"].concat()).await;
    ready(&open, &anna, second).await;
    let said = challenge(&open, &anna, json!({ "version": first }), 2).await;
    assert_eq!(said.status, 200, "{}", said.json());
    let told = report(&open, &anna, said.json()["id"].as_i64().unwrap()).await;
    let sides: Vec<_> =
        told["challenge"]["sides"].as_array().unwrap().iter().map(|side| side["version"].clone()).collect();
    assert_eq!(sides, [json!(2), json!(1)]);
    assert_eq!(told["challenge"]["result"]["played"], 2, "{told}");
    let of_mine = open.get(Some(&anna), "/api/challenges").await.json();
    assert_eq!(of_mine.as_array().unwrap().len(), 2);
    assert_eq!(open.get(Some(&carla), "/api/challenges").await.json(), json!([]));
}

#[tokio::test]
async fn a_rated_challenge_moves_ratings_and_can_be_voided() {
    let open = Open::of(&format!("sandbox = 'off'\nchallenges = 'rated'\n{PLAN}house = ['rest']\n")).await;
    let anna = open.account("anna", false).await;
    let version = hand_in(&open, &anna, &kit()).await;
    ready(&open, &anna, version).await;
    let (house, own) = (bot_of(&open, "rest").await, bot_of(&open, "anna").await);
    let before = settled(&open).await;
    let said = challenge(&open, &anna, json!({ "bot": house }), 1).await;
    let told = report(&open, &anna, said.json()["id"].as_i64().unwrap()).await;
    assert!(told["matches"][0]["seats"][0]["elo"].is_array(), "{told}");
    let met = async || {
        let bot = open.get(None, &format!("/api/bots/{own}")).await.json();
        let line = &bot["opponents"][0];
        ["won", "drawn", "lost"].map(|how| line[how].as_u64().unwrap()).iter().sum::<u64>()
    };
    assert_eq!(met().await, 2);
    let number = told["matches"][0]["id"].as_i64().unwrap();
    open.hub().void(None, palestra_arena::ids::MatchId(number), "a test".to_owned()).await.unwrap();
    assert_eq!(met().await, 1);
    assert_eq!(settled(&open).await, before, "everything is as it was");
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_with_a_sentence() {
    let open = Open::of(&format!("sandbox = 'off'\n{PLAN}house = ['random']\n")).await;
    let (anna, bela) = (open.account("anna", false).await, open.account("bela", false).await);
    let house = bot_of(&open, "random").await;
    let said = challenge(&open, &anna, json!({ "bot": house }), 1).await;
    assert!(refusal(&said).contains("no version that can play"), "{}", said.json());
    let mine = hand_in(&open, &anna, &kit()).await;
    // It sleeps in its first match until that is broken off.
    let slow = b"import time\ntime.sleep(1000)\n".to_vec();
    ready(&open, &anna, mine).await;
    let waiting = hand_in(&open, &bela, &slow).await;
    let opponent = open.get(Some(&bela), "/api/me/bots").await.json()[0]["id"].as_i64().unwrap();
    for (key, opponent, matches, sentence) in [
        (&anna, json!({ "bot": opponent }), 1, "bela has not been tried yet"),
        (&anna, json!({ "bot": 4711 }), 1, "no such opponent"),
        (&anna, json!({ "bot": bot_of(&open, "anna").await }), 1, "your own bot"),
        (&anna, json!({ "version": mine }), 1, "does not play itself"),
        (&anna, json!({ "version": waiting }), 1, "no version 2 of yours"),
        (&anna, json!({ "bot": house }), 0, "1 to 20 matches"),
        (&anna, json!({ "bot": house }), 21, "1 to 20 matches"),
    ] {
        let said = challenge(&open, key, opponent, matches).await;
        assert!(refusal(&said).contains(sentence), "{}", said.json());
    }
    let wanted = json!({ "game": "chess", "opponent": { "bot": house }, "matches": 1 });
    assert!(refusal(&open.post(Some(&anna), "/api/challenges", wanted).await).contains("no game \"chess\""));
    assert_eq!(challenge(&open, "nobody", json!({ "bot": house }), 1).await.status, 401);

    // So many of one player wait; while the event is paused none of them begins.
    open.hub().control(None, None, Control::Pause).await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..limits::CHALLENGES_OF_PLAYER {
        ids.push(challenge(&open, &anna, json!({ "bot": house }), 20).await.json()["id"].as_i64().unwrap());
    }
    let said = challenge(&open, &anna, json!({ "bot": house }), 1).await;
    assert!(refusal(&said).contains("take it back"), "{}", said.json());
    let view = open.get(Some(&anna), &format!("/api/challenges/{}", ids[1])).await.json();
    assert_eq!(view["challenge"]["turn"], json!({ "ahead": 1, "running": null }));
    let address = format!("/api/challenges/{}", ids[0]);
    assert_eq!(open.delete(Some(&bela), &address).await.status, 404, "it is none of hers");
    assert_eq!(open.delete(Some(&anna), &address).await.status, 200);
    assert_eq!(report(&open, &anna, ids[0]).await["challenge"]["state"], "cancelled");
    assert_eq!(open.delete(Some(&anna), &address).await.status, 409);
    open.hub().control(None, None, Control::Close).await.unwrap();
    let told = report(&open, &anna, ids[1]).await;
    assert_eq!(
        (&told["challenge"]["state"], &told["challenge"]["why"]),
        (&"cancelled".into(), &json!({ "code": "event_over" }))
    );
    let said = challenge(&open, &anna, json!({ "bot": house }), 1).await;
    assert_eq!(refusal(&said), "the event is over");
}
