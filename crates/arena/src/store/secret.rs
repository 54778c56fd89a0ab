//! The event's own secret. Beside SQLite it is a file of the event's folder; a database that several servers share holds it
//! itself, so that whichever of them has the event makes the same seeds and fingerprints.

use super::{SECRET, StoreError, file_error, write_private};
use sqlx::{AnyPool, Row as _};
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

/// The event's secret, which is made with the event; `given` for one that is restored.
pub(super) async fn of_event(
    pool: &AnyPool,
    folder: &Path,
    postgres: bool,
    given: Option<[u8; 32]>,
) -> Result<[u8; 32], StoreError> {
    let path = folder.join(SECRET);
    let kept = match given {
        Some(given) => Some(given),
        None => read(&path)?,
    };
    if !postgres {
        let secret = kept.unwrap_or_else(new);
        if given.is_some() || !path.exists() {
            write_private(&path, &secret).map_err(file_error(&path))?;
        }
        return Ok(secret);
    }
    // Of several who make one at the same time, the first is right.
    sqlx::query("INSERT INTO secret (id, content) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
        .bind(kept.unwrap_or_else(new).to_vec())
        .execute(pool)
        .await?;
    let row = sqlx::query("SELECT content FROM secret WHERE id = 1").fetch_one(pool).await?;
    let secret: Vec<u8> = row.get(0);
    let secret = secret.try_into().map_err(|_| StoreError::Damaged("its secret".to_owned()))?;
    match kept {
        Some(kept) if kept != secret => Err(StoreError::OtherSecret(path)),
        _ => Ok(secret),
    }
}

fn new() -> [u8; 32] {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("the system gives random bytes");
    secret
}

fn read(path: &Path) -> Result<Option<[u8; 32]>, StoreError> {
    let mut secret = [0; 32];
    match File::open(path).and_then(|mut file| file.read_exact(&mut secret)) {
        Ok(()) => Ok(Some(secret)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path)(error)),
    }
}
