//! What the pages show, and to whom.

use crate::stand::Stand;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use palestra_arena::api::EventState;
use palestra_arena::limits;
use serde_json::{Value, json};
use std::io::{Cursor, Read as _};

#[tokio::test]
async fn the_event_is_told_as_text() {
    let stand = Stand::open().await;
    let answer = stand.get("/api/event").await;
    assert_eq!(answer.headers[header::CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    let policy = answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("script-src"), "scripts come from the site alone: {policy}");
    // A match may stand inside the page of somebody else, and nothing else may.
    for (path, frames) in [
        ("/matches/1?embed=1", "frame-ancestors *"),
        ("/matches/1?turn=3&embed=1", "frame-ancestors *"),
        ("/matches/1", "frame-ancestors 'none'"),
        ("/me?embed=1", "frame-ancestors 'none'"),
        ("/api/matches/1?embed=1", "frame-ancestors 'none'"),
    ] {
        let policies: Vec<_> =
            stand.get(path).await.headers.get_all(header::CONTENT_SECURITY_POLICY).iter().cloned().collect();
        assert_eq!(policies.len(), 1, "{path}");
        assert!(policies[0].to_str().unwrap().ends_with(frames), "{path}: {policies:?}");
    }
    assert_eq!(answer.headers[header::REFERRER_POLICY], "no-referrer");
    assert!(!answer.headers.contains_key(header::STRICT_TRANSPORT_SECURITY), "there is no TLS");
    let event = answer.json();
    assert_eq!(event["name"], "Cup <script>alert(1)</script>");
    assert_eq!(
        (&event["registration"], &event["me"], &event["state"]),
        (&json!("invite"), &Value::Null, &json!("open"))
    );
    let games: Vec<_> =
        event["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(games, ["generals", "rps"]);
    assert_eq!(stand.get("/health").await.status, StatusCode::OK);
    assert_eq!(stand.get("/api/live").await.json()["running"], 0);
}

#[tokio::test]
async fn announcements_come_and_go() {
    let stand = Stand::open().await;
    let olga = stand.key("olga").await;
    let text = "Lunch at <b>noon</b> & then \"round 2\"";
    for (body, status) in [
        (json!({ "text": text }), StatusCode::NO_CONTENT),
        (json!({ "text": "  " }), StatusCode::BAD_REQUEST),
        (json!({ "text": "x".repeat(limits::TEXT_BYTES + 1) }), StatusCode::BAD_REQUEST),
        (json!({ "words": "x" }), StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(stand.post_as(&olga, "/api/admin/announce", body).await.status, status);
    }
    let told = stand.get("/api/event").await.json()["announcements"].clone();
    assert_eq!((told.as_array().unwrap().len(), &told[0]["text"]), (1, &json!(text)));
    let retract = Request::delete(format!("/api/admin/announcements/{}", told[0]["id"]))
        .header(header::AUTHORIZATION, format!("Bearer {olga}"));
    assert_eq!(stand.send(retract.body(Body::empty()).unwrap()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(stand.get("/api/event").await.json()["announcements"], json!([]));
}

#[tokio::test]
async fn lists_show_what_is_for_these_eyes() {
    let stand = Stand::open().await;
    let (olga, anna, bela) = (stand.key("olga").await, stand.key("anna").await, stand.key("bela").await);
    let ids = |list: &Value| -> Vec<i64> {
        list["matches"].as_array().unwrap().iter().map(|view| view["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids(&stand.get("/api/matches").await.json()), [1]);
    assert_eq!(ids(&stand.get_as(&bela, "/api/matches?player=2").await.json()), [1]);
    assert_eq!(ids(&stand.get_as(&anna, "/api/matches?player=2").await.json()), [2, 1]);
    assert_eq!(ids(&stand.get_as(&anna, "/api/matches?player=2&game=generals&kind=smoke").await.json()), [2]);
    assert_eq!(ids(&stand.get_as(&bela, "/api/matches?player=2&kind=smoke").await.json()), [] as [i64; 0]);
    assert_eq!(ids(&stand.get_as(&bela, "/api/matches?bot=1&kind=smoke").await.json()), [] as [i64; 0]);
    assert_eq!(ids(&stand.get_as(&olga, "/api/matches").await.json()), [2, 1]);
    let first = stand.get_as(&olga, "/api/matches?limit=1").await.json();
    assert_eq!((ids(&first), &first["older"]), (vec![2], &json!(2)));
    let second = stand.get_as(&olga, "/api/matches?limit=1&before=2").await.json();
    assert_eq!((ids(&second), &second["older"]), (vec![1], &Value::Null));
    for wrong in ["kind=war", "player=anna", "before=1e3", "round=-1"] {
        assert_eq!(
            stand.get(&format!("/api/matches?{wrong}")).await.status,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }

    let faults = |view: &Value| -> Vec<Value> {
        view["seats"].as_array().unwrap().iter().map(|seat| seat["fault_message"].clone()).collect()
    };
    let view = stand.get("/api/matches/1/info").await.json();
    assert_eq!((faults(&view), &view["watchable"]), (vec![Value::Null, Value::Null], &json!(true)));
    assert_eq!(view["seats"][0]["fault"], "out_of_time");
    let own = stand.get_as(&anna, "/api/matches/1/info").await.json();
    assert_eq!(faults(&own), [json!("anna was late in turn 7"), Value::Null]);
    assert!(faults(&stand.get_as(&olga, "/api/matches/1/info").await.json()).iter().all(Value::is_string));
    assert_eq!(stand.get("/api/matches/2/info").await.status, StatusCode::NOT_FOUND);
    assert_eq!(stand.get_as(&bela, "/api/matches/2/info").await.status, StatusCode::NOT_FOUND);
    assert_eq!(stand.get_as(&anna, "/api/matches/2/info").await.status, StatusCode::OK);
    assert_eq!(stand.get("/api/matches/99/info").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn rule_books_come_in_the_language_of_the_reader() {
    let stand = Stand::open().await;
    let mut books = Vec::new();
    for (asked, told) in [("", "en"), ("?language=hu", "hu"), ("?language=ru", "ru"), ("?language=tlh", "en")]
    {
        let rules = stand.get(&format!("/api/games/generals/rules{asked}")).await.json();
        assert_eq!((&rules["title"], &rules["language"]), (&json!("Generals"), &json!(told)), "{asked}");
        books.push(rules["html"].as_str().unwrap().to_owned());
    }
    assert_eq!(books[0], books[3]);
    assert!(books[0] != books[1] && books[1] != books[2]);
}

#[tokio::test]
async fn players_and_bots_have_pages() {
    let stand = Stand::open().await;
    let player = stand.get("/api/players/2").await.json();
    assert_eq!((&player["name"], &player["bots"][0][0]), (&json!("anna"), &json!("generals")));
    let bot = stand.get("/api/bots/1").await.json();
    assert_eq!(
        bot["opponents"],
        json!([{ "bot": 2, "player": 3, "name": "bela", "won": 1, "drawn": 0, "lost": 0 }])
    );
    assert_eq!(bot["ratings"].as_array().unwrap().len(), 1);
    let standings = stand.get("/api/games/generals/standings").await.json();
    assert_eq!(standings.as_array().unwrap().len(), 2);
    assert_eq!(stand.get("/api/games/rps/standings").await.json(), json!([]));
    for missing in
        ["/api/players/77", "/api/bots/77", "/api/games/chess/standings", "/api/rounds/9", "/api/bots/x"]
    {
        assert_eq!(stand.get(missing).await.status, StatusCode::NOT_FOUND, "{missing}");
    }
    // Who met whom follows corrections.
    let olga = stand.key("olga").await;
    let void = stand.post_as(&olga, "/api/admin/matches/1/void", json!({ "why": "the power was cut" })).await;
    assert_eq!(void.status, StatusCode::NO_CONTENT);
    let bot = stand.get("/api/bots/1").await.json();
    assert_eq!(
        bot["opponents"],
        json!([{ "bot": 2, "player": 3, "name": "bela", "won": 0, "drawn": 0, "lost": 0 }])
    );
    let view = stand.get("/api/matches/1/info").await.json();
    assert_eq!((&view["state"], &view["why"]), (&json!("void"), &json!("the power was cut")));
    for seat in view["seats"].as_array().unwrap() {
        assert_eq!((&seat["points"], &seat["elo"]), (&Value::Null, &Value::Null), "it does not count");
    }
}

/// Waits until a version is settled, as the site does: by its log.
async fn log_of(stand: &Stand, key: &str, version: &Value) -> String {
    let log = stand.get_as(key, &format!("/api/versions/{}/log", version["id"])).await;
    assert_eq!(log.headers[header::CONTENT_TYPE], "text/event-stream");
    String::from_utf8(log.bytes).unwrap()
}

#[tokio::test]
async fn what_is_handed_in_is_between_its_author_and_the_arena() {
    let stand = Stand::open().await;
    let (olga, anna, bela) = (stand.key("olga").await, stand.key("anna").await, stand.key("bela").await);
    let hand_in = async |key: Option<&str>, address: &str, content: &[u8]| {
        let mut request = Request::post(address).header("x-palestra", "1");
        if let Some(key) = key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
        stand.send(request.body(content.to_vec().into()).unwrap()).await
    };
    let here = "/api/games/generals/versions?file=bot.py";
    let bad = b"import sys\nsys.exit('the plan is secret')\n";
    assert_eq!(hand_in(None, here, bad).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        hand_in(Some(&anna), "/api/games/rps/versions?file=bot.py", bad).await.status,
        StatusCode::NOT_FOUND
    );
    let traversal = "/api/games/generals/versions?file=..%2F..%2Fbot.py";
    assert_eq!(hand_in(Some(&anna), traversal, bad).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let large = vec![b'#'; limits::UPLOAD_BYTES + 1];
    assert_eq!(hand_in(Some(&anna), here, &large).await.status, StatusCode::PAYLOAD_TOO_LARGE);

    let taken = hand_in(Some(&anna), here, bad).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.json());
    let version = taken.json();
    let address = format!("/api/versions/{}", version["id"]);
    for (key, status) in [(&bela, StatusCode::NOT_FOUND), (&olga, StatusCode::OK), (&anna, StatusCode::OK)] {
        assert_eq!(stand.get_as(key, &address).await.status, status);
    }
    assert_eq!(stand.get_as(&bela, &format!("{address}/log")).await.status, StatusCode::NOT_FOUND);
    let told = log_of(&stand, &anna, &version).await;
    assert!(told.contains("event: log\ndata: \"") && told.contains("event: state\ndata: {"), "{told}");
    let settled = stand.get_as(&anna, &address).await.json();
    assert_eq!(settled["state"], "rejected", "{told}");
    assert!(settled["log"].as_str().unwrap().contains("the plan is secret"), "{settled}");

    let kit =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/generals/kits/python/generals.py"))
            .unwrap();
    let good = hand_in(Some(&anna), here, &kit).await.json();
    let told = log_of(&stand, &anna, &good).await;
    assert_eq!(
        stand.get_as(&anna, &format!("/api/versions/{}", good["id"])).await.json()["state"],
        "ready",
        "{told}"
    );
    let smoke = stand.get_as(&anna, "/api/me/bots").await.json()[0]["versions"][0]["smoke"].clone();
    let seen = async |key: &str| stand.get_as(key, &format!("/api/matches/{smoke}/info")).await.status;
    assert_eq!((seen(&anna).await, seen(&bela).await), (StatusCode::OK, StatusCode::NOT_FOUND));

    // Others see what plays, and neither what failed nor what was said about it.
    let shown = stand.get_as(&bela, "/api/bots/1").await.json()["versions"].clone();
    let shown = shown.as_array().unwrap();
    assert_eq!(
        (shown.len(), &shown[0]["state"], &shown[0]["log"], &shown[0]["smoke"]),
        (1, &json!("ready"), &Value::Null, &Value::Null)
    );
    let roll = async |key: &str, version: &Value| {
        stand.post_as(key, &format!("/api/versions/{}/activate", version["id"]), Value::Null).await.status
    };
    assert_eq!(roll(&bela, &good).await, StatusCode::NOT_FOUND, "a version of somebody else");
    assert_eq!(roll(&anna, &version).await, StatusCode::CONFLICT, "it was rejected");
    assert_eq!(roll(&anna, &good).await, StatusCode::OK);

    let mut last = StatusCode::OK;
    for _ in 0..limits::UPLOADS_OF_PLAYER {
        last = hand_in(Some(&anna), here, b"").await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    stand.post_as(&olga, "/api/admin/event", json!("close")).await;
    while stand.hub.snapshot().state != EventState::Closed {
        tokio::task::yield_now().await;
    }
    assert_eq!(hand_in(Some(&bela), here, &kit).await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn kits_hold_a_bot_the_rules_and_what_to_do() {
    let stand = Stand::open().await;
    let games = stand.get("/api/event").await.json()["games"].clone();
    let mut packed = 0;
    for kit in games.as_array().unwrap().iter().flat_map(|game| game["kits"].as_array().unwrap()) {
        let answer = stand.get(kit["href"].as_str().unwrap()).await;
        assert_eq!(
            (answer.status, &answer.headers[header::CONTENT_TYPE]),
            (StatusCode::OK, &"application/zip".parse().unwrap())
        );
        let mut archive = zip::ZipArchive::new(Cursor::new(answer.bytes)).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let folder = names[0].split('/').next().unwrap().to_owned();
        assert!(names.iter().all(|name| name.starts_with(&format!("{folder}/"))), "{names:?}");
        let mut readme = String::new();
        archive.by_name(&format!("{folder}/README.md")).unwrap().read_to_string(&mut readme).unwrap();
        let bot = readme.split('`').nth(1).unwrap();
        let wanted = [bot, "RULES.md"].map(|name| format!("{folder}/{name}"));
        assert!(wanted.iter().all(|name| names.contains(name)), "{names:?}");
        assert!(readme.contains("palestra play") && readme.contains("palestra submit HOST"), "{readme}");
        packed += 1;
    }
    let clients = 2;
    assert_eq!(packed, 2 * palestra_kits::LANGUAGES.len() + clients, "two games in every language");
    for missing in
        ["/kits/generals/rps-python.zip", "/kits/chess/x.zip", "/kits/generals/..%2F..%2FCargo.toml"]
    {
        assert_eq!(stand.get(missing).await.status, StatusCode::NOT_FOUND, "{missing}");
    }
}

#[tokio::test]
async fn requests_that_make_no_sense_are_told_so() {
    let stand = Stand::open().await;
    let olga = stand.key("olga").await;
    let nested = "[".repeat(50_000);
    for (kind, body, status) in [
        ("application/json", "\"explode\"", StatusCode::BAD_REQUEST),
        ("application/json", "", StatusCode::BAD_REQUEST),
        ("application/json", nested.as_str(), StatusCode::BAD_REQUEST),
        ("application/json", "\u{0}", StatusCode::BAD_REQUEST),
        ("text/html", "\"close\"", StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let request = Request::post("/api/admin/event")
            .header(header::AUTHORIZATION, format!("Bearer {olga}"))
            .header(header::CONTENT_TYPE, kind);
        let answer = stand.send(request.body(body.to_owned().into()).unwrap()).await;
        assert_eq!(answer.status, status, "{}", answer.error());
    }
    let long = json!({ "name": "x".repeat(limits::REQUEST_BYTES), "password": "" });
    let answer = stand.browse(Method::POST, "", "/api/login", long).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    for (address, status) in [
        ("/api/nothing", StatusCode::NOT_FOUND),
        ("/api/..%2f..%2fetc/passwd", StatusCode::NOT_FOUND),
        ("/api/matches/1%2f..%2f2/info", StatusCode::NOT_FOUND),
        ("/api/players/99999999999999999999", StatusCode::NOT_FOUND),
        ("/api/login", StatusCode::METHOD_NOT_ALLOWED),
        ("/assets/../../../etc/passwd", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(stand.get(address).await.status, status, "{address}");
    }
}
