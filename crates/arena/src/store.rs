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
mod reservation;
mod secret;
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
use reservation::{Fence, Reservation};
use sha2::{Digest as _, Sha256};
use sqlx::any::{AnyArguments, AnyPoolOptions};
use sqlx::query::Query;
use sqlx::{Any, AnyPool, Executor as _, Row as _, SqlSafeStr, Transaction};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// The database's file in an event's folder.
pub const DATABASE: &str = "arena.db";
const LOCK: &str = "arena.lock";
const SECRET: &str = "secret.key";
/// The setting that names the event at its queue.
const QUEUE_RUN: &str = "queue_run";

/// Why the store says no.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another arena has it.
    #[error("{} is in use by another palestra serve; stop it first", .0.display())]
    InUse(PathBuf),
    /// Another arena has the database.
    #[error(
        "the database is in use by another palestra serve; stop it first, or wait for its end with --standby"
    )]
    Reserved,
    /// Only a database that several machines can reach can be waited for.
    #[error(
        "a standby needs the event in a Postgres server, which both reach; name it with --database, or in the plan"
    )]
    NothingShared,
    /// The secret in the folder is not that of the database.
    #[error("{} is the secret of another event than the database's; remove it, or name the folder of this event", .0.display())]
    OtherSecret(PathBuf),
    /// The database says no.
    #[error("the database says: {0}")]
    Database(#[source] sqlx::Error),
    /// It shows a certificate that nobody whom we trust vouches for.
    #[error(
        "the database shows a certificate that is not accepted ({0}); name the file with the certificate of its authority in the \
         address, ?sslmode=verify-full&sslrootcert=FILE"
    )]
    Certificate(String),
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
        /// The number of the migration that differs.
        step: i64,
    },
    /// A file says no.
    #[error("{}: {why}", path.display())]
    File {
        /// The file that could not be read or written.
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
        /// The folder that bots are shown.
        by: PathBuf,
    },
    /// Something in it is not what this program wrote.
    #[error("the database holds something that cannot be read: {0}")]
    Damaged(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match palestra_queue::certificate_refused(&error) {
            Some(why) => StoreError::Certificate(why),
            None => StoreError::Database(error),
        }
    }
}

/// The store of one event; cheap to copy.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: AnyPool,
    inner: Arc<Inner>,
    /// Keeps other servers away from a database that several machines reach.
    reservation: Option<Arc<Reservation>>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    postgres: bool,
    /// Fingerprints of passwords and the seeds of matches are made with it.
    secret: [u8; 32],
    /// Names that no player may have.
    reserved: OnceLock<Vec<String>>,
    /// Given back when this process ends, however it ends; programs that only look in have none.
    _lock: Option<File>,
}

/// What becomes of a server that finds the event taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfTaken {
    /// Opening fails at once.
    Refuse,
    /// It waits for the end of the one that has it.
    Wait,
}

impl Store {
    /// Opens the store of the event in this folder, and makes it if it is not there. `database` is the address of a
    /// Postgres server; SQLite in the folder otherwise.
    pub async fn open(folder: &Path, database: Option<&str>) -> Result<Store, StoreError> {
        Store::take(folder, database, IfTaken::Refuse).await
    }

    /// The same, but for what happens if another server has it.
    pub async fn take(folder: &Path, database: Option<&str>, if_taken: IfTaken) -> Result<Store, StoreError> {
        Store::take_with(folder, database, if_taken, None).await
    }

    /// The same for an event whose secret is known.
    async fn take_with(
        folder: &Path,
        database: Option<&str>,
        if_taken: IfTaken,
        secret: Option<[u8; 32]>,
    ) -> Result<Store, StoreError> {
        if if_taken == IfTaken::Wait && database.is_none() {
            return Err(StoreError::NothingShared);
        }
        files::open_folder(folder)?;
        let lock = lock(folder, if_taken).await?;
        let taken = match database {
            Some(address) => Some(reservation::take(address, if_taken).await?),
            None => None,
        };
        let fence = taken.as_ref().map(|taken| taken.fence.clone());
        let pool = connect(folder, database, fence).await?;
        migrations::migrate(&pool, database.is_some()).await?;
        let reservation = match taken {
            Some(taken) => Some(Arc::new(taken.register(pool.clone()).await?)),
            None => None,
        };
        let secret = secret::of_event(&pool, folder, database.is_some(), secret).await?;
        let store = Store::over(pool, folder, database.is_some(), secret, Some(lock), reservation);
        store.note_all_looks().await?;
        Ok(store)
    }

    /// Opens a store beside an arena that may be running.
    pub async fn beside(folder: &Path, database: Option<&str>) -> Result<Store, StoreError> {
        files::open_folder(folder)?;
        let pool = connect(folder, database, None).await?;
        migrations::migrate(&pool, database.is_some()).await?;
        let secret = secret::of_event(&pool, folder, database.is_some(), None).await?;
        let store = Store::over(pool, folder, database.is_some(), secret, None, None);
        store.note_all_looks().await?;
        Ok(store)
    }

    fn over(
        pool: AnyPool,
        folder: &Path,
        postgres: bool,
        secret: [u8; 32],
        lock: Option<File>,
        reservation: Option<Arc<Reservation>>,
    ) -> Store {
        let folder = folder.to_owned();
        let inner = Inner { folder, postgres, secret, reserved: OnceLock::new(), _lock: lock };
        Store { pool, inner: Arc::new(inner), reservation }
    }

    /// Ends when another server has taken the event over: nothing that is done here is stored any more.
    pub async fn lost(&self) {
        match &self.reservation {
            Some(reservation) => reservation.lost().await,
            None => std::future::pending().await,
        }
    }

    /// The event's folder.
    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// Whether it is a Postgres server.
    pub(crate) fn is_postgres(&self) -> bool {
        self.inner.postgres
    }

    /// Begins a transaction that writes. SQLite would refuse one at once that has read and writes after somebody else did,
    /// so that it waits for its turn before it reads.
    pub(crate) async fn begin_write(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        self.pool.begin_with(if self.is_postgres() { "BEGIN" } else { "BEGIN IMMEDIATE" }).await
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

    /// What tells the matches of this event from those of others at the same queue: the same for all its servers.
    pub(crate) async fn queue_run(&self) -> Result<String, StoreError> {
        sqlx::query("INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
            .bind(QUEUE_RUN)
            .bind(palestra_queue::new_run())
            .execute(&self.pool)
            .await?;
        self.setting(QUEUE_RUN).await?.ok_or_else(|| StoreError::Damaged("its run at the queue".to_owned()))
    }

    /// A setting that the event remembers.
    pub(crate) async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        setting(&self.pool, name).await
    }
}

async fn setting(pool: &AnyPool, name: &str) -> Result<Option<String>, StoreError> {
    let row = sqlx::query("SELECT value FROM settings WHERE name = $1").bind(name);
    Ok(row.fetch_optional(pool).await?.map(|row| row.get(0)))
}

async fn connect(folder: &Path, database: Option<&str>, fence: Option<Fence>) -> Result<AnyPool, StoreError> {
    sqlx::any::install_default_drivers();
    let address = match database {
        Some(address) => address.to_owned(),
        None => {
            // SQLite gives the files beside it the same mode.
            let file = folder.join(DATABASE);
            files::open(&file).map_err(file_error(&file))?;
            sqlite_address(&folder.canonicalize().map_err(file_error(folder))?)
        }
    };
    let postgres = database.is_some();
    let options = AnyPoolOptions::new().max_connections(limits::CONNECTIONS);
    let options = options.after_connect(move |connection, _| {
        let fence = fence.clone();
        Box::pin(async move {
            match fence {
                Some(fence) => fence.enter(connection).await,
                None if postgres => Ok(()),
                None => connection.execute(migrations::SQLITE_SETTINGS).await.map(drop),
            }
        })
    });
    Ok(options.connect(&address).await?)
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

/// Of a folder there is one server at a time, whatever keeps the event.
async fn lock(folder: &Path, if_taken: IfTaken) -> Result<File, StoreError> {
    let path = folder.join(LOCK);
    let lock = files::open(&path).map_err(file_error(&path))?;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if if_taken == IfTaken::Wait => {
                tokio::time::sleep(limits::STANDBY_LOOK).await;
            }
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(file_error(&path)(error)),
        }
    }
}
