//! Who may do what with a file follows from the folder it lies in: those of a user are the user's own.

use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Its user may do everything, others nothing.
pub fn of(_: &Metadata) -> u32 {
    0o700
}

/// There is nothing to change.
pub fn set(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// There is nothing to choose.
pub fn made_with(options: &mut OpenOptions, _: u32) -> &mut OpenOptions {
    options
}

/// Makes a folder, and what is missing above it.
pub fn make_folder(path: &Path, _: u32) -> io::Result<()> {
    fs::create_dir_all(path)
}
