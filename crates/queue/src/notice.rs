//! What the organiser is told about the queue and its workers.

use crate::need::{Lack, Need};
use std::fmt;

/// Something that the organiser should know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A worker is there.
    Came {
        /// Its name.
        worker: String,
        /// Matches it plays at a time.
        places: u32,
        /// The version of its program.
        version: String,
    },
    /// A worker is not heard any more.
    Went {
        /// Its name.
        worker: String,
    },
    /// A worker cannot play some of the matches.
    Lacks {
        /// Its name.
        worker: String,
        /// What it lacks.
        lack: Lack,
    },
    /// A result was refused, and with it everything else of that worker.
    Refused {
        /// The worker.
        worker: String,
        /// The match.
        number: u64,
        /// One sentence.
        why: String,
    },
    /// A worker could not play many matches, one after the other.
    Useless {
        /// The worker.
        worker: String,
        /// What it said at last.
        why: String,
    },
    /// A worker's result differs from what two others came to.
    Outvoted {
        /// The worker.
        worker: String,
        /// The match.
        number: u64,
    },
    /// Two workers, or three, came to different results, and nobody can tell who is right.
    Undecided {
        /// The match.
        number: u64,
        /// Who played it.
        workers: Vec<String>,
    },
    /// A match came again because its worker was lost.
    Again {
        /// The match.
        number: u64,
        /// How often that has happened.
        losses: u32,
    },
    /// No worker that is there can play some of the matches.
    Nobody {
        /// What they need.
        need: Need,
    },
    /// The queue had lost what was in it, and was filled again.
    Refilled {
        /// Matches that were sent again.
        matches: usize,
    },
}

impl Notice {
    /// Whether something is wrong, and not only otherwise than before.
    pub fn is_trouble(&self) -> bool {
        !matches!(self, Notice::Came { .. } | Notice::Went { .. } | Notice::Again { .. })
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Came { worker, places, version } => {
                let plural = if *places == 1 { "" } else { "s" };
                write!(f, "worker {worker} is there: {places} place{plural}, palestra {version}")
            }
            Notice::Went { worker } => write!(f, "worker {worker} is not heard any more"),
            Notice::Lacks { worker, lack } => write!(f, "worker {worker}: {lack}"),
            Notice::Refused { worker, number, why } => write!(
                f,
                "the worker {worker} is set aside: its result of match {number} is refused ({why}); its matches are played \
                 again by others; look at that machine, and take its credentials away"
            ),
            Notice::Useless { worker, why } => write!(
                f,
                "the worker {worker} is set aside: it could not play several matches, one after the other, at last because \
                 {why}; mend it and start it again"
            ),
            Notice::Outvoted { worker, number } => write!(
                f,
                "the worker {worker} is set aside: two others came to the same result in match {number}, and it did not"
            ),
            Notice::Undecided { number, workers } => write!(
                f,
                "match {number} took another course on each of the workers {}; its bots do not always answer the same, or \
                 one of these is not honest",
                workers.join(", ")
            ),
            Notice::Again { number, losses } => {
                write!(f, "match {number} is played again: its worker was lost ({losses})")
            }
            Notice::Nobody { need } => {
                write!(f, "no worker can play {}", need.game)?;
                if !need.toolchains.is_empty() {
                    let list: Vec<&str> = need.toolchains.iter().map(String::as_str).collect();
                    write!(f, " with bots in {}", list.join(", "))?;
                }
                write!(
                    f,
                    " (rules version {}, sandbox {}) now; start palestra worker",
                    need.rules_version, need.sandbox
                )
            }
            Notice::Refilled { matches } => {
                write!(f, "the queue had lost what was in it; {matches} matches were sent again")
            }
        }
    }
}
