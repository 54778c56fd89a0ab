//! Matches in which the machine kept a bot from the processor until its time was over, lately.

use crate::limits;
use std::collections::VecDeque;

/// When they ended, in milliseconds since 1970.
#[derive(Default)]
pub(super) struct Stalls(VecDeque<i64>);

impl Stalls {
    pub(super) fn note(&mut self, now: i64) {
        if self.0.len() == limits::STALLS {
            self.0.pop_front();
        }
        self.0.push_back(now);
    }

    /// How many there were within [`limits::STALL_SPAN`].
    pub(super) fn lately(&self, now: i64) -> u32 {
        let since = now - limits::STALL_SPAN.as_millis() as i64;
        self.0.iter().filter(|at| **at > since).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Stalls;
    use crate::limits;

    #[test]
    fn stalls_are_forgotten_after_a_while_and_never_too_many() {
        let mut stalls = Stalls::default();
        let span = limits::STALL_SPAN.as_millis() as i64;
        stalls.note(0);
        stalls.note(span / 2);
        assert_eq!((stalls.lately(span - 1), stalls.lately(span), stalls.lately(2 * span)), (2, 1, 0));
        (0..10_000).for_each(|now| stalls.note(now));
        assert_eq!(stalls.lately(0) as usize, limits::STALLS);
    }
}
