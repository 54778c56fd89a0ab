//! The scratch space of a cell: a new file system for every program.
//!
//! Emptying the old one would not do: the times, mode and flags of its root, and the numbers that it gives to files, would
//! tell a program of those before it, and could carry whatever those want to leave to it.
//!
//! Mounting takes a right that the half of a cell in which programs run has given up. The half outside keeps it. No
//! program can see, signal or trace that one: it is in no pid namespace of theirs.

use super::seal::keep_only;
use super::tree::{Use, copy, show};
use super::view::{SCRATCH, make_target, temporary};
use super::wire::Setup;
use crate::limits;
use rustix::mount::{UnmountFlags, unmount};
use rustix::thread::CapabilitySet;
use std::collections::BTreeSet;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// The inner half's way to scratch spaces.
#[derive(Debug)]
pub(super) struct Scratch {
    outside: UnixStream,
    /// Requests that were not answered yet.
    pending: u32,
}

/// What is asked of the outer half.
const RELEASE: u8 = b'-';
const MAKE: u8 = b'+';

impl Scratch {
    pub(super) fn new(outside: UnixStream) -> Scratch {
        Scratch { outside, pending: 0 }
    }

    /// Gives the scratch space up. If it holds anything, that is gone when this returns.
    pub(super) fn release(&mut self) -> io::Result<()> {
        let used = is_used()?;
        self.ask(RELEASE)?;
        if used { self.wait() } else { Ok(()) }
    }

    /// Makes a new one, made now: when it was made must not tell when the program before ended.
    pub(super) fn make(&mut self) -> io::Result<()> {
        self.ask(MAKE)?;
        self.wait()
    }

    fn ask(&mut self, what: u8) -> io::Result<()> {
        self.outside.write_all(&[what])?;
        self.pending += 1;
        Ok(())
    }

    fn wait(&mut self) -> io::Result<()> {
        while self.pending > 0 {
            let mut error = [0; 4];
            self.outside.read_exact(&mut error)?;
            self.pending -= 1;
            if let error @ 1.. = i32::from_ne_bytes(error) {
                return Err(io::Error::from_raw_os_error(error));
            }
        }
        Ok(())
    }
}

/// Whether the scratch space holds more than the names of places that are shown in it.
fn is_used() -> io::Result<bool> {
    let space = rustix::fs::statvfs(SCRATCH)?;
    let names = limits::PLACES as u64 + 1;
    Ok(space.f_bfree < space.f_blocks || space.f_ffree + names < space.f_files)
}

/// The outer half: makes scratch spaces until the inner half is gone.
pub(super) fn provide(setup: &Setup, mut inner: UnixStream) -> io::Result<()> {
    keep_only(CapabilitySet::SYS_ADMIN)?;
    let mut provider = Provider { bytes: setup.limits.scratch_bytes, shown: shown(setup), released: None };
    let mut asked = [0];
    while inner.read_exact(&mut asked).is_ok() {
        let done = if asked == [MAKE] { provider.make() } else { provider.release() };
        let error = done.err().map_or(0, |error| error.raw_os_error().unwrap_or(nix::libc::EIO));
        inner.write_all(&error.to_ne_bytes())?;
    }
    Ok(())
}

struct Provider {
    bytes: u64,
    shown: BTreeSet<PathBuf>,
    /// What is to be shown in the next scratch space; `None` while there is one.
    released: Option<Vec<(OwnedFd, PathBuf, bool)>>,
}

impl Provider {
    fn release(&mut self) -> io::Result<()> {
        let mut places = Vec::new();
        for path in &self.shown {
            places.push((copy(path, Use::AsItIs, None)?, path.clone(), path.is_dir()));
        }
        unmount(SCRATCH, UnmountFlags::DETACH)?;
        self.released = Some(places);
        Ok(())
    }

    fn make(&mut self) -> io::Result<()> {
        if self.released.is_none() {
            self.release()?;
        }
        temporary(Path::new(SCRATCH), self.bytes, "700")?;
        for (copy, path, is_folder) in self.released.take().into_iter().flatten() {
            make_target(&path, is_folder)?;
            show(&copy, &path)?;
        }
        Ok(())
    }
}

/// What lies in the scratch space because places are shown there, or below it.
fn shown(setup: &Setup) -> BTreeSet<PathBuf> {
    let first = |path: &Path| Some(Path::new(SCRATCH).join(path.strip_prefix(SCRATCH).ok()?.iter().next()?));
    setup.places.iter().filter_map(|place| first(Path::new(&place.path))).collect()
}
