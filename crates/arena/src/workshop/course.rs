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
pub enum Piece {
    /// More of its log.
    Log(String),
    /// It has come further; without its log until the end.
    State(Box<VersionView>),
}

/// The versions that wait or are being tried.
#[derive(Default)]
pub(super) struct Courses(Mutex<HashMap<VersionId, watch::Sender<Course>>>);

/// How far one has come.
pub(super) struct Course {
    state: VersionState,
    log: String,
    /// Whether the log takes no more.
    full: bool,
}

impl Courses {
    /// It waits.
    pub(super) fn begin(&self, version: VersionId) {
        let course = Course { state: VersionState::Queued, log: String::new(), full: false };
        self.open().insert(version, watch::Sender::new(course));
    }

    /// It has come so far.
    pub(super) fn enter(&self, version: VersionId, state: VersionState) {
        self.change(version, |course| course.state = state);
    }

    /// Something is to be told to its author.
    pub(super) fn tell(&self, version: VersionId, text: &str) {
        self.change(version, |course| course.add(text));
    }

    /// What becomes of it, which is told however much was told before.
    pub(super) fn conclude(&self, version: VersionId, text: &str) {
        self.change(version, |course| course.log.push_str(&storable(text)));
    }

    /// Everything that was told.
    pub(super) fn log(&self, version: VersionId) -> String {
        self.open().get(&version).map(|course| course.borrow().log.clone()).unwrap_or_default()
    }

    /// It is settled, and that is stored.
    pub(super) fn end(&self, version: VersionId) {
        self.open().remove(&version);
    }

    fn change(&self, version: VersionId, change: impl FnOnce(&mut Course)) {
        if let Some(course) = self.open().get(&version) {
            course.send_modify(change);
        }
    }

    fn subscribe(&self, version: VersionId) -> Option<watch::Receiver<Course>> {
        self.open().get(&version).map(watch::Sender::subscribe)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<VersionId, watch::Sender<Course>>> {
        // Nothing is left half done in there, whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Course {
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
    courses: &Courses,
    store: Store,
    version: VersionId,
) -> impl Stream<Item = Piece> + Send + use<> {
    let course = courses.subscribe(version);
    let follower = Follower { store, version, course, told: 0, state: None };
    stream::unfold(Some(follower), |follower| async { follower?.next().await })
}

struct Follower {
    store: Store,
    version: VersionId,
    /// Nothing once it is settled.
    course: Option<watch::Receiver<Course>>,
    /// Bytes of the log that were told.
    told: usize,
    /// The state that was told.
    state: Option<VersionState>,
}

impl Follower {
    async fn next(mut self) -> Option<(Piece, Option<Follower>)> {
        while let Some(course) = &mut self.course {
            let (news, state) = {
                let course = course.borrow_and_update();
                (course.log[self.told..].to_owned(), course.state)
            };
            if self.state != Some(state) {
                self.state = Some(state);
                let view = VersionView { state, log: None, ..self.view().await? };
                return Some((Piece::State(Box::new(view)), Some(self)));
            }
            if !news.is_empty() {
                self.told += news.len();
                return Some((Piece::Log(news), Some(self)));
            }
            if course.changed().await.is_err() {
                self.course = None;
            }
        }
        let view = self.view().await?;
        let log = view.log.as_deref().unwrap_or_default();
        if let Some(rest) = log.get(self.told..).filter(|rest| !rest.is_empty()) {
            let rest = rest.to_owned();
            self.told += rest.len();
            return Some((Piece::Log(rest), Some(self)));
        }
        Some((Piece::State(Box::new(view)), None))
    }

    async fn view(&self) -> Option<VersionView> {
        self.store.version(self.version).await.ok().flatten().map(VersionView::from)
    }
}
