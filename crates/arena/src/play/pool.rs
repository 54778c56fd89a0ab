//! The workers that play matches of programs: one thread for each set of cores, so that bots of different matches never
//! share one.

use super::{PreparedMatch, Report, local};
use palestra_league::worker_pool::{catch_panic, run_worker};
use palestra_runner::{Cores, Guard, Interrupt};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Plays matches side by side. Dropping it breaks off those that are being played, and waits until their bots are gone.
pub struct WorkerPool {
    queue: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
    interrupt: Interrupt,
    /// Breaks off the matches that give way to others.
    give_way: Mutex<Interrupt>,
    /// Matches that are being played, or wait for a place.
    taken: Arc<AtomicUsize>,
}

/// A match that waits for a place.
struct Job {
    prepared: PreparedMatch,
    /// What breaks it off, if not only the end of the pool does.
    interrupt: Option<Interrupt>,
    report: oneshot::Sender<Report>,
}

impl WorkerPool {
    /// With one place for each set of cores; see [`palestra_league::worker_pool::worker_cores`].
    pub fn new(places: Vec<Cores>, guard: Arc<Guard>, runtime: Handle) -> io::Result<WorkerPool> {
        let (sender, queue) = mpsc::channel();
        let queue = Arc::new(Mutex::new(queue));
        let mut pool = WorkerPool {
            queue: Some(sender),
            workers: Vec::with_capacity(places.len()),
            interrupt: Interrupt::new()?,
            give_way: Mutex::new(Interrupt::new()?),
            taken: Arc::default(),
        };
        for cores in places {
            let (queue, guard, runtime) = (Arc::clone(&queue), Arc::clone(&guard), runtime.clone());
            let (interrupt, taken) = (pool.interrupt.clone(), Arc::clone(&pool.taken));
            let next = {
                let interrupt = interrupt.clone();
                move || {
                    let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
                    job.filter(|_| !interrupt.raised())
                }
            };
            let play = move || {
                run_worker(&cores, next, |job: Job| {
                    let interrupt = job.interrupt.as_ref().unwrap_or(&interrupt);
                    let play = || local::play(job.prepared, &guard, &cores, interrupt, &runtime);
                    let played = catch_panic(play);
                    taken.fetch_sub(1, Ordering::Relaxed);
                    // Nobody may be left who wants to know.
                    let _ = job.report.send(played.unwrap_or_else(|panic| Err(own_mistake(&panic))));
                });
            };
            let worker = thread::Builder::new().name("player".to_owned()).spawn(play)?;
            pool.workers.push(worker);
        }
        Ok(pool)
    }

    /// Has a match played as soon as there is a place. A report never comes only if the pool is dropped before.
    pub fn play(&self, prepared: PreparedMatch) -> oneshot::Receiver<Report> {
        self.enqueue(prepared, None)
    }

    /// The same for a match that is broken off when [`WorkerPool::give_way`] says so.
    pub fn play_giving_way(&self, prepared: PreparedMatch) -> oneshot::Receiver<Report> {
        let interrupt = self.give_way.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.enqueue(prepared, Some(interrupt))
    }

    /// Breaks off the matches that give way to others; those that come later are not concerned.
    pub fn give_way(&self) {
        let mut current = self.give_way.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a new one they go on: one that stays raised would break off all that come later.
        if let Ok(fresh) = Interrupt::new() {
            std::mem::replace(&mut *current, fresh).raise();
        }
    }

    fn enqueue(&self, prepared: PreparedMatch, interrupt: Option<Interrupt>) -> oneshot::Receiver<Report> {
        let (report, reported) = oneshot::channel();
        self.taken.fetch_add(1, Ordering::Relaxed);
        let queue = self.queue.as_ref().expect("open until it is dropped");
        // The workers end after the queue, so that there is always one to take it.
        let _ = queue.send(Job { prepared, interrupt, report });
        reported
    }

    /// How many matches are played side by side.
    pub fn places(&self) -> usize {
        self.workers.len()
    }

    /// How many matches would begin at once.
    pub fn room(&self) -> usize {
        self.workers.len().saturating_sub(self.taken.load(Ordering::Relaxed))
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.interrupt.raise();
        self.give_way.lock().unwrap_or_else(PoisonError::into_inner).raise();
        self.queue = None;
        for worker in self.workers.drain(..) {
            // It catches what its matches do.
            let _ = worker.join();
        }
    }
}

/// The sentence about a match, or a trial, that panicked.
pub(crate) fn own_mistake(panic: &str) -> String {
    format!("this is a mistake of the arena's own, please report it: {panic}")
}
