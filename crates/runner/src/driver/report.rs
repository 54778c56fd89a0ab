//! What came of a match.

use super::Driver;
use crate::stderr::StderrLog;
use crate::waiting::Waiting;
use palestra_core::message::Common;
use palestra_core::{Fault, Match, Note, Outcome, Replay, Seat, SeatNotes, Usage};

/// A match that was played to its end.
#[derive(Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Everything about it.
    pub replay: Replay,
    /// Rounds, a last one that was not completed included.
    pub rounds: u32,
    /// What every seat used.
    pub usage: Vec<Usage>,
    /// Remarks, by seat.
    pub notes: Vec<SeatNotes>,
    /// What went wrong, in order.
    pub faults: Vec<FaultReport>,
    /// What every bot wrote to its standard error, by seat and turn.
    pub stderr: Vec<Vec<(u32, Vec<u8>)>>,
    /// Whether every bot ended by itself after its last words, by seat.
    pub ended_itself: Vec<bool>,
    /// What every bot used, by seat, as far as its sandbox can tell.
    pub used: Vec<palestra_sandbox::Usage>,
    /// The match went well, but its transcripts could not be kept.
    pub transcript_error: Option<String>,
    /// The machine that played it, if that was another one.
    pub worker: Option<String>,
}

/// A fault, with what helps to understand it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultReport {
    /// The turn, counted from 1 over all seats.
    pub turn: u32,
    /// The seat whose bot failed.
    pub seat: Seat,
    /// What it did, or failed to do.
    pub fault: Fault,
    /// The last lines of the bot's standard error.
    pub stderr: Vec<String>,
    /// If it ran out of time on this machine: what became of that time.
    pub waiting: Option<Waiting>,
}

impl FaultReport {
    /// Whether the machine is to blame for it.
    pub fn is_the_machines(&self) -> bool {
        self.waiting.is_some_and(|waiting| waiting.is_the_machines_fault())
    }
}

impl Driver<'_> {
    pub(super) fn report(mut self, game: &Match) -> Played {
        let logs: Vec<StderrLog> = self
            .connections
            .iter()
            .map(|connection| {
                connection.as_ref().map_or_else(StderrLog::default, |connection| connection.log.clone())
            })
            .collect();
        let seats: Vec<Seat> = Seat::all(self.connections.len() as u8).collect();
        let faults = game
            .faults()
            .iter()
            .map(|(turn, seat, fault)| FaultReport {
                turn: *turn,
                seat: *seat,
                fault: fault.clone(),
                stderr: self.connections[seat.index()]
                    .as_ref()
                    .map_or_else(Vec::new, |connection| connection.fault_lines.clone()),
                waiting: self.waited.get(turn).copied(),
            })
            .collect();
        let notes = game.state().notes();
        let notes_of = |seat: Seat| {
            let mut notes = notes.of(seat);
            if self.connections[seat.index()].as_ref().is_some_and(|connection| connection.was_stopped) {
                notes.push(Note { turn: 0, seat, what: Common::ComputedOffTurn {}.into() });
            }
            notes
        };
        let transcript_error = self
            .transcripts
            .take()
            .and_then(|transcripts| transcripts.finish(&logs).err().map(|error| error.to_string()));
        let stderr: Vec<_> = logs.iter().map(|log| log.pieces().to_vec()).collect();
        let (outcome, replay) = game.finish(stderr.clone()).expect("the game is over");
        Played {
            outcome,
            replay,
            rounds: game.state().rounds(),
            usage: seats.iter().map(|seat| game.usage(*seat)).collect(),
            notes: seats.iter().map(|seat| notes_of(*seat)).collect(),
            faults,
            stderr,
            ended_itself: self
                .connections
                .iter()
                .map(|connection| connection.as_ref().is_none_or(|connection| connection.ended_itself))
                .collect(),
            used: self
                .connections
                .iter()
                .map(|connection| connection.as_ref().map(|connection| connection.usage).unwrap_or_default())
                .collect(),
            transcript_error,
            worker: None,
        }
    }
}
