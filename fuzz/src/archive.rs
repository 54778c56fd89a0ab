//! What people hand in: unpacked into a folder, within its limits, and nothing anywhere else. The first byte chooses what
//! the file is called.

use crate::within;
use palestra_arena::limits::{ARCHIVE_FILES, UNPACKED_BYTES};
use palestra_arena::workshop::archive;
use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

const NAMES: [&str; 6] = ["bot.zip", "bot.tar", "bot.tar.gz", "bot.tgz", "bot.py", "bot"];
/// Of an archive nothing is held in memory but lists of what is in it, and a window.
const MEMORY: usize = 16 << 20;
const MEMORY_FOR_EACH_BYTE: usize = 64;

/// A file that is handed in.
pub fn archive(bytes: &[u8]) {
    let Some((name, content)) = bytes.split_first() else { return };
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let endings = ["cpp", "py"].map(str::to_owned);
    if archive::check(name, content, &endings).is_err() {
        return;
    }
    let around = scratch().expect("a folder for the test");
    let folder = around.path().join("files");
    fs::create_dir(&folder).expect("a folder for the test");
    let unpacked = within(MEMORY + MEMORY_FOR_EACH_BYTE * content.len(), || {
        archive::unpack(name, content, &endings, &folder)
    });
    let mut found = Found::default();
    look(around.path(), &mut found);
    assert_eq!(fs::read_dir(around.path()).expect("it is there").count(), 1, "something lies outside");
    assert!(found.bytes <= UNPACKED_BYTES + 1, "{} bytes", found.bytes);
    assert!(found.files <= ARCHIVE_FILES, "{} files", found.files);
    if unpacked.is_ok()
        && let Ok(entry) = archive::entry(&folder, &endings)
    {
        assert!(entry.starts_with(&folder) && entry.is_file());
        let _ = archive::remark(&entry, &[]);
    }
}

/// A folder in memory where the system has one: thousands are made.
fn scratch() -> io::Result<TempDir> {
    match Path::new("/dev/shm") {
        memory if memory.is_dir() => tempfile::tempdir_in(memory),
        _ => tempfile::tempdir(),
    }
}

#[derive(Default)]
struct Found {
    files: usize,
    bytes: u64,
}

fn look(folder: &Path, found: &mut Found) {
    for entry in fs::read_dir(folder).expect("a folder that can be read") {
        let entry = entry.expect("an entry that can be read");
        let kind = entry.file_type().expect("it has a type");
        assert!(kind.is_dir() || kind.is_file(), "{} is a link", entry.path().display());
        match kind.is_dir() {
            true => look(&entry.path(), found),
            false => {
                found.files += 1;
                found.bytes += entry.metadata().expect("it is there").len();
            }
        }
    }
}
