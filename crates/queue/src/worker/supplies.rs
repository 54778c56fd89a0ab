//! What a batch needs before it can be played: programs and large maps, fetched by their hash and kept.

use crate::limits;
use crate::messages::{Batch, BotOrder, Hash, Setup, Trouble};
use crate::objects;
use crate::pack;
use async_nats::jetstream::Context;
use palestra_runner::{folder_bytes, remove_folder};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

/// What was fetched for a batch.
#[derive(Default)]
pub(super) struct Supplies {
    /// Folders with programs, by hash.
    pub(super) programs: BTreeMap<Hash, Result<PathBuf, Trouble>>,
    /// Large maps, by hash.
    pub(super) setups: BTreeMap<Hash, Result<String, Trouble>>,
}

/// Where programs are kept that were fetched.
pub(super) struct Pantry {
    folder: PathBuf,
}

impl Pantry {
    pub(super) fn new(folder: PathBuf) -> Pantry {
        let pantry = Pantry { folder };
        pantry.make_room();
        pantry
    }

    /// Fetches what a batch needs. What cannot be had is told with the matches that need it.
    pub(super) async fn fetch(&self, context: &Context, batch: &Batch) -> Supplies {
        let mut supplies = Supplies::default();
        for bot in &batch.bots {
            if let BotOrder::Program { pack, .. } = bot
                && !supplies.programs.contains_key(pack)
            {
                supplies.programs.insert(*pack, self.program(context, *pack).await);
            }
        }
        for start in &batch.starts {
            if let Setup::Object(hash) = start.setup
                && !supplies.setups.contains_key(&hash)
            {
                let text = objects::get(context, hash).await.and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| Trouble::Other("a map is no text".to_owned()))
                });
                supplies.setups.insert(hash, text);
            }
        }
        supplies
    }

    /// The folder with a program.
    async fn program(&self, context: &Context, hash: Hash) -> Result<PathBuf, Trouble> {
        let place = self.folder.join(hash.to_string());
        if place.is_dir() {
            // Used last goes last.
            let _ = fs::File::open(&place).and_then(|folder| folder.set_modified(SystemTime::now()));
            return Ok(place);
        }
        let bytes = objects::get(context, hash).await?;
        let failed = |error: std::io::Error| Trouble::Other(format!("a program cannot be kept: {error}"));
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let fresh = self.folder.join(format!("new-{}-{}", std::process::id(), crate::dispatch::new_run()));
        let unpacked = pack::unpack(&bytes, &fresh);
        // Somebody else may have fetched the same meanwhile.
        let kept = unpacked.and_then(|()| match fs::rename(&fresh, &place) {
            Err(error) if !place.is_dir() => Err(failed(error)),
            _ => Ok(()),
        });
        let _ = remove_folder(&fresh);
        kept.map(|()| place)
    }

    /// Removes what was not used for the longest time, if there is too much.
    fn make_room(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut kept: Vec<(SystemTime, PathBuf, u64)> = entries
            .flatten()
            .filter_map(|entry| {
                let used = entry.metadata().and_then(|meta| meta.modified()).ok()?;
                Some((used, entry.path(), folder_bytes(&entry.path()).unwrap_or(0)))
            })
            .collect();
        kept.sort();
        let mut bytes: u64 = kept.iter().map(|(_, _, bytes)| bytes).sum();
        for (_, path, size) in kept {
            if bytes <= limits::FETCHED_BYTES {
                return;
            }
            bytes -= size;
            let _ = remove_folder(&path);
        }
    }
}
