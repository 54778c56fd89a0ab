//! A match in which programs that were handed in take part: the runner plays it, in the calling thread. Clients who play
//! along sit at the far ends of pipes, and tasks carry what is said between those and their lines.

use super::{Ending, Fixture, Line, Place, Report, Say, Tell};
use crate::limits;
use palestra_core::{Match, Seat};
use palestra_runner::{Cores, Guard, Interrupt, Link, Options, Overheard, Watch};
use palestra_server::FeedPublisher;
use std::io;
use std::os::fd::OwnedFd;
use std::thread;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant as TokioInstant, timeout_at};

/// As much as a pipe holds: what is written at once is told at once.
const PIPE_BYTES: usize = 64 << 10;

/// Plays a match to its end in this thread, on these cores; `runtime` carries what clients say and hear. Not for a
/// thread of the runtime. Everything that clients are to hear of the game has been told when this returns.
pub fn play(
    fixture: Fixture,
    guard: &Guard,
    cores: &Cores,
    interrupt: &Interrupt,
    runtime: &Handle,
) -> Report {
    let info = fixture.game.info();
    let mut bridges =
        Bridges { runtime, carriers: Vec::new(), deadline: TokioInstant::now() + limits::READY };
    let places = fixture.places.into_iter().enumerate();
    let links = places.map(|(seat, place)| bridges.link(Seat::at(seat), place));
    let links = links.collect::<io::Result<Vec<Link>>>();
    let links = links.map_err(|error| format!("a client could not be seated: {error}"))?;
    let options = Options {
        cores: cores.clone(),
        interrupt: Some(interrupt),
        guard: Some(guard),
        ..Options::default()
    };
    let mut onlooker = Onlooker { reporter: fixture.reporter, pace: fixture.pace, last: Instant::now() };
    let played = palestra_runner::play(fixture.game, links, options, &mut onlooker);
    let clients = bridges.end();
    let played = played.map_err(|error| error.to_string())?;
    for (seat, tell) in clients {
        let over = Ending::new(info, &played.outcome, seat, played.rounds);
        // One that does not listen hears that it is over by the end of its line.
        let _ = tell.try_send(Tell::Over(over));
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
    tell: mpsc::Sender<Tell>,
    watch: JoinHandle<()>,
    out: JoinHandle<()>,
    back: JoinHandle<()>,
}

impl Bridges<'_> {
    /// Where the runner finds a player. A client is waited for until it is ready.
    fn link(&mut self, seat: Seat, place: Place) -> io::Result<Link> {
        match place {
            Place::Here => Ok(Link::None),
            Place::Program(launch) => Ok(Link::Program(launch)),
            Place::Client(line) => {
                let (input, output, hang_up) = self.connect(seat, line)?;
                Ok(Link::Pipes { input, output, hang_up: Some(hang_up) })
            }
        }
    }

    fn connect(&mut self, seat: Seat, line: Line) -> io::Result<(OwnedFd, OwnedFd, Interrupt)> {
        let hang_up = Interrupt::new()?;
        let (out, input) = io::pipe()?;
        let (output, back) = io::pipe()?;
        rustix::io::ioctl_fionbio(&input, true)?;
        rustix::io::ioctl_fionbio(&output, true)?;
        let _within = self.runtime.enter();
        let out = pipe::Receiver::from_owned_fd(out.into())?;
        let back = pipe::Sender::from_owned_fd(back.into())?;
        let Line { tell, mut said } = line;
        let first = self.runtime.block_on(timeout_at(self.deadline, said.recv()));
        // Whoever does not say so may still come in time for its first answer.
        let early = first.ok().flatten().filter(|first| !matches!(first, Say::Ready));
        self.carriers.push(Carriers {
            seat,
            tell: tell.clone(),
            watch: self.runtime.spawn(watch(tell.clone(), hang_up.clone())),
            out: self.runtime.spawn(carry_out(out, tell)),
            back: self.runtime.spawn(carry_back(early, said, back)),
        });
        Ok((input.into(), output.into(), hang_up))
    }

    /// The match is over: last words are still on their way, but nobody waits long for somebody who does not listen.
    /// Gives the ways to all clients.
    fn end(self) -> Vec<(Seat, mpsc::Sender<Tell>)> {
        let deadline = TokioInstant::now() + limits::LAST_WORDS;
        let mut clients = Vec::new();
        for Carriers { seat, tell, watch, mut out, back } in self.carriers {
            watch.abort();
            back.abort();
            // Within the runtime, where timers are.
            let told = self.runtime.block_on(async { timeout_at(deadline, &mut out).await });
            if told.is_err() {
                out.abort();
            }
            clients.push((seat, tell));
        }
        clients
    }
}

/// A client that closes its connection has left the match.
async fn watch(tell: mpsc::Sender<Tell>, hang_up: Interrupt) {
    tell.closed().await;
    hang_up.raise();
}

async fn carry_out(mut pipe: pipe::Receiver, tell: mpsc::Sender<Tell>) {
    let mut buffer = vec![0; PIPE_BYTES];
    while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
        if tell.send(Tell::Bytes(buffer[..length].to_vec())).await.is_err() {
            return;
        }
    }
}

/// Ends, and with it the pipe, when the client is gone.
async fn carry_back(early: Option<Say>, mut said: mpsc::Receiver<Say>, mut pipe: pipe::Sender) {
    let mut next = match early {
        Some(early) => Some(early),
        None => said.recv().await,
    };
    while let Some(say) = next {
        match say {
            Say::Bytes { bytes, .. } => {
                if pipe.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Say::Closed => return,
            Say::Ready | Say::Nothing { .. } => {}
        }
        next = said.recv().await;
    }
}
