//! Moves a match with child processes, in the calling thread, as close as possible to what two pipes cost.
//!
//! A turn is one write, one wait, one read and a few looks at clocks. Every pipe is non-blocking, so that a bot that
//! neither reads nor writes can hold up nobody but itself.

mod fairness;
mod goodbye;
mod report;
mod turn;

use crate::connection::{Connection, why_not_started};
use crate::cores::{Cores, Pinned};
use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::orphans;
use crate::process::Pipes;
use crate::run_queue::OwnDelay;
use crate::spec::{Link, Resident};
use crate::strays;
use crate::transcript::Transcripts;
use crate::waiting::Waiting;
use palestra_core::{Exit, Match, Next, Seat, SetupError, TimeControl};
pub use report::{FaultReport, Played};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Where and how a match is played.
#[derive(Debug, Default)]
pub struct Options<'a> {
    /// The cores it runs on.
    pub cores: Cores,
    /// Ends it early.
    pub interrupt: Option<&'a Interrupt>,
    /// Keeps what was said.
    pub transcripts: Option<Transcripts>,
    /// What stands between the bots and the machine, if anything does.
    pub guard: Option<&'a Guard>,
}

/// Watches a match go by.
pub trait Watch {
    /// A turn is over.
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>);
}

impl Watch for () {
    fn turn(&mut self, _: &Match, _: Overheard<'_>) {}
}

/// What the bots of a match have written beside their answers.
#[derive(Clone, Copy)]
pub struct Overheard<'a>(&'a [Option<Connection>]);

impl<'a> Overheard<'a> {
    /// Nothing: where no bot of the match runs on this machine.
    pub fn nothing() -> Overheard<'static> {
        Overheard(&[])
    }

    /// A seat's standard error so far, by turn; the last piece may still grow.
    pub fn stderr(&self, seat: Seat) -> &'a [(u32, Vec<u8>)] {
        self.0.get(seat.index()).and_then(Option::as_ref).map_or(&[], |connection| connection.log.pieces())
    }
}

/// Why a match was not played.
#[allow(missing_docs, reason = "the sentence of an error says what is in it")]
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The map, the settings or the number of bots do not fit.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A bot could not be started.
    #[error("bot {name} could not be started: {why}")]
    Start { name: String, why: String },
    /// The cores asked for are not there.
    #[error("{0}")]
    Cores(String),
    #[error("the match was interrupted")]
    Interrupted,
}

/// Plays a match to its end, with bots where these links lead. Whatever happens, no process of it is left when this
/// returns.
pub fn play(
    mut game: Match,
    links: Vec<Link>,
    options: Options<'_>,
    watch: &mut dyn Watch,
) -> Result<Played, MatchError> {
    let pinned = Pinned::new(&options.cores).map_err(MatchError::Cores)?;
    let unguarded = Guard::off();
    let mut driver = Driver {
        connections: Vec::new(),
        residents: vec![None; links.len()],
        mark: new_mark(),
        interrupt: options.interrupt,
        transcripts: options.transcripts,
        guard: options.guard.unwrap_or(&unguarded),
        start: Instant::now(),
        steps_aside: options.cores.are_one() && pinned.holds(),
        has_bank: matches!(game.recorded().head.time, TimeControl::Bank { .. }),
        own_delay: OwnDelay::default(),
        waited: BTreeMap::new(),
        buffer: vec![0; READ_BYTES],
    };
    driver.connect(&mut game, links)?;
    driver.play(&mut game, watch)?;
    driver.say_goodbye(&mut game);
    Ok(driver.report(&game))
}

const READ_BYTES: usize = 64 << 10;

struct Driver<'a> {
    connections: Vec<Option<Connection>>,
    /// Those who play in this program, by seat.
    residents: Vec<Option<Arc<dyn Resident>>>,
    mark: String,
    interrupt: Option<&'a Interrupt>,
    transcripts: Option<Transcripts>,
    guard: &'a Guard,
    start: Instant,
    /// Whether bots run when this thread steps aside: it shares one core with them.
    steps_aside: bool,
    /// Whether the time of all turns is one.
    has_bank: bool,
    own_delay: OwnDelay,
    /// What became of the time of those who ran out of it, by turn.
    waited: BTreeMap<u32, Waiting>,
    buffer: Vec<u8>,
}

impl Driver<'_> {
    fn connect(&mut self, game: &mut Match, links: Vec<Link>) -> Result<(), MatchError> {
        let mut told = Vec::with_capacity(links.len());
        for (index, link) in links.into_iter().enumerate() {
            let seat = Seat::at(index);
            let connection = match link {
                Link::None => None,
                Link::Here(resident) => {
                    self.residents[index] = Some(resident);
                    None
                }
                Link::Program(launch) => {
                    Some(Connection::start(&launch, &format!("{}.{index}", self.mark), self.guard).map_err(
                        |error| MatchError::Start {
                            name: game.name(seat).to_owned(),
                            why: why_not_started(&launch, &error),
                        },
                    )?)
                }
                Link::Pipes { input, output, hang_up } => {
                    Some(Connection::to_client(Pipes { stdin: input, stdout: output, stderr: None }, hang_up))
                }
            };
            self.connections.push(connection);
            told.push(!game.outbox(seat).is_empty());
            self.send(game, seat);
        }
        for (connection, told) in self.connections.iter_mut().zip(told) {
            if let Some(connection) = connection {
                connection.wait_until_started(told, self.interrupt);
            }
        }
        Ok(())
    }

    fn play(&mut self, game: &mut Match, watch: &mut dyn Watch) -> Result<(), MatchError> {
        loop {
            self.take_out_gone(game, None);
            match game.next() {
                Next::Over => return Ok(()),
                Next::Moved(_) => {}
                Next::Ask(seat, budget) => self.take_turn(game, seat, budget)?,
            }
            // Built-in players and quick bots never make us wait, where an interrupt would wake us.
            if self.interrupt.is_some_and(Interrupt::raised) {
                return Err(MatchError::Interrupted);
            }
            self.dismiss(game);
            watch.turn(game, Overheard(&self.connections));
        }
    }

    /// Those who have hung up have lost, whoever is asked; for the one who is, what it has written before counts.
    fn take_out_gone(&mut self, game: &mut Match, asked: Option<Seat>) {
        for (index, connection) in self.connections.iter_mut().enumerate() {
            let seat = Seat::at(index);
            if asked != Some(seat) && connection.as_mut().is_some_and(Connection::has_hung_up) {
                game.leave(seat, Exit::ClosedOutput);
            }
        }
    }

    fn connection(&mut self, seat: Seat) -> &mut Connection {
        self.connections[seat.index()].as_mut().expect("an outside seat")
    }

    /// Takes what is in a seat's outbox on its way.
    fn send(&mut self, game: &mut Match, seat: Seat) {
        let Some(connection) = &mut self.connections[seat.index()] else {
            return;
        };
        let outbox = game.outbox(seat);
        if let Some(transcripts) = &mut self.transcripts {
            transcripts.sent(seat, outbox);
        }
        connection.send(outbox);
        outbox.clear();
    }
}

impl Drop for Driver<'_> {
    fn drop(&mut self) {
        // All groups before the first wait: bots that wait for each other do not hold us up.
        for connection in self.connections.iter_mut().flatten() {
            connection.end();
        }
        if self.connections.iter().any(Option::is_some) {
            strays::sweep(&self.mark);
        }
    }
}

/// Tells this match's processes from those of other matches.
pub(crate) fn new_mark() -> String {
    static MATCHES: AtomicU64 = AtomicU64::new(0);
    format!("{}:{}", orphans::owner(), MATCHES.fetch_add(1, Ordering::Relaxed))
}
