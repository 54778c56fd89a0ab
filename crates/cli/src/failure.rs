//! Why a command failed: one sentence, and an exit code that scripts can rely on.

use palestra_core::{ReplayError, SetupError};
use palestra_games::UnknownGame;
use palestra_league::store::StoreError;
use palestra_league::tournament::TournamentError;
use palestra_runner::{BotError, FileError, MatchError};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The command did its work and what it looked for is not so: a bot has problems, answers differ, no verdict OK.
pub(crate) const NOT_SO: u8 = 1;
const USAGE: u8 = 2;
const BAD_INPUT: u8 = 3;
const BAD_BOT: u8 = 4;
/// As shells have it for a program ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// What was typed makes no sense.
    pub(crate) fn usage(message: impl ToString) -> Failure {
        Failure { code: USAGE, message: message.to_string() }
    }

    /// A file makes no sense.
    pub(crate) fn input(message: impl ToString) -> Failure {
        Failure { code: BAD_INPUT, message: message.to_string() }
    }

    /// The same, said of this file.
    pub(crate) fn in_file(path: &Path) -> impl Fn(SetupError) -> Failure {
        move |error| Failure::input(format!("{}: {error}", path.display()))
    }

    /// A bot cannot play.
    pub(crate) fn bot(message: impl ToString) -> Failure {
        Failure { code: BAD_BOT, message: message.to_string() }
    }

    /// Something is wrong with a file and has been told already.
    pub(crate) fn input_told() -> Failure {
        Failure { code: BAD_INPUT, message: String::new() }
    }

    /// What would be a usage error on the command line is a mistake in this file.
    pub(crate) fn blamed_on(self, path: &Path) -> Failure {
        match self.code {
            USAGE => Failure::input(format!("{}: {}", path.display(), self.message)),
            _ => self,
        }
    }

    /// Tells the user and gives the exit code.
    pub(crate) fn tell(&self) -> ExitCode {
        use std::io::Write as _;
        if !self.message.is_empty() {
            let mut stderr = anstream::stderr().lock();
            // Nobody is left to tell if this fails.
            let _ = writeln!(stderr, "\x1b[1;31merror:\x1b[0m {}", self.message);
        }
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<UnknownGame> for Failure {
    fn from(unknown: UnknownGame) -> Failure {
        Failure::usage(unknown)
    }
}

impl From<BotError> for Failure {
    fn from(error: BotError) -> Failure {
        Failure { code: BAD_BOT, message: error.to_string() }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::input(error)
    }
}

impl Failure {
    /// What is wrong with this replay.
    pub(crate) fn in_replay(path: &Path) -> impl Fn(ReplayError) -> Failure {
        move |error| match error {
            ReplayError::Write(error) => error.into(),
            error => FileError::Replay { path: path.to_owned(), error }.into(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::input(error)
    }
}

impl From<TournamentError> for Failure {
    fn from(error: TournamentError) -> Failure {
        match error {
            TournamentError::Store(error) => error.into(),
            error => Failure::usage(error),
        }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        let code = match &error {
            MatchError::Setup(_) | MatchError::Cores(_) => USAGE,
            MatchError::Start { .. } => BAD_BOT,
            MatchError::Interrupted => INTERRUPTED,
        };
        Failure { code, message: error.to_string() }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            // The reader has seen enough: `palestra replay frames | head`.
            io::ErrorKind::BrokenPipe => Failure { code: 0, message: String::new() },
            _ => Failure::input(error),
        }
    }
}
