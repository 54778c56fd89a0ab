//! A small event with its whole site, asked without a network.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use palestra_arena::Inside;
use palestra_arena::api::{MatchKind, MatchState};
use palestra_arena::hub::Hub;
use palestra_arena::ids::{AccountId, BotId, MatchId};
use palestra_arena::plan;
use palestra_arena::store::{Changes, KeyKind, MatchRow, NewAccount, SeatRow, Store};
use palestra_core::{AnyGame, Entrant, Match, Message, Next, PlanRequest, Replay, TimeControl};
use palestra_runner::{Cores, Guard};
use palestra_server::Library;
use serde_json::Value;
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) const GENERALS: &dyn AnyGame = &palestra_generals::Generals;
const RPS: &dyn AnyGame = &palestra_rps::Rps;
pub(crate) const GAMES: &[&dyn AnyGame] = &[GENERALS, RPS];

pub(crate) const INVITE: &str = "open-sesame";

/// An event that is open.
pub(crate) struct Stand {
    pub(crate) router: Router,
    pub(crate) store: Store,
    pub(crate) hub: Hub,
    pub(crate) library: Arc<Library>,
    _folder: TempDir,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| {
            panic!("{error}: {:?} {}", self.status, String::from_utf8_lossy(&self.bytes))
        })
    }

    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().expect("a sentence").to_owned()
    }
}

impl Stand {
    pub(crate) async fn open() -> Stand {
        Stand::with("").await
    }

    /// With more lines in its plan.
    pub(crate) async fn with(settings: &str) -> Stand {
        let games = "[[game]]\nid = 'generals'\nmaps = ['duel']\n[[game]]\nid = 'rps'\nsubmissions = false\n";
        Stand::of(&format!("{settings}\n{games}"), &[]).await
    }

    /// With a plan of these games and rounds, and with players who each play Rock Paper Scissor as a built-in player does.
    pub(crate) async fn of(games: &str, players: &[(&str, &str)]) -> Stand {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        let text = format!(
            "name = 'Cup <script>alert(1)</script>'\nsandbox = 'off'\ninvite = '{INVITE}'\nsite = '127.0.0.1:0'\n\
             folder = 'data'\n{games}"
        );
        std::fs::write(&file, text).unwrap();
        let find = |id: &str| {
            GAMES.iter().copied().find(|game| game.info().id == id).ok_or_else(|| "no such game".to_owned())
        };
        let plan = Arc::new(plan::read(&file, find).unwrap());
        let store = Store::open(&folder.path().join("data"), None).await.unwrap();
        for (name, organiser) in [("olga", true), ("anna", false), ("bela", false)] {
            let password = Some(format!("{name}-secret"));
            store.add_account(NewAccount { name: name.to_owned(), password, organiser }).await.unwrap();
        }
        record_matches(&store).await;
        for (name, built_in) in players {
            let account = store.house_account(name).await.unwrap();
            store.bot_of(account.id, "rps", Some(built_in), 1500.0).await.unwrap();
        }
        let inside =
            Inside::start(plan, store.clone(), Guard::off().into(), vec![Cores::Any], None, GAMES, None);
        let Inside { hub, library, router, .. } = inside.await.unwrap();
        Stand { router, store, hub, library, _folder: folder }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes().to_vec();
        Answer { status, headers, bytes }
    }

    pub(crate) async fn get(&self, address: &str) -> Answer {
        self.send(Request::get(address).body(Body::empty()).unwrap()).await
    }

    /// With somebody's key.
    pub(crate) async fn get_as(&self, key: &str, address: &str) -> Answer {
        let request = Request::get(address).header(header::AUTHORIZATION, format!("Bearer {key}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// As a program does, with somebody's key.
    pub(crate) async fn post_as(&self, key: &str, address: &str, body: Value) -> Answer {
        let request = Request::post(address)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(body.to_string().into()).unwrap()).await
    }

    /// As the site does, with the cookie that it was given.
    pub(crate) async fn browse(&self, method: Method, cookie: &str, address: &str, body: Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header("x-palestra", "1")
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(body.to_string().into()).unwrap()).await
    }

    /// A key of somebody's.
    pub(crate) async fn key(&self, name: &str) -> String {
        let player = self.store.account_named(name).await.unwrap().unwrap().id;
        self.store.add_key(player, KeyKind::Token, "test").await.unwrap().1
    }
}

/// A match of built-in players, with words on standard error as programs leave them.
pub(crate) fn played() -> Replay {
    let plan = GENERALS.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 5 }).unwrap();
    let entrants = ["rest", "greedy"].map(Entrant::built_in);
    let mut game = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap();
    while game.next() != Next::Over {}
    let mut replay = game.finish(Vec::new()).unwrap().1;
    replay.head.stderr = vec![vec![(1, b"anna thinks".to_vec())], vec![(2, b"bela thinks".to_vec())]];
    replay
}

/// The matches that are over when the event opens: 1 is of the ladder, 2 is the first match of a version of anna's.
async fn record_matches(store: &Store) {
    let (anna, bela) = (AccountId(2), AccountId(3));
    let first = store.bot_of(anna, "generals", None, 1500.0).await.unwrap().id;
    let second = store.bot_of(bela, "generals", None, 1500.0).await.unwrap().id;
    let replay = played();
    let seat = |player: AccountId, bot: BotId, name: &str, place: u32| SeatRow {
        player: Some(player),
        bot: Some(bot),
        version: Some(1),
        built_in: false,
        person: false,
        name: name.to_owned(),
        place,
        points: None,
        elo: Some((1500.0, 0.0)),
        // As versions without codes have stored it.
        fault: Some(("out_of_time".to_owned(), Message::Sentence(format!("{name} was late in turn 7")))),
        reason: None,
    };
    let seats = vec![seat(anna, first, "anna", 1), seat(bela, second, "bela", 2)];
    let row = finished_match(1, &replay, seats);
    let mut smoke = MatchRow { id: MatchId(2), counted: 2, kind: MatchKind::Smoke, ..row.clone() };
    smoke.seats[0].elo = None;
    smoke.seats[1] = SeatRow { name: "random".to_owned(), place: 2, ..SeatRow::default() };
    let replays = [1, 2].map(|id| (MatchId(id), replay.to_bytes().unwrap())).to_vec();
    store.commit(&Changes { matches: vec![row, smoke], replays, ..Changes::default() }).await.unwrap();
}

/// A match of Generals on the ladder that is over and can be looked at.
pub(crate) fn finished_match(id: i64, replay: &Replay, seats: Vec<SeatRow>) -> MatchRow {
    MatchRow {
        id: MatchId(id),
        counted: id,
        game: "generals".to_owned(),
        kind: MatchKind::Ladder,
        round: None,
        challenge: None,
        state: MatchState::Finished,
        started: 1000,
        ended: 2000,
        turns: replay.head.turns,
        seed: 5,
        seats,
        replay: true,
        why: None,
        worker: None,
    }
}
