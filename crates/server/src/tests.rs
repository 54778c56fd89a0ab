//! The server through its addresses, with real games.

use crate::api;
use crate::http::{AppState, router};
use crate::library::Library;
use crate::limits;
use crate::palette::SEAT_COLOURS;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use flate2::read::GzDecoder;
use http_body_util::BodyExt as _;
use palestra_core::{
    AnyGame, Catalog, Entrant, Exit, Eye, Match, Message, Next, Plan, PlanRequest, Replay, Seat, TimeControl,
};
use palestra_runner::{Bot, Cores, Link, Options, Overheard, Watch, play};
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt as _;

const GENERALS: &dyn AnyGame = &palestra_generals::Generals;
const AURALUX: &dyn AnyGame = &palestra_auralux::Auralux;
const GAMES: &[&dyn AnyGame] = &[GENERALS, AURALUX];

/// A match of built-in players.
fn played(game: &dyn AnyGame, bots: &[&str], changes: &[(&str, &str)]) -> Replay {
    let changes: Vec<_> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let request = PlanRequest { changes: &changes, map: None, players: bots.len() as u8, seed: 5 };
    played_from(game, game.plan(&request).unwrap(), bots)
}

fn played_from(game: &dyn AnyGame, plan: Plan, bots: &[&str]) -> Replay {
    let entrants: Vec<_> = bots.iter().map(|name| Entrant::built_in(*name)).collect();
    let mut game = Match::new(game, plan, &entrants, TimeControl::Unlimited).unwrap();
    while game.next() != Next::Over {}
    game.finish(Vec::new()).unwrap().1
}

fn app() -> AppState {
    AppState::new(Arc::new(Library::new(GAMES)))
}

fn app_with(replay: &Replay) -> (AppState, String) {
    let app = app();
    let id = app.library.add_file("one.replay", &replay.to_bytes().unwrap()).unwrap();
    (app, id)
}

async fn request(app: &AppState, request: Request<Body>) -> (StatusCode, Value) {
    let response = router(app.clone()).oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

async fn get(app: &AppState, address: &str) -> (StatusCode, Value) {
    request(app, Request::get(address).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_page_is_sent_packed_to_whoever_takes_gzip() {
    let page = std::fs::read("../../web/dist/index.html").expect("make web has built the page");
    for (takes, packed) in [
        ("gzip", true),
        ("deflate, GZIP;q=0.5, br", true),
        ("gzip;q=0, br", false),
        ("gzip; q=0.0", false),
        ("br", false),
        ("", false),
    ] {
        let request = Request::get("/").header(header::ACCEPT_ENCODING, takes).body(Body::empty()).unwrap();
        let response = router(app()).oneshot(request).await.unwrap();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html");
        assert_eq!(response.headers()[header::VARY], "accept-encoding");
        assert_eq!(response.headers().get(header::CONTENT_ENCODING).is_some(), packed, "{takes}");
        let sent = response.into_body().collect().await.unwrap().to_bytes();
        let mut plain = Vec::new();
        match packed {
            true => GzDecoder::new(&sent[..]).read_to_end(&mut plain).unwrap(),
            false => (&sent[..]).read_to_end(&mut plain).unwrap(),
        };
        assert!(plain == page, "{takes}");
    }
}

async fn post(app: &AppState, address: &str, body: impl Into<Body>) -> (StatusCode, Value) {
    let request_ = Request::post(address).header("content-type", "application/json");
    request(app, request_.body(body.into()).unwrap()).await
}

/// What the page does with a change; see `docs/viewer.md`.
fn changed(old: &Value, change: &Value) -> Value {
    match change {
        Value::Array(new) => new[0].clone(),
        Value::Object(changes) if changes.contains_key("@") => {
            let mut new = old.clone();
            for pair in changes["@"].as_array().unwrap().chunks(2) {
                let index = pair[0].as_u64().unwrap() as usize;
                new[index] = changed(&old[index], &pair[1]);
            }
            new
        }
        Value::Object(changes) => {
            let mut new = old.clone();
            for (key, change) in changes {
                match change {
                    Value::Array(gone) if gone.is_empty() => drop(new.as_object_mut().unwrap().remove(key)),
                    change => new[key] = changed(&old[key], change),
                }
            }
            new
        }
        plain => plain.clone(),
    }
}

/// The moments of a chunk, whole.
fn moments(chunk: &Value) -> Vec<Value> {
    let mut moments = Vec::new();
    if !chunk["first"].is_null() {
        moments.push(chunk["first"].clone());
        for change in chunk["changes"].as_array().unwrap() {
            moments.push(changed(moments.last().unwrap(), change));
        }
    }
    moments
}

/// Every frame of a replay, played straight on.
fn straight(game: &dyn AnyGame, replay: &Replay, eye: Eye) -> Vec<Value> {
    let mut cursor = palestra_core::Cursor::start(game, replay).unwrap();
    let mut frames = Vec::new();
    loop {
        frames.push(cursor.state().frame(eye));
        if cursor.advance(replay).unwrap().is_none() {
            return frames;
        }
    }
}

/// Everything the page and the server tell each other; `web/src/api.ts` is generated from it.
#[derive(ts_rs::TS)]
#[expect(dead_code, reason = "only its type is of interest")]
struct Api(
    api::List,
    api::Head,
    api::Chunk,
    api::Overview,
    api::Defeats,
    api::TurnDetail,
    api::Progress,
    api::Rules,
    api::Answer,
    api::Resignation,
);

#[test]
fn golden_types_of_the_api() {
    palestra_testkit::check_types::<Api>("api.ts", &[]);
}

#[test]
fn golden_constants_of_the_page() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/kit/constants.ts");
    let colours: Vec<String> = SEAT_COLOURS.iter().map(|(_, value)| format!("#{value:06x}")).collect();
    palestra_testkit::check_constants(
        &file,
        &[
            ("Moments in one chunk.", "CHUNK_MOMENTS", json!(limits::CHUNK_MOMENTS)),
            (
                "The longest stride between two moments of a chunk.",
                "LONGEST_STRIDE",
                json!(limits::LONGEST_STRIDE),
            ),
            ("Pictures of a film.", "FILM_PICTURES", json!(limits::FILM_PICTURES)),
            ("The colours of seats, in order.", "SEAT_COLOURS", json!(colours)),
        ],
    );
}

#[tokio::test]
async fn replays_with_sentences_are_shown_with_codes() {
    let app = app();
    let file = include_bytes!("../../../games/generals/replays/v1-faults.palestra");
    let id = app.library.add_file("old.replay", file).unwrap();
    let (_, head) = get(&app, &format!("/api/matches/{id}")).await;
    let reason = |seat: usize| &head["outcome"]["placings"][seat]["reason"];
    assert_eq!(reason(1), &json!({ "code": "captured", "by": 1, "round": 166 }));
    let fault = json!({ "code": "exit_code", "number": 3 });
    assert_eq!(reason(4), &json!({ "code": "failed", "round": 1, "fault": fault }));
    // What was wrong with an answer is not played again, and stays the sentence that it was.
    assert_eq!(reason(2)["fault"]["why"], "\"hello\" is no integer");
    let (_, overview) = get(&app, &format!("/api/matches/{id}/overview")).await;
    let marks = overview["marks"].as_array().unwrap();
    let out = marks.iter().find(|mark| mark["kind"] == "out" && mark["seat"] == 5).unwrap();
    assert_eq!(&out["what"], reason(4));
}

#[tokio::test]
async fn every_chunk_tells_what_playing_straight_on_tells() {
    let cases = [
        (GENERALS, played(GENERALS, &["hunter", "greedy", "random"], &[])),
        (AURALUX, played(AURALUX, &["admiral", "aggressive", "afk"], &[("max_steps", "900")])),
    ];
    for (game, replay) in cases {
        let (app, id) = app_with(&replay);
        for (seat, eye) in [("", Eye::Spectator), ("&seat=2", Eye::Seat(Seat::new(2)))] {
            let frames = straight(game, &replay, eye);
            for every in [1_usize, 4, 64] {
                let chunks = frames.len().div_ceil(every * limits::CHUNK_MOMENTS as usize);
                // From the end to the beginning, so that nothing is known of what comes before.
                for chunk in (0..chunks).rev() {
                    let address = format!("/api/matches/{id}/frames?every={every}&chunk={chunk}{seat}");
                    let (status, told) = get(&app, &address).await;
                    assert_eq!(status, StatusCode::OK, "{told}");
                    let expected =
                        (0..).map(|index| (chunk * limits::CHUNK_MOMENTS as usize + index) * every);
                    let told = moments(&told);
                    assert!(!told.is_empty());
                    for (moment, turn) in told.iter().zip(expected) {
                        assert_eq!(moment["turn"], turn, "{address}");
                        assert_eq!(moment["frame"], frames[turn], "{address}, turn {turn}");
                        assert_eq!(moment["seat"].is_null(), turn == 0);
                    }
                }
            }
        }
        let (_, known) = get(&app, &format!("/api/matches/{id}/frames?every=1&chunk=1")).await;
        let (_, rest) = get(&app, &format!("/api/matches/{id}/frames?every=1&chunk=1&after=100")).await;
        assert!(rest["first"].is_null() && rest["after"] == 100);
        assert_eq!(rest["changes"].as_array().unwrap()[..], known["changes"].as_array().unwrap()[99..]);
        let beyond = get(&app, &format!("/api/matches/{id}/frames?every=1&chunk=4000000000")).await;
        assert_eq!((beyond.0, &beyond.1["first"]), (StatusCode::OK, &Value::Null));
    }
}

#[tokio::test]
async fn an_overview_is_short_and_ends_where_the_match_does() {
    let replay = played(AURALUX, &["admiral", "aggressive", "afk"], &[]);
    let (app, id) = app_with(&replay);
    let (_, overview) = get(&app, &format!("/api/matches/{id}/overview")).await;
    assert_eq!(overview["turns"], replay.head.turns);
    let every = overview["every"].as_u64().unwrap() as usize;
    let frames = straight(AURALUX, &replay, Eye::Spectator);
    for (counter, about) in AURALUX.counters().iter().enumerate() {
        for seat in 0..3 {
            let points = overview["counters"][counter][seat].as_array().unwrap();
            assert!(points.len() <= limits::CHART_POINTS && points.len() == frames.len().div_ceil(every));
            for (index, point) in points.iter().enumerate() {
                assert_eq!(*point, frames[index * every]["players"][seat][about.key]);
            }
        }
    }
    let marks = overview["marks"].as_array().unwrap();
    let out: Vec<_> = marks.iter().filter(|mark| mark["kind"] == "out").collect();
    assert_eq!(out.len(), 2, "{out:?}");
    assert!(marks.iter().any(|mark| mark["kind"] == "capture"), "{marks:?}");
    assert!(marks.is_sorted_by_key(|mark| mark["turn"].as_u64()));
}

#[tokio::test]
async fn whoever_lost_is_told_why_and_how_to_see_it_again_and_nobody_else_is() {
    let replay = played(AURALUX, &["admiral", "aggressive", "afk"], &[]);
    let (app, id) = app_with(&replay);
    let (_, told) = get(&app, &format!("/api/matches/{id}/defeats")).await;
    let defeats = told["defeats"].as_array().unwrap();
    let seats: Vec<_> = defeats.iter().map(|defeat| defeat["seat"].as_u64().unwrap()).collect();
    assert_eq!((replay.head.outcome.winner, &seats[..]), (Some(Seat::new(2)), &[1, 3][..]));
    for (defeat, found) in defeats.iter().zip(palestra_core::defeats(AURALUX, &replay).unwrap()) {
        assert_eq!(defeat["turn"], found.turn);
        let codes: Vec<_> =
            defeat["sentences"].as_array().unwrap().iter().map(|told| &told["code"]).collect();
        assert_eq!(codes[1..], ["conduct_untimed", "see_again"]);
        let (seat, turn) = (found.seat, found.turn);
        let command = format!("palestra drive {id}.replay --seat {seat} --bot ./mybot --turn {turn}");
        assert_eq!(defeat["sentences"][2]["command"], command);
    }
}

#[tokio::test]
async fn who_left_while_another_was_to_move_is_shown_in_a_turn_of_its_own() {
    let request = PlanRequest { changes: &[], map: None, players: 3, seed: 5 };
    let entrants = vec![Entrant::built_in("greedy"); 3];
    let plan = GENERALS.plan(&request).unwrap();
    let mut game = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap();
    for _ in 0..4 {
        game.next();
    }
    game.leave(Seat::new(3), Exit::ClosedOutput);
    while game.next() != Next::Over {}
    let replay = game.finish(Vec::new()).unwrap().1;
    let (app, id) = app_with(&replay);
    let (_, detail) = get(&app, &format!("/api/matches/{id}/turns/5?of=3")).await;
    let fault = json!({ "code": "closed_output" });
    assert_eq!((&detail["turn"], &detail["fault"]), (&json!(5), &fault), "{detail}");
    assert_eq!((&detail["ask"], &detail["answer"]), (&json!(""), &Value::Null), "it was not asked");
    let (_, overview) = get(&app, &format!("/api/matches/{id}/overview")).await;
    let marks = overview["marks"].as_array().unwrap();
    assert!(marks.iter().any(|mark| mark["turn"] == 5 && mark["seat"] == 3 && mark["kind"] == "fault"));
    // The one who was to move has its turn behind that.
    let (_, next) = get(&app, &format!("/api/matches/{id}/turns/6?of=2")).await;
    assert_eq!(next["turn"], 6, "{next}");
}

#[tokio::test]
async fn a_turn_is_told_raw() {
    let replay = played(GENERALS, &["greedy", "hunter"], &[]);
    let (app, id) = app_with(&replay);
    let (_, first) = get(&app, &format!("/api/matches/{id}/turns/1?of=1")).await;
    assert!(first["ask"].as_str().unwrap().starts_with("20 20 2 1\n1\n"), "{first}");
    assert_eq!((first["turn"].as_u64(), first["seat"].as_u64()), (Some(1), Some(1)));
    let (_, later) = get(&app, &format!("/api/matches/{id}/turns/101?of=2")).await;
    assert_eq!(later["turn"], 100);
    assert!(later["ask"].as_str().unwrap().starts_with("1\n") && later["answer"].is_string(), "{later}");
    let (_, end) = get(&app, &format!("/api/matches/{id}/turns/4000000000?of=2")).await;
    assert!(end["turn"].as_u64().unwrap() + 2 >= u64::from(replay.head.turns));
    let (status, before) = get(&app, &format!("/api/matches/{id}/turns/0?of=1")).await;
    assert_eq!((status, &before["error"]), (StatusCode::BAD_REQUEST, &json!("seat 1 has had no turn yet")));
}

#[tokio::test]
async fn requests_that_make_no_sense_are_told_so() {
    let (app, id) = app_with(&played(GENERALS, &["rest", "greedy"], &[]));
    for (address, status, sentence) in [
        ("/api/matches/nobody".to_owned(), StatusCode::NOT_FOUND, "there is no match \"nobody\" here"),
        (format!("/api/matches/{id}/frames?every=3&chunk=0"), StatusCode::BAD_REQUEST, "every must be"),
        (format!("/api/matches/{id}/frames?every=1"), StatusCode::BAD_REQUEST, "missing field `chunk`"),
        (format!("/api/matches/{id}/frames?every=1&chunk=-1"), StatusCode::BAD_REQUEST, "invalid digit"),
        (format!("/api/matches/{id}/frames?every=1&chunk=0&seat=3"), StatusCode::BAD_REQUEST, "no seat 3"),
        (format!("/api/matches/{id}/frames?every=1&chunk=0&seat=0"), StatusCode::BAD_REQUEST, "no seat 0"),
        (format!("/api/matches/{id}/turns/1?of=0"), StatusCode::BAD_REQUEST, "no seat 0"),
        ("/api/games/chess/rules".to_owned(), StatusCode::NOT_FOUND, "there is no such game"),
        ("/api/nothing".to_owned(), StatusCode::NOT_FOUND, "there is no such address"),
    ] {
        let (found, answer) = get(&app, &address).await;
        assert_eq!(found, status, "{address}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(sentence), "{address}: {answer}");
    }
}

#[tokio::test]
async fn files_are_dropped_and_the_oldest_forgotten() {
    let replay = played(GENERALS, &["rest", "greedy"], &[]);
    let bytes = replay.to_bytes().unwrap();
    let (app, first) = app_with(&replay);
    for number in 0..=limits::DROPPED_FILES {
        let address = format!("/api/matches?name=dropped-{number}.replay");
        let (status, summary) = post(&app, &address, bytes.clone()).await;
        assert_eq!((status, &summary["id"]), (StatusCode::OK, &json!(format!("dropped-{number}"))));
    }
    let (_, list) = get(&app, "/api/matches").await;
    let ids: Vec<_> =
        list["matches"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), limits::DROPPED_FILES + 1);
    assert!(ids.contains(&first.as_str()) && !ids.contains(&"dropped-0") && ids.contains(&"dropped-1"));

    let mut broken = bytes.clone();
    let last = broken.len() - 1;
    broken[last] ^= 1;
    let foreign = Request::post("/api/matches?name=x").header("sec-fetch-site", "cross-site");
    for (body, sentence) in [
        (broken, "the replay is damaged"),
        (bytes[..20].to_vec(), "the replay is damaged"),
        (b"hello".to_vec(), "neither a replay of palestra nor a log"),
        (vec![0xff; 100], "neither a replay of palestra nor a log"),
        (Vec::new(), "neither a replay of palestra nor a log"),
    ] {
        let (status, answer) = post(&app, "/api/matches?name=x.replay", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer["error"].as_str().unwrap().contains(sentence), "{answer}");
    }
    let (status, _) = request(&app, foreign.body(Body::from(bytes)).unwrap()).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

/// A replay whose answers were changed is read, and told to be wrong when it is looked at.
#[tokio::test]
async fn a_replay_that_does_not_hold_is_told_so() {
    let mut replay = played(GENERALS, &["greedy", "hunter"], &[]);
    replay.head.plan.setup = GENERALS.generate(&[], &[8, 8, 2], 1).unwrap();
    let (app, id) = app_with(&replay);
    let (status, answer) = get(&app, &format!("/api/matches/{id}/frames?every=1&chunk=1")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer["error"].as_str().unwrap().contains("the replay"), "{answer}");
}

/// Plays with the reporter, and calls back now and then.
struct Pausing<'a> {
    publisher: crate::FeedPublisher,
    look: &'a mut dyn FnMut(u32),
}

impl Watch for Pausing<'_> {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        self.publisher.turn(game, overheard);
        (self.look)(game.turns());
    }
}

#[test]
fn a_match_is_seen_while_it_is_played() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = app();
    let request = PlanRequest { changes: &[], map: None, players: 2, seed: 9 };
    let plan = GENERALS.plan(&request).unwrap();
    let bots = vec![Bot::built_in("hunter"), Bot::built_in("greedy")];
    let (start, links) = Bot::seat(bots, GENERALS, plan, TimeControl::Unlimited).unwrap();
    let added = app.library.add_live(GENERALS, start.recorded().clone(), Vec::new(), true);
    let (id, publisher, people) = added.unwrap();
    assert!(people.is_empty());
    let frames_at = |chunk: u32| {
        runtime.block_on(get(&app, &format!("/api/matches/{id}/frames?every=1&chunk={chunk}"))).1
    };
    let mut seen = Vec::new();
    let mut look = |turn: u32| {
        if [1, 2, 127, 128, 200].contains(&turn) {
            let chunk = frames_at(turn / limits::CHUNK_MOMENTS);
            assert_eq!((chunk["turns"].as_u64(), chunk["over"].as_bool()), (Some(turn.into()), Some(false)));
            seen.push(moments(&chunk).last().unwrap().clone());
        }
    };
    let mut watch = Pausing { publisher, look: &mut look };
    let options = Options { cores: Cores::Any, ..Options::default() };
    let done = play(start, links, options, &mut watch).unwrap();
    watch.publisher.end(done.replay.clone());
    let frames = straight(GENERALS, &done.replay, Eye::Spectator);
    assert_eq!(seen.len(), 5);
    for moment in &seen {
        assert_eq!(moment["frame"], frames[moment["turn"].as_u64().unwrap() as usize]);
    }
    let (_, head) = runtime.block_on(get(&app, &format!("/api/matches/{id}")));
    assert_eq!(
        (head["over"].as_bool(), head["turns"].as_u64()),
        (Some(true), Some(done.replay.head.turns.into()))
    );
    assert_eq!(head["outcome"]["winner"], json!(done.outcome.winner));
}

#[tokio::test]
async fn progress_comes_as_events_until_the_end() {
    let app = app();
    let replay = played(GENERALS, &["hunter", "greedy"], &[]);
    let request = PlanRequest { changes: &[], map: None, players: 2, seed: 5 };
    let plan = GENERALS.plan(&request).unwrap();
    let entrants = ["hunter", "greedy"].map(Entrant::built_in);
    let start = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap();
    let (id, publisher, _) =
        app.library.add_live(GENERALS, start.recorded().clone(), Vec::new(), true).unwrap();
    let address = format!("/api/matches/{id}/events");
    let response =
        router(app.clone()).oneshot(Request::get(address).body(Body::empty()).unwrap()).await.unwrap();
    let mut body = response.into_body();
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(&first[..], b"data: {\"turns\":0,\"over\":false,\"to_move\":1}\n\n");
    let turns = replay.head.turns;
    publisher.end(replay);
    let last = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(last, format!("data: {{\"turns\":{turns},\"over\":true,\"to_move\":null}}\n\n"));
    assert!(body.frame().await.is_none());
}

#[test]
fn the_clock_of_a_person_runs_only_if_asked_for() {
    let request = PlanRequest { changes: &[], map: None, players: 2, seed: 5 };
    let second = Duration::from_secs(1);
    for (timed, budget) in [(false, None), (true, Some(second))] {
        let person = Entrant::person("human", timed);
        let entrants = [person, Entrant::built_in("greedy")];
        let plan = GENERALS.plan(&request).unwrap();
        let mut game = Match::new(GENERALS, plan, &entrants, TimeControl::PerAnswer(second)).unwrap();
        assert_eq!(game.next(), Next::Ask(Seat::new(1), budget));
    }
}

#[tokio::test]
async fn a_person_plays_its_own_seat_and_sees_no_other() {
    let app = app();
    let (person, answers) = Bot::person("human", false).unwrap();
    let Link::Pipes { output, .. } = &person.link else { panic!("a person is outside") };
    let mut output = std::io::PipeReader::from(output.try_clone().unwrap());
    let request = PlanRequest { changes: &[], map: Some(GENERALS.maps()[0].text), players: 2, seed: 5 };
    let plan = GENERALS.plan(&request).unwrap();
    let entrants = [person.entrant.clone(), Entrant::built_in("greedy")];
    let start = Match::new(GENERALS, plan.clone(), &entrants, TimeControl::Unlimited).unwrap();
    let added =
        app.library.add_live(GENERALS, start.recorded().clone(), vec![(Seat::new(1), answers)], false);
    let (id, publisher, seats) = added.unwrap();
    let key = seats[0].path.rsplit_once("key=").unwrap().1.to_owned();
    // The seed tells the whole map: it is neither in the address nor in what is told before the end.
    assert_eq!(id, "generals");
    assert_eq!(get(&app, &format!("/api/matches/{id}")).await.1["seed"], Value::Null);

    let frames = format!("/api/matches/{id}/frames?every=1&chunk=0");
    for (more, status) in [
        (String::new(), StatusCode::FORBIDDEN),
        ("&seat=1".to_owned(), StatusCode::FORBIDDEN),
        ("&seat=1&key=0".to_owned(), StatusCode::FORBIDDEN),
        (format!("&seat=2&key={key}"), StatusCode::FORBIDDEN),
        (format!("&key={key}"), StatusCode::FORBIDDEN),
        (format!("&seat=1&key={key}"), StatusCode::OK),
    ] {
        assert_eq!(get(&app, &format!("{frames}{more}")).await.0, status, "{more}");
    }
    assert_eq!(get(&app, &format!("/api/matches/{id}/overview")).await.0, StatusCode::FORBIDDEN);
    assert_eq!(get(&app, &format!("/api/matches/{id}/turns/1?of=2")).await.0, StatusCode::FORBIDDEN);
    assert_eq!(get(&app, &format!("/api/matches/{id}/replay")).await.0, StatusCode::NOT_FOUND);

    let address = format!("/api/matches/{id}/answer");
    let try_ = async |seat: u8, key: &str, turn: u32, text: &str| {
        let body = json!({ "seat": seat, "key": key, "turn": turn, "text": text }).to_string();
        post(&app, &address, body).await
    };
    assert_eq!(try_(1, "0", 1, "-1").await.0, StatusCode::FORBIDDEN);
    assert_eq!(try_(2, &key, 1, "-1").await.0, StatusCode::FORBIDDEN);
    assert_eq!(try_(1, &key, 2, "-1").await.0, StatusCode::CONFLICT);
    // In Generals an illegal move would disqualify; a person is told instead.
    let (status, why) = try_(1, &key, 1, "1 1 1 9 9").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
    assert!(!why["error"].as_str().unwrap().is_empty());
    for malformed in ["hello", "", "1 1", "-1\n-1"] {
        let (status, why) = try_(1, &key, 1, malformed).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{malformed:?}");
        // The page tells it in its own language: by the code, not by the sentence.
        let message: Message = serde_json::from_value(why["message"].clone()).unwrap();
        for language in ["en", "hu", "ru"] {
            let sentence = Catalog::of(GENERALS.info(), language).say(&message);
            assert!(language != "en" || why["error"] == sentence.as_str(), "{why}");
            assert!(language == "en" || why["error"] != sentence.as_str(), "{language}: {why}");
        }
    }
    let (status, answer) = try_(1, &key, 1, "-1").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(try_(1, &key, 1, "-1").await.0, StatusCode::CONFLICT, "twice");
    let mut written = [0; 16];
    assert_eq!(output.read(&mut written).unwrap(), 3);
    assert_eq!(&written[..3], b"-1\n");

    let body = json!({ "seat": 1, "key": key }).to_string();
    assert_eq!(post(&app, &format!("/api/matches/{id}/resign"), body).await.0, StatusCode::OK);
    assert_eq!(output.read(&mut written).unwrap(), 0, "giving up closes the pipe");

    // When it is over everybody may look.
    publisher.end(played_from(GENERALS, plan, &["rest", "greedy"]));
    assert_eq!(get(&app, &frames).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_tournaments_folder_shows_its_report_and_opens_its_replays() {
    let folder = std::env::temp_dir().join(format!("palestra-folder-{}", std::process::id()));
    let replays = folder.join("replays/0");
    std::fs::create_dir_all(&replays).unwrap();
    std::fs::write(folder.join("report.html"), "<!DOCTYPE html><title>cup</title>").unwrap();
    let replay = played(GENERALS, &["hunter", "greedy"], &[]).to_bytes().unwrap();
    let many = limits::OPEN_REPLAYS + 5;
    for number in 0..many {
        std::fs::write(replays.join(format!("{number}.replay")), &replay).unwrap();
    }
    std::fs::write(replays.join("broken.replay"), &replay[..replay.len() / 2]).unwrap();

    let app = app();
    assert_eq!(get(&app, "/report.html").await.0, StatusCode::NOT_FOUND);
    assert!(app.library.set_folder(&folder) && !app.library.set_folder(&folder));
    let report = Request::get("/report.html").body(Body::empty()).unwrap();
    let report = router(app.clone()).oneshot(report).await.unwrap();
    assert_eq!(report.status(), StatusCode::OK);
    let policy = report.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("sandbox allow-scripts") && !policy.contains("connect-src"), "{policy}");
    let body = report.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(&body[..], b"<!DOCTYPE html><title>cup</title>");

    for number in 0..many {
        let (status, head) = get(&app, &format!("/api/matches/replays~0~{number}")).await;
        assert_eq!((status, &head["names"]), (StatusCode::OK, &json!(["hunter", "greedy"])));
    }
    assert_eq!(app.library.list().len(), limits::OPEN_REPLAYS);
    // One that was closed opens again.
    assert_eq!(get(&app, "/api/matches/replays~0~0").await.0, StatusCode::OK);
    assert_eq!(get(&app, "/api/matches/replays~0~999").await.0, StatusCode::NOT_FOUND);
    assert_eq!(get(&app, "/api/matches/replays~0~broken").await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(get(&app, "/api/matches/..%2F..%2Fetc%2Fpasswd").await.0, StatusCode::NOT_FOUND);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Replays by name, as an arena has them, and how often somebody asked.
#[derive(Default)]
struct Shelf {
    replays: std::sync::Mutex<std::collections::HashMap<String, Vec<u8>>>,
    asked: std::sync::atomic::AtomicU32,
}

impl crate::ReplaySource for Arc<Shelf> {
    fn replay(&self, id: &str) -> Option<Result<Vec<u8>, crate::Unreadable>> {
        self.asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.replays.lock().unwrap().get(id).cloned().map(Ok)
    }
}

#[tokio::test]
async fn a_match_goes_from_live_to_recorded_under_one_name() {
    let shelf = Arc::new(Shelf::default());
    let app = AppState::new(Arc::new(Library::with_source(GAMES, Arc::clone(&shelf))));
    let plan = GENERALS.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 5 }).unwrap();
    let entrants = ["rest", "greedy"].map(Entrant::built_in);
    let start = Match::new(GENERALS, plan.clone(), &entrants, TimeControl::Unlimited).unwrap();
    let publisher = app.library.open_live("17", GENERALS, start.recorded().clone(), None).unwrap();
    assert!(app.library.is_live("17"));
    let (status, head) = get(&app, "/api/matches/17").await;
    assert_eq!((status, &head["over"], &head["open"]), (StatusCode::OK, &json!(false), &json!(true)));
    assert_eq!(get(&app, "/api/matches/17/replay").await.0, StatusCode::NOT_FOUND);

    let replay = played_from(GENERALS, plan, &["rest", "greedy"]);
    publisher.end(replay.clone());
    assert_eq!(get(&app, "/api/matches/17").await.1["over"], true);
    shelf.replays.lock().unwrap().insert("17".to_owned(), replay.to_bytes().unwrap());
    app.library.close_live("17");
    assert!(!app.library.is_live("17"));
    let many = (0..100).map(|_| get(&app, "/api/matches/17"));
    for (status, head) in futures_util::future::join_all(many).await {
        assert_eq!((status, &head["turns"]), (StatusCode::OK, &json!(replay.head.turns)));
    }
    assert_eq!(shelf.asked.load(std::sync::atomic::Ordering::Relaxed), 1, "it is read once for all");
    app.library.close_live("17");
    assert_eq!(get(&app, "/api/matches/17").await.0, StatusCode::OK, "what is recorded is not closed");
    assert_eq!(get(&app, "/api/matches/18").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn standard_error_is_only_for_those_who_may_read_it() {
    let mut replay = played(GENERALS, &["rest", "greedy"], &[]);
    replay.head.stderr = vec![vec![(1, b"mine".to_vec())], vec![(2, b"secret".to_vec())]];
    let (app, id) = app_with(&replay);
    let ask = async |address: &str, rights: Option<crate::ViewerRights>| {
        let mut request = Request::get(address).body(Body::empty()).unwrap();
        if let Some(rights) = rights {
            request.extensions_mut().insert(rights);
        }
        let response = crate::match_routes(Arc::clone(&app.library)).oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{address}");
        response.into_body().collect().await.unwrap().to_bytes()
    };
    let own = || Some(crate::ViewerRights { private: vec![Seat::new(1)], ..Default::default() });
    let stderr = async |seat: u8, rights| {
        let detail = ask(&format!("/api/matches/{id}/turns/2?of={seat}"), rights).await;
        serde_json::from_slice::<Value>(&detail).unwrap()["stderr"].as_str().unwrap().to_owned()
    };
    assert_eq!((stderr(1, own()).await, stderr(2, own()).await), ("mine".to_owned(), String::new()));
    assert_eq!(stderr(2, None).await, "secret", "at home everything is shown");

    let file = ask(&format!("/api/matches/{id}/replay"), own()).await;
    let told = Replay::from_bytes(&file).unwrap();
    let mut rest = replay.clone();
    rest.head.stderr[1].clear();
    assert_eq!(told, rest, "nothing else changes");
    let whole = ask(&format!("/api/matches/{id}/replay"), None).await;
    assert_eq!(Replay::from_bytes(&whole).unwrap(), replay);
}
