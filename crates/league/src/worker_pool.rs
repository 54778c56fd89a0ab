//! The worker pool: matches side by side, one worker thread for each set of cores, so that bots of different matches
//! never share one; and others elsewhere, if there is somebody ([`Elsewhere`]) who has them played there.
//!
//! It knows neither tournaments nor stores: a [`Scheduler`] hands out jobs and takes in their results.

use crate::limits;
use palestra_runner::{Cores, Pinned};
use std::any::Any;
use std::collections::VecDeque;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// Hands out jobs and takes their results.
pub trait Scheduler {
    /// A match to be played.
    type Job: Send;
    /// What a worker hands back for a job.
    type Report: Send;
    /// Why nothing can go on.
    type Error;

    /// At most so many matches that can be played now. None, while none is being played: the work is done.
    fn next(&mut self, room: usize) -> Result<Vec<Self::Job>, Self::Error>;
    /// A match is over. `Err` is what a panic said.
    fn done(&mut self, job: Self::Job, report: Result<Self::Report, String>) -> Result<(), Self::Error>;
    /// Called every `limits::COMMIT_EVERY`: to store and to show. `running` matches are being played.
    fn tick(&mut self, running: usize) -> Result<(), Self::Error>;
    /// Whether to hand out nothing more.
    fn stopped(&self) -> bool;
}

/// Has matches played on other machines. Its methods are called from several threads.
pub trait Elsewhere<J, R>: Sync {
    /// Matches that are played there at a time.
    fn places(&self) -> usize;
    /// Matches that it would take now.
    fn room(&self) -> usize;
    /// Whether this one can be played there.
    fn accepts(&self, job: &J) -> bool;
    /// Has these played.
    fn play(&self, jobs: Vec<J>);
    /// What has come back, as soon as something has, or after this time.
    fn news(&self, patience: Duration) -> Vec<Back<J, R>>;
    /// Has nothing more played: what is not over comes back.
    fn withdraw(&self);
}

/// What comes back from elsewhere.
#[derive(Debug)]
pub enum Back<J, R> {
    /// A match is over.
    Over(J, R),
    /// Nobody there can play it.
    Unplayed(J),
}

/// Plays until the scheduler has nothing more, or is stopped and everything that was begun has ended.
pub fn run<D: Scheduler>(
    scheduler: &mut D,
    workers: &[Cores],
    play: impl Fn(&D::Job, &Cores) -> D::Report + Sync,
) -> Result<(), D::Error> {
    run_with(scheduler, workers, None, play)
}

/// The same, with matches played elsewhere too. Then there need not be workers here.
pub fn run_with<D: Scheduler>(
    scheduler: &mut D,
    workers: &[Cores],
    elsewhere: Option<&dyn Elsewhere<D::Job, D::Report>>,
    play: impl Fn(&D::Job, &Cores) -> D::Report + Sync,
) -> Result<(), D::Error> {
    let queue = JobQueue::new(workers.len());
    thread::scope(|scope| {
        if let Some(elsewhere) = elsewhere {
            let queue = &queue;
            scope.spawn(move || {
                while let Some(jobs) = queue.take_for(elsewhere) {
                    elsewhere.play(jobs);
                }
            });
            scope.spawn(move || {
                while !queue.is_closed() {
                    queue.come_back(elsewhere.news(limits::COMMIT_EVERY));
                }
            });
        }
        for cores in workers {
            let (queue, play) = (&queue, &play);
            scope.spawn(move || {
                run_worker(
                    cores,
                    || queue.take(),
                    |job| {
                        let report = catch_panic(|| play(&job, cores));
                        queue.report(job, report);
                    },
                );
            });
        }
        let places = || workers.len() + elsewhere.map_or(0, |elsewhere| elsewhere.places());
        let result = schedule(scheduler, &queue, elsewhere, || places().max(1));
        queue.close();
        result
    })
}

/// A worker: does whatever it takes up, on its own cores, until there is nothing more.
pub fn run_worker<J>(cores: &Cores, take: impl Fn() -> Option<J>, mut each: impl FnMut(J)) {
    // For good, so that it is not moved about between matches. Where that is not possible, matches say so.
    let _bound = Pinned::new(cores);
    while let Some(job) = take() {
        each(job);
    }
}

/// What this gives, or what it said when it panicked.
pub fn catch_panic<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(panic_text)
}

fn schedule<D: Scheduler>(
    scheduler: &mut D,
    queue: &JobQueue<D::Job, D::Report>,
    elsewhere: Option<&dyn Elsewhere<D::Job, D::Report>>,
    workers: impl Fn() -> usize,
) -> Result<(), D::Error> {
    // Matches that were handed out and are not over.
    let mut running = 0;
    // Matches that came to an end since the last tick.
    let mut ended = 0;
    let mut ahead = prefetch(workers(), 0, limits::COMMIT_EVERY);
    let mut last = Instant::now();
    loop {
        if scheduler.stopped() {
            running -= queue.clear();
            // Again and again: some may just have been on their way there.
            if let Some(elsewhere) = elsewhere.filter(|_| running > 0) {
                elsewhere.withdraw();
            }
        } else if queue.runs_low() {
            let here = (workers() + ahead).saturating_sub(running);
            // They know best how much is on its way to them and back.
            let there = elsewhere.map_or(0, |elsewhere| elsewhere.room().saturating_sub(queue.waiting()));
            let jobs = scheduler.next(here.max(there))?;
            running += jobs.len();
            queue.put(jobs);
        }
        if running == 0 {
            return scheduler.tick(0);
        }
        for (job, report) in queue.news(limits::COMMIT_EVERY.saturating_sub(last.elapsed())) {
            running -= 1;
            ended += 1;
            scheduler.done(job, report)?;
        }
        let elapsed = last.elapsed();
        if elapsed >= limits::COMMIT_EVERY {
            scheduler.tick(running)?;
            ahead = prefetch(workers(), ended, elapsed);
            queue.set_low_water(ahead / 2);
            ended = 0;
            last = Instant::now();
        }
    }
}

/// Matches to hand out beside those that are being played: as many as the workers play between two ticks, by what they
/// have done since the last one. On a busy machine the scheduler may have to wait for a processor for longer than short matches
/// take, and the workers must not run out of them meanwhile.
fn prefetch(workers: usize, ended: usize, elapsed: Duration) -> usize {
    let per_tick = ended as u128 * limits::COMMIT_EVERY.as_micros() / elapsed.as_micros().max(1);
    (per_tick as usize).clamp(workers * limits::PREFETCH_MIN, workers * limits::PREFETCH_MAX)
}

/// Jobs that wait and results nobody has taken yet. Workers find their next match without asking, and wake the scheduler only
/// when few are left: waking it after every match would take time from the matches.
struct JobQueue<J, R> {
    state: Mutex<State<J, R>>,
    /// There is something to play, or nothing more will come.
    work: Condvar,
    /// There is something for the scheduler.
    news: Condvar,
}

struct State<J, R> {
    waiting: VecDeque<J>,
    over: Vec<Over<J, R>>,
    /// So many waiting jobs, or fewer, wake the scheduler.
    low_water: usize,
    closed: bool,
}

impl<J, R> State<J, R> {
    fn runs_low(&self) -> bool {
        self.waiting.len() <= self.low_water
    }
}

/// A match that is over; `Err` is what a panic said.
type Over<J, R> = (J, Result<R, String>);

impl<J, R> JobQueue<J, R> {
    fn new(workers: usize) -> JobQueue<J, R> {
        let low_water = workers * limits::PREFETCH_MIN / 2;
        let state = State { waiting: VecDeque::new(), over: Vec::new(), low_water, closed: false };
        JobQueue { state: Mutex::new(state), work: Condvar::new(), news: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<J, R>> {
        self.state.lock().expect(NOT_POISONED)
    }

    fn take(&self) -> Option<J> {
        let waits = |state: &mut State<J, R>| state.waiting.is_empty() && !state.closed;
        self.work.wait_while(self.state(), waits).expect(NOT_POISONED).waiting.pop_front()
    }

    /// Jobs for somebody else, as many as are wanted there and can be played there; nothing when no more will come.
    fn take_for(&self, elsewhere: &dyn Elsewhere<J, R>) -> Option<Vec<J>> {
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            let room = elsewhere.room();
            let mut taken = Vec::new();
            let mut kept = VecDeque::new();
            while taken.len() < room
                && let Some(job) = state.waiting.pop_front()
            {
                if elsewhere.accepts(&job) { taken.push(job) } else { kept.push_back(job) }
            }
            while let Some(job) = kept.pop_back() {
                state.waiting.push_front(job);
            }
            if !taken.is_empty() {
                if state.runs_low() {
                    self.news.notify_one();
                }
                return Some(taken);
            }
            // There may be room, or a worker, without anybody here being told.
            state = self.work.wait_timeout(state, limits::LOOK_ELSEWHERE).expect(NOT_POISONED).0;
        }
    }

    /// Takes in what was played elsewhere, or was not.
    fn come_back(&self, back: Vec<Back<J, R>>) {
        if back.is_empty() {
            return;
        }
        let mut state = self.state();
        for one in back {
            match one {
                Back::Over(job, report) => state.over.push((job, Ok(report))),
                Back::Unplayed(job) => state.waiting.push_front(job),
            }
        }
        if state.runs_low() {
            self.news.notify_one();
        }
        self.work.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.state().closed
    }

    fn report(&self, job: J, report: Result<R, String>) {
        let mut state = self.state();
        state.over.push((job, report));
        if state.runs_low() {
            self.news.notify_one();
        }
    }

    fn runs_low(&self) -> bool {
        self.state().runs_low()
    }

    fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    fn set_low_water(&self, low_water: usize) {
        self.state().low_water = low_water;
    }

    fn put(&self, jobs: Vec<J>) {
        self.state().waiting.extend(jobs);
        self.work.notify_all();
    }

    /// What is over, as soon as there is something and few matches wait, or after this time.
    fn news(&self, patience: Duration) -> Vec<Over<J, R>> {
        let waits = |state: &mut State<J, R>| state.over.is_empty() || !state.runs_low();
        let (mut state, _) = self.news.wait_timeout_while(self.state(), patience, waits).expect(NOT_POISONED);
        mem::take(&mut state.over)
    }

    /// Throws away what nobody has begun; says how much that was.
    fn clear(&self) -> usize {
        self.state().waiting.drain(..).count()
    }

    fn close(&self) {
        let mut state = self.state();
        state.waiting.clear();
        state.closed = true;
        self.work.notify_all();
    }
}

/// Why the state can always be locked.
const NOT_POISONED: &str = "nobody panics while holding the queue's lock";

fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}

/// The cores of each worker: those this process may use, in sets of `per_match`, at most `parallel` of them. Fewer
/// cores than one match wants, or a system that does not bind: left to the scheduler.
pub fn worker_cores(per_match: usize, parallel: Option<usize>) -> Vec<Cores> {
    let cores = Cores::available();
    let mut workers: Vec<Cores> =
        cores.chunks_exact(per_match.max(1)).map(|set| Cores::List(set.to_vec())).collect();
    match parallel {
        Some(parallel) if parallel <= workers.len() => workers.truncate(parallel),
        // More at the same time than there are cores for: nobody has one alone, and the system shares them out.
        Some(parallel) => workers = vec![Cores::Any; parallel],
        None if workers.is_empty() => workers.push(Cores::Any),
        None => {}
    }
    workers
}

#[cfg(test)]
mod tests {
    use super::{Back, Elsewhere, Scheduler, prefetch, run_with};
    use crate::limits::{COMMIT_EVERY, PREFETCH_MAX, PREFETCH_MIN};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};
    use std::{mem, thread};

    /// Has room for so much, and plays what it has as soon as that is full, or nothing more comes.
    struct Far {
        room: usize,
        taken: Mutex<Vec<u32>>,
        most: AtomicUsize,
    }

    impl Elsewhere<u32, u32> for Far {
        fn places(&self) -> usize {
            1
        }

        fn room(&self) -> usize {
            self.room - self.taken.lock().unwrap().len()
        }

        fn accepts(&self, _: &u32) -> bool {
            true
        }

        fn play(&self, jobs: Vec<u32>) {
            self.taken.lock().unwrap().extend(jobs);
        }

        fn news(&self, patience: Duration) -> Vec<Back<u32, u32>> {
            let patient = Instant::now() + 10 * patience;
            while self.room() > 0 && Instant::now() < patient {
                thread::sleep(patience / 100);
            }
            let taken = mem::take(&mut *self.taken.lock().unwrap());
            self.most.fetch_max(taken.len(), Ordering::Relaxed);
            taken.into_iter().map(|job| Back::Over(job, job)).collect()
        }

        fn withdraw(&self) {}
    }

    struct Count {
        left: u32,
        over: u32,
    }

    impl Scheduler for Count {
        type Job = u32;
        type Report = u32;
        type Error = ();

        fn next(&mut self, room: usize) -> Result<Vec<u32>, ()> {
            let count = self.left.min(room as u32);
            self.left -= count;
            Ok((0..count).collect())
        }

        fn done(&mut self, _: u32, _: Result<u32, String>) -> Result<(), ()> {
            self.over += 1;
            Ok(())
        }

        fn tick(&mut self, _: usize) -> Result<(), ()> {
            Ok(())
        }

        fn stopped(&self) -> bool {
            false
        }
    }

    #[test]
    fn those_elsewhere_are_given_as_much_as_they_have_room_for() {
        let room = 10 * PREFETCH_MIN;
        let far = Far { room, taken: Mutex::default(), most: AtomicUsize::new(0) };
        let mut count = Count { left: 2 * room as u32, over: 0 };
        run_with(&mut count, &[], Some(&far), |_, _| 0).unwrap();
        assert_eq!((count.over, far.most.into_inner()), (2 * room as u32, room));
    }

    #[test]
    fn the_reserve_follows_the_pace_within_its_limits() {
        assert_eq!(prefetch(2, 0, COMMIT_EVERY), 2 * PREFETCH_MIN, "long matches");
        assert_eq!(prefetch(2, 140, COMMIT_EVERY), 140, "short ones");
        assert_eq!(prefetch(2, 420, 3 * COMMIT_EVERY), 140, "a tick that was late");
        assert_eq!(prefetch(2, 1_000_000, COMMIT_EVERY), 2 * PREFETCH_MAX);
    }
}
