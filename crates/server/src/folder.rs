//! A tournament's folder: its report, and its replays by their paths, read only when somebody asks.
//!
//! A tournament may have a hundred thousand replays, and more while it goes on; none is looked for in advance.

use crate::library::Unreadable;
use palestra_core::limits;
use palestra_runner::read_bytes;
use std::path::{Path, PathBuf};

/// The report's name, in the folder as in addresses.
pub const REPORT: &str = "report.html";

/// Separates the folders of a path where it stands in an address as one word: `replays~0~17`.
const SEPARATOR: char = '~';

pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// The replay of this name; `None` if there is no such file.
    pub(crate) fn replay(&self, id: &str) -> Option<Result<Vec<u8>, Unreadable>> {
        let path = self.path.join(replay_path(id)?);
        path.is_file().then(|| read(&path, limits::REPLAY_FILE_BYTES))
    }

    /// The report as it is now; `None` if there is none.
    pub(crate) fn report(&self) -> Option<Result<Vec<u8>, Unreadable>> {
        let path = self.path.join(REPORT);
        path.is_file().then(|| read(&path, crate::limits::REPORT_BYTES))
    }
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    read_bytes(path, limit).map_err(|error| Unreadable::File(error.to_string()))
}

/// The path of a replay by its name in addresses. Names are plain words, so that no path leads out of the folder.
fn replay_path(id: &str) -> Option<PathBuf> {
    let plain = |part: &str| {
        let letters = part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        letters && !part.is_empty() && !part.starts_with('.')
    };
    id.split(SEPARATOR).all(plain).then(|| PathBuf::from(format!("{}.replay", id.replace(SEPARATOR, "/"))))
}

#[cfg(test)]
mod tests {
    use super::replay_path;
    use std::path::Path;

    #[test]
    fn names_lead_to_files_below_the_folder_only() {
        assert_eq!(replay_path("replays~0~17").as_deref(), Some(Path::new("replays/0/17.replay")));
        assert_eq!(replay_path("final-1.b").as_deref(), Some(Path::new("final-1.b.replay")));
        for bad in
            ["", "~", "..~..~etc~passwd", "~etc~passwd", "a~~b", "a/../../b", "a\\b", ".hidden", "a\0b", "C:"]
        {
            assert_eq!(replay_path(bad), None, "{bad}");
        }
    }
}
