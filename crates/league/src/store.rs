//! Where a tournament lives: a folder with the log of its events in SQLite, and the replays beside it.
//!
//! Results are stored together every moment: the replays first, then one transaction with the events that
//! name them. Whatever happens to this process, every event in the log is whole and every replay it names is there.
//! Every row has a checksum: a log that was damaged afterwards is noticed, and nothing in it is taken for something else.

mod check;
mod database;
mod salvage;
mod schema;

use crate::bundle;
use crate::event::{Counted, Event, LoggedFault};
use crate::limits;
use crate::log::{End, Log, Outcome};
use crate::pairing::BotNumber;
use check::{Condition, has_log, has_tail, refuse_lost, rewrite};
use database::{Access, Database, log_in};
use palestra_runner::FileError;
use schema::{BRIEF, CHECKSUMS, COURSE, Line, RESULT, brief_sum};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub use salvage::{Salvage, salvage};
pub use schema::FORMAT;

/// The log's file in a tournament's folder.
pub const LOG: &str = "tournament.db";
const LOCK: &str = "tournament.lock";
const UNSOUND: &str = "the database does not fit together";
const MIXED: &str = "it has tables of another version than it says";

/// Why a tournament's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else is at it.
    #[error("{} is in use by another palestra; stop it first, or wait until it is done", .0.display())]
    InUse(PathBuf),
    /// There is no log in the folder.
    #[error("there is no tournament or ladder in {}; start one with palestra tournament or palestra ladder", .0.display())]
    Nothing(PathBuf),
    /// Written by a later program.
    #[error("the log {} has version {found}, and this palestra reads versions up to {FORMAT}; use a newer one", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// The log is gone, and what was written with it is not.
    #[error(
        "the log of {} is lost: {missing} is missing or empty, and {there} are there; put back a copy, or see what the \
         replays give with palestra tournament recover --dir {}",
        folder.display(), folder.display()
    )]
    Lost {
        /// The folder.
        folder: PathBuf,
        /// What is not there.
        missing: String,
        /// What the folder holds instead.
        there: String,
    },
    /// The log is not as it was written.
    #[error(
        "the log {} is damaged: {why}; put back a copy, or see what can be saved with palestra tournament recover --dir {}",
        path.display(), path.parent().unwrap_or(path).display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The database says no.
    #[error("the log {} cannot be used: {why}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the database says.
        why: String,
    },
    /// A folder or file says no.
    #[error(transparent)]
    File(#[from] FileError),
    /// A log that is kept elsewhere cannot be read.
    #[error("{0}")]
    Elsewhere(String),
}

/// A tournament's folder, held by this process alone unless it was opened to look.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    log: Database,
    /// Given back when this is closed, however this process ends; readers have none.
    lock: Option<File>,
    /// Whether rows have checksums: those of old logs that are only looked at have none.
    checked: bool,
    /// Whether what finds rows can be relied on.
    indexed: bool,
    /// Whether a reader has looked if it is whole.
    examined: bool,
    rebuilt: bool,
}

impl Store {
    /// Opens the folder, and makes it if it is not there. Refused while another process has it.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let failed = |path: &Path, error: &io::Error| FileError::Write {
            path: path.to_owned(),
            why: error.to_string(),
        };
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let lock = take(folder)?;
        if !has_log(folder) {
            refuse_lost(folder, LOG)?;
        }
        let tail = has_tail(folder);
        let mut store = Store::new(folder, Access::Write)?;
        match store.version()? {
            0 if store.is_empty()? => store.log.create()?,
            1 | 2 if !store.has_state()? && store.has_integrity() => store.rewrite(false)?,
            1 | 2 if !store.has_state()? => return Err(store.log.damage(UNSOUND.to_owned())),
            CHECKSUMS..FORMAT => store.log.execute(&format!("PRAGMA user_version = {FORMAT}"))?,
            FORMAT => {}
            _ => return Err(store.log.damage(MIXED.to_owned())),
        }
        store.check_schema()?;
        store.check_tail(tail)?;
        let unclean = store.log.number("SELECT open FROM state")? != 0;
        if store.examine(unclean)? == Condition::IndexesDamaged {
            store.rewrite(true)?;
            store.rebuilt = true;
        }
        if store.log.number("SELECT events FROM state")? == 0 {
            refuse_lost(folder, "what was in tournament.db")?;
        }
        // What is added from now on goes to a file beside the log first. That the log is open is in the log itself before
        // anything that matters is only there.
        store.log.execute("PRAGMA journal_mode = WAL")?;
        store.log.execute("UPDATE state SET open = 1")?;
        store.log.execute("PRAGMA wal_checkpoint(PASSIVE)")?;
        // From here on it is closed when it goes; a log that was refused stays as it is.
        store.lock = Some(lock);
        Ok(store)
    }

    /// Opens a folder in which there is a tournament.
    pub fn open_existing(folder: &Path) -> Result<Store, StoreError> {
        must_hold_log(folder)?;
        Store::open(folder)
    }

    /// Opens a folder to write to its log while another process may play: for a ladder, whose log is how others speak
    /// to it.
    pub fn beside(folder: &Path) -> Result<Store, StoreError> {
        match Store::open_existing(folder) {
            Err(StoreError::InUse(_)) => Store::new(folder, Access::Write),
            opened => opened,
        }
    }

    /// Opens a folder to read only, whoever else has it.
    pub fn look(folder: &Path) -> Result<Store, StoreError> {
        must_hold_log(folder)?;
        let tail = has_tail(folder);
        let mut store = Store::new(folder, Access::Read)?;
        store.checked = match store.version()? {
            0 if store.is_empty()? => return Err(StoreError::Nothing(folder.to_owned())),
            0..CHECKSUMS if store.has_state()? => return Err(store.log.damage(MIXED.to_owned())),
            version => version >= CHECKSUMS,
        };
        if store.checked {
            store.check_schema()?;
            store.check_tail(tail)?;
        }
        Ok(store)
    }

    fn new(folder: &Path, access: Access) -> Result<Store, StoreError> {
        let path = log_in(folder);
        let log = match access {
            Access::Write => Database::open(&path, access)?,
            _ => Database::look(&path)?,
        };
        Ok(Store {
            folder: folder.to_owned(),
            log,
            lock: None,
            checked: true,
            indexed: true,
            examined: false,
            rebuilt: false,
        })
    }

    /// Puts its rows into a new file.
    fn rewrite(&mut self, checked: bool) -> Result<(), StoreError> {
        rewrite(&self.folder, &mut self.log, checked)?;
        self.log = Database::open(&log_in(&self.folder), Access::Write)?;
        Ok(())
    }

    /// Takes away a log in which nothing is, and its folder if nothing else is there.
    pub fn discard(mut self) {
        // Given back when this function ends, after everything else.
        let _lock = self.lock.take();
        let folder = self.folder.clone();
        // What cannot be taken away stays; there is nothing in it.
        let _ = self.log.settle();
        drop(self);
        for file in [LOG, LOCK] {
            let _ = fs::remove_file(folder.join(file));
        }
        let _ = fs::remove_dir(&folder);
    }

    /// A log of a later program is refused, never misread; a new one has no version yet.
    fn version(&mut self) -> Result<i64, StoreError> {
        match self.log.number("PRAGMA user_version")? {
            version @ 0..=FORMAT => Ok(version),
            found => Err(StoreError::Newer { path: log_in(&self.folder), found }),
        }
    }

    fn is_empty(&mut self) -> Result<bool, StoreError> {
        Ok(self.log.number("SELECT count(*) FROM sqlite_schema")? == 0)
    }

    fn has_state(&mut self) -> Result<bool, StoreError> {
        Ok(self.log.number("SELECT count(*) FROM sqlite_schema WHERE name = 'state'")? > 0)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether what finds rows was damaged, and was made again from the rows.
    pub fn was_rebuilt(&self) -> bool {
        self.rebuilt
    }

    /// Stores events, all or none of them, durably.
    pub fn append(&mut self, events: &[Event]) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
        let lines: Vec<Line> = events.iter().map(|event| Line::new(now, event)).collect();
        self.log.append(&lines)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // One file is left. Where that is not possible, the next one to open it looks more closely.
            let _ = self.log.execute("UPDATE state SET open = 0");
            let _ = self.log.settle();
        }
    }
}

fn must_hold_log(folder: &Path) -> Result<(), StoreError> {
    if has_log(folder) {
        return Ok(());
    }
    refuse_lost(folder, LOG)?;
    Err(StoreError::Nothing(folder.to_owned()))
}

/// Holds the folder until the file is closed.
fn take(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let failed = |error: io::Error| FileError::Write { path: path.clone(), why: error.to_string() };
    let lock = File::create(&path).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(error).into()),
    }
}

impl Log for Store {
    fn name(&self) -> String {
        self.folder.display().to_string()
    }

    fn last_match(&mut self) -> Result<u32, StoreError> {
        let from = self.table();
        let last = self.log.number(&format!(
            "SELECT coalesce(max(match), 0) FROM {from} WHERE match IS NOT NULL AND {RESULT}"
        ))?;
        u32::try_from(last).map_err(|_| self.log.damage(format!("it has a match {last}")))
    }

    fn course(&mut self) -> Result<Vec<(i64, Event)>, StoreError> {
        // Whoever reads it computes from all of it; everybody else reads single rows, which have checksums.
        if self.lock.is_none() && !self.examined {
            self.examined = true;
            if self.checked {
                self.indexed = self.examine(false)? == Condition::Sound;
            } else if !self.has_integrity() {
                return Err(self.log.damage(UNSOUND.to_owned()));
            }
        }
        let mut events = Vec::new();
        self.read(COURSE, 0, |id, event| events.push((id, event)))?;
        Ok(events)
    }

    fn results(&mut self, first: u32, last: u32) -> Result<Vec<(i64, Event)>, StoreError> {
        let which = format!("match BETWEEN ?1 AND ?2 AND {RESULT} ORDER BY match, id");
        self.entries(&which, &[first.into(), last.into()])
    }

    fn outcomes(&mut self, first: u32, last: u32) -> Result<Vec<Outcome>, StoreError> {
        // As one text: handing over each row by itself costs more than reading it. They are put together in the order in
        // which they are selected.
        let sum = if self.checked { "coalesce(brief_sum, 0)" } else { "'null'" };
        let sql = format!(
            "SELECT '[' || group_concat('[' || id || ',' || coalesce(match, 'null') || ',\"' || coalesce(kind, '') || '\",'
                 || coalesce(brief, 'null') || ',' || sum || ']', ',') || ']'
             FROM (SELECT id, match, kind, {BRIEF} AS brief, {sum} AS sum FROM {from}
                 WHERE match BETWEEN ?1 AND ?2 AND {RESULT} ORDER BY match, id)",
            from = self.table()
        );
        let text = self.log.text(sql, &[first.into(), last.into()])?;
        Ok(text.map(|text| self.parse(&text)).transpose()?.unwrap_or_default())
    }
}

/// Reads a tournament's log.
impl Store {
    /// Everything in the log behind this row, in order, but for matches that were begun.
    pub fn since(&mut self, id: i64, each: impl FnMut(i64, Event)) -> Result<(), StoreError> {
        self.read("kind <> 'started'", id, each)
    }

    /// The replay of a match as it was last played; `None` if the log has none.
    pub fn replay(&mut self, number: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let last = self.results(number, number)?.into_iter().rev().find_map(|(_, event)| match event {
            Event::Finished(finished) => finished.replay,
            _ => None,
        });
        Ok(last.map(|stored| bundle::read(&self.folder, &stored)).transpose()?)
    }

    /// The table of events, found by what can be relied on.
    fn table(&self) -> &'static str {
        if self.indexed { "events" } else { "events NOT INDEXED" }
    }

    fn read(
        &mut self,
        which: &str,
        mut after: i64,
        mut each: impl FnMut(i64, Event),
    ) -> Result<(), StoreError> {
        loop {
            let which = format!("id > ?1 AND ({which}) ORDER BY id LIMIT ?2");
            let entries = self.entries(&which, &[after, limits::ROWS_READ.into()])?;
            let Some((last, _)) = entries.last() else {
                return Ok(());
            };
            after = *last;
            entries.into_iter().for_each(|(id, event)| each(id, event));
        }
    }

    /// Whole events, as one text for the same reason.
    fn entries(&mut self, which: &str, bound: &[i64]) -> Result<Vec<(i64, Event)>, StoreError> {
        let sum = if self.checked { "sum" } else { "NULL AS sum" };
        let sql = format!(
            "SELECT '[' || group_concat(json_array(id, at, kind, match, body, sum), ',') || ']'
             FROM (SELECT id, at, kind, match, body, {sum} FROM {from} WHERE {which})",
            from = self.table()
        );
        let Some(text) = self.log.text(sql, bound)? else {
            return Ok(Vec::new());
        };
        let rows: Vec<WholeRow> = self.parse(&text)?;
        let mut entries = Vec::with_capacity(rows.len());
        for (id, at, kind, number, body, sum) in rows {
            let line = Line { at, kind, number, body };
            if self.checked && sum != Some(line.sum(id)) {
                return Err(self.log.damage(format!("row {id} is not as it was written")));
            }
            let event = serde_json::from_str(&line.body)
                .map_err(|error| self.log.damage(format!("the event in row {id} cannot be read: {error}")))?;
            entries.push((id, event));
        }
        Ok(entries)
    }

    fn parse<T: DeserializeOwned>(&self, text: &str) -> Result<Vec<T>, StoreError> {
        serde_json::from_str(text)
            .map_err(|error| self.log.damage(format!("a row in it cannot be read: {error}")))
    }
}

/// Id, time, kind, match, event and checksum.
type WholeRow = (i64, i64, String, Option<u32>, String, Option<i64>);

/// What [`BRIEF`] holds.
type Brief = (
    Option<Vec<BotNumber>>,
    Option<Vec<u32>>,
    Option<Vec<(u64, u64)>>,
    Option<Vec<LoggedFault>>,
    Option<String>,
);

/// `[id, match, kind, brief, checksum]`; rows of old logs have no checksum.
impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let (id, number, kind, brief, sum): (i64, u32, &str, Brief, Option<i64>) =
            Deserialize::deserialize(deserializer)?;
        let end = match (kind, brief) {
            ("tainted", _) => End::Tainted,
            ("failed", (.., why)) => End::Failed(why.unwrap_or_default()),
            (_, (Some(players), Some(places), Some(scores), faults, _))
                if players.len() == places.len() && places.len() == scores.len() =>
            {
                End::Played(Counted::new(number, &players, &places, &scores, faults.unwrap_or_default()))
            }
            _ => return Err(de::Error::custom(format!("match {number} has no result for every player"))),
        };
        let outcome = Outcome { id, number, end };
        match sum.is_some_and(|sum| sum != brief_sum(&outcome)) {
            true => Err(de::Error::custom(format!("the result in row {id} is not as it was written"))),
            false => Ok(outcome),
        }
    }
}

/// Whether a tournament lives in this folder, or has left replays there.
pub fn holds_log(folder: &Path) -> bool {
    folder.join(LOG).is_file() || bundle::any(folder)
}

#[cfg(test)]
mod tests;
