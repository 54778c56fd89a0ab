//! Turns source files into bots: one table of toolchains.

use crate::build::Build;
use crate::guard::Guard;
use crate::limits;
use crate::platform::{self, PROGRAM, find_on_path, is_executable};
use crate::process::{Launch, MARK};
use crate::spec::{BotError, Listener};
use serde::Deserialize;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const BUILT_IN: &str = include_str!("toolchains.toml");

/// How the sources of one language become bots.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Toolchain {
    /// The language.
    pub(crate) name: String,
    /// File name endings.
    pub(crate) extensions: Vec<String>,
    /// Programs that can do it; the first one found is used.
    pub(crate) tools: Vec<String>,
    /// A program that is needed beside the tool.
    pub(crate) with: Option<String>,
    /// The command that compiles; none for interpreted languages.
    pub(crate) compile: Option<Vec<String>>,
    /// Arguments added when compiling fails.
    pub(crate) retry: Option<Vec<String>>,
    /// The command that starts the bot.
    pub(crate) run: Vec<String>,
    /// A command that must succeed.
    pub(crate) probe: Option<Vec<String>>,
    /// A command that prints the folder that the tool lives in, which it must be able to read in a sandbox.
    pub(crate) home: Option<Vec<String>>,
    /// Files and folders of the system's settings that it must be able to read in a sandbox, where they are.
    #[serde(default)]
    pub(crate) reads: Vec<PathBuf>,
    /// What to tell somebody who has none of the tools.
    pub(crate) hint: String,
}

/// Whether a toolchain can be used here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolchainStatus {
    /// The language.
    pub name: String,
    /// File name endings.
    pub extensions: Vec<String>,
    /// Whether all sources of a bot's own folder are compiled, and not only the one that is named.
    pub whole_folder: bool,
    /// The tool that would be used, or what to do to have one.
    pub tool: Result<PathBuf, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolchainFile {
    toolchain: Vec<Toolchain>,
}

/// What can be used here of all that is for the same language, or else the first.
pub(crate) fn usable<'a>(mut these: impl Iterator<Item = &'a Toolchain>) -> Option<&'a Toolchain> {
    let first = these.next()?;
    if first.tool().is_ok() {
        return Some(first);
    }
    Some(these.find(|toolchain| toolchain.tool().is_ok()).unwrap_or(first))
}

/// The table of toolchains, the user's entries first.
pub(crate) fn table() -> Result<Vec<Toolchain>, BotError> {
    let mut all = Vec::new();
    if let Some(path) = user_file() {
        match fs::read_to_string(&path) {
            Ok(text) => {
                let table: ToolchainFile = toml::from_str(&text).map_err(|error| BotError::Toolchains {
                    path: path.clone(),
                    why: error.to_string().trim_end().to_owned(),
                })?;
                all.extend(table.toolchain);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(BotError::Toolchains { path, why: error.to_string() });
            }
        }
    }
    let built_in: ToolchainFile = toml::from_str(BUILT_IN).expect("the built-in table is checked by a test");
    all.extend(built_in.toolchain);
    Ok(all)
}

fn user_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    if let Some(path) = std::env::var_os("PALESTRA_TOOLCHAINS") {
        return Some(path.into());
    }
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("palestra").join("toolchains.toml"))
}

/// Where compiled bots are kept unless told otherwise.
pub(crate) fn default_cache() -> PathBuf {
    use etcetera::BaseStrategy as _;
    if let Some(path) = std::env::var_os("PALESTRA_CACHE") {
        return path.into();
    }
    match etcetera::choose_base_strategy() {
        Ok(base) => base.cache_dir().join("palestra").join("bots"),
        Err(_) => std::env::temp_dir().join("palestra-bots"),
    }
}

impl Toolchain {
    pub(crate) fn is_for(&self, source: &Path) -> bool {
        source.extension().is_some_and(|ending| self.extensions.iter().any(|ours| ending == ours.as_str()))
    }

    /// Whether it can be used here.
    pub(crate) fn status(&self) -> ToolchainStatus {
        ToolchainStatus {
            name: self.name.clone(),
            extensions: self.extensions.clone(),
            whole_folder: self.compile.iter().flatten().any(|word| word == "{sources}"),
            tool: self.tool(),
        }
    }

    fn tool(&self) -> Result<PathBuf, String> {
        let Some(tool) = platform::find_tool(&self.tools) else {
            return Err(format!("none of {} is here; {}", self.tools.join(", "), self.hint));
        };
        if let Some(with) = self.with.as_ref().filter(|with| find_on_path(with).is_none()) {
            return Err(format!("{with} is not here; {}", self.hint));
        }
        if let Some(probe) = &self.probe {
            let command = fill(probe, &[("tool", tool.as_os_str())]);
            let (program, arguments) = command.split_first().expect("a probe has a program");
            let status = Command::new(program)
                .args(arguments)
                .env(MARK, NO_BOT)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            if !status.is_ok_and(|status| status.success()) {
                return Err(format!("{} cannot do it; {}", tool.display(), self.hint));
            }
        }
        Ok(tool)
    }

    /// What bots of this language are shown beside their own folder.
    pub(crate) fn shown(&self) -> Vec<PathBuf> {
        let Ok(tool) = self.tool() else {
            return Vec::new();
        };
        let home = self.home_of(&tool).map(|(folder, _)| folder);
        home.into_iter().chain(self.settings()).collect()
    }

    /// What is here of the system's settings that it reads.
    fn settings(&self) -> impl Iterator<Item = PathBuf> {
        self.reads.iter().filter(|path| path.exists()).cloned()
    }

    /// Makes a source file ready to be started, compiling it if it was not compiled before.
    pub(crate) fn prepare(
        &self,
        source: &Path,
        cache: &Path,
        guard: &Guard,
        listener: &mut dyn Listener,
    ) -> Result<Launch, BotError> {
        let name = source.display().to_string();
        let mut tool = self.tool().map_err(|why| BotError::NoToolchain {
            name: name.clone(),
            language: self.name.clone(),
            why,
        })?;
        let source = platform::absolute(source)
            .map_err(|error| BotError::Unreadable { name: name.clone(), why: error.to_string() })?;
        let stem = source.file_stem().unwrap_or_default().to_owned();
        let sources = self.sources(&source, cache);
        let home = if guard.strict().is_some() { self.home_of(&tool) } else { None };
        match &home {
            Some((_, real)) => tool.clone_from(real),
            None if guard.strict().is_some() => tool = where_it_is(tool),
            None => {}
        }
        let with =
            self.with.as_ref().and_then(|with| find_on_path(with)).map(where_it_is).unwrap_or_default();
        let home = home.map(|(folder, _)| folder);
        let settings = self.settings().filter(|_| guard.strict().is_some());
        let shown: Vec<PathBuf> = home.into_iter().chain(settings).collect();
        let dir = match &self.compile {
            None => PathBuf::new(),
            Some(compile) => {
                let build = Build {
                    toolchain: self,
                    compile,
                    tool: &tool,
                    with: &with,
                    source: &source,
                    sources: &sources,
                    stem: &stem,
                    name: &name,
                    shown: &shown,
                    cache,
                    guard,
                };
                build.run(listener)?
            }
        };
        let out = dir.join(PROGRAM);
        let heap = heap_megabytes(guard.limits().memory_bytes);
        let places = [
            ("tool", tool.as_os_str()),
            ("with", with.as_os_str()),
            ("source", source.as_os_str()),
            ("stem", &stem),
            ("dir", dir.as_os_str()),
            ("out", out.as_os_str()),
            ("heap", &heap),
        ];
        let folder = own_folder(&source, cache);
        let made = match &folder {
            _ if self.compile.is_some() => Some(dir.clone()),
            Some(_) => None,
            None => Some(source.clone()),
        };
        let readable = folder.into_iter().chain(made).chain(shown).collect();
        Ok(Launch { readable, ..Launch::new(fill(&self.run, &places)) })
    }

    /// The folder that a tool lives in, and the tool itself in there: what is on the search path may be a stand-in.
    fn home_of(&self, tool: &Path) -> Option<(PathBuf, PathBuf)> {
        let command = fill(self.home.as_ref()?, &[("tool", tool.as_os_str())]);
        let (program, arguments) = command.split_first()?;
        let output =
            Command::new(program).args(arguments).env(MARK, NO_BOT).stdin(Stdio::null()).output().ok()?;
        let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        let real = folder.join("bin").join(tool.file_name()?);
        is_executable(&real).then_some((folder, real))
    }
}

impl Toolchain {
    /// A source, and the others of its language beside it if the folder is its own; but no tests.
    fn sources(&self, source: &Path, cache: &Path) -> Vec<PathBuf> {
        let beside = own_folder(source, cache).and_then(|folder| fs::read_dir(folder).ok());
        let mut others: Vec<PathBuf> = beside
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|file| file != source && self.is_for(file) && !is_test(file) && file.is_file())
            .take(limits::SOURCES)
            .collect();
        others.sort();
        std::iter::once(source.to_owned()).chain(others).collect()
    }
}

/// Whether a source is a test, by the habits of languages: `test.kt`, `test_bot.py`, `bot_test.go`, `BotTest.java`.
fn is_test(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.ends_with("Test") || stem.split('_').any(|word| word == "test")
}

/// Marks tools that are only asked something, so that no match that ends meanwhile takes them for what a bot left behind.
const NO_BOT: &str = "none";
const MAIN: &str = "main";

/// Whether a file is called `main`, or `Main` as some languages want it.
pub(crate) fn is_main(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(MAIN))
}

/// The folder of a bot that has one to itself. A file called `main` is taken to say so, unless its folder holds the home
/// or the compiled bots of the user; any other file may lie among those of other people.
pub(crate) fn own_folder(file: &Path, cache: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|_| is_main(file))?;
    let home = etcetera::home_dir().ok();
    let shared = [home.as_deref(), Some(cache), Some(&std::env::temp_dir())];
    let holds = |other: &Path| platform::absolute(other).is_ok_and(|other| other.starts_with(folder));
    (!shared.into_iter().flatten().any(holds)).then(|| folder.to_owned())
}

/// What an interpreter that sizes itself may use for data, in MB.
fn heap_megabytes(memory_bytes: u64) -> OsString {
    (((memory_bytes >> 20) * limits::HEAP_PERCENT / 100).max(1)).to_string().into()
}

/// A command with its places filled in, and all sources for the word `{sources}`.
pub(crate) fn fill_all(words: &[String], places: &[(&str, &OsStr)], sources: &[PathBuf]) -> Vec<OsString> {
    let word = |word: &String| match word.as_str() {
        "{sources}" => sources.iter().map(|source| source.clone().into_os_string()).collect(),
        _ => fill(std::slice::from_ref(word), places),
    };
    words.iter().flat_map(word).collect()
}

/// A command with its places filled in.
pub(crate) fn fill(words: &[String], places: &[(&str, &OsStr)]) -> Vec<OsString> {
    words
        .iter()
        .map(|word| {
            let mut filled = OsString::new();
            let mut rest = word.as_str();
            while let Some(start) = rest.find('{') {
                let (before, from) = rest.split_at(start);
                let found = places
                    .iter()
                    .find(|(name, _)| from[1..].strip_prefix(name).is_some_and(|s| s.starts_with('}')));
                filled.push(before);
                match found {
                    Some((name, value)) => {
                        filled.push(value);
                        rest = &from[name.len() + 2..];
                    }
                    None => {
                        filled.push("{");
                        rest = &from[1..];
                    }
                }
            }
            filled.push(rest);
            filled
        })
        .collect()
}

/// Where a program really is, among the libraries that it looks for beside itself: what is on the search path may be a
/// link. One that goes by the name it is called by stays as it is.
fn where_it_is(program: PathBuf) -> PathBuf {
    match platform::absolute(&program) {
        Ok(real) if real.file_name() == program.file_name() => real,
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, ToolchainFile, fill};
    use std::ffi::OsStr;

    #[test]
    fn the_built_in_table_is_sound() {
        let table: ToolchainFile = toml::from_str(BUILT_IN).unwrap();
        for (number, toolchain) in table.toolchain.iter().enumerate() {
            for other in &table.toolchain[..number] {
                let shared = toolchain.extensions.iter().any(|ending| other.extensions.contains(ending));
                assert!(!shared || toolchain.name == other.name, "two languages want the same ending");
            }
        }
        for toolchain in &table.toolchain {
            assert!(!toolchain.tools.is_empty() && !toolchain.run.is_empty() && !toolchain.hint.is_empty());
        }
    }

    #[test]
    fn places_are_filled_in() {
        let words = ["{tool}", "-o{out}", "{", "{other}"].map(str::to_owned);
        let filled = fill(&words, &[("tool", OsStr::new("gcc")), ("out", OsStr::new("/x y"))]);
        assert_eq!(filled, ["gcc", "-o/x y", "{", "{other}"]);
    }
}
