//! The hall in which programs play: one thread for each set of cores, so that bots of different matches never share one.

use super::{Fixture, Report, local};
use palestra_runner::{Cores, Guard, Interrupt};
use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Plays matches side by side. Dropping it breaks off those that are being played, and waits until their bots are gone.
pub struct Hall {
    queue: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
    interrupt: Interrupt,
    /// Matches that are being played, or wait for a place.
    taken: Arc<AtomicUsize>,
}

type Job = (Fixture, oneshot::Sender<Report>);

impl Hall {
    /// With one place for each set of cores; see [`palestra_league::hall::places`].
    pub fn new(places: Vec<Cores>, guard: Arc<Guard>, runtime: Handle) -> io::Result<Hall> {
        let (sender, queue) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        let mut hall = Hall {
            queue: Some(sender),
            workers: Vec::with_capacity(places.len()),
            interrupt: Interrupt::new()?,
            taken: Arc::default(),
        };
        for cores in places {
            let place = Place {
                cores,
                queue: Arc::clone(&queue),
                guard: Arc::clone(&guard),
                interrupt: hall.interrupt.clone(),
                taken: Arc::clone(&hall.taken),
                runtime: runtime.clone(),
            };
            let worker = thread::Builder::new().name("hall".to_owned()).spawn(move || place.work())?;
            hall.workers.push(worker);
        }
        Ok(hall)
    }

    /// Has a match played as soon as there is a place. A report never comes only if the hall is dropped before.
    pub fn play(&self, fixture: Fixture) -> oneshot::Receiver<Report> {
        let (sender, report) = oneshot::channel();
        self.taken.fetch_add(1, Ordering::Relaxed);
        let queue = self.queue.as_ref().expect("open until it is dropped");
        // The workers end after the queue, so that there is always one to take it.
        let _ = queue.send((fixture, sender));
        report
    }

    /// How many matches would begin at once.
    pub fn room(&self) -> usize {
        self.workers.len().saturating_sub(self.taken.load(Ordering::Relaxed))
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.interrupt.raise();
        self.queue = None;
        for worker in self.workers.drain(..) {
            // It catches what its matches do.
            let _ = worker.join();
        }
    }
}

struct Place {
    cores: Cores,
    queue: Arc<Mutex<Receiver<Job>>>,
    guard: Arc<Guard>,
    interrupt: Interrupt,
    taken: Arc<AtomicUsize>,
    runtime: Handle,
}

impl Place {
    fn work(&self) {
        while let Some((fixture, report)) = self.next() {
            let played = catch_unwind(AssertUnwindSafe(|| {
                local::play(fixture, &self.guard, &self.cores, &self.interrupt, &self.runtime)
            }));
            self.taken.fetch_sub(1, Ordering::Relaxed);
            // Nobody may be left who wants to know.
            let _ = report.send(played.unwrap_or_else(|panic| Err(panic_text(&*panic))));
        }
    }

    /// The next match; nothing when the hall closes.
    fn next(&self) -> Option<Job> {
        let job = self.queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
        job.filter(|_| !self.interrupt.raised())
    }
}

/// The sentence about a match that panicked.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("this is a mistake of the arena's own, please report it: {}", text.unwrap_or("no reason given"))
}
