//! What stands between a bot and the machine: nothing, or a sandbox.

use crate::limits;
use palestra_sandbox::{Limits, Missing, Sandbox};
use std::fmt;
use std::str::FromStr;

/// How strictly bots are kept apart from the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    /// Nothing but what every match has: no process outlives it.
    Off,
    /// What suits somebody's own bot at home: today the same as off.
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

/// Starts bots and compilers at one level.
#[derive(Debug)]
pub struct Guard {
    cells: Option<Sandbox>,
    limits: Limits,
}

impl Guard {
    /// At this level; says what is missing if this machine cannot.
    pub fn new(level: Level) -> Result<Guard, Missing> {
        let cells = match level {
            Level::Off | Level::Auto => None,
            Level::Strict => Some(Sandbox::strict()?),
        };
        Ok(Guard { cells, limits: limits::BOT })
    }

    /// Without any.
    pub const fn off() -> Guard {
        Guard { cells: None, limits: limits::BOT }
    }

    pub(crate) fn cells(&self) -> Option<&Sandbox> {
        self.cells.as_ref()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}
