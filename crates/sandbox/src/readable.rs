//! Waiting for one file.

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::os::fd::BorrowedFd;
use std::time::Instant;

/// Waits until a file is readable or the deadline has passed, and says which: true if it is readable.
pub fn wait_readable(file: BorrowedFd<'_>, deadline: Instant) -> bool {
    let mut polled = [PollFd::from_borrowed_fd(file, PollFlags::IN)];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match rustix::event::poll(&mut polled, Timespec::try_from(left).ok().as_ref()) {
            Err(Errno::INTR) => {}
            result => return result.is_ok_and(|ready| ready > 0),
        }
    }
}
