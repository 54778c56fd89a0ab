//! The hall in which matches are played side by side: one worker for each set of cores, so that bots of different
//! matches never share one.
//!
//! It knows neither tournaments nor stores: a [`Director`] hands out matches and takes in what they brought.

use crate::limits;
use palestra_runner::Cores;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Instant;

/// Says what is played, and takes the results.
pub trait Director {
    /// A match to be played.
    type Job: Send;
    /// What it brought.
    type Report: Send;
    /// Why nothing can go on.
    type Error;

    /// At most so many matches that can be played now. None, while none is being played: the work is done.
    fn next(&mut self, room: usize) -> Result<Vec<Self::Job>, Self::Error>;
    /// A match is over. `Err` is what a panic said.
    fn done(&mut self, job: Self::Job, report: Result<Self::Report, String>) -> Result<(), Self::Error>;
    /// Called every moment: to store and to show. `running` matches are being played.
    fn moment(&mut self, running: usize) -> Result<(), Self::Error>;
    /// Whether to hand out nothing more.
    fn stopped(&self) -> bool;
}

/// Plays until the director has nothing more, or is stopped and everything that was begun has ended.
pub fn run<D: Director>(
    director: &mut D,
    places: &[Cores],
    play: impl Fn(&D::Job, &Cores) -> D::Report + Sync,
) -> Result<(), D::Error> {
    let queue = Queue { state: Mutex::new((VecDeque::new(), true)), changed: Condvar::new() };
    let (sender, reports) = mpsc::channel();
    thread::scope(|scope| {
        for cores in places {
            let (queue, sender, play) = (&queue, sender.clone(), &play);
            scope.spawn(move || {
                while let Some(job) = queue.take() {
                    let report = catch_unwind(AssertUnwindSafe(|| play(&job, cores))).map_err(panic_text);
                    if sender.send((job, report)).is_err() {
                        return;
                    }
                }
            });
        }
        let result = direct(director, &queue, &reports, places.len());
        queue.close();
        result
    })
}

/// Matches that are over; `Err` is what a panic said.
type Reports<D> = mpsc::Receiver<(<D as Director>::Job, Result<<D as Director>::Report, String>)>;

fn direct<D: Director>(
    director: &mut D,
    queue: &Queue<D::Job>,
    reports: &Reports<D>,
    workers: usize,
) -> Result<(), D::Error> {
    // Enough for every worker to find its next match without asking, and not so many that they wait for long.
    let wanted = workers * limits::AHEAD;
    let mut running = 0;
    let mut last = Instant::now();
    loop {
        if director.stopped() {
            running -= queue.clear();
        } else if running <= wanted / 2 {
            let jobs = director.next(wanted - running)?;
            running += jobs.len();
            queue.put(jobs);
        }
        if running == 0 {
            return director.moment(0);
        }
        let left = limits::COMMIT_EVERY.saturating_sub(last.elapsed());
        match reports.recv_timeout(left) {
            Ok((job, report)) => {
                running -= 1;
                director.done(job, report)?;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if last.elapsed() >= limits::COMMIT_EVERY {
            director.moment(running)?;
            last = Instant::now();
        }
    }
}

/// Matches that wait for a worker, and whether more may come.
struct Queue<J> {
    state: Mutex<(VecDeque<J>, bool)>,
    changed: Condvar,
}

impl<J> Queue<J> {
    fn put(&self, jobs: Vec<J>) {
        self.state.lock().expect("no worker panics with the queue in hand").0.extend(jobs);
        self.changed.notify_all();
    }

    fn take(&self) -> Option<J> {
        let mut state = self.state.lock().expect("no worker panics with the queue in hand");
        loop {
            if let Some(job) = state.0.pop_front() {
                return Some(job);
            }
            if !state.1 {
                return None;
            }
            state = self.changed.wait(state).expect("no worker panics with the queue in hand");
        }
    }

    /// Throws away what nobody has begun; says how much that was.
    fn clear(&self) -> usize {
        let mut state = self.state.lock().expect("no worker panics with the queue in hand");
        state.0.drain(..).count()
    }

    fn close(&self) {
        let mut state = self.state.lock().expect("no worker panics with the queue in hand");
        *state = (VecDeque::new(), false);
        self.changed.notify_all();
    }
}

fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}

/// The cores of each worker: those this process may use, in sets of `per_match`, at most `parallel` of them. Fewer
/// cores than one match wants, or a system that does not bind: left to the scheduler.
pub fn places(per_match: usize, parallel: Option<usize>) -> Vec<Cores> {
    let cores = Cores::available();
    let mut places: Vec<Cores> =
        cores.chunks_exact(per_match.max(1)).map(|set| Cores::List(set.to_vec())).collect();
    match parallel {
        Some(parallel) if parallel <= places.len() => places.truncate(parallel),
        // More at the same time than there are cores for: nobody has one alone, and the system shares them out.
        Some(parallel) => places = vec![Cores::Any; parallel],
        None if places.is_empty() => places.push(Cores::Any),
        None => {}
    }
    places
}
