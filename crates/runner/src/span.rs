//! What became of a bot's time while it was watched.

use std::ops::AddAssign;
use std::time::Duration;

/// What became of a bot's time while it was watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span {
    /// How long it was ready to run while others than itself had the processor.
    pub(crate) starved: Duration,
    /// How long it neither ran nor wanted to.
    pub(crate) slept: Duration,
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.starved += other.starved;
        self.slept += other.slept;
    }
}
