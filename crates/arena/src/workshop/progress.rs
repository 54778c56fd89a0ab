//! How a version that is being tried gets on, for those who look on. Looking costs the workshop nothing: everybody
//! takes what is there when it is ready for it.

use crate::api::{VersionState, VersionView};
use crate::ids::VersionId;
use crate::limits;
use crate::store::Store;
use futures_util::{Stream, stream};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// A piece of what happens to a version.
#[derive(Clone, Debug)]
pub enum Update {
    /// More of its log.
    Log(String),
    /// It has come further; without its log until the end.
    State(Box<VersionView>),
}

/// The versions that wait or are being tried.
#[derive(Default)]
pub(super) struct ProgressLog(Mutex<HashMap<VersionId, watch::Sender<Progress>>>);

/// How far one has come.
pub(super) struct Progress {
    state: VersionState,
    log: String,
    /// Whether the log takes no more.
    full: bool,
}

impl ProgressLog {
    pub(super) fn begin(&self, version: VersionId) {
        let progress = Progress { state: VersionState::Queued, log: String::new(), full: false };
        self.open().insert(version, watch::Sender::new(progress));
    }

    /// It has come so far.
    pub(super) fn enter(&self, version: VersionId, state: VersionState) {
        self.change(version, |progress| progress.state = state);
    }

    /// Something is to be told to its author.
    pub(super) fn tell(&self, version: VersionId, text: &str) {
        self.change(version, |progress| progress.add(text));
    }

    /// What becomes of it, which is told however much was told before.
    pub(super) fn conclude(&self, version: VersionId, text: &str) {
        self.change(version, |progress| progress.log.push_str(&storable(text)));
    }

    /// Everything that was told.
    pub(super) fn log(&self, version: VersionId) -> String {
        self.open().get(&version).map(|progress| progress.borrow().log.clone()).unwrap_or_default()
    }

    /// It is settled, and that is stored.
    pub(super) fn end(&self, version: VersionId) {
        self.open().remove(&version);
    }

    fn change(&self, version: VersionId, change: impl FnOnce(&mut Progress)) {
        if let Some(progress) = self.open().get(&version) {
            progress.send_modify(change);
        }
    }

    fn subscribe(&self, version: VersionId) -> Option<watch::Receiver<Progress>> {
        self.open().get(&version).map(watch::Sender::subscribe)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<VersionId, watch::Sender<Progress>>> {
        // Nothing is left half done in there, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn add(&mut self, text: &str) {
        if self.full {
            return;
        }
        let text = storable(text);
        let room = limits::VERSION_LOG_BYTES.saturating_sub(self.log.len());
        self.full = text.len() > room;
        self.log.push_str(&text[..text.floor_char_boundary(room)]);
        if self.full {
            self.log.push_str("\n(there is more, which is not kept)\n");
        }
    }
}

/// No database takes zero bytes in a text.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// What has happened to a version, what happens, and in the end what became of it.
pub(super) fn follow(
    log: &ProgressLog,
    store: Store,
    version: VersionId,
) -> impl Stream<Item = Update> + Send + use<> {
    let progress = log.subscribe(version);
    let follower = Follower { store, version, progress, told: 0, state: None };
    stream::unfold(Some(follower), |follower| async { follower?.next().await })
}

struct Follower {
    store: Store,
    version: VersionId,
    /// Nothing once it is settled.
    progress: Option<watch::Receiver<Progress>>,
    /// Bytes of the log that were told.
    told: usize,
    /// The state that was told.
    state: Option<VersionState>,
}

impl Follower {
    async fn next(mut self) -> Option<(Update, Option<Follower>)> {
        while let Some(progress) = &mut self.progress {
            let (news, state) = {
                let progress = progress.borrow_and_update();
                (progress.log[self.told..].to_owned(), progress.state)
            };
            if self.state != Some(state) {
                self.state = Some(state);
                let view = VersionView { state, log: None, ..self.view().await? };
                return Some((Update::State(Box::new(view)), Some(self)));
            }
            if !news.is_empty() {
                self.told += news.len();
                return Some((Update::Log(news), Some(self)));
            }
            if progress.changed().await.is_err() {
                self.progress = None;
            }
        }
        let view = self.view().await?;
        let log = view.log.as_deref().unwrap_or_default();
        if let Some(rest) = log.get(self.told..).filter(|rest| !rest.is_empty()) {
            let rest = rest.to_owned();
            self.told += rest.len();
            return Some((Update::Log(rest), Some(self)));
        }
        Some((Update::State(Box::new(view)), None))
    }

    async fn view(&self) -> Option<VersionView> {
        self.store.version(self.version).await.ok().flatten().map(VersionView::from)
    }
}
