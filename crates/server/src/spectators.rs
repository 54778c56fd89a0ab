//! Those who watch a match, and the responses they share. However many browsers watch, a match is played again once for
//! all of them: they hear of its progress at the same moments, its revisions, and equal queries at one revision have one
//! response.

use crate::api::Progress;
use crate::feed::Feed;
use crate::limits;
use axum::body::Bytes;
use palestra_core::{Eye, Seat};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a browser asks about a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CacheKey {
    /// With the only seat that whoever asks may look through, if there is such.
    Head(Option<Seat>),
    Frames {
        eye: Eye,
        every: u32,
        chunk: u32,
        after: u32,
    },
    Overview(Eye),
    Defeats,
}

/// How far a live match has come, as all spectators are told at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Revision {
    number: u64,
    pub(crate) progress: Progress,
}

/// The spectators of one match.
pub(crate) struct Spectators {
    revision: Mutex<(Revision, Instant)>,
    cache: Mutex<Cache>,
    count: AtomicU32,
    /// Held by whoever works a response out, so that the others find it cached.
    pub(crate) single_flight: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Cache {
    /// The revision that its responses belong to.
    revision: u64,
    list: VecDeque<(CacheKey, Bytes)>,
    bytes: usize,
}

impl Spectators {
    pub(crate) fn new(progress: Progress) -> Spectators {
        Spectators {
            revision: Mutex::new((Revision { number: 0, progress }, Instant::now())),
            cache: Mutex::default(),
            count: AtomicU32::new(0),
            single_flight: tokio::sync::Mutex::new(()),
        }
    }

    /// Counts a spectator until the guard is dropped.
    pub(crate) fn join(self: &Arc<Spectators>) -> Spectator {
        self.count.fetch_add(1, Ordering::Relaxed);
        Spectator(Arc::clone(self))
    }

    /// The least time between two revisions: none for a few, and so long for many that all of them together cost no more
    /// than so many responses a second.
    fn pause(&self) -> Duration {
        let pause = limits::SPECTATOR_SHARE * self.count.load(Ordering::Relaxed);
        if pause > limits::PROGRESS_EVERY { pause } else { Duration::ZERO }
    }

    /// How long a spectator waits before it is told more.
    pub(crate) fn progress_interval(&self) -> Duration {
        self.pause().max(limits::PROGRESS_EVERY)
    }

    /// The revision that everybody is told of now.
    pub(crate) fn revision(&self, feed: &Feed) -> Revision {
        let mut now = self.revision.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = feed.progress();
        if progress != now.0.progress && (progress.over || now.1.elapsed() >= self.pause()) {
            *now = (Revision { number: now.0.number + 1, progress }, Instant::now());
        }
        now.0
    }

    /// The response to this query at this revision.
    pub(crate) fn cached(&self, revision: u64, key: CacheKey) -> Option<Bytes> {
        let cache = self.cache_at(revision)?;
        cache.list.iter().find(|(known, _)| *known == key).map(|(_, response)| response.clone())
    }

    /// Caches a response.
    pub(crate) fn keep(&self, revision: u64, key: CacheKey, response: &Bytes) {
        let Some(mut cache) = self.cache_at(revision) else { return };
        cache.bytes += response.len();
        cache.list.push_back((key, response.clone()));
        while cache.bytes > limits::CACHED_BYTES
            && let Some((_, oldest)) = cache.list.pop_front()
        {
            cache.bytes -= oldest.len();
        }
    }

    /// The cache of this revision; `None` if the match has gone on since.
    fn cache_at(&self, revision: u64) -> Option<MutexGuard<'_, Cache>> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.revision < revision {
            *cache = Cache { revision, ..Cache::default() };
        }
        (cache.revision == revision).then_some(cache)
    }
}

impl Revision {
    pub(crate) fn number(self) -> u64 {
        self.number
    }
}

/// Counts as one as long as it lives.
pub(crate) struct Spectator(Arc<Spectators>);

impl Drop for Spectator {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheKey, Spectators};
    use crate::api::Progress;
    use crate::feed::Feed;
    use crate::limits;
    use axum::body::Bytes;
    use palestra_core::Eye;
    use std::sync::Arc;

    fn spectators() -> Arc<Spectators> {
        Arc::new(Spectators::new(Progress { turns: 0, over: false, to_move: None }))
    }

    fn key(chunk: u32) -> CacheKey {
        CacheKey::Frames { eye: Eye::Spectator, every: 1, chunk, after: 0 }
    }

    #[test]
    fn answers_last_for_one_beat_and_take_little_room() {
        let spectators = spectators();
        let long = Bytes::from(vec![b' '; limits::CACHED_BYTES / 2]);
        for chunk in 0..3 {
            spectators.keep(0, key(chunk), &long);
        }
        assert_eq!(spectators.cached(0, key(0)), None, "the oldest makes room");
        assert!(spectators.cached(0, key(1)).is_some() && spectators.cached(0, key(2)).is_some());
        assert_eq!(spectators.cached(1, key(2)), None, "the match has gone on");
        spectators.keep(0, key(2), &long);
        assert_eq!(spectators.cached(1, key(2)), None, "an answer that comes late is not kept");
    }

    #[test]
    fn few_are_told_at_once_and_many_at_the_same_moments() {
        let spectators = spectators();
        let feed = Feed::new(None);
        let few = spectators.join();
        feed.set_turns(1);
        assert_eq!(spectators.revision(&feed).progress.turns, 1);
        let many: Vec<_> = (0..1_000_000).map(|_| spectators.join()).collect();
        feed.set_turns(2);
        assert_eq!(spectators.revision(&feed).progress.turns, 1, "the next revision is minutes away");
        drop((few, many));
        assert_eq!(spectators.revision(&feed).progress.turns, 2);
    }
}
