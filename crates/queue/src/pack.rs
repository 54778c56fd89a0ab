//! A bot as it travels: an archive of its files, recognised by its hash, and how a worker unpacks it.
//!
//! The same files give the same archive, whoever packs them and when. What cannot travel (a command line, somebody at a
//! pipe) is played on the server's own machine.

use crate::limits;
use crate::messages::{BotOrder, Hash, Trouble};
use palestra_core::AnyGame;
use palestra_runner::{BotError, Workshop, modes};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tar::{Archive, Builder, EntryType, Header};

/// A bot that any worker can play, if it has the toolchain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PortableBot {
    /// A built-in player.
    BuiltIn(String),
    /// A program or its source.
    Program(Arc<Pack>),
}

/// A program's files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    /// What it is recognised by.
    pub hash: Hash,
    /// The archive.
    pub bytes: Vec<u8>,
    /// The file that is compiled or started.
    pub entry: String,
    /// The toolchain for it; none for a program that is started as it is.
    pub toolchain: Option<String>,
}

/// Why a bot cannot be sent to workers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackError {
    /// A command line means what is on this machine.
    #[error("{0} is a command line, and means programs of this machine")]
    Command(String),
    /// A file cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file that could not be read.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// Its folder has too much in it.
    #[error(
        "the folder {} holds more than {}; name the bot otherwise than main, or give it a folder of its own",
        path.display(), what
    )]
    TooMuch {
        /// The folder that was to be packed.
        path: PathBuf,
        /// The limit that it is beyond, in words.
        what: String,
    },
}

impl PortableBot {
    /// What this name means in a game: a built-in player, a program, a source, or a folder with either called main.
    pub fn new(game: &dyn AnyGame, workshop: &Workshop<'_>, source: &str) -> Result<PortableBot, PackError> {
        if game.built_ins().iter().any(|built_in| built_in.answers_to(source)) {
            return Ok(PortableBot::BuiltIn(source.to_owned()));
        }
        let path = Path::new(source);
        if path.is_dir() {
            let failed = |error: BotError| PackError::File { path: path.to_owned(), why: error.to_string() };
            return PortableBot::file(workshop, &workshop.main_of(path, source).map_err(failed)?);
        }
        if !path.is_file() {
            return Err(PackError::Command(source.to_owned()));
        }
        PortableBot::file(workshop, path)
    }

    /// The program or source at this path, with the folder that it has to itself, if it has one.
    pub fn file(workshop: &Workshop<'_>, path: &Path) -> Result<PortableBot, PackError> {
        let failed = |error: io::Error| PackError::File { path: path.to_owned(), why: error.to_string() };
        let path = path.canonicalize().map_err(failed)?;
        let folder = path.parent().expect("a file lies in a folder");
        let files = match workshop.folder_of(&path) {
            Some(folder) => files_in(&folder)?,
            None => vec![path.clone()],
        };
        let entry = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = archive(folder, &files)?;
        let toolchain = workshop.toolchain_for(&path).map(str::to_owned);
        Ok(PortableBot::Program(Arc::new(Pack { hash: Hash::of(&bytes), bytes, entry, toolchain })))
    }

    /// How it is asked for.
    pub fn order(&self) -> BotOrder {
        match self {
            PortableBot::BuiltIn(name) => BotOrder::BuiltIn(name.clone()),
            PortableBot::Program(pack) => BotOrder::Program {
                pack: pack.hash,
                entry: pack.entry.clone(),
                toolchain: pack.toolchain.clone(),
            },
        }
    }

    /// What has to be fetched.
    pub fn hash(&self) -> Option<Hash> {
        match self {
            PortableBot::BuiltIn(_) => None,
            PortableBot::Program(pack) => Some(pack.hash),
        }
    }
}

/// What tools leave beside sources, and no bot needs.
const LEFT_OUT: [&str; 2] = ["__pycache__", "target"];

/// Everything in a folder but hidden files and what tools leave there, in order.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, PackError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        let failed = |error: io::Error| PackError::File { path: inside.clone(), why: error.to_string() };
        for entry in fs::read_dir(&inside).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let kind = entry.file_type().map_err(failed)?;
            if name.to_string_lossy().starts_with('.') || LEFT_OUT.iter().any(|left| name == *left) {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
            if files.len() + folders.len() > limits::PROGRAM_FILES {
                let what = format!("{} files", limits::PROGRAM_FILES);
                return Err(PackError::TooMuch { path: folder.to_owned(), what });
            }
        }
    }
    files.sort();
    Ok(files)
}

fn archive(folder: &Path, files: &[PathBuf]) -> Result<Vec<u8>, PackError> {
    let mut archive = Builder::new(Vec::new());
    let mut bytes = 0;
    for path in files {
        let failed = |error: io::Error| PackError::File { path: path.clone(), why: error.to_string() };
        let mode = modes::of(&fs::metadata(path).map_err(failed)?);
        let content = fs::read(path).map_err(failed)?;
        bytes += content.len() as u64;
        if bytes > limits::PROGRAM_BYTES {
            let what = format!("{} MB", limits::PROGRAM_BYTES >> 20);
            return Err(PackError::TooMuch { path: folder.to_owned(), what });
        }
        let mut header = Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(if mode & 0o111 == 0 { 0o644 } else { 0o755 });
        let inside = path.strip_prefix(folder).expect("it was found in there");
        archive.append_data(&mut header, inside, &content[..]).map_err(failed)?;
    }
    archive.into_inner().map_err(|error| PackError::File { path: folder.to_owned(), why: error.to_string() })
}

/// Unpacks an archive into a new folder.
pub(crate) fn unpack(bytes: &[u8], folder: &Path) -> Result<(), Trouble> {
    let failed = |error: io::Error| Trouble::Other(format!("a program cannot be unpacked: {error}"));
    let strange = || Trouble::Other("a program's archive holds something other than plain files".to_owned());
    fs::create_dir_all(folder).map_err(failed)?;
    let (mut files, mut size) = (0, 0);
    for entry in Archive::new(bytes).entries().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path().map_err(failed)?.into_owned();
        let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        if entry.header().entry_type() != EntryType::Regular || !plain || path.as_os_str().is_empty() {
            return Err(strange());
        }
        files += 1;
        size += entry.size();
        if files > limits::PROGRAM_FILES || size > limits::PROGRAM_BYTES {
            return Err(Trouble::Other("a program is larger than a worker takes".to_owned()));
        }
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).map_err(failed)?;
        let runs = entry.header().mode().map_err(failed)? & 0o111 != 0;
        let mut options = fs::OpenOptions::new();
        let options =
            modes::made_with(options.write(true).create_new(true), if runs { 0o755 } else { 0o644 });
        let mut file = options.open(&path).map_err(failed)?;
        let length = entry.size();
        io::copy(&mut entry.take(length), &mut file).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Pack, PortableBot, unpack};
    use crate::messages::Hash;
    use palestra_generals::Generals;
    use palestra_runner::{Guard, Workshop};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::sync::Arc;
    use tar::{Builder, EntryType, Header};

    fn pack(path: &Path) -> Arc<Pack> {
        let guard = Guard::off();
        match PortableBot::file(&Workshop::open(&guard).unwrap(), path).unwrap() {
            PortableBot::Program(pack) => pack,
            PortableBot::BuiltIn(_) => panic!("it is a file"),
        }
    }

    #[test]
    fn a_bot_arrives_as_it_was() {
        // A folder with the user's temporary files in it belongs to nobody alone.
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("bot");
        fs::create_dir_all(folder.join("parts")).unwrap();
        fs::write(folder.join("main.py"), "import parts.one").unwrap();
        fs::write(folder.join("parts/one.py"), "print(1)").unwrap();
        fs::write(folder.join(".secret"), "x").unwrap();
        let first = pack(&folder.join("main.py"));
        let guard = Guard::off();
        let by_folder =
            PortableBot::new(&Generals, &Workshop::open(&guard).unwrap(), folder.to_str().unwrap()).unwrap();
        assert_eq!(by_folder.hash(), Some(first.hash), "the folder is the same bot");
        assert_eq!((first.entry.as_str(), first.toolchain.as_deref()), ("main.py", Some("Python")));
        assert_eq!(pack(&folder.join("main.py")).hash, first.hash, "the same files, the same hash");
        let arrived = home.path().join("arrived");
        unpack(&first.bytes, &arrived).unwrap();
        assert_eq!(fs::read_to_string(arrived.join("parts/one.py")).unwrap(), "print(1)");
        assert!(!arrived.join(".secret").exists());
        fs::write(folder.join("parts/one.py"), "print(2)").unwrap();
        assert_ne!(pack(&folder.join("main.py")).hash, first.hash);
    }

    #[test]
    fn a_file_among_others_travels_alone_and_stays_executable() {
        let home = tempfile::tempdir().unwrap();
        let bot = home.path().join("bot");
        fs::write(&bot, "#!/bin/sh\n").unwrap();
        fs::write(home.path().join("diary"), "private").unwrap();
        fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
        let alone = pack(&bot);
        assert_eq!(alone.toolchain, None);
        let arrived = home.path().join("arrived");
        unpack(&alone.bytes, &arrived).unwrap();
        assert!(!arrived.join("diary").exists());
        let mode = fs::metadata(arrived.join("bot")).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111);
    }

    #[test]
    fn an_archive_that_leads_elsewhere_is_refused() {
        let home = tempfile::tempdir().unwrap();
        for (name, kind) in
            [("../out", EntryType::Regular), ("/etc/x", EntryType::Regular), ("link", EntryType::Symlink)]
        {
            let mut archive = Builder::new(Vec::new());
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(0);
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, &b""[..]).unwrap();
            let bytes = archive.into_inner().unwrap();
            assert!(unpack(&bytes, &home.path().join(format!("in-{}", Hash::of(&bytes)))).is_err(), "{name}");
        }
        assert!(!home.path().join("out").exists());
    }
}
