//! Answers that many ask for. However many browsers look on, a match is played again once for all of them: they are
//! told of its progress at the same moments, and between two such moments equal questions have one answer.

use crate::api::Progress;
use crate::feed::Feed;
use crate::limits;
use axum::body::Bytes;
use palestra_core::{Eye, Seat};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A question about a match, by whose eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// With the only seat that whoever asks may look through, if there is such.
    Head(Option<Seat>),
    Frames {
        eye: Eye,
        every: u32,
        chunk: u32,
        after: u32,
    },
    Overview(Eye),
}

/// A moment of a match that goes on, as all who look on are told it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Beat {
    number: u64,
    pub(crate) progress: Progress,
}

/// Those who look on, and what they were told.
pub(crate) struct Crowd {
    beat: Mutex<(Beat, Instant)>,
    answers: Mutex<Answers>,
    heads: AtomicU32,
    /// Held by whoever works an answer out, so that the others find it instead of working too.
    pub(crate) desk: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Answers {
    /// The beat they belong to.
    beat: u64,
    list: VecDeque<(Asked, Bytes)>,
    bytes: usize,
}

impl Crowd {
    pub(crate) fn new(progress: Progress) -> Crowd {
        Crowd {
            beat: Mutex::new((Beat { number: 0, progress }, Instant::now())),
            answers: Mutex::default(),
            heads: AtomicU32::new(0),
            desk: tokio::sync::Mutex::new(()),
        }
    }

    /// Counts somebody who looks on until the answer is dropped.
    pub(crate) fn join(self: &Arc<Crowd>) -> Spectator {
        self.heads.fetch_add(1, Ordering::Relaxed);
        Spectator(Arc::clone(self))
    }

    /// The least time between two beats: none for a few, and so long for many that all of them together cost no more
    /// than so many answers a second.
    fn pause(&self) -> Duration {
        let pause = limits::SPECTATOR_SHARE * self.heads.load(Ordering::Relaxed);
        if pause > limits::PROGRESS_EVERY { pause } else { Duration::ZERO }
    }

    /// How long somebody who looks on waits before the next news.
    pub(crate) fn patience(&self) -> Duration {
        self.pause().max(limits::PROGRESS_EVERY)
    }

    /// The moment that everybody is told of now.
    pub(crate) fn beat(&self, feed: &Feed) -> Beat {
        let mut now = self.beat.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = feed.progress();
        if progress != now.0.progress && (progress.over || now.1.elapsed() >= self.pause()) {
            *now = (Beat { number: now.0.number + 1, progress }, Instant::now());
        }
        now.0
    }

    /// The answer that is known to this question at this beat.
    pub(crate) fn known(&self, beat: u64, asked: Asked) -> Option<Bytes> {
        let answers = self.answers_of(beat)?;
        answers.list.iter().find(|(question, _)| *question == asked).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer for the others.
    pub(crate) fn keep(&self, beat: u64, asked: Asked, answer: &Bytes) {
        let Some(mut answers) = self.answers_of(beat) else { return };
        answers.bytes += answer.len();
        answers.list.push_back((asked, answer.clone()));
        while answers.bytes > limits::ANSWERS_BYTES
            && let Some((_, oldest)) = answers.list.pop_front()
        {
            answers.bytes -= oldest.len();
        }
    }

    /// The answers of this beat; `None` if the match has gone on since.
    fn answers_of(&self, beat: u64) -> Option<MutexGuard<'_, Answers>> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.beat < beat {
            *answers = Answers { beat, ..Answers::default() };
        }
        (answers.beat == beat).then_some(answers)
    }
}

impl Beat {
    pub(crate) fn number(self) -> u64 {
        self.number
    }
}

/// Somebody who looks on.
pub(crate) struct Spectator(Arc<Crowd>);

impl Drop for Spectator {
    fn drop(&mut self) {
        self.0.heads.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Crowd};
    use crate::api::Progress;
    use crate::feed::Feed;
    use crate::limits;
    use axum::body::Bytes;
    use palestra_core::Eye;
    use std::sync::Arc;

    fn crowd() -> Arc<Crowd> {
        Arc::new(Crowd::new(Progress { turns: 0, over: false, to_move: None }))
    }

    fn question(chunk: u32) -> Asked {
        Asked::Frames { eye: Eye::Spectator, every: 1, chunk, after: 0 }
    }

    #[test]
    fn answers_last_for_one_beat_and_take_little_room() {
        let crowd = crowd();
        let long = Bytes::from(vec![b' '; limits::ANSWERS_BYTES / 2]);
        for chunk in 0..3 {
            crowd.keep(0, question(chunk), &long);
        }
        assert_eq!(crowd.known(0, question(0)), None, "the oldest makes room");
        assert!(crowd.known(0, question(1)).is_some() && crowd.known(0, question(2)).is_some());
        assert_eq!(crowd.known(1, question(2)), None, "the match has gone on");
        crowd.keep(0, question(2), &long);
        assert_eq!(crowd.known(1, question(2)), None, "an answer that comes late is not kept");
    }

    #[test]
    fn few_are_told_at_once_and_many_at_the_same_moments() {
        let crowd = crowd();
        let feed = Feed::new(None);
        let few = crowd.join();
        feed.set_turns(1);
        assert_eq!(crowd.beat(&feed).progress.turns, 1);
        let many: Vec<_> = (0..1_000_000).map(|_| crowd.join()).collect();
        feed.set_turns(2);
        assert_eq!(crowd.beat(&feed).progress.turns, 1, "the next beat is minutes away");
        drop((few, many));
        assert_eq!(crowd.beat(&feed).progress.turns, 2);
    }
}
