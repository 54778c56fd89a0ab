//! What can be read of a log that is lost or damaged, and a new log made of it.

use super::check::{new_file, put_in_place};
use super::database::{Access, Database, beside, has_bytes, log_in};
use super::schema::Line;
use super::{StoreError, take};
use crate::event::Event;
use crate::limits;
use palestra_runner::FileError;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// What was read, of a folder that this process holds.
#[derive(Debug)]
pub struct Salvage {
    folder: PathBuf,
    lines: Vec<Line>,
    /// Rows that are known to have been there and cannot be read.
    pub missing: u64,
    _lock: File,
}

/// Reads what can be read of the log in a folder, row by row.
pub fn salvage(folder: &Path) -> Result<Salvage, StoreError> {
    let lock = take(folder)?;
    let mut salvage = Salvage { folder: folder.to_owned(), lines: Vec::new(), missing: 0, _lock: lock };
    let path = log_in(folder);
    if has_bytes(&path) {
        // To write: what is beside it is taken in.
        match Database::open(&path, Access::Write) {
            Ok(mut database) => salvage.read(&mut database),
            Err(error) => drop(error),
        }
    }
    Ok(salvage)
}

impl Salvage {
    fn read(&mut self, database: &mut Database) {
        let told = database.number("SELECT events FROM state").unwrap_or(0);
        let found = database.number("SELECT max(id) FROM events NOT INDEXED").unwrap_or(0);
        let sums = "SELECT count(*) FROM pragma_table_info('events') WHERE name = 'sum'";
        let checked = database.number(sums).unwrap_or(0) > 0;
        // A number that is damaged itself must not be believed.
        let sure = if told.abs_diff(found) <= limits::ROWS_TRIED as u64 { told.max(found) } else { 0 };
        let (mut first, mut last_found) = (1, 0);
        while first <= sure || first - last_found <= limits::ROWS_TRIED {
            let end = first + i64::from(limits::ROWS_READ) - 1;
            for (id, line) in part(database, first, end, checked) {
                self.missing += (id - last_found - 1).max(0) as u64;
                last_found = id;
                self.lines.push(line);
            }
            first = end + 1;
        }
        self.missing += (sure - last_found).max(0) as u64;
    }

    /// The events that were read, in order.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        self.lines.iter().filter_map(Line::event)
    }

    /// Makes a log of what was read. What was there before is kept beside it, under the name that is given back.
    pub fn keep(self) -> Result<Option<PathBuf>, StoreError> {
        let mut new = new_file(&self.folder)?;
        for part in self.lines.chunks(limits::ROWS_READ as usize) {
            new.append(part)?;
        }
        drop(new);
        self.replace()
    }

    /// Makes a log of these events instead.
    pub fn keep_instead(self, events: &[Event]) -> Result<Option<PathBuf>, StoreError> {
        let lines = events.iter().map(|event| Line::new(0, event)).collect();
        Salvage { lines, ..self }.keep()
    }

    fn replace(self) -> Result<Option<PathBuf>, StoreError> {
        let path = log_in(&self.folder);
        let mut kept = None;
        if path.exists() {
            let free = |number: &u32| !beside(&path, &format!(".damaged-{number}")).exists();
            let number = (1..).find(free).expect("there are not that many");
            let name = beside(&path, &format!(".damaged-{number}"));
            for ending in ["-wal", "-shm", "-log_writer", ""] {
                let (from, to) = (beside(&path, ending), beside(&name, ending));
                if from.exists() {
                    fs::rename(&from, &to)
                        .map_err(|error| FileError::Write { path: to, why: error.to_string() })?;
                }
            }
            kept = Some(name);
        }
        put_in_place(&self.folder)?;
        Ok(kept)
    }
}

/// Rows that can be read and are as they were written, with their ids.
fn part(database: &mut Database, first: i64, last: i64, checked: bool) -> Vec<(i64, Line)> {
    let mut good = |first: i64, last: i64| -> Option<Vec<(i64, Line)>> {
        let lines = database.lines(first, last, checked).ok()?;
        Some(lines.into_iter().filter_map(|(id, line)| Some((id, line?))).collect())
    };
    if let Some(lines) = good(first, last) {
        return lines;
    }
    // Somewhere in between is a page that cannot be read.
    (first..=last).flat_map(|id| good(id, id).unwrap_or_default()).collect()
}
