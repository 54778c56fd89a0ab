//! A match that goes on, as its own thread tells it. Telling costs that thread a few copied bytes a turn and, now and
//! then, a bell: whoever looks on takes what there is when it is ready, and a stuck browser takes nothing.

use crate::api::Progress;
use crate::film::Film;
use palestra_core::replay::{Extent, Tail};
use palestra_core::{Match, Replay, Seat};
use palestra_runner::{Overheard, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// What has happened in a match since somebody last looked.
pub(crate) struct Feed {
    news: Mutex<News>,
    /// Whether somebody waits for the bell.
    awaited: AtomicBool,
    bell: Notify,
}

struct News {
    tail: Tail,
    /// Pieces of standard error: seat, turn, bytes.
    stderr: Vec<(Seat, u32, Vec<u8>)>,
    whole: Option<Replay>,
    progress: Progress,
}

impl Feed {
    /// A match that has not begun; `first` is to move.
    pub(crate) fn new(first: Option<Seat>) -> Feed {
        let progress = Progress { turns: 0, over: false, to_move: first };
        Feed {
            news: Mutex::new(News { tail: Tail::default(), stderr: Vec::new(), whole: None, progress }),
            awaited: AtomicBool::new(false),
            bell: Notify::new(),
        }
    }

    fn news(&self) -> MutexGuard<'_, News> {
        // Nothing is left half done in there, whoever panicked.
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what is new to the film.
    pub(crate) fn take_into(&self, film: &mut Film) {
        let (tail, stderr, whole) = {
            let mut news = self.news();
            (std::mem::take(&mut news.tail), std::mem::take(&mut news.stderr), news.whole.take())
        };
        if let Some(whole) = whole {
            return film.end(whole);
        }
        let Some(replay) = film.growing() else { return };
        if !tail.is_empty() {
            replay.append(tail);
        }
        for (seat, turn, bytes) in stderr {
            replay.stderr.resize(replay.stderr.len().max(seat.index() + 1), Vec::new());
            match replay.stderr[seat.index()].last_mut() {
                Some((last, piece)) if *last == turn => piece.extend(bytes),
                _ => replay.stderr[seat.index()].push((turn, bytes)),
            }
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        self.news().progress
    }

    #[cfg(test)]
    pub(crate) fn set_turns(&self, turns: u32) {
        self.news().progress.turns = turns;
    }

    /// Waits until there is progress beyond this.
    pub(crate) async fn wait(&self, seen: Progress) -> Progress {
        loop {
            let bell = self.bell.notified();
            tokio::pin!(bell);
            bell.as_mut().enable();
            // The match looks at this after every turn; what it did before is seen below.
            self.awaited.store(true, Ordering::SeqCst);
            let progress = self.progress();
            if progress != seen {
                return progress;
            }
            bell.await;
        }
    }

    fn ring(&self) {
        if self.awaited.swap(false, Ordering::SeqCst) {
            self.bell.notify_waiters();
        }
    }

    /// The match has ended, and this is its replay.
    pub(crate) fn end(&self, replay: Replay) {
        let mut news = self.news();
        news.progress = Progress { turns: replay.turns, over: true, to_move: None };
        news.whole = Some(replay);
        drop(news);
        self.ring();
    }
}

/// Tells a feed of a match, from the thread that plays it.
pub struct Reporter {
    feed: Arc<Feed>,
    told: Extent,
    /// By seat: pieces of standard error told, and bytes of the last of them.
    overheard: Vec<(usize, usize)>,
}

impl Reporter {
    pub(crate) fn new(feed: Arc<Feed>, seats: u8) -> Reporter {
        Reporter { feed, told: Extent::default(), overheard: vec![(0, 0); seats.into()] }
    }

    /// The match has ended, and this is its replay.
    pub fn end(self, replay: Replay) {
        self.feed.end(replay);
    }
}

impl Watch for Reporter {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        let recorded = game.recorded();
        let mut news = self.feed.news();
        news.tail.extend(recorded, self.told);
        self.told = recorded.extent();
        for (index, (pieces, bytes)) in self.overheard.iter_mut().enumerate() {
            let heard = overheard.stderr(Seat::at(index));
            // The last piece told may have grown since.
            let from = pieces.saturating_sub(1);
            for (number, (turn, piece)) in heard.iter().enumerate().skip(from) {
                let known = if number + 1 == *pieces { *bytes } else { 0 };
                if piece.len() > known {
                    news.stderr.push((Seat::at(index), *turn, piece[known..].to_vec()));
                }
            }
            (*pieces, *bytes) = (heard.len(), heard.last().map_or(0, |(_, piece)| piece.len()));
        }
        news.progress = Progress { turns: game.turns(), over: false, to_move: game.table().to_move() };
        drop(news);
        self.feed.ring();
    }
}
