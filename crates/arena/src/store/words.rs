//! How the database spells what is one of a few. These never change, whatever the API calls them.

use super::{KeyKind, StoreError};
use crate::model::{
    ChallengeState, CourseState, EventState, MatchKind, MatchState, RoundState, VersionState,
};

/// What the database keeps as a word.
pub(crate) trait Word: Sized {
    fn word(self) -> &'static str;
    fn of(word: String) -> Result<Self, StoreError>;
}

macro_rules! words {
    ($($name:ident { $($value:ident = $word:literal),* })*) => {$(
        impl Word for $name {
            fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)*
                }
            }

            fn of(word: String) -> Result<$name, StoreError> {
                match word.as_str() {
                    $($word => Ok($name::$value),)*
                    _ => Err(StoreError::Damaged(word)),
                }
            }
        }
    )*};
}

words! {
    EventState { Open = "open", Paused = "paused", Closed = "closed" }
    RoundState { Waiting = "waiting", Running = "running", Paused = "paused", Over = "over", Cancelled = "cancelled" }
    MatchKind {
        Free = "free", Practice = "practice", Ladder = "ladder", Scored = "scored", Smoke = "smoke",
        Hand = "hand", Challenge = "challenge"
    }
    ChallengeState { Open = "open", Over = "over", Cancelled = "cancelled" }
    CourseState { Queued = "queued", Passed = "passed", Missed = "missed", Failed = "failed" }
    MatchState { Running = "running", Finished = "finished", Void = "void" }
    VersionState {
        Queued = "queued", Compiling = "compiling", Trying = "trying", Ready = "ready", Rejected = "rejected"
    }
    KeyKind { Session = "session", Token = "token" }
}
