//! The end of a match for a bot: its last words, a moment to leave, and what becomes of who stays.

use super::Driver;
use crate::connection::{self, Connection, Ready};
use crate::interrupt::Interrupt;
use crate::limits;
use palestra_core::{Match, Seat};
use std::time::{Duration, Instant};

impl Driver<'_> {
    /// Sends last words that are due, and ends those who have left or should have.
    pub(super) fn dismiss(&mut self, game: &mut Match) {
        let mut told = Vec::new();
        for index in 0..self.connections.len() {
            let seat = Seat::at(index);
            let Some(connection) = &self.connections[index] else { continue };
            if game.dismissed(seat) && !connection.is_dismissed() {
                self.send(game, seat);
                self.connection(seat).dismiss(Instant::now() + limits::GRACE);
                told.push(seat);
            }
        }
        if !told.is_empty() && game.state().to_move().is_some() {
            self.let_leave(&told, game.turns());
        } else if self.connections.iter().flatten().any(Connection::is_leaving) {
            self.poll(None, Some(Duration::ZERO), game.turns());
        }
        for connection in self.connections.iter_mut().flatten() {
            connection.end_if_gone(game.turns(), &mut self.buffer);
        }
    }

    /// These have had their last words, and the match goes on without them: they have a moment to leave in which nobody is
    /// asked. Whoever takes longer must not take time from the others.
    fn let_leave(&mut self, told: &[Seat], turn: u32) {
        let until = Instant::now() + limits::LEAVE_MOMENT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let leaving = told.iter().any(|seat| self.connection(*seat).is_leaving());
            if !leaving || left.is_zero() || self.poll(None, Some(left), turn).1 {
                break;
            }
        }
        for seat in told {
            self.connection(*seat).make_idle();
        }
    }

    /// The end: everybody has had its last words, gets a moment to leave, and is gone after that.
    pub(super) fn say_goodbye(&mut self, game: &mut Match) {
        self.dismiss(game);
        let leave_by = Instant::now() + limits::GRACE;
        for connection in self.connections.iter_mut().flatten() {
            connection.dismiss(leave_by);
        }
        let mut interrupted = false;
        while self.connections.iter().flatten().any(Connection::is_leaving) && !interrupted {
            (_, interrupted) = self.poll(None, None, game.turns());
        }
        for connection in self.connections.iter_mut().flatten() {
            connection.read_stderr(game.turns(), &mut self.buffer);
            connection.end();
        }
    }

    /// Waits for the asked bot, if there is one, and sees to those that leave meanwhile. Says what there is for the asked one,
    /// and whether the match is interrupted, or somebody else has hung up.
    pub(super) fn poll(
        &mut self,
        asked: Option<Seat>,
        timeout: Option<Duration>,
        turn: u32,
    ) -> (Ready, bool) {
        let leaves =
            |connection: &Option<Connection>| connection.as_ref().is_some_and(Connection::is_leaving);
        let leaving = (0..self.connections.len()).filter(|index| leaves(&self.connections[*index]));
        let polled: Vec<usize> = asked.map(Seat::index).into_iter().chain(leaving).collect();
        let connections: Vec<&Connection> =
            polled.iter().filter_map(|index| self.connections[*index].as_ref()).collect();
        let now = Instant::now();
        let leave_by = connections.iter().filter_map(|connection| connection.leave_by()).min();
        let next_kill = leave_by.map(|leave_by| leave_by.saturating_duration_since(now));
        let timeout = timeout.into_iter().chain(next_kill).min();
        let hang_ups =
            self.connections.iter().enumerate().filter(|(index, _)| asked.map(Seat::index) != Some(*index));
        let hang_ups = hang_ups.filter_map(|(_, connection)| connection.as_ref()?.hang_up());
        let interrupts: Vec<&Interrupt> = self.interrupt.into_iter().chain(hang_ups).collect();
        let (ready, interrupted) = connection::poll(&connections, &interrupts, timeout);
        let mut ready = polled.into_iter().zip(ready);
        let asked = asked.and_then(|_| ready.next()).map(|(_, ready)| ready);
        for (index, ready) in ready {
            if let Some(connection) = &mut self.connections[index] {
                connection.see_off(&ready, turn, &mut self.buffer);
            }
        }
        (asked.unwrap_or_default(), interrupted)
    }
}
