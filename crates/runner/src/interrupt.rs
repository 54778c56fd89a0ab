//! A wish to stop, from a signal or another thread, that also wakes a waiting match.

use rustix::event::{PollFd, PollFlags};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stops the matches that were given it.
#[derive(Clone, Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// Readable for ever once the flag is set.
    reader: Arc<OwnedFd>,
    writer: Arc<OwnedFd>,
}

impl Interrupt {
    /// Not yet raised.
    pub fn new() -> io::Result<Interrupt> {
        let (reader, writer) = io::pipe()?;
        Ok(Interrupt {
            flag: Arc::new(AtomicBool::new(false)),
            reader: Arc::new(reader.into()),
            writer: Arc::new(writer.into()),
        })
    }

    /// Raises it. For signal handlers use [`Interrupt::flag`] and [`Interrupt::writer`] instead.
    pub fn raise(&self) {
        self.flag.store(true, Ordering::SeqCst);
        // A full pipe is as readable as one byte more.
        let _ = rustix::io::write(&*self.writer, b"!");
    }

    /// Whether it was raised.
    pub fn raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Waits until it is raised.
    pub fn wait(&self) {
        let mut raised = [PollFd::new(&*self.reader, PollFlags::IN)];
        // A signal may wake us before its handler has written.
        while palestra_sandbox::poll(&mut raised, None) != Ok(1) {}
    }

    /// Waits for so long, or until it is raised.
    pub fn wait_for(&self, time: Duration) {
        palestra_sandbox::wait_readable(self.fd(), Instant::now() + time);
    }

    /// To be set by a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// To be written to by a signal handler, after the flag is set.
    pub fn writer(&self) -> io::Result<OwnedFd> {
        self.writer.try_clone()
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
