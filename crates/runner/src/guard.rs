//! What stands between a bot and the machine: nothing, limits, or walls.

use crate::limits;
use crate::platform::LIMITS;
use palestra_sandbox::{Limits, Missing, Sandbox};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// How strictly bots are kept apart from the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// Nothing but what every match has: no process outlives it.
    Off,
    /// What suits somebody's own bot at home: limits, as far as this machine gives them, and nothing is hidden.
    #[default]
    Auto,
    /// Everything: a root folder, processes, and a network of its own, limits on all it can use, few system calls.
    Strict,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        match text {
            "off" => Ok(Level::Off),
            "auto" => Ok(Level::Auto),
            "strict" => Ok(Level::Strict),
            _ => Err(format!("\"{text}\" is no level; write off, auto or strict")),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Off => "off",
            Level::Auto => "auto",
            Level::Strict => "strict",
        })
    }
}

/// Limits that somebody asks for instead of the usual ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Memory of all processes of a bot together, in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes and threads of a bot at a time.
    pub processes: Option<u32>,
}

/// Why there is no such guard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GuardError {
    /// This machine has no strict sandbox.
    #[error(transparent)]
    Strict(#[from] Missing),
    /// A limit without a guard.
    #[error("without a sandbox nothing is limited; ask for a limit together with --sandbox auto or strict")]
    Off,
    /// This machine cannot keep a limit that was asked for.
    #[error("{what} can be limited here with --sandbox strict only: {why}")]
    Limit {
        /// What should have been limited.
        what: &'static str,
        /// Why it cannot be, and what to do.
        why: String,
    },
}

/// Starts bots and compilers at one level.
#[derive(Debug)]
pub struct Guard {
    level: Level,
    limits: Limits,
    strict: Option<Sandbox>,
    /// Opened when the first bot is started: many matches are played between built-in players alone.
    loose: OnceLock<Option<Sandbox>>,
}

impl Guard {
    /// At this level; says what is missing if this machine cannot.
    pub fn new(level: Level) -> Result<Guard, GuardError> {
        Guard::with(level, Asked::default())
    }

    /// At this level with these limits; says what is missing if this machine cannot.
    pub fn with(level: Level, asked: Asked) -> Result<Guard, GuardError> {
        let usual = if level == Level::Strict { limits::BOT } else { limits::OWN_BOT };
        let limits = Limits {
            memory_bytes: asked.memory_bytes.unwrap_or(usual.memory_bytes),
            processes: asked.processes.unwrap_or(usual.processes),
            ..usual
        };
        let strict = if level == Level::Strict { Some(Sandbox::strict()?) } else { None };
        let guard = Guard { level, limits, strict, loose: OnceLock::new() };
        match level {
            Level::Off if asked != Asked::default() => return Err(GuardError::Off),
            Level::Auto => {
                let wanted =
                    [(asked.memory_bytes.is_some(), "memory"), (asked.processes.is_some(), "processes")];
                for (_, what) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
                    guard.can_limit(what)?;
                }
            }
            _ => {}
        }
        Ok(guard)
    }

    /// The level without walls: bots run as their user does.
    pub const fn off() -> Guard {
        Guard { level: Level::Off, limits: limits::OWN_BOT, strict: None, loose: OnceLock::new() }
    }

    /// Whether the memory of all of a bot's processes together is limited, and not only that of each.
    pub fn limits_memory(&self) -> bool {
        self.can_limit("memory").is_ok()
    }

    /// From now on starts no bot that would be shown one of these, or a folder in which it can be found.
    pub fn keep_private(&self, paths: &[PathBuf]) -> io::Result<()> {
        self.strict.as_ref().map_or(Ok(()), |sandbox| sandbox.keep_private(paths))
    }

    /// Ends every bot and compiler that it can find, and starts no further ones: for a program that ends without waiting for
    /// those who started them.
    pub fn close(&self) {
        for sandbox in self.strict.iter().chain(self.loose.get().into_iter().flatten()) {
            sandbox.close();
        }
    }

    fn can_limit(&self, what: &'static str) -> Result<(), GuardError> {
        let why = match self.sandbox() {
            Some(sandbox) => sandbox.lacks(what),
            None if LIMITS => None,
            None => Some("this system cannot limit processes".to_owned()),
        };
        why.map_or(Ok(()), |why| Err(GuardError::Limit { what, why }))
    }

    /// The sandbox that keeps bots and compilers apart from the machine, if that is wanted.
    pub(crate) fn strict(&self) -> Option<&Sandbox> {
        self.strict.as_ref()
    }

    /// The sandbox in which bots are started. At the level auto there is none where none can be had.
    pub(crate) fn sandbox(&self) -> Option<&Sandbox> {
        match self.level {
            Level::Off => None,
            Level::Auto => self.loose.get_or_init(|| Sandbox::loose(&self.limits).ok()).as_ref(),
            Level::Strict => self.strict.as_ref(),
        }
    }

    /// Whether bots are limited at all.
    #[cfg(windows)]
    pub(crate) fn is_off(&self) -> bool {
        self.level == Level::Off
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}
