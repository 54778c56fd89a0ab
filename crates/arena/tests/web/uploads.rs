//! Those who hand something in and never end.

use crate::stand::Stand;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode, header};
use futures_util::{StreamExt as _, stream};
use std::convert::Infallible;
use tokio::sync::oneshot;

fn upload(key: &str, body: Body) -> Request<Body> {
    let request = Request::post("/api/games/generals/versions?file=bot.py");
    request.header(header::AUTHORIZATION, format!("Bearer {key}")).body(body).unwrap()
}

#[tokio::test]
async fn whoever_stalls_has_one_place_and_the_others_have_theirs() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    let (begins, begun) = oneshot::channel();
    let first = stream::once(async move {
        let _ = begins.send(());
        Ok::<_, Infallible>(Bytes::from_static(b"# and so on"))
    });
    let stalled = upload(&anna, Body::from_stream(first.chain(stream::pending())));
    let stalled = tokio::spawn(tower::ServiceExt::oneshot(stand.router.clone(), stalled));
    begun.await.expect("somebody reads it");
    for _ in 0..3 {
        let answer = stand.send(upload(&anna, Body::from("print(1)"))).await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS, "one at a time");
        assert!(answer.error().contains("you are handing something in at this moment"), "{}", answer.error());
    }
    for _ in 0..3 {
        let answer = stand.send(upload(&bela, Body::from("print(1)"))).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", String::from_utf8_lossy(&answer.bytes));
    }
    stalled.abort();
    assert!(stalled.await.unwrap_err().is_cancelled(), "it is still there");
    let answer = stand.send(upload(&anna, Body::from("print(1)"))).await;
    assert_eq!(answer.status, StatusCode::OK, "its place is given back");
}
