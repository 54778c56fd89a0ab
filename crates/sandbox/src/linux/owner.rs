//! Who owns what: the map between the users of this machine and those of a cell.
//!
//! Where this process may, programs become a user that owns nothing here. The folders they are shown then look as if they
//! belonged to them, by a user namespace that says so and that nobody lives in.

use super::link::beginning;
use nix::sched::CloneFlags;
use rustix::thread::CapabilitySet;
use std::fs;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Stdio, exit};

/// Tells a cell that it is to be nothing but a user namespace.
pub(super) const WORD: &str = "owner";
/// The user of this machine that owns nothing, by custom.
pub(super) const NOBODY: u32 = 65534;

/// Whether this process may make its cells another user, and show them its folders as that user's.
pub(super) fn can_be_nobody() -> bool {
    let has = rustix::thread::capabilities(None).map_or(CapabilitySet::empty(), |sets| sets.effective);
    has.contains(CapabilitySet::SETUID | CapabilitySet::SETGID | CapabilitySet::SYS_ADMIN) && knows_nobody()
}

/// Whether this process's own user namespace, if it lives in one, has that user, and lets groups be left.
fn knows_nobody() -> bool {
    let read = |name: &str| fs::read_to_string(Path::new("/proc/self").join(name)).unwrap_or_default();
    let maps_nobody = |name: &str| {
        read(name).lines().any(|line| {
            let numbers: Vec<u32> =
                line.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
            matches!(numbers[..], [first, _, count] if NOBODY >= first && NOBODY - first < count)
        })
    };
    read("setgroups").trim() != "deny" && maps_nobody("uid_map") && maps_nobody("gid_map")
}

/// Says which user and group outside a process's user `inside` is.
pub(super) fn map(process: &Path, inside: u32, user: u32, group: u32) -> io::Result<()> {
    // Without this, a user without rights may not say anything about groups.
    let _ = fs::write(process.join("setgroups"), "deny");
    fs::write(process.join("uid_map"), format!("{inside} {user} 1"))?;
    fs::write(process.join("gid_map"), format!("{inside} {group} 1"))
}

/// A user namespace in which what belongs to this process's user belongs to nobody.
pub(super) fn namespace() -> io::Result<OwnedFd> {
    let mut holder = beginning()
        .arg(WORD)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let made = (|| {
        let mut ready = [0];
        holder.stdout.take().map_or(Ok(()), |mut stdout| stdout.read_exact(&mut ready))?;
        let process = Path::new("/proc").join(holder.id().to_string());
        map(&process, rustix::process::geteuid().as_raw(), NOBODY, NOBODY)?;
        Ok(fs::File::open(process.join("ns/user"))?.into())
    })();
    let _ = holder.kill();
    let _ = holder.wait();
    made
}

/// Is nothing but a user namespace until the line is closed.
pub(super) fn hold() -> ! {
    if nix::sched::unshare(CloneFlags::CLONE_NEWUSER).is_err() {
        exit(1);
    }
    let _ = rustix::io::write(rustix::stdio::stdout(), b".");
    let _ = io::stdin().read(&mut [0]);
    exit(0)
}
