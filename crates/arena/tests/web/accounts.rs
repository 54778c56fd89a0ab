//! Signing in and out, keys, organisers, and those who try to get around all of it.

use crate::stand::{Answer, INVITE, Stand};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use palestra_arena::ids::AccountId;
use palestra_arena::limits;
use serde_json::{Value, json};

/// The cookie that an answer sets, as a browser sends it back.
fn cookie(answer: &Answer) -> String {
    session(answer).split(';').next().unwrap().to_owned()
}

fn session(answer: &Answer) -> &str {
    let mut cookies =
        answer.headers.get_all(header::SET_COOKIE).iter().map(|cookie| cookie.to_str().unwrap());
    cookies.find(|cookie| cookie.starts_with("palestra_session=")).unwrap()
}

async fn sign_in(stand: &Stand, name: &str, password: &str) -> Answer {
    stand.browse(Method::POST, "", "/api/login", json!({ "name": name, "password": password })).await
}

async fn me(stand: &Stand, cookie: &str) -> Value {
    stand.browse(Method::GET, cookie, "/api/event", Value::Null).await.json()["me"].clone()
}

#[tokio::test]
async fn a_browser_signs_in_and_out() {
    let stand = Stand::open().await;
    let answer = sign_in(&stand, "Anna", "anna-secret").await;
    assert_eq!(
        (answer.status, answer.json()),
        (StatusCode::OK, json!({ "id": 2, "name": "anna", "organiser": false }))
    );
    let set = session(&answer);
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax") && !set.contains("Secure"), "{set}");
    let cookie = cookie(&answer);
    assert_eq!(me(&stand, &cookie).await["name"], "anna");
    assert_eq!(me(&stand, "palestra_session=guessed").await, Value::Null);
    let out = stand.browse(Method::POST, &cookie, "/api/logout", Value::Null).await;
    assert_eq!(out.status, StatusCode::NO_CONTENT);
    assert_eq!(me(&stand, &cookie).await, Value::Null, "the old cookie opens nothing");
    for (name, password) in [("anna", "wrong-secret"), ("nobody", "anna-secret"), ("anna", &"x".repeat(5000))]
    {
        let answer = sign_in(&stand, name, password).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert_eq!(answer.error(), "the name or the password is wrong");
    }
}

#[tokio::test]
async fn guessing_passwords_is_slow() {
    let stand = Stand::open().await;
    let guesses = futures_util::future::join_all(
        (0..200).map(async |number| sign_in(&stand, "ANNA", &format!("guess-{number}")).await.status),
    );
    let statuses = guesses.await;
    let looked_at = statuses.iter().filter(|status| **status == StatusCode::UNAUTHORIZED).count();
    assert!(looked_at < 20, "{looked_at} passwords were tried at once");
    let sent_away = statuses.iter().filter(|status| **status == StatusCode::TOO_MANY_REQUESTS).count();
    assert_eq!(looked_at + sent_away, statuses.len());
    assert_eq!(sign_in(&stand, "bela", "bela-secret").await.status, StatusCode::OK, "others are not hurt");
}

#[tokio::test]
async fn newcomers_need_the_code() {
    let stand = Stand::open().await;
    let register = async |name: &str, password: &str, invite: &str| {
        let body = json!({ "name": name, "password": password, "invite": invite });
        stand.browse(Method::POST, "", "/api/register", body).await
    };
    assert_eq!(register("zoe", "zoe-secret", "guess").await.status, StatusCode::FORBIDDEN);
    assert_eq!(register("Anna", "zoe-secret", INVITE).await.status, StatusCode::CONFLICT);
    assert_eq!(register("zoe", "short", INVITE).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(register("zoe", " blanks around ", INVITE).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(register("zoe", "two\nlines of it", INVITE).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(register("words", "several plain words", INVITE).await.status, StatusCode::OK);
    assert_eq!(sign_in(&stand, "words", "several plain words").await.status, StatusCode::OK);
    // Registering does not say whose passwords are in use.
    let made = register("zoe", "anna-secret", INVITE).await;
    assert_eq!((made.status, made.json()["organiser"].clone()), (StatusCode::OK, json!(false)));
    assert_eq!(me(&stand, &cookie(&made)).await["name"], "zoe");
}

#[tokio::test]
async fn nobody_can_be_taken_for_somebody_else() {
    let stand = Stand::open().await;
    stand.store.reserve_names(["hunter"].into_iter());
    let register = async |name: &str| {
        let body = json!({ "name": name, "password": "some-secret", "invite": INVITE });
        stand.browse(Method::POST, "", "/api/register", body).await
    };
    for name in [
        "Anna",
        "ａｎｎａ",
        " anna ",
        // These look like names that are there, or will be.
        "olga",
        "0lga",
    ] {
        let answer = register(name).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{name}");
    }
    let made = register("  Soso   Team ").await;
    assert_eq!((made.status, made.json()["name"].clone()), (StatusCode::OK, json!("Soso Team")));
    let alike = register("soso_team").await;
    assert_eq!(
        (alike.status, alike.error().as_str()),
        (
            StatusCode::CONFLICT,
            "the name soso_team looks like that of the player Soso Team; choose another name"
        )
    );
    assert_eq!(register("Ѕоѕо").await.status, StatusCode::OK, "Cyrillic as a whole is a name");
    assert_eq!(register("Soso").await.status, StatusCode::CONFLICT, "and the same in Latin looks like it");
    for name in [
        "аnna",
        "an\u{200b}na",
        "\u{202e}anna",
        "a\u{fe0f}nna",
        "organizer",
        "Bot",
        "hunter",
        "HUNTER",
        "a\nb",
        "",
    ] {
        let answer = register(name).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name:?}");
        assert!(!answer.error().contains(['\u{200b}', '\u{202e}']), "{}", answer.error());
    }
    // Everybody signs in by the own name, however it is written, and by no other.
    for (name, status) in [
        ("SOSO  TEAM", StatusCode::OK),
        ("soso_team", StatusCode::UNAUTHORIZED),
        ("Ѕоѕо", StatusCode::OK),
        ("Soso", StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(sign_in(&stand, name, "some-secret").await.status, status, "{name}");
    }
}

#[tokio::test]
async fn another_password_ends_everything_the_old_one_opened() {
    let stand = Stand::open().await;
    let (old, key) = (cookie(&sign_in(&stand, "anna", "anna-secret").await), stand.key("anna").await);
    let change = async |cookie: &str, old: &str| {
        stand
            .browse(Method::POST, cookie, "/api/me/password", json!({ "old": old, "new": "better-secret" }))
            .await
    };
    assert_eq!(change("", "anna-secret").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(change(&old, "bela-secret").await.status, StatusCode::FORBIDDEN);
    let changed = change(&old, "anna-secret").await;
    assert_eq!(changed.status, StatusCode::OK);
    assert_eq!(me(&stand, &old).await, Value::Null);
    assert_eq!(stand.get_as(&key, "/api/me/tokens").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(me(&stand, &cookie(&changed)).await["name"], "anna", "whoever changed it stays signed in");
    assert_eq!(sign_in(&stand, "anna", "better-secret").await.status, StatusCode::OK);
}

#[tokio::test]
async fn keys_are_told_once_counted_and_taken_back() {
    let stand = Stand::open().await;
    let anna = stand.key("anna").await;
    let new = stand
        .post_as(&anna, "/api/me/tokens", json!({ "label": "<img src=x onerror=alert(1)>" }))
        .await
        .json();
    let list = stand.get_as(new["token"].as_str().unwrap(), "/api/me/tokens").await;
    assert!(!String::from_utf8_lossy(&list.bytes).contains(new["token"].as_str().unwrap()));
    assert_eq!(list.json()[0]["label"], "<img src=x onerror=alert(1)>", "text stays text");
    assert_eq!(list.headers[header::CONTENT_TYPE], "application/json");
    let mine = format!("/api/me/tokens/{}", new["id"]);
    let delete = async |key: &str| {
        let request = Request::delete(&mine).header(header::AUTHORIZATION, format!("Bearer {key}"));
        stand.send(request.body(Body::empty()).unwrap()).await.status
    };
    assert_eq!(delete(&stand.key("bela").await).await, StatusCode::NOT_FOUND, "a key of somebody else");
    assert_eq!(delete(&anna).await, StatusCode::NO_CONTENT);
    assert_eq!(delete(&anna).await, StatusCode::NOT_FOUND);
    let mut last = StatusCode::OK;
    for _ in 0..limits::TOKENS {
        last = stand.post_as(&anna, "/api/me/tokens", json!({ "label": "bot" })).await.status;
    }
    assert_eq!(last, StatusCode::CONFLICT);
    assert_eq!(stand.get_as("guessed", "/api/event").await.status, StatusCode::UNAUTHORIZED);
    let basic = Request::get("/api/event").header(header::AUTHORIZATION, "Basic YW5uYTphbm5h");
    assert_eq!(stand.send(basic.body(Body::empty()).unwrap()).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn pages_of_other_sites_change_nothing() {
    let stand = Stand::open().await;
    let cookie = cookie(&sign_in(&stand, "olga", "olga-secret").await);
    let forged = async |headers: &[(&str, &str)]| {
        let mut request =
            Request::post("/api/admin/event").header(header::COOKIE, &cookie).header("host", "arena.example");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        stand.send(request.body("\"close\"".into()).unwrap()).await.status
    };
    let json = ("content-type", "application/json");
    for headers in [
        vec![("content-type", "text/plain")],
        vec![json],
        vec![json, ("x-palestra", "1"), ("sec-fetch-site", "cross-site")],
        vec![json, ("x-palestra", "1"), ("origin", "https://evil.example")],
        vec![json, ("x-palestra", "1"), ("origin", "null")],
    ] {
        assert_eq!(forged(&headers).await, StatusCode::FORBIDDEN, "{headers:?}");
    }
    assert_eq!(stand.get("/api/event").await.json()["state"], "open");
    let own =
        [json, ("x-palestra", "1"), ("sec-fetch-site", "same-origin"), ("origin", "http://arena.example")];
    assert_eq!(forged(&own).await, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn only_organisers_organise() {
    let stand = Stand::open().await;
    let anna = stand.key("anna").await;
    let paths = stand.get("/api/openapi.json").await.json()["paths"].clone();
    let mut seen = 0;
    for (address, methods) in
        paths.as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/api/admin/"))
    {
        for method in methods.as_object().unwrap().keys() {
            let address = address.replace("{id}", "1");
            let ask = async |key: Option<&str>| {
                let mut request = Request::builder()
                    .method(method.to_uppercase().as_str())
                    .uri(&address)
                    .header("x-palestra", "1")
                    .header(header::CONTENT_TYPE, "application/json");
                if let Some(key) = key {
                    request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
                }
                stand.send(request.body("{\"banned\": true}".into()).unwrap()).await.status
            };
            assert_eq!(ask(None).await, StatusCode::UNAUTHORIZED, "{method} {address}");
            assert_eq!(ask(Some(&anna)).await, StatusCode::FORBIDDEN, "{method} {address}");
            seen += 1;
        }
    }
    assert_eq!(seen, 15, "every address of organisers");
    assert!(!stand.store.account(AccountId(1)).await.unwrap().unwrap().banned);
}

#[tokio::test]
async fn organisers_look_after_players() {
    let stand = Stand::open().await;
    let (olga, anna) = (stand.key("olga").await, stand.key("anna").await);
    let new = stand.post_as(&olga, "/api/admin/players", json!({ "name": "dora" })).await.json();
    assert_eq!(sign_in(&stand, "dora", new["password"].as_str().unwrap()).await.status, StatusCode::OK);
    let reset =
        stand.post_as(&olga, &format!("/api/admin/players/{}/reset", new["id"]), Value::Null).await.json();
    assert_eq!(
        sign_in(&stand, "dora", new["password"].as_str().unwrap()).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(sign_in(&stand, "dora", reset["password"].as_str().unwrap()).await.status, StatusCode::OK);

    let ban = async |id: i64, banned: bool| {
        let address = format!("/api/admin/players/{id}/ban");
        stand.post_as(&olga, &address, json!({ "banned": banned })).await.status
    };
    assert_eq!(ban(2, true).await, StatusCode::NO_CONTENT);
    assert_eq!(stand.get_as(&anna, "/api/me/tokens").await.status, StatusCode::UNAUTHORIZED, "at once");
    assert_eq!(sign_in(&stand, "anna", "anna-secret").await.status, StatusCode::UNAUTHORIZED);
    let listed = stand.get("/api/players").await.json();
    assert!(!listed.as_array().unwrap().iter().any(|player| player["name"] == "anna"), "{listed}");
    assert_eq!(ban(2, false).await, StatusCode::NO_CONTENT);
    assert_eq!(stand.get_as(&anna, "/api/me/tokens").await.status, StatusCode::OK);
    assert_eq!((ban(1, true).await, ban(4000, true).await), (StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND));

    let upload = async |path: &str, table: &str| {
        let request = Request::post(path).header(header::AUTHORIZATION, format!("Bearer {olga}"));
        stand
            .send(request.header(header::CONTENT_TYPE, "text/csv").body(table.to_owned().into()).unwrap())
            .await
    };
    let import = async |table: &str| upload("/api/admin/players/import", table).await;
    let refused = import("eva\nferi\nann\u{430}\n").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.error().starts_with("line 3: "), "{}", refused.error());
    let table = "Class;Password;Name\n9.b;bela secret;eva\n9.b;;anna\n9.c;;feri\n";
    let preview = upload("/api/admin/players/import/preview", table).await.json();
    assert_eq!(
        (&preview["name_heading"], &preview["password_heading"]),
        (&json!("Name"), &json!("Password"))
    );
    let listed = preview["players"].as_array().unwrap();
    let known: Vec<_> = listed.iter().map(|player| (&player["name"], &player["is_known"])).collect();
    let (yes, no) = (json!(true), json!(false));
    assert_eq!(known, [(&json!("eva"), &no), (&json!("anna"), &yes), (&json!("feri"), &no)]);
    assert!(
        stand.store.account_named("eva").await.unwrap().is_none(),
        "all or none, and not before it is said"
    );
    let made = import(table).await.json();
    assert_eq!((made.as_array().unwrap().len(), &made[0]["password"]), (2, &json!("bela secret")));
    assert_eq!(sign_in(&stand, "anna", "anna-secret").await.status, StatusCode::OK, "who is there stays");
    assert_eq!(import(&"x".repeat(limits::IMPORT_BYTES + 1)).await.status, StatusCode::PAYLOAD_TOO_LARGE);

    let log = stand.get_as(&olga, "/api/admin/log").await.json();
    let log: Vec<_> =
        log.as_array().unwrap().iter().map(|line| (line["who"].clone(), line["text"].clone())).collect();
    let line = |text: &str| (json!("olga"), json!(text));
    for text in [
        "imported 2 players",
        "shut out anna",
        "let in again anna",
        "reset the password of dora",
        "added player dora",
    ] {
        assert!(log.contains(&line(text)), "{text}: {log:?}");
    }
    let secrets = [&new["password"], &reset["password"], &json!("bela secret")];
    assert!(log.iter().all(|(_, text)| {
        secrets.iter().all(|secret| !text.as_str().unwrap().contains(secret.as_str().unwrap()))
    }));
}
