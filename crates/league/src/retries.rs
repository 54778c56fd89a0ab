//! How often in a row a bot's matches are left out because the machine was at fault, where no plan says how often one
//! is played again.

use crate::limits;
use std::collections::HashMap;
use std::hash::Hash;

/// Counts them for each bot.
#[derive(Debug)]
pub struct RetryCounter<Bot>(HashMap<Bot, u32>);

impl<Bot> Default for RetryCounter<Bot> {
    fn default() -> RetryCounter<Bot> {
        RetryCounter(HashMap::new())
    }
}

impl<Bot: Hash + Eq> RetryCounter<Bot> {
    /// These bots ran out of time in a match by the machine's fault: whether it is left out. It counts once one of them
    /// has had [`limits::RETRIES`] in a row.
    pub fn leave_out(&mut self, stalled: impl IntoIterator<Item = Bot>) -> bool {
        let mut left_out = true;
        for bot in stalled {
            let in_a_row = self.0.entry(bot).or_default();
            *in_a_row += 1;
            left_out &= *in_a_row <= limits::RETRIES;
        }
        left_out
    }

    /// These bots have played a match that counts.
    pub fn forget(&mut self, bots: impl IntoIterator<Item = Bot>) {
        for bot in bots {
            self.0.remove(&bot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RetryCounter;
    use crate::limits::RETRIES;

    #[test]
    fn a_bot_is_excused_so_often_in_a_row_and_no_more() {
        let mut retries = RetryCounter::default();
        for _ in 0..2 {
            for _ in 0..RETRIES {
                assert!(retries.leave_out([1]));
            }
            assert!(!retries.leave_out([1]));
            assert!(!retries.leave_out([1, 2]), "one of them has had its share");
            assert!(retries.leave_out([2]));
            retries.forget([1, 2]);
        }
    }
}
