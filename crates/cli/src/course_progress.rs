//! Which steps of courses this user's bots have passed: a small file in the user's state folder.

use crate::failure::Failure;
use palestra_runner::{read_text, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the file looks like; raised when a former program would read it as something else.
const VERSION: u32 = 1;
/// Bytes of the file.
const FILE_BYTES: usize = 64 << 10;

/// The steps that were passed, by game.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct CourseProgress {
    version: u32,
    passed: BTreeMap<String, BTreeSet<String>>,
}

impl CourseProgress {
    /// As it stands; nothing is passed without a file.
    pub(crate) fn read() -> Result<CourseProgress, Failure> {
        CourseProgress::read_from(&file()?)
    }

    fn read_from(path: &Path) -> Result<CourseProgress, Failure> {
        if !path.exists() {
            return Ok(CourseProgress { version: VERSION, ..CourseProgress::default() });
        }
        let text = read_text(path, FILE_BYTES)?;
        let cure = "remove the file to begin anew";
        let found: CourseProgress = serde_json::from_str(&text).map_err(|error| {
            Failure::input(format!("the progress in {} cannot be read: {error}; {cure}", path.display()))
        })?;
        if found.version != VERSION {
            let (path, version) = (path.display(), found.version);
            return Err(Failure::input(format!(
                "the progress in {path} has version {version}, and this palestra knows version {VERSION}; {cure}"
            )));
        }
        Ok(found)
    }

    /// Whether this step was passed.
    pub(crate) fn has(&self, game: &str, step: &str) -> bool {
        self.passed.get(game).is_some_and(|steps| steps.contains(step))
    }

    /// Keeps that this step was passed.
    pub(crate) fn pass(game: &str, step: &str) -> Result<CourseProgress, Failure> {
        let path = file()?;
        // Another one may have written since this program began.
        let mut progress = CourseProgress::read_from(&path)?;
        if progress.passed.entry(game.to_owned()).or_default().insert(step.to_owned()) {
            let text = serde_json::to_string_pretty(&progress).map_err(Failure::input)?;
            write_atomically(&path, |file| file.write_all(text.as_bytes()))?;
        }
        Ok(progress)
    }
}

fn file() -> Result<PathBuf, Failure> {
    use etcetera::BaseStrategy as _;
    if let Some(folder) = std::env::var_os("PALESTRA_STATE") {
        return Ok(PathBuf::from(folder).join("course.json"));
    }
    let base = etcetera::choose_base_strategy().map_err(|_| {
        Failure::input("there is no home folder to keep progress in; name one with PALESTRA_STATE")
    })?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir());
    Ok(folder.join("palestra").join("course.json"))
}
