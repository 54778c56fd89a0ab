//! How long a bot was ready to run and did not: the kernel's run-queue delay, thread by thread.
//!
//! Threads of one bot that keep each other waiting are no fault of the machine's. While a thread waits for one of its
//! own, that one uses processor time: so much of a thread's waiting as the bot's other threads have used does not count.

use crate::limits;
use crate::process::Process;
use crate::span::Span;
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// A bot's threads while it is its turn.
#[derive(Debug)]
pub(crate) struct RunQueue {
    begun: Instant,
    looked: Instant,
    /// What the bot had used then.
    used: Duration,
    stolen: Duration,
    threads: BTreeMap<i32, Watched>,
}

/// A thread that is watched.
#[derive(Clone, Copy, Debug)]
struct Watched {
    /// As it was first seen; one that began later had used nothing.
    first: Thread,
    last: Thread,
    /// A wait that is not over: the kernel adds it to the others when the thread runs next.
    pending: Duration,
}

/// What the kernel says of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Thread {
    ran: Duration,
    delayed: Duration,
    /// How often it was given the processor.
    slices: u64,
    is_ready: bool,
}

impl RunQueue {
    /// Begins to watch the threads of a bot, which has used so much.
    pub(crate) fn watch(process: &Process, used: Duration) -> RunQueue {
        let threads = read_threads(&process.members());
        let now = Instant::now();
        let watched = |thread| Watched { first: thread, last: thread, pending: Duration::ZERO };
        let threads = threads.into_iter().map(|(id, thread)| (id, watched(thread))).collect();
        RunQueue { begun: now, looked: now, used, stolen: stolen(), threads }
    }

    /// Looks again. A wait that lasts from one look to the next is only known because somebody looked.
    pub(crate) fn look(&mut self, process: &Process) {
        let now = Instant::now();
        self.take_in(read_threads(&process.members()), now.duration_since(self.looked));
        self.looked = now;
    }

    fn take_in(&mut self, threads: BTreeMap<i32, Thread>, passed: Duration) {
        for (id, thread) in threads {
            let new = Watched { first: Thread::default(), last: Thread::default(), pending: Duration::ZERO };
            let watched = self.threads.entry(id).or_insert(new);
            // Ready then and not run since: it cannot have gone to sleep in between.
            let waits_on = watched.last.is_ready && watched.last.slices == thread.slices;
            watched.pending = if waits_on { watched.pending + passed } else { Duration::ZERO };
            watched.last = thread;
        }
    }

    /// What became of the time up to now, when the bot has used so much.
    pub(crate) fn end(mut self, process: &Process, used: Duration) -> Span {
        self.look(process);
        let watched = self.looked - self.begun;
        let used = used.saturating_sub(self.used);
        let stolen = stolen().saturating_sub(self.stolen);
        self.span(watched, used, stolen)
    }

    fn span(&self, watched: Duration, used: Duration, stolen: Duration) -> Span {
        let idle = watched.saturating_sub(used);
        let (mut starved, mut queued) = (Duration::ZERO, Duration::ZERO);
        for thread in self.threads.values() {
            let ran = thread.last.ran.saturating_sub(thread.first.ran);
            let waited = thread.last.delayed.saturating_sub(thread.first.delayed) + thread.pending;
            let siblings = used.saturating_sub(ran);
            starved = starved.max((waited + stolen).saturating_sub(siblings));
            queued = queued.max(waited);
        }
        Span { starved: starved.min(idle), slept: idle.saturating_sub(queued + stolen) }
    }
}

/// The threads of these processes, or about the first so many.
fn read_threads(pids: &[Pid]) -> BTreeMap<i32, Thread> {
    let mut found = BTreeMap::new();
    for pid in pids {
        let Ok(threads) = fs::read_dir(format!("/proc/{}/task", pid.as_raw_pid())) else {
            continue;
        };
        for thread in threads.flatten() {
            let id = thread.file_name().to_str().and_then(|name| name.parse().ok());
            let text = |file: &str| fs::read_to_string(thread.path().join(file)).ok();
            if let (Some(id), Some(delays), Some(stat)) = (id, text("schedstat"), text("stat"))
                && let Some(thread) = parse(&delays, &stat)
            {
                found.insert(id, thread);
            }
        }
        if found.len() >= limits::TREE_PROCESSES {
            break;
        }
    }
    found
}

fn parse(schedstat: &str, stat: &str) -> Option<Thread> {
    let mut numbers = schedstat.split_ascii_whitespace().map_while(|word| word.parse::<u64>().ok());
    let (ran, delayed, slices) = (numbers.next()?, numbers.next()?, numbers.next()?);
    // The name, in parentheses, may hold anything.
    let state = stat.rsplit_once(')')?.1.trim_start();
    Some(Thread {
        ran: Duration::from_nanos(ran),
        delayed: Duration::from_nanos(delayed),
        slices,
        is_ready: state.starts_with('R'),
    })
}

/// Time that the machine below this virtual one has taken from the cores that this thread may run on, whichever of them
/// lost the least.
fn stolen() -> Duration {
    let Ok(cores) = rustix::thread::sched_getaffinity(None) else {
        return Duration::ZERO;
    };
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let mut least = None;
    for line in text.lines().skip(1).map_while(|line| line.strip_prefix("cpu")) {
        let mut words = line.split_ascii_whitespace();
        let core = words.next().and_then(|word| word.parse::<usize>().ok());
        // user, nice, system, idle, iowait, irq, softirq, steal
        let ticks = words.nth(7).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        if core.is_some_and(|core| core < rustix::thread::CpuSet::MAX_CPU && cores.is_set(core)) {
            least = Some(least.map_or(ticks, |least: u64| least.min(ticks)));
        }
    }
    Duration::from_millis(least.unwrap_or(0) * 1000 / rustix::param::clock_ticks_per_second())
}

/// The run-queue delay of the thread that drives a match.
#[derive(Debug, Default)]
pub(crate) struct OwnDelay {
    /// Opened when a bot is waited for: built-in players are not.
    file: Option<fs::File>,
    /// When it was last read, and what it said.
    read: Option<(Instant, Duration)>,
}

impl OwnDelay {
    /// A turn begins: delays from before do not count, but for those of the last moment, which would cost too much to
    /// tell apart.
    pub(crate) fn begin_turn(&mut self, now: Instant) {
        if self.read.is_none() {
            self.file = fs::File::open("/proc/thread-self/schedstat").ok();
        }
        if self.read.is_none_or(|(when, _)| now.saturating_duration_since(when) >= limits::LOOK_EVERY) {
            self.read = Some((now, self.now()));
        }
    }

    /// How long this thread was ready to run and did not, since the turn began.
    pub(crate) fn in_turn(&self) -> Duration {
        self.read.map_or(Duration::ZERO, |(_, before)| self.now().saturating_sub(before))
    }

    fn now(&self) -> Duration {
        use std::os::unix::fs::FileExt as _;
        let mut text = [0; 96];
        let length = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        let text = str::from_utf8(&text[..length]).unwrap_or_default();
        let delayed = text.split_ascii_whitespace().nth(1).and_then(|word| word.parse().ok());
        Duration::from_nanos(delayed.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::{RunQueue, Span, Thread, Watched, parse};
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// A bot whose threads have run and waited for so many milliseconds each, within 40 in which it has used `used`.
    fn span(threads: &[(u64, u64)], used: u64) -> Span {
        let thread = |(ran, delayed): &(u64, u64)| Thread {
            ran: MS(*ran),
            delayed: MS(*delayed),
            slices: 9,
            is_ready: true,
        };
        let watched = |thread| Watched { first: Thread::default(), last: thread, pending: Duration::ZERO };
        let threads = threads.iter().map(thread).map(watched).enumerate();
        queue(threads.map(|(id, thread)| (id as i32, thread)).collect()).span(MS(40), MS(used), MS(0))
    }

    fn queue(threads: BTreeMap<i32, Watched>) -> RunQueue {
        let now = Instant::now();
        RunQueue { begun: now, looked: now, used: MS(0), stolen: MS(0), threads }
    }

    #[test]
    fn waiting_beside_others_is_starving() {
        assert_eq!(span(&[(10, 30)], 10), Span { starved: MS(30), slept: MS(0) });
    }

    #[test]
    fn sleeping_is_not() {
        assert_eq!(span(&[(1, 0)], 1), Span { starved: MS(0), slept: MS(39) });
        assert_eq!(span(&[], 0), Span { starved: MS(0), slept: MS(40) });
    }

    #[test]
    fn threads_that_wait_for_each_other_do_not_starve() {
        assert_eq!(span(&[(5, 35); 8], 40), Span { starved: MS(0), slept: MS(0) });
        // They wake together, use little, and sleep: each waits for all others, while the core has nothing to do.
        assert_eq!(span(&[(1, 14); 15], 15).starved, MS(0));
    }

    #[test]
    fn threads_that_compete_with_others_too_starve_by_what_the_others_took() {
        assert_eq!(span(&[(3, 37); 8], 24), Span { starved: MS(16), slept: MS(0) });
    }

    #[test]
    fn what_was_stolen_counts_for_those_who_wanted_it() {
        let thread = Thread { ran: MS(10), delayed: MS(0), slices: 1, is_ready: true };
        let watched = Watched { first: Thread::default(), last: thread, pending: MS(0) };
        let queue = queue(BTreeMap::from([(1, watched)]));
        assert_eq!(queue.span(MS(40), MS(10), MS(30)), Span { starved: MS(30), slept: MS(0) });
    }

    #[test]
    fn a_wait_that_is_not_over_is_known_by_looking() {
        let ready = Thread { ran: MS(1), delayed: MS(2), slices: 7, is_ready: true };
        let mut queue = queue(BTreeMap::from([(1, Watched { first: ready, last: ready, pending: MS(0) })]));
        queue.take_in(BTreeMap::from([(1, ready)]), MS(20));
        queue.take_in(BTreeMap::from([(1, ready)]), MS(20));
        assert_eq!(queue.span(MS(40), MS(0), MS(0)), Span { starved: MS(40), slept: MS(0) });
        // When it has run, the kernel has counted the wait.
        let ran = Thread { ran: MS(2), delayed: MS(45), slices: 8, is_ready: true };
        queue.take_in(BTreeMap::from([(1, ran)]), MS(5));
        assert_eq!(queue.span(MS(45), MS(1), MS(0)), Span { starved: MS(43), slept: MS(1) });
    }

    #[test]
    fn one_that_slept_when_it_was_seen_may_have_slept_on() {
        let asleep = Thread { ran: MS(1), delayed: MS(2), slices: 7, is_ready: false };
        let mut queue = queue(BTreeMap::from([(1, Watched { first: asleep, last: asleep, pending: MS(0) })]));
        queue.take_in(BTreeMap::from([(1, Thread { is_ready: true, ..asleep })]), MS(40));
        assert_eq!(queue.span(MS(40), MS(0), MS(0)), Span { starved: MS(0), slept: MS(40) });
    }

    #[test]
    fn the_kernels_words_are_understood() {
        let thread = parse("1500 2500 3\n", "12 (a) R) R 1 2 3").unwrap();
        let nanos = Duration::from_nanos;
        assert_eq!(thread, Thread { ran: nanos(1500), delayed: nanos(2500), slices: 3, is_ready: true });
        assert_eq!(parse("1 2", "12 (a) S 1"), None);
    }
}
