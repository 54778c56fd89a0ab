//! What a bot is called on a command line, and what that means: a built-in player, a program, a source file, a folder
//! with either called main, or a command line.

use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::platform::{self, Input, Output};
use crate::process::Launch;
use crate::toolchain::{self, Toolchain, ToolchainStatus};
use palestra_core::{AnyGame, Entrant, Match, Plan, Seat, SetupError, TimeControl};
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, PipeReader, PipeWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A bot that is ready to play.
#[derive(Debug)]
pub struct Bot {
    /// How it takes part in a match.
    pub entrant: Entrant,
    /// How it is reached.
    pub link: Link,
}

/// Where the bot of a seat is.
#[derive(Debug)]
pub enum Link {
    /// Nowhere outside: a built-in player, or one that could not be started.
    None,
    /// In a program that is started for the match.
    Program(Launch),
    /// In this program.
    Here(Arc<dyn Resident>),
    /// At the other end of two pipes.
    Pipes {
        /// What is written there, the bot reads.
        input: Input,
        /// What the bot writes can be read there.
        output: Output,
        /// Raised when it leaves the match for good, and has lost whoever is to move; the end of its output only counts when
        /// its answer is due.
        hang_up: Option<Interrupt>,
    },
}

impl Link {
    /// To somebody who is already there, at the other end of two pipes.
    pub fn pipes(input: PipeWriter, output: PipeReader, hang_up: Option<Interrupt>) -> io::Result<Link> {
        Ok(Link::Pipes { input: platform::to_input(input)?, output: platform::to_output(output)?, hang_up })
    }
}

/// A player in this program: it is handed the match instead of text through a pipe, and its time is not measured.
pub trait Resident: fmt::Debug + Send + Sync {
    /// Takes its turn: what it is asked is in its outbox, and the match is given its answer. `Break` ends the match without a
    /// result, and so does a turn that is not over.
    fn take_turn(&self, game: &mut Match, seat: Seat) -> ControlFlow<()>;
}

impl Bot {
    /// A player in this program.
    pub fn here(name: impl Into<String>, resident: Arc<dyn Resident>) -> Bot {
        Bot { entrant: Entrant::outside(name), link: Link::Here(resident) }
    }

    /// A built-in player.
    pub fn built_in(name: impl Into<String>) -> Bot {
        Bot { entrant: Entrant::built_in(name), link: Link::None }
    }

    /// Something that could not be started: its player is out before the first turn, and the others play.
    pub fn absent(name: impl Into<String>) -> Bot {
        Bot { entrant: Entrant::absent(name), link: Link::None }
    }

    /// A program to start.
    pub fn program(name: impl Into<String>, launch: Launch) -> Bot {
        Bot { entrant: Entrant::outside(name), link: Link::Program(launch) }
    }

    /// Somebody who is already there, at the other end of two pipes.
    pub fn pipes(name: impl Into<String>, input: PipeWriter, output: PipeReader) -> io::Result<Bot> {
        Ok(Bot { entrant: Entrant::outside(name), link: Link::pipes(input, output, None)? })
    }

    /// A person, and where to write that person's answers. A person sees the game elsewhere, so what a bot would be
    /// told goes nowhere.
    pub fn person(name: impl Into<String>, timed: bool) -> io::Result<(Bot, PipeWriter)> {
        let (output, answers) = io::pipe()?;
        let (_, input) = io::pipe()?;
        let link = Link::pipes(input, output, None)?;
        Ok((Bot { entrant: Entrant::person(name, timed), link }, answers))
    }

    /// Sets up a match of these, and says where each of them is.
    pub fn seat(
        bots: Vec<Bot>,
        game: &dyn AnyGame,
        plan: Plan,
        time: TimeControl,
    ) -> Result<(Match, Vec<Link>), SetupError> {
        let (entrants, links): (Vec<Entrant>, Vec<Link>) =
            bots.into_iter().map(|bot| (bot.entrant, bot.link)).unzip();
        Ok((Match::new(game, plan, &entrants, time)?, links))
    }
}

/// Why something is no bot. Each is one sentence, but for a compiler's own messages.
#[allow(missing_docs, reason = "the sentence of an error says what is in it")]
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// Neither a built-in player nor a file.
    #[error(
        "there is no bot \"{name}\": it is neither a file nor one of the built-in players ({built_ins}){suggestion}"
    )]
    Unknown { name: String, built_ins: String, suggestion: String },
    /// There is no such file.
    #[error("there is no file \"{name}\"; a configuration names programs by their paths")]
    NoFile { name: String },
    /// A folder without anything to start.
    #[error(
        "\"{name}\" is a folder without a program or source file called main; name the file that is the bot"
    )]
    Folder { name: String },
    #[error("\"{name}\" is a folder with several files called main ({files}); name the one that is the bot")]
    SeveralMains { name: String, files: String },
    /// A file that is neither a program nor a source.
    #[error(
        "\"{name}\" is neither executable nor a source file of a known language ({known}); for a program: {}",
        platform::how_to_make_executable(name)
    )]
    NotABot { name: String, known: String },
    /// A command line with an open quotation mark, or none at all.
    #[error("the command line \"{name}\" cannot be read: {why}")]
    CommandLine { name: String, why: String },
    /// The program of a command line is not there.
    #[error(
        "the program \"{program}\" of the command line \"{name}\" is neither a file nor on the search path"
    )]
    NoProgram { name: String, program: String },
    /// The source or a folder on the way cannot be read.
    #[error("failed to read {name}: {why}")]
    Unreadable { name: String, why: String },
    #[error("{name} needs {language}: {why}")]
    NoToolchain { name: String, language: String, why: String },
    #[error("{name} does not compile ({language}):\n{messages}")]
    Compile { name: String, language: String, messages: String },
    /// The compiler did not get to its end.
    #[error("{name} does not compile ({language}): {why}")]
    Compiler { name: String, language: String, why: String },
    /// The folder for compiled bots cannot be used.
    #[error("compiled bots cannot be kept in {}: {why}; set PALESTRA_CACHE to a folder that can be written", path.display())]
    Cache { path: PathBuf, why: String },
    /// The user's table of toolchains is wrong.
    #[error("the table of toolchains {} cannot be used: {why}", path.display())]
    Toolchains { path: PathBuf, why: String },
}

impl BotError {
    /// Whether the bot itself is at fault: it is there, but it cannot play. Otherwise it was not found, or this machine
    /// lacks something.
    pub fn is_the_bots_own(&self) -> bool {
        matches!(
            self,
            BotError::Folder { .. }
                | BotError::SeveralMains { .. }
                | BotError::NotABot { .. }
                | BotError::Unreadable { .. }
                | BotError::Compile { .. }
                | BotError::Compiler { .. }
        )
    }
}

/// Hears what goes on while a bot is made ready. A closure hears the remarks alone.
pub trait Listener {
    /// Something takes its time, or somebody should know it: one sentence.
    fn remark(&mut self, sentence: &str);

    /// A compiler says something, a warning perhaps: whole lines, while it runs. If it refuses the source in the end,
    /// they are in [`BotError::Compile`] too.
    fn compiler(&mut self, _lines: &str) {}
}

impl<F: FnMut(&str)> Listener for F {
    fn remark(&mut self, sentence: &str) {
        self(sentence);
    }
}

/// Makes bots from what people write: knows the toolchains and where compiled bots are kept.
#[derive(Debug)]
pub struct Workshop<'a> {
    toolchains: Vec<Toolchain>,
    cache: PathBuf,
    guard: &'a Guard,
}

impl<'a> Workshop<'a> {
    /// With the user's own table of toolchains and the usual place for compiled bots; compilers are guarded too.
    pub fn open(guard: &'a Guard) -> Result<Workshop<'a>, BotError> {
        Ok(Workshop { toolchains: toolchain::table()?, cache: toolchain::default_cache(), guard })
    }

    /// Which languages can be used here, and by what.
    pub fn toolchains(&self) -> Vec<ToolchainStatus> {
        let mut all: Vec<ToolchainStatus> = Vec::new();
        for status in self.toolchains.iter().map(Toolchain::status) {
            match all.iter_mut().find(|other| other.name == status.name) {
                None => all.push(status),
                Some(other) if other.tool.is_err() && status.tool.is_ok() => *other = status,
                Some(_) => {}
            }
        }
        all
    }

    /// The folders of compilers and interpreters that bots are shown in the strict sandbox, beside the system's.
    pub fn shown(&self) -> Vec<PathBuf> {
        self.toolchains.iter().flat_map(Toolchain::shown).collect()
    }

    /// The same, with compiled bots in this folder.
    pub fn kept_in(self, cache: PathBuf) -> Workshop<'a> {
        Workshop { cache, ..self }
    }

    /// Where compiled bots are kept.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// The toolchain that makes a bot of this file, by its name; none for a program that is started as it is.
    pub fn toolchain_for(&self, file: &Path) -> Option<&str> {
        self.toolchains
            .iter()
            .find(|toolchain| toolchain.is_for(file))
            .map(|toolchain| toolchain.name.as_str())
    }

    /// The folder that a bot has to itself, if it has one.
    pub fn folder_of(&self, file: &Path) -> Option<PathBuf> {
        toolchain::own_folder(file, &self.cache)
    }

    /// Makes the bot that `name` means in this game ready.
    pub fn bot(&self, game: &dyn AnyGame, name: &str, listener: &mut dyn Listener) -> Result<Bot, BotError> {
        if game.built_ins().iter().any(|built_in| built_in.answers_to(name)) {
            return Ok(Bot::built_in(name));
        }
        let path = Path::new(name);
        if path.exists() {
            return self.file(path, name, listener);
        }
        if name.trim().contains(char::is_whitespace) {
            return Ok(Bot::program(name, launch_command(name)?));
        }
        Err(unknown(game, name))
    }

    /// Makes ready what a contest's own configuration names: the program or source file at `path`, or a command line, but
    /// never a built-in player.
    pub fn program(&self, path: &Path, name: &str, listener: &mut dyn Listener) -> Result<Launch, BotError> {
        if path.exists() {
            self.launch_file(path, name, listener)
        } else if name.trim().contains(char::is_whitespace) {
            launch_command(name)
        } else {
            Err(BotError::NoFile { name: name.to_owned() })
        }
    }

    /// Makes the program or source file at `path` ready, whatever built-in players there are.
    pub fn file(&self, path: &Path, name: &str, listener: &mut dyn Listener) -> Result<Bot, BotError> {
        let launch = self.launch_file(path, name, listener)?;
        Ok(Bot::program(own_name(path).unwrap_or_else(|| name.to_owned()), launch))
    }

    fn launch_file(&self, path: &Path, name: &str, listener: &mut dyn Listener) -> Result<Launch, BotError> {
        let owned = || name.to_owned();
        if path.is_dir() {
            return self.launch_file(&self.main_of(path, name)?, name, listener);
        }
        if let Some(toolchain) = toolchain::usable(self.toolchains.iter().filter(|one| one.is_for(path))) {
            return toolchain.prepare(path, &self.cache, self.guard, listener);
        }
        let absolute = platform::absolute(path)
            .map_err(|error| BotError::Unreadable { name: owned(), why: error.to_string() })?;
        if !platform::is_executable(&absolute) {
            let known: Vec<&str> = self
                .toolchains
                .iter()
                .flat_map(|toolchain| &toolchain.extensions)
                .map(String::as_str)
                .collect();
            return Err(BotError::NotABot { name: owned(), known: known.join(", ") });
        }
        let own = toolchain::own_folder(&absolute, &self.cache).unwrap_or_else(|| absolute.clone());
        Ok(Launch { readable: vec![own], ..Launch::new(vec![absolute.into()]) })
    }
}

impl Workshop<'_> {
    /// The file of a folder that is the bot: the one called main.
    pub fn main_of(&self, folder: &Path, name: &str) -> Result<PathBuf, BotError> {
        let unreadable =
            |error: io::Error| BotError::Unreadable { name: name.to_owned(), why: error.to_string() };
        let can_start = |file: &Path| {
            self.toolchains.iter().any(|toolchain| toolchain.is_for(file)) || platform::is_executable(file)
        };
        let mut mains = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)?.take(limits::FOLDER_ENTRIES) {
            let file = entry.map_err(unreadable)?.path();
            if toolchain::is_main(&file) && file.is_file() && can_start(&file) {
                mains.push(file);
            }
        }
        mains.sort();
        match &mains[..] {
            [] => Err(BotError::Folder { name: name.to_owned() }),
            [main] => Ok(main.clone()),
            several => {
                let files = several.iter().filter_map(|file| Some(file.file_name()?.to_string_lossy()));
                let files = files.collect::<Vec<_>>().join(", ");
                Err(BotError::SeveralMains { name: name.to_owned(), files })
            }
        }
    }
}

/// What a folder is called that is meant by dots alone: "." would tell a spectator nothing.
fn own_name(path: &Path) -> Option<String> {
    if path.file_name().is_some() {
        return None;
    }
    Some(platform::absolute(path).ok()?.file_name()?.to_string_lossy().into_owned())
}

fn launch_command(name: &str) -> Result<Launch, BotError> {
    let wrong = |why: String| BotError::CommandLine { name: name.to_owned(), why };
    let words = platform::split(name).map_err(wrong)?;
    let Some(program) = words.first() else {
        return Err(wrong("it is empty".to_owned()));
    };
    let found = match platform::is_path(program) {
        true => platform::called(Path::new(program)).ok().filter(|file| platform::is_executable(file)),
        false => platform::find_on_path(program),
    };
    let Some(found) = found else {
        return Err(BotError::NoProgram { name: name.to_owned(), program: program.clone() });
    };
    // The files and folders that it names are its own, and so is what its program stands for and belongs to.
    let readable = std::iter::once(environment_of(&found).unwrap_or_else(|| found.clone()))
        .chain(platform::absolute(&found))
        .chain(words[1..].iter().filter_map(|word| platform::absolute(Path::new(word)).ok()))
        .collect();
    let command = std::iter::once(found.into()).chain(words[1..].iter().map(OsString::from)).collect();
    Ok(Launch { readable, ..Launch::new(command) })
}

/// The virtual environment of Python that an interpreter is part of.
fn environment_of(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?.parent()?;
    folder.join("pyvenv.cfg").is_file().then(|| folder.to_owned())
}

fn unknown(game: &dyn AnyGame, name: &str) -> BotError {
    let names: Vec<&str> = game
        .built_ins()
        .iter()
        .flat_map(|built_in| [built_in.name].into_iter().chain(built_in.aliases.iter().copied()))
        .collect();
    let distance = |other: &&str| strsim::damerau_levenshtein(other, name);
    let near = names.iter().copied().min_by_key(distance).filter(|near| distance(near) <= 2);
    BotError::Unknown {
        name: name.to_owned(),
        built_ins: game.built_ins().iter().map(|built_in| built_in.name).collect::<Vec<_>>().join(", "),
        suggestion: near.map(|near| format!("; did you mean {near}?")).unwrap_or_default(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::launch_command;
    use std::ffi::OsString;
    use std::fs;

    #[test]
    fn the_interpreter_of_an_environment_is_called_by_its_own_name() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path().canonicalize().unwrap();
        let environment = place.join("my env");
        fs::create_dir_all(environment.join("bin")).unwrap();
        fs::write(environment.join("pyvenv.cfg"), "").unwrap();
        let link = environment.join("bin/python");
        std::os::unix::fs::symlink("/bin/sh", &link).unwrap();
        let bot = place.join("bot.py");
        fs::write(&bot, "").unwrap();
        let words = format!("'{}/my env/../my env/bin/python' {} 7", place.display(), bot.display());
        let launch = launch_command(&words).unwrap();
        assert_eq!(
            launch.command,
            [link.into_os_string(), bot.clone().into_os_string(), OsString::from("7")]
        );
        assert_eq!(launch.readable, [environment, fs::canonicalize("/bin/sh").unwrap(), bot]);
    }
}
