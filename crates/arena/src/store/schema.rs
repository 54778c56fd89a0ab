//! The tables, and how a database of a former program is brought up to date.

use super::{Store, StoreError};
use sqlx::{AssertSqlSafe, Executor as _};

/// Changes of the tables, in order; the number of those that were made is kept with the data. Never change one that
/// has been released: add another.
const MIGRATIONS: &[&str] =
    &[include_str!("schema.sql"), include_str!("looks.sql"), include_str!("schema_work.sql")];

/// What every connection to SQLite begins with. Whatever is committed survives a power cut. Sixteen megabytes have room
/// for what a match touches of a database with millions of them.
pub(super) const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
     PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; \
     PRAGMA cache_size = -16384";

const VERSION: &str = "schema";

impl Store {
    pub(super) async fn migrate(&self) -> Result<(), StoreError> {
        let made = self.schema_version().await?;
        let known = MIGRATIONS.len() as i64;
        if made > known {
            return Err(StoreError::Newer { found: made, known });
        }
        let blob = if self.is_postgres() { "BYTEA" } else { "BLOB" };
        for (index, migration) in MIGRATIONS.iter().enumerate().skip(made as usize) {
            let mut transaction = self.pool.begin().await?;
            for statement in migration.replace("{blob}", blob).split(";\n") {
                if statement
                    .lines()
                    .any(|line| !line.trim().is_empty() && !line.trim_start().starts_with("--"))
                {
                    transaction.execute(sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))).await?;
                }
            }
            let query = "INSERT INTO settings (name, value) VALUES ($1, $2) \
                         ON CONFLICT (name) DO UPDATE SET value = $2";
            let number = (index + 1).to_string();
            sqlx::query(query).bind(VERSION).bind(number).execute(&mut *transaction).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn schema_version(&self) -> Result<i64, StoreError> {
        let there = match self.is_postgres() {
            true => {
                "SELECT COUNT(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'settings'"
            }
            false => "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'settings'",
        };
        let (there,): (i64,) = sqlx::query_as(there).fetch_one(&self.pool).await?;
        if there == 0 {
            return Ok(0);
        }
        let version = self.setting(VERSION).await?.unwrap_or_default();
        version.parse().map_err(|_| StoreError::Damaged(format!("its version \"{version}\"")))
    }
}
