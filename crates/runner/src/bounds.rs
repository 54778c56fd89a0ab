//! How much of what others have made is taken, and why the rest is not.

use std::fmt::Debug;
use std::io;
use std::path::Path;

/// How much a folder may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Bytes of all its files together.
    pub(crate) bytes: u64,
    /// Files and folders in it.
    pub(crate) entries: usize,
    /// Folders inside each other.
    pub(crate) depth: usize,
}

/// What was found in a folder so far.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) bytes: u64,
    entries: usize,
}

impl Tally {
    /// One more file or folder.
    pub(crate) fn count(&mut self, bytes: u64, bounds: &Bounds) -> Result<(), Unfit> {
        self.entries += 1;
        if self.entries > bounds.entries {
            return Err(Unfit::Entries(bounds.entries));
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > bounds.bytes {
            return Err(Unfit::Bytes(bounds.bytes));
        }
        Ok(())
    }
}

/// Is shown everything in a folder, with what the system says of it.
pub(crate) type See<'a, Found> = dyn FnMut(&Path, &Found) -> Result<(), Unfit> + 'a;

/// What tells the content of a folder from any other: everything that there is, with what changes when it does.
pub(crate) fn stamp(mut entries: Vec<impl Ord + Debug>) -> Vec<u8> {
    entries.sort();
    format!("{entries:?}").into_bytes()
}

/// Why the content of a folder is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unfit {
    /// Too many bytes.
    #[error("more than {} MB", .0 >> 20)]
    Bytes(u64),
    /// Too many files and folders.
    #[error("more than {0} files and folders")]
    Entries(usize),
    /// Folders too deep inside each other.
    #[error("more than {0} folders inside each other")]
    Depth(usize),
    /// A link, a pipe, a socket, a device.
    #[error("\"{0}\", which is neither a file nor a folder")]
    Kind(String),
    /// A program that would run with somebody else's rights.
    #[cfg_attr(windows, allow(dead_code, reason = "there are no such rights"))]
    #[error("\"{0}\", which would run with the rights of its owner")]
    Rights(String),
    /// It cannot be looked at.
    #[error("something that cannot be looked at: {0}")]
    Unreadable(#[from] io::Error),
}
