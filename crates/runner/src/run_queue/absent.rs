//! Where the kernel does not tell who waited for the processor, nobody is known to have waited.

use crate::process::Process;
use std::time::{Duration, Instant};

/// What became of a bot's time while it was watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span {
    /// How long it was ready to run while others than itself had the processor.
    pub(crate) starved: Duration,
    /// How long it neither ran nor wanted to.
    pub(crate) slept: Duration,
}

impl std::ops::AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.starved += other.starved;
        self.slept += other.slept;
    }
}

#[derive(Debug)]
pub(crate) struct RunQueue;

impl RunQueue {
    pub(crate) fn watch(_: &Process, _: Duration) -> RunQueue {
        RunQueue
    }

    pub(crate) fn look(&mut self, _: &Process) {}

    pub(crate) fn end(self, _: &Process, _: Duration) -> Span {
        Span::default()
    }
}

#[derive(Debug, Default)]
pub(crate) struct OwnDelay;

impl OwnDelay {
    pub(crate) fn begin_turn(&mut self, _: Instant) {}

    pub(crate) fn in_turn(&self) -> Duration {
        Duration::ZERO
    }
}
