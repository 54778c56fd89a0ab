//! Files: read within limits, written whole or not at all.

use crate::bounds::Bounds;
use crate::platform::untrusted::Folder;
use palestra_core::{Replay, ReplayError, limits};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

/// A file that could not be read or written.
#[allow(missing_docs, reason = "the sentence of an error says what is in it")]
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("failed to read {}: {why}", path.display())]
    Read { path: PathBuf, why: String },
    #[error("failed to write {}: {why}", path.display())]
    Write { path: PathBuf, why: String },
    #[error("{} is larger than {limit} bytes", path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{}: {error}", path.display())]
    Replay { path: PathBuf, error: ReplayError },
}

/// Reads a file of at most `limit` bytes; `-` is standard input.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let failed = |error: io::Error| FileError::Read { path: path.to_owned(), why: error.to_string() };
    let mut bytes = Vec::new();
    let mut limited: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin().take(limit + 1))
    } else {
        Box::new(File::open(path).map_err(failed)?.take(limit + 1))
    };
    limited.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

/// Reads a text file (a map, a configuration) of at most `limit` bytes; `-` is standard input.
pub fn read_text(path: &Path, limit: usize) -> Result<String, FileError> {
    let bytes = read_bytes(path, limit as u64)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| FileError::Read { path: path.to_owned(), why: "it is no text in UTF-8".to_owned() })?;
    // Windows editors like to begin a text with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Reads a replay file.
pub fn read_replay(path: &Path) -> Result<Replay, FileError> {
    let bytes = read_bytes(path, limits::REPLAY_FILE_BYTES)?;
    Replay::from_bytes(&bytes).map_err(|error| FileError::Replay { path: path.to_owned(), error })
}

/// Writes a replay file.
pub fn write_replay(path: &Path, replay: &Replay) -> Result<u64, FileError> {
    let bytes = replay.to_bytes().map_err(|error| FileError::Replay { path: path.to_owned(), error })?;
    write_atomically(path, |file| file.write_all(&bytes))?;
    Ok(bytes.len() as u64)
}

/// Writes a file under another name and renames it when it is whole; missing folders are made.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::Write { path: path.to_owned(), why: error.to_string() };
    let dir = parent(path);
    fs::create_dir_all(dir).map_err(failed)?;
    let mut file = BufWriter::new(new_file(dir).map_err(failed)?);
    write(&mut file).map_err(failed)?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Bytes of everything in a folder, whatever it is; the folders above it must be ours.
pub fn folder_bytes(path: &Path) -> io::Result<u64> {
    const ANY: Bounds = Bounds { bytes: u64::MAX, entries: usize::MAX, depth: 64 };
    Folder::open(path)?.measure(&ANY).map_err(|unfit| io::Error::other(unfit.to_string()))
}

/// Reads at most `limit` bytes of what was opened, if that is a file.
pub(crate) fn read_regular(file: File, limit: u64) -> io::Result<Vec<u8>> {
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    // What a file says about its length need not be true.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that vanishes unless it is given its name, readable for others as ordinary files are.
pub(crate) fn new_file(dir: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".palestra-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(dir)
}
