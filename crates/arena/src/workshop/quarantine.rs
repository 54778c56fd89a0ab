//! What was at work when the arena died, and may have killed it.
//!
//! Which programs are at work is in the store before they begin, and until they end. After a death all of them are
//! suspects, most of them innocent: a power cut has nothing to do with any. So each is tried alone before any other
//! program plays. The one that is alone at work when the arena dies again is set aside; the others go on as before. A
//! program that only kills in a match with real opponents passes that trial: after the next death the hub plays one
//! match at a time, in which suspects do not meet, and whoever is at work at the third death in a row is set aside.

use super::Shared;
use crate::api::VersionState;
use crate::ids::VersionId;
use crate::limits;
use crate::store::{Changes, StoreError, Suspect, Version};
use std::sync::Arc;
use tokio::time::Instant;

/// What the author is told.
const SET_ASIDE: &str = "set aside: the arena died again while this was at work; it is not tried any more. \
                         Hand in another version, and ask the organisers if you do not know why\n";

impl Shared {
    /// Counts the last death, if there was one, and sets aside what it proves guilty; gives those who are to be tried.
    pub(super) async fn settle_suspects(&self) -> Result<Vec<VersionId>, StoreError> {
        let mut tried = Vec::new();
        for suspect in self.store.count_death().await? {
            let found = self.store.version(suspect.version).await?;
            match found.filter(|version| version.active || is_unsettled(version)) {
                Some(version) if suspect.is_guilty() => self.set_aside(&version, &suspect).await?,
                Some(version) => tried.push(version.id),
                // It would not be started any more.
                None => self.store.end_work(suspect.version).await?,
            }
        }
        Ok(tried)
    }

    async fn set_aside(&self, version: &Version, suspect: &Suspect) -> Result<(), StoreError> {
        self.store.set_aside(version.id, SET_ASIDE).await?;
        let (number, name, game, deaths) = (version.number, &version.name, &version.game, suspect.deaths);
        let text = format!(
            "version {number} of {name}'s bot for {game} was set aside: {deaths} times in a row the arena died while it was at work"
        );
        tracing::error!("{text}");
        self.store.commit(&Changes { log: vec![(None, text)], ..Changes::default() }).await
    }

    /// Tries the suspects, one after the other, and ends the quarantine.
    pub(super) async fn try_suspects(self: Arc<Shared>, suspects: Vec<VersionId>) {
        for id in suspects {
            match self.store.version(id).await {
                Ok(Some(version)) if is_unsettled(&version) => self.try_until_settled(id, true).await,
                Ok(Some(version)) => {
                    if let Err(error) = self.try_alone(&version).await {
                        tracing::error!(%id, %error, "a suspect could not be tried");
                    }
                }
                _ => {}
            }
        }
        self.quarantine.send_replace(false);
    }

    /// Plays the match of a newcomer once more, and forgets how it went: whoever reads this has survived it.
    async fn try_alone(&self, version: &Version) -> Result<(), StoreError> {
        self.store.begin_work(version.id, true).await?;
        if let (Ok(launch), Some(game)) = (self.launch(version).await, self.plan.game(&version.game)) {
            let _ = self.play(game, version, launch, Instant::now() + limits::SMOKE).await;
        }
        self.store.rest_from_work(version.id).await
    }
}

fn is_unsettled(version: &Version) -> bool {
    !matches!(version.state, VersionState::Ready | VersionState::Rejected)
}
