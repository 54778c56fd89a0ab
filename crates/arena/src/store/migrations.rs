//! The tables, and how a database of an earlier program is brought up to date: sqlx's migrations, over embedded files.

use super::{StoreError, setting};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyPool, AssertSqlSafe, SqlSafeStr as _};

/// In order. Never change one that has been released, not even a comment: add another.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "tables", include_str!("migrations/1_tables.sql")),
    (2, "looks", include_str!("migrations/2_looks.sql")),
    (3, "work", include_str!("migrations/3_work.sql")),
    (4, "sqlx", include_str!("migrations/4_sqlx.sql")),
    (5, "people", include_str!("migrations/5_people.sql")),
    (6, "authors", include_str!("migrations/6_authors.sql")),
    (7, "course", include_str!("migrations/7_course.sql")),
    (8, "secret", include_str!("migrations/8_secret.sql")),
    (9, "worker", include_str!("migrations/9_worker.sql")),
];

/// What every connection to SQLite begins with. Whatever is committed survives a power cut. Sixteen megabytes have room
/// for what a match touches of a database with millions of them.
pub(super) const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
     PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; \
     PRAGMA cache_size = -16384";

/// The setting in which earlier programs counted migrations.
pub(super) const COUNT: &str = "schema";
/// What it says once sqlx counts them.
const TAKEN_OVER: i64 = 4;

/// Brings the tables up to date.
pub(super) async fn migrate(pool: &AnyPool, postgres: bool) -> Result<(), StoreError> {
    let migrator = migrator(postgres);
    let known = MIGRATIONS.last().map_or(0, |(step, ..)| *step);
    let refused = |error| match error {
        MigrateError::VersionMissing(found) => StoreError::Newer { found, known },
        MigrateError::VersionMismatch(step) | MigrateError::Dirty(step) => StoreError::Unclean { step },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        other => StoreError::Damaged(other.to_string()),
    };
    match counted_migrations(pool, postgres).await? {
        found if found > TAKEN_OVER => return Err(StoreError::Newer { found, known }),
        // Made by an earlier program: sqlx takes its word for it.
        made @ 1..TAKEN_OVER => migrator.skip(pool, Some(made)).await.map_err(refused)?,
        _ => {}
    }
    migrator.run(pool).await.map_err(refused)
}

async fn counted_migrations(pool: &AnyPool, postgres: bool) -> Result<i64, StoreError> {
    let there = match postgres {
        true => {
            "SELECT COUNT(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'settings'"
        }
        false => "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'settings'",
    };
    let (there,): (i64,) = sqlx::query_as(there).fetch_one(pool).await?;
    let count = if there == 0 { None } else { setting(pool, COUNT).await? };
    match count {
        None => Ok(0),
        Some(count) => count.parse().map_err(|_| StoreError::Damaged(format!("its version \"{count}\""))),
    }
}

fn migrator(postgres: bool) -> Migrator {
    let blob = if postgres { "BYTEA" } else { "BLOB" };
    let migration = |(step, name, text): &(i64, &'static str, &'static str)| {
        let sql = AssertSqlSafe(text.replace("{blob}", blob)).into_sql_str();
        Migration::new(*step, (*name).into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(MIGRATIONS.iter().map(migration).collect())
}

#[cfg(test)]
mod tests {
    use crate::ids::{BotId, MatchId, RoundId};
    use crate::model::MatchState;
    use crate::store::{DATABASE, MatchFilter, Store, connect};
    use sqlx::{AssertSqlSafe, Executor as _};
    use std::path::Path;

    /// The database of an event that was played by a program which counted migrations itself.
    const EARLIER: &[u8] = include_bytes!("../../tests/databases/arena-3.db.zst");

    fn earlier_event(folder: &Path) {
        crate::store::make_folder(folder).unwrap();
        std::fs::write(folder.join(DATABASE), zstd::decode_all(EARLIER).unwrap()).unwrap();
    }

    async fn change(folder: &Path, sql: &str) {
        let pool = connect(folder, None, None).await.unwrap();
        pool.execute(sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))).await.unwrap();
        pool.close().await;
    }

    #[tokio::test]
    async fn an_event_of_an_earlier_program_is_taken_over_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        earlier_event(place.path());
        // The second time there is nothing left to do.
        for _ in 0..2 {
            let store = Store::open(place.path(), None).await.unwrap();
            let names: Vec<String> =
                store.accounts().await.unwrap().into_iter().map(|account| account.name).collect();
            assert_eq!(names, ["Anna", "Bence", "organiser", "bot", "greedy"]);
            let all = MatchFilter { smoke: true, ..MatchFilter::default() };
            let matches = store.matches(&all, MatchId(i64::MAX), 1000).await.unwrap();
            assert_eq!(matches.len(), 51);
            for view in &matches {
                assert_eq!(store.replay(view.id).await.unwrap().is_some(), view.replay);
            }
            assert_eq!(store.round_events(RoundId(1)).await.unwrap().len(), 6);
            let versions = store.versions_of(BotId(3)).await.unwrap();
            assert_eq!(versions.iter().map(|version| version.active).collect::<Vec<_>>(), [true]);
            assert!(store.upload(versions[0].id).await.unwrap().is_some());
            // What its versions did is counted from the matches of before.
            let rated = matches.iter().filter(|row| row.kind.is_rated() && row.state == MatchState::Finished);
            let met = rated.filter(|row| {
                row.seats.iter().any(|seat| seat.bot == Some(BotId(3)) && seat.version.is_some())
            });
            let counted = store.version_meetings(BotId(3)).await.unwrap();
            let counted: u32 = counted.iter().map(|met| met.won + met.drawn + met.lost).sum();
            assert_eq!((counted as usize, counted > 0), (met.count(), true));
            store.pool.close().await;
        }
    }

    #[tokio::test]
    async fn an_event_that_stopped_half_way_through_being_taken_over_is_taken_over() {
        let place = tempfile::tempdir().unwrap();
        earlier_event(place.path());
        let pool = connect(place.path(), None, None).await.unwrap();
        super::migrator(false).skip(&pool, Some(1)).await.unwrap();
        pool.close().await;
        assert_eq!(Store::open(place.path(), None).await.unwrap().accounts().await.unwrap().len(), 5);
    }

    #[tokio::test]
    async fn what_a_newer_program_made_and_what_was_changed_by_hand_is_refused() {
        let cases = [
            ("UPDATE settings SET value = '9' WHERE name = 'schema'", "use a newer one"),
            (
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (1000, 'later', TRUE, x'00', 1)",
                "use a newer one",
            ),
            ("UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 2", "migration 2 of the database"),
            ("UPDATE _sqlx_migrations SET success = FALSE WHERE version = 2", "migration 2 of the database"),
        ];
        for (sql, expected) in cases {
            let place = tempfile::tempdir().unwrap();
            drop(Store::open(place.path(), None).await.unwrap());
            change(place.path(), sql).await;
            let refused = Store::open(place.path(), None).await.unwrap_err().to_string();
            assert!(refused.contains(expected), "{sql}: {refused}");
        }
    }
}
