//! One turn of a bot: it is asked, waited for and heard.

use super::{Driver, MatchError};
use crate::interrupt::Interrupt;
use crate::limits;
use crate::platform;
use crate::waiting::Waiting;
use palestra_core::{Exit, Fault, Heard, Match, Seat, Spent};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks into a pipe in which nothing was the last time, in turns.
const LOOK_EVERY: u32 = 16;

/// Turns in which a bot's standard error is looked at in any case.
const FIRST_TURNS: u32 = 100;

/// A turn that is being taken.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    number: u32,
    /// When the ask was written.
    pub(super) start: Instant,
    pub(super) budget: Option<Duration>,
    /// When it is next seen who has the processor; never if nobody could be kept from it.
    look: Option<Instant>,
}

/// How a bot ended.
enum Ended {
    By(Exit),
    OverMemory,
}

/// What a wait came to.
enum Woken {
    /// Something can be read, or the bot has ended.
    Ready {
        output: bool,
        ended: bool,
    },
    TimeOut,
    /// Somebody who was not asked has left.
    Left,
    Interrupted,
}

impl Driver<'_> {
    pub(super) fn take_turn(
        &mut self,
        game: &mut Match,
        seat: Seat,
        budget: Option<Duration>,
    ) -> Result<(), MatchError> {
        let number = game.turns() + 1;
        if let Some(resident) = self.residents[seat.index()].clone() {
            self.stop_pondering(seat);
            let broken_off = resident.take_turn(game, seat).is_break() || game.turns() < number;
            return if broken_off { Err(MatchError::Interrupted) } else { Ok(()) };
        }
        if let Some(transcripts) = &mut self.transcripts {
            transcripts.turn(seat, number);
        }
        let wrote_ahead = game.wrote_ahead(seat);
        if !wrote_ahead {
            self.stop_pondering(seat);
        }
        self.connection(seat).begin_turn();
        // Before the ask is written: on a shared core the bot may be at work before writing returns.
        let start = Instant::now();
        self.own_delay.begin_turn(start);
        self.connection(seat).go_on(wrote_ahead);
        self.send(game, seat);
        let mut heard = Heard::Waiting;
        if wrote_ahead {
            heard = game.receive(seat, b"", Spent::NOTHING);
            if heard == Heard::Waiting {
                self.stop_pondering(seat);
                self.connection(seat).go_on(false);
            }
        }
        if heard == Heard::Waiting && self.steps_aside {
            heard = self.step_aside(game, seat, start, number);
        }
        let mut turn = Turn { number, start, budget, look: None };
        if heard == Heard::Waiting {
            turn.look = self.first_look(seat, &turn);
        }
        let mut answered = true;
        while heard == Heard::Waiting {
            heard = match self.wait(seat, &mut turn) {
                Woken::Interrupted => return Err(MatchError::Interrupted),
                Woken::Left => {
                    self.take_out_gone(game, Some(seat));
                    if game.state().to_move().is_none() {
                        return Ok(());
                    }
                    Heard::Waiting
                }
                Woken::TimeOut => {
                    answered = false;
                    game.time_out(seat, self.spent(seat, start))
                }
                Woken::Ready { output, ended } => {
                    let (mut heard, mut open) = (Heard::Waiting, true);
                    if output {
                        (heard, open) = self.hear(game, seat, start);
                    }
                    // What the bot wrote before it ended counts.
                    while ended && heard == Heard::Waiting && self.has_output(seat) {
                        (heard, open) = self.hear(game, seat, start);
                    }
                    if heard == Heard::Waiting && (ended || !open) {
                        let spent = self.spent(seat, start);
                        heard = match self.exit(seat, number) {
                            Ended::By(exit) => game.closed(seat, exit, spent),
                            Ended::OverMemory => {
                                game.fail(seat, Fault::OverMemory, spent);
                                Heard::TurnOver
                            }
                        };
                    }
                    heard
                }
            };
        }
        let number = game.turns();
        let fault = game.faults().last().filter(|(last, _, _)| *last == number).map(|(_, _, fault)| fault);
        if fault == Some(&Fault::OutOfTime) {
            let waiting = self.waiting(game, seat, &turn, answered);
            self.waited.insert(number, waiting);
        } else if self.has_bank {
            self.connection(seat).end_watch(true);
        }
        if fault.is_some() {
            self.after_fault(game, seat, number);
        }
        Ok(())
    }

    /// On a shared core a bot answers as soon as we step aside, which costs less than going to sleep and being woken; some
    /// are even there before. Whoever takes longer is waited for.
    ///
    /// Every look into a pipe costs a good part of a turn, so that looks which found nothing are only taken now and then.
    fn step_aside(&mut self, game: &mut Match, seat: Seat, start: Instant, turn: u32) -> Heard {
        let now_and_then = turn % LOOK_EVERY < game.state().seats().into();
        let mut heard = Heard::Waiting;
        if self.connection(seat).quick || now_and_then {
            (heard, _) = self.hear(game, seat, start);
            self.connection(seat).quick = heard == Heard::TurnOver;
        }
        if heard == Heard::Waiting {
            thread::yield_now();
            (heard, _) = self.hear(game, seat, start);
        }
        let connection = self.connections[seat.index()].as_mut().expect("an outside seat");
        if heard == Heard::TurnOver && (!connection.log.is_empty() || turn <= FIRST_TURNS || now_and_then) {
            connection.read_stderr(turn, &mut self.buffer);
        }
        heard
    }

    fn spent(&mut self, seat: Seat, start: Instant) -> Spent {
        let match_start = self.start;
        self.connection(seat).spent(match_start, start)
    }

    /// Reads what there is; says what came of it, and whether more may come.
    fn hear(&mut self, game: &mut Match, seat: Seat, start: Instant) -> (Heard, bool) {
        let connection = self.connections[seat.index()].as_mut().expect("an outside seat");
        match connection.read_stdout(&mut self.buffer) {
            None => (Heard::Waiting, false),
            Some(0) => (Heard::Waiting, true),
            Some(length) => {
                let spent = connection.spent(self.start, start);
                let bytes = &self.buffer[..length];
                if let Some(transcripts) = &mut self.transcripts {
                    transcripts.received(seat, bytes);
                }
                (game.receive(seat, bytes, spent), true)
            }
        }
    }

    fn has_output(&self, seat: Seat) -> bool {
        let connection = self.connections[seat.index()].as_ref().expect("an outside seat");
        connection.stdout.as_ref().is_some_and(platform::has_output)
    }

    /// Waits until the asked bot has written something, has ended, or is out of time; meanwhile the rest of the ask
    /// goes out and its standard error comes in.
    fn wait(&mut self, seat: Seat, turn: &mut Turn) -> Woken {
        loop {
            let connection = self.connections[seat.index()].as_mut().expect("an outside seat");
            if connection.stdout.is_none() {
                return Woken::Ready { output: false, ended: true };
            }
            let now = Instant::now();
            let left = turn.budget.map(|budget| (turn.start + budget).saturating_duration_since(now));
            if left.is_some_and(|left| left.is_zero()) {
                return Woken::TimeOut;
            }
            let look = turn.look.map(|look| look.saturating_duration_since(now));
            if look.is_some_and(|look| look.is_zero()) {
                turn.look = Some(self.look_around(seat, turn));
                continue;
            }
            let timeout = left.into_iter().chain(look).min();
            let (ready, interrupted) = self.poll(Some(seat), timeout, turn.number);
            if interrupted {
                let ends = self.interrupt.is_some_and(Interrupt::raised);
                return if ends { Woken::Interrupted } else { Woken::Left };
            }
            let connection = self.connections[seat.index()].as_mut().expect("an outside seat");
            if ready.stderr {
                connection.read_stderr(turn.number, &mut self.buffer);
            }
            if ready.stdin {
                connection.flush();
            }
            if ready.stdout || ready.ended {
                return Woken::Ready { output: ready.stdout, ended: ready.ended };
            }
        }
    }

    /// What became of the time that a bot has run out of.
    fn waiting(&mut self, game: &Match, seat: Seat, turn: &Turn, answered: bool) -> Waiting {
        let (wall, has_bank) = (turn.start.elapsed(), self.has_bank);
        let span = self.connection(seat).end_watch(has_bank);
        let late = wall.saturating_sub(turn.budget.unwrap_or_default());
        Waiting {
            wall: if has_bank { game.usage(seat).wall } else { wall },
            starved: span.starved,
            slept: span.slept,
            late: answered.then_some(late),
            unheard: self.own_delay.in_turn(),
        }
    }

    /// How a bot that has closed its output ended, and its last words on standard error.
    fn exit(&mut self, seat: Seat, turn: u32) -> Ended {
        let connection = self.connections[seat.index()].as_mut().expect("an outside seat");
        let exit = connection.wait_for_exit(limits::EXIT_CODE);
        connection.read_stderr(turn, &mut self.buffer);
        if let Some(Exit::Signal(_)) = exit {
            // What a bot used is known when all of it has ended; one that was killed has nothing left to do.
            connection.end();
            if connection.usage.over_memory {
                return Ended::OverMemory;
            }
        }
        Ended::By(exit.unwrap_or(Exit::ClosedOutput))
    }

    /// A bot that has failed and is out must not take time from the others. Some games have a last word for it only at
    /// the end: until then it stands still.
    fn after_fault(&mut self, game: &Match, seat: Seat, turn: u32) {
        let connection = self.connections[seat.index()].as_mut().expect("an outside seat");
        connection.read_stderr(turn, &mut self.buffer);
        connection.fault_lines = connection.log.last_lines();
        if !game.state().plays(seat) && !game.dismissed(seat) {
            connection.freeze();
        }
    }
}
