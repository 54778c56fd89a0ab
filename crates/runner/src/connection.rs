//! The connection to one outside bot: its pipes, its process, its clocks. Knows nothing of games or turns' meaning.

mod leaving;
mod poll;

use crate::clock::BotClock;
use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::limits;
pub(crate) use crate::platform::why_not_started;
use crate::platform::{self, Input, Output};
use crate::process::{Launch, Pipes, Process};
use crate::run_queue::RunQueue;
use crate::span::Span;
use crate::stderr::StderrLog;
use crate::strays;
use palestra_core::{Exit, Spent};
use palestra_sandbox::Usage;
pub(crate) use poll::{Ready, poll};
use std::io::{self, ErrorKind};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The connection to one outside seat.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) stdin: Option<Input>,
    pub(crate) stdout: Option<Output>,
    pub(crate) stderr: Option<Output>,
    /// What did not fit into the bot's pipe yet.
    pub(crate) unsent: Vec<u8>,
    pub(crate) process: Option<Process>,
    _known: Option<strays::Known>,
    cpu: Option<BotClock>,
    pub(crate) log: StderrLog,
    /// The last lines at the moment of its fault.
    pub(crate) fault_lines: Vec<String>,
    /// Whether its last answer was there before this thread had stepped aside.
    pub(crate) quick: bool,
    pub(crate) frozen: bool,
    /// How long it was not its turn, and how much processor time it used of that.
    between_turns: Duration,
    used_between: Duration,
    /// Whether it has been found to compute while it is not its turn.
    ponders: bool,
    /// How often it was stopped because it computed while another bot was waited for.
    stops: u32,
    /// Whether it was ever stopped because it computes while it is not its turn.
    pub(crate) was_stopped: bool,
    /// Its threads, while it is waited for.
    run_queue: Option<RunQueue>,
    /// What became of its time while it was watched.
    span: Span,
    /// Raised when whoever is at the other end has left for good.
    hang_up: Option<Interrupt>,
    /// Until when it may take to leave by itself, once it has had its last words.
    leave_by: Option<Instant>,
    /// Whether it has left, or was killed: what is left of it is to be ended.
    gone: bool,
    pub(crate) ended_itself: bool,
    /// What it used, once it has ended.
    pub(crate) usage: Usage,
}

impl Connection {
    pub(crate) fn new(pipes: Pipes, process: Option<Process>) -> Connection {
        Connection {
            stdin: Some(pipes.stdin),
            stdout: Some(pipes.stdout),
            stderr: pipes.stderr,
            unsent: Vec::new(),
            cpu: process.as_ref().and_then(BotClock::new),
            process,
            _known: None,
            log: StderrLog::default(),
            fault_lines: Vec::new(),
            quick: true,
            frozen: false,
            between_turns: Duration::ZERO,
            used_between: Duration::ZERO,
            ponders: false,
            stops: 0,
            was_stopped: false,
            run_queue: None,
            span: Span::default(),
            hang_up: None,
            leave_by: None,
            gone: false,
            ended_itself: true,
            usage: Usage::default(),
        }
    }

    pub(crate) fn start(launch: &Launch, mark: &str, guard: &Guard) -> io::Result<Connection> {
        let started = patiently(|| {
            strays::Known::start(|| {
                let (process, pipes) = Process::start(launch, mark, guard)?;
                Ok((process.pid(), (process, pipes)))
            })
        });
        // A bot may be so quick to kill its cell that nobody knows of it.
        let (known, (process, pipes)) = started.inspect_err(|_| strays::sweep(mark))?;
        Ok(Connection { _known: Some(known), ..Connection::new(pipes, Some(process)) })
    }

    /// Somebody who is connected through these pipes, and may leave at any time.
    pub(crate) fn to_client(pipes: Pipes, hang_up: Option<Interrupt>) -> Connection {
        Connection { hang_up, ..Connection::new(pipes, None) }
    }

    /// What is raised when whoever is at the other end leaves, as long as it is in the match.
    pub(crate) fn hang_up(&self) -> Option<&Interrupt> {
        self.hang_up.as_ref().filter(|_| self.leave_by.is_none())
    }

    /// Whether whoever is at the other end has left; said once.
    pub(crate) fn has_hung_up(&mut self) -> bool {
        self.hang_up.take_if(|hang_up| hang_up.raised()).is_some()
    }

    /// Waits until the bot is ready: its start-up is not charged. A bot that was `told` something is ready when it has
    /// read that; any other when it has nothing left to do.
    pub(crate) fn wait_until_started(&mut self, told: bool, interrupt: Option<&Interrupt>) {
        if self.process.is_none() {
            return;
        }
        let start = Instant::now();
        // On a shared core the bot runs as soon as we step aside; a timer would only add its own delay.
        while told && start.elapsed() < Duration::from_millis(1) {
            if self.has_read_all() {
                return;
            }
            std::thread::yield_now();
        }
        self.wait_until_slowly_started(told, start, interrupt);
        // A bot that took its time may have had others work for it; a quick one has no such past.
        self.used();
    }

    fn wait_until_slowly_started(&mut self, told: bool, start: Instant, interrupt: Option<&Interrupt>) {
        let patience = if told { limits::START_UP_IDLE } else { limits::START_UP_QUIET };
        let (mut used, mut active) = (None, start);
        while start.elapsed() < limits::START_UP && !(told && self.has_read_all()) {
            let (ready, interrupted) = poll(&[self], interrupt.as_slice(), Some(Duration::from_micros(500)));
            if ready[0].stdout || ready[0].ended || interrupted {
                return;
            }
            // Somebody who is busy is still starting; somebody who sleeps is not. On a busy machine it may wait for the
            // processor, and its clock stands still meanwhile.
            let now = self.process.as_ref().map(Process::busy_so_far);
            if now != used || now.is_some_and(|(_, runnable)| runnable) {
                (used, active) = (now, Instant::now());
            } else if active.elapsed() > patience {
                return;
            }
        }
    }

    fn has_read_all(&self) -> bool {
        self.stdin.as_ref().is_none_or(platform::has_read_all)
    }

    /// A turn begins: whether the bot should have been stopped meanwhile is seen.
    pub(crate) fn begin_turn(&mut self) {
        if let Some(cpu) = &mut self.cpu {
            let (wall, used) = cpu.begin_turn(Instant::now(), self.process.as_ref());
            self.between_turns += wall;
            self.used_between += used;
            self.ponders |= self.used_between > limits::TIDYING
                && self.used_between * limits::PONDERING_PART > self.between_turns;
        }
        self.run_queue = None;
    }

    /// Another bot is about to move: one that computes while it is not its turn would take time from it.
    pub(crate) fn stop_pondering(&mut self) {
        if self.ponders && !self.frozen && self.leave_by.is_none() {
            self.was_stopped = true;
            self.freeze();
        }
    }

    /// The bot's turn: if it was stopped, it goes on. One whose answer is there already need not, unless too much piles up
    /// for it to read.
    pub(crate) fn go_on(&mut self, wrote_ahead: bool) {
        if self.frozen && (!wrote_ahead || self.unsent.len() > limits::STOPPED_UNREAD_BYTES) {
            self.thaw();
        }
    }

    /// Another bot has been waited for for a while: one that computes meanwhile is stopped until its own turn.
    pub(crate) fn look_between_turns(&mut self) {
        if self.frozen {
            return;
        }
        if let (Some(cpu), Some(process)) = (&mut self.cpu, &self.process)
            && let Some((passed, used)) = cpu.between_turns(process)
            && used * limits::STOLEN_PART > passed
        {
            self.stops += 1;
            self.ponders |= self.stops >= limits::STOPS;
            self.was_stopped |= self.ponders;
            self.freeze();
        }
    }

    /// The bot has been waited for for a while: whether it had the processor is watched from now on.
    pub(crate) fn watch_run_queue(&mut self) {
        if let Some(used) = self.used()
            && let Some(process) = &self.process
        {
            match &mut self.run_queue {
                None => self.run_queue = Some(RunQueue::watch(process, used)),
                Some(queue) => queue.look(process),
            }
        }
    }

    /// What became of the bot's time since it was watched in this turn, and in all before it if those count too.
    pub(crate) fn end_watch(&mut self, with_turns_before: bool) -> Span {
        if !with_turns_before {
            self.span = Span::default();
        }
        if let Some(queue) = self.run_queue.take()
            && let Some(used) = self.used()
            && let Some(process) = &self.process
        {
            self.span += queue.end(process, used);
        }
        self.span
    }

    /// Processor time of everything that the bot has started.
    fn used(&mut self) -> Option<Duration> {
        self.cpu.as_mut()?.everything(self.process.as_ref()?)
    }

    /// How long looking at everything that the bot has started takes.
    pub(crate) fn cost_of_looking(&self) -> Duration {
        self.cpu.as_ref().map_or(Duration::ZERO, BotClock::cost)
    }

    pub(crate) fn freeze(&mut self) {
        if let Some(process) = &self.process {
            process.freeze();
            self.frozen = true;
        }
    }

    pub(crate) fn thaw(&mut self) {
        if let Some(process) = &self.process {
            process.thaw();
            self.frozen = false;
        }
    }

    /// What a turn that began then has taken up to now.
    pub(crate) fn spent(&mut self, match_start: Instant, start: Instant) -> Spent {
        let now = Instant::now();
        let wall = now - start;
        let cpu = self.cpu.as_mut().and_then(|cpu| cpu.so_far(now, wall, self.process.as_ref()));
        Spent { at: now - match_start, wall, cpu }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        if self.unsent.is_empty() {
            let sent = self.write(bytes);
            self.unsent.extend_from_slice(&bytes[sent..]);
        } else {
            self.unsent.extend_from_slice(bytes);
            self.flush();
        }
        if self.unsent.len() > limits::UNREAD_BYTES {
            self.stdin = None;
        }
        if self.stdin.is_none() {
            self.unsent.clear();
        }
    }

    pub(crate) fn flush(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent = unsent;
        self.unsent.drain(..sent);
        if self.leave_by.is_some() && self.unsent.is_empty() {
            self.stdin = None;
        }
    }

    /// Writes what the pipe takes. A bot that no longer reads is found out when its answer is due.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let mut sent = 0;
        while sent < bytes.len() {
            let Some(stdin) = &self.stdin else {
                return bytes.len();
            };
            match platform::write(stdin, &bytes[sent..]) {
                Ok(length) => sent += length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.stdin = None,
            }
        }
        sent
    }

    /// Reads what the bot has written, without waiting: the number of bytes, or `None` once it has closed its output.
    pub(crate) fn read_stdout(&mut self, buffer: &mut [u8]) -> Option<usize> {
        match platform::read(self.stdout.as_ref()?, buffer) {
            Ok(0) => self.stdout = None,
            Ok(length) => return Some(length),
            Err(error) if is_nothing_yet(&error) => return Some(0),
            Err(_) => self.stdout = None,
        }
        None
    }

    /// Takes in what is there of the bot's standard error, up to what a pipe holds: a flood is read again later.
    pub(crate) fn read_stderr(&mut self, turn: u32, buffer: &mut [u8]) {
        let Some(stderr) = &self.stderr else { return };
        match platform::read(stderr, &mut *buffer) {
            Ok(0) => self.stderr = None,
            Ok(length) => self.log.add(turn, &buffer[..length]),
            Err(error) if is_nothing_yet(&error) => {}
            Err(_) => self.stderr = None,
        }
    }

    pub(crate) fn wait_for_exit(&mut self, patience: Duration) -> Option<Exit> {
        let process = self.process.as_ref()?;
        let deadline = Instant::now() + patience;
        loop {
            if let Some(exit) = process.exited() {
                platform::arrives(self.stderr.as_ref());
                return Some(exit);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            match process.ends() {
                Some(end) => {
                    platform::wait_until(deadline, end);
                }
                None => sleep(left.min(Duration::from_millis(5))),
            }
        }
    }

    pub(crate) fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            self.ended_itself &= process.exited().is_some();
            self.usage = process.end();
        }
    }
}

/// Whether a read that failed may be tried again.
pub(crate) fn is_nothing_yet(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Tries again while it fails for a reason that passes by itself and is no fault of the program's: its file is open for writing
/// (a process that another thread is just starting holds what this one has written, for a moment), or the machine has too
/// many processes.
fn patiently<T>(start: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let end = Instant::now() + limits::START_AGAIN;
    let passes =
        |error: &io::Error| matches!(error.kind(), ErrorKind::ExecutableFileBusy | ErrorKind::WouldBlock);
    loop {
        match start() {
            Err(error) if passes(&error) && Instant::now() < end => sleep(limits::START_AGAIN_PAUSE),
            started => return started,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::Connection;
    use crate::{Guard, Launch};
    use std::fs::{self, File};
    use std::thread::{sleep, spawn};
    use std::time::Duration;

    #[test]
    fn a_program_is_started_as_soon_as_nobody_has_it_open_for_writing() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("bot");
        fs::copy("/bin/true", &program).unwrap();
        let open = File::options().append(true).open(&program).unwrap();
        let writer = spawn(move || {
            sleep(Duration::from_millis(300));
            drop(open);
        });
        let launch = Launch::new(vec![program.into()]);
        Connection::start(&launch, "a-mark-of-this-test", &Guard::off()).unwrap();
        writer.join().unwrap();
    }
}
