//! What can be downloaded from the site.

use serde::Serialize;
use utoipa::ToSchema;

/// Everything that can be downloaded.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DownloadList {
    /// The files, programs first.
    pub files: Vec<Download>,
}

/// A file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Download {
    /// Its name.
    pub file: String,
    /// Where to get it.
    pub href: String,
    /// How large it is.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// What it is.
    pub kind: DownloadKind,
}

/// What a file is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DownloadKind {
    /// This program.
    Program {
        /// For which system, if its name says so.
        system: Option<System>,
        /// For which processors: "x86-64", "arm64"; if its name says so.
        processor: Option<String>,
        /// Whether it has to be unpacked.
        archive: bool,
    },
    /// A starter kit.
    Kit {
        /// The game's id.
        game: String,
        /// The language: "Python", "C++".
        language: String,
        /// The file to start.
        main: String,
        /// How its first match is played, behind `palestra `.
        #[schema(example = "play generals ./generals.py random --watch")]
        play: String,
    },
    /// Something else that the organisers have put there.
    Other {
        /// For which system, if its name says so.
        system: Option<System>,
    },
}

/// A system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}
