//! A wish to stop, from a signal or another thread, that also wakes a waiting match.

use crate::platform::{self, Bell, Waited};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stops the matches that were given it.
#[derive(Clone, Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// Rung once the flag is set.
    bell: Arc<Bell>,
}

impl Interrupt {
    /// One that nobody has raised.
    pub fn new() -> io::Result<Interrupt> {
        Ok(Interrupt { flag: Arc::new(AtomicBool::new(false)), bell: Arc::new(Bell::new()?) })
    }

    /// Raises it. Not for signal handlers.
    pub fn raise(&self) {
        self.flag.store(true, Ordering::SeqCst);
        self.bell.ring();
    }

    /// Whether it was raised.
    pub fn raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Waits until it is raised.
    pub fn wait(&self) {
        let mut raised = [self.raised_bell()];
        // A signal may wake us before its handler has rung.
        while platform::poll(&mut raised, None).is_err() || !platform::is_ready(&raised[0]) {}
    }

    /// Waits for so long, or until it is raised.
    pub fn wait_for(&self, time: Duration) {
        platform::wait_until(Instant::now() + time, self.raised_bell());
    }

    /// Waits until something can be read from standard input, or until it is raised.
    pub fn wait_for_stdin(&self) {
        platform::wait_for_stdin(self);
    }

    /// To be set by a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    #[cfg(unix)]
    pub(crate) fn bell(&self) -> &Bell {
        &self.bell
    }

    /// Until it is raised.
    pub(crate) fn raised_bell(&self) -> Waited<'_> {
        self.bell.rung()
    }
}
