//! Replays beside a tournament's log, many to a file: `replays/0.bundle`, `replays/1.bundle` and so on.
//!
//! A bundle is only added to, and is nothing but replays one after the other; the log says where each begins and ends.
//! What a killed process was writing stays where it is, named by nobody, and the next replay comes behind it.

use crate::event::StoredReplay;
use crate::limits;
use palestra_core::ReplayError;
use palestra_core::limits::REPLAY_FILE_BYTES;
use palestra_core::replay::MAGIC;
use palestra_runner::FileError;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

const FOLDER: &str = "replays";
const ENDING: &str = "bundle";
const MATCH: &str = "match-";

/// A replay as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Its file.
    pub bytes: Vec<u8>,
    /// The fingerprint of that.
    pub sha256: String,
}

impl Packed {
    /// A replay file's bytes.
    pub fn new(bytes: Vec<u8>) -> Packed {
        Packed { sha256: fingerprint(&bytes), bytes }
    }
}

/// The bundles of a folder that this process holds, to be added to.
pub(crate) struct Bundles {
    folder: PathBuf,
    /// The one that is written to.
    number: u32,
    file: File,
    length: u64,
}

impl Bundles {
    /// Goes on with the last one.
    pub(crate) fn open(folder: &Path) -> Result<Bundles, FileError> {
        let inside = folder.join(FOLDER);
        let failed = |error: io::Error| FileError::Write { path: inside.clone(), why: error.to_string() };
        fs::create_dir_all(&inside).map_err(failed)?;
        let mut last = 0;
        for entry in fs::read_dir(&inside).map_err(failed)? {
            last = number_of(&entry.map_err(failed)?.path()).unwrap_or(0).max(last);
        }
        Bundles::at(folder, last)
    }

    fn at(folder: &Path, number: u32) -> Result<Bundles, FileError> {
        let path = folder.join(name_of(number));
        let failed = |error: io::Error| FileError::Write { path: path.clone(), why: error.to_string() };
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(Bundles { folder: folder.to_owned(), number, file, length })
    }

    /// Writes replays, and says where each is. All of them are on the disk when this returns.
    pub(crate) fn append<'a>(
        &mut self,
        replays: impl IntoIterator<Item = &'a Packed>,
    ) -> Result<Vec<StoredReplay>, FileError> {
        if self.length >= limits::BUNDLE_BYTES {
            *self = Bundles::at(&self.folder, self.number + 1)?;
        }
        let path = name_of(self.number);
        let mut text = Vec::new();
        let mut stored = Vec::new();
        for Packed { bytes, sha256 } in replays {
            let at = Some(self.length + text.len() as u64);
            stored.push(StoredReplay {
                path: path.clone(),
                at,
                bytes: bytes.len() as u64,
                sha256: sha256.clone(),
            });
            text.extend_from_slice(bytes);
        }
        if text.is_empty() {
            return Ok(stored);
        }
        self.file
            .write_all(&text)
            .and_then(|()| self.file.sync_data())
            .map_err(|error| FileError::Write { path: self.folder.join(path), why: error.to_string() })?;
        self.length += text.len() as u64;
        Ok(stored)
    }
}

/// Whether there are replays in a folder: in bundles, or in files of their own by hundreds, as they once were.
pub(crate) fn any(folder: &Path) -> bool {
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit());
    let holds = |path: PathBuf| match number_of(&path) {
        Some(_) => fs::metadata(&path).is_ok_and(|file| file.len() > 0),
        None => path.is_dir() && path.file_name().and_then(|name| name.to_str()).is_some_and(is_number),
    };
    fs::read_dir(folder.join(FOLDER)).into_iter().flatten().flatten().any(|entry| holds(entry.path()))
}

/// Everything in the bundles of a folder that begins like a replay, in the order in which it was written.
pub(crate) fn scan(folder: &Path, mut each: impl FnMut(StoredReplay, &[u8])) -> Result<(), FileError> {
    let failed =
        |path: &Path, error: io::Error| FileError::Read { path: path.to_owned(), why: error.to_string() };
    let inside = folder.join(FOLDER);
    let mut numbers = Vec::new();
    for entry in fs::read_dir(&inside).map_err(|error| failed(&inside, error))? {
        numbers.extend(number_of(&entry.map_err(|error| failed(&inside, error))?.path()));
    }
    numbers.sort_unstable();
    for number in numbers {
        let path = name_of(number);
        let bytes = fs::read(folder.join(&path)).map_err(|error| failed(&folder.join(&path), error))?;
        let mut starts: Vec<usize> = find_all(&bytes, MAGIC).collect();
        starts.push(bytes.len());
        for bounds in starts.windows(2) {
            let replay = &bytes[bounds[0]..bounds[1]];
            let at = Some(bounds[0] as u64);
            let (length, sha256) = (replay.len() as u64, fingerprint(replay));
            each(StoredReplay { path: path.clone(), at, bytes: length, sha256 }, replay);
        }
    }
    Ok(())
}

fn find_all<'a>(bytes: &'a [u8], what: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    (0..bytes.len().saturating_sub(what.len() - 1)).filter(move |at| bytes[*at..].starts_with(what))
}

fn name_of(number: u32) -> String {
    format!("{FOLDER}/{number}.{ENDING}")
}

fn number_of(path: &Path) -> Option<u32> {
    let bundle = path.extension().is_some_and(|ending| ending == ENDING);
    bundle.then(|| path.file_stem()?.to_str()?.parse().ok())?
}

/// Reads a replay that the log of this folder names, and looks whether it is the one.
pub fn read(folder: &Path, stored: &StoredReplay) -> Result<Vec<u8>, FileError> {
    let path = folder.join(&stored.path);
    if stored.bytes > REPLAY_FILE_BYTES {
        return Err(FileError::TooLarge { path, limit: REPLAY_FILE_BYTES });
    }
    let part = || {
        let mut bytes = Vec::with_capacity(stored.bytes as usize);
        let mut file = File::open(&path)?;
        file.seek(SeekFrom::Start(stored.at.unwrap_or(0)))?;
        file.take(stored.bytes).read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes =
        part().map_err(|error: io::Error| FileError::Read { path: path.clone(), why: error.to_string() })?;
    if fingerprint(&bytes) != stored.sha256 {
        let why = "it is not what the tournament's log says; restore it from a copy".to_owned();
        return Err(FileError::Replay { path, error: ReplayError::Damaged(why) });
    }
    Ok(bytes)
}

/// What the replay of a match is called in addresses, and as a file of its own.
pub fn name_of_match(number: u32) -> String {
    format!("{MATCH}{number}")
}

/// The match whose replay is called so.
pub fn match_named(name: &str) -> Option<u32> {
    name.strip_prefix(MATCH)?.parse().ok()
}

/// The fingerprint of a file, in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
    Sha256::digest(bytes).iter().flat_map(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::{Bundles, Packed, fingerprint, name_of, read};
    use crate::limits::BUNDLE_BYTES;
    use std::fs::{self, OpenOptions};
    use std::io::Write as _;

    fn packed(seed: u8, length: usize) -> Packed {
        Packed::new((0..length).map(|at| seed.wrapping_mul(31).wrapping_add(at as u8)).collect())
    }

    #[test]
    fn what_is_stored_is_read_whatever_a_killed_process_left() {
        let folder = tempfile::tempdir().unwrap();
        let (mut replays, mut stored) = (Vec::new(), Vec::new());
        for run in 0..4 {
            let mut bundles = Bundles::open(folder.path()).unwrap();
            for moment in 0..3 {
                let together: Vec<Packed> = (0..moment).map(|at| packed(run * 10 + at, 100)).collect();
                stored.extend(bundles.append(&together).unwrap());
                replays.extend(together);
            }
            // It dies in the middle of a replay.
            let mut file = OpenOptions::new().append(true).open(folder.path().join(name_of(0))).unwrap();
            file.write_all(&packed(99, 57).bytes).unwrap();
        }
        assert_eq!(stored.len(), 12);
        for (replay, stored) in replays.iter().zip(&stored) {
            assert_eq!(read(folder.path(), stored).unwrap(), replay.bytes);
        }
    }

    #[test]
    fn a_full_bundle_is_followed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let mut bundles = Bundles::open(folder.path()).unwrap();
        let first = bundles.append(&[packed(1, 10)]).unwrap();
        // As if very many had been written.
        bundles.file.set_len(BUNDLE_BYTES).unwrap();
        drop(bundles);
        let mut bundles = Bundles::open(folder.path()).unwrap();
        let second = bundles.append(&[packed(2, 10)]).unwrap();
        drop(bundles);
        let third = Bundles::open(folder.path()).unwrap().append(&[packed(3, 10)]).unwrap();
        let places = [first, second, third].map(|stored| (stored[0].path.clone(), stored[0].at));
        assert_eq!(places, [(name_of(0), Some(0)), (name_of(1), Some(0)), (name_of(1), Some(10))]);
    }

    #[test]
    fn a_changed_or_missing_replay_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let stored = Bundles::open(folder.path()).unwrap().append(&[packed(1, 10), packed(2, 10)]).unwrap();
        let path = folder.path().join(name_of(0));
        let mut bytes = fs::read(&path).unwrap();
        bytes[3] ^= 1;
        fs::write(&path, &bytes[..19]).unwrap();
        for stored in &stored {
            let said = read(folder.path(), stored).unwrap_err().to_string();
            assert!(said.contains("0.bundle: the replay is damaged"), "{said}");
        }
        fs::remove_file(&path).unwrap();
        assert!(read(folder.path(), &stored[0]).unwrap_err().to_string().starts_with("failed to read"));
    }

    #[test]
    fn a_fingerprint_is_the_published_one() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(fingerprint(b"abc"), abc);
    }
}
