//! One compilation, and the cache of what was compiled.
//!
//! What is compiled is kept under the fingerprint of what it was made from: the source and where it lies, the command,
//! the compiler. A compiler in a sandbox reads nothing else that changes but the folder it is shown, so that folder is
//! part of the fingerprint. One at home reads whatever its user wants, and says what that was: its list is kept in a
//! manifest, and whoever changes a file on it gets a new program.
//!
//! In a sandbox the compiler is a stranger's tool: what it has written is looked at by [`crate::platform::untrusted`] only, and what
//! it says about files is not believed. The manifest lies where it cannot write.

use crate::compiler::{Compiler, NotCompiled};
use crate::guard::Guard;
use crate::limits;
use crate::platform::untrusted::{self, Folder, remove_folder};
use crate::platform::{self, PROGRAM};
use crate::spec::{BotError, Listener};
use crate::toolchain::{Toolchain, fill, fill_all, own_folder};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

const DEPENDENCIES: &str = "bot.d";
/// The folder that the compiler writes to, and what is written about it, beside it.
const MADE: &str = "made";
const MANIFEST: &str = "manifest.toml";
/// What the cache looks like; raised when that changes.
const LAYOUT: &[u8] = b"2";

/// A source file to be compiled.
pub(crate) struct Build<'a> {
    pub(crate) toolchain: &'a Toolchain,
    pub(crate) compile: &'a [String],
    pub(crate) tool: &'a Path,
    /// What is needed beside it.
    pub(crate) with: &'a Path,
    pub(crate) source: &'a Path,
    /// The same, and those of its language beside it that are its own.
    pub(crate) sources: &'a [PathBuf],
    pub(crate) stem: &'a OsStr,
    pub(crate) name: &'a str,
    /// What the compiler is shown in a sandbox beside the source.
    pub(crate) shown: &'a [PathBuf],
    pub(crate) cache: &'a Path,
    pub(crate) guard: &'a Guard,
}

/// The files a compiled bot was made from besides its source, with their fingerprints.
#[derive(Serialize, Deserialize, Default)]
struct Manifest {
    #[serde(default)]
    dependency: Vec<Dependency>,
}

#[derive(Serialize, Deserialize)]
struct Dependency {
    /// Relative to the source's folder where it lies below it.
    path: PathBuf,
    /// Nothing if it cannot be read within the limits: then nobody can tell whether it has changed.
    fingerprint: Option<String>,
}

impl Build<'_> {
    /// The folder with the compiled bot.
    pub(crate) fn run(&self, listener: &mut dyn Listener) -> Result<PathBuf, BotError> {
        let cache = self.cache;
        let unusable = |error: io::Error| BotError::Cache { path: cache.to_owned(), why: error.to_string() };
        let place = cache.join(self.fingerprint()?);
        if self.is_current(&place) {
            return Ok(place.join(MADE));
        }
        fs::create_dir_all(cache).map_err(unusable)?;
        let fresh = Fresh::new(cache).map_err(unusable)?;
        let made = fresh.0.join(MADE);
        listener.remark(&format!("compiling {}", self.name));
        self.compile_into(&made, listener)?;
        let manifest = match self.guard.strict() {
            Some(_) => self.check(&made).map(|()| Manifest::default())?,
            None => self.manifest(&made).map_err(unusable)?,
        };
        let text = toml::to_string(&manifest).map_err(io::Error::other).map_err(unusable)?;
        fs::write(fresh.0.join(MANIFEST), text).map_err(unusable)?;
        // Somebody else may have compiled the same at the same time; whoever comes second is content with that.
        if place.exists() && !self.is_current(&place) {
            let _ = remove_folder(&place);
        }
        if fs::rename(&fresh.0, &place).is_err() && !self.is_current(&place) {
            return Err(unusable(io::Error::other("the compiled bot could not be put in its place")));
        }
        Ok(place.join(MADE))
    }

    fn fingerprint(&self) -> Result<String, BotError> {
        let unreadable = |why: String| BotError::Unreadable { name: self.name.to_owned(), why };
        let source = untrusted::read_file(self.source, limits::SOURCE_BYTES);
        let source = source.map_err(|error| unreadable(error.to_string()))?;
        let shown = self.shown_folder().map(|folder| {
            let folder = Folder::open(&folder).map_err(|error| error.to_string())?;
            let why = "name the bot otherwise than main, or give it a folder of its own";
            folder.stamp(&limits::SHOWN).map_err(|unfit| format!("its folder holds {unfit}; {why}"))
        });
        let shown = shown.transpose().map_err(unreadable)?;
        let mut hash = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        add(LAYOUT);
        add(&[u8::from(self.guard.strict().is_some())]);
        add(self.source.as_os_str().as_encoded_bytes());
        add(self.tool.as_os_str().as_encoded_bytes());
        add(&modified(self.tool).to_le_bytes());
        for word in self.compile.iter().chain(self.toolchain.retry.iter().flatten()) {
            add(word.as_bytes());
        }
        add(&source);
        // Few compilers say what else they have read.
        for file in &self.sources[1..] {
            add(file.as_os_str().as_encoded_bytes());
            let other = untrusted::read_file(file, limits::SOURCE_BYTES);
            add(&other.map_err(|error| unreadable(error.to_string()))?);
        }
        add(&shown.unwrap_or_default());
        Ok(hex(&hash.finalize()))
    }

    /// The folder that the compiler is shown in a sandbox, if that is more than the source.
    fn shown_folder(&self) -> Option<PathBuf> {
        self.guard.strict()?;
        own_folder(self.source, self.cache)
    }

    fn is_current(&self, place: &Path) -> bool {
        let manifest = fs::read_to_string(place.join(MANIFEST)).ok();
        let manifest: Option<Manifest> = manifest.and_then(|text| toml::from_str(&text).ok());
        manifest.is_some_and(|manifest| {
            manifest.dependency.iter().all(|dependency| {
                let path = self.folder().join(&dependency.path);
                dependency.fingerprint.is_some() && file_fingerprint(&path) == dependency.fingerprint
            })
        })
    }

    fn folder(&self) -> &Path {
        self.source.parent().expect("a file lies in a folder")
    }

    fn compile_into(&self, dir: &Path, listener: &mut dyn Listener) -> Result<(), BotError> {
        let (out, deps) = (dir.join(PROGRAM), dir.join(DEPENDENCIES));
        let places = [
            ("tool", self.tool.as_os_str()),
            ("with", self.with.as_os_str()),
            ("source", self.source.as_os_str()),
            ("stem", self.stem),
            ("dir", dir.as_os_str()),
            ("out", out.as_os_str()),
            ("deps", deps.as_os_str()),
            ("folder", self.folder().as_os_str()),
        ];
        let (name, language) = (self.name.to_owned(), self.toolchain.name.clone());
        // Both tries have it together.
        let deadline = Instant::now() + limits::COMPILE;
        let mut command = fill_all(self.compile, &places, self.sources);
        let messages = match self.run_compiler(&command, dir, deadline, &mut |lines| listener.compiler(lines))
        {
            Ok(()) => return Ok(()),
            Err(NotCompiled::Refused(messages)) => messages,
            // It would take as much again.
            Err(NotCompiled::GaveUp(why)) => return Err(BotError::Compiler { name, language, why }),
        };
        if let Some(retry) = &self.toolchain.retry {
            command.extend(fill(retry, &places));
            // If it fails again, it says much the same again.
            let mut said = String::new();
            if self.run_compiler(&command, dir, deadline, &mut |lines| said.push_str(lines)).is_ok() {
                listener.remark(&format!(
                    "{name} does not include all the standard headers it uses; it was compiled with all of them"
                ));
                listener.compiler(&said);
                return Ok(());
            }
        }
        Err(BotError::Compile { name, language, messages })
    }

    fn run_compiler(
        &self,
        command: &[OsString],
        dir: &Path,
        deadline: Instant,
        hear: &mut dyn FnMut(&str),
    ) -> Result<(), NotCompiled> {
        let own = self.shown_folder().unwrap_or_else(|| self.source.to_owned());
        let readable = std::iter::once(own).chain(self.shown.iter().cloned()).collect();
        Compiler { command, readable, folder: dir, deadline }.run(self.guard, hear)
    }

    /// Whether a sandboxed compiler has made nothing but plain files, and not too many.
    fn check(&self, made: &Path) -> Result<(), BotError> {
        let checked = Folder::open(made).map_err(Into::into).and_then(|made| made.check(&limits::COMPILED));
        checked.map(drop).map_err(|unfit| BotError::Compiler {
            name: self.name.to_owned(),
            language: self.toolchain.name.clone(),
            why: format!("the compiler made {unfit}"),
        })
    }

    /// What a compiler at home says that it has read.
    fn manifest(&self, made: &Path) -> io::Result<Manifest> {
        let listed = Folder::open(made)?.read(DEPENDENCIES, limits::DEPENDENCIES_BYTES).unwrap_or_default();
        let mut dependency = Vec::new();
        for path in make_dependencies(&String::from_utf8_lossy(&listed)) {
            let path = self.folder().join(path);
            if platform::absolute(&path).is_ok_and(|path| path == self.source) || !path.exists() {
                continue;
            }
            // A program made from more files than anybody would compare is made anew every time.
            let is_last = dependency.len() == limits::DEPENDENCIES;
            let fingerprint = if is_last { None } else { file_fingerprint(&path) };
            let path = path.strip_prefix(self.folder()).map(Path::to_owned).unwrap_or(path);
            dependency.push(Dependency { path, fingerprint });
            if is_last {
                break;
            }
        }
        Ok(Manifest { dependency })
    }
}

/// A folder in the cache with an empty one in it for the compiler; it is removed with all that is made there unless it is
/// renamed before.
struct Fresh(PathBuf);

impl Fresh {
    fn new(cache: &Path) -> io::Result<Fresh> {
        let fresh = Fresh(tempfile::Builder::new().prefix(".compiling-").tempdir_in(cache)?.keep());
        fs::create_dir(fresh.0.join(MADE))?;
        Ok(fresh)
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // What cannot be removed is in the way of nobody.
        let _ = remove_folder(&self.0);
    }
}

/// The files in a dependency list as compilers write it for make: `out: a b \` and so on.
fn make_dependencies(listed: &str) -> Vec<PathBuf> {
    let joined = listed.replace("\\\n", " ");
    let mut found = Vec::new();
    for line in joined.lines() {
        let Some((_, files)) = line.split_once(": ") else {
            continue;
        };
        let mut name = String::new();
        let mut characters = files.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                '\\' if characters.peek() == Some(&' ') => name.push(characters.next().expect("peeked")),
                ' ' if name.is_empty() => {}
                ' ' => found.push(PathBuf::from(std::mem::take(&mut name))),
                c => name.push(c),
            }
        }
        if !name.is_empty() {
            found.push(PathBuf::from(name));
        }
    }
    found
}

fn modified(file: &Path) -> u64 {
    let time = fs::metadata(file).and_then(|meta| meta.modified()).ok();
    let since = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_secs())
}

fn file_fingerprint(file: &Path) -> Option<String> {
    Some(hex(&Sha256::digest(untrusted::read_file(file, limits::DEPENDENCY_BYTES).ok()?)))
}

fn hex(bytes: &[u8]) -> String {
    palestra_core::digest::hex(bytes.try_into().expect("32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::make_dependencies;
    use std::path::PathBuf;

    #[test]
    fn dependency_lists_are_read() {
        let listed = "out/bot: main.cpp \\\n util.h a\\ b.h\n\nutil.h:\n";
        assert_eq!(make_dependencies(listed), ["main.cpp", "util.h", "a b.h"].map(PathBuf::from));
    }
}
