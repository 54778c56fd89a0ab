//! A tournament's folder: its report, and its replays by the numbers of their matches, read only when somebody asks.
//!
//! A tournament may have a hundred thousand replays, and more while it goes on; none is looked for in advance.

use crate::library::Unreadable;
use palestra_core::limits;
use palestra_league::bundle;
use palestra_league::store::{Store, holds_log};
use palestra_runner::read_bytes;
use std::path::{Path, PathBuf};

/// The report's name, in the folder as in addresses.
pub const REPORT: &str = "report.html";

/// Separates the folders of a path where it stands in an address as one word: `replays~0~17`. Tournaments of the first
/// version have a file for every replay.
const SEPARATOR: char = '~';

pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// The replay of this name; `None` if there is none.
    pub(crate) fn replay(&self, id: &str) -> Option<Result<Vec<u8>, Unreadable>> {
        if let Some(number) = bundle::match_named(id)
            && holds_log(&self.path)
        {
            let found = Store::look(&self.path).and_then(|mut log| log.replay(number));
            return found.map_err(|error| Unreadable::File(error.to_string())).transpose();
        }
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
    use super::{Folder, replay_path};
    use palestra_league::bundle::Packed;
    use palestra_league::event::{Event, Finished};
    use palestra_league::log_writer::{Batch, LogWriter};
    use palestra_league::pairing::BotNumber;
    use palestra_league::store::Store;
    use std::path::Path;

    #[test]
    fn replays_are_found_by_the_numbers_of_their_matches() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let mut log = LogWriter::begin(folder.path()).unwrap();
        for number in [1, 2, 3, 2] {
            let mut batch = Batch::default();
            let replay = (number != 3).then(|| Packed::new(vec![number as u8; 10]));
            batch.push_played(Event::Finished(finished(number)), replay);
            log.append(batch).unwrap();
        }
        log.end().unwrap();
        let folder = Folder::new(folder.path());
        let found = |name: &str| folder.replay(name).map(|bytes| bytes.unwrap());
        assert_eq!(found("match-1"), Some(vec![1; 10]));
        assert_eq!(found("match-2"), Some(vec![2; 10]));
        for name in ["match-3", "match-4", "match-", "match-99999999999", "match--1"] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    fn finished(number: u32) -> Finished {
        Finished {
            number,
            players: vec![BotNumber(0), BotNumber(1)],
            map: 0,
            seed: 1,
            places: vec![1, 2],
            scores: vec![(1, 1), (0, 1)],
            turns: 1,
            millis: 1,
            spent: vec![(1, None); 2],
            memory: Vec::new(),
            faults: Vec::new(),
            replay: None,
            tainted: false,
            worker: None,
        }
    }

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
