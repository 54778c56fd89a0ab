//! Who has the processor while a bot is waited for: it belongs to that one.

use super::Driver;
use super::turn::Turn;
use crate::connection::Connection;
use crate::limits;
use palestra_core::Seat;
use std::time::{Duration, Instant};

impl Driver<'_> {
    /// Stops those that compute while it is not their turn: they would take time from the bot on this seat.
    pub(super) fn stop_pondering(&mut self, seat: Seat) {
        for (index, connection) in self.connections.iter_mut().enumerate() {
            if let Some(connection) = connection.as_mut().filter(|_| index != seat.index()) {
                connection.stop_pondering();
            }
        }
    }

    /// When it is first seen who has the processor while a bot is waited for.
    pub(super) fn first_look(&self, seat: Seat, turn: &Turn) -> Option<Instant> {
        let runs = |(index, connection): (usize, &Option<Connection>)| {
            let counts = index != seat.index() || turn.budget.is_some();
            counts && connection.as_ref().is_some_and(|connection| connection.process.is_some())
        };
        let early = turn.budget.map_or(Duration::MAX, |budget| budget / limits::TURN_PART);
        self.connections.iter().enumerate().any(runs).then(|| turn.start + early.min(limits::FIRST_LOOK))
    }

    /// Stops bots that compute while another one is waited for, and sees whether that one has the processor. Says when to
    /// look again.
    pub(super) fn look_around(&mut self, seat: Seat, turn: &Turn) -> Instant {
        let mut cost = Duration::ZERO;
        for (index, connection) in self.connections.iter_mut().enumerate() {
            let Some(connection) = connection.as_mut().filter(|connection| connection.process.is_some())
            else {
                continue;
            };
            if connection.is_dismissed() {
                let begin = Instant::now();
                connection.make_idle();
                cost += begin.elapsed();
                continue;
            }
            if index != seat.index() {
                connection.look_between_turns();
            } else if turn.budget.is_some() {
                connection.watch_run_queue();
            }
            cost += connection.cost_of_looking();
        }
        let now = Instant::now();
        let pause = ((now - turn.start) / limits::TURN_PART).max(cost * limits::WAITING_LOOK_PART);
        now + pause.max(limits::FIRST_LOOK)
    }
}
