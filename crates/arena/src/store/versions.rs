//! What people hand in: every version of every bot, the files of the last ones, and which one plays.

use super::words::Word as _;
use super::{BotRow, Store, StoreError, fingerprint, now, suspects};
use crate::ids::{AccountId, BotId, MatchId, VersionId};
use crate::limits;
use crate::model::{Rejection, VersionState};
use crate::trouble::Trouble;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

/// A version of a bot, and whose it is.
#[derive(Clone, Debug)]
pub struct Version {
    /// Its number in addresses.
    pub id: VersionId,
    /// The bot.
    pub bot: BotId,
    /// The bot's player.
    pub player: AccountId,
    /// That player's name.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// Its number among the bot's versions, counted from 1.
    pub number: u32,
    /// The name of the file that was handed in.
    pub file: String,
    /// When it was handed in, in milliseconds since 1970.
    pub at: i64,
    /// What became of it.
    pub state: VersionState,
    /// What the compiler and the first match said.
    pub log: String,
    /// The match that it was tried in, once it has been played.
    pub smoke: Option<MatchId>,
    /// The fingerprint of the file's name and content.
    pub sha256: String,
    /// Whether it is the one that plays.
    pub active: bool,
    /// Why it was rejected, if it was.
    pub rejection: Option<Rejection>,
    /// What its author notes about it.
    pub note: String,
    /// The built-in player that it is tried against, if it is only tried: it never plays otherwise, and its number is 0.
    pub trial: Option<String>,
}

/// Why a version is not taken.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// The player has handed in enough for a while.
    #[error("{}", Trouble::from(self))]
    TooOften,
    /// The player has tried enough for a while.
    #[error("{}", Trouble::from(self))]
    TriedTooOften,
    /// The player's former ones have not been tried yet.
    #[error("{}", Trouble::from(self))]
    Waiting,
    /// The player's bots take all the room that there is for one.
    #[error("{}", Trouble::from(self))]
    NoRoom {
        /// Bytes that cannot be let go, and the new file.
        used: i64,
    },
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<&VersionError> for Trouble {
    fn from(error: &VersionError) -> Trouble {
        match error {
            VersionError::TooOften => Trouble::EnoughVersions {
                limit: limits::HANDED_IN as u64,
                minutes: limits::HAND_IN_SPAN.as_secs() / 60,
            },
            VersionError::TriedTooOften => Trouble::EnoughTrials {
                limit: limits::TRIALS as u64,
                minutes: limits::HAND_IN_SPAN.as_secs() / 60,
            },
            VersionError::Waiting => Trouble::VersionsWait { limit: limits::WAITING_VERSIONS as u64 },
            VersionError::NoRoom { used } => {
                Trouble::NoRoom { used: (used >> 20) as u64, limit: (limits::PLAYER_BYTES >> 20) as u64 }
            }
            VersionError::Store(_) => Trouble::StoreAway {},
        }
    }
}

impl From<sqlx::Error> for VersionError {
    fn from(error: sqlx::Error) -> VersionError {
        VersionError::Store(error.into())
    }
}

/// States in which a version still has something before it.
const UNSETTLED: &str = "('queued', 'compiling', 'trying')";

const VERSIONS: &str = "SELECT v.id, v.bot, v.number, v.file, v.at, v.state, v.log, v.smoke, v.sha256, v.rejection, \
     v.note, v.trial, \
     b.player, b.game, \
     CASE WHEN b.active = v.id THEN 1 ELSE 0 END AS active, p.name \
     FROM versions v JOIN bots b ON b.id = v.bot JOIN players p ON p.id = b.player";

impl Store {
    /// Keeps what is handed in for a bot, to be tried; says the version's number.
    pub async fn add_version(
        &self,
        bot: &BotRow,
        file: &str,
        content: Vec<u8>,
    ) -> Result<VersionId, VersionError> {
        self.keep_upload(bot, file, content, None).await
    }

    /// Keeps what is only to be tried, against this built-in player.
    pub(crate) async fn add_trial(
        &self,
        bot: &BotRow,
        file: &str,
        content: Vec<u8>,
        opponent: &str,
    ) -> Result<VersionId, VersionError> {
        self.forget_old_trials(bot.id).await?;
        self.keep_upload(bot, file, content, Some(opponent)).await
    }

    async fn keep_upload(
        &self,
        bot: &BotRow,
        file: &str,
        content: Vec<u8>,
        trial: Option<&str>,
    ) -> Result<VersionId, VersionError> {
        self.check_pace(bot.player, trial.is_some()).await?;
        let kept = self.kept_files(bot.player).await?;
        let fixed: i64 = kept.iter().filter(|kept| kept.fixed).map(|kept| kept.bytes).sum();
        let used = fixed + content.len() as i64;
        if used > limits::PLAYER_BYTES {
            return Err(VersionError::NoRoom { used });
        }
        let mut transaction = self.begin_write().await?;
        // What is only tried is numbered downwards from -1, out of everybody's sight.
        let number = match trial {
            Some(_) => {
                "SELECT COALESCE(MIN(number), 0) - 1 FROM versions WHERE bot = $1 AND trial IS NOT NULL"
            }
            None => "SELECT COALESCE(MAX(number), 0) + 1 FROM versions WHERE bot = $1 AND trial IS NULL",
        };
        let insert = format!(
            "INSERT INTO versions (id, bot, number, file, at, state, log, smoke, bytes, sha256, trial) \
             SELECT COALESCE(MAX(id), 0) + 1, $1, ({number}), $2, $3, 'queued', '', NULL, $4, $5, $6 \
             FROM versions RETURNING id"
        );
        let row = sqlx::query(AssertSqlSafe(insert))
            .bind(bot.id)
            .bind(file)
            .bind(now())
            .bind(content.len() as i64)
            .bind(upload_fingerprint(file, &content))
            .bind(trial.map(str::to_owned))
            .fetch_one(&mut *transaction)
            .await?;
        let version: VersionId = row.get(0);
        sqlx::query("INSERT INTO uploads (version, content) VALUES ($1, $2)")
            .bind(version)
            .bind(content)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(version)
    }

    /// Whether a player may hand in something now, or try it.
    async fn check_pace(&self, player: AccountId, trial: bool) -> Result<(), VersionError> {
        let alike = if trial { "v.trial IS NOT NULL" } else { "v.trial IS NULL" };
        let query = format!(
            "SELECT CAST(COALESCE(SUM(CASE WHEN v.at > $2 AND {alike} THEN 1 ELSE 0 END), 0) AS BIGINT), \
             CAST(COALESCE(SUM(CASE WHEN v.state IN {UNSETTLED} THEN 1 ELSE 0 END), 0) AS BIGINT) \
             FROM versions v JOIN bots b ON b.id = v.bot WHERE b.player = $1"
        );
        let since = now() - limits::HAND_IN_SPAN.as_millis() as i64;
        let row = sqlx::query(AssertSqlSafe(query)).bind(player).bind(since).fetch_one(&self.pool).await?;
        let (lately, waiting): (i64, i64) = (row.get(0), row.get(1));
        if waiting >= limits::WAITING_VERSIONS {
            return Err(VersionError::Waiting);
        }
        match trial {
            true if lately >= limits::TRIALS => Err(VersionError::TriedTooOften),
            false if lately >= limits::HANDED_IN => Err(VersionError::TooOften),
            _ => Ok(()),
        }
    }

    /// Lets go of what a bot's author has tried, once it does not count for the pace any more.
    async fn forget_old_trials(&self, bot: BotId) -> Result<(), StoreError> {
        let old = now() - limits::HAND_IN_SPAN.as_millis() as i64;
        // The highest number stays, so that it is not given again.
        let query = format!(
            "DELETE FROM versions WHERE bot = $1 AND trial IS NOT NULL AND at <= $2 AND state NOT IN {UNSETTLED} \
             AND id < (SELECT MAX(id) FROM versions)"
        );
        sqlx::query(AssertSqlSafe(query)).bind(bot).bind(old).execute(&self.pool).await?;
        Ok(())
    }

    /// An author notes something about a version; says whether it is one of theirs.
    pub(crate) async fn set_note(
        &self,
        player: AccountId,
        version: VersionId,
        note: &str,
    ) -> Result<bool, StoreError> {
        let query = "UPDATE versions SET note = $1 WHERE id = $2 AND trial IS NULL \
                     AND bot IN (SELECT id FROM bots WHERE player = $3)";
        let done = sqlx::query(query).bind(note).bind(version).bind(player).execute(&self.pool).await?;
        Ok(done.rows_affected() > 0)
    }

    /// A version.
    pub async fn version(&self, version: VersionId) -> Result<Option<Version>, StoreError> {
        let query = sqlx::query(AssertSqlSafe(format!("{VERSIONS} WHERE v.id = $1"))).bind(version);
        query.fetch_optional(&self.pool).await?.as_ref().map(read).transpose()
    }

    /// The versions of a bot, newest first.
    pub(crate) async fn versions_of(&self, bot: BotId) -> Result<Vec<Version>, StoreError> {
        let query = format!("{VERSIONS} WHERE v.bot = $1 AND v.trial IS NULL ORDER BY v.number DESC");
        let rows = sqlx::query(AssertSqlSafe(query)).bind(bot).fetch_all(&self.pool).await?;
        rows.iter().map(read).collect()
    }

    /// Versions that still have something before them, oldest first.
    pub async fn unsettled_versions(&self) -> Result<Vec<VersionId>, StoreError> {
        let query = format!("SELECT id FROM versions WHERE state IN {UNSETTLED} ORDER BY id");
        let rows = sqlx::query(AssertSqlSafe(query)).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// The file that was handed in; nothing if it is not kept any more.
    pub async fn upload(&self, version: VersionId) -> Result<Option<Vec<u8>>, StoreError> {
        let query = sqlx::query("SELECT content FROM uploads WHERE version = $1").bind(version);
        Ok(query.fetch_optional(&self.pool).await?.map(|row| row.get(0)))
    }

    /// A version has come so far.
    pub(crate) async fn set_version_state(
        &self,
        version: VersionId,
        state: VersionState,
    ) -> Result<(), StoreError> {
        let query =
            sqlx::query("UPDATE versions SET state = $1 WHERE id = $2").bind(state.word()).bind(version);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// A version is ready, unless it was rejected, after this first match; `made` are the bytes of what was made of it. A
    /// ready one plays from now on, unless a later one does; says whether it does.
    pub async fn settle_version(
        &self,
        version: VersionId,
        rejection: Option<&Rejection>,
        log: &str,
        smoke: Option<MatchId>,
        made: u64,
    ) -> Result<bool, StoreError> {
        let state = if rejection.is_some() { VersionState::Rejected } else { VersionState::Ready };
        let mut transaction = self.begin_write().await?;
        let query =
            "UPDATE versions SET state = $1, log = $2, smoke = $3, made = $4, rejection = $5 WHERE id = $6";
        sqlx::query(query)
            .bind(state.word())
            .bind(log)
            .bind(smoke)
            .bind(made as i64)
            .bind(rejection.map(rejection_text))
            .bind(version)
            .execute(&mut *transaction)
            .await?;
        suspects::end(&mut transaction, version).await?;
        let mut plays = false;
        if state == VersionState::Ready {
            let query = "UPDATE bots SET active = $1 \
                         WHERE id = (SELECT bot FROM versions WHERE id = $1 AND trial IS NULL) \
                         AND (active IS NULL OR active < $1)";
            plays = sqlx::query(query).bind(version).execute(&mut *transaction).await?.rows_affected() > 0;
        }
        transaction.commit().await?;
        Ok(plays)
    }

    /// Lets this version of a player's bot play; says whether there is such a one, ready, with its file.
    pub async fn activate_version(&self, player: AccountId, version: VersionId) -> Result<bool, StoreError> {
        let query = "UPDATE bots SET active = $1 WHERE player = $2 AND id = \
                     (SELECT v.bot FROM versions v JOIN uploads u ON u.version = v.id WHERE v.id = $1 \
                     AND v.state = 'ready' AND v.trial IS NULL)";
        let done = sqlx::query(query).bind(version).bind(player).execute(&self.pool).await?;
        Ok(done.rows_affected() > 0)
    }

    /// Everything that is kept of a player's versions, oldest first.
    async fn kept_files(&self, player: AccountId) -> Result<Vec<Kept>, StoreError> {
        let query = format!(
            "SELECT v.id, v.bytes + v.made, \
             CASE WHEN b.active = v.id OR v.state IN {UNSETTLED} THEN 1 ELSE 0 END \
             FROM versions v JOIN bots b ON b.id = v.bot JOIN uploads u ON u.version = v.id \
             WHERE b.player = $1 ORDER BY v.id"
        );
        let rows = sqlx::query(AssertSqlSafe(query)).bind(player).fetch_all(&self.pool).await?;
        let kept =
            |row: &AnyRow| Kept { version: row.get(0), bytes: row.get(1), fixed: row.get::<i64, _>(2) != 0 };
        Ok(rows.iter().map(kept).collect())
    }

    /// Lets go of the files of a bot's oldest versions, and of its player's where all of them take too much; says the
    /// fingerprints that no version's file has any more.
    pub async fn forget_old_uploads(&self, bot: BotId) -> Result<Vec<String>, StoreError> {
        let (player,): (AccountId,) =
            sqlx::query_as("SELECT player FROM bots WHERE id = $1").bind(bot).fetch_one(&self.pool).await?;
        let surplus = surplus(&self.kept_files(player).await?);
        let mut transaction = self.begin_write().await?;
        let old = format!(
            "SELECT v.id FROM versions v JOIN bots b ON b.id = v.bot WHERE v.bot = $1 AND v.state NOT IN {UNSETTLED} \
             AND (b.active IS NULL OR b.active <> v.id) \
             AND (v.trial IS NOT NULL OR v.number <= (SELECT MAX(number) FROM versions WHERE bot = $1) - $2)"
        );
        let query = format!("DELETE FROM uploads WHERE version IN ({old}) RETURNING version");
        let gone = sqlx::query(AssertSqlSafe(query))
            .bind(bot)
            .bind(limits::KEPT_VERSIONS)
            .fetch_all(&mut *transaction)
            .await?;
        let mut gone: Vec<VersionId> = gone.iter().map(|row| row.get(0)).collect();
        for version in surplus {
            let query = sqlx::query("DELETE FROM uploads WHERE version = $1").bind(version);
            if query.execute(&mut *transaction).await?.rows_affected() > 0 {
                gone.push(version);
            }
        }
        let mut unused = Vec::new();
        for version in gone {
            let query = "SELECT sha256 FROM versions WHERE id = $1 AND NOT EXISTS \
                (SELECT 1 FROM uploads u JOIN versions o ON o.id = u.version WHERE o.sha256 = versions.sha256)";
            let row = sqlx::query(query).bind(version).fetch_optional(&mut *transaction).await?;
            unused.extend(row.map(|row| row.get::<String, _>(0)));
        }
        transaction.commit().await?;
        Ok(unused)
    }
}

/// What is kept of a version.
struct Kept {
    version: VersionId,
    bytes: i64,
    /// Whether it plays, or waits for its first match.
    fixed: bool,
}

/// The versions to let go of, oldest first, so that the others fit.
fn surplus(kept: &[Kept]) -> Vec<VersionId> {
    let mut bytes: i64 = kept.iter().map(|kept| kept.bytes).sum();
    let mut gone = Vec::new();
    for kept in kept.iter().filter(|kept| !kept.fixed) {
        if bytes <= limits::PLAYER_BYTES {
            break;
        }
        bytes -= kept.bytes;
        gone.push(kept.version);
    }
    gone
}

/// The same bytes under another name can be another program.
fn upload_fingerprint(file: &str, content: &[u8]) -> String {
    fingerprint(format!("{file}\n{}", fingerprint(content)).as_bytes())
}

pub(super) fn rejection_text(rejection: &Rejection) -> String {
    serde_json::to_string(rejection).expect("it is plain data")
}

fn read(row: &AnyRow) -> Result<Version, StoreError> {
    let rejection: Option<String> = row.get("rejection");
    let rejection = rejection.map(|text| serde_json::from_str(&text)).transpose();
    Ok(Version {
        id: row.get("id"),
        bot: row.get("bot"),
        player: row.get("player"),
        name: row.get("name"),
        game: row.get("game"),
        number: row.get::<i64, _>("number").max(0) as u32,
        file: row.get("file"),
        at: row.get("at"),
        state: VersionState::of(row.get("state"))?,
        log: row.get("log"),
        smoke: row.get("smoke"),
        sha256: row.get("sha256"),
        active: row.get::<i64, _>("active") != 0,
        rejection: rejection.map_err(|error| StoreError::Damaged(error.to_string()))?,
        note: row.get("note"),
        trial: row.get("trial"),
    })
}
