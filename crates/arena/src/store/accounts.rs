//! Who takes part: names, passwords, and what the organisers said about them.

use super::{KeyKind, Store, StoreError, is_secret, names, new_secret, now};
use crate::ids::AccountId;
use crate::limits;
use crate::trouble::Trouble;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use sqlx::Row as _;
use sqlx::any::AnyRow;
use tokio::task::spawn_blocking;

/// A player's account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// The player's number.
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// Whether the admin pages are open.
    pub organiser: bool,
    /// A built-in player: nobody signs in for it.
    pub house: bool,
    /// Shut out by the organisers.
    pub banned: bool,
    /// When it was made, in milliseconds since 1970.
    pub joined: i64,
}

/// An account to be.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The name.
    pub name: String,
    /// The password; one is made up if there is none.
    pub password: Option<String>,
    /// Whether the admin pages are to be open.
    pub organiser: bool,
}

/// Why there is no such account.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The name is no name, or the password no password.
    #[error("{0}")]
    Unfit(Trouble),
    /// There is one already.
    #[error("{}", Trouble::from(self))]
    Taken(String),
    /// There is one whose name looks the same.
    #[error("{}", Trouble::from(self))]
    LooksLike {
        /// The new name.
        name: String,
        /// The other player's.
        other: String,
    },
    /// The name means something else here.
    #[error("{}", Trouble::from(self))]
    Reserved(String),
    /// There are enough.
    #[error("{}", Trouble::from(self))]
    TooMany,
    /// Nobody is called so, or has this number.
    #[error("{}", Trouble::from(self))]
    Unknown(String),
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<&AccountError> for Trouble {
    fn from(error: &AccountError) -> Trouble {
        match error {
            AccountError::Unfit(trouble) => trouble.clone(),
            AccountError::Taken(name) => Trouble::NameTaken { name: name.clone() },
            AccountError::LooksLike { name, other } => {
                Trouble::NameLooksLike { name: name.clone(), other: other.clone() }
            }
            AccountError::Reserved(name) => Trouble::NameReserved { name: name.clone() },
            AccountError::TooMany => Trouble::EnoughAccounts { limit: limits::PLAYERS as u64 },
            AccountError::Unknown(name) => Trouble::NoPlayer { name: name.clone() },
            AccountError::Store(_) => Trouble::StoreAway {},
        }
    }
}

impl From<sqlx::Error> for AccountError {
    fn from(error: sqlx::Error) -> AccountError {
        AccountError::Store(error.into())
    }
}

const COLUMNS: &str = "id, name, organiser, house, banned, joined";

impl Store {
    /// Makes an account; says its number and its password, which is not kept.
    pub async fn add_account(&self, new: NewAccount) -> Result<(Account, String), AccountError> {
        let name = names::check(&new.name)?;
        if !new.organiser && self.is_reserved(&name) {
            return Err(AccountError::Reserved(name));
        }
        let password = Password::new(new.password)?;
        let secrets = self.secrets(&password).await;
        let account = self.insert_account(&name, Some(secrets), new.organiser, false).await?;
        Ok((account, password.text))
    }

    /// Makes an account that only programs use; says its key, which is not kept. It has no password.
    pub async fn add_program(&self, name: &str) -> Result<(Account, String), AccountError> {
        let account = self.insert_account(&names::check(name)?, None, false, false).await?;
        let (_, key) = self.add_key(account.id, KeyKind::Token, "the only way in").await?;
        Ok((account, key))
    }

    /// Makes a player of the house, for a built-in bot; the one there is if there is one.
    pub async fn house_account(&self, name: &str) -> Result<Account, AccountError> {
        match self.account_named(name).await? {
            Some(account) if account.house => Ok(account),
            Some(_) => Err(AccountError::Taken(name.to_owned())),
            None => self.insert_account(name, None, false, true).await,
        }
    }

    async fn insert_account(
        &self,
        name: &str,
        secrets: Option<Secrets>,
        organiser: bool,
        house: bool,
    ) -> Result<Account, AccountError> {
        let (count,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM players").fetch_one(&self.pool).await?;
        if count >= limits::PLAYERS {
            return Err(AccountError::TooMany);
        }
        // A built-in player has its name, whoever was called so that it looks alike before.
        if !house {
            self.check_free(name).await?;
        }
        let joined = now();
        let mut transaction = self.begin_write().await?;
        let query = "INSERT INTO players (id, name, folded, password, password_key, organiser, house, banned, joined) \
                     SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, $4, $5, $6, 0, $7 FROM players RETURNING id";
        let done = sqlx::query(query)
            .bind(name)
            .bind(names::folded(name))
            .bind(secrets.as_ref().map(|secrets| secrets.hash.clone()))
            .bind(secrets.and_then(|secrets| secrets.key))
            .bind(i64::from(organiser))
            .bind(i64::from(house))
            .bind(joined)
            .fetch_one(&mut *transaction)
            .await;
        let id = match done {
            Ok(row) => row.get(0),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
                return Err(AccountError::Taken(name.to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        // Somebody else may have come in the meantime.
        if !names::note_looks(&mut transaction, id, name).await? && !house {
            return Err(AccountError::Taken(name.to_owned()));
        }
        transaction.commit().await?;
        Ok(Account { id, name: name.to_owned(), organiser, house, banned: false, joined })
    }

    /// Everybody, by number.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM players ORDER BY id");
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(account).collect())
    }

    /// The player with this number.
    pub async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        let query = format!("SELECT {COLUMNS} FROM players WHERE id = $1");
        let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(id).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(account))
    }

    /// The player of this name, whatever its case.
    pub async fn account_named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        Ok(self.row_named(name).await?.as_ref().map(account))
    }

    async fn row_named(&self, name: &str) -> Result<Option<AnyRow>, StoreError> {
        let query = format!("SELECT {COLUMNS}, password FROM players WHERE folded = $1 OR folded = $2");
        // Names of before are kept as they were written.
        let written = name.chars().take(limits::NAME_LETTERS).collect::<String>().to_lowercase();
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).bind(names::folded(name)).bind(&written);
        let rows = rows.fetch_all(&self.pool).await?;
        let exact = rows.iter().position(|row| row.get::<String, _>("name").to_lowercase() == written);
        Ok(rows.into_iter().nth(exact.unwrap_or(0)))
    }

    /// Who signs in with this name and password. A wrong name takes as long as a wrong password.
    pub async fn sign_in(&self, name: &str, password: &str) -> Result<Option<Account>, StoreError> {
        let row = self.row_named(name).await?.filter(|row| row.get::<i64, _>("banned") == 0);
        let hash = row.as_ref().and_then(|row| row.get::<Option<String>, _>("password"));
        let right = verify(password, hash).await;
        Ok(row.filter(|_| right).as_ref().map(account))
    }

    /// Who has this password, if the arena made it. One that a person chose may be a word that others choose too: it is
    /// of no use without the name.
    pub(super) async fn account_by_made_password(
        &self,
        password: &str,
    ) -> Result<Option<Account>, StoreError> {
        // Databases of before have the fingerprints of all passwords.
        if !is_secret(password, limits::NEW_PASSWORD) {
            return Ok(None);
        }
        let query = format!("SELECT {COLUMNS} FROM players WHERE password_key = $1 AND banned = 0");
        let row = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(self.keyed_fingerprint(password))
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.as_ref().map(account))
    }

    /// Gives a player another password, and ends everything that the old one opened. Says the new one.
    pub async fn set_password(
        &self,
        player: AccountId,
        password: Option<String>,
    ) -> Result<String, AccountError> {
        let password = Password::new(password)?;
        let Secrets { hash, key } = self.secrets(&password).await;
        let mut transaction = self.begin_write().await?;
        let done =
            sqlx::query("UPDATE players SET password = $1, password_key = $2 WHERE id = $3 AND house = 0")
                .bind(hash)
                .bind(key)
                .bind(player)
                .execute(&mut *transaction)
                .await?;
        if done.rows_affected() == 0 {
            return Err(AccountError::Unknown(player.to_string()));
        }
        sqlx::query("DELETE FROM keys WHERE player = $1").bind(player).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(password.text)
    }

    async fn secrets(&self, password: &Password) -> Secrets {
        let key = password.made.then(|| self.keyed_fingerprint(&password.text));
        Secrets { hash: hash(&password.text).await, key }
    }

    /// Shuts a player out, or lets it in again.
    pub async fn ban(&self, player: AccountId, banned: bool) -> Result<(), AccountError> {
        let done = sqlx::query("UPDATE players SET banned = $1 WHERE id = $2")
            .bind(i64::from(banned))
            .bind(player)
            .execute(&self.pool)
            .await?;
        match done.rows_affected() {
            0 => Err(AccountError::Unknown(player.to_string())),
            _ => Ok(()),
        }
    }
}

/// A password of somebody, chosen or made.
struct Password {
    text: String,
    made: bool,
}

impl Password {
    /// This one, or one that is made.
    fn new(chosen: Option<String>) -> Result<Password, AccountError> {
        match chosen {
            Some(text) => check_password(&text).map(|()| Password { text, made: false }),
            None => Ok(Password { text: new_secret(limits::NEW_PASSWORD), made: true }),
        }
    }
}

/// What is kept of a password.
struct Secrets {
    hash: String,
    /// A keyed fingerprint to find the player by, if the password is as good as a key.
    key: Option<String>,
}

fn account(row: &AnyRow) -> Account {
    let flag = |column: &str| row.get::<i64, _>(column) != 0;
    Account {
        id: row.get("id"),
        name: row.get("name"),
        organiser: flag("organiser"),
        house: flag("house"),
        banned: flag("banned"),
        joined: row.get("joined"),
    }
}

pub(crate) fn check_password(password: &str) -> Result<(), AccountError> {
    let plain = !password.chars().any(char::is_control) && password.trim() == password;
    match limits::PASSWORD_BYTES.contains(&password.len()) && plain {
        true => Ok(()),
        false => Err(AccountError::Unfit(Trouble::BadPassword {
            least: *limits::PASSWORD_BYTES.start() as u64,
            most: *limits::PASSWORD_BYTES.end() as u64,
        })),
    }
}

/// Beside the threads that talk: it takes some milliseconds, on purpose.
async fn hash(password: &str) -> String {
    let password = password.to_owned();
    let hashed = spawn_blocking(move || {
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.expect("passwords of this length can be hashed").to_string()
    });
    hashed.await.expect("hashing does not panic")
}

async fn verify(password: &str, hash: Option<String>) -> bool {
    /// Of a password that nobody knows, so that an unknown name takes as long as a known one.
    const NOBODY: &str =
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$XbSKlUm9GUZvEFeoLWLIjsFqOgf+WdKLjsE3H8pXl+4";
    let password = password.to_owned();
    let verified = spawn_blocking(move || {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODY.to_owned());
        let right = PasswordHash::new(&hash)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        known && right
    });
    verified.await.expect("verifying does not panic")
}

#[cfg(test)]
mod tests {
    use crate::ids::AccountId;
    use crate::store::{NewAccount, Store};

    #[tokio::test]
    async fn names_of_before_stay_usable() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), None).await.unwrap();
        let mut passwords = Vec::new();
        for name in ["anna", "b", "c", "d"] {
            let new = NewAccount { name: name.to_owned(), password: None, organiser: false };
            passwords.push(store.add_account(new).await.unwrap().1);
        }
        // What a program of before has let in: look-alikes, something invisible, a word that is reserved now.
        let before = ["anna", "аnna", "x\u{200b}y", "Bot"];
        for (id, name) in (1..).zip(before) {
            let query = sqlx::query("UPDATE players SET name = $1, folded = $2 WHERE id = $3");
            let query = query.bind(name).bind(name.to_lowercase()).bind(id);
            query.execute(&store.pool).await.unwrap();
        }
        sqlx::query("DELETE FROM looks").execute(&store.pool).await.unwrap();
        drop(store);
        for _ in 0..2 {
            let store = Store::open(folder.path(), None).await.unwrap();
            for ((id, name), password) in (1..).zip(before).zip(&passwords) {
                let named = store.account_named(name).await.unwrap().unwrap();
                assert_eq!((named.id, named.name.as_str()), (AccountId(id), name));
                let signed_in = store.sign_in(name, password).await.unwrap();
                assert_eq!(signed_in.map(|account| account.id), Some(AccountId(id)), "{name:?}");
            }
            let new = NewAccount { name: "xy".to_owned(), password: None, organiser: false };
            let refused = store.add_account(new).await.unwrap_err().to_string();
            assert!(refused.contains("looks like"), "{refused}");
            assert!(store.house_account("b0t").await.is_ok(), "a built-in player has its name");
        }
    }
}
