//! Whether a log is whole: what is lost, what is damaged, and what can be made good.

use super::database::{Access, Database, beside, has_bytes, log_in};
use super::schema::{COURSE, RESULT, schema};
use super::{Store, StoreError};
use crate::bundle;
use crate::limits;
use palestra_runner::FileError;
use sqlx::Row as _;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The ending of a log that is being written to take the place of another.
const NEW: &str = ".new";

/// What lies in a folder that was written with a log; nothing in one where no tournament ever was.
fn traces(folder: &Path) -> Vec<&'static str> {
    let there = |name: &str| folder.join(name).exists();
    let mut traces = Vec::new();
    traces.extend(bundle::any(folder).then_some("replays"));
    traces.extend(there("tournament.json").then_some("tournament.json"));
    // Others write pages of this name, too.
    traces.extend((!traces.is_empty() && there("report.html")).then_some("report.html"));
    traces
}

/// Refuses to take a folder whose log is gone for a new one.
pub(super) fn refuse_lost(folder: &Path, missing: &str) -> Result<(), StoreError> {
    let there = traces(folder);
    match there.is_empty() {
        true => Ok(()),
        false => Err(StoreError::Lost {
            folder: folder.to_owned(),
            missing: missing.to_owned(),
            there: there.join(", "),
        }),
    }
}

/// What a look at a log found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Sound,
    /// Every row is as it was written, but what finds them is not.
    IndexesDamaged,
}

impl Store {
    /// Looks whether the log is as it was written; thoroughly if it is small or was not closed. An error says what is wrong
    /// if rows are.
    pub(super) fn examine(&mut self, unclean: bool) -> Result<Condition, StoreError> {
        let path = log_in(&self.folder);
        let small = fs::metadata(&path).is_ok_and(|file| file.len() <= limits::LOG_BYTES_CHECKED);
        // Somebody may be writing: everything is looked at as it is at one moment.
        self.log.execute("BEGIN")?;
        let found = self.look_over(unclean || small);
        let _ = self.log.execute("ROLLBACK");
        found
    }

    fn look_over(&mut self, thoroughly: bool) -> Result<Condition, StoreError> {
        if self.is_as_told()? && (!thoroughly || self.has_integrity()) {
            return Ok(Condition::Sound);
        }
        // Whatever is wrong: if all rows can be read and are as they were written, nothing is lost.
        let mut rows = 0;
        self.log.all_lines(true, |lines| {
            rows += lines.len() as i64;
            Ok(())
        })?;
        match self.log.number("SELECT events FROM state")? == rows {
            true => Ok(Condition::IndexesDamaged),
            false => Err(self.log.damage("rows are missing at its end".to_owned())),
        }
    }

    /// Whether there are as many rows of each sort as the log says.
    fn is_as_told(&mut self) -> Result<bool, StoreError> {
        let rows = self.log.rows("SELECT events, results, course FROM state".to_owned(), &[])?;
        let [state] = &rows[..] else {
            return Err(self.log.damage("it does not say how much it holds".to_owned()));
        };
        let told: [i64; 3] = [0, 1, 2].map(|column| state.try_get(column).unwrap_or(-1));
        let found = [
            self.log.number("SELECT max(id) FROM events NOT INDEXED"),
            self.log.number(&format!("SELECT count(*) FROM events WHERE {RESULT} AND match IS NOT NULL")),
            self.log.number(&format!("SELECT count(*) FROM events WHERE {COURSE}")),
        ];
        Ok(found.iter().zip(told).all(|(found, told)| matches!(found, Ok(found) if *found == told)))
    }

    pub(super) fn has_integrity(&mut self) -> bool {
        matches!(self.log.text("PRAGMA integrity_check(1)".to_owned(), &[]), Ok(Some(said)) if said == "ok")
    }

    /// The tables are those that this program makes.
    pub(super) fn check_schema(&mut self) -> Result<(), StoreError> {
        let rows = self.log.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL".to_owned(), &[])?;
        let found: BTreeSet<String> = rows.iter().filter_map(|row| row.try_get(0).ok()).collect();
        match found == schema().into() {
            true => Ok(()),
            false => Err(self.log.damage("its tables are not those of a log".to_owned())),
        }
    }

    /// While a log is open, what was added last is in a file beside it, which must not be lost.
    pub(super) fn check_tail(&mut self, there_before: bool) -> Result<(), StoreError> {
        if there_before || has_tail(&self.folder) || self.log.number("SELECT open FROM state")? == 0 {
            return Ok(());
        }
        refuse_lost(&self.folder, "tournament.db-wal, with what was played last,")
    }
}

/// Writes the rows of a log, in order, into a new file that takes the place of the old one.
pub(super) fn rewrite(folder: &Path, old: &mut Database, checked: bool) -> Result<(), StoreError> {
    let mut new = new_file(folder)?;
    old.all_lines(checked, |lines| new.append(&lines))?;
    old.settle()?;
    drop(new);
    put_in_place(folder)
}

/// A file for a log that is to take the place of another.
pub(super) fn new_file(folder: &Path) -> Result<Database, StoreError> {
    let path = beside(&log_in(folder), NEW);
    // Left by somebody who was killed.
    let _ = fs::remove_file(&path);
    let mut new = Database::open(&path, Access::Write)?;
    new.create()?;
    Ok(new)
}

/// The new file becomes the log.
pub(super) fn put_in_place(folder: &Path) -> Result<(), StoreError> {
    let path = log_in(folder);
    fs::rename(beside(&path, NEW), &path)
        .map_err(|error| FileError::Write { path, why: error.to_string() }.into())
}

/// Whether a file beside the log holds what was added last.
pub(super) fn has_tail(folder: &Path) -> bool {
    has_bytes(&beside(&log_in(folder), "-wal"))
}

/// Whether there is a log at all.
pub(super) fn has_log(folder: &Path) -> bool {
    has_bytes(&log_in(folder))
}
