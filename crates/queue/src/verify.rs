//! Results are checked, not believed: a replay is played again, and compared with what was asked for.
//!
//! This proves that the rules lead from the recorded answers to the recorded result, in the match that was asked for. It
//! does not prove that the bots gave these answers, nor how long they took; double play on a second worker can, for bots
//! that always answer the same.

use crate::messages::{FaultReply, PlayedReply, SeatReply, WaitingReply};
use crate::order::{MatchOrder, RemotePlayed};
use palestra_core::message::Common;
use palestra_core::replay::{FORMAT, Recorded};
use palestra_core::{Cursor, Note, Replay, ReplayError, Seat, Usage};
use palestra_runner::{FaultReport, Played, Waiting};
use std::time::Duration;

/// Why a result is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The replay cannot be read, or playing it again comes to something else.
    #[error("{0}")]
    Replay(String),
    /// It is of another match.
    #[error("the replay is of another match: {0} is not what was asked for")]
    Differs(&'static str),
    /// Another program was played.
    #[error("another program was played on seat {0}")]
    Program(Seat),
}

impl From<ReplayError> for Refusal {
    fn from(error: ReplayError) -> Refusal {
        Refusal::Replay(error.to_string())
    }
}

/// What a result comes to, if it holds.
pub fn verify(order: &MatchOrder, reply: PlayedReply, worker: &str) -> Result<RemotePlayed, Refusal> {
    let PlayedReply { replay: file, micros, seats, faults } = reply;
    // In former versions reasons are sentences, which nothing compares.
    if file.get(8..10) != Some(&FORMAT.to_le_bytes()[..]) {
        return Err(Refusal::Differs("the version of its file"));
    }
    let replay = Replay::from_bytes(&file)?;
    compare(order, &replay)?;
    if seats.len() != order.seats.len() {
        return Err(Refusal::Differs("the number of seats"));
    }
    for ((seat, order), reply) in Seat::all(order.plan.seats).zip(&order.seats).zip(&seats) {
        if reply.pack != order.bot.hash() {
            return Err(Refusal::Program(seat));
        }
    }
    let played = play_again(order, replay, &seats, faults)?;
    Ok(RemotePlayed { played, replay: file, millis: micros / 1000, worker: worker.to_owned() })
}

/// Whether it is the match that was asked for.
fn compare(order: &MatchOrder, replay: &Replay) -> Result<(), Refusal> {
    let (head, info) = (&replay.head, order.game.info());
    let names = || order.seats.iter().map(|seat| &seat.name);
    let same = [
        (head.game == info.id, "the game"),
        (head.rules_version == info.rules_version, "the version of the rules"),
        (head.plan.seed == order.plan.seed, "the seed"),
        (head.plan.seats == order.plan.seats, "the number of seats"),
        (head.plan.settings == order.plan.settings, "the settings"),
        (head.plan.setup == order.plan.setup, "the map"),
        (head.plan.absent == order.plan.absent, "who is absent"),
        (head.time == order.time, "the time control"),
        (head.bots.iter().eq(names()), "who plays"),
        (head.labels == order.labels(), "what players are called"),
        // Only clients who are connected can leave before it is their turn.
        (head.departures.is_empty(), "who leaves"),
    ];
    match same.into_iter().find(|(same, _)| !same) {
        None => Ok(()),
        Some((_, what)) => Err(Refusal::Differs(what)),
    }
}

fn play_again(
    order: &MatchOrder,
    replay: Replay,
    seats: &[SeatReply],
    told: Vec<FaultReply>,
) -> Result<Played, Refusal> {
    let mut cursor = Cursor::start(order.game, &replay)?;
    let nothing =
        Usage { turns: 0, wall: Duration::ZERO, cpu: Some(Duration::ZERO), longest: Duration::ZERO };
    let mut usage = vec![nothing; seats.len()];
    let mut faults = Vec::new();
    let mut times = replay.times();
    let mut told = told.into_iter().peekable();
    while let Some(turn) = cursor.advance(&replay)? {
        if let Some(spent) = times.next() {
            let usage = &mut usage[turn.seat.index()];
            usage.turns += 1;
            usage.wall = usage.wall.saturating_add(spent.wall);
            usage.longest = usage.longest.max(spent.wall);
            usage.cpu = usage.cpu.zip(spent.cpu).map(|(sum, cpu)| sum.saturating_add(cpu));
        }
        if let Recorded::Fault(fault) = turn.input {
            let more = told.next_if(|told| told.turn == turn.number);
            let (stderr, waiting) = more.map_or((Vec::new(), None), |more| (more.stderr, more.waiting));
            let (fault, waiting) = (fault.clone(), waiting.map(Waiting::from));
            faults.push(FaultReport { turn: turn.number, seat: turn.seat, fault, stderr, waiting });
        }
    }
    drop(times);
    cursor.compare_end(&replay)?;
    let notes = |(seat, reply): (Seat, &SeatReply)| {
        let mut notes = cursor.state().notes().of(seat);
        if reply.off_turn {
            notes.push(Note { turn: 0, seat, what: Common::ComputedOffTurn {}.into() });
        }
        notes
    };
    let mut stderr = replay.head.stderr.clone();
    stderr.resize(seats.len(), Vec::new());
    Ok(Played {
        outcome: replay.head.outcome.clone(),
        rounds: cursor.state().rounds(),
        usage,
        notes: Seat::all(order.plan.seats).zip(seats).map(notes).collect(),
        faults,
        stderr,
        ended_itself: seats.iter().map(|seat| seat.ended_itself).collect(),
        used: seats.iter().map(used).collect(),
        transcript_error: None,
        worker: None,
        replay,
    })
}

fn used(seat: &SeatReply) -> palestra_runner::sandbox::Usage {
    palestra_runner::sandbox::Usage {
        memory_peak: seat.memory_peak,
        cpu: seat.cpu.map(Duration::from_micros),
        processes_peak: seat.processes_peak,
        over_memory: seat.over_memory,
    }
}

impl From<WaitingReply> for Waiting {
    fn from(told: WaitingReply) -> Waiting {
        let WaitingReply { wall, starved, slept, late, unheard } = told;
        Waiting { wall, starved, slept, late, unheard }
    }
}

impl From<Waiting> for WaitingReply {
    fn from(waiting: Waiting) -> WaitingReply {
        let Waiting { wall, starved, slept, late, unheard } = waiting;
        WaitingReply { wall, starved, slept, late, unheard }
    }
}
