//! No eyes through the fog: what everybody can learn of a match that goes on while somebody in it could look.

use crate::clients::Open;
use crate::stand::{GENERALS, Stand};
use palestra_core::{Entrant, Match, Next, PlanRequest, TimeControl};
use palestra_runner::{Overheard, Watch as _};
use palestra_server::{FeedPublisher, SpectatorDelay};
use serde_json::Value;
use std::time::Duration;

/// Everything that can be asked about a match, but for its stream.
fn addresses(id: i64) -> Vec<String> {
    let mut parts = vec![String::new(), "/replay".to_owned()];
    for eye in ["", "&seat=1", "&seat=2"] {
        parts.push(format!("/frames?every=1&chunk=0{eye}"));
        parts.push(format!("/frames?every=4&chunk=0{eye}"));
        parts.push(format!("/overview?{}", eye.trim_start_matches('&')));
    }
    for turn in [0, 1, 2, 100] {
        parts.push(format!("/turns/{turn}?of=1"));
        parts.push(format!("/turns/{turn}?of=2"));
    }
    parts.into_iter().map(|part| format!("/api/matches/{id}{part}")).collect()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn who_does_not_play_learns_nothing_of_a_match_of_clients_before_it_is_over() {
    for (plan, late) in [("", (Value::Null, Value::Null)), ("live_delay = '30s'", (30.into(), 20.into()))] {
        let open = Open::new(plan).await;
        let (anna, bela) = (open.account("anna", false).await, open.account("bela", false).await);
        let (carla, olga) = (open.account("carla", false).await, open.account("olga", true).await);
        let mut pair = open.pair([&anna, &bela]).await;
        let id = pair.number();
        let mut asked = addresses(id);
        asked.push(format!("/api/matches/{id}/info"));
        let mut told: Vec<Vec<(u16, Vec<u8>)>> = Vec::new();
        for turns in [3, 20] {
            pair.play(turns).await;
            for key in [None, Some(carla.as_str()), Some(olga.as_str())] {
                let mut answers = Vec::new();
                for address in &asked {
                    let said = open.get(key, address).await;
                    let part = address.rsplit('/').next().unwrap();
                    let shown = part == "info" || *address == format!("/api/matches/{id}");
                    assert_eq!(said.status == 200, shown, "{plan} {address}: {}", said.status);
                    answers.push((said.status, said.body));
                }
                let news = open.first_news(key, &format!("/api/matches/{id}/events")).await;
                assert_eq!(news, r#"{"turns":0,"over":false,"to_move":null}"#);
                answers.push((200, news.into_bytes()));
                told.push(answers);
            }
            // The list of the start page counts turns too.
            let view = open.shown(id).await;
            assert_eq!((&view["turns"], &view["watchable"]), (&0.into(), &false.into()));
        }
        assert!(told.iter().all(|answers| *answers == told[0]), "time and place make no difference: {plan}");
        let head = open.get(None, &format!("/api/matches/{id}")).await.json();
        assert_eq!((&head["late"]["seconds"], &head["late"]["rounds"]), (&late.0, &late.1));
        assert_eq!((&head["seed"], &head["turns"], &head["open"]), (&Value::Null, &0.into(), &false.into()));

        pair.finish();
        open.end_of(id).await;
        let frames = open.get(None, &format!("/api/matches/{id}/frames?every=1&chunk=0")).await;
        assert_eq!(frames.json()["over"], true, "everything is shown when it is over");
        let seed = open.get(None, &format!("/api/matches/{id}")).await.json()["seed"].clone();
        let seed = seed.as_str().expect("the seed of a match that is over").to_owned();
        for (_, body) in told.iter().flatten() {
            assert!(!contains(body, &seed), "the seed is secret until then");
        }
    }
}

#[tokio::test]
async fn who_plays_sees_through_its_own_eyes_only() {
    let open = Open::new("").await;
    let keys = [open.account("anna", false).await, open.account("bela", false).await];
    let mut pair = open.pair([&keys[0], &keys[1]]).await;
    pair.play(7).await;
    let id = pair.number();
    let info = open.get(Some(&keys[0]), &format!("/api/matches/{id}/info")).await.json();
    assert_eq!((&info["watchable"], &info["late"]), (&true.into(), &Value::Null));
    let own = if info["seats"][0]["name"] == "anna" { [1, 2] } else { [2, 1] };
    for (key, seat) in keys.iter().zip(own) {
        let head = open.get(Some(key), &format!("/api/matches/{id}")).await.json();
        assert_eq!((&head["eye"], &head["turns"], &head["seed"]), (&seat.into(), &7.into(), &Value::Null));
        for address in addresses(id) {
            let public = address.ends_with("/replay") || address == format!("/api/matches/{id}");
            let mine = address.contains(&format!("seat={seat}")) || address.contains(&format!("of={seat}"));
            let said = open.get(Some(key), &address).await;
            assert_eq!(said.status != 403, mine || public, "{address}: {} for seat {seat}", said.status);
        }
        let frames = format!("/api/matches/{id}/frames?every=1&chunk=0&seat={seat}");
        assert_eq!(open.get(Some(key), &frames).await.json()["turns"], 7);
        let news = open.first_news(Some(key), &format!("/api/matches/{id}/events")).await;
        assert!(news.starts_with(r#"{"turns":7,"#), "{news}");
    }
    pair.finish();
    open.end_of(id).await;
    let whole = open.get(Some(&keys[0]), &format!("/api/matches/{id}/frames?every=1&chunk=0")).await;
    assert_eq!(whole.status, 200, "when it is over, everybody sees everything");
}

#[tokio::test]
async fn a_plan_can_leave_it_open() {
    let open = Open::new("live_delay = '0s'").await;
    let keys = [open.account("anna", false).await, open.account("bela", false).await];
    let mut pair = open.pair([&keys[0], &keys[1]]).await;
    pair.play(4).await;
    let frames = open.get(None, &format!("/api/matches/{}/frames?every=1&chunk=0", pair.number())).await;
    assert_eq!(frames.json()["turns"], 4);
    pair.finish();
    open.end_of(pair.number()).await;
}

/// A match on a board of plain land whose second capital is at this place of the last row, which seat 1 cannot see.
fn begun(stand: &Stand, capital: usize, delay: Option<SpectatorDelay>) -> (Match, FeedPublisher) {
    let capitals = [(0, 0), (8, capital)];
    let cell = |row: usize, column: usize| if capitals.contains(&(row, column)) { "3" } else { "1" };
    let row = |row: usize| (0..9).map(|column| cell(row, column)).collect::<Vec<_>>().join(" ");
    let map = format!("9 9 2\n{}\n", (0..9).map(row).collect::<Vec<_>>().join("\n"));
    let request = PlanRequest { changes: &[], map: Some(&map), players: 2, seed: capital as u64 };
    let plan = GENERALS.plan(&request).unwrap();
    let entrants = ["rest", "rest"].map(Entrant::built_in);
    let game = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap();
    // Under the number of a match that the store knows, so that it is known who sits where: anna and bela.
    let reporter = stand.library.open_live("1", GENERALS, game.recorded().clone(), delay).unwrap();
    (game, reporter)
}

fn go_on((game, reporter): &mut (Match, FeedPublisher), turns: u32) {
    for _ in 0..turns {
        assert!(matches!(game.next(), Next::Moved(_)));
        reporter.turn(game, Overheard::nothing());
    }
}

/// All that somebody can learn of match 1.
async fn learned(stand: &Stand, key: Option<&str>) -> Vec<(u16, Vec<u8>)> {
    let mut answers = Vec::new();
    for address in addresses(1) {
        let answer = match key {
            Some(key) => stand.get_as(key, &address).await,
            None => stand.get(&address).await,
        };
        answers.push((answer.status.as_u16(), answer.bytes));
    }
    answers
}

#[tokio::test]
async fn matches_that_differ_in_hidden_things_are_the_same_to_the_wrong_eyes() {
    let late = Some(SpectatorDelay::Behind { time: Duration::from_secs(3600), rounds: 20 });
    for delay in [Some(SpectatorDelay::UntilEnd), late, None] {
        let stand = Stand::open().await;
        let keys = [stand.key("olga").await, stand.key("anna").await, stand.key("bela").await];
        let who = [None, Some(keys[0].as_str()), Some(keys[1].as_str()), Some(keys[2].as_str())];
        let mut worlds = Vec::new();
        for capital in [8, 5] {
            let mut world = begun(&stand, capital, delay);
            go_on(&mut world, 60);
            let mut told = Vec::new();
            for key in who {
                told.push(learned(&stand, key).await);
            }
            worlds.push(told);
            stand.library.close_live("1");
        }
        let same: Vec<bool> = (0..who.len()).map(|index| worlds[0][index] == worlds[1][index]).collect();
        match delay {
            // Seat 2 knows where its own capital is.
            Some(_) => assert_eq!(same, [true, true, true, false], "{delay:?}"),
            None => assert_eq!(same, [false; 4], "without a delay the difference is there to be seen"),
        }
    }
}

#[tokio::test]
async fn late_means_so_many_rounds_behind() {
    let stand = Stand::open().await;
    let delay = SpectatorDelay::Behind { time: Duration::ZERO, rounds: 20 };
    let mut world = begun(&stand, 8, Some(delay));
    go_on(&mut world, 20);
    assert_eq!(stand.get("/api/matches/1/frames?every=1&chunk=0").await.status.as_u16(), 403);
    // Turns in quick succession are told together.
    tokio::time::sleep(2 * palestra_server::limits::DELAY_BATCH).await;
    go_on(&mut world, 40);
    for address in
        ["", "/frames?every=1&chunk=0", "/overview", "/frames?every=1&chunk=0&seat=2", "/overview?seat=1"]
    {
        let told = stand.get(&format!("/api/matches/1{address}")).await.json();
        assert_eq!(told["turns"], 20, "{address}");
        assert!(told["changes"].as_array().is_none_or(|changes| changes.len() == 20));
    }
    let detail = stand.get("/api/matches/1/turns/100?of=2").await.json();
    assert_eq!(detail["turn"], 20, "the last turn that may be seen");
    let anna = stand.key("anna").await;
    assert_eq!(stand.get_as(&anna, "/api/matches/1").await.json()["turns"], 60, "who plays is not behind");
}
