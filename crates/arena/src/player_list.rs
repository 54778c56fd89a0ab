//! A list of players: plain names, or what a spreadsheet exports.
//!
//! Commas, semicolons or tabs between cells, quotes around them, a line of headings in one of three languages, UTF-8 or
//! the UTF-16 of "Unicode text": whatever was taken from it is told before anybody gets an account.

use crate::limits;
use crate::store::{AccountError, check_password, names};
use crate::trouble::Trouble;
use std::collections::HashMap;

/// What the column of names may be called, and that of passwords.
const NAME_HEADINGS: [&str; 7] = ["name", "username", "login", "név", "felhasználónév", "имя", "логин"];
const PASSWORD_HEADINGS: [&str; 3] = ["password", "jelszó", "пароль"];

/// What a list says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerList {
    /// The headings of the columns that were taken; without headings they are the first two.
    pub headings: Option<Headings>,
    /// In the order of the list.
    pub players: Vec<ListedPlayer>,
}

/// What the columns that were taken are called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Headings {
    /// That of the names.
    pub name: String,
    /// That of the passwords, if there is one.
    pub password: Option<String>,
}

/// A player in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedPlayer {
    /// The line of the list, counted from 1.
    pub line: u64,
    /// What the player is called.
    pub name: String,
    /// Its password; made up unless given.
    pub password: Option<String>,
}

/// Why a list cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlayerListError {
    /// It is in an old encoding.
    #[error("{}", Trouble::from(self))]
    Encoding,
    /// It is no table.
    #[error("{}", Trouble::from(self))]
    Damaged(#[from] csv::Error),
    /// It has headings, and none is that of the names.
    #[error("{}", Trouble::from(self))]
    NoNames(u64),
    /// It has no headings, and more columns than can be told apart.
    #[error("{}", Trouble::from(self))]
    Columns(u64),
    /// A name or a password is unfit, or looks like another one.
    #[error("{}", Trouble::from(self))]
    Account(u64, AccountError),
    /// It is too long.
    #[error("{}", Trouble::from(self))]
    TooLong,
}

impl From<&PlayerListError> for Trouble {
    fn from(error: &PlayerListError) -> Trouble {
        match error {
            PlayerListError::Encoding => Trouble::TableEncoding {},
            PlayerListError::Damaged(error) => Trouble::TableDamaged { why: error.to_string() },
            PlayerListError::NoNames(line) => Trouble::TableWithoutNames { line: *line },
            PlayerListError::Columns(line) => Trouble::TableColumns { line: *line },
            PlayerListError::Account(line, error) => {
                Trouble::TableLine { line: *line, why: Box::new(Trouble::from(error)) }
            }
            PlayerListError::TooLong => Trouble::TableTooLong { limit: limits::IMPORTED_PLAYERS as u64 },
        }
    }
}

/// Reads a list; a mistake in any line is told before anything is done with the others.
pub fn read(table: &[u8]) -> Result<PlayerList, PlayerListError> {
    let text = decode(table)?;
    let text = text.trim_start_matches('\u{feff}');
    let (separator, skipped, text) = separator(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let (mut found, mut looks) = (PlayerList { headings: None, players: Vec::new() }, HashMap::new());
    let mut columns = (0, Some(1));
    let mut is_first = true;
    for record in reader.records() {
        let record = record?;
        let line = skipped + line_of(&record, text);
        if record.iter().all(str::is_empty) {
            continue;
        }
        let headed = |known: &[&str]| record.iter().position(|cell| known.contains(&&*cell.to_lowercase()));
        if std::mem::take(&mut is_first)
            && let (name, password) = (headed(&NAME_HEADINGS), headed(&PASSWORD_HEADINGS))
            && (name.is_some() || password.is_some())
        {
            columns = (name.ok_or(PlayerListError::NoNames(line))?, password);
            let heading = |column: usize| record[column].to_owned();
            found.headings = Some(Headings { name: heading(columns.0), password: password.map(heading) });
            continue;
        }
        if found.headings.is_none() && record.iter().skip(2).any(|cell| !cell.is_empty()) {
            return Err(PlayerListError::Columns(line));
        }
        let player = player(line, record.get(columns.0), columns.1.and_then(|column| record.get(column)))?;
        for look in names::looks(&player.name) {
            if let Some((other, _)) =
                looks.insert(look, (player.name.clone(), line)).filter(|(_, first)| *first != line)
            {
                return Err(PlayerListError::Account(
                    line,
                    AccountError::LooksLike { name: player.name, other },
                ));
            }
        }
        found.players.push(player);
        if found.players.len() > limits::IMPORTED_PLAYERS {
            return Err(PlayerListError::TooLong);
        }
    }
    Ok(found)
}

/// The reader takes empty lines for the beginning of the record behind them.
fn line_of(record: &csv::StringRecord, text: &str) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let rest = &text.as_bytes()[position.byte() as usize..];
    let empty = rest.iter().take_while(|byte| byte.is_ascii_control() && **byte != b'\t');
    position.line() + empty.filter(|byte| **byte == b'\n').count() as u64
}

fn player(line: u64, name: Option<&str>, password: Option<&str>) -> Result<ListedPlayer, PlayerListError> {
    let unfit = |error| PlayerListError::Account(line, error);
    let name = names::check(name.unwrap_or_default()).map_err(unfit)?;
    let password = password.filter(|password| !password.is_empty());
    if let Some(password) = password {
        check_password(password).map_err(unfit)?;
    }
    Ok(ListedPlayer { line, name, password: password.map(str::to_owned) })
}

/// UTF-8, or UTF-16 that says so.
fn decode(table: &[u8]) -> Result<String, PlayerListError> {
    let Some(little_endian) = table.strip_prefix(&[0xFF, 0xFE]) else {
        return String::from_utf8(table.to_vec()).map_err(|_| PlayerListError::Encoding);
    };
    let (units, rest) = little_endian.as_chunks::<2>();
    let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    String::from_utf16(&units).ok().filter(|_| rest.is_empty()).ok_or(PlayerListError::Encoding)
}

/// What stands between the cells, how many lines only say that, and the table behind them.
fn separator(text: &str) -> (u8, u64, &str) {
    if let Some(said) = text.strip_prefix("sep=")
        && let Some((separator, table)) = said.split_once('\n')
        && let [separator] = separator.trim_end_matches('\r').as_bytes()
    {
        return (*separator, 1, table);
    }
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut quoted = false;
    let plain: Vec<u8> = first
        .bytes()
        .filter(|byte| {
            quoted ^= *byte == b'"';
            !quoted
        })
        .collect();
    let count = |separator: &u8| plain.iter().filter(|byte| *byte == separator).count();
    // Of those that are as frequent, the last one counts.
    let separator = *b"\t;,".iter().max_by_key(|separator| count(separator)).expect("three");
    (separator, 0, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(table: &[u8]) -> Vec<(u64, String, Option<String>)> {
        let table = read(table).unwrap_or_else(|error| panic!("{error}"));
        table.players.into_iter().map(|player| (player.line, player.name, player.password)).collect()
    }

    #[test]
    fn lists_and_spreadsheets_are_read() {
        let (anna, bela) = ("Anna Nagy".to_owned(), "Béla".to_owned());
        let secret = Some("one two three".to_owned());
        assert_eq!(
            players(b"Anna Nagy\n\nB\xC3\xA9la\n"),
            [(1, anna.clone(), None), (3, bela.clone(), None)]
        );
        let with_password = [(1, anna.clone(), secret.clone()), (2, bela.clone(), None)];
        assert_eq!(players("Anna Nagy,one two three\nBéla,\n".as_bytes()), with_password);
        assert_eq!(players("\"Anna Nagy\"\t\"one two three\"\r\nBéla\r\n".as_bytes()), with_password);
        // Headings; columns in any order, others left alone; a quote with a separator in it.
        let expected = [(2, anna, secret), (3, bela, None)];
        let excel = "Osztály;Jelszó;Név\r\n\"9;b\";one two three;Anna Nagy\r\n10.a;;Béla\r\n;;\r\n";
        assert_eq!(players(excel.as_bytes()), expected);
        assert_eq!(players(format!("\u{feff}{excel}").as_bytes()), expected);
        let unicode = excel.replace(';', "\t").replace("\"9\tb\"", "9b");
        let utf16: Vec<u8> = format!("\u{feff}{unicode}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(players(&utf16), expected);
        let told = players(format!("sep=;\r\n{excel}").as_bytes());
        assert_eq!(told, expected.map(|(line, name, password)| (line + 1, name, password)));
        assert_eq!(players(b"\"csaba,jr\",\n"), [(1, "csaba,jr".to_owned(), None)]);
        assert_eq!(players(b""), []);
        let headings = read(excel.as_bytes()).unwrap().headings.unwrap();
        assert_eq!((headings.name.as_str(), headings.password.as_deref()), ("Név", Some("Jelszó")));
    }

    #[test]
    fn mistakes_name_their_line() {
        let long = "x\n".repeat(limits::IMPORTED_PLAYERS + 1);
        for (table, told) in [
            (&b"anna\nb\xE9la\n"[..], "CSV UTF-8"),
            (b"anna,secret-one,9.b\n", "line 1: there is more than a name and a password"),
            (b"class,password\n9.b,secret\n", "line 1: no column is called \"name\""),
            (b"name\nanna\nANNA\n", "line 3: "),
            (b"lolo\nIolo\n", "line 2: "),
            ("an\u{200b}na\n".as_bytes(), "line 1: "),
            (b"anna,short\n", "line 1: a password has"),
            (b"name,password\n,secret-one\n", "line 2: "),
            (long.as_bytes(), "line 2: "),
        ] {
            let error = read(table).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        let many: String =
            (0..=limits::IMPORTED_PLAYERS).map(|number| format!("player {number}\n")).collect();
        assert!(matches!(read(many.as_bytes()), Err(PlayerListError::TooLong)));
    }
}
