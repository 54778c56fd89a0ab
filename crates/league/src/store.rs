//! Where a tournament lives: a folder with the log of its events in SQLite, and the replays beside it.
//!
//! Results are stored together every moment: the replays' files first, then one transaction with the events that
//! name them. Whatever happens to this process, every event in the log is whole and every replay it names is there.

use crate::event::{Counted, Event, StoredReplay};
use crate::limits;
use palestra_runner::FileError;
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, IgnoredAny, SeqAccess, Visitor};
use sha2::{Digest as _, Sha256};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use std::fmt::{self, Write as _};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// The version of the log. It goes up when a reader of the former version could not read a new log, or would take it for
/// something else.
pub const FORMAT: i64 = 1;

/// The log's file in a tournament's folder.
pub const LOG: &str = "tournament.db";
const LOCK: &str = "tournament.lock";
/// Which events are not about how a match went.
const COURSE: &str = "kind NOT IN ('started', 'finished', 'tainted', 'failed')";
/// Replays in one folder: few enough to list.
const REPLAYS_PER_FOLDER: u32 = 1000;

/// Why a tournament's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else is at it.
    #[error("{} is in use by another palestra; stop it first, or wait until it is done", .0.display())]
    InUse(PathBuf),
    /// Nothing is there.
    #[error("there is no tournament in {}; start one with palestra tournament", .0.display())]
    Nothing(PathBuf),
    /// Written by a later program.
    #[error("the log {} has version {found}, and this palestra reads version {FORMAT}; use a newer one", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
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
}

/// A tournament's folder, held by this process alone.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    runtime: Runtime,
    log: SqliteConnection,
    /// Given back when this is closed, however this process ends; readers have none.
    _lock: Option<File>,
}

impl Store {
    /// Opens the folder, and makes it if it is not there. Refused while another process has it.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let failed = |path: &Path, error: &io::Error| FileError::Write {
            path: path.to_owned(),
            why: error.to_string(),
        };
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let path = folder.join(LOCK);
        let lock = File::create(&path).map_err(|error| failed(&path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(&path, &error).into()),
        }
        let (runtime, log) = connect(folder, false)?;
        let mut store = Store { folder: folder.to_owned(), runtime, log, _lock: Some(lock) };
        store.check_version()?;
        store.execute(&format!("PRAGMA user_version = {FORMAT}"))?;
        store.execute(
            "CREATE TABLE IF NOT EXISTS events (
                 id INTEGER PRIMARY KEY,
                 at INTEGER NOT NULL,
                 kind TEXT NOT NULL,
                 match INTEGER,
                 body TEXT NOT NULL
             ) STRICT",
        )?;
        store.execute(
            "CREATE INDEX IF NOT EXISTS events_by_match ON events (match) WHERE match IS NOT NULL",
        )?;
        store
            .execute(&format!("CREATE INDEX IF NOT EXISTS events_of_course ON events (id) WHERE {COURSE}"))?;
        Ok(store)
    }

    /// Opens a folder in which there is a tournament.
    pub fn open_existing(folder: &Path) -> Result<Store, StoreError> {
        if !holds_log(folder) {
            return Err(StoreError::Nothing(folder.to_owned()));
        }
        Store::open(folder)
    }

    /// Opens a folder to write to its log while another process may play: for a ladder, whose log is how others speak
    /// to it.
    pub fn beside(folder: &Path) -> Result<Store, StoreError> {
        if !holds_log(folder) {
            return Err(StoreError::Nothing(folder.to_owned()));
        }
        Store::unlocked(folder, false)
    }

    /// Opens a folder to read only, whoever else has it.
    pub fn look(folder: &Path) -> Result<Store, StoreError> {
        if !holds_log(folder) {
            return Err(StoreError::Nothing(folder.to_owned()));
        }
        Store::unlocked(folder, true)
    }

    /// Takes away a log in which nothing is, and its folder if nothing else is there.
    pub fn discard(self) {
        let Store { folder, runtime, log, _lock } = self;
        // What cannot be taken away stays; there is nothing in it.
        let _ = runtime.block_on(log.close());
        for file in [LOG, LOCK] {
            let _ = fs::remove_file(folder.join(file));
        }
        let _ = fs::remove_dir(&folder);
    }

    fn unlocked(folder: &Path, read_only: bool) -> Result<Store, StoreError> {
        let (runtime, log) = connect(folder, read_only)?;
        let mut store = Store { folder: folder.to_owned(), runtime, log, _lock: None };
        store.check_version()?;
        Ok(store)
    }

    /// A log of a later program is refused, never misread; a new one has no version yet.
    fn check_version(&mut self) -> Result<(), StoreError> {
        let query = sqlx::query("PRAGMA user_version");
        let row =
            self.runtime.block_on(query.fetch_one(&mut self.log)).map_err(|error| self.failed(&error))?;
        match row.get::<i64, _>(0) {
            0..=FORMAT => Ok(()),
            found => Err(StoreError::Newer { path: self.folder.join(LOG), found }),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stores events, all or none of them, durably.
    pub fn append(&mut self, events: &[Event]) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
        let bodies = serde_json::to_string(events).expect("events are plain data");
        let query = sqlx::query(
            "INSERT INTO events (at, kind, match, body)
             SELECT ?1, json_extract(value, '$.kind'), json_extract(value, '$.match'), value
             FROM json_each(?2) ORDER BY key",
        )
        .bind(now)
        .bind(bodies);
        let done = self.runtime.block_on(query.execute(&mut self.log));
        done.map(drop).map_err(|error| self.failed(&error))
    }

    fn execute(&mut self, statement: &str) -> Result<(), StoreError> {
        let statement = sqlx::query(sqlx::AssertSqlSafe(statement.to_owned()));
        let done = self.runtime.block_on(statement.execute(&mut self.log));
        done.map(drop).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &sqlx::Error) -> StoreError {
        log_error(&self.folder, error)
    }
}

/// Reads a tournament's log.
impl Store {
    /// Events that are not about one match, and the organiser's words about matches: few, and in order.
    pub fn course(&mut self) -> Result<Vec<(i64, Event)>, StoreError> {
        let mut events = Vec::new();
        self.read(COURSE, 0, |id, event| events.push((id, event)))?;
        Ok(events)
    }

    /// Everything in the log behind this row, in order, but for matches that were begun.
    pub fn since(&mut self, id: i64, each: impl FnMut(i64, Event)) -> Result<(), StoreError> {
        self.read("kind <> 'started'", id, each)
    }

    fn read(
        &mut self,
        which: &'static str,
        mut after: i64,
        mut each: impl FnMut(i64, Event),
    ) -> Result<(), StoreError> {
        loop {
            let rows = rows(&format!("id > ?1 AND ({which}) ORDER BY id LIMIT ?2"));
            let query = sqlx::query(sqlx::AssertSqlSafe(rows)).bind(after).bind(i64::from(limits::ROWS_READ));
            let text =
                self.runtime.block_on(query.fetch_one(&mut self.log)).map_err(|error| self.failed(&error))?;
            let Some(rows) = self.parse::<Entry>(text.get(0))? else {
                return Ok(());
            };
            for Entry { id, event } in rows {
                after = id;
                each(id, event);
            }
        }
    }

    /// What became of the matches with numbers from `first` to `last`, in order of number, then of time.
    pub fn results(&mut self, first: u32, last: u32) -> Result<Vec<(i64, Event)>, StoreError> {
        let rows: Vec<Entry> = self.rows_about(first, last)?;
        Ok(rows.into_iter().map(|Entry { id, event }| (id, event)).collect())
    }

    /// The same, but only what counts.
    pub(crate) fn outcomes(&mut self, first: u32, last: u32) -> Result<Vec<Row>, StoreError> {
        self.rows_about(first, last)
    }

    fn rows_about<T: DeserializeOwned>(&mut self, first: u32, last: u32) -> Result<Vec<T>, StoreError> {
        let which =
            "match BETWEEN ?1 AND ?2 AND kind IN ('finished', 'tainted', 'failed') ORDER BY match, id";
        let query = sqlx::query(sqlx::AssertSqlSafe(rows(which))).bind(first).bind(last);
        let text =
            self.runtime.block_on(query.fetch_one(&mut self.log)).map_err(|error| self.failed(&error))?;
        Ok(self.parse(text.get(0))?.unwrap_or_default())
    }

    /// The highest number of a match in the log.
    pub fn last_match(&mut self) -> Result<u32, StoreError> {
        let query = sqlx::query("SELECT coalesce(max(match), 0) FROM events WHERE match IS NOT NULL");
        let row =
            self.runtime.block_on(query.fetch_one(&mut self.log)).map_err(|error| self.failed(&error))?;
        Ok(row.get::<i64, _>(0) as u32)
    }

    fn parse<T: DeserializeOwned>(&self, text: Option<&str>) -> Result<Option<Vec<T>>, StoreError> {
        let Some(text) = text else {
            return Ok(None);
        };
        serde_json::from_str(text).map(Some).map_err(|error| StoreError::Log {
            path: self.folder.join(LOG),
            why: format!("an event in it cannot be read: {error}"),
        })
    }
}

/// Rows of the log as one JSON text: handing over each by itself costs more than reading it. They are put together in the
/// order in which they are selected.
fn rows(which: &str) -> String {
    format!(
        "SELECT '[' || group_concat('[' || id || ',\"' || kind || '\",' || body || ']', ',') || ']'
         FROM (SELECT id, kind, body FROM events WHERE {which})"
    )
}

/// One row of the log: `[id, kind, event]`.
struct Entry {
    id: i64,
    event: Event,
}

/// One row of the log about how a match went.
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) number: u32,
    pub(crate) outcome: Outcome,
}

/// How a match went.
pub(crate) enum Outcome {
    Finished(Box<Counted>),
    Tainted,
    Failed(String),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry, D::Error> {
        let (id, _, event): (i64, IgnoredAny, Event) = Deserialize::deserialize(deserializer)?;
        Ok(Entry { id, event })
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
        struct Parts;
        impl<'de> Visitor<'de> for Parts {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row of the log: its number, the kind of event, and the event")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<Row, A::Error> {
                #[derive(Deserialize)]
                struct Rest {
                    #[serde(rename = "match")]
                    number: u32,
                    #[serde(default)]
                    why: String,
                }
                let missing = || de::Error::custom("a row of the log is cut off");
                let id = row.next_element()?.ok_or_else(missing)?;
                // The kind says what to expect, so that nothing is read twice.
                let kind: &str = row.next_element()?.ok_or_else(missing)?;
                if kind == "finished" {
                    let counted: Box<Counted> = row.next_element()?.ok_or_else(missing)?;
                    return Ok(Row { id, number: counted.number, outcome: Outcome::Finished(counted) });
                }
                let Rest { number, why } = row.next_element()?.ok_or_else(missing)?;
                let outcome = if kind == "tainted" { Outcome::Tainted } else { Outcome::Failed(why) };
                Ok(Row { id, number, outcome })
            }
        }
        deserializer.deserialize_seq(Parts)
    }
}

/// Whether a tournament lives in this folder.
pub fn holds_log(folder: &Path) -> bool {
    folder.join(LOG).is_file()
}

fn connect(folder: &Path, read_only: bool) -> Result<(Runtime, SqliteConnection), StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(folder.join(LOG))
        .create_if_missing(!read_only)
        .read_only(read_only)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .disable_statement_logging();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(|error| log_error(folder, &sqlx::Error::Io(error)))?;
    let log = runtime
        .block_on(SqliteConnection::connect_with(&options))
        .map_err(|error| log_error(folder, &error))?;
    Ok((runtime, log))
}

fn log_error(folder: &Path, error: &sqlx::Error) -> StoreError {
    StoreError::Log { path: folder.join(LOG), why: error.to_string() }
}

/// Where the replays of a tournament go; workers write them side by side.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// The shelf in a tournament's folder.
    pub fn new(folder: &Path) -> Shelf {
        Shelf { folder: folder.to_owned() }
    }

    /// Writes a replay. `attempt` counts how often the match has been played, from 1, so that nothing that the log
    /// names is ever written again; what a killed process left half-written is.
    ///
    /// The file comes back open: what is in it must be synced before the log may name it.
    pub fn keep(&self, number: u32, attempt: u32, bytes: &[u8]) -> Result<(StoredReplay, File), FileError> {
        let folder = format!("replays/{}", number / REPLAYS_PER_FOLDER);
        let name = if attempt == 1 { format!("{number}") } else { format!("{number}-{attempt}") };
        let path = format!("{folder}/{name}.replay");
        let file = self.folder.join(&path);
        let failed = |error: io::Error| FileError::Write { path: file.clone(), why: error.to_string() };
        let mut created = match File::create(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(self.folder.join(folder)).and_then(|()| File::create(&file))
            }
            created => created,
        }
        .map_err(failed)?;
        created.write_all(bytes).map_err(failed)?;
        let stored = StoredReplay { path, bytes: bytes.len() as u64, sha256: fingerprint(bytes) };
        Ok((stored, created))
    }
}

/// The fingerprint of a file, in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string");
        text
    })
}
