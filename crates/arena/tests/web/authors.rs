//! What authors see of their own bots and matches, and that nobody else does.

use crate::stand::{Answer, Stand, finished_match, played};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use palestra_arena::ids::{AccountId, BotId, MatchId};
use palestra_arena::limits;
use palestra_arena::store::{Changes, SeatRow};
use palestra_core::Message;
use serde_json::{Value, json};

/// A bot that plays, and what nobody else may read of it.
const SOURCE: &str = concat!(
    "# the secret of anna's bot\n",
    include_str!("../../../../games/generals/kits/python/generals.py")
);

/// Matches of anna's versions against bela: (number, version, place of anna, place of bela).
async fn play(stand: &Stand, results: &[(i64, u32, u32, u32)]) {
    let replay = played();
    let seat = |player: i64, version: u32, place: u32| SeatRow {
        player: Some(AccountId(player)),
        bot: Some(BotId(player - 1)),
        version: Some(version),
        name: format!("p{player}"),
        place,
        elo: Some((1500.0, if place == 1 { 4.5 } else { -4.5 })),
        reason: Some(Message::Sentence(format!("p{player} came in as number {place}"))),
        ..SeatRow::default()
    };
    let rows = results.iter().map(|(id, version, anna, bela)| {
        finished_match(*id, &replay, vec![seat(2, *version, *anna), seat(3, 1, *bela)])
    });
    let replays = results.iter().map(|(id, ..)| (MatchId(*id), replay.to_bytes().unwrap())).collect();
    stand.store.commit(&Changes { matches: rows.collect(), replays, ..Changes::default() }).await.unwrap();
}

async fn numbers(stand: &Stand, key: &str, query: &str) -> Vec<i64> {
    let list = stand.get_as(key, &format!("/api/me/matches?{query}")).await.json();
    let matches = list["matches"].as_array().expect("matches").iter();
    matches.map(|one| one["game"]["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn authors_find_their_losses_and_what_they_have_not_seen() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    // Match 1 was there before, and 2 is the first match of a version, which is no result.
    play(&stand, &[(10, 1, 2, 1), (11, 1, 1, 2), (12, 2, 1, 1), (13, 2, 2, 1)]).await;
    assert_eq!(numbers(&stand, &anna, "").await, [13, 12, 11, 10, 1]);
    assert_eq!(numbers(&stand, &anna, "result=lost").await, [13, 10]);
    assert_eq!(numbers(&stand, &anna, "result=drawn").await, [12]);
    assert_eq!(numbers(&stand, &anna, "result=won&version=1").await, [11, 1]);
    assert_eq!(numbers(&stand, &anna, "version=2").await, [13, 12]);
    assert_eq!(numbers(&stand, &anna, "game=rps").await, [0_i64; 0]);
    assert_eq!(numbers(&stand, &anna, "opponent=3&result=lost").await, [13, 10]);
    assert_eq!(numbers(&stand, &anna, "opponent=1").await, [0_i64; 0]);
    assert_eq!(numbers(&stand, &bela, "result=lost").await, [11, 1], "each their own");
    let page = stand.get_as(&anna, "/api/me/matches?limit=2").await.json();
    assert_eq!((page["matches"].as_array().unwrap().len(), &page["older"]), (2, &12.into()));
    assert_eq!(numbers(&stand, &anna, "limit=2&before=12").await, [11, 10]);

    // Result, rating, version and reason are there, and the reason is nobody else's business.
    let newest = &page["matches"][0];
    assert_eq!(
        (&newest["result"], &newest["seat"], &newest["unseen"]),
        (&"lost".into(), &0.into(), &true.into())
    );
    let seats = &newest["game"]["seats"];
    assert_eq!((&seats[0]["version"], &seats[0]["elo"][1]), (&2.into(), &json!(-4.5)));
    assert!(seats[0]["reason"].to_string().contains("number 2"), "{seats}");
    assert_eq!(seats[1]["reason"], Value::Null, "{seats}");
    for stranger in
        [stand.get("/api/matches/13/info").await, stand.get_as(&bela, "/api/matches/13/info").await]
    {
        assert_eq!(stranger.json()["seats"][0]["reason"], Value::Null);
    }

    let losses =
        async || stand.get_as(&anna, "/api/me/matches").await.json()["unseen_losses"].as_i64().unwrap();
    assert_eq!(losses().await, 2);
    let seen = stand.post_as(&anna, "/api/me/seen", json!({ "matches": [13, 4000] })).await;
    assert_eq!((seen.status, losses().await), (StatusCode::NO_CONTENT, 1));
    assert_eq!(numbers(&stand, &anna, "unseen=true").await, [12, 11, 10, 1]);
    assert_eq!(numbers(&stand, &bela, "unseen=true").await, [13, 12, 11, 10, 1], "kept per account");
    stand.post_as(&anna, "/api/me/seen", json!({ "until": 12 })).await;
    assert_eq!((numbers(&stand, &anna, "unseen=true").await, losses().await), (vec![], 0));
    play(&stand, &[(14, 2, 2, 1)]).await;
    assert_eq!((numbers(&stand, &anna, "unseen=true&result=lost").await, losses().await), (vec![14], 1));

    let many: Vec<i64> = (0..200).collect();
    assert_eq!(stand.post_as(&anna, "/api/me/seen", json!({ "matches": many })).await.status, 400);
    assert_eq!(stand.get("/api/me/matches").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_match_that_was_voided_is_no_loss() {
    let stand = Stand::open().await;
    let anna = stand.key("anna").await;
    play(&stand, &[(10, 1, 2, 1), (11, 2, 2, 1)]).await;
    let voided = vec![(MatchId(11), "the lights went out".to_owned())];
    stand.store.commit(&Changes { voided, ..Changes::default() }).await.unwrap();
    assert_eq!(numbers(&stand, &anna, "result=lost").await, [10]);
    assert_eq!(numbers(&stand, &anna, "").await, [11, 10, 1]);
    let compared = stand.get("/api/bots/1/comparison").await.json();
    let versions: Vec<_> =
        compared["versions"].as_array().unwrap().iter().map(|one| &one["version"]).collect();
    assert_eq!(versions, [1], "its version has nothing to show any more");
}

#[tokio::test]
async fn versions_are_compared_against_the_same_opponents() {
    let stand = Stand::open().await;
    play(&stand, &[(10, 1, 2, 1), (11, 1, 2, 1), (12, 2, 1, 2), (13, 2, 1, 2), (14, 2, 1, 1)]).await;
    let compared = stand.get("/api/bots/1/comparison?base=1").await.json();
    assert_eq!(compared["base"], 1);
    let [second, first] = &compared["versions"].as_array().unwrap()[..] else { panic!("{compared}") };
    // Match 1 was a win of version 1.
    assert_eq!((&second["played"], &first["played"]), (&3.into(), &3.into()));
    assert!((second["shared"]["own"]["value"].as_f64().unwrap() - 2.5 / 3.0).abs() < 1e-9, "{second}");
    assert!((second["shared"]["base"]["value"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9, "{second}");
    assert!(second["all"]["low"].as_f64() < second["all"]["value"].as_f64());
    assert_eq!(first["shared"], Value::Null);
    // The chart knows which version played.
    let bot = stand.get("/api/bots/1").await.json();
    assert_eq!(bot["ratings"].as_array().unwrap().last().unwrap()["version"], 2);
    assert_eq!(stand.get("/api/bots/999/comparison").await.status, StatusCode::NOT_FOUND);
}

async fn post_file(stand: &Stand, key: &str, address: &str, content: impl Into<Body>) -> Answer {
    let request = Request::post(address).header(header::AUTHORIZATION, format!("Bearer {key}"));
    stand.send(request.body(content.into()).unwrap()).await
}

/// Waits until a version is settled, as its author sees it.
async fn settled(stand: &Stand, key: &str, id: &Value) -> Value {
    loop {
        let view = stand.get_as(key, &format!("/api/versions/{id}")).await.json();
        if view["state"] == "ready" || view["state"] == "rejected" {
            return view;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn sources_and_notes_are_for_their_author() {
    let stand = Stand::open().await;
    let (olga, anna, bela) = (stand.key("olga").await, stand.key("anna").await, stand.key("bela").await);
    let handed =
        post_file(&stand, &anna, "/api/games/generals/versions?file=my%20bot.py", SOURCE).await.json();
    let id = &handed["id"];
    settled(&stand, &anna, id).await;
    for own in [&anna, &olga] {
        let source = stand.get_as(own, &format!("/api/versions/{id}/source")).await.json();
        let file = &source["files"][0];
        assert_eq!((&file["path"], &file["text"]), (&"my bot.py".into(), &SOURCE.into()));
        let file = stand.get_as(own, &format!("/api/versions/{id}/file")).await;
        assert_eq!(file.bytes, SOURCE.as_bytes());
        let disposition = file.headers[header::CONTENT_DISPOSITION].to_str().unwrap();
        assert_eq!(disposition, "attachment; filename*=UTF-8''my%20bot.py");
    }
    let note = format!("/api/versions/{id}/note");
    let noted = stand.post_as(&anna, &note, json!({ "text": " attacks earlier " })).await.json();
    assert_eq!(noted["note"], "attacks earlier");

    // Strangers, and other players, are told nothing: neither that it is there nor what is in it.
    for address in ["source", "file", "note"].map(|part| format!("/api/versions/{id}/{part}")) {
        let mut answers = vec![stand.get(&address).await, stand.get_as(&bela, &address).await];
        answers.push(stand.post_as(&bela, &note, json!({ "text": "mine now" })).await);
        for answer in answers {
            assert!(answer.status.is_client_error(), "{address}: {}", answer.status);
            assert!(!String::from_utf8_lossy(&answer.bytes).contains("secret"), "{address}");
        }
    }
    for who in [None, Some(&bela)] {
        for address in ["/api/bots/1".to_owned(), format!("/api/versions/{id}"), "/api/live".to_owned()] {
            let answer = match who {
                Some(key) => stand.get_as(key, &address).await,
                None => stand.get(&address).await,
            };
            let text = String::from_utf8_lossy(&answer.bytes).into_owned();
            assert!(!text.contains("attacks earlier") && !text.contains("secret"), "{address}: {text}");
        }
    }
    let too_long = json!({ "text": "x".repeat(limits::NOTE_BYTES + 1) });
    assert_eq!(stand.post_as(&anna, &note, too_long).await.status, 400);
    let organiser = stand.post_as(&olga, &note, json!({ "text": "well done" })).await;
    assert_eq!(organiser.status, 404, "a note is its author's own");
}

#[tokio::test]
async fn a_source_is_tried_without_being_handed_in() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    let editor = stand.get("/api/games/generals/editor").await.json();
    let opponent = editor["opponents"][0].as_str().unwrap().to_owned();
    let starter =
        editor["starters"].as_array().unwrap().iter().find(|one| one["file"] == "generals.py").unwrap();
    let address = format!("/api/games/generals/trials?file=generals.py&opponent={opponent}");
    let before = stand.get_as(&anna, "/api/me/bots").await.json()[0]["versions"].clone();

    let text = starter["text"].as_str().unwrap().to_owned();
    let tried = post_file(&stand, &anna, &address, text.clone()).await.json();
    assert_eq!((&tried["number"], &tried["trial"]), (&0.into(), &opponent.as_str().into()));
    let view = settled(&stand, &anna, &tried["id"]).await;
    assert_eq!((&view["state"], &view["active"]), (&"ready".into(), &false.into()), "{view}");
    let game = stand.get_as(&anna, &format!("/api/matches/{}/info", view["smoke"])).await.json();
    assert_eq!((&game["kind"], &game["seats"][1]["name"]), (&"smoke".into(), &opponent.as_str().into()));
    assert_eq!(game["seats"][0]["elo"], Value::Null, "it counts for nothing");

    // It is no version: not listed, not to be activated, and not there for others.
    assert_eq!(stand.get_as(&anna, "/api/me/bots").await.json()[0]["versions"], before);
    let id = &tried["id"];
    assert_eq!(stand.post_as(&anna, &format!("/api/versions/{id}/activate"), json!({})).await.status, 409);
    for part in ["", "/log", "/source", "/file"] {
        let address = format!("/api/versions/{id}{part}");
        assert_eq!(stand.get_as(&bela, &address).await.status, 404, "{address}");
    }
    assert_eq!(stand.get_as(&bela, &format!("/api/matches/{}/info", view["smoke"])).await.status, 404);

    // What is wrong is told by line.
    let broken = post_file(&stand, &anna, &address, "import sys\n\nraise KeyError('map')\n").await.json();
    let view = settled(&stand, &anna, &broken["id"]).await;
    assert_eq!((&view["state"], &view["rejection"]["line"]), (&"rejected".into(), &"KeyError: 'map'".into()));
    assert_eq!(view["rejection"]["places"][0]["line"], 3);

    for (wrong, status) in [
        (format!("/api/games/generals/trials?file=bot.zip&opponent={opponent}"), 422),
        ("/api/games/generals/trials?file=bot.py&opponent=nobody".to_owned(), 409),
        (format!("/api/games/rps/trials?file=bot.py&opponent={opponent}"), 404),
    ] {
        assert_eq!(post_file(&stand, &anna, &wrong, "x").await.status.as_u16(), status, "{wrong}");
    }
    let large = "#".repeat(limits::TRIAL_BYTES + 1);
    assert_eq!(post_file(&stand, &anna, &address, large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        post_file(&stand, &anna, &address, text).await.status,
        StatusCode::TOO_MANY_REQUESTS,
        "like uploads"
    );
    // What is handed in next is the first version still, and plays.
    let stranger =
        stand.send(Request::post(&address).header("x-palestra", "1").body(Body::empty()).unwrap()).await;
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn players_are_followed_and_their_matches_found() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    play(&stand, &[(10, 1, 2, 1)]).await;
    let follows = async |key: &str| stand.get_as(key, "/api/me/follows").await.json();
    assert_eq!(follows(&anna).await, json!([]));
    for id in [3, 1, 3] {
        let done = stand.post_as(&anna, &format!("/api/me/follows/{id}"), json!({})).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT);
    }
    assert_eq!((follows(&anna).await, follows(&bela).await), (json!([1, 3]), json!([])));
    assert_eq!(stand.post_as(&anna, "/api/me/follows/999", json!({})).await.status, 404);
    assert_eq!(stand.get("/api/me/follows").await.status, StatusCode::UNAUTHORIZED);
    let request = Request::builder()
        .method(Method::DELETE)
        .uri("/api/me/follows/1")
        .header(header::AUTHORIZATION, format!("Bearer {anna}"));
    assert_eq!(stand.send(request.body(Body::empty()).unwrap()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(follows(&anna).await, json!([3]));

    let found = async |players: &str| -> Vec<i64> {
        let list = stand.get(&format!("/api/matches?players={players}")).await.json();
        list["matches"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(found("2,3").await, [10, 1], "each once");
    assert_eq!(found("1").await, [0_i64; 0]);
    for wrong in ["x", "1,,2", ""] {
        assert_eq!(stand.get(&format!("/api/matches?players={wrong}")).await.status, 400, "{wrong}");
    }
    let many: Vec<String> = (0..=limits::FOLLOWS).map(|id| id.to_string()).collect();
    assert_eq!(stand.get(&format!("/api/matches?players={}", many.join(","))).await.status, 400);
}

#[tokio::test]
async fn the_feed_tells_authors_what_became_of_their_versions() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    let handed =
        post_file(&stand, &anna, "/api/games/generals/versions?file=bot.py", "raise KeyError").await.json();
    settled(&stand, &anna, &handed["id"]).await;
    let told = loop {
        let told = stand.get_as(&anna, "/api/live").await.json()["settled"].clone();
        if told != json!([]) {
            break told;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(told, json!([{ "id": handed["id"], "number": 1, "game": "generals", "state": "rejected" }]));
    assert_eq!(stand.get_as(&bela, "/api/live").await.json()["settled"], json!([]));
    assert_eq!(stand.get("/api/live").await.json()["settled"], json!([]));
}
