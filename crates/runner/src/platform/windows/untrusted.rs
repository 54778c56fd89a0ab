//! Folders that programs have written: looked into, read, and removed. Without a sandbox they are the user's own.

use crate::bounds::{Bounds, See, Tally, Unfit, stamp};
use crate::files::read_regular;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder that is no link itself.
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        match fs::symlink_metadata(path)?.is_dir() {
            true => Ok(Folder(path.to_owned())),
            false => Err(ErrorKind::NotADirectory.into()),
        }
    }

    /// Reads a file of at most `limit` bytes right in this folder.
    pub(crate) fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        read_file(&self.0.join(name), limit)
    }

    /// Bytes of everything in it.
    pub(crate) fn measure(&self, bounds: &Bounds) -> Result<u64, Unfit> {
        self.walk(bounds, &mut |_, _| Ok(()))
    }

    /// The same, if there is nothing but plain files and folders.
    pub(crate) fn check(&self, bounds: &Bounds) -> Result<u64, Unfit> {
        self.walk(bounds, &mut |path, found| match found.is_file() || found.is_dir() {
            true => Ok(()),
            false => Err(Unfit::Kind(path.display().to_string())),
        })
    }

    /// What tells this folder's content from any other, before and after a change.
    pub(crate) fn stamp(&self, bounds: &Bounds) -> Result<Vec<u8>, Unfit> {
        let mut entries = Vec::new();
        self.walk(bounds, &mut |path, found| {
            let changed = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
            entries.push((path.to_owned(), found.len(), changed));
            Ok(())
        })?;
        Ok(stamp(entries))
    }

    /// Shows everything in it to `see`; says how many bytes it holds.
    fn walk(&self, bounds: &Bounds, see: &mut See<'_, Metadata>) -> Result<u64, Unfit> {
        let mut tally = Tally::default();
        let mut folders = vec![(self.0.clone(), 1)];
        while let Some((folder, depth)) = folders.pop() {
            if depth > bounds.depth {
                return Err(Unfit::Depth(bounds.depth));
            }
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let found = fs::symlink_metadata(&path)?;
                tally.count(found.len(), bounds)?;
                see(&path, &found)?;
                if found.is_dir() {
                    folders.push((path, depth + 1));
                }
            }
        }
        Ok(tally.bytes)
    }
}

/// Reads a file of at most `limit` bytes; nothing but a file.
pub(crate) fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_regular(File::open(path)?, limit)
}

/// Removes a folder with everything in it. A folder that is not there is fine.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
