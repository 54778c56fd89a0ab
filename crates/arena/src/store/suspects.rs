//! Which programs of strangers are at work, and at how many deaths of the arena in a row they were.

use super::versions::rejection_text;
use super::words::Word as _;
use super::{Store, StoreError};
use crate::ids::VersionId;
use crate::limits;
use crate::model::{Rejection, RejectionStep, VersionState};
use sqlx::{AnyConnection, Row as _};

/// A version that was at work when the arena died, and has not come through a match since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Suspect {
    pub(crate) version: VersionId,
    /// Deaths of the arena in a row at which it was at work.
    pub(crate) deaths: u32,
    /// Whether it was at the last one, and nothing else was.
    pub(crate) alone: bool,
}

impl Suspect {
    /// Whether there is no doubt any more.
    pub(crate) fn is_guilty(&self) -> bool {
        self.deaths >= limits::DEATHS || (self.alone && self.deaths >= limits::DEATHS_ALONE)
    }
}

impl Store {
    /// A version begins to work; alone if no other program does before it ends.
    pub(crate) async fn begin_work(&self, version: VersionId, alone: bool) -> Result<(), StoreError> {
        begin(&mut *self.pool.acquire().await?, version, alone).await
    }

    /// A version has come through what it was to do: it is no suspect any more.
    pub(crate) async fn end_work(&self, version: VersionId) -> Result<(), StoreError> {
        end(&mut *self.pool.acquire().await?, version).await
    }

    /// A version has come through a trial: nobody knows yet how it behaves in a match.
    pub(crate) async fn rest_from_work(&self, version: VersionId) -> Result<(), StoreError> {
        let query = "UPDATE at_work SET running = 0, alone = 0 WHERE version = $1";
        sqlx::query(query).bind(version).execute(&self.pool).await?;
        Ok(())
    }

    /// The arena closes: whatever is at work did not kill it.
    pub async fn close_work(&self) -> Result<(), StoreError> {
        sqlx::query("UPDATE at_work SET running = 0, alone = 0").execute(&self.pool).await?;
        Ok(())
    }

    /// The arena opens: whatever is still marked as at work was so when it died. Gives all suspects, oldest first.
    pub(crate) async fn count_death(&self) -> Result<Vec<Suspect>, StoreError> {
        let mut transaction = self.begin_write().await?;
        sqlx::query("UPDATE at_work SET deaths = deaths + 1 WHERE running = 1")
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE at_work SET alone = 0 WHERE running = 0").execute(&mut *transaction).await?;
        sqlx::query("UPDATE at_work SET running = 0").execute(&mut *transaction).await?;
        sqlx::query("DELETE FROM at_work WHERE deaths = 0").execute(&mut *transaction).await?;
        let rows = sqlx::query("SELECT version, deaths, alone FROM at_work ORDER BY version")
            .fetch_all(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let suspect = |row: &sqlx::any::AnyRow| Suspect {
            version: row.get(0),
            deaths: row.get::<i64, _>(1) as u32,
            alone: row.get::<i64, _>(2) != 0,
        };
        Ok(rows.iter().map(suspect).collect())
    }

    /// Versions with so many deaths in a row, or more.
    pub(crate) async fn suspects(&self, deaths: u32) -> Result<Vec<VersionId>, StoreError> {
        let query = sqlx::query("SELECT version FROM at_work WHERE deaths >= $1 ORDER BY version");
        let rows = query.bind(i64::from(deaths)).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// A version is rejected, whatever it was before, and does not play any more; `why` is added to its log.
    pub(crate) async fn set_aside(&self, version: VersionId, why: &str) -> Result<(), StoreError> {
        let rejection = Rejection::at(RejectionStep::SetAside);
        let mut transaction = self.begin_write().await?;
        sqlx::query("UPDATE versions SET state = $1, log = log || $2, rejection = $3 WHERE id = $4")
            .bind(VersionState::Rejected.word())
            .bind(why)
            .bind(rejection_text(&rejection))
            .bind(version)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE bots SET active = NULL WHERE active = $1")
            .bind(version)
            .execute(&mut *transaction)
            .await?;
        end(&mut transaction, version).await?;
        transaction.commit().await?;
        Ok(())
    }
}

pub(super) async fn begin(
    connection: &mut AnyConnection,
    version: VersionId,
    alone: bool,
) -> Result<(), StoreError> {
    let query = "INSERT INTO at_work (version, running, alone, deaths) VALUES ($1, 1, $2, 0) \
                 ON CONFLICT (version) DO UPDATE SET running = 1, alone = $2";
    sqlx::query(query).bind(version).bind(i64::from(alone)).execute(connection).await?;
    Ok(())
}

pub(super) async fn end(connection: &mut AnyConnection, version: VersionId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM at_work WHERE version = $1").bind(version).execute(connection).await?;
    Ok(())
}
