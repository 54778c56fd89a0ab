//! Waiting for files: the one place that speaks of time as the system call wants it.

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

/// Waits until one of these is as asked for, a signal comes (an error), or the time is over. Without a time it waits for
/// as long as it takes.
pub fn poll(files: &mut [PollFd<'_>], timeout: Option<Duration>) -> rustix::io::Result<usize> {
    let timeout = timeout.map(|timeout| Timespec {
        tv_sec: timeout.as_secs().min(i32::MAX as u64) as _,
        tv_nsec: timeout.subsec_nanos().into(),
    });
    rustix::event::poll(files, timeout.as_ref())
}

/// Waits until a file is readable or the deadline has passed, and says which: true if it is readable.
pub fn wait_readable(file: BorrowedFd<'_>, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut [PollFd::from_borrowed_fd(file, PollFlags::IN)], Some(left)) {
            Err(Errno::INTR) => {}
            result => return result.is_ok_and(|ready| ready > 0),
        }
    }
}
