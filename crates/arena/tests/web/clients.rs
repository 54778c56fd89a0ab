//! A whole arena at real sockets: clients that play through the gateway, and anybody who asks the site.

use crate::stand::GAMES;
use palestra_arena::Arena;
use palestra_arena::plan;
use palestra_arena::store::{KeyKind, NewAccount};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// Nothing in these tests takes as long as this.
const PATIENCE: Duration = Duration::from_secs(120);

/// An arena that is open.
pub(crate) struct Open {
    arena: Arena,
    _folder: TempDir,
}

/// What the site said, as it came over the network.
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Said {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error}: {} {}", self.status, String::from_utf8_lossy(&self.body))
        })
    }
}

impl Open {
    /// With short matches of generals on new maps, and these lines in its plan.
    pub(crate) async fn new(settings: &str) -> Open {
        let game =
            "[[game]]\nid = 'generals'\nsubmissions = false\ntime = 'none'\nsettings = { max_turns = 40 }\n";
        Open::of(&format!("{settings}\n{game}")).await
    }

    /// With these lines in its plan, games included.
    pub(crate) async fn of(plan_text: &str) -> Open {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        let head = "name = 'Test'\nsite = '127.0.0.1:0'\ngateway = '127.0.0.1:0'\nrest = '1h'\n";
        std::fs::write(&file, format!("{head}{plan_text}")).unwrap();
        let find = |id: &str| {
            GAMES.iter().copied().find(|game| game.info().id == id).ok_or_else(|| "no such game".to_owned())
        };
        let arena = Arena::start(plan::read(&file, find).unwrap(), GAMES, None).await.unwrap();
        Open { arena, _folder: folder }
    }

    /// A new player, or an organiser; their key.
    pub(crate) async fn account(&self, name: &str, organiser: bool) -> String {
        let new = NewAccount { name: name.to_owned(), password: None, organiser };
        let (account, _) = self.arena.store.add_account(new).await.unwrap();
        self.arena.store.add_key(account.id, KeyKind::Token, "test").await.unwrap().1
    }

    async fn ask(&self, key: Option<&str>, address: &str) -> TcpStream {
        self.request("GET", key, address, "").await
    }

    async fn request(&self, method: &str, key: Option<&str>, address: &str, body: &str) -> TcpStream {
        let key = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
        self.request_with(&key, method, address, body).await
    }

    async fn request_with(&self, header: &str, method: &str, address: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.arena.site).await.unwrap();
        let about = match body.len() {
            0 => String::new(),
            length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
        };
        let head =
            format!("{method} {address} HTTP/1.1\r\nhost: x\r\nx-palestra: 1\r\nconnection: close\r\n");
        stream.write_all(format!("{head}{about}{header}\r\n{body}").as_bytes()).await.unwrap();
        stream
    }

    /// Asks the site, with somebody's key or without.
    pub(crate) async fn get(&self, key: Option<&str>, address: &str) -> Said {
        Open::answer(self.ask(key, address).await).await
    }

    /// The table at which somebody has a place, by its secret.
    pub(crate) async fn table(&self, token: &str) -> Said {
        let header = format!("x-palestra-table: {token}\r\n");
        Open::answer(self.request_with(&header, "GET", "/api/play/table", "").await).await
    }

    /// Has the site do something, with somebody's key or as the site's own page does.
    pub(crate) async fn post(&self, key: Option<&str>, address: &str, body: Value) -> Said {
        Open::answer(self.request("POST", key, address, &body.to_string()).await).await
    }

    /// Hands in a file.
    pub(crate) async fn upload(&self, key: &str, address: &str, content: &[u8]) -> Said {
        let content = std::str::from_utf8(content).unwrap();
        Open::answer(self.request("POST", Some(key), address, content).await).await
    }

    pub(crate) async fn delete(&self, key: Option<&str>, address: &str) -> Said {
        Open::answer(self.request("DELETE", key, address, "").await).await
    }

    pub(crate) fn hub(&self) -> palestra_arena::hub::Hub {
        self.arena.hub.clone()
    }

    async fn answer(mut stream: TcpStream) -> Said {
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("an answer in time").unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        assert!(!head.to_lowercase().contains("etag"), "{head}");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Said { status, body: bytes[end + 4..].to_vec() }
    }

    /// The first message of a stream.
    pub(crate) async fn first_news(&self, key: Option<&str>, address: &str) -> String {
        let mut lines = BufReader::new(self.ask(key, address).await).lines();
        let first = timeout(PATIENCE, async {
            loop {
                let line = lines.next_line().await.unwrap().expect("a message");
                if let Some(data) = line.strip_prefix("data: ") {
                    return data.to_owned();
                }
            }
        });
        first.await.expect("a message in time")
    }

    /// Two clients in one match, which both answer only as often as they are let.
    pub(crate) async fn pair(&self, keys: [&str; 2]) -> Pair {
        let gateway = self.arena.gateway.unwrap();
        let turns = Arc::new(Semaphore::new(0));
        let (asked, asks) = watch::channel((0, 0));
        for key in keys {
            tokio::spawn(client(gateway, key.to_owned(), Arc::clone(&turns), asked.clone()));
        }
        let mut pair = Pair { turns, asks, let_go: 0 };
        pair.play(0).await;
        pair
    }

    /// A match as the start page has it; waits until it is there.
    pub(crate) async fn shown(&self, number: i64) -> Value {
        let shown = timeout(PATIENCE, async {
            loop {
                let live: Value = serde_json::from_str(&self.first_news(None, "/api/stream").await).unwrap();
                let mut matches = live["matches"].as_array().unwrap().iter();
                if let Some(view) = matches.find(|view| view["id"] == number) {
                    return view.clone();
                }
                sleep(Duration::from_millis(20)).await;
            }
        });
        shown.await.expect("the match in time")
    }

    /// Waits until a match is over.
    pub(crate) async fn end_of(&self, number: i64) {
        let waited = timeout(PATIENCE, async {
            while self.get(None, &format!("/api/matches/{number}/info")).await.json()["state"] != "finished" {
                sleep(Duration::from_millis(20)).await;
            }
        });
        waited.await.expect("the end in time");
    }
}

/// A match of two clients.
pub(crate) struct Pair {
    turns: Arc<Semaphore>,
    /// The number of the match, and how often its players were asked.
    asks: watch::Receiver<(i64, u32)>,
    let_go: u32,
}

impl Pair {
    pub(crate) fn number(&self) -> i64 {
        self.asks.borrow().0
    }

    /// Lets both take so many turns together, and waits until one is asked for the next.
    pub(crate) async fn play(&mut self, turns: u32) {
        self.let_go += turns;
        self.turns.add_permits(turns as usize);
        let wanted = self.let_go + 1;
        let waited = timeout(PATIENCE, self.asks.wait_for(|(_, asks)| *asks == wanted));
        waited.await.expect("turns in time").unwrap();
    }

    /// Lets them play to the end.
    pub(crate) fn finish(&self) {
        self.turns.add_permits(10_000);
    }
}

/// Passes in every turn that it is let take.
async fn client(
    gateway: SocketAddr,
    key: String,
    turns: Arc<Semaphore>,
    asked: watch::Sender<(i64, u32)>,
) -> std::io::Result<()> {
    let stream = TcpStream::connect(gateway).await?;
    let (reading, mut writing) = stream.into_split();
    let mut reading = BufReader::new(reading);
    writing.write_all(format!("palestra-bridge 1\nlogin generals {key}\nopponent any\n").as_bytes()).await?;
    let mut heard = 0;
    loop {
        let mut line = String::new();
        if reading.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ping", ..] => writing.write_all(b"pong\n").await?,
            ["begin", number, ..] => {
                asked.send_modify(|(match_number, _)| *match_number = number.parse().unwrap());
                writing.write_all(b"ready\n").await?;
            }
            ["bytes", length] => {
                let mut bytes = vec![0; length.parse().unwrap()];
                reading.read_exact(&mut bytes).await?;
                heard += 1;
                // The map comes first; then every turn is asked for.
                if heard > 1 && bytes != b"0\n" {
                    asked.send_modify(|(_, asks)| *asks += 1);
                    turns.acquire().await.unwrap().forget();
                    writing.write_all(b"bytes 3\n-1\n").await?;
                }
            }
            ["over", ..] => return Ok(()),
            _ => {}
        }
    }
}
