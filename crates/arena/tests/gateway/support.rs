//! An arena in a folder of its own, and clients that talk to it line by line.

use palestra_arena::Arena;
use palestra_arena::api::MatchView;
use palestra_arena::plan;
use palestra_arena::store::{Account, NewAccount};
use palestra_core::AnyGame;
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, ReadHalf,
    WriteHalf,
};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Nothing in these tests takes as long as this.
const PATIENCE: Duration = Duration::from_secs(120);

static GAMES: &[&dyn AnyGame] = &[&palestra_rps::Rps, &palestra_generals::Generals];

pub(crate) struct Event {
    pub(crate) arena: Arena,
    pub(crate) address: SocketAddr,
    /// By name.
    passwords: Mutex<HashMap<String, String>>,
    _folder: tempfile::TempDir,
}

impl Event {
    /// An event with short matches of two games; `more` goes into the plan.
    pub(crate) async fn new(more: &str) -> Event {
        let games = "[[game]]\nid = \"rps\"\nsubmissions = false\nsettings = { max_ticks = 40 }\n\
                     [[game]]\nid = \"generals\"\nsubmissions = false\nsettings = { max_turns = 20 }\n";
        Event::with(&format!("{more}\n{games}")).await
    }

    /// An event with this plan.
    pub(crate) async fn with(text: &str) -> Event {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        let addresses = "site = \"127.0.0.1:0\"\ngateway = \"127.0.0.1:0\"\n";
        std::fs::write(&file, format!("name = \"Test\"\n{addresses}{text}")).unwrap();
        let find = |id: &str| {
            let game = GAMES.iter().copied().find(|game| game.info().id == id);
            game.ok_or_else(|| "there is no such game".to_owned())
        };
        let plan = plan::read(&file, find).unwrap();
        let arena = Arena::start(plan, GAMES, None).await.unwrap();
        let address = arena.gateway.unwrap();
        Event { arena, address, passwords: Mutex::default(), _folder: folder }
    }

    /// A player with this name and a password that the arena makes.
    pub(crate) async fn player(&self, name: &str) -> Account {
        let new = NewAccount { name: name.to_owned(), password: None, organiser: false };
        let (account, password) = self.arena.store.add_account(new).await.unwrap();
        self.passwords.lock().unwrap().insert(name.to_owned(), password);
        account
    }

    /// The password of a player.
    pub(crate) fn password(&self, name: &str) -> String {
        self.passwords.lock().unwrap()[name].clone()
    }

    pub(crate) async fn connect(&self) -> Client {
        Client::new(self.socket().await)
    }

    pub(crate) async fn socket(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// A connection of somebody whose system keeps as little as it can for them.
    pub(crate) async fn socket_with_little_room(&self) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(1).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// A client of old that has logged in as a new player; its list of players and ping are read.
    pub(crate) async fn log_in(&self, name: &str) -> Client {
        self.player(name).await;
        self.log_in_again(name).await
    }

    pub(crate) async fn log_in_again(&self, name: &str) -> Client {
        let mut client = self.connect().await;
        client.send(&format!("login {}\n", self.password(name))).await;
        assert!(client.packet().await.starts_with("players "));
        assert_eq!(client.line().await, "ping");
        client
    }

    /// Waits for a result that is as wanted.
    pub(crate) async fn result(&self, wanted: impl Fn(&MatchView) -> bool) -> MatchView {
        let mut snapshots = self.arena.hub.snapshots();
        let found = timeout(PATIENCE, async {
            loop {
                let found =
                    snapshots.borrow_and_update().live.latest.iter().find(|view| wanted(view)).cloned();
                if let Some(found) = found {
                    return found;
                }
                snapshots.changed().await.unwrap();
            }
        });
        found.await.expect("such a result in time")
    }
}

/// A file of the event's certificate: one for localhost that is of no use elsewhere.
fn pem(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web/tls").join(name).with_extension("pem")
}

/// What a plan says about TLS.
pub(crate) fn tls() -> String {
    format!("tls = {{ certificate = {:?}, key = {:?} }}\n", pem("certificate"), pem("key"))
}

/// What a client that trusts the event's certificate begins with.
pub(crate) fn trusting() -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(pem("certificate")).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    Arc::new(config)
}

/// What bytes go through.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for S {}

/// A connection, line by line.
pub(crate) struct Client {
    read: BufReader<ReadHalf<Box<dyn Stream>>>,
    write: WriteHalf<Box<dyn Stream>>,
}

impl Client {
    pub(crate) fn new(stream: impl Stream) -> Client {
        let (read, write) = tokio::io::split(Box::new(stream) as Box<dyn Stream>);
        Client { read: BufReader::new(read), write }
    }

    /// The same through TLS.
    pub(crate) async fn with_tls(stream: impl Stream) -> io::Result<Client> {
        let handshake = TlsConnector::from(trusting()).connect("localhost".try_into().unwrap(), stream);
        timeout(PATIENCE, handshake).await.expect("a handshake in time").map(Client::new)
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.write.write_all(text.as_bytes()).await.unwrap();
        self.write.flush().await.unwrap();
    }

    /// Sends what may not be taken any more.
    pub(crate) async fn try_send(&mut self, bytes: &[u8]) -> bool {
        let sent = timeout(PATIENCE, async {
            self.write.write_all(bytes).await?;
            self.write.flush().await
        });
        sent.await.is_ok_and(|sent| sent.is_ok())
    }

    /// The next line; nothing when the connection is closed.
    pub(crate) async fn try_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.read.read_line(&mut line)).await.expect("a line in time");
        match read {
            Ok(1..) => Some(line.strip_suffix('\n').expect("a whole line").to_owned()),
            Ok(0) | Err(_) => None,
        }
    }

    pub(crate) async fn line(&mut self) -> String {
        self.try_line().await.expect("a line")
    }

    /// Lines up to one with a point.
    pub(crate) async fn packet(&mut self) -> String {
        let mut packet = String::new();
        loop {
            let line = self.line().await;
            packet += &format!("{line}\n");
            if line == "." {
                return packet;
            }
        }
    }

    /// The next packet of a match: pings are answered, and lists of players skipped.
    pub(crate) async fn game_packet(&mut self) -> String {
        loop {
            let first = self.line().await;
            if first == "ping" {
                self.send("pong\n").await;
                continue;
            }
            let packet = format!("{first}\n{}", self.packet().await);
            if packet.starts_with("tick ") {
                return packet;
            }
            assert!(packet.starts_with("players "), "{packet}");
        }
    }

    /// Plays a match with this answer to every packet but the last; gives the last one, unanswered.
    pub(crate) async fn play(&mut self, answer: &str) -> String {
        loop {
            let packet = self.game_packet().await;
            if packet.contains("\nfinished ") {
                return packet;
            }
            self.send(answer).await;
        }
    }

    /// So many bytes.
    pub(crate) async fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        timeout(PATIENCE, self.read.read_exact(&mut bytes)).await.expect("bytes in time").unwrap();
        bytes
    }

    /// Waits until the other end has closed it.
    pub(crate) async fn is_closed(&mut self) {
        while self.try_line().await.is_some() {}
    }
}
