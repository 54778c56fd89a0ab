//! Waits for several connections at a time.

use super::Connection;
use crate::interrupt::Interrupt;
use crate::platform::{self, Waited};
use crate::process::Process;
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
    polled.extend(interrupts.iter().map(|interrupt| interrupt.raised_bell()));
    for connection in connections {
        polled.extend(connection.watched().into_iter().flatten());
    }
    if platform::poll(&mut polled, timeout).is_err() {
        return (connections.iter().map(|_| Ready::default()).collect(), false);
    }
    let mut results = polled.iter().map(platform::is_ready);
    let interrupted = results.by_ref().take(interrupts.len()).filter(|raised| *raised).count() > 0;
    let ready = connections.iter().map(|connection| {
        let present = connection.watched().map(|waited| waited.is_some());
        let [stdin, stdout, stderr, ended] = present.map(|there| there && results.next() == Some(true));
        let ended = ended || (connection.is_blind() && connection.has_exited());
        let stdout = stdout || (ended && platform::arrives(connection.stdout.as_ref()));
        Ready { stdin, stdout, stderr, ended }
    });
    (ready.collect(), interrupted)
}

impl Connection {
    /// What is waited for: room in its input for what is unsent, its output, its standard error, its end.
    fn watched(&self) -> [Option<Waited<'_>>; 4] {
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        [
            stdin.map(platform::writable),
            self.stdout.as_ref().map(platform::readable),
            self.stderr.as_ref().map(platform::readable),
            self.process.as_ref().and_then(Process::ends),
        ]
    }

    /// Whether this platform cannot wait for its end.
    fn is_blind(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.ends().is_none())
    }

    fn has_exited(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.exited().is_some())
    }
}
