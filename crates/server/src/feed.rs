//! The feed of a live match, from the thread that plays it to those who watch. Publishing costs that thread a few copied
//! bytes a turn and, now and then, a wake-up: readers take what there is when they are ready, and a stuck browser takes
//! nothing.

use crate::api::Progress;
use crate::limits;
use crate::playback::Playback;
use crate::spectator_delay::{DelayBuffer, SpectatorDelay, Update};
use palestra_core::replay::Extent;
use palestra_core::{Match, Replay, Seat};
use palestra_runner::{Overheard, Watch};
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
    told: Extent,
    /// By seat: pieces of standard error told, and bytes of the last of them.
    overheard: Vec<(usize, usize)>,
}

impl FeedPublisher {
    pub(crate) fn new(feeds: Vec<Arc<Feed>>, seats: u8) -> FeedPublisher {
        FeedPublisher { feeds, told: Extent::default(), overheard: vec![(0, 0); seats.into()] }
    }

    /// The match has ended, and this is its replay.
    pub fn end(self, replay: Replay) {
        for feed in &self.feeds {
            feed.end(replay.clone());
        }
    }
}

impl Watch for FeedPublisher {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        let recorded = game.recorded();
        let progress = Progress { turns: game.turns(), over: false, to_move: game.state().to_move() };
        for feed in &self.feeds {
            let mut state = feed.state();
            match feed.delay {
                None => {
                    add(&mut state.update, recorded, self.told, overheard, &self.overheard);
                    state.progress = progress;
                }
                Some(SpectatorDelay::Behind { .. }) => {
                    let mut update = Update::default();
                    add(&mut update, recorded, self.told, overheard, &self.overheard);
                    state.buffer.push(update, progress, game.state().rounds(), Instant::now());
                }
                // Its end brings all of it.
                Some(SpectatorDelay::UntilEnd) => {}
            }
            drop(state);
            if feed.delay.is_none() {
                feed.notify();
            }
        }
        self.told = recorded.extent();
        for (index, told) in self.overheard.iter_mut().enumerate() {
            let heard = overheard.stderr(Seat::at(index));
            *told = (heard.len(), heard.last().map_or(0, |(_, piece)| piece.len()));
        }
    }
}

/// Adds what is new since this extent, and on standard error since these pieces and bytes by seat.
fn add(
    update: &mut Update,
    recorded: &Replay,
    since: Extent,
    overheard: Overheard<'_>,
    known: &[(usize, usize)],
) {
    update.tail.extend(recorded, since);
    for (index, (pieces, bytes)) in known.iter().enumerate() {
        let heard = overheard.stderr(Seat::at(index));
        // The last piece told may have grown since.
        for (number, (turn, text)) in heard.iter().enumerate().skip(pieces.saturating_sub(1)) {
            let known = if number + 1 == *pieces { *bytes } else { 0 };
            if text.len() > known {
                update.stderr.push((Seat::at(index), *turn, text[known..].to_vec()));
            }
        }
    }
}
