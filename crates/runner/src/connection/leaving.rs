//! A bot that has had its last words, until it has left.

use super::Connection;
use super::poll::{Ready, poll};
use crate::limits;
use std::time::Instant;

impl Connection {
    /// It has had its last words: its input ends behind them, and it may take until then to leave by itself.
    pub(crate) fn dismiss(&mut self, leave_by: Instant) {
        if self.leave_by.is_none() {
            self.leave_by = Some(leave_by);
            self.flush();
        }
        if self.frozen {
            self.thaw();
        }
    }

    /// Whether it has had its last words.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.leave_by.is_some()
    }

    /// The match goes on: if it has not left yet, it runs from now on when nobody else wants to. One that finds ways to keep
    /// its priority up is killed.
    pub(crate) fn make_idle(&mut self) {
        let running = self.process.as_ref().filter(|_| !self.gone);
        if running.is_some_and(|process| process.make_idle() && process.make_idle()) {
            self.kill();
        }
    }

    /// Whether it is still on its way out. Who has no process has left when it was told everything.
    pub(crate) fn is_leaving(&self) -> bool {
        self.leave_by.is_some() && !self.gone && (self.process.is_some() || !self.unsent.is_empty())
    }

    /// Until when it may take to leave, if it is still on its way out.
    pub(crate) fn leave_by(&self) -> Option<Instant> {
        self.leave_by.filter(|_| self.is_leaving())
    }

    /// Does what there is to do for a bot that leaves: its last words go out, what it still writes is taken so that it can
    /// go, and when its time is over it is killed.
    pub(crate) fn see_off(&mut self, ready: &Ready, turn: u32, buffer: &mut [u8]) {
        if ready.stdin {
            self.flush();
        }
        if ready.stderr {
            self.read_stderr(turn, buffer);
        }
        if ready.stdout {
            let _ = self.read_stdout(buffer);
        }
        if ready.ended {
            self.gone = true;
        } else if self.leave_by().is_some_and(|leave_by| leave_by <= Instant::now()) {
            self.kill();
        }
    }

    /// It has had its last words: it has a moment to leave by itself, and is gone when this returns.
    pub(crate) fn leave(&mut self, buffer: &mut [u8]) {
        self.dismiss(Instant::now() + limits::GRACE);
        while let Some(leave_by) = self.leave_by() {
            let left = leave_by.saturating_duration_since(Instant::now());
            let (ready, _) = poll(&[self], &[], Some(left));
            self.see_off(&ready[0], 0, buffer);
        }
        self.end();
    }

    /// Kills it without waiting for its end: another bot may be at work.
    fn kill(&mut self) {
        self.gone = true;
        self.ended_itself = false;
        if let Some(process) = &self.process {
            process.kill();
        }
    }

    /// Ends what has left, or was killed.
    pub(crate) fn end_if_gone(&mut self, turn: u32, buffer: &mut [u8]) {
        if self.gone && self.process.is_some() {
            self.read_stderr(turn, buffer);
            self.end();
        }
    }
}
