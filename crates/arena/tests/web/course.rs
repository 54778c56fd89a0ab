//! Courses on the site: everybody reads them, and players have their bots checked.

use crate::stand::Stand;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use std::time::Duration;

/// Passes every turn: it plays, and does nothing of what a step asks for.
const IDLE: &str = "
rows, columns, players, _ = map(int, input().split())
while input().strip() == '1':
    for _ in range(players + rows * columns):
        input()
    print(-1, flush=True)
";
const KIT: &str = include_str!("../../../../games/generals/kits/python/generals.py");
const COURSE: &str = "/api/games/generals/course";

async fn hand_in(stand: &Stand, key: &str, source: &str) {
    let request = Request::post("/api/games/generals/versions?file=bot.py")
        .header(header::AUTHORIZATION, format!("Bearer {key}"));
    let id = stand.send(request.body(Body::from(source.to_owned())).unwrap()).await.json()["id"].clone();
    loop {
        let view = stand.get_as(key, &format!("/api/versions/{id}")).await.json();
        assert_ne!(view["state"], "rejected", "{view}");
        if view["active"] == true {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn step<'a>(course: &'a Value, name: &str) -> &'a Value {
    course["steps"].as_array().unwrap().iter().find(|step| step["name"] == name).expect("a step")
}

/// Asks for a check and waits for what comes of it.
async fn checked(stand: &Stand, key: &str, name: &str) -> Value {
    let asked = stand.post_as(key, &format!("{COURSE}/{name}"), json!({})).await;
    assert_eq!(asked.status, StatusCode::OK, "{}", String::from_utf8_lossy(&asked.bytes));
    assert_eq!(step(&asked.json(), name)["result"]["state"], "queued");
    loop {
        let result = step(&stand.get_as(key, COURSE).await.json(), name)["result"].clone();
        if result["state"] != "queued" {
            return result;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn everybody_reads_a_course_and_only_players_with_a_bot_are_checked() {
    let stand = Stand::open().await;
    let anna = stand.key("anna").await;
    let course = stand.get(COURSE).await.json();
    assert_eq!(course["version"], Value::Null);
    assert_eq!(course["steps"][0], json!({ "name": "first_move", "matches": 1, "need": 1, "result": null }));
    let nobody = stand.send(
        Request::post(format!("{COURSE}/first_move")).header("x-palestra", "1").body(Body::empty()).unwrap(),
    );
    assert_eq!(nobody.await.status, StatusCode::UNAUTHORIZED);
    for (address, status) in [
        ("/api/games/generals/course/first_move", StatusCode::CONFLICT),
        ("/api/games/generals/course/no_such_step", StatusCode::NOT_FOUND),
        ("/api/games/chess/course/first_move", StatusCode::NOT_FOUND),
        ("/api/games/rps/course/produce", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(stand.post_as(&anna, address, json!({})).await.status, status, "{address}");
    }
    assert_eq!(stand.get("/api/games/chess/course").await.status, StatusCode::NOT_FOUND);
    assert_eq!(stand.get("/api/games/rps/course").await.status, StatusCode::OK, "everybody may read it");
}

#[tokio::test]
async fn a_step_is_checked_with_the_version_that_plays_and_progress_stays() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    hand_in(&stand, &anna, IDLE).await;
    let first = checked(&stand, &anna, "first_move").await;
    assert_eq!((&first["state"], &first["passed"]), (&"missed".into(), &false.into()), "{first}");
    assert_eq!((&first["version"], &first["matches"][0]["opponents"]), (&1.into(), &json!(["rest"])));
    let missed = json!({ "code": "goal_counter", "counter": "land", "most": 1, "wanted": 2 });
    assert_eq!(first["matches"][0]["missed"], json!([missed]));
    // Of a match that it loses it is also told why.
    let random = checked(&stand, &anna, "random").await;
    let why = |played: &Value| played["why"].as_array().unwrap().last().map(|told| told["code"].clone());
    let told: Vec<_> = random["matches"].as_array().unwrap().iter().filter_map(why).collect();
    assert!(!told.is_empty() && told.iter().all(|code| code == "conduct_clean"), "{random}");

    // A better one passes it, and a step that was passed stays so whatever comes later.
    hand_in(&stand, &anna, KIT).await;
    let first = checked(&stand, &anna, "first_move").await;
    assert_eq!((&first["state"], &first["version"]), (&"passed".into(), &2.into()), "{first}");
    hand_in(&stand, &anna, &format!("{IDLE}\n# once more\n")).await;
    let again = checked(&stand, &anna, "first_move").await;
    assert_eq!((&again["state"], &again["passed"]), (&"missed".into(), &true.into()), "{again}");

    // Nobody else sees it.
    for others in [stand.get(COURSE).await.json(), stand.get_as(&bela, COURSE).await.json()] {
        assert!(others["steps"].as_array().unwrap().iter().all(|step| step["result"].is_null()), "{others}");
    }
}
