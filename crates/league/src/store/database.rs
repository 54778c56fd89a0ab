//! The connection to the database of a log: SQL in, rows out, in the calling thread.

use super::schema::{FORMAT, Line, schema};
use super::{LOG, StoreError};
use crate::limits;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};
use std::fs;
use std::path::{Path, PathBuf};
use tokio::runtime::Runtime;

/// SQLite's code for a file that is damaged.
const CORRUPT: u32 = 11;
/// SQLite's code for a file that is none of its own.
const NOT_A_DATABASE: u32 = 26;

/// What a connection may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Write,
    Read,
    /// To read a file that nobody can change, from where nothing can be written.
    Frozen,
}

/// A connection; closed when it goes.
#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    runtime: Runtime,
    connection: Option<SqliteConnection>,
}

impl Database {
    pub(super) fn open(path: &Path, access: Access) -> Result<Database, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(access == Access::Write)
            .read_only(access != Access::Write)
            .immutable(access == Access::Frozen)
            .synchronous(SqliteSynchronous::Full)
            .disable_statement_logging();
        let failed = |error: sqlx::Error| damaged(path, &error);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .map_err(|error| failed(sqlx::Error::Io(error)))?;
        let connection = runtime.block_on(SqliteConnection::connect_with(&options)).map_err(failed)?;
        Ok(Database { path: path.to_owned(), runtime, connection: Some(connection) })
    }

    /// Opens a log to read, also where nothing can be written.
    pub(super) fn look(path: &Path) -> Result<Database, StoreError> {
        let opened = Database::open(path, Access::Read)
            .and_then(|mut database| database.number("PRAGMA schema_version").map(|_| database));
        match opened {
            Err(_) if !has_bytes(&beside(path, "-wal")) => {
                let mut database = Database::open(path, Access::Frozen)?;
                database.number("PRAGMA schema_version")?;
                Ok(database)
            }
            opened => opened,
        }
    }

    pub(super) fn rows(&mut self, sql: String, bound: &[i64]) -> Result<Vec<SqliteRow>, StoreError> {
        let connection = self.connection.as_mut().expect("it is open");
        let query = bound.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, number| query.bind(*number));
        let rows = self.runtime.block_on(query.fetch_all(connection));
        rows.map_err(|error| damaged(&self.path, &error))
    }

    pub(super) fn execute(&mut self, sql: &str) -> Result<(), StoreError> {
        self.rows(sql.to_owned(), &[]).map(drop)
    }

    /// The first number of the first row; 0 if there is none.
    pub(super) fn number(&mut self, sql: &str) -> Result<i64, StoreError> {
        let rows = self.rows(sql.to_owned(), &[])?;
        match rows.first().map(|row| row.try_get::<Option<i64>, _>(0)) {
            None => Ok(0),
            Some(number) => Ok(number.map_err(|error| damaged(&self.path, &error))?.unwrap_or(0)),
        }
    }

    /// The first text of the first row, `None` if there is none.
    pub(super) fn text(&mut self, sql: String, bound: &[i64]) -> Result<Option<String>, StoreError> {
        let rows = self.rows(sql, bound)?;
        let text = rows.first().map(|row| row.try_get::<Option<String>, _>(0)).transpose();
        Ok(text.map_err(|error| damaged(&self.path, &error))?.flatten())
    }

    /// The tables of a new log, all of them or none.
    pub(super) fn create(&mut self) -> Result<(), StoreError> {
        let mut script = "BEGIN IMMEDIATE;\n".to_owned();
        schema().iter().for_each(|table| script += &format!("{table};\n"));
        script += "INSERT INTO state VALUES (0, 0, 0, 0);\n";
        script += &format!("PRAGMA user_version = {FORMAT};\nCOMMIT;");
        self.script(script)
    }

    /// Several statements, one after the other.
    fn script(&mut self, script: String) -> Result<(), StoreError> {
        let connection = self.connection.as_mut().expect("it is open");
        let done = self.runtime.block_on(sqlx::raw_sql(AssertSqlSafe(script)).execute(connection));
        done.map(drop).map_err(|error| damaged(&self.path, &error))
    }

    /// Adds lines, all or none of them, durably.
    pub(super) fn append(&mut self, lines: &[Line]) -> Result<(), StoreError> {
        let Database { path, runtime, connection } = self;
        let connection = connection.as_mut().expect("it is open");
        let done: Result<(), sqlx::Error> = runtime.block_on(async {
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            let state = sqlx::query("SELECT events FROM state").fetch_one(&mut *transaction).await?;
            let ids = state.try_get::<i64, _>(0)? + 1..;
            let inserts: Vec<_> = ids.zip(lines).map(|(id, line)| line.insert(id)).collect();
            let inserts = serde_json::to_string(&inserts).expect("lines are plain data");
            let insert = "INSERT INTO events (id, at, kind, match, body, sum, brief_sum)
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
                 FROM json_each(?1) ORDER BY key";
            sqlx::query(insert).bind(inserts).execute(&mut *transaction).await?;
            let count = |which: fn(&Line) -> bool| lines.iter().filter(|line| which(line)).count() as i64;
            sqlx::query("UPDATE state SET events = events + ?1, results = results + ?2, course = course + ?3")
                .bind(lines.len() as i64)
                .bind(count(Line::is_result))
                .bind(count(Line::is_course))
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await
        });
        done.map_err(|error| damaged(path, &error))
    }

    /// Rows of the log with these ids, whole; rows with something else in them than they should have are `None`.
    pub(super) fn lines(
        &mut self,
        first: i64,
        last: i64,
        checked: bool,
    ) -> Result<Vec<(i64, Option<Line>)>, StoreError> {
        let sum = if checked { "sum" } else { "NULL" };
        let sql = format!(
            "SELECT id, at, kind, match, body, {sum} FROM events NOT INDEXED WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
        );
        let rows = self.rows(sql, &[first, last])?;
        let line = |row: &SqliteRow| {
            let id: i64 = row.try_get(0)?;
            let number = row.try_get::<Option<i64>, _>(3)?.map(u32::try_from).transpose();
            let line = Line {
                at: row.try_get(1)?,
                kind: row.try_get(2)?,
                number: number.map_err(|error| sqlx::Error::Decode(error.into()))?,
                body: row.try_get(4)?,
            };
            let sum: Option<i64> = row.try_get(5)?;
            let good = if checked { sum == Some(line.sum(id)) } else { line.event().is_some() };
            Ok::<_, sqlx::Error>((id, good.then_some(line)))
        };
        Ok(rows.iter().map(|row| line(row).unwrap_or((row.try_get(0).unwrap_or(0), None))).collect())
    }

    /// All rows in order, a part at a time. Fails if one is missing or not as it was written.
    pub(super) fn all_lines(
        &mut self,
        checked: bool,
        mut each: impl FnMut(Vec<Line>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let last = self.number("SELECT max(id) FROM events NOT INDEXED")?;
        let step = i64::from(limits::ROWS_READ);
        for first in (1..=last).step_by(step as usize) {
            let end = last.min(first + step - 1);
            let mut part = Vec::new();
            for (id, (found, line)) in (first..).zip(self.lines(first, end, checked)?) {
                match line {
                    Some(line) if found == id => part.push(line),
                    _ => return Err(self.damage(format!("row {id} is not as it was written"))),
                }
            }
            if part.len() as i64 != end - first + 1 {
                return Err(
                    self.damage(format!("rows are missing behind row {}", first + part.len() as i64 - 1))
                );
            }
            each(part)?;
        }
        Ok(())
    }

    pub(super) fn damage(&self, why: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), why }
    }

    /// Leaves one file, and nothing beside it. Not possible while others look at it.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        self.execute("PRAGMA journal_mode = DELETE")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            // What could not be closed is taken up by whoever opens it next.
            let _ = self.runtime.block_on(connection.close());
        }
    }
}

/// A file that the database keeps beside its own.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

pub(super) fn has_bytes(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

pub(super) fn log_in(folder: &Path) -> PathBuf {
    folder.join(LOG)
}

fn damaged(path: &Path, error: &sqlx::Error) -> StoreError {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    let why = error.to_string();
    // The lower byte of SQLite's codes is what kind of error it is.
    match code.map(|code| code & 255) {
        Some(CORRUPT | NOT_A_DATABASE) => StoreError::Damaged { path: path.to_owned(), why },
        _ => StoreError::Log { path: path.to_owned(), why },
    }
}
