//! What differs from system to system, beside what the runner knows of.

use std::fs::File;
use std::io::{self, ErrorKind};
#[cfg(unix)]
pub(crate) use std::os::fd::AsFd as Descriptor;
#[cfg(windows)]
pub(crate) use std::os::windows::io::AsHandle as Descriptor;
use std::path::Path;
use std::process::{Child, Command};

/// Why there is no arena here.
#[cfg(windows)]
const NO_ARENA: &str = "events are run on Linux or macOS: on Windows programs of strangers cannot be kept apart from the \
                        machine; everything else works here, palestra connect and submit included";

/// Refuses what belongs to an arena where none can be opened.
#[cfg(windows)]
pub(crate) fn has_arenas() -> Result<(), String> {
    Err(NO_ARENA.to_owned())
}

/// Refuses what belongs to an arena where none can be opened.
#[cfg(unix)]
pub(crate) fn has_arenas() -> Result<(), String> {
    Ok(())
}

/// Whether this program may do everything.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(windows)]
    false
}

/// Bytes that there is room for in a folder, where that is known.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(folder).ok().map(|stat| stat.f_bavail * stat.f_frsize);
    #[cfg(windows)]
    None.filter(|_: &u64| folder.exists())
}

/// Files that this program may have open: now, and if it asks for more.
pub(crate) fn open_files() -> (u64, u64) {
    #[cfg(unix)]
    {
        let limits = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        (limits.current.unwrap_or(u64::MAX), limits.maximum.unwrap_or(u64::MAX))
    }
    #[cfg(windows)]
    (u64::MAX, u64::MAX)
}

/// What this command starts is one with all that it starts.
pub(crate) fn lead_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    let _ = command;
}

/// Kills what was started so. On Windows what it has started leaves by itself.
pub(crate) fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(windows)]
    let _ = child.kill();
}

/// Standard input or output as a file, which nobody locks and nothing buffers.
pub(crate) fn file_of(what: &impl Descriptor) -> io::Result<File> {
    #[cfg(unix)]
    let own = what.as_fd().try_clone_to_owned()?;
    #[cfg(windows)]
    let own = what.as_handle().try_clone_to_owned()?;
    Ok(own.into())
}

/// What could not be done without waiting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    ToRead,
    ToWrite,
}

/// Something failed, and is tried again if it only would have had to wait: waits for that.
pub(crate) fn wait_after(error: io::Error, what: &impl Descriptor, wanted: Wanted) -> io::Result<()> {
    match error.kind() {
        ErrorKind::Interrupted => Ok(()),
        ErrorKind::WouldBlock => {
            wait_for(what, wanted);
            Ok(())
        }
        _ => Err(error),
    }
}

#[cfg(unix)]
fn wait_for(what: &impl Descriptor, wanted: Wanted) {
    use rustix::event::{PollFd, PollFlags};
    let ready = if wanted == Wanted::ToRead { PollFlags::IN } else { PollFlags::OUT };
    let _ = rustix::event::poll(&mut [PollFd::from_borrowed_fd(what.as_fd(), ready)], None);
}

/// Here nothing that is read or written refuses to wait.
#[cfg(windows)]
fn wait_for(_: &impl Descriptor, _: Wanted) {}
