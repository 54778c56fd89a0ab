//! A match in which programs that were handed in take part: the runner plays it, in the calling thread. Clients who play
//! along sit at the far ends of pipes, and tasks carry what is from_session between those and their lines.

use super::{BotLink, ClientChannel, MatchEnd, MatchMessage, PreparedMatch, Report, SessionMessage};
use crate::limits;
use crate::system::{Receiver, Sender, to_receiver, to_sender};
use palestra_core::{Match, Seat};
use palestra_runner::{Cores, Guard, Interrupt, Link, Options, Overheard, Watch};
use palestra_server::FeedPublisher;
use std::io;
use std::thread;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant as TokioInstant, timeout_at};

/// As much as a pipe holds: what is written at once is told at once.
const PIPE_BYTES: usize = 64 << 10;

/// Plays a match to its end in this thread, on these cores; `runtime` carries what clients say and hear. Not for a
/// thread of the runtime. Everything that clients are to hear of the game has been told when this returns.
pub fn play(
    prepared: PreparedMatch,
    guard: &Guard,
    cores: &Cores,
    interrupt: &Interrupt,
    runtime: &Handle,
) -> Report {
    let info = prepared.game.info();
    let mut bridges =
        Bridges { runtime, carriers: Vec::new(), deadline: TokioInstant::now() + limits::READY };
    let links = prepared.links.into_iter().enumerate();
    let links = links.map(|(seat, link)| bridges.link(Seat::at(seat), link));
    let links = links.collect::<io::Result<Vec<Link>>>();
    let links = links.map_err(|error| format!("a client could not be seated: {error}"))?;
    let options = Options {
        cores: cores.clone(),
        interrupt: Some(interrupt),
        guard: Some(guard),
        ..Options::default()
    };
    let mut onlooker = Onlooker { reporter: prepared.reporter, pace: prepared.pace, last: Instant::now() };
    let played = palestra_runner::play(prepared.game, links, options, &mut onlooker);
    let clients = bridges.end();
    let played = played.map_err(|error| error.to_string())?;
    for (seat, to_session) in clients {
        let over = MatchEnd::new(info, &played.outcome, seat, played.rounds);
        // One that does not listen hears that it is over by the end of its channel.
        let _ = to_session.try_send(MatchMessage::Over(over));
    }
    if let Some(reporter) = onlooker.reporter {
        reporter.end(played.replay.clone());
    }
    Ok(Box::new(played))
}

/// Tells those who look on, and gives people time to do so.
struct Onlooker {
    reporter: Option<FeedPublisher>,
    pace: Option<Duration>,
    last: Instant,
}

impl Watch for Onlooker {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        if let Some(reporter) = &mut self.reporter {
            reporter.turn(game, overheard);
        }
        if let Some(pace) = self.pace {
            thread::sleep(pace.saturating_sub(self.last.elapsed()));
            self.last = Instant::now();
        }
    }
}

/// The clients of a match.
struct Bridges<'a> {
    runtime: &'a Handle,
    carriers: Vec<Carriers>,
    /// When the match begins, whoever is ready.
    deadline: TokioInstant,
}

/// What carries a client's bytes, to it and from it, and sees whether it leaves.
struct Carriers {
    seat: Seat,
    to_session: mpsc::Sender<MatchMessage>,
    watch: JoinHandle<()>,
    out: JoinHandle<()>,
    back: JoinHandle<()>,
}

impl Bridges<'_> {
    /// Where the runner finds a player. A client is waited for until it is ready.
    fn link(&mut self, seat: Seat, link: BotLink) -> io::Result<Link> {
        match link {
            BotLink::BuiltIn => Ok(Link::None),
            BotLink::Program(launch) => Ok(Link::Program(launch)),
            BotLink::Client(channel) => self.connect(seat, channel),
        }
    }

    fn connect(&mut self, seat: Seat, channel: ClientChannel) -> io::Result<Link> {
        let hang_up = Interrupt::new()?;
        let (out, input) = io::pipe()?;
        let (output, back) = io::pipe()?;
        let _within = self.runtime.enter();
        let out = to_receiver(out)?;
        let back = to_sender(back)?;
        let ClientChannel { to_session, mut from_session } = channel;
        let first = self.runtime.block_on(timeout_at(self.deadline, from_session.recv()));
        // Whoever does not say so may still come in time for its first answer.
        let early = first.ok().flatten().filter(|first| !matches!(first, SessionMessage::Ready));
        self.carriers.push(Carriers {
            seat,
            to_session: to_session.clone(),
            watch: self.runtime.spawn(watch(to_session.clone(), hang_up.clone())),
            out: self.runtime.spawn(carry_out(out, to_session)),
            back: self.runtime.spawn(carry_back(early, from_session, back)),
        });
        Link::pipes(input, output, Some(hang_up))
    }

    /// The match is over: last words are still on their way, but nobody waits long for somebody who does not listen.
    /// Gives the ways to all clients.
    fn end(self) -> Vec<(Seat, mpsc::Sender<MatchMessage>)> {
        let deadline = TokioInstant::now() + limits::LAST_WORDS;
        let mut clients = Vec::new();
        for Carriers { seat, to_session, watch, mut out, back } in self.carriers {
            watch.abort();
            back.abort();
            // Within the runtime, where timers are.
            let told = self.runtime.block_on(async { timeout_at(deadline, &mut out).await });
            if told.is_err() {
                out.abort();
            }
            clients.push((seat, to_session));
        }
        clients
    }
}

/// A client that closes its connection has left the match.
async fn watch(to_session: mpsc::Sender<MatchMessage>, hang_up: Interrupt) {
    to_session.closed().await;
    hang_up.raise();
}

async fn carry_out(mut pipe: Receiver, to_session: mpsc::Sender<MatchMessage>) {
    let mut buffer = vec![0; PIPE_BYTES];
    while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
        if to_session.send(MatchMessage::Bytes(buffer[..length].to_vec())).await.is_err() {
            return;
        }
    }
}

/// Ends, and with it the pipe, when the client is gone.
async fn carry_back(
    early: Option<SessionMessage>,
    mut from_session: mpsc::Receiver<SessionMessage>,
    mut pipe: Sender,
) {
    let mut next = match early {
        Some(early) => Some(early),
        None => from_session.recv().await,
    };
    while let Some(message) = next {
        match message {
            SessionMessage::Bytes { bytes, .. } => {
                if pipe.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            SessionMessage::Closed => return,
            SessionMessage::Ready | SessionMessage::Nothing { .. } => {}
        }
        next = from_session.recv().await;
    }
}
