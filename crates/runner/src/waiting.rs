//! Whose fault it is that a bot ran out of time: what the kernel says about who had the processor meanwhile.

use crate::driver::FaultReport;
use crate::limits;
use std::time::Duration;

/// What became of the time of a bot that ran out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waiting {
    /// The time that ran out: that of the turn, or of all turns together where they share a bank.
    pub wall: Duration,
    /// How long it was ready to run while others than itself had the processor.
    pub starved: Duration,
    /// How long it neither ran nor wanted to.
    pub slept: Duration,
    /// By how much an answer came too late; `None` if none came.
    pub late: Option<Duration>,
    /// How long this program itself was ready to run, and so to take the answer, and did not have the processor.
    pub unheard: Duration,
}

impl Waiting {
    /// Whether the machine is to blame: it took a good part of the bot's time, and more than the bot slept itself; or an
    /// answer was there in time, and this program was not scheduled to read it.
    pub fn is_the_machines_fault(&self) -> bool {
        self.was_starved() || self.was_unheard()
    }

    /// Whether others had the processor for a good part of the bot's time.
    pub fn was_starved(&self) -> bool {
        self.starved * limits::STARVED_PART >= self.wall && self.starved > self.slept
    }

    /// Whether an answer was there in time, and this program was not scheduled to read it.
    pub fn was_unheard(&self) -> bool {
        self.late.is_some_and(|late| late <= self.unheard)
    }
}

/// Whether a bot of a match ran out of time by the machine's fault. Where the kernel does not tell, nobody is excused.
pub fn host_at_fault(faults: &[FaultReport]) -> bool {
    faults.iter().any(FaultReport::is_the_machines)
}

#[cfg(test)]
mod tests {
    use super::Waiting;
    use std::time::Duration;

    /// A turn of 40 ms of which so many were waited for the processor, and so many slept.
    fn waiting(starved: u64, slept: u64) -> Waiting {
        let millis = Duration::from_millis;
        Waiting { wall: millis(40), starved: millis(starved), slept: millis(slept), ..Waiting::default() }
    }

    #[test]
    fn a_bot_that_was_kept_from_the_processor_is_excused() {
        // It needs 25 of 40 ms, beside three busy loops.
        assert!(waiting(30, 0).is_the_machines_fault());
        assert!(waiting(6, 1).is_the_machines_fault());
    }

    #[test]
    fn a_bot_that_sleeps_is_not_excused() {
        for starved in 0..20 {
            assert!(!waiting(starved, 40 - starved).is_the_machines_fault(), "{starved}");
        }
        assert!(!waiting(10, 10).is_the_machines_fault(), "it gave away as much as it was kept from");
    }

    #[test]
    fn a_bot_that_computes_for_too_long_is_not_excused() {
        assert!(!waiting(0, 0).is_the_machines_fault());
        assert!(!waiting(4, 0).is_the_machines_fault(), "every machine does something else for a moment");
    }

    #[test]
    fn an_answer_that_lay_there_because_nobody_read_it_is_excused() {
        let millis = Duration::from_millis;
        let late =
            |late, unheard| Waiting { late: Some(millis(late)), unheard: millis(unheard), ..waiting(0, 40) };
        assert!(late(10, 12).is_the_machines_fault());
        assert!(!late(10, 8).is_the_machines_fault(), "it was late all the same");
        let silent = Waiting { late: None, ..late(10, 12) };
        assert!(!silent.is_the_machines_fault(), "there was nothing to be read");
    }
}
