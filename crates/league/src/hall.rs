//! The hall in which matches are played side by side: one worker for each set of cores, so that bots of different
//! matches never share one.
//!
//! It knows neither tournaments nor stores: a [`Director`] hands out matches and takes in what they brought.

use crate::limits;
use palestra_runner::{Cores, Pinned};
use std::any::Any;
use std::collections::VecDeque;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

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
    let floor = Floor::new(places.len());
    thread::scope(|scope| {
        for cores in places {
            let (floor, play) = (&floor, &play);
            scope.spawn(move || {
                work(
                    cores,
                    || floor.take(),
                    |job| {
                        let report = shielded(|| play(&job, cores));
                        floor.report(job, report);
                    },
                );
            });
        }
        let result = direct(director, &floor, places.len());
        floor.close();
        result
    })
}

/// A worker: does whatever it takes up, on its own cores, until there is nothing more.
pub fn work<J>(cores: &Cores, take: impl Fn() -> Option<J>, mut each: impl FnMut(J)) {
    // For good, so that it is not moved about between matches. Where that is not possible, matches say so.
    let _bound = Pinned::new(cores);
    while let Some(job) = take() {
        each(job);
    }
}

/// What this gives, or what it said when it panicked.
pub fn shielded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(panic_text)
}

fn direct<D: Director>(
    director: &mut D,
    floor: &Floor<D::Job, D::Report>,
    workers: usize,
) -> Result<(), D::Error> {
    // Matches that were handed out and are not over.
    let mut running = 0;
    // Matches that came to an end since the last moment.
    let mut ended = 0;
    let mut ahead = ahead_of(workers, 0, limits::COMMIT_EVERY);
    let mut last = Instant::now();
    loop {
        if director.stopped() {
            running -= floor.clear();
        } else if floor.runs_low() {
            let jobs = director.next((workers + ahead).saturating_sub(running))?;
            running += jobs.len();
            floor.put(jobs);
        }
        if running == 0 {
            return director.moment(0);
        }
        for (job, report) in floor.news(limits::COMMIT_EVERY.saturating_sub(last.elapsed())) {
            running -= 1;
            ended += 1;
            director.done(job, report)?;
        }
        let elapsed = last.elapsed();
        if elapsed >= limits::COMMIT_EVERY {
            director.moment(running)?;
            ahead = ahead_of(workers, ended, elapsed);
            floor.set_few(ahead / 2);
            ended = 0;
            last = Instant::now();
        }
    }
}

/// Matches to hand out beside those that are being played: as many as the workers play in a moment, by what they have
/// done in the last one. On a busy machine the director may have to wait for a processor for longer than short matches
/// take, and the workers must not run out of them meanwhile.
fn ahead_of(workers: usize, ended: usize, elapsed: Duration) -> usize {
    let in_a_moment = ended as u128 * limits::COMMIT_EVERY.as_micros() / elapsed.as_micros().max(1);
    (in_a_moment as usize).clamp(workers * limits::AHEAD, workers * limits::FAR_AHEAD)
}

/// Where the director and the workers meet. Workers find their next match without asking, and wake the director only
/// when there are few left: waking it after every match would take time from the matches.
struct Floor<J, R> {
    state: Mutex<State<J, R>>,
    /// There is something to play, or nothing more will come.
    work: Condvar,
    /// There is something for the director.
    news: Condvar,
}

struct State<J, R> {
    waiting: VecDeque<J>,
    over: Vec<Over<J, R>>,
    /// So many waiting matches are few.
    few: usize,
    closed: bool,
}

impl<J, R> State<J, R> {
    fn runs_low(&self) -> bool {
        self.waiting.len() <= self.few
    }
}

/// A match that is over; `Err` is what a panic said.
type Over<J, R> = (J, Result<R, String>);

impl<J, R> Floor<J, R> {
    fn new(workers: usize) -> Floor<J, R> {
        let few = workers * limits::AHEAD / 2;
        let state = State { waiting: VecDeque::new(), over: Vec::new(), few, closed: false };
        Floor { state: Mutex::new(state), work: Condvar::new(), news: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<J, R>> {
        self.state.lock().expect(UNHARMED)
    }

    fn take(&self) -> Option<J> {
        let waits = |state: &mut State<J, R>| state.waiting.is_empty() && !state.closed;
        self.work.wait_while(self.state(), waits).expect(UNHARMED).waiting.pop_front()
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

    fn set_few(&self, few: usize) {
        self.state().few = few;
    }

    fn put(&self, jobs: Vec<J>) {
        self.state().waiting.extend(jobs);
        self.work.notify_all();
    }

    /// What is over, as soon as there is something and few matches wait, or after this time.
    fn news(&self, patience: Duration) -> Vec<Over<J, R>> {
        let waits = |state: &mut State<J, R>| state.over.is_empty() || !state.runs_low();
        let (mut state, _) = self.news.wait_timeout_while(self.state(), patience, waits).expect(UNHARMED);
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
const UNHARMED: &str = "nobody panics with the hall's state in hand";

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

#[cfg(test)]
mod tests {
    use super::ahead_of;
    use crate::limits::{AHEAD, COMMIT_EVERY, FAR_AHEAD};

    #[test]
    fn the_reserve_follows_the_pace_within_its_limits() {
        assert_eq!(ahead_of(2, 0, COMMIT_EVERY), 2 * AHEAD, "long matches");
        assert_eq!(ahead_of(2, 140, COMMIT_EVERY), 140, "short ones");
        assert_eq!(ahead_of(2, 420, 3 * COMMIT_EVERY), 140, "a moment that was late");
        assert_eq!(ahead_of(2, 1_000_000, COMMIT_EVERY), 2 * FAR_AHEAD);
    }
}
