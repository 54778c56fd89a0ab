//! What somebody hands in, as files in a folder: a source file, a program, or an archive with either. Nothing in here
//! believes what an archive says about itself: bytes and files are counted while they come out.

use crate::api::SourceFile;
use crate::limits;
use crate::trouble::{PathFault, Trouble};
use flate2::read::GzDecoder;
use palestra_runner::modes;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, Read, Write as _};
use std::path::{Path, PathBuf};
use tar::EntryType;
use zip::ZipArchive;

/// Why something cannot be handed in: one sentence for its author.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unfit(pub Trouble);

/// What kind of thing is handed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Source,
    Program,
    Zip,
    Tar,
    TarGz,
}

/// What is called so is what is started, and has its folder to itself.
const MAIN: &str = "main";
const ELF: &[u8] = b"\x7fELF";
/// What a Mac puts beside the files that are meant.
const MAC_FOLDER: &str = "__MACOSX";
const MAC_FILE: &str = "._";
/// Where the kind of a file stands in its mode, and the kinds that an archive may hold; zero is one that does not say.
const KIND_OF_FILE: u32 = 0o170_000;
const PLAIN_KINDS: [u32; 3] = [0, 0o100_000, 0o040_000];

/// Whether something called so can be handed in at all; `endings` are those of known languages.
pub fn check(file: &str, content: &[u8], endings: &[String]) -> Result<(), Unfit> {
    if file.contains('/') {
        return Err(Unfit(Trouble::NoFileName { file: shortened(file) }));
    }
    segments(file)?;
    if content.is_empty() {
        return Err(Unfit(Trouble::EmptyFile { file: file.to_owned() }));
    }
    if content.len() > limits::UPLOAD_BYTES {
        let limit = (limits::UPLOAD_BYTES >> 20) as u64;
        return Err(Unfit(Trouble::FileTooLarge { file: file.to_owned(), limit }));
    }
    kind(file, content, endings).map(drop)
}

/// Whether this is one source file, and not too large to be tried from a page.
pub(crate) fn check_source(file: &str, content: &[u8], endings: &[String]) -> Result<(), Unfit> {
    check(file, content, endings)?;
    if kind(file, content, endings)? != Kind::Source {
        return Err(Unfit(Trouble::NoSource { file: file.to_owned(), endings: endings.join(", ") }));
    }
    if content.len() > limits::TRIAL_BYTES {
        let limit = (limits::TRIAL_BYTES >> 10) as u64;
        return Err(Unfit(Trouble::TrialTooLarge { file: file.to_owned(), limit }));
    }
    Ok(())
}

/// Every file in a folder that was just unpacked, with those texts that are not too long.
pub(super) fn sources(folder: &Path) -> io::Result<Vec<SourceFile>> {
    let (mut sources, mut left) = (Vec::new(), limits::SHOWN_SOURCE_BYTES);
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let (files, inner) = listed(&next)?;
        folders.extend(inner.into_iter().rev());
        for file in files {
            let bytes = fs::metadata(&file)?.len();
            let text = if bytes <= left { String::from_utf8(fs::read(&file)?).ok() } else { None };
            left -= text.as_ref().map_or(0, |text| text.len() as u64);
            let path = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
            sources.push(SourceFile { path, bytes, text });
        }
    }
    Ok(sources)
}

/// Puts what was handed in into an empty folder.
pub fn unpack(file: &str, content: &[u8], endings: &[String], folder: &Path) -> Result<(), Unfit> {
    let mut files = Files::new(folder);
    match kind(file, content, endings)? {
        Kind::Source => files.add(file, content),
        Kind::Program => files.add(MAIN, content),
        Kind::Zip => unpack_zip(content, &mut files),
        Kind::Tar => unpack_tar(content, &mut files),
        Kind::TarGz => unpack_tar(GzDecoder::new(content), &mut files),
    }
}

/// The file in that folder that is to be compiled or started: the one called main, or the only one there is.
pub fn entry(folder: &Path, endings: &[String]) -> Result<PathBuf, Unfit> {
    let (files, folders) = listed(folder).map_err(|error| unreadable(&error.to_string()))?;
    // Many archives hold one folder, and everything in that.
    if let ([], [only]) = (&files[..], &folders[..]) {
        return entry(only, endings);
    }
    let known: Vec<PathBuf> =
        files.into_iter().filter(|file| is_source(file, endings) || is_program(file)).collect();
    let is_main = |file: &&PathBuf| file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(MAIN));
    let mains: Vec<PathBuf> = known.iter().filter(is_main).cloned().collect();
    match (&mains[..], &known[..]) {
        ([main], _) => Ok(main.clone()),
        ([], [only]) => Ok(only.clone()),
        ([], []) => Err(Unfit(Trouble::NothingToStart { endings: endings.join(", ") })),
        ([], several) => Err(Unfit(Trouble::SeveralToStart { files: names(several) })),
        (several, _) => Err(Unfit(Trouble::SeveralMains { files: names(several) })),
    }
}

/// What an author should know about the files beside the one that is compiled or started. Languages whose sources are compiled
/// all together have these endings.
pub fn remark(entry: &Path, whole_folder: &[String]) -> Option<String> {
    let folder = entry.parent()?;
    let (files, folders) = listed(folder).ok()?;
    let alone = files.len() + folders.len() < 2;
    let name = entry.file_name()?.display();
    if alone {
        None
    } else if !entry.file_stem()?.eq_ignore_ascii_case(MAIN) {
        Some(format!("{name} is taken alone; if it needs the files beside it, call it main"))
    } else if !is_source(entry, whole_folder)
        && files.iter().any(|file| file != entry && file.extension() == entry.extension())
    {
        Some(format!(
            "only {name} is compiled or started; other sources have to be included or imported by it"
        ))
    } else {
        None
    }
}

fn kind(file: &str, content: &[u8], endings: &[String]) -> Result<Kind, Unfit> {
    let lower = file.to_ascii_lowercase();
    let archive = [(".zip", Kind::Zip), (".tar", Kind::Tar), (".tar.gz", Kind::TarGz), (".tgz", Kind::TarGz)];
    if let Some((_, kind)) = archive.into_iter().find(|(ending, _)| lower.ends_with(ending)) {
        return Ok(kind);
    }
    if is_source(Path::new(file), endings) {
        return Ok(Kind::Source);
    }
    if content.starts_with(ELF) {
        return Ok(Kind::Program);
    }
    Err(Unfit(Trouble::UnknownKind { file: file.to_owned(), endings: endings.join(", ") }))
}

fn is_source(path: &Path, endings: &[String]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending == known.as_str()))
}

fn unpack_zip(content: &[u8], files: &mut Files<'_>) -> Result<(), Unfit> {
    let damaged = |error: zip::result::ZipError| unreadable(&error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(damaged)?;
    if archive.has_duplicate_names() {
        return Err(Unfit(Trouble::TwiceInArchive {}));
    }
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(damaged)?;
        let name = file.name().map_err(damaged)?.into_owned();
        let kind = file.unix_mode().unwrap_or_default() & KIND_OF_FILE;
        if !PLAIN_KINDS.contains(&kind) {
            return Err(neither_file_nor_folder(&name));
        }
        match file.is_dir() {
            true => files.add_folder(&name)?,
            false => files.add(&name, file)?,
        }
    }
    Ok(())
}

fn unpack_tar(content: impl Read, files: &mut Files<'_>) -> Result<(), Unfit> {
    let damaged = |error: io::Error| match error.get_ref().and_then(|inner| inner.downcast_ref::<Unfit>()) {
        Some(unfit) => unfit.clone(),
        None => unreadable(&error.to_string()),
    };
    // Its headers count too: a name can be as long as a file.
    let mut archive = tar::Archive::new(Bounded { inner: content, left: limits::UNPACKED_BYTES });
    for file in archive.entries().map_err(damaged)? {
        let file = file.map_err(damaged)?;
        let name = String::from_utf8_lossy(&file.path_bytes()).into_owned();
        match file.header().entry_type() {
            EntryType::Regular => files.add(&name, file)?,
            EntryType::Directory => files.add_folder(&name)?,
            // What `git archive` says about the whole.
            EntryType::XGlobalHeader => {}
            _ => return Err(neither_file_nor_folder(&name)),
        }
    }
    Ok(())
}

fn unreadable(why: &str) -> Unfit {
    Unfit(Trouble::ArchiveDamaged { why: shortened(why) })
}

fn neither_file_nor_folder(name: &str) -> Unfit {
    Unfit(Trouble::NeitherFileNorFolder { file: shortened(name) })
}

fn too_much() -> Unfit {
    let limit = limits::UNPACKED_BYTES >> 20;
    Unfit(Trouble::ArchiveTooLarge { limit })
}

/// A reader that gives up after so many bytes.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        match self.left.checked_sub(length as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other(too_much())),
        }
        Ok(length)
    }
}

/// The files that come out of an archive.
struct Files<'a> {
    folder: &'a Path,
    count: usize,
    bytes_left: u64,
}

impl Files<'_> {
    fn new(folder: &Path) -> Files<'_> {
        Files { folder, count: 0, bytes_left: limits::UNPACKED_BYTES }
    }

    fn add(&mut self, name: &str, content: impl Read) -> Result<(), Unfit> {
        let Some(path) = self.place(name)? else {
            return Ok(());
        };
        let failed = |error: io::Error| not_unpacked(name, &error);
        let file = modes::made_with(OpenOptions::new().write(true).create_new(true), 0o644).open(&path);
        let mut file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Unfit(Trouble::FileTwice { file: name.to_owned() }),
            _ => failed(error),
        })?;
        let length = io::copy(&mut content.take(self.bytes_left + 1), &mut file).map_err(failed)?;
        self.bytes_left = self.bytes_left.checked_sub(length).ok_or_else(too_much)?;
        if is_program(&path) {
            modes::set(&path, 0o755).map_err(failed)?;
        }
        file.flush().map_err(failed)
    }

    fn add_folder(&mut self, name: &str) -> Result<(), Unfit> {
        let Some(path) = self.place(name)? else {
            return Ok(());
        };
        make_folder(&path).map_err(|error| not_unpacked(name, &error))
    }

    /// Where something of this name goes; nowhere if nobody wants it. Its folder is there then.
    fn place(&mut self, name: &str) -> Result<Option<PathBuf>, Unfit> {
        self.count += 1;
        if self.count > limits::ARCHIVE_FILES {
            let limit = limits::ARCHIVE_FILES as u64;
            return Err(Unfit(Trouble::ArchiveTooMany { limit }));
        }
        let segments = segments(name)?;
        let Some((last, folders)) = segments.split_last() else {
            return Ok(None);
        };
        if segments[0] == MAC_FOLDER || last.starts_with(MAC_FILE) {
            return Ok(None);
        }
        let folder = self.folder.join(folders.iter().collect::<PathBuf>());
        make_folder(&folder).map_err(|error| not_unpacked(name, &error))?;
        Ok(Some(folder.join(last)))
    }
}

fn not_unpacked(name: &str, error: &io::Error) -> Unfit {
    Unfit(Trouble::NotUnpacked { file: shortened(name), why: error.to_string() })
}

fn make_folder(folder: &Path) -> io::Result<()> {
    modes::make_folder(folder, 0o755)
}

/// The parts of a path, if it stays where it belongs and its names are plain.
pub(super) fn segments(path: &str) -> Result<Vec<&str>, Unfit> {
    let unfit = |why: PathFault| Unfit(Trouble::BadPath { path: shortened(path), why });
    if path.len() > limits::PATH_BYTES {
        return Err(unfit(PathFault::PathLength { limit: limits::PATH_BYTES as u64 }));
    }
    if path.starts_with('/') {
        return Err(unfit(PathFault::PathRoot {}));
    }
    let segments: Vec<&str> = path.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    if segments.len() > limits::ARCHIVE_DEPTH {
        return Err(unfit(PathFault::PathDepth { limit: limits::ARCHIVE_DEPTH as u64 }));
    }
    if segments.contains(&"..") {
        return Err(unfit(PathFault::PathLeaves {}));
    }
    if !segments.iter().flat_map(|segment| segment.chars()).all(is_plain) {
        return Err(unfit(PathFault::PathCharacters {}));
    }
    Ok(segments)
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || " ._-+()".contains(c)
}

/// Something that somebody made up, short and on one line.
fn shortened(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    text.chars().take(80).map(plain).collect()
}

fn names(files: &[PathBuf]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> =
        files.iter().take(SHOWN).filter_map(|file| Some(file.file_name()?.display().to_string())).collect();
    let more = if files.len() > SHOWN { " and more" } else { "" };
    format!("{}{more}", names.join(", "))
}

/// Files and folders in a folder, by name.
fn listed(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut all = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    all.sort();
    Ok(all.into_iter().partition(|path| path.is_file()))
}

fn is_program(path: &Path) -> bool {
    let mut start = [0; ELF.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *ELF
}

#[cfg(test)]
mod tests;
