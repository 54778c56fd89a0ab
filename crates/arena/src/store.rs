//! Where an event lives: SQLite in its folder, or a Postgres server. One text of SQL speaks to both.

mod accounts;
mod backup;
mod bots;
mod challenges;
mod course;
mod files;
mod follows;
mod keys;
mod meetings;
mod migrations;
pub(crate) mod names;
mod own_matches;
mod pages;
mod people;
mod record;
mod suspects;
mod versions;
mod words;

pub(crate) use accounts::check_password;
pub use accounts::{Account, AccountError, NewAccount};
pub use bots::BotRow;
pub use challenges::ChallengeRow;
pub(crate) use course::{CourseRow, QueueFull};
pub(crate) use files::make_folder;
pub use files::write_private;
pub use keys::KeyKind;
pub(crate) use keys::Token;
pub(crate) use meetings::VersionMeeting;
pub(crate) use own_matches::OwnFilter;
pub use pages::LogEntry;
pub(crate) use pages::{Announcement, MatchFilter, Opponent, Rating};
pub(crate) use record::StoredMatch;
pub use record::{Changes, MatchRow, RatedMatch, RoundRow, SeatRow};
pub(crate) use suspects::Suspect;
pub use versions::{Version, VersionError};
pub(crate) use words::Word;

use crate::limits;
use crate::seeds::Seeds;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use sqlx::any::{AnyArguments, AnyPoolOptions};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, Executor as _, Row as _, SqlSafeStr};
use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// The database's file in an event's folder.
pub const DATABASE: &str = "arena.db";
const LOCK: &str = "arena.lock";
/// What arenas agree to reserve in a Postgres database: "palestra" as a number.
const RESERVATION: i64 = 0x7061_6c65_7374_7261;
const SECRET: &str = "secret.key";

/// Why the store says no.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another arena has it.
    #[error("{} is in use by another palestra serve; stop it first", .0.display())]
    InUse(PathBuf),
    /// Another arena has the database.
    #[error("the database is in use by another palestra serve; stop it first")]
    Reserved,
    /// The database says no.
    #[error("the database says: {0}")]
    Database(#[from] sqlx::Error),
    /// Written by a later program.
    #[error("the database has version {found}, and this palestra knows {known}; use a newer one")]
    Newer {
        /// The database's version.
        found: i64,
        /// What this program knows.
        known: i64,
    },
    /// A migration was changed after it was made, or did not finish.
    #[error(
        "migration {step} of the database is not the one of this palestra, or did not finish; restore a backup"
    )]
    Unclean {
        /// Which migration.
        step: i64,
    },
    /// A file says no.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// Bots would be shown the event.
    #[error(
        "{} lies in {}, which every bot is shown; write another folder into the plan", folder.display(), by.display()
    )]
    Exposed {
        /// The event's folder.
        folder: PathBuf,
        /// What is shown.
        by: PathBuf,
    },
    /// Something in it is not what this program wrote.
    #[error("the database holds something that cannot be read: {0}")]
    Damaged(String),
}

/// The store of one event; cheap to copy.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: AnyPool,
    inner: Arc<Inner>,
    /// Never asked again; the database lets others in when it is closed.
    reservation: Option<Arc<Mutex<AnyConnection>>>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    postgres: bool,
    /// Fingerprints of passwords and the seeds of matches are made with it: without this file, a stolen database tells none.
    secret: [u8; 32],
    /// Names that no player may have.
    reserved: OnceLock<Vec<String>>,
    /// Given back when this process ends, however it ends; programs that only look in have none.
    _lock: Option<File>,
}

impl Store {
    /// Opens the store of the event in this folder, and makes it if it is not there. `database` is the address of a
    /// Postgres server; SQLite in the folder otherwise.
    pub async fn open(folder: &Path, database: Option<&str>) -> Result<Store, StoreError> {
        files::open_folder(folder)?;
        let lock = lock(folder)?;
        let mut store = Store::connect(folder, database, Some(lock)).await?;
        if store.is_postgres() {
            store.reserve().await?;
        }
        store.migrate().await?;
        store.note_all_looks().await?;
        Ok(store)
    }

    /// Keeps other arenas away from a database that several machines can reach, for as long as this one is connected.
    async fn reserve(&mut self) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?.detach();
        let query = sqlx::query_as("SELECT CASE WHEN pg_try_advisory_lock($1) THEN 1 ELSE 0 END::BIGINT");
        let (free,): (i64,) = query.bind(RESERVATION).fetch_one(&mut connection).await?;
        if free == 0 {
            return Err(StoreError::Reserved);
        }
        self.reservation = Some(Arc::new(Mutex::new(connection)));
        Ok(())
    }

    /// Opens a store beside an arena that may be running.
    pub async fn beside(folder: &Path, database: Option<&str>) -> Result<Store, StoreError> {
        files::open_folder(folder)?;
        let store = Store::connect(folder, database, None).await?;
        store.migrate().await?;
        store.note_all_looks().await?;
        Ok(store)
    }

    async fn connect(folder: &Path, database: Option<&str>, lock: Option<File>) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let postgres = database.is_some();
        let address = match database {
            Some(address) => address.to_owned(),
            None => {
                // SQLite gives the files beside it the same mode.
                let file = folder.join(DATABASE);
                files::open(&file).map_err(file_error(&file))?;
                sqlite_address(&folder.canonicalize().map_err(file_error(folder))?)
            }
        };
        let pool = AnyPoolOptions::new()
            .max_connections(limits::CONNECTIONS)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if !postgres {
                        connection.execute(migrations::SQLITE_SETTINGS).await?;
                    }
                    Ok(())
                })
            })
            .connect(&address)
            .await?;
        let (folder, secret) = (folder.to_owned(), secret(folder)?);
        let inner = Inner { folder, postgres, secret, reserved: OnceLock::new(), _lock: lock };
        Ok(Store { pool, inner: Arc::new(inner), reservation: None })
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// Whether it is a Postgres server.
    pub(crate) fn is_postgres(&self) -> bool {
        self.inner.postgres
    }

    /// A fingerprint that only this event can make, to find secrets by.
    pub(crate) fn keyed_fingerprint(&self, text: &str) -> String {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.inner.secret).expect("keys of any length are taken");
        mac.update(text.as_bytes());
        hexadecimal(&mac.finalize().into_bytes())
    }

    /// The seeds of the event whose plan has this number for them.
    pub(crate) fn seeds(&self, plan: u64) -> Seeds {
        Seeds::new(self.inner.secret, plan)
    }

    /// A setting that the event remembers.
    pub(crate) async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT value FROM settings WHERE name = $1").bind(name);
        Ok(row.fetch_optional(&self.pool).await?.map(|row| row.get(0)))
    }
}

/// A statement in which fractions may be missing. sqlx tells Postgres that a missing one is of single precision, and a
/// statement that is kept would read the next one so.
fn uncached(text: impl SqlSafeStr) -> Query<'static, Any, AnyArguments> {
    sqlx::query(text).persistent(false)
}

/// Addresses give some letters a meaning that they do not have in paths.
fn sqlite_address(folder: &Path) -> String {
    let path = folder.join(DATABASE).display().to_string();
    let path = path.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    format!("sqlite://{path}?mode=rwc")
}

/// Now, in milliseconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// The fingerprint of something, in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Letters and digits that are not taken for each other.
const SECRET_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A secret that cannot be guessed.
pub(crate) fn new_secret(length: usize) -> String {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| char::from(SECRET_LETTERS[usize::from(byte % 32)])).collect()
}

/// Whether this could be a secret that was made.
fn is_secret(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|letter| SECRET_LETTERS.contains(&letter))
}

fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError + '_ {
    |error| StoreError::File { path: path.to_owned(), why: error.to_string() }
}

fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let lock = files::open(&path).map_err(file_error(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(file_error(&path)(error)),
    }
}

/// The event's own secret; made with the event, readable by its owner only.
fn secret(folder: &Path) -> Result<[u8; 32], StoreError> {
    let path = folder.join(SECRET);
    let mut secret = [0; 32];
    match File::open(&path) {
        Ok(mut file) => file.read_exact(&mut secret).map_err(file_error(&path))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            getrandom::fill(&mut secret).expect("the system gives random bytes");
            write_private(&path, &secret).map_err(file_error(&path))?;
        }
        Err(error) => return Err(file_error(&path)(error)),
    }
    Ok(secret)
}
