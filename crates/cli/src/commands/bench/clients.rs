//! Clients of Rock Paper Scissor by the thousand, which answer and do nothing else.

use crate::failure::Failure;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;

/// Clients that log in at the same time.
const AT_THE_DOOR: usize = 200;
/// Bytes read at a time.
const READ: usize = 2 << 10;

/// Clients that are connected. They leave when it is dropped.
pub(super) struct Crowd {
    clients: JoinSet<io::Result<()>>,
    play: watch::Sender<bool>,
    answers: Arc<AtomicU64>,
}

impl Crowd {
    /// Comes in with these keys. Each client thinks so long about every answer.
    pub(super) async fn gather(
        gateway: SocketAddr,
        keys: Vec<String>,
        thinks: Option<Duration>,
    ) -> Result<Crowd, Failure> {
        let play = watch::Sender::new(false);
        let answers = Arc::new(AtomicU64::new(0));
        let door = Arc::new(Semaphore::new(AT_THE_DOOR));
        let (came, mut inside) = mpsc::channel(AT_THE_DOOR);
        let mut clients = JoinSet::new();
        let all = keys.len();
        for key in keys {
            let (play, answers) = (play.subscribe(), Arc::clone(&answers));
            let (came, door) = (came.clone(), Arc::clone(&door));
            clients.spawn(async move {
                let turn = door.acquire_owned().await.expect("the door is never closed");
                let stream = TcpStream::connect(gateway).await?;
                let mut client =
                    Client { stream, play, answers, thinks, inside: false, packet: Packet::None };
                client.log_in(&key).await?;
                drop(turn);
                // Whoever counts may have given up.
                let _ = came.send(()).await;
                client.stay().await
            });
        }
        drop(came);
        for count in 0..all {
            if inside.recv().await.is_none() {
                return Err(Failure::input(format!("only {count} of {all} clients were let in")));
            }
            if let Some(Ok(Err(error))) = clients.try_join_next() {
                return Err(Failure::input(format!("client {count} of {all} was not let in: {error}")));
            }
        }
        Ok(Crowd { clients, play, answers })
    }

    /// Everybody wants to play everybody, at once.
    pub(super) fn play(&self) {
        self.play.send_replace(true);
    }

    /// Packets that were answered.
    pub(super) fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    /// How many are still connected.
    pub(super) fn connected(&mut self) -> usize {
        while self.clients.try_join_next().is_some() {}
        self.clients.len()
    }
}

struct Client {
    stream: TcpStream,
    play: watch::Receiver<bool>,
    answers: Arc<AtomicU64>,
    thinks: Option<Duration>,
    /// Whether it has been greeted.
    inside: bool,
    packet: Packet,
}

/// What the lines at the moment belong to.
enum Packet {
    None,
    /// Of the list of players.
    List,
    /// Of a match: it is answered.
    Match,
}

impl Client {
    async fn log_in(&mut self, key: &str) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        self.stream.write_all(format!("login {key}\n").as_bytes()).await?;
        let mut line = Vec::new();
        while !self.inside {
            self.hear(&mut line).await?;
        }
        Ok(())
    }

    async fn stay(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        let mut play = self.play.clone();
        tokio::select! {
            heard = async { loop { self.hear(&mut line).await? } } => return heard,
            wanted = play.wait_for(|play| *play) => if wanted.is_err() { return Ok(()) },
        }
        self.stream.write_all(b"opponent any\n").await?;
        loop {
            self.hear(&mut line).await?;
        }
    }

    /// Reads what there is, and answers it. `line` is the beginning of a line that has not ended.
    async fn hear(&mut self, line: &mut Vec<u8>) -> io::Result<()> {
        let mut buffer = [0; READ];
        let mut bytes = match self.stream.read(&mut buffer).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            length => &buffer[..length],
        };
        let mut answer = Vec::new();
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            line.extend_from_slice(&bytes[..end]);
            self.take(line, &mut answer)?;
            line.clear();
            bytes = &bytes[end + 1..];
        }
        line.extend_from_slice(bytes);
        if answer.is_empty() {
            return Ok(());
        }
        if let Some(thinks) = self.thinks {
            tokio::time::sleep(thinks).await;
        }
        self.stream.write_all(&answer).await
    }

    fn take(&mut self, line: &[u8], answer: &mut Vec<u8>) -> io::Result<()> {
        match (line, &self.packet) {
            (b"fail", Packet::None) => return Err(io::ErrorKind::PermissionDenied.into()),
            (b"ping", Packet::None) => {
                answer.extend_from_slice(b"pong\n");
                self.inside = true;
            }
            (b".", packet) => {
                if matches!(packet, Packet::Match) {
                    answer.extend_from_slice(b".\n");
                    self.answers.fetch_add(1, Ordering::Relaxed);
                }
                self.packet = Packet::None;
            }
            (line, Packet::None) if line.starts_with(b"players") => self.packet = Packet::List,
            (_, Packet::None) => self.packet = Packet::Match,
            _ => {}
        }
        Ok(())
    }
}
