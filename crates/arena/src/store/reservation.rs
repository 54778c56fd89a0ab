//! Which of several servers has an event that a Postgres server keeps.
//!
//! A lock elects it: the database holds it for one session, and gives it to the next as soon as that one has ended,
//! however its server ended. What a former server could still write is kept out by its name: whoever takes the event over
//! writes its own name into the settings and ends all sessions of others, and a session that is opened later under a name
//! that is not there any more is refused. So it does no harm that a server learns late that it has lost the event.

use super::{IfTaken, StoreError, new_secret};
use crate::limits;
use sqlx::{AnyConnection, AnyPool, Connection as _, Row as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// What arenas agree to reserve in a database: "palestra" as a number.
const LOCK: i64 = 0x7061_6c65_7374_7261;
/// The setting with the name of the server that has the event.
pub(super) const SERVER: &str = "server";
/// What the sessions of servers are called, before their names.
const SESSIONS: &str = "palestra serve ";

/// What every session of a server passes before it is used.
#[derive(Clone, Debug)]
pub(super) struct Fence(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    address: String,
    name: String,
    /// Whether the name is in the settings.
    registered: AtomicBool,
    lost: watch::Sender<bool>,
}

/// The lock, before anybody can read in the database who has it.
pub(super) struct Taken {
    connection: AnyConnection,
    pub(super) fence: Fence,
}

/// An event that this server has.
#[derive(Debug)]
pub(super) struct Reservation {
    fence: Fence,
    watcher: JoinHandle<()>,
}

/// Takes the lock, now or as soon as it is free.
pub(super) async fn take(address: &str, if_taken: IfTaken) -> Result<Taken, StoreError> {
    sqlx::any::install_default_drivers();
    let name = format!("{SESSIONS}{}", new_secret(limits::SERVER_NAME));
    let (lost, _) = watch::channel(false);
    let shared = Shared { address: address.to_owned(), name, registered: AtomicBool::new(false), lost };
    let fence = Fence(Arc::new(shared));
    loop {
        match (fence.try_lock().await, if_taken) {
            (Ok(Some(connection)), _) => return Ok(Taken { connection, fence }),
            (Ok(None), IfTaken::Refuse) => return Err(StoreError::Reserved),
            (Err(error), IfTaken::Refuse) => return Err(error),
            (Ok(None), IfTaken::Wait) => {}
            (Err(error), IfTaken::Wait) => {
                tracing::warn!(%error, "the database cannot be asked; trying again");
            }
        }
        sleep(limits::STANDBY_LOOK).await;
    }
}

impl Taken {
    /// Keeps all other servers out. Over the session that has the lock: without it, this fails.
    pub(super) async fn register(self, pool: AnyPool) -> Result<Reservation, StoreError> {
        let Taken { mut connection, fence } = self;
        let name = &fence.0.name;
        sqlx::query(
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
        )
        .bind(SERVER)
        .bind(name)
        .execute(&mut connection)
        .await?;
        // Their transactions are rolled back; those that wait in them are gone when nobody is counted any more.
        let others = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() \
                      AND starts_with(application_name, $1) AND application_name <> $2";
        loop {
            let (left,): (i64,) =
                sqlx::query_as(others).bind(SESSIONS).bind(name).fetch_one(&mut connection).await?;
            if left == 0 {
                break;
            }
            sleep(limits::SESSION_END).await;
        }
        fence.0.registered.store(true, Ordering::SeqCst);
        let watcher = tokio::spawn(fence.clone().watch(connection, pool));
        Ok(Reservation { fence, watcher })
    }
}

impl Reservation {
    /// Ends when another server has the event.
    pub(super) async fn lost(&self) {
        // The sender is beside the receiver: it does not go before.
        let _ = self.fence.0.lost.subscribe().wait_for(|lost| *lost).await;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // The session, and with it the lock, goes with the task.
        self.watcher.abort();
    }
}

impl Fence {
    /// A session of this server begins: it is found by its name, or refused if the name does not count any more.
    pub(super) async fn enter(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        name_session(connection, &self.0.name).await?;
        match self.0.registered.load(Ordering::SeqCst) && !self.is_ours(connection).await? {
            true => Err(sqlx::Error::Protocol("another palestra serve has taken the event over".to_owned())),
            false => Ok(()),
        }
    }

    /// Whether the settings name this server; if not, that is told to whoever waits for it.
    async fn is_ours(&self, connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
        let query = sqlx::query("SELECT value FROM settings WHERE name = $1").bind(SERVER);
        let found: Option<String> = query.fetch_optional(connection).await?.map(|row| row.get(0));
        let ours = found.as_ref() == Some(&self.0.name);
        if !ours {
            self.0.lost.send_replace(true);
        }
        Ok(ours)
    }

    /// A session with the lock, if nobody else has it.
    async fn try_lock(&self) -> Result<Option<AnyConnection>, StoreError> {
        let locking = async {
            let mut connection = AnyConnection::connect(&self.0.address).await?;
            name_session(&mut connection, &self.0.name).await?;
            // A server that loses its network or its power is missed by the database after some seconds, not hours.
            let query = "SELECT set_config('tcp_keepalives_idle', '2', false), \
                         set_config('tcp_keepalives_interval', '1', false), \
                         set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '5000', false)";
            sqlx::query(query).execute(&mut connection).await?;
            let query = sqlx::query_as("SELECT CASE WHEN pg_try_advisory_lock($1) THEN 1 ELSE 0 END::BIGINT");
            let (free,): (i64,) = query.bind(LOCK).fetch_one(&mut connection).await?;
            Ok((free == 1).then_some(connection))
        };
        timeout(limits::DATABASE_ANSWER, locking).await.unwrap_or(Err(sqlx::Error::PoolTimedOut.into()))
    }

    /// Looks after the session with the lock. The database may be started anew: then there is another session, unless
    /// another server was quicker; in that case nothing is asked of the store any more.
    async fn watch(self, connection: AnyConnection, pool: AnyPool) {
        let mut lost = self.0.lost.subscribe();
        tokio::select! {
            () = self.hold(connection) => {}
            // The sender is as close as the receiver.
            _ = lost.wait_for(|lost| *lost) => {}
        }
        pool.close().await;
    }

    async fn hold(&self, connection: AnyConnection) {
        let mut holding = Some(connection);
        let mut told = false;
        loop {
            sleep(limits::LOCK_LOOK).await;
            let look = async {
                match &mut holding {
                    Some(connection) => self.is_ours(connection).await.map_err(StoreError::from),
                    None => {
                        holding = self.try_lock().await?;
                        match &mut holding {
                            Some(connection) => Ok(self.is_ours(connection).await?),
                            // Perhaps a session of this server that the database does not know to be gone.
                            None => {
                                let mut looking = AnyConnection::connect(&self.0.address).await?;
                                Ok(self.is_ours(&mut looking).await?)
                            }
                        }
                    }
                }
            };
            let looked = timeout(limits::DATABASE_ANSWER, look).await;
            match looked.unwrap_or(Err(sqlx::Error::PoolTimedOut.into())) {
                Ok(true) => told = false,
                Ok(false) => return,
                Err(error) => {
                    holding = None;
                    if !std::mem::replace(&mut told, true) {
                        tracing::warn!(%error, "the database is out of reach; trying again");
                    }
                }
            }
        }
    }
}

async fn name_session(connection: &mut AnyConnection, name: &str) -> Result<(), sqlx::Error> {
    let query = sqlx::query("SELECT set_config('application_name', $1, false)").bind(name);
    query.execute(connection).await.map(drop)
}
