//! The processor time of everything that a bot has started.

use crate::process::Process;
#[cfg(target_os = "linux")]
use std::collections::HashSet;
use std::time::Duration;

/// Counts it, reading by reading.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// What the last reading said.
    reading: Duration,
    /// The processes of that reading, where they have to be looked at one by one.
    #[cfg(target_os = "linux")]
    processes: HashSet<rustix::process::Pid>,
    total: Duration,
}

impl Meter {
    /// What everything has used up to now. Processor time is never counted twice, but may be missed: that of a process
    /// which began and ended between two readings and that nobody waited for, where no control group counts.
    pub(crate) fn read(&mut self, process: &Process) -> Duration {
        let used = match process.counted_cpu() {
            Some(counted) => {
                let used = counted.saturating_sub(self.reading);
                self.reading = counted;
                used
            }
            None => self.walk(process),
        };
        self.total += used;
        self.total
    }

    /// What was used since the last reading by the processes that live, and by those that somebody has waited for.
    #[cfg(target_os = "linux")]
    fn walk(&mut self, process: &Process) -> Duration {
        use crate::platform::tree;
        let members: HashSet<_> = process.members().into_iter().collect();
        let (mut sum, mut newcomers) = (process.reaped_cpu(), Duration::ZERO);
        for pid in &members {
            let used = tree::cpu_of(*pid);
            sum += used + tree::waited_for(*pid);
            if !self.processes.contains(pid) {
                newcomers += used;
            }
        }
        // Children of a process that ignores their end vanish from the sum; those that are there now did not use their
        // time before they were born.
        let used = sum.saturating_sub(self.reading).max(newcomers);
        (self.reading, self.processes) = (sum, members);
        used
    }

    #[cfg(not(target_os = "linux"))]
    fn walk(&mut self, _: &Process) -> Duration {
        Duration::ZERO
    }
}
