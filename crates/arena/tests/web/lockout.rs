//! Those who try to keep others out: by guessing until an account or an address is slow, by taking all the room there is.
//! What is asserted is what the others see.

use crate::sockets::listening;
use crate::stand::{INVITE, Stand};
use palestra_arena::{gateway, limits};
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// A hall behind one router, as a proxy in front of the site tells it.
const HALL: &str = "203.0.113.7";
const ELSEWHERE: &str = "198.51.100.9";

/// The whole answer to a request from this address, or from the machine itself.
async fn ask(site: SocketAddr, from: Option<&str>, cookie: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(site).await.unwrap();
    let from = from.map(|from| format!("x-forwarded-for: {from}\r\n")).unwrap_or_default();
    let method = if body.is_empty() { "GET" } else { "POST" };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nx-palestra: 1\r\ncontent-type: application/json\r\n{from}\
         cookie: {cookie}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn sign_in(site: SocketAddr, from: Option<&str>, cookie: &str, name: &str, password: &str) -> String {
    let body = json!({ "name": name, "password": password }).to_string();
    ask(site, from, cookie, "/api/login", &body).await
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_guesses_keeps_nobody_out() {
    let stand = Stand::with("behind_proxy = true").await;
    let (site, _stop, _served) = listening(&stand, None).await;
    // Anna has signed in from the hall before.
    let before = sign_in(site, Some(HALL), "", "anna", "anna-secret").await;
    let device = before.lines().find_map(|line| line.strip_prefix("set-cookie: palestra_device=")).unwrap();
    let device = format!("palestra_device={}", device.split(';').next().unwrap());
    // Somebody in the hall guesses at every account at once, for as long as this test lasts.
    let mut guesses = JoinSet::new();
    for number in 0..60 {
        guesses.spawn(async move {
            let name = ["anna", "bela", "olga", "nobody"][number % 4];
            loop {
                let answer = sign_in(site, Some(HALL), "", name, "guessed").await;
                assert!(["401", "429"].contains(&status(&answer)), "{answer}");
            }
        });
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    for (who, from, cookie) in [
        ("bela", Some(ELSEWHERE), ""),
        ("olga", Some(ELSEWHERE), ""),
        ("olga", None, ""),
        ("anna", Some(HALL), device.as_str()),
    ] {
        let answer = sign_in(site, from, cookie, who, &format!("{who}-secret")).await;
        assert_eq!(status(&answer), "200", "{who} from {from:?}: {answer}");
    }
    // Newcomers in the hall come in too.
    let body = json!({ "name": "dora", "password": "dora-secret", "invite": INVITE }).to_string();
    let answer = ask(site, Some(HALL), "", "/api/register", &body).await;
    assert_eq!(status(&answer), "200", "{answer}");
    let answer = sign_in(site, Some(HALL), "", "dora", "dora-secret").await;
    assert_eq!(status(&answer), "200", "nobody guessed at her account: {answer}");
    guesses.shutdown().await;
    // Whoever remembers the password after many tries gets in.
    for _ in 0..limits::GUESSES_OF_LANE + 2 {
        let answer = sign_in(site, Some("192.0.2.1"), "", "bela", "was-it-this").await;
        assert_eq!(status(&answer), "401", "{answer}");
    }
    let answer = sign_in(site, Some("192.0.2.1"), "", "bela", "bela-secret").await;
    assert_eq!(status(&answer), "200", "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_make_room_for_who_asks() {
    gateway::allow_many_files();
    let stand = Stand::open().await;
    let (site, _stop, _served) = listening(&stand, None).await;
    // One that has asked and may ask again, one that has not asked to its end, and as many silent ones as there is room for.
    let mut kept = TcpStream::connect(site).await.unwrap();
    kept.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    assert!(kept.read(&mut [0; 1000]).await.unwrap() > 0);
    let mut half = TcpStream::connect(site).await.unwrap();
    half.write_all(b"GET /health HT").await.unwrap();
    let mut listens = TcpStream::connect(site).await.unwrap();
    listens.write_all(b"GET /api/stream HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    assert!(listens.read(&mut [0; 1000]).await.unwrap() > 0);
    let mut silent = Vec::new();
    for _ in 3..limits::SITE_CONNECTIONS_OF_ADDRESS {
        silent.push(TcpStream::connect(site).await.unwrap());
    }
    let mut newcomers = Vec::new();
    for _ in 0..5 {
        let mut newcomer = TcpStream::connect(site).await.unwrap();
        newcomer.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let mut answer = [0; 12];
        newcomer.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
        newcomers.push(newcomer);
    }
    for stream in [&mut kept, &mut half, &mut silent[0]] {
        let ended = timeout(Duration::from_secs(20), stream.read(&mut [0; 1000])).await;
        assert!(matches!(ended, Ok(Ok(0) | Err(_))), "an idle connection makes room");
    }
    let ended = timeout(Duration::from_millis(100), listens.read(&mut [0; 100_000])).await;
    assert!(!matches!(ended, Ok(Ok(0) | Err(_))), "whoever listens is not idle");
}
