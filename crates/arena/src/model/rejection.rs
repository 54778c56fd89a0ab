//! Why something that was handed in does not play.

use palestra_core::Message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a version was rejected, for its author.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rejection {
    /// How far it came.
    pub step: RejectionStep,
    /// The one line that says most: the compiler's first error, the last line of a traceback, or what is wrong with the
    /// archive. Nothing if nobody wrote anything.
    pub line: Option<String>,
    /// How its first match ended for it, if it came so far: a code and its values.
    #[schema(value_type = Option<Object>)]
    pub reason: Option<Message>,
    /// Where in its source file something is wrong, in the order in which that was told.
    pub places: Vec<SourcePlace>,
}

impl Rejection {
    /// At this step, with nothing more to tell.
    pub fn at(step: RejectionStep) -> Rejection {
        Rejection { step, line: None, reason: None, places: Vec::new() }
    }
}

/// A place in a source file that a compiler or an interpreter complains about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourcePlace {
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1; nothing if the whole line is meant.
    pub column: Option<u32>,
    /// Whether it is a warning only.
    pub warning: bool,
    /// What is wrong.
    pub text: String,
}

/// How far something came that was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RejectionStep {
    /// It could not be unpacked, or nothing in it could be started.
    Unpacking,
    /// It could not be compiled.
    Compiling,
    /// It could not be started.
    Starting,
    /// It failed in its first match.
    FirstMatch,
    /// The arena died while it was at work.
    SetAside,
}
