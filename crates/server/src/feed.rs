//! A match that goes on, as its own thread tells it. Telling costs that thread a few copied bytes a turn and, now and
//! then, a bell: whoever looks on takes what there is when it is ready, and a stuck browser takes nothing.

use crate::api::Progress;
use crate::delay::{Delay, Held, Piece};
use crate::film::Film;
use crate::limits;
use palestra_core::replay::Extent;
use palestra_core::{Match, Replay, Seat};
use palestra_runner::{Overheard, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// What has happened in a match since somebody last looked, as far as it may be seen.
pub(crate) struct Feed {
    news: Mutex<News>,
    /// How late it tells of turns, if it does not do so at once.
    delay: Option<Delay>,
    /// Whether somebody waits for the bell.
    awaited: AtomicBool,
    bell: Notify,
}

struct News {
    piece: Piece,
    whole: Option<Replay>,
    progress: Progress,
    held: Held,
}

impl Feed {
    /// A match that has not begun; `first` is to move.
    pub(crate) fn new(first: Option<Seat>) -> Feed {
        Feed::late(first, None)
    }

    /// One that tells of turns only after this delay.
    pub(crate) fn late(first: Option<Seat>, delay: Option<Delay>) -> Feed {
        let progress = Progress { turns: 0, over: false, to_move: first };
        let news = News { piece: Piece::default(), whole: None, progress, held: Held::default() };
        Feed { news: Mutex::new(news), delay, awaited: AtomicBool::new(false), bell: Notify::new() }
    }

    /// With everything in it that may be seen by now.
    fn news(&self) -> MutexGuard<'_, News> {
        // Nothing is left half done in there, whoever panicked.
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(delay) = self.delay {
            let now = Instant::now();
            while let Some((piece, progress)) = news.held.release(delay, now) {
                news.piece.join(piece);
                news.progress = progress;
            }
        }
        news
    }

    /// Adds what is new to the film.
    pub(crate) fn take_into(&self, film: &mut Film) {
        let (piece, whole) = {
            let mut news = self.news();
            (std::mem::take(&mut news.piece), news.whole.take())
        };
        match whole {
            Some(whole) => film.end(whole),
            None => film.append(piece),
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
            match self.delay {
                // Nobody rings when a turn has become old enough.
                Some(_) => drop(tokio::time::timeout(limits::LATE_LOOK, bell).await),
                None => bell.await,
            }
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
        news.progress = Progress { turns: replay.head.turns, over: true, to_move: None };
        news.held.clear();
        news.whole = Some(replay);
        drop(news);
        self.ring();
    }
}

/// Tells feeds of a match, from the thread that plays it.
pub struct Reporter {
    /// One for those who may see it at once, and perhaps one for everybody else.
    feeds: Vec<Arc<Feed>>,
    told: Extent,
    /// By seat: pieces of standard error told, and bytes of the last of them.
    overheard: Vec<(usize, usize)>,
}

impl Reporter {
    pub(crate) fn new(feeds: Vec<Arc<Feed>>, seats: u8) -> Reporter {
        Reporter { feeds, told: Extent::default(), overheard: vec![(0, 0); seats.into()] }
    }

    /// The match has ended, and this is its replay.
    pub fn end(self, replay: Replay) {
        for feed in &self.feeds {
            feed.end(replay.clone());
        }
    }
}

impl Watch for Reporter {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        let recorded = game.recorded();
        let progress = Progress { turns: game.turns(), over: false, to_move: game.state().to_move() };
        for feed in &self.feeds {
            let mut news = feed.news();
            match feed.delay {
                None => {
                    add(&mut news.piece, recorded, self.told, overheard, &self.overheard);
                    news.progress = progress;
                }
                Some(Delay::Behind { .. }) => {
                    let mut piece = Piece::default();
                    add(&mut piece, recorded, self.told, overheard, &self.overheard);
                    news.held.hold(piece, progress, game.state().rounds(), Instant::now());
                }
                // Its end brings all of it.
                Some(Delay::UntilEnd) => {}
            }
            drop(news);
            if feed.delay.is_none() {
                feed.ring();
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
    piece: &mut Piece,
    recorded: &Replay,
    since: Extent,
    overheard: Overheard<'_>,
    known: &[(usize, usize)],
) {
    piece.tail.extend(recorded, since);
    for (index, (pieces, bytes)) in known.iter().enumerate() {
        let heard = overheard.stderr(Seat::at(index));
        // The last piece told may have grown since.
        for (number, (turn, text)) in heard.iter().enumerate().skip(pieces.saturating_sub(1)) {
            let known = if number + 1 == *pieces { *bytes } else { 0 };
            if text.len() > known {
                piece.stderr.push((Seat::at(index), *turn, text[known..].to_vec()));
            }
        }
    }
}
