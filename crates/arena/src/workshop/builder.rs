//! Where what was handed in becomes a program: unpacked and compiled in a folder of its own, under the fingerprint of
//! the file. Everything in there can be made again from the store.

use super::{Unfit, archive, complaints};
use crate::api::SourceFile;
use crate::model::{Rejection, RejectionStep};
use crate::trouble::Trouble;
use palestra_queue::PortableBot;
use palestra_runner::{
    Bot, BotError, Guard, Launch, Link, Listener, Workshop, folder_bytes, modes, remove_folder,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FILES: &str = "files";
const COMPILED: &str = "compiled";

/// The folder of everything that was made, and what it is made with.
pub(super) struct Builder {
    folder: PathBuf,
    guard: Arc<Guard>,
    /// The languages of sources that can be handed in, with their endings.
    pub(super) languages: Vec<(String, Vec<String>)>,
    /// The endings of those whose sources are compiled all together.
    whole_folder: Vec<String>,
}

/// Something that was handed in, with the fingerprint of its name and content.
pub(super) struct Upload<'a> {
    pub(super) file: &'a str,
    pub(super) sha256: &'a str,
    pub(super) content: &'a [u8],
}

/// Why no program became of something: a sentence, and the same as data.
pub(super) struct Unmade {
    pub(super) why: String,
    pub(super) rejection: Box<Rejection>,
}

impl Unmade {
    /// With a sentence that says it all.
    pub(super) fn at(step: RejectionStep, why: impl ToString) -> Unmade {
        let why = why.to_string();
        let rejection = Rejection { line: Some(why.clone()), ..Rejection::at(step) };
        Unmade { why, rejection: rejection.into() }
    }
}

impl Builder {
    pub(super) fn new(folder: PathBuf, guard: Arc<Guard>) -> Result<Builder, BotError> {
        // A sandbox is told what to show by whole paths.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let toolchains = Workshop::open(&guard)?.toolchains();
        let together = toolchains.iter().filter(|toolchain| toolchain.whole_folder);
        let whole_folder = together.flat_map(|toolchain| toolchain.extensions.clone()).collect();
        let languages = toolchains.into_iter().map(|toolchain| (toolchain.name, toolchain.extensions));
        Ok(Builder { folder, guard, languages: languages.collect(), whole_folder })
    }

    /// The endings of sources that can be handed in.
    pub(super) fn endings(&self) -> Vec<String> {
        self.languages.iter().flat_map(|(_, endings)| endings.iter().cloned()).collect()
    }

    /// The files of what was handed in, to read.
    pub(super) fn sources(&self, file: &str, content: &[u8]) -> Result<Vec<SourceFile>, Unfit> {
        let failed =
            |error: io::Error| Unfit(Trouble::NotUnpacked { file: file.to_owned(), why: error.to_string() });
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let folder = tempfile::tempdir_in(&self.folder).map_err(failed)?;
        archive::unpack(file, content, &self.endings(), folder.path())?;
        archive::sources(folder.path()).map_err(failed)
    }

    /// Makes the program ready, or finds it so; the error is for its author. `tell` hears what is going on, and what the
    /// compiler says, in whole lines.
    pub(super) fn make(&self, upload: &Upload<'_>, tell: &mut dyn FnMut(&str)) -> Result<Launch, Unmade> {
        let place = self.place(upload.sha256);
        let compiled = place.join(COMPILED);
        let (files, entry) = self.unpacked(upload)?;
        let name = entry.strip_prefix(&files).unwrap_or(&entry).display().to_string();
        let mut author = Author { folders: [&files, &compiled], tell };
        if let Some(remark) = archive::remark(&entry, &self.whole_folder) {
            author.remark(&remark);
        }
        let compiling = |why: String| Unmade::at(RejectionStep::Compiling, why);
        let workshop = Workshop::open(&self.guard).map_err(|error| compiling(error.to_string()))?;
        match workshop.kept_in(compiled.clone()).file(&entry, &name, &mut author) {
            Ok(Bot { link: Link::Program(launch), .. }) => {
                sync(&place).map_err(|error| compiling(cannot_keep(&error)))?;
                Ok(launch)
            }
            Ok(_) => unreachable!("a file is a program"),
            Err(BotError::Compile { language, messages, .. }) => {
                let (file, said) = (upload.file, author.plain(&messages));
                let rejection = Rejection {
                    line: complaints::compiler_line(file, &said),
                    places: complaints::compiler_places(file, &said),
                    ..Rejection::at(RejectionStep::Compiling)
                };
                Err(Unmade {
                    why: format!("{name} does not compile ({language})"),
                    rejection: rejection.into(),
                })
            }
            Err(error) => Err(compiling(author.plain(&error.to_string()))),
        }
    }

    /// The files of a program as they travel to workers, who compile them.
    pub(super) fn pack(&self, upload: &Upload<'_>) -> Result<PortableBot, String> {
        let place = self.place(upload.sha256);
        let entry = self.unpacked(upload).map_err(|unmade| unmade.why)?.1;
        let workshop = Workshop::open(&self.guard).map_err(|error| error.to_string())?;
        let packed = PortableBot::file(&workshop.kept_in(place.join(COMPILED)), &entry);
        packed.map_err(|error| self.plain(&error.to_string()))
    }

    /// The folder of its files, and the one that is compiled or started.
    fn unpacked(&self, upload: &Upload<'_>) -> Result<(PathBuf, PathBuf), Unmade> {
        let unpacking = |why: String| Unmade::at(RejectionStep::Unpacking, why);
        let files = self.place(upload.sha256).join(FILES);
        if !files.exists() {
            self.unpack(upload, &files).map_err(unpacking)?;
        }
        let files = files.canonicalize().map_err(|error| unpacking(cannot_keep(&error)))?;
        let entry = archive::entry(&files, &self.endings()).map_err(|unfit| unpacking(unfit.to_string()))?;
        Ok((files, entry))
    }

    fn unpack(&self, upload: &Upload<'_>, files: &Path) -> Result<(), String> {
        let place = self.place(upload.sha256);
        let fresh = fs::create_dir_all(&place).and_then(|()| tempfile::tempdir_in(&place));
        let fresh = fresh.map_err(|error| cannot_keep(&error))?;
        // Those who look into it in a sandbox may not be its owner.
        modes::set(fresh.path(), 0o755).map_err(|error| cannot_keep(&error))?;
        archive::unpack(upload.file, upload.content, &self.endings(), fresh.path())
            .map_err(|unfit| unfit.to_string())?;
        match fs::rename(fresh.path(), files) {
            Ok(()) => {
                // It is not where it would be cleaned up any more.
                let _ = fresh.keep();
                Ok(())
            }
            // Somebody else was quicker with the same.
            Err(_) if files.exists() => Ok(()),
            Err(error) => Err(cannot_keep(&error)),
        }
    }

    /// A text without the folders of this machine in it.
    pub(super) fn plain(&self, text: &str) -> String {
        without_folder(text, &self.folder)
    }

    /// Bytes of what was made of a file.
    pub(super) fn bytes(&self, sha256: &str) -> u64 {
        folder_bytes(&self.place(sha256)).unwrap_or_default()
    }

    /// Throws away what was made of a file.
    pub(super) fn clear(&self, sha256: &str) {
        // What cannot be removed is only in the way of nobody.
        let _ = remove_folder(&self.place(sha256));
    }

    fn place(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256)
    }
}

/// Whoever handed it in, who has nothing to do with the folders of this machine.
struct Author<'a> {
    folders: [&'a Path; 2],
    tell: &'a mut dyn FnMut(&str),
}

impl Author<'_> {
    fn plain(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, folder| without_folder(&text, folder))
    }
}

impl Listener for Author<'_> {
    fn remark(&mut self, sentence: &str) {
        let line = format!("{}\n", self.plain(sentence));
        (self.tell)(&line);
    }

    fn compiler(&mut self, lines: &str) {
        let lines = self.plain(lines);
        (self.tell)(&lines);
    }
}

fn cannot_keep(error: &io::Error) -> String {
    format!("the arena cannot keep its files: {error}; tell the organisers")
}

/// A text without the folder of this machine in it.
fn without_folder(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}/", folder.display()), "")
}

/// What was made is on the disk before anybody hears of it.
#[cfg(target_os = "linux")]
fn sync(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(fs::File::open(folder)?)?)
}

#[cfg(not(target_os = "linux"))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}
