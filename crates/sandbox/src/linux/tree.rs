//! Copies of parts of the file tree, to be shown elsewhere: read-only, and if possible as the program's own.

use super::kernel::set_mount;
use nix::libc::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOSUID, MOUNT_ATTR_RDONLY};
use rustix::fs::CWD;
use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

/// What may be done with a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Read,
    Write,
    /// A device: neither changed nor forbidden to be one.
    Device,
    /// Whatever could be done with what is copied, which is a copy itself.
    AsItIs,
}

/// A copy of a file or folder with all that is mounted below, not yet to be seen anywhere.
pub(super) fn copy(path: &Path, purpose: Use, owners: Option<BorrowedFd<'_>>) -> io::Result<OwnedFd> {
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let copy = open_tree(CWD, path, flags)?;
    let attributes = match purpose {
        Use::Read => MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
        Use::Write => MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
        Use::Device => MOUNT_ATTR_NOSUID,
        Use::AsItIs => 0,
    };
    if attributes != 0 {
        set_mount(&copy, attributes, None, true)?;
    }
    if let Some(owners) = owners {
        set_mount(&copy, 0, Some(owners), true)?;
    }
    Ok(copy)
}

/// Shows a copy at a place, which must be there.
pub(super) fn show(copy: &OwnedFd, at: &Path) -> io::Result<()> {
    Ok(move_mount(copy, "", CWD, at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}
