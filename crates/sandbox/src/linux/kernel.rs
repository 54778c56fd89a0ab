//! The system calls that have no safe wrapper.
#![expect(
    unsafe_code,
    reason = "fork, sigaction, mount_setattr, TIOCNOTTY and the schedulers have no safe wrapper"
)]

use nix::libc;
use nix::sys::signal::{SigHandler, Signal};
use nix::unistd::ForkResult;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd};

/// Divides this process in two. Must be called while it has one thread.
pub(super) fn fork() -> io::Result<ForkResult> {
    // SAFETY: a cell has a single thread, so that no lock can be held by a thread that the child does not have.
    Ok(unsafe { nix::unistd::fork() }?)
}

/// Lets a signal do what it usually does. Whoever has started this process may ignore it, and that is inherited.
pub(super) fn heed(signal: Signal) -> io::Result<()> {
    // SAFETY: the default action runs nothing of ours.
    unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) }?;
    Ok(())
}

/// Gives up this process's terminal, and with it the right to change what that does.
pub(super) fn leave_terminal(terminal: impl AsFd) -> io::Result<()> {
    // SAFETY: this request has no argument, so that the kernel reads and writes nothing.
    let result = unsafe { libc::ioctl(terminal.as_fd().as_raw_fd(), libc::TIOCNOTTY) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Gives a mount, and all below it, these attributes (`MOUNT_ATTR_*`), and the owners that a user namespace says.
pub(super) fn set_mount(
    mount: impl AsFd,
    attributes: u64,
    owners: Option<BorrowedFd<'_>>,
    all_below: bool,
) -> io::Result<()> {
    let mapped = if owners.is_some() { libc::MOUNT_ATTR_IDMAP } else { 0 };
    let wanted = libc::mount_attr {
        attr_set: attributes | mapped,
        attr_clr: 0,
        propagation: 0,
        userns_fd: owners.map_or(0, |owners| owners.as_raw_fd() as u64),
    };
    let below = if all_below { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the kernel reads the empty path and `size_of(wanted)` bytes of `wanted`, which outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_fd().as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | below,
            &raw const wanted,
            size_of_val(&wanted),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

// The C library's own functions for schedulers are not asked: musl's, with which what is downloaded is linked, always refuse.

/// Whether a thread has the processor only when nobody else wants it.
pub(super) fn is_idle(thread: i32) -> bool {
    // SAFETY: the kernel reads and writes nothing of ours.
    let policy = unsafe { libc::syscall(libc::SYS_sched_getscheduler, thread) };
    policy & !libc::c_long::from(libc::SCHED_RESET_ON_FORK) == libc::c_long::from(libc::SCHED_IDLE)
}

/// Lets a thread have the processor only when nobody else wants it, and what it starts from now on.
pub(super) fn set_idle(thread: i32) -> io::Result<()> {
    // The kernel's `sched_param` is this one number.
    let priority: libc::c_int = 0;
    // SAFETY: the kernel reads `priority`, which outlives the call.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setscheduler, thread, libc::SCHED_IDLE, &raw const priority) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
