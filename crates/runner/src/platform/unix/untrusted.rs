//! Folders that a stranger's program could write: looked into, read, and removed from outside its cell.
//!
//! No path is resolved in such a folder. Each entry is opened beneath the handle of the folder that lists it, never
//! through a link, and everything is counted: a folder may hold anything, and as much of it as fits.

use crate::bounds::{Bounds, See, Tally, Unfit, stamp};
use crate::files::read_regular;
use rustix::fs::{Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

impl From<Errno> for Unfit {
    fn from(error: Errno) -> Unfit {
        Unfit::Unreadable(error.into())
    }
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Opening a pipe that nobody writes to would wait for ever, and a terminal would become ours.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
const SPECIAL_RIGHTS: Mode = Mode::SUID.union(Mode::SGID);
/// Entries that are removed between two looks at what is left.
const BATCH: usize = 1024;
/// Bytes in a block, as files are counted in.
const BLOCK: u64 = 512;

pub(crate) struct Folder(OwnedFd);

impl Folder {
    /// Opens a folder that is no link itself; the folders above it must be ours.
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        Ok(Folder(rustix::fs::open(path, FOLDER, Mode::empty())?))
    }

    /// Reads a file of at most `limit` bytes right in this folder.
    pub(crate) fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let file = rustix::fs::openat(&self.0, name, FILE | OFlags::NOFOLLOW, Mode::empty())?;
        read_regular(file.into(), limit)
    }

    /// Bytes of everything in it, as much as it takes on the disk at least.
    pub(crate) fn measure(&self, bounds: &Bounds) -> Result<u64, Unfit> {
        self.walk(bounds, &mut |_, _| Ok(()))
    }

    /// The same, if there is nothing but plain files and folders.
    pub(crate) fn check(&self, bounds: &Bounds) -> Result<u64, Unfit> {
        self.walk(bounds, &mut |path, stat| {
            let shown = || shown(path);
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile if Mode::from_raw_mode(stat.st_mode).intersects(SPECIAL_RIGHTS) => {
                    Err(Unfit::Rights(shown()))
                }
                FileType::RegularFile | FileType::Directory => Ok(()),
                _ => Err(Unfit::Kind(shown())),
            }
        })
    }

    /// What tells this folder's content from any other, before and after a change: whatever is changed gets another time
    /// of change, which nobody can set.
    pub(crate) fn stamp(&self, bounds: &Bounds) -> Result<Vec<u8>, Unfit> {
        let mut entries = Vec::new();
        self.walk(bounds, &mut |path, stat| {
            let entry = (stat.st_mode, stat.st_ino, stat.st_size, stat.st_ctime, stat.st_ctime_nsec);
            entries.push((path.to_owned(), entry));
            Ok(())
        })?;
        Ok(stamp(entries))
    }

    /// Shows everything in it to `see`; says how many bytes it holds.
    fn walk(&self, bounds: &Bounds, see: &mut See<'_, Stat>) -> Result<u64, Unfit> {
        let mut tally = Tally::default();
        let mut open = vec![(Dir::read_from(&self.0)?, PathBuf::new())];
        while let Some((folder, path)) = open.last_mut() {
            let Some(entry) = folder.next() else {
                open.pop();
                continue;
            };
            let entry = entry?;
            let name = entry.file_name();
            if is_dots(name) {
                continue;
            }
            let path = path.join(OsStr::from_bytes(name.to_bytes()));
            let stat = match rustix::fs::statat(folder.fd()?, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stat,
                // Whoever writes there is still at work.
                Err(Errno::NOENT) => continue,
                Err(error) => return Err(error.into()),
            };
            // A file may be longer than what it takes, or take more than it is long.
            tally.count((stat.st_size as u64).max(stat.st_blocks as u64 * BLOCK), bounds)?;
            see(&path, &stat)?;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                if open.len() > bounds.depth {
                    return Err(Unfit::Depth(bounds.depth));
                }
                let inner =
                    match rustix::fs::openat(open[open.len() - 1].0.fd()?, name, FOLDER, Mode::empty()) {
                        Ok(inner) => inner,
                        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => continue,
                        Err(error) => return Err(error.into()),
                    };
                open.push((Dir::new(inner)?, path));
            }
        }
        Ok(tally.bytes)
    }
}

/// Reads a file of at most `limit` bytes, wherever its path leads; nothing but a file.
pub(crate) fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_regular(rustix::fs::open(path, FILE, Mode::empty())?.into(), limit)
}

/// Removes a folder with everything in it, however deep its folders are and whatever rights they have; the folders above
/// it must be ours. A folder that is not there is fine.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    let above = crate::files::parent(path);
    let Some(name) = path.file_name().and_then(|name| CString::new(name.as_bytes()).ok()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let above = rustix::fs::open(above, FOLDER.difference(OFlags::NOFOLLOW), Mode::empty());
    let above = match above {
        Err(Errno::NOENT) => return Ok(()),
        above => above?,
    };
    match remove_entry(above.as_fd(), &name) {
        Ok(true) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        removed => removed?,
    };
    let root = enter(above.as_fd(), &name)?;
    let mut moved = 0;
    for_each_entry(&root, |name| {
        if remove_entry(root.as_fd(), name)? {
            return Ok(());
        }
        // The folders in it come up to the top: depth costs neither stack nor handles.
        let folder = enter(root.as_fd(), name)?;
        for_each_entry(&folder, |inner| {
            if !remove_entry(folder.as_fd(), inner)? {
                enter(folder.as_fd(), inner)?;
                move_up(&folder, inner, &root, &mut moved)?;
            }
            Ok(())
        })?;
        Ok(rustix::fs::unlinkat(&root, name, rustix::fs::AtFlags::REMOVEDIR)?)
    })?;
    Ok(rustix::fs::unlinkat(&above, &name, rustix::fs::AtFlags::REMOVEDIR)?)
}

/// Removes a file, a link or an empty folder; false if it is a folder with something in it.
fn remove_entry(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<bool> {
    match rustix::fs::unlinkat(folder, name, rustix::fs::AtFlags::empty()) {
        Ok(()) => return Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match rustix::fs::unlinkat(folder, name, rustix::fs::AtFlags::REMOVEDIR) {
        Ok(()) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST | Errno::ACCESS) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Does something about every entry until there is none left.
fn for_each_entry(folder: &OwnedFd, mut remove: impl FnMut(&CStr) -> io::Result<()>) -> io::Result<()> {
    loop {
        let entries = Dir::read_from(folder)?
            .filter(|entry| entry.as_ref().map_or(true, |entry| !is_dots(entry.file_name())));
        let names = entries.take(BATCH).map(|entry| Ok(entry?.file_name().to_owned()));
        let names = names.collect::<io::Result<Vec<CString>>>()?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            remove(&name)?;
        }
    }
}

fn move_up(from: &OwnedFd, name: &CStr, to: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    loop {
        *moved += 1;
        match rustix::fs::renameat(from, name, to, format!(".moved-{moved}")) {
            // Whoever made all this may have taken that name.
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
            done => return Ok(done?),
        }
    }
}

/// Opens a folder that is to be removed, with every right that takes.
fn enter(above: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    let folder = match rustix::fs::openat(above, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            unlock(above, name)?;
            rustix::fs::openat(above, name, FOLDER, Mode::empty())
        }
        opened => opened,
    }?;
    rustix::fs::fchmod(&folder, Mode::RWXU)?;
    Ok(folder)
}

/// Gives the owner every right to a folder that cannot even be opened.
#[cfg(target_os = "linux")]
fn unlock(above: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = rustix::fs::openat(above, name, flags, Mode::empty())?;
    Ok(rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), Mode::RWXU)?)
}

#[cfg(not(target_os = "linux"))]
fn unlock(above: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    Ok(rustix::fs::chmodat(above, name, Mode::RWXU, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?)
}

fn is_dots(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
}

/// A name that somebody made up, short and on one line.
fn shown(path: &Path) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    path.to_string_lossy().chars().take(80).map(plain).collect()
}

#[cfg(test)]
mod tests;
