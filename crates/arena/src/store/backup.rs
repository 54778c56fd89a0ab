//! The whole event as one file, from either database into either: rows as they are, table by table, from one moment.
//!
//! A line of text says what it is; then comes a zstd stream of postcard messages, so that a file that is cut off or
//! damaged is noticed before anything is put into a database.

use super::migrations::COUNT;
use super::reservation::SERVER;
use super::{IfTaken, QUEUE_RUN, Store, StoreError, file_error, uncached};
use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row as _};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};
use std::path::Path;

const TITLE: &str = "palestra event 1\n";
/// Level of compression: replays are packed already.
const LEVEL: i32 = 3;

/// All tables, with the kinds of their columns: i is a number, d a fraction, t a text, b bytes. What is about the machine
/// that the event runs on is left out: what was made of versions, and what was at work. New tables, and new columns of one,
/// come last: a backup that has fewer is from before them.
const TABLES: &[(&str, &str, &str)] = &[
    ("settings", "name value", "tt"),
    ("players", "id name folded password password_key organiser house banned joined", "ittttiiii"),
    ("keys", "id player kind label digest at expires", "iitttii"),
    ("bots", "id player game built_in active elo played won drawn lost", "iittidiiii"),
    ("versions", "id bot number file at state log smoke bytes sha256 rejection note trial", "iiitittiitttt"),
    ("uploads", "version content", "ib"),
    (
        "matches",
        "id counted game kind round number state started ended turns seed replay why",
        "iittiitiiitit",
    ),
    (
        "seats",
        "match seat kind player bot version name place points elo elo_change fault fault_text reason",
        "iitiiitidddttt",
    ),
    ("meetings", "bot opponent won drawn lost", "iiiii"),
    ("replays", "match content", "ib"),
    ("rounds", "id planned name game state starts ended body", "iitttiit"),
    ("round_events", "round id at body", "iiit"),
    ("announcements", "id at text", "iit"),
    ("log", "id at who text", "iiit"),
    ("people", "match seat", "ii"),
    (
        "challenges",
        "id player game bot version opponent opponent_version matches at state ended why",
        "iitiiiiiitit",
    ),
    ("challenge_matches", "match challenge number", "iii"),
    ("version_meetings", "bot version opponent won drawn lost", "iiiiii"),
    ("seen_until", "player match", "ii"),
    ("seen", "player match", "ii"),
    ("follows", "player followed at", "iii"),
    ("course_steps", "player game step version state passed at matches", "ittitiit"),
];

#[derive(Serialize, Deserialize)]
enum Message {
    Secret([u8; 32]),
    Row(u8, Vec<Cell>),
    End { rows: u64 },
}

#[derive(Serialize, Deserialize)]
enum Cell {
    Nothing,
    Number(i64),
    Fraction(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Store {
    /// Writes everything into a file, as it is at one moment, whatever else goes on; says how many rows.
    pub async fn back_up(&self, path: &Path) -> Result<u64, StoreError> {
        let beside = path.with_extension("unfinished");
        let file = super::files::create(&beside).map_err(file_error(&beside))?;
        let failed = |error: io::Error| StoreError::File { path: beside.clone(), why: error.to_string() };
        let mut out = BufWriter::new(file);
        out.write_all(TITLE.as_bytes()).map_err(failed)?;
        let mut out = zstd::Encoder::new(out, LEVEL).map_err(failed)?;
        write(&mut out, &Message::Secret(self.inner.secret)).map_err(failed)?;
        let mut moment = self.pool.begin().await?;
        if self.is_postgres() {
            sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").execute(&mut *moment).await?;
        }
        let mut count = 0;
        for (number, (table, columns, kinds)) in TABLES.iter().enumerate() {
            let columns = columns.replace(' ', ", ");
            let query = AssertSqlSafe(format!("SELECT {columns} FROM {table}"));
            let mut rows = sqlx::query(query).fetch(&mut *moment);
            while let Some(row) = rows.try_next().await? {
                let cells =
                    kinds.chars().enumerate().map(|(column, kind)| cell(&row, column, kind)).collect();
                write(&mut out, &Message::Row(number as u8, cells)).map_err(failed)?;
                count += 1;
            }
        }
        write(&mut out, &Message::End { rows: count }).map_err(failed)?;
        let file = out.finish().and_then(|out| Ok(out.into_inner()?)).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        fs::rename(&beside, path).map_err(file_error(path))?;
        Ok(count)
    }

    /// Puts everything of a file into an event without players or matches; says how many rows.
    pub async fn restore(folder: &Path, database: Option<&str>, path: &Path) -> Result<u64, StoreError> {
        // The whole file is read once before anything is changed.
        let secret = read_through(path, |_, _| {})?;
        super::files::open_folder(folder)?;
        let there = database.is_none() && folder.join(super::DATABASE).exists();
        if there {
            let why = "there is an event already; restore into another folder".to_owned();
            return Err(StoreError::File { path: folder.join(super::DATABASE), why });
        }
        let full = || {
            StoreError::Damaged("the database holds an event already; restore into an empty one".to_owned())
        };
        let store = match Store::take_with(folder, database, IfTaken::Refuse, Some(secret)).await {
            Err(StoreError::OtherSecret(_)) => return Err(full()),
            opened => opened?,
        };
        let (players,): (i64,) =
            sqlx::query_as("SELECT COUNT(*) FROM players").fetch_one(&store.pool).await?;
        if players > 0 {
            return Err(full());
        }
        let mut rows = Vec::new();
        let mut transaction = store.begin_write().await?;
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1000);
        let from = path.to_owned();
        let reading = tokio::task::spawn_blocking(move || {
            read_through(&from, |table, cells| {
                // Nobody takes them any more only if putting them in has failed.
                let _ = sender.blocking_send((table, cells));
            })
        });
        let mut count = 0;
        while receiver.recv_many(&mut rows, 1000).await > 0 {
            for (table, cells) in rows.drain(..).filter(|(table, cells)| !is_of_database(*table, cells)) {
                insert(table, cells).execute(&mut *transaction).await?;
                count += 1;
            }
        }
        reading.await.map_err(|error| StoreError::Damaged(error.to_string()))??;
        transaction.commit().await?;
        Ok(count)
    }
}

fn cell(row: &AnyRow, column: usize, kind: char) -> Cell {
    let cell = match kind {
        'i' => row.get::<Option<i64>, _>(column).map(Cell::Number),
        'd' => row.get::<Option<f64>, _>(column).map(Cell::Fraction),
        'b' => row.get::<Option<Vec<u8>>, _>(column).map(Cell::Bytes),
        _ => row.get::<Option<String>, _>(column).map(Cell::Text),
    };
    cell.unwrap_or(Cell::Nothing)
}

/// Whether a row is about the database that it came from: how far its tables were, and which server had it under what name at the queue.
fn is_of_database(table: u8, cells: &[Cell]) -> bool {
    table == 0
        && matches!(cells, [Cell::Text(name), _] if [COUNT, SERVER, QUEUE_RUN].contains(&name.as_str()))
}

fn insert(table: u8, cells: Vec<Cell>) -> Query<'static, Any, AnyArguments> {
    let (name, columns, kinds) = TABLES[usize::from(table)];
    let places: Vec<String> = (1..=cells.len()).map(|place| format!("${place}")).collect();
    let columns = columns.split(' ').take(cells.len()).collect::<Vec<_>>().join(", ");
    let text = format!("INSERT INTO {name} ({columns}) VALUES ({})", places.join(", "));
    let mut query = uncached(AssertSqlSafe(text));
    for (cell, kind) in cells.into_iter().zip(kinds.chars()) {
        query = match (cell, kind) {
            (Cell::Number(number), _) => query.bind(number),
            (Cell::Fraction(fraction), _) => query.bind(fraction),
            (Cell::Text(text), _) => query.bind(text),
            (Cell::Bytes(bytes), _) => query.bind(bytes),
            (Cell::Nothing, 'i') => query.bind(None::<i64>),
            (Cell::Nothing, 'd') => query.bind(None::<f64>),
            (Cell::Nothing, 'b') => query.bind(None::<Vec<u8>>),
            (Cell::Nothing, _) => query.bind(None::<String>),
        };
    }
    query
}

fn write(out: &mut impl Write, message: &Message) -> io::Result<()> {
    let bytes = postcard::to_allocvec(message).map_err(io::Error::other)?;
    out.write_all(&(bytes.len() as u32).to_le_bytes())?;
    out.write_all(&bytes)
}

/// Reads a whole file, and says its secret; an error if it is none, is cut off or damaged.
fn read_through(path: &Path, mut each: impl FnMut(u8, Vec<Cell>)) -> Result<[u8; 32], StoreError> {
    let wrong = |why: &str| StoreError::File { path: path.to_owned(), why: why.to_owned() };
    let broken =
        |error: io::Error| wrong(&format!("it is cut off or damaged ({error}); take another backup"));
    let mut file = BufReader::new(File::open(path).map_err(file_error(path))?);
    let mut title = String::new();
    if file.by_ref().take(TITLE.len() as u64).read_line(&mut title).is_err() || title != TITLE {
        return Err(wrong("it is no backup of an event"));
    }
    let mut input = zstd::Decoder::new(file).map_err(broken)?;
    let (mut secret, mut count) = (None, 0);
    loop {
        let mut length = [0; 4];
        input.read_exact(&mut length).map_err(broken)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > crate::limits::BACKUP_ROW_BYTES {
            return Err(wrong("it is damaged: a row is too long; take another backup"));
        }
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes).map_err(broken)?;
        let message = postcard::from_bytes(&bytes).map_err(|error| broken(io::Error::other(error)))?;
        match message {
            Message::Secret(found) => secret = Some(found),
            Message::Row(table, cells) => {
                let known = TABLES.get(usize::from(table));
                if known.is_none_or(|(_, _, kinds)| kinds.len() < cells.len()) {
                    return Err(wrong("it is of another version of palestra"));
                }
                each(table, cells);
                count += 1;
            }
            Message::End { rows } if rows == count => {
                return secret.ok_or_else(|| wrong("it is damaged: its secret is missing"));
            }
            Message::End { .. } => return Err(wrong("it is damaged: rows are missing; take another backup")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::VersionId;
    use crate::store::NewAccount;

    #[test]
    fn every_column_of_the_schema_is_in_a_backup() {
        let authors = include_str!("migrations/6_authors.sql");
        let added = |table: &str| -> Vec<(String, char)> {
            let columns =
                authors.lines().filter_map(|line| line.strip_prefix("ALTER TABLE ")?.split_once(' '));
            let own = columns.filter(|(name, _)| *name == table);
            own.map(|(_, column)| {
                let mut words = column.trim_start_matches("ADD COLUMN ").trim_end_matches(';').split(' ');
                let name = words.next().unwrap().to_owned();
                (name, if words.next() == Some("TEXT") { 't' } else { 'i' })
            })
            .collect()
        };
        let schema = [include_str!("migrations/1_tables.sql"), authors].concat();
        for part in schema.split("CREATE TABLE ").skip(1) {
            let (name, rest) = part.split_once('(').unwrap();
            let body = rest.split(");").next().unwrap();
            let (_, columns, kinds) = TABLES.iter().find(|(table, ..)| *table == name.trim()).expect(name);
            let body = body.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<String>();
            let mut found = Vec::new();
            for piece in body.split(',').map(str::trim) {
                let mut words = piece.split_whitespace();
                let (column, kind) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                let kind = match kind {
                    "BIGINT" => 'i',
                    "TEXT" => 't',
                    "DOUBLE" => 'd',
                    "{blob}" => 'b',
                    _ => continue,
                };
                found.push((column.to_owned(), kind));
            }
            found.extend(added(name.trim()));
            let listed: Vec<(String, char)> =
                columns.split(' ').map(str::to_owned).zip(kinds.chars()).collect();
            assert_eq!(listed, found, "{name}");
        }
    }

    #[tokio::test]
    async fn a_backup_from_before_the_newer_columns_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.backup");
        let table = |name: &str| TABLES.iter().position(|(table, ..)| *table == name).unwrap() as u8;
        let text = |text: &str| Cell::Text(text.to_owned());
        let bot = [1, 1].map(Cell::Number).into_iter().chain([text("rps"), Cell::Nothing, Cell::Nothing]);
        let bot = bot.chain([Cell::Fraction(1500.0)]).chain([0, 0, 0, 0].map(Cell::Number));
        let player = [Cell::Number(1), text("Anna"), text("anna"), Cell::Nothing, Cell::Nothing];
        let player = player.into_iter().chain([0, 0, 0, 5].map(Cell::Number));
        let version = [1, 1, 1].map(Cell::Number).into_iter().chain([text("bot.py"), Cell::Number(5)]);
        let version =
            version.chain([text("rejected"), text("why"), Cell::Nothing, Cell::Number(3), text("abc")]);
        let rows = [("players", player.collect()), ("bots", bot.collect()), ("versions", version.collect())];
        let mut out = File::create(&file).unwrap();
        out.write_all(TITLE.as_bytes()).unwrap();
        let mut out = zstd::Encoder::new(out, LEVEL).unwrap();
        write(&mut out, &Message::Secret([7; 32])).unwrap();
        for (name, cells) in rows {
            write(&mut out, &Message::Row(table(name), cells)).unwrap();
        }
        write(&mut out, &Message::End { rows: 3 }).unwrap();
        out.finish().unwrap();
        assert_eq!(Store::restore(&folder.path().join("b"), None, &file).await.unwrap(), 3);
        let again = Store::beside(&folder.path().join("b"), None).await.unwrap();
        let version = again.version(VersionId(1)).await.unwrap().unwrap();
        assert_eq!((version.log.as_str(), version.rejection, version.trial), ("why", None, None));
        assert_eq!(version.note, "");
    }

    #[tokio::test]
    async fn what_was_backed_up_comes_back_and_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a"), None).await.unwrap();
        let new = NewAccount { name: "Anna".into(), password: None, organiser: false };
        let (_, password) = store.add_account(new).await.unwrap();
        let players = store.accounts().await.unwrap();
        let file = folder.path().join("event.backup");
        store.back_up(&file).await.unwrap();
        Store::restore(&folder.path().join("b"), None, &file).await.unwrap();
        let again = Store::beside(&folder.path().join("b"), None).await.unwrap();
        assert_eq!(again.accounts().await.unwrap(), players);
        // Passwords are found by fingerprints that only the event's own secret makes.
        assert_eq!(again.secret_owner(&password).await.unwrap().as_ref(), players.first());
        assert!(Store::restore(&folder.path().join("b"), None, &file).await.is_err());

        let whole = fs::read(&file).unwrap();
        for cut in [0, 5, whole.len() / 2, whole.len() - 1] {
            fs::write(&file, &whole[..cut]).unwrap();
            let refused = Store::restore(&folder.path().join("c"), None, &file).await;
            assert!(matches!(refused, Err(StoreError::File { .. })), "{cut}");
            assert!(!folder.path().join("c").join(super::super::DATABASE).exists());
        }
    }
}
