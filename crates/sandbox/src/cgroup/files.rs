//! Reading and writing a group's control files.

use super::limits;
use rustix::process::{Pid, Signal};
use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder).map_err(|error| {
        io::Error::new(error.kind(), format!("the group {} cannot be made: {error}", folder.display()))
    })
}

/// Removes a group unless it is gone already: this is tried again when only some folders of a group could be removed.
pub(super) fn remove_folder(folder: &Path) -> io::Result<()> {
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a value into a control file.
pub(super) fn write(folder: &Path, file: &str, value: impl Display) -> io::Result<()> {
    let path = folder.join(file);
    fs::write(&path, value.to_string()).map_err(|error| {
        io::Error::new(error.kind(), format!("{} does not take `{value}`: {error}", path.display()))
    })
}

/// A control file that is read again and again, and kept open because opening costs more than reading.
#[derive(Debug)]
pub(super) struct Gauge {
    path: PathBuf,
    file: OnceLock<File>,
}

impl Gauge {
    /// A file that need not be there.
    pub(super) fn new(folder: &Path, file: &str) -> Gauge {
        Gauge { path: folder.join(file), file: OnceLock::new() }
    }

    /// The single number in it.
    pub(super) fn number(&self) -> Option<u64> {
        self.read(|text| text.trim().parse().ok())
    }

    /// What `look` finds in its text.
    pub(super) fn read<T>(&self, look: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let mut text = [0; limits::CONTROL_FILE_BYTES];
        let length = self.file()?.read_at(&mut text, 0).ok()?;
        look(str::from_utf8(&text[..length]).ok()?)
    }

    /// Writes a value into it.
    pub(super) fn write(&self, value: &str) -> io::Result<()> {
        let file = self.file().ok_or(io::ErrorKind::NotFound)?;
        file.write_at(value.as_bytes(), 0).map(drop)
    }

    fn file(&self) -> Option<&File> {
        if self.file.get().is_none() {
            let mut options = File::options();
            let file =
                options.read(true).write(true).open(&self.path).or_else(|_| File::open(&self.path)).ok()?;
            return Some(self.file.get_or_init(|| file));
        }
        self.file.get()
    }
}

/// The number after `key`, one pair to a line.
pub(super) fn value_of(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok())
}

/// The processes in a group; `None` is one that this process's pid namespace does not show. The file is opened anew
/// each time: version 1 shows an open file the list of up to a second ago.
pub(super) fn members(folder: &Path) -> Vec<Option<Pid>> {
    let list = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    list.lines().filter_map(|line| line.trim().parse().ok()).map(Pid::from_raw).collect()
}

/// Kills each process that the group lists now.
pub(super) fn kill_members(folder: &Path) {
    for pid in members(folder).into_iter().flatten() {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}
