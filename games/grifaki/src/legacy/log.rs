//! The original program's log, written while a match goes on or from its recording: the same text either way.

use crate::outcome;
use crate::{Grifaki, State};
use palestra_core::any_state::TypedState;
use palestra_core::fault::printable;
use palestra_core::game::{Setup as _, State as _};
use palestra_core::legacy::LiveExport;
use palestra_core::replay::{Cursor, Replay, TypedReplay};
use palestra_core::{Catalog, Game as _, Input, Notes, Protocol as _, ReplayError, Seat};
use std::io;

/// The log as far as it has been written.
pub(crate) struct RuntimeLog {
    cursor: Cursor<TypedState<Grifaki>>,
    english: Catalog,
    /// What comes first; empty once it is written.
    head: String,
    /// By player, whether its fall has been told.
    told: Vec<bool>,
    /// Whether the result has been.
    complete: bool,
}

impl RuntimeLog {
    /// Of a match at its beginning: who plays, and on what.
    pub(crate) fn new(recording: &TypedReplay<'_, Grifaki>) -> Result<RuntimeLog, ReplayError> {
        let map = &recording.setup;
        let players = map.seats();
        let mut head =
            format!("Grifaki, {} x {}, {players} players\n", map.board().rows(), map.board().columns());
        for (seat, bot) in Seat::all(players).zip(&recording.replay.head.bots) {
            head += &format!("player {seat}: {}\n", printable(bot.as_bytes()));
        }
        head += "map:\n";
        head += &map.write();
        Ok(RuntimeLog {
            cursor: recording.cursor()?,
            english: Catalog::english(&Grifaki::INFO),
            head,
            told: vec![false; usize::from(players)],
            complete: false,
        })
    }

    /// A line for each turn since, and below it remarks and falls.
    fn turns(&mut self, so_far: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError> {
        while let Some((state, seat, input)) = self.cursor.take(so_far)? {
            let tick = state.turns.round();
            let mut answer = Vec::new();
            match input {
                Input::Answer(action) => Grifaki::write_answer(action, &mut answer),
                Input::Fault(_) if state.to_move() != Some(seat) => answer.extend_from_slice(b"has left\n"),
                Input::Fault(_) => answer.extend_from_slice(b"no answer\n"),
            }
            write!(out, "tick {tick}, player {seat}: ")?;
            out.write_all(&answer)?;
            // Fresh ones for each turn: what a match keeps is limited, its log is not.
            let mut notes = Notes::kept();
            state.apply(seat, input, &mut notes);
            for note in notes.list() {
                writeln!(out, "tick {tick}, player {}: ! {}", note.seat, self.english.say(&note.what))?;
            }
            self.falls(&format!("tick {tick}, "), out)?;
        }
        Ok(())
    }

    fn falls(&mut self, when: &str, out: &mut dyn io::Write) -> Result<(), ReplayError> {
        let turns = &self.cursor.state().inner().turns;
        for (seat, told) in Seat::all(turns.players()).zip(&mut self.told) {
            if let Some(fall) = turns.fall_of(seat).filter(|_| !*told) {
                *told = true;
                writeln!(out, "{when}player {seat}: out, {}", self.english.say(&fall.reason.clone().into()))?;
            }
        }
        Ok(())
    }

    fn state(&self) -> &State {
        self.cursor.state().inner()
    }

    fn result(&self, out: &mut dyn io::Write) -> Result<bool, ReplayError> {
        let Some(outcome) = outcome::outcome(self.state()) else { return Ok(false) };
        let ticks = self.state().rounds();
        match outcome.winner {
            Some(seat) => writeln!(out, "after {ticks} ticks: player {seat} has won")?,
            None => writeln!(out, "after {ticks} ticks: a draw")?,
        }
        for (number, placing) in (1..).zip(&outcome.placings) {
            writeln!(out, "player {number}: place {}, {}", placing.place, self.english.say(&placing.reason))?;
        }
        Ok(true)
    }
}

impl LiveExport for RuntimeLog {
    fn write(&mut self, so_far: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError> {
        if !self.head.is_empty() {
            out.write_all(std::mem::take(&mut self.head).as_bytes())?;
            self.falls("", out)?;
        }
        self.turns(so_far, out)?;
        if !self.complete {
            self.complete = self.result(out)?;
        }
        Ok(())
    }
}
