//! Where a tournament lives: a folder with the log of its events in SQLite, and the replays beside it.
//!
//! Results are stored together every moment: the replays first, then one transaction with the events that
//! name them. Whatever happens to this process, every event in the log is whole and every replay it names is there.

use crate::bundle;
use crate::event::{Counted, Event, LoggedFault};
use crate::limits;
use crate::log::{End, Log, Outcome};
use crate::pairing::Player;
use palestra_runner::FileError;
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// The version of the log. It goes up when a reader of the former version could not read a new log, or would take it for
/// something else.
pub const FORMAT: i64 = 2;

/// The log's file in a tournament's folder.
pub const LOG: &str = "tournament.db";
const LOCK: &str = "tournament.lock";
/// Which events are not about how a match went.
const COURSE: &str = "kind NOT IN ('started', 'finished', 'tainted', 'failed')";
/// Which events are.
const RESULT: &str = "kind IN ('finished', 'tainted', 'failed')";
/// What counts of a result. An index holds it, so that whoever computes standings reads nothing else.
const BRIEF: &str =
    "json_array(body -> 'players', body -> 'places', body -> 'scores', body -> 'faults', body -> 'why')";

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
    #[error("the log {} has version {found}, and this palestra reads versions up to {FORMAT}; use a newer one", path.display())]
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
    /// A log that is kept elsewhere cannot be read.
    #[error("{0}")]
    Elsewhere(String),
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
        // Of the first version; the next one does more.
        store.execute("DROP INDEX IF EXISTS events_by_match")?;
        store.execute(&format!(
            "CREATE INDEX IF NOT EXISTS events_of_matches ON events (match, id, kind, {BRIEF}) WHERE {RESULT}"
        ))?;
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

impl Log for Store {
    fn name(&self) -> String {
        self.folder.display().to_string()
    }

    fn last_match(&mut self) -> Result<u32, StoreError> {
        let query =
            format!("SELECT coalesce(max(match), 0) FROM events WHERE match IS NOT NULL AND {RESULT}");
        let query = sqlx::query(sqlx::AssertSqlSafe(query));
        let row =
            self.runtime.block_on(query.fetch_one(&mut self.log)).map_err(|error| self.failed(&error))?;
        Ok(row.get::<i64, _>(0) as u32)
    }

    fn course(&mut self) -> Result<Vec<(i64, Event)>, StoreError> {
        let mut events = Vec::new();
        self.read(COURSE, 0, |id, event| events.push((id, event)))?;
        Ok(events)
    }

    fn results(&mut self, first: u32, last: u32) -> Result<Vec<(i64, Event)>, StoreError> {
        let rows: Vec<Entry> = self.rows_about(first, last, "body")?;
        Ok(rows.into_iter().map(|Entry { id, event }| (id, event)).collect())
    }

    fn outcomes(&mut self, first: u32, last: u32) -> Result<Vec<Outcome>, StoreError> {
        self.rows_about(first, last, BRIEF)
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

    fn read(
        &mut self,
        which: &'static str,
        mut after: i64,
        mut each: impl FnMut(i64, Event),
    ) -> Result<(), StoreError> {
        loop {
            let rows = rows("body", &format!("id > ?1 AND ({which}) ORDER BY id LIMIT ?2"));
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

    fn rows_about<T: DeserializeOwned>(
        &mut self,
        first: u32,
        last: u32,
        what: &str,
    ) -> Result<Vec<T>, StoreError> {
        let which = format!("match BETWEEN ?1 AND ?2 AND {RESULT} ORDER BY match, id");
        let query = sqlx::query(sqlx::AssertSqlSafe(rows(what, &which))).bind(first).bind(last);
        let text =
            self.runtime.block_on(query.fetch_one(&mut self.log)).map_err(|error| self.failed(&error))?;
        Ok(self.parse(text.get(0))?.unwrap_or_default())
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
fn rows(what: &str, which: &str) -> String {
    format!(
        "SELECT '[' || group_concat('[' || id || ',' || coalesce(match, 0) || ',\"' || kind || '\",' || what || ']', ',')
             || ']'
         FROM (SELECT id, match, kind, {what} AS what FROM events WHERE {which})"
    )
}

/// One row of the log: `[id, match, kind, event]`.
struct Entry {
    id: i64,
    event: Event,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry, D::Error> {
        let (id, _, _, event): (i64, u32, &str, Event) = Deserialize::deserialize(deserializer)?;
        Ok(Entry { id, event })
    }
}

/// What [`BRIEF`] holds.
type Brief = (
    Option<Vec<Player>>,
    Option<Vec<u32>>,
    Option<Vec<(u64, u64)>>,
    Option<Vec<LoggedFault>>,
    Option<String>,
);

/// `[id, match, kind, brief]`.
impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let (id, number, kind, brief): (i64, u32, &str, Brief) = Deserialize::deserialize(deserializer)?;
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
        Ok(Outcome { id, number, end })
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

#[cfg(test)]
mod tests {
    use super::Store;
    use crate::bundle::fingerprint;
    use crate::event::{Event, Finished, LoggedFault, StoredReplay};
    use crate::log::{Log, Outcome};
    use crate::pairing::Player;
    use std::fs;
    use std::path::Path;

    const REPLAY: &[u8] = b"a replay with a file of its own";
    const REPLAY_PATH: &str = "replays/0/1.replay";

    fn finished(number: u32, faults: Vec<LoggedFault>) -> Finished {
        Finished {
            number,
            players: vec![Player(4), Player(0), Player(7)],
            map: 0,
            seed: 1,
            places: vec![1, 3, 1],
            scores: vec![(1, 2), (0, 1), (u64::MAX, 3)],
            turns: 1,
            millis: 1,
            spent: vec![(1, None); 3],
            memory: Vec::new(),
            faults,
            replay: None,
            tainted: false,
        }
    }

    fn events() -> Vec<Event> {
        let replay = StoredReplay {
            path: REPLAY_PATH.to_owned(),
            at: None,
            bytes: REPLAY.len() as u64,
            sha256: fingerprint(REPLAY),
        };
        let text = "it said \"\\ \u{1f980}\", and left".to_owned();
        let fault = LoggedFault { seat: 1, turn: 9, kind: "malformed".to_owned(), text: text.clone() };
        vec![
            Event::Tainted(finished(1, vec![fault.clone()])),
            Event::Finished(Finished { replay: Some(replay), ..finished(1, vec![fault]) }),
            Event::Started { number: 3, players: vec![Player(0)], worker: "local".to_owned() },
            Event::Failed { number: 2, players: vec![Player(0), Player(4)], why: text },
            Event::Finished(finished(2, Vec::new())),
        ]
    }

    /// What the log has, read both ways.
    fn check(mut store: Store) {
        let results = store.results(0, u32::MAX).unwrap();
        let expected: Vec<Outcome> =
            results.iter().filter_map(|(id, event)| Outcome::of(*id, event)).collect();
        assert_eq!(expected.len(), 4);
        assert_eq!(store.outcomes(0, u32::MAX).unwrap(), expected);
        assert_eq!(store.outcomes(2, 2).unwrap(), expected[2..]);
        assert_eq!(store.last_match().unwrap(), 2);
        assert_eq!(store.replay(1).unwrap().as_deref(), Some(REPLAY));
        assert_eq!(store.replay(2).unwrap(), None);
    }

    fn filled(folder: &Path) -> Store {
        fs::create_dir_all(folder.join("replays/0")).unwrap();
        fs::write(folder.join(REPLAY_PATH), REPLAY).unwrap();
        let mut store = Store::open(folder).unwrap();
        store.append(&events()).unwrap();
        store
    }

    #[test]
    fn what_counts_is_the_same_whichever_way_it_is_read() {
        check(filled(tempfile::tempdir().unwrap().path()));
    }

    #[test]
    fn a_log_of_the_first_version_is_read_and_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = filled(folder.path());
        store.execute("DROP INDEX events_of_matches").unwrap();
        store.execute("CREATE INDEX events_by_match ON events (match) WHERE match IS NOT NULL").unwrap();
        store.execute("PRAGMA user_version = 1").unwrap();
        drop(store);
        check(Store::look(folder.path()).unwrap());
        check(Store::open(folder.path()).unwrap());
    }
}
