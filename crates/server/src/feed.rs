//! The feed of a live match, from the thread that plays it to those who watch. Publishing costs that thread a few copied
//! bytes a turn and, now and then, a wake-up: readers take what there is when they are ready, and a stuck browser takes
//! nothing.

use crate::api::Progress;
use crate::limits;
use crate::playback::Playback;
use crate::spectator_delay::{DelayBuffer, SpectatorDelay, Update};
use palestra_core::replay::Tail;
use palestra_core::{Cursor, Match, Replay, Seat};
use palestra_runner::{Heard, Overheard, Told, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// What has happened in a match since somebody last looked, as far as it may be seen.
pub(crate) struct Feed {
    state: Mutex<FeedState>,
    /// How late it tells of turns, if it does not do so at once.
    delay: Option<SpectatorDelay>,
    /// Whether somebody waits to be woken.
    awaited: AtomicBool,
    wake: Notify,
}

struct FeedState {
    /// Turns that nobody has taken yet.
    update: Update,
    /// The whole of it, once it has ended.
    replay: Option<Replay>,
    progress: Progress,
    buffer: DelayBuffer,
}

impl Feed {
    /// A match that has not begun; `first` is to move.
    pub(crate) fn new(first: Option<Seat>) -> Feed {
        Feed::delayed(first, None)
    }

    /// One that tells of turns only after this delay.
    pub(crate) fn delayed(first: Option<Seat>, delay: Option<SpectatorDelay>) -> Feed {
        let progress = Progress { turns: 0, over: false, to_move: first };
        let state =
            FeedState { update: Update::default(), replay: None, progress, buffer: DelayBuffer::default() };
        Feed { state: Mutex::new(state), delay, awaited: AtomicBool::new(false), wake: Notify::new() }
    }

    /// With everything in it that may be seen by now.
    fn state(&self) -> MutexGuard<'_, FeedState> {
        // Nothing is left half done in there, whoever panicked.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(delay) = self.delay {
            let now = Instant::now();
            while let Some((update, progress)) = state.buffer.release(delay, now) {
                state.update.join(update);
                state.progress = progress;
            }
        }
        state
    }

    /// Appends what is new.
    pub(crate) fn take_into(&self, playback: &mut Playback) {
        let (update, whole) = {
            let mut state = self.state();
            (std::mem::take(&mut state.update), state.replay.take())
        };
        match whole {
            Some(whole) => playback.end(whole),
            None => playback.append(update),
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        self.state().progress
    }

    #[cfg(test)]
    pub(crate) fn set_turns(&self, turns: u32) {
        self.state().progress.turns = turns;
    }

    /// Waits until there is progress beyond this.
    pub(crate) async fn wait(&self, seen: Progress) -> Progress {
        loop {
            let wake = self.wake.notified();
            tokio::pin!(wake);
            wake.as_mut().enable();
            // The match looks at this after every turn; what it did before is seen below.
            self.awaited.store(true, Ordering::SeqCst);
            let progress = self.progress();
            if progress != seen {
                return progress;
            }
            match self.delay {
                // Nobody notifies when a turn has become old enough.
                Some(_) => drop(tokio::time::timeout(limits::DELAY_POLL, wake).await),
                None => wake.await,
            }
        }
    }

    fn notify(&self) {
        if self.awaited.swap(false, Ordering::SeqCst) {
            self.wake.notify_waiters();
        }
    }

    /// The match has ended, and this is its replay.
    pub(crate) fn end(&self, replay: Replay) {
        let mut state = self.state();
        state.progress = Progress { turns: replay.head.turns, over: true, to_move: None };
        state.buffer.clear();
        state.replay = Some(replay);
        drop(state);
        self.notify();
    }
}

/// Publishes a live match to its feeds, from the thread that plays it.
pub struct FeedPublisher {
    /// One for those who may see it at once, and perhaps one for everybody else.
    feeds: Vec<Arc<Feed>>,
    told: Told,
}

impl FeedPublisher {
    pub(crate) fn new(feeds: Vec<Arc<Feed>>, seats: u8) -> FeedPublisher {
        FeedPublisher { feeds, told: Told::new(seats) }
    }

    /// The match has ended, and this is its replay.
    pub fn end(self, replay: Replay) {
        for feed in &self.feeds {
            feed.end(replay.clone());
        }
    }

    /// Turns that were played elsewhere: what the recording and standard error got by them, and where they led.
    pub fn turns(&mut self, tail: &Tail, stderr: &[Heard], cursor: &Cursor) {
        let progress = Progress { turns: cursor.turn(), over: false, to_move: cursor.state().to_move() };
        self.publish(progress, cursor.state().rounds(), |update| {
            update.join(Update { tail: tail.clone(), stderr: stderr.to_vec() });
        });
    }

    /// Tells every feed what `add` adds.
    fn publish(&self, progress: Progress, rounds: u32, add: impl Fn(&mut Update)) {
        for feed in &self.feeds {
            let mut state = feed.state();
            match feed.delay {
                None => {
                    add(&mut state.update);
                    state.progress = progress;
                }
                Some(SpectatorDelay::Behind { .. }) => {
                    let mut update = Update::default();
                    add(&mut update);
                    state.buffer.push(update, progress, rounds, Instant::now());
                }
                // Its end brings all of it.
                Some(SpectatorDelay::UntilEnd) => {}
            }
            drop(state);
            if feed.delay.is_none() {
                feed.notify();
            }
        }
    }
}

impl Watch for FeedPublisher {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        let recorded = game.recorded();
        let progress = Progress { turns: game.turns(), over: false, to_move: game.state().to_move() };
        self.publish(progress, game.state().rounds(), |update| {
            self.told.add(recorded, overheard, &mut update.tail, &mut update.stderr);
        });
        self.told.advance(recorded, overheard);
    }
}
