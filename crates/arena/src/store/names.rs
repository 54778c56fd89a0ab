//! What players may be called. Names stand beside each other in lists, logs and terminals: none may hide something, and two
//! that look alike would be taken for each other.

use super::{AccountError, Store, StoreError};
use crate::ids::AccountId;
use crate::limits;
use crate::trouble::{NameFault, Trouble};
use sqlx::{AnyConnection, Row as _};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _, skeleton};

/// What only organisers may be called, and words that mean something where names stand.
const RESERVED: &[&str] = &[
    "admin",
    "any",
    "arena",
    "bot",
    "everybody",
    "guest",
    "nobody",
    "organiser",
    "organizer",
    "palestra",
    "szervező",
    "организатор",
];

/// A name as it is kept: one of all ways to write it, with no blanks around it and single ones inside.
pub(crate) fn normal(name: &str) -> String {
    let name: String = name.chars().take(limits::NAME_LETTERS).nfkc().collect();
    name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A name to find a player by, in whatever case it is written.
pub(super) fn folded(name: &str) -> String {
    normal(name).to_lowercase()
}

/// What a name looks like, as it stands there and in lower case, in letters that look the same: of two names that look
/// alike, one of these is the same. The bridge writes blanks as lines.
pub(crate) fn looks(name: &str) -> [String; 2] {
    let line = |letter: char| if letter == ' ' { '_' } else { letter };
    let as_it_is: String = skeleton(&normal(name)).flat_map(char::to_lowercase).map(line).collect();
    [as_it_is, skeleton(&folded(name)).map(line).collect()]
}

fn look_alike(one: &str, other: &str) -> bool {
    let other = looks(other);
    looks(one).iter().any(|look| other.contains(look))
}

impl Store {
    /// That nobody has this name, or one that looks the same.
    pub(crate) async fn check_free(&self, name: &str) -> Result<(), AccountError> {
        if self.account_named(name).await?.is_some() {
            return Err(AccountError::Taken(name.to_owned()));
        }
        let [one, two] = looks(name);
        let query = "SELECT players.name FROM looks JOIN players ON players.id = looks.player \
                     WHERE looks.look = $1 OR looks.look = $2";
        let row = sqlx::query(query).bind(one).bind(two).fetch_optional(&self.pool).await?;
        match row {
            None => Ok(()),
            Some(row) => Err(AccountError::LooksLike { name: name.to_owned(), other: shown(row.get(0)) }),
        }
    }

    /// Keeps names for others than players: those of built-in players.
    pub fn reserve_names(&self, names: impl Iterator<Item = &'static str>) {
        // The second time they are the same.
        let _ = self.inner.reserved.set(names.map(str::to_owned).collect());
    }

    /// Whether nobody but an organiser may be called so.
    pub(crate) fn is_reserved(&self, name: &str) -> bool {
        let built_ins = self.inner.reserved.get().into_iter().flatten().map(String::as_str);
        RESERVED.iter().copied().chain(built_ins).any(|word| look_alike(name, word))
    }

    /// Notes the looks of players who came before that was done.
    pub(super) async fn note_all_looks(&self) -> Result<(), StoreError> {
        let query = "SELECT id, name FROM players WHERE id NOT IN (SELECT player FROM looks) ORDER BY id";
        let players = sqlx::query(query).fetch_all(&self.pool).await?;
        if players.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin_write().await?;
        for player in players {
            note_looks(&mut transaction, player.get(0), player.get(1)).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Notes the looks of a player, those that no other has; says whether these were all.
pub(super) async fn note_looks(
    connection: &mut AnyConnection,
    player: AccountId,
    name: &str,
) -> Result<bool, StoreError> {
    let looks = looks(name);
    for look in &looks {
        let query = "INSERT INTO looks (look, player) VALUES ($1, $2) ON CONFLICT (look) DO NOTHING";
        sqlx::query(query).bind(look).bind(player).execute(&mut *connection).await?;
    }
    let [one, two] = &looks;
    let query = "SELECT COUNT(*) FROM looks WHERE (look = $1 OR look = $2) AND player <> $3";
    let row = sqlx::query(query).bind(one).bind(two).bind(player).fetch_one(&mut *connection).await?;
    Ok(row.get::<i64, _>(0) == 0)
}

/// A name for a message: everything that does not show itself is written out.
fn shown(name: &str) -> String {
    name.chars().take(40).flat_map(char::escape_debug).collect()
}

/// The name as it is to be kept, if it can be one.
pub(crate) fn check(name: &str) -> Result<String, AccountError> {
    let kept = normal(name);
    match fault(&kept) {
        None => Ok(kept),
        Some(why) => Err(AccountError::Unfit(Trouble::BadName { name: shown(name), why })),
    }
}

fn fault(name: &str) -> Option<NameFault> {
    if name.is_empty() || name.len() > limits::NAME_BYTES {
        return Some(NameFault::NameLength { limit: limits::NAME_BYTES as u64 });
    }
    let allowed =
        |c: char| if c.is_ascii() { c == ' ' || c.is_ascii_graphic() } else { c.identifier_allowed() };
    if let Some(c) = name.chars().find(|c| !allowed(*c)) {
        return Some(NameFault::NameCharacter { character: format!("U+{:04X}", u32::from(c)) });
    }
    if !name.starts_with(char::is_alphanumeric) {
        return Some(NameFault::NameStart {});
    }
    if !name.is_single_script() {
        return Some(NameFault::NameScripts {});
    }
    let marks: Vec<bool> = name.chars().map(is_combining_mark).collect();
    if marks.windows(limits::NAME_MARKS + 1).any(|marks| marks.iter().all(|mark| *mark)) {
        return Some(NameFault::NameMarks { limit: limits::NAME_MARKS as u64 });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{RESERVED, check, folded, look_alike};
    use crate::limits;

    #[test]
    fn names_of_people_and_teams_are_names() {
        for name in [
            "anna",
            "Béla",
            "Győző",
            "Анна",
            "Дмитрий Ёлкин",
            "csaba,jr",
            "C++ & co.",
            "O'Hara",
            "Team 1",
            "42",
            "Zoë-Marie",
            "山田",
            "太郎さん",
            "Ελένη",
            "a_b",
        ] {
            assert_eq!(check(name).unwrap(), name);
        }
        for (written, kept) in [
            ("  Anna   Kiss ", "Anna Kiss"),
            ("Zoe\u{308}", "Zoë"),
            ("ａｎｎａ", "anna"),
            ("a\u{a0}b", "a b"),
        ] {
            assert_eq!(check(written).unwrap(), kept, "{written:?}");
        }
    }

    #[test]
    fn what_hides_something_is_no_name() {
        let long = "x".repeat(limits::NAME_BYTES + 1);
        for name in [
            "",
            " ",
            "\u{200b}",
            long.as_str(),
            "an\u{200b}na",
            "anna\u{202e}",
            "\u{2066}anna",
            "an\u{ad}na",
            "a\tb",
            "a\nb",
            "a\0b",
            "\u{1b}[31m",
            "anna\u{fe0f}",
            "аnna",
            "Annа",
            "anna Кiss",
            "🤖",
            "-anna",
            "=1",
            ".",
            "e\u{301}\u{302}\u{303}\u{304}\u{305}",
            "\u{e000}",
            "ᚠᚢ",
        ] {
            let error = check(name).unwrap_err().to_string();
            assert!(error.chars().all(|c| !c.is_control()), "{error:?}");
            assert!(!error.contains('\u{202e}') && !error.contains('\u{200b}'), "{error:?}");
        }
    }

    #[test]
    fn names_that_look_alike_are_told() {
        for (one, other) in [
            ("anna", "ANNA"),
            ("ivan", "IVAN"),
            ("НИНА", "Нина"),
            ("HATA", "НАТА"),
            ("roo", "гоо"),
            ("anna", "Ａnna"),
            ("paypal", "раураl"),
            ("Soso", "Ѕоѕо"),
            ("lolo", "Iolo"),
            ("bot1", "botl"),
            ("OLGA", "0LGA"),
            ("modern", "rnodern"),
            ("Anna Kiss", "anna_kiss"),
            ("рома", "poмa"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
        }
        for (one, other) in [("anna", "hanna"), ("bela", "béla"), ("Анна", "Ада"), ("client-1", "client-11")]
        {
            assert!(!look_alike(one, other), "{one} {other}");
        }
        assert!(folded("Béla") == folded(" BE\u{301}LA ") && folded("lolo") != folded("Iolo"));
        let reserved = |name: &str| RESERVED.iter().any(|word| look_alike(name, word));
        assert!(reserved("Organiser") && reserved("b0t") && reserved("Организатор"));
        assert!(!reserved("botond") && !reserved("anyone"));
    }
}
