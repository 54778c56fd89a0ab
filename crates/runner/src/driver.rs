//! Moves a match with child processes, in the calling thread, as close as possible to what two pipes cost.
//!
//! A turn is one write, one wait, one read and a few looks at clocks. Every pipe is non-blocking, so that a bot that
//! neither reads nor writes can hold up nobody but itself.

use crate::clock::TreeClock;
use crate::cores::{Cores, Pinned};
use crate::interrupt::Interrupt;
use crate::limits;
use crate::process::{Launch, Pipes, Process};
use crate::spec::Bot;
use crate::stderr::StderrLog;
use crate::strays;
use crate::transcript::Transcripts;
use palestra_core::{
    AnyGame, Entrant, Exit, Fault, Heard, Match, Next, Outcome, Plan, Replay, Seat, SetupError, Spent,
    TimeControl, Usage,
};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Where and how a match is played.
#[derive(Debug)]
pub struct Arena<'a> {
    /// The time control.
    pub time: TimeControl,
    /// The cores it runs on.
    pub cores: Cores,
    /// Ends it early.
    pub interrupt: Option<&'a Interrupt>,
    /// Keeps what was said.
    pub transcripts: Option<Transcripts>,
}

/// Watches a match go by; called after every turn.
pub trait Watch {
    /// A turn is over.
    fn turn(&mut self, game: &Match);
}

impl Watch for () {
    fn turn(&mut self, _: &Match) {}
}

/// A match that was played to its end.
#[derive(Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Everything about it.
    pub replay: Replay,
    /// Rounds completed.
    pub rounds: u32,
    /// What every seat used.
    pub usage: Vec<Usage>,
    /// Remarks of the rules by seat: those kept, and how many there were.
    pub notes: Vec<(Vec<String>, u32)>,
    /// What went wrong, in order.
    pub faults: Vec<FaultReport>,
    /// Whether every bot ended by itself after its last words, by seat.
    pub ended_itself: Vec<bool>,
    /// The match went well, but its transcripts could not be kept.
    pub transcript_error: Option<String>,
}

/// A fault, with what helps to understand it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultReport {
    /// The turn, counted from 1 over all seats.
    pub turn: u32,
    /// Whose.
    pub seat: Seat,
    /// What happened.
    pub fault: Fault,
    /// The last lines of the bot's standard error.
    pub stderr: Vec<String>,
}

/// Why a match was not played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The map, the settings or the number of bots do not fit.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A bot could not be started.
    #[error("bot {name} could not be started: {why}")]
    Start {
        /// The bot.
        name: String,
        /// What the system says.
        why: String,
    },
    /// The cores asked for are not there.
    #[error("{0}")]
    Cores(String),
    /// Somebody ended it.
    #[error("the match was interrupted")]
    Interrupted,
}

/// Plays a match to its end. Whatever happens, no process of it is left when this returns.
pub fn play(
    game: &dyn AnyGame,
    plan: Plan,
    bots: Vec<Bot>,
    arena: Arena<'_>,
    watch: &mut dyn Watch,
) -> Result<Played, MatchError> {
    let entrants: Vec<Entrant> = bots.iter().map(Bot::entrant).collect();
    let mut game = Match::new(game, plan, &entrants, arena.time)?;
    let _pinned = Pinned::new(&arena.cores).map_err(MatchError::Cores)?;
    let mut driver = Driver {
        lines: Vec::new(),
        mark: new_mark(),
        interrupt: arena.interrupt,
        transcripts: arena.transcripts,
        buffer: vec![0; READ_BYTES],
    };
    driver.connect(&mut game, bots)?;
    driver.play(&mut game, watch)?;
    driver.say_goodbye(&mut game);
    Ok(driver.report(&game))
}

const READ_BYTES: usize = 64 << 10;

struct Driver<'a> {
    lines: Vec<Option<Line>>,
    mark: String,
    interrupt: Option<&'a Interrupt>,
    transcripts: Option<Transcripts>,
    buffer: Vec<u8>,
}

/// The connection to one outside seat.
struct Line {
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    /// What did not fit into the bot's pipe yet.
    unsent: Vec<u8>,
    process: Option<Process>,
    #[cfg(target_os = "linux")]
    _known: Option<strays::Known>,
    cpu: Option<TreeClock>,
    log: StderrLog,
    /// The last lines at the moment of its fault.
    fault_lines: Vec<String>,
    frozen: bool,
    /// When its last words were sent.
    dismissed: Option<Instant>,
    ended_itself: bool,
}

/// What a wait came to.
enum Woken {
    /// Something can be read, or the bot has ended.
    Ready {
        output: bool,
        ended: bool,
    },
    TimeOut,
    Interrupted,
}

impl Driver<'_> {
    fn connect(&mut self, game: &mut Match, bots: Vec<Bot>) -> Result<(), MatchError> {
        for (index, bot) in bots.into_iter().enumerate() {
            let line =
                match bot {
                    Bot::BuiltIn { .. } => None,
                    Bot::Program { name, launch } => Some(Line::start(&launch, &self.mark).map_err(
                        |error| MatchError::Start {
                            name,
                            why: start_error(&launch, &error),
                        },
                    )?),
                    Bot::Pipes { input, output, .. } => Some(Line::new(
                        Pipes {
                            stdin: input,
                            stdout: output,
                            stderr: None,
                        },
                        None,
                    )),
                };
            self.lines.push(line);
            self.send(game, Seat::at(index));
        }
        for line in self.lines.iter_mut().flatten() {
            line.wait_until_started(self.interrupt);
        }
        Ok(())
    }

    fn play(&mut self, game: &mut Match, watch: &mut dyn Watch) -> Result<(), MatchError> {
        loop {
            match game.next() {
                Next::Over => return Ok(()),
                Next::Moved(_) => {
                    if self.interrupt.is_some_and(Interrupt::raised) {
                        return Err(MatchError::Interrupted);
                    }
                }
                Next::Ask(seat, budget) => self.take_turn(game, seat, budget)?,
            }
            self.dismiss(game);
            watch.turn(game);
        }
    }

    fn take_turn(
        &mut self,
        game: &mut Match,
        seat: Seat,
        budget: Option<Duration>,
    ) -> Result<(), MatchError> {
        let turn = game.turns() + 1;
        if let Some(transcripts) = &mut self.transcripts {
            transcripts.turn(seat, turn);
        }
        self.line(seat).begin_turn();
        self.send(game, seat);
        let start = Instant::now();
        if game.wrote_ahead(seat) && game.receive(seat, b"", Spent::NOTHING) == Heard::TurnOver {
            return Ok(());
        }
        loop {
            let deadline = budget.map(|budget| start + budget);
            let woken = self.wait(seat, deadline, turn);
            let wall = start.elapsed();
            let spent = self.line(seat).spent(wall);
            let heard = match woken {
                Woken::Interrupted => return Err(MatchError::Interrupted),
                Woken::TimeOut => game.time_out(seat, spent),
                Woken::Ready { output, ended } => {
                    let (mut heard, mut open) = if output {
                        self.hear(game, seat, spent)
                    } else {
                        (Heard::Waiting, !ended)
                    };
                    // What the bot wrote before it ended counts.
                    while ended && heard == Heard::Waiting && self.has_output(seat) {
                        (heard, open) = self.hear(game, seat, spent);
                    }
                    if heard == Heard::Waiting && (ended || !open) {
                        let exit = self.exit(seat, turn);
                        heard = game.closed(seat, exit, spent);
                    }
                    heard
                }
            };
            if heard == Heard::TurnOver {
                if game.faults().last().is_some_and(|(last, _, _)| *last == turn) {
                    self.after_fault(seat, turn);
                }
                return Ok(());
            }
        }
    }

    /// Reads what there is; says what came of it, and whether more may come.
    fn hear(&mut self, game: &mut Match, seat: Seat, spent: Spent) -> (Heard, bool) {
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        let Some(stdout) = &line.stdout else {
            return (Heard::Waiting, false);
        };
        match rustix::io::read(stdout, &mut self.buffer[..]) {
            Ok(0) => {
                line.stdout = None;
                (Heard::Waiting, false)
            }
            Ok(length) => {
                let bytes = &self.buffer[..length];
                if let Some(transcripts) = &mut self.transcripts {
                    transcripts.received(seat, bytes);
                }
                (game.receive(seat, bytes, spent), true)
            }
            Err(Errno::AGAIN | Errno::INTR) => (Heard::Waiting, true),
            Err(_) => {
                line.stdout = None;
                (Heard::Waiting, false)
            }
        }
    }

    fn has_output(&self, seat: Seat) -> bool {
        let line = self.lines[seat.index()].as_ref().expect("an outside seat");
        line.stdout
            .as_ref()
            .is_some_and(|stdout| rustix::io::ioctl_fionread(stdout).unwrap_or(0) > 0)
    }

    /// Waits until the asked bot has written something, has ended, or is out of time; meanwhile the rest of the ask
    /// goes out and its standard error comes in.
    fn wait(&mut self, seat: Seat, deadline: Option<Instant>, turn: u32) -> Woken {
        loop {
            let line = self.lines[seat.index()].as_mut().expect("an outside seat");
            if line.stdout.is_none() {
                return Woken::Ready {
                    output: false,
                    ended: true,
                };
            }
            let timeout = match deadline {
                None => None,
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Woken::TimeOut;
                    }
                    Some(left)
                }
            };
            let ready = line.poll(self.interrupt, timeout);
            if ready.interrupted {
                return Woken::Interrupted;
            }
            if ready.stderr {
                line.read_stderr(turn, &mut self.buffer);
            }
            if ready.stdin {
                line.flush();
            }
            if ready.stdout || ready.ended {
                return Woken::Ready {
                    output: ready.stdout,
                    ended: ready.ended,
                };
            }
        }
    }

    /// How a bot that has closed its output ended, and its last words on standard error.
    fn exit(&mut self, seat: Seat, turn: u32) -> Exit {
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        let exit = line.wait_for_exit(limits::EXIT_CODE);
        line.read_stderr(turn, &mut self.buffer);
        exit.unwrap_or(Exit::ClosedOutput)
    }

    /// A bot that has failed is kept for its last words, but must not take time from the others.
    fn after_fault(&mut self, seat: Seat, turn: u32) {
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        line.read_stderr(turn, &mut self.buffer);
        line.fault_lines = line.log.last_lines();
        if let Some(process) = &line.process {
            process.freeze();
            line.frozen = true;
        }
    }

    /// Sends last words that are due and ends bots that do not heed them.
    fn dismiss(&mut self, game: &mut Match) {
        for index in 0..self.lines.len() {
            let seat = Seat::at(index);
            let Some(line) = &mut self.lines[index] else {
                continue;
            };
            match line.dismissed {
                None if game.dismissed(seat) => {
                    self.send(game, seat);
                    let line = self.line(seat);
                    line.stdin = None;
                    line.dismissed = Some(Instant::now());
                }
                Some(when) if !line.frozen && line.process.is_some() && when.elapsed() > limits::GRACE => {
                    line.end();
                }
                _ => {}
            }
        }
    }

    /// The end: everybody has had its last words, gets a moment to leave, and is gone after that.
    fn say_goodbye(&mut self, game: &mut Match) {
        self.dismiss(game);
        let turn = game.turns();
        for line in self.lines.iter_mut().flatten() {
            line.stdin = None;
            if let Some(process) = line.process.as_ref().filter(|_| line.frozen) {
                process.thaw();
            }
        }
        let deadline = Instant::now() + limits::GRACE;
        for line in self.lines.iter_mut().flatten() {
            line.wait_for_end(deadline, turn, &mut self.buffer, self.interrupt);
        }
    }

    fn report(mut self, game: &Match) -> Played {
        let logs: Vec<StderrLog> = self
            .lines
            .iter()
            .map(|line| {
                line.as_ref()
                    .map_or_else(StderrLog::default, |line| line.log.clone())
            })
            .collect();
        let seats: Vec<Seat> = Seat::all(self.lines.len() as u8).collect();
        let faults = game
            .faults()
            .iter()
            .map(|(turn, seat, fault)| FaultReport {
                turn: *turn,
                seat: *seat,
                fault: fault.clone(),
                stderr: self.lines[seat.index()]
                    .as_ref()
                    .map_or_else(Vec::new, |line| line.fault_lines.clone()),
            })
            .collect();
        let notes = game.table().notes();
        let notes_of = |seat: Seat| {
            let kept = notes.list().iter().filter(|note| note.seat == seat);
            (
                kept.map(|note| format!("turn {}: {}", note.turn, note.text))
                    .collect(),
                notes.count(seat),
            )
        };
        let transcript_error = self
            .transcripts
            .take()
            .and_then(|transcripts| transcripts.finish(&logs).err().map(|error| error.to_string()));
        let stderr = logs.iter().map(|log| log.pieces().to_vec()).collect();
        let (outcome, replay) = game.finish(stderr).expect("the game is over");
        Played {
            outcome,
            replay,
            rounds: game.table().rounds(),
            usage: seats.iter().map(|seat| game.usage(*seat)).collect(),
            notes: seats.iter().map(|seat| notes_of(*seat)).collect(),
            faults,
            ended_itself: self
                .lines
                .iter()
                .map(|line| line.as_ref().is_none_or(|line| line.ended_itself))
                .collect(),
            transcript_error,
        }
    }

    fn line(&mut self, seat: Seat) -> &mut Line {
        self.lines[seat.index()].as_mut().expect("an outside seat")
    }

    /// Takes what is in a seat's outbox on its way.
    fn send(&mut self, game: &mut Match, seat: Seat) {
        let Some(line) = &mut self.lines[seat.index()] else {
            return;
        };
        let outbox = game.outbox(seat);
        if let Some(transcripts) = &mut self.transcripts {
            transcripts.sent(seat, outbox);
        }
        line.send(outbox);
        outbox.clear();
    }
}

impl Drop for Driver<'_> {
    fn drop(&mut self) {
        // All groups before the first wait: bots that wait for each other do not hold us up.
        for line in self.lines.iter_mut().flatten() {
            line.end();
        }
        #[cfg(target_os = "linux")]
        if self.lines.iter().any(Option::is_some) {
            strays::sweep(&self.mark);
        }
    }
}

/// What a poll found.
#[derive(Default)]
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
    ended: bool,
    interrupted: bool,
}

impl Line {
    fn new(pipes: Pipes, process: Option<Process>) -> Line {
        Line {
            stdin: Some(pipes.stdin),
            stdout: Some(pipes.stdout),
            stderr: pipes.stderr,
            unsent: Vec::new(),
            cpu: process.as_ref().map(|process| TreeClock::new(process.pid())),
            process,
            #[cfg(target_os = "linux")]
            _known: None,
            log: StderrLog::default(),
            fault_lines: Vec::new(),
            frozen: false,
            dismissed: None,
            ended_itself: true,
        }
    }

    #[cfg(target_os = "linux")]
    fn start(launch: &Launch, mark: &str) -> std::io::Result<Line> {
        let (known, (process, pipes)) = strays::Known::start(|| {
            let (process, pipes) = Process::start(launch, mark)?;
            Ok((process.pid(), (process, pipes)))
        })?;
        Ok(Line {
            _known: Some(known),
            ..Line::new(pipes, Some(process))
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn start(launch: &Launch, mark: &str) -> std::io::Result<Line> {
        let (process, pipes) = Process::start(launch, mark)?;
        Ok(Line::new(pipes, Some(process)))
    }

    /// Waits until the bot reads its input for the first time: its start-up is not charged.
    fn wait_until_started(&mut self, interrupt: Option<&Interrupt>) {
        let (Some(stdin), Some(_)) = (&self.stdin, &self.process) else {
            return;
        };
        let unread = |fd: &OwnedFd| rustix::io::ioctl_fionread(fd).unwrap_or(0);
        let start = Instant::now();
        // On a shared core the bot runs as soon as we step aside; a timer would only add its own delay.
        while start.elapsed() < Duration::from_millis(1) {
            if unread(stdin) == 0 {
                return;
            }
            #[cfg(target_os = "linux")]
            rustix::thread::sched_yield();
        }
        let mut used = None;
        let mut active = Instant::now();
        while unread(self.stdin.as_ref().expect("still open")) > 0 && start.elapsed() < limits::START_UP {
            let ready = self.poll(interrupt, Some(Duration::from_micros(500)));
            if ready.stdout || ready.ended || ready.interrupted {
                return;
            }
            // Somebody who is busy is still starting; somebody who sleeps is not.
            let now = self.cpu.as_mut().and_then(TreeClock::total);
            if now != used {
                (used, active) = (now, Instant::now());
            } else if active.elapsed() > limits::START_UP_IDLE {
                return;
            }
        }
    }

    fn begin_turn(&mut self) {
        if let Some(cpu) = &mut self.cpu {
            cpu.begin_turn();
        }
    }

    fn spent(&mut self, wall: Duration) -> Spent {
        Spent {
            wall,
            cpu: self.cpu.as_mut().and_then(|cpu| cpu.end_turn(wall)),
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        if self.unsent.is_empty() {
            let sent = self.write(bytes);
            self.unsent.extend_from_slice(&bytes[sent..]);
        } else {
            self.unsent.extend_from_slice(bytes);
            self.flush();
        }
        if self.stdin.is_none() {
            self.unsent.clear();
        }
    }

    fn flush(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent = unsent;
        self.unsent.drain(..sent);
    }

    /// Writes what the pipe takes. A bot that no longer reads is found out when its answer is due.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let mut sent = 0;
        while sent < bytes.len() {
            let Some(stdin) = &self.stdin else {
                return bytes.len();
            };
            match rustix::io::write(stdin, &bytes[sent..]) {
                Ok(length) => sent += length,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(_) => self.stdin = None,
            }
        }
        sent
    }

    fn poll(&mut self, interrupt: Option<&Interrupt>, timeout: Option<Duration>) -> Ready {
        let exit = self.process.as_ref().and_then(Process::exit_fd);
        // Where no exit can be waited for, look for it now and then.
        let blind = self.process.is_some() && exit.is_none();
        let timeout = if blind {
            Some(timeout.unwrap_or(Duration::MAX).min(Duration::from_millis(20)))
        } else {
            timeout
        };
        let timeout = timeout.map(|timeout| Timespec {
            tv_sec: timeout.as_secs().min(i32::MAX as u64) as _,
            tv_nsec: timeout.subsec_nanos().into(),
        });
        let stdin = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let watched = [
            self.stdout.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)),
            self.stderr.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)),
            exit.map(|fd| PollFd::new(fd, PollFlags::IN)),
            stdin.map(|fd| PollFd::new(fd, PollFlags::OUT)),
            interrupt.map(|interrupt| PollFd::from_borrowed_fd(interrupt.fd(), PollFlags::IN)),
        ];
        let present = watched.each_ref().map(Option::is_some);
        let mut polled: Vec<PollFd<'_>> = watched.into_iter().flatten().collect();
        if rustix::event::poll(&mut polled, timeout.as_ref()).is_err() {
            return Ready::default();
        }
        let mut results = polled.iter();
        let [stdout, stderr, ended, stdin, interrupted] =
            present.map(|there| there && results.next().is_some_and(|fd| !fd.revents().is_empty()));
        let ended = ended
            || (blind
                && self
                    .process
                    .as_ref()
                    .is_some_and(|process| process.exited().is_some()));
        Ready {
            stdin,
            stdout,
            stderr,
            ended,
            interrupted,
        }
    }

    /// Takes in what is there of the bot's standard error, without waiting and without end.
    fn read_stderr(&mut self, turn: u32, buffer: &mut [u8]) {
        // As much as a pipe holds; a bot that floods it is read again with the next poll.
        for _ in 0..2 {
            let Some(stderr) = &self.stderr else { return };
            match rustix::io::read(stderr, &mut *buffer) {
                Ok(0) => self.stderr = None,
                Ok(length) => self.log.add(turn, &buffer[..length]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.stderr = None,
            }
        }
    }

    fn wait_for_exit(&mut self, patience: Duration) -> Option<Exit> {
        let process = self.process.as_ref()?;
        let deadline = Instant::now() + patience;
        loop {
            if let Some(exit) = process.exited() {
                return Some(exit);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            match process.exit_fd() {
                Some(fd) => {
                    let timeout = Timespec {
                        tv_sec: 0,
                        tv_nsec: left.subsec_nanos().into(),
                    };
                    let _ = rustix::event::poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&timeout));
                }
                None => std::thread::sleep(left.min(Duration::from_millis(5))),
            }
        }
    }

    /// Lets the bot leave by itself until the deadline; what it still writes is taken so that it can.
    fn wait_for_end(
        &mut self,
        deadline: Instant,
        turn: u32,
        buffer: &mut [u8],
        interrupt: Option<&Interrupt>,
    ) {
        while self.process.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            let ready = self.poll(interrupt, Some(left));
            if ready.stderr {
                self.read_stderr(turn, buffer);
            }
            if ready.stdout
                && let Some(stdout) = &self.stdout
                && let Ok(0) = rustix::io::read(stdout, &mut *buffer)
            {
                self.stdout = None;
            }
            if ready.ended {
                break;
            }
            if left.is_zero() || ready.interrupted {
                self.ended_itself = false;
                break;
            }
        }
        self.read_stderr(turn, buffer);
        self.end();
    }

    fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            self.ended_itself &= process.exited().is_some();
            process.end();
        }
    }
}

/// Tells this match's processes from those of other matches.
fn new_mark() -> String {
    static MATCHES: AtomicU64 = AtomicU64::new(0);
    format!(
        "{}-{}",
        std::process::id(),
        MATCHES.fetch_add(1, Ordering::Relaxed)
    )
}

/// What the system's words mean for somebody who wants to start a bot.
fn start_error(launch: &Launch, error: &std::io::Error) -> String {
    let program = launch.command[0].display();
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOEXEC) => format!(
            "{program} is neither a program nor a script with a first line like #!/usr/bin/env python3"
        ),
        Some(Errno::ACCESS) => format!("{program} may not be executed; try chmod +x {program}"),
        Some(Errno::NOENT) => format!("{program} or the interpreter in its first line does not exist"),
        _ => format!("{program}: {error}"),
    }
}
