//! Looking at matches, live and recorded: who may, and what they are shown.

use crate::stand::{GENERALS, Stand, played};
use axum::http::StatusCode;
use palestra_core::{Entrant, Match, PlanRequest, Replay, TimeControl};
use serde_json::json;

const ADDRESSES: [&str; 7] = [
    "/api/matches/ID",
    "/api/matches/ID/frames?every=1&chunk=0",
    "/api/matches/ID/overview",
    "/api/matches/ID/defeats",
    "/api/matches/ID/turns/2?of=1",
    "/api/matches/ID/events",
    "/api/matches/ID/replay",
];

#[tokio::test]
async fn a_recorded_match_is_shown_to_those_the_event_says() {
    for (audience, stranger, other) in [("everybody", 200, 200), ("players", 403, 200), ("own", 403, 403)] {
        let stand = Stand::with(&format!("replays = '{audience}'")).await;
        let (olga, anna, bela) = (stand.key("olga").await, stand.key("anna").await, stand.key("bela").await);
        let dora = stand.post_as(&olga, "/api/admin/players", json!({ "name": "dora" })).await.json();
        assert_eq!(dora["name"], "dora");
        let dora = stand.key("dora").await;
        for address in ADDRESSES {
            let (ladder, smoke) = (address.replace("ID", "1"), address.replace("ID", "2"));
            assert_eq!(stand.get(&ladder).await.status.as_u16(), stranger, "{audience} {address}");
            assert_eq!(stand.get_as(&dora, &ladder).await.status.as_u16(), other, "{audience} {address}");
            for own in [&olga, &anna, &bela] {
                assert_eq!(stand.get_as(own, &ladder).await.status, StatusCode::OK, "{audience} {address}");
            }
            // A first match is its author's, whatever the event says of others.
            assert_eq!(stand.get(&smoke).await.status, StatusCode::NOT_FOUND);
            assert_eq!(stand.get_as(&bela, &smoke).await.status, StatusCode::NOT_FOUND);
            assert_eq!(stand.get_as(&anna, &smoke).await.status, StatusCode::OK);
            for trick in ["01", "+1", "1%00", "%31", "1;a", "2%20"] {
                let status = stand.get(&address.replace("ID", trick)).await.status;
                assert_eq!(status, StatusCode::NOT_FOUND, "{trick}");
            }
        }
        let watchable = |key: String| {
            let stand = &stand;
            async move { stand.get_as(&key, "/api/matches/1/info").await.json()["watchable"] == true }
        };
        assert!(watchable(anna).await);
        assert_eq!(watchable(dora).await, other == 200);
    }
}

#[tokio::test]
async fn standard_error_is_for_its_author() {
    let stand = Stand::open().await;
    let (olga, anna) = (stand.key("olga").await, stand.key("anna").await);
    let said = async |key: Option<&str>, seat: u8| {
        let address = format!("/api/matches/1/turns/2?of={seat}");
        let answer = match key {
            Some(key) => stand.get_as(key, &address).await,
            None => stand.get(&address).await,
        };
        answer.json()["stderr"].as_str().unwrap().to_owned()
    };
    assert_eq!((said(None, 1).await.as_str(), said(None, 2).await.as_str()), ("", ""));
    assert_eq!(
        (said(Some(&anna), 1).await.as_str(), said(Some(&anna), 2).await.as_str()),
        ("anna thinks", "")
    );
    assert_eq!(said(Some(&olga), 2).await, "bela thinks");
    let file = Replay::from_bytes(&stand.get_as(&anna, "/api/matches/1/replay").await.bytes).unwrap();
    assert_eq!(file.head.stderr, [played().head.stderr[0].clone(), Vec::new()]);
    let file = Replay::from_bytes(&stand.get("/api/matches/1/replay").await.bytes).unwrap();
    assert!(file.head.stderr.iter().all(Vec::is_empty));
}

#[tokio::test]
async fn many_ask_for_the_same_and_nobody_waits_long() {
    let stand = Stand::open().await;
    let plan = GENERALS.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 5 }).unwrap();
    let entrants = ["rest", "greedy"].map(Entrant::built_in);
    let start = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap();
    // Under the number of a match that the store knows, so that it is known who sits where.
    let reporter = stand.library.open_live("1", GENERALS, start.recorded().clone(), None).unwrap();
    let address = "/api/matches/1/frames?every=1&chunk=0";
    let answers = futures_util::future::join_all((0..500).map(|_| stand.get(address))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::OK && answer.bytes == answers[0].bytes));
    assert_eq!(answers[0].json()["over"], false);
    reporter.end(played());
    assert_eq!(stand.get(address).await.json()["over"], true, "the end is told at once");
    stand.library.close_live("1");
    assert_eq!(stand.get(address).await.json()["over"], true);
}
