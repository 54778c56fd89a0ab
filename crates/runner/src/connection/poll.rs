//! Waits for several connections at a time.

use super::Connection;
use crate::interrupt::Interrupt;
use crate::process::Process;
use rustix::event::{PollFd, PollFlags};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Ready {
    pub(crate) stdin: bool,
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
    pub(crate) ended: bool,
}

/// Waits until something can be done for one of these connections, somebody interrupts, or the time is over. Says what
/// can be done for each, and whether there was an interrupt.
pub(crate) fn poll(
    connections: &[&Connection],
    interrupts: &[&Interrupt],
    timeout: Option<Duration>,
) -> (Vec<Ready>, bool) {
    // Where no exit can be waited for, look for it now and then.
    let timeout = match connections.iter().any(|connection| connection.is_blind()) {
        true => Some(timeout.unwrap_or(Duration::MAX).min(Duration::from_millis(20))),
        false => timeout,
    };
    let mut polled = Vec::with_capacity(4 * connections.len() + interrupts.len());
    polled.extend(interrupts.iter().map(|raised| PollFd::from_borrowed_fd(raised.fd(), PollFlags::IN)));
    for connection in connections {
        polled.extend(connection.watched().into_iter().flatten());
    }
    if palestra_sandbox::poll(&mut polled, timeout).is_err() {
        return (connections.iter().map(|_| Ready::default()).collect(), false);
    }
    let mut results = polled.iter().map(|fd| !fd.revents().is_empty());
    let interrupted = results.by_ref().take(interrupts.len()).filter(|raised| *raised).count() > 0;
    let ready = connections.iter().map(|connection| {
        let present = connection.watched().map(|fd| fd.is_some());
        let [stdin, stdout, stderr, ended] = present.map(|there| there && results.next() == Some(true));
        let ended = ended || (connection.is_blind() && connection.has_exited());
        Ready { stdin, stdout, stderr, ended }
    });
    (ready.collect(), interrupted)
}

impl Connection {
    /// What is waited for: room in its input for what is unsent, its output, its standard error, its end.
    fn watched(&self) -> [Option<PollFd<'_>>; 4] {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        [
            stdin.map(|fd| PollFd::new(fd, PollFlags::OUT)),
            self.stdout.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)),
            self.stderr.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)),
            self.process
                .as_ref()
                .and_then(Process::exit_fd)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        ]
    }

    /// Whether this platform cannot wait for its end.
    fn is_blind(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.exit_fd().is_none())
    }

    fn has_exited(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.exited().is_some())
    }
}
