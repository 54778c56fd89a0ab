//! Moves a match with child processes, in the calling thread, as close as possible to what two pipes cost.
//!
//! A turn is one write, one wait, one read and a few looks at clocks. Every pipe is non-blocking, so that a bot that
//! neither reads nor writes can hold up nobody but itself.

use crate::cores::{Cores, Pinned};
use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::line::{self, Line, Ready, start_error};
use crate::orphans;
use crate::process::Pipes;
use crate::run_queue::OwnDelay;
use crate::spec::Link;
use crate::stderr::StderrLog;
use crate::strays;
use crate::transcript::Transcripts;
use crate::waiting::Waiting;
use palestra_core::{
    Exit, Fault, Heard, Match, Next, Outcome, Replay, Seat, SetupError, Spent, TimeControl, Usage,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Where and how a match is played.
#[derive(Debug, Default)]
pub struct Options<'a> {
    /// The cores it runs on.
    pub cores: Cores,
    /// Ends it early.
    pub interrupt: Option<&'a Interrupt>,
    /// Keeps what was said.
    pub transcripts: Option<Transcripts>,
    /// What stands between the bots and the machine, if anything does.
    pub guard: Option<&'a Guard>,
}

/// Watches a match go by.
pub trait Watch {
    /// A turn is over.
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>);
}

impl Watch for () {
    fn turn(&mut self, _: &Match, _: Overheard<'_>) {}
}

/// What the bots of a match have written beside their answers.
#[derive(Clone, Copy)]
pub struct Overheard<'a>(&'a [Option<Line>]);

impl<'a> Overheard<'a> {
    /// Nothing: where no bot of the match runs on this machine.
    pub fn nothing() -> Overheard<'static> {
        Overheard(&[])
    }

    /// A seat's standard error so far, by turn; the last piece may still grow.
    pub fn stderr(&self, seat: Seat) -> &'a [(u32, Vec<u8>)] {
        self.0.get(seat.index()).and_then(Option::as_ref).map_or(&[], |line| line.log.pieces())
    }
}

/// A match that was played to its end.
#[derive(Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Everything about it.
    pub replay: Replay,
    /// Rounds, a last one that was not completed included.
    pub rounds: u32,
    /// What every seat used.
    pub usage: Vec<Usage>,
    /// Remarks of the rules by seat: those kept, and how many there were.
    pub notes: Vec<(Vec<String>, u32)>,
    /// What went wrong, in order.
    pub faults: Vec<FaultReport>,
    /// What every bot wrote to its standard error, by seat and turn.
    pub stderr: Vec<Vec<(u32, Vec<u8>)>>,
    /// Whether every bot ended by itself after its last words, by seat.
    pub ended_itself: Vec<bool>,
    /// What every bot used, by seat, as far as its sandbox can tell.
    pub used: Vec<palestra_sandbox::Usage>,
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
    /// If it ran out of time on this machine: what became of that time.
    pub waiting: Option<Waiting>,
}

impl FaultReport {
    /// Whether the machine is to blame for it.
    pub fn is_the_machines(&self) -> bool {
        self.waiting.is_some_and(|waiting| waiting.is_the_machines_fault())
    }
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

/// Plays a match to its end, with bots where these links lead. Whatever happens, no process of it is left when this
/// returns.
pub fn play(
    mut game: Match,
    links: Vec<Link>,
    options: Options<'_>,
    watch: &mut dyn Watch,
) -> Result<Played, MatchError> {
    let pinned = Pinned::new(&options.cores).map_err(MatchError::Cores)?;
    let unguarded = Guard::off();
    let mut driver = Driver {
        lines: Vec::new(),
        mark: new_mark(),
        interrupt: options.interrupt,
        transcripts: options.transcripts,
        guard: options.guard.unwrap_or(&unguarded),
        start: Instant::now(),
        steps_aside: options.cores.are_one() && pinned.holds(),
        has_bank: matches!(game.recorded().time, TimeControl::Bank { .. }),
        own_delay: OwnDelay::default(),
        waited: BTreeMap::new(),
        buffer: vec![0; READ_BYTES],
    };
    driver.connect(&mut game, links)?;
    driver.play(&mut game, watch)?;
    driver.say_goodbye(&mut game);
    Ok(driver.report(&game))
}

const PONDERING: &str =
    "it computed while it was not its turn, and was stopped outside its turns from then on";
const READ_BYTES: usize = 64 << 10;
/// Between two looks into a pipe in which nothing was the last time, in turns.
const LOOK_EVERY: u32 = 16;
/// Turns in which a bot's standard error is looked at in any case.
const FIRST_TURNS: u32 = 100;

struct Driver<'a> {
    lines: Vec<Option<Line>>,
    mark: String,
    interrupt: Option<&'a Interrupt>,
    transcripts: Option<Transcripts>,
    guard: &'a Guard,
    start: Instant,
    /// Whether bots run when this thread steps aside: it shares one core with them.
    steps_aside: bool,
    /// Whether the time of all turns is one.
    has_bank: bool,
    own_delay: OwnDelay,
    /// What became of the time of those who ran out of it, by turn.
    waited: BTreeMap<u32, Waiting>,
    buffer: Vec<u8>,
}

/// A turn that is being taken.
#[derive(Clone, Copy)]
struct Turn {
    number: u32,
    /// When the ask was written.
    start: Instant,
    budget: Option<Duration>,
    /// When it is next seen who has the processor; never if nobody could be kept from it.
    look: Option<Instant>,
}

/// How a bot ended.
enum Ended {
    By(Exit),
    OverMemory,
}

/// What a wait came to.
enum Woken {
    /// Something can be read, or the bot has ended.
    Ready {
        output: bool,
        ended: bool,
    },
    TimeOut,
    /// Somebody who was not asked has left.
    Left,
    Interrupted,
}

impl Driver<'_> {
    fn connect(&mut self, game: &mut Match, links: Vec<Link>) -> Result<(), MatchError> {
        let mut told = Vec::with_capacity(links.len());
        for (index, link) in links.into_iter().enumerate() {
            let seat = Seat::at(index);
            let line = match link {
                Link::None => None,
                Link::Program(launch) => {
                    Some(Line::start(&launch, &format!("{}.{index}", self.mark), self.guard).map_err(
                        |error| MatchError::Start {
                            name: game.name(seat).to_owned(),
                            why: start_error(&launch, &error),
                        },
                    )?)
                }
                Link::Pipes { input, output, hang_up } => {
                    Some(Line::to_client(Pipes { stdin: input, stdout: output, stderr: None }, hang_up))
                }
            };
            self.lines.push(line);
            told.push(!game.outbox(seat).is_empty());
            self.send(game, seat);
        }
        for (line, told) in self.lines.iter_mut().zip(told) {
            if let Some(line) = line {
                line.wait_until_started(told, self.interrupt);
            }
        }
        Ok(())
    }

    fn play(&mut self, game: &mut Match, watch: &mut dyn Watch) -> Result<(), MatchError> {
        loop {
            self.take_out_gone(game, None);
            match game.next() {
                Next::Over => return Ok(()),
                Next::Moved(_) => {}
                Next::Ask(seat, budget) => self.take_turn(game, seat, budget)?,
            }
            // Built-in players and quick bots never make us wait, where an interrupt would wake us.
            if self.interrupt.is_some_and(Interrupt::raised) {
                return Err(MatchError::Interrupted);
            }
            self.dismiss(game);
            watch.turn(game, Overheard(&self.lines));
        }
    }

    /// Those who have hung up have lost, whoever is asked; for the one who is, what it has written before counts.
    fn take_out_gone(&mut self, game: &mut Match, asked: Option<Seat>) {
        for (index, line) in self.lines.iter_mut().enumerate() {
            let seat = Seat::at(index);
            if asked != Some(seat) && line.as_mut().is_some_and(Line::has_hung_up) {
                game.leave(seat, Fault::Exited(Exit::ClosedOutput));
            }
        }
    }

    fn take_turn(
        &mut self,
        game: &mut Match,
        seat: Seat,
        budget: Option<Duration>,
    ) -> Result<(), MatchError> {
        let number = game.turns() + 1;
        if let Some(transcripts) = &mut self.transcripts {
            transcripts.turn(seat, number);
        }
        let wrote_ahead = game.wrote_ahead(seat);
        if !wrote_ahead {
            self.stop_pondering(seat);
        }
        self.line(seat).begin_turn();
        // Before the ask is written: on a shared core the bot may be at work before writing returns.
        let start = Instant::now();
        self.own_delay.begin_turn(start);
        self.line(seat).go_on(wrote_ahead);
        self.send(game, seat);
        let mut heard = Heard::Waiting;
        if wrote_ahead {
            heard = game.receive(seat, b"", Spent::NOTHING);
            if heard == Heard::Waiting {
                self.stop_pondering(seat);
                self.line(seat).go_on(false);
            }
        }
        if heard == Heard::Waiting && self.steps_aside {
            heard = self.step_aside(game, seat, start, number);
        }
        let mut turn = Turn { number, start, budget, look: None };
        if heard == Heard::Waiting {
            turn.look = self.first_look(seat, &turn);
        }
        let mut answered = true;
        while heard == Heard::Waiting {
            heard = match self.wait(seat, &mut turn) {
                Woken::Interrupted => return Err(MatchError::Interrupted),
                Woken::Left => {
                    self.take_out_gone(game, Some(seat));
                    if game.table().to_move().is_none() {
                        return Ok(());
                    }
                    Heard::Waiting
                }
                Woken::TimeOut => {
                    answered = false;
                    game.time_out(seat, self.spent(seat, start))
                }
                Woken::Ready { output, ended } => {
                    let (mut heard, mut open) = (Heard::Waiting, true);
                    if output {
                        (heard, open) = self.hear(game, seat, start);
                    }
                    // What the bot wrote before it ended counts.
                    while ended && heard == Heard::Waiting && self.has_output(seat) {
                        (heard, open) = self.hear(game, seat, start);
                    }
                    if heard == Heard::Waiting && (ended || !open) {
                        let spent = self.spent(seat, start);
                        heard = match self.exit(seat, number) {
                            Ended::By(exit) => game.closed(seat, exit, spent),
                            Ended::OverMemory => {
                                game.fail(seat, Fault::OverMemory, spent);
                                Heard::TurnOver
                            }
                        };
                    }
                    heard
                }
            };
        }
        let number = game.turns();
        let fault = game.faults().last().filter(|(last, _, _)| *last == number).map(|(_, _, fault)| fault);
        if fault == Some(&Fault::OutOfTime) {
            let waiting = self.waiting(game, seat, &turn, answered);
            self.waited.insert(number, waiting);
        } else if self.has_bank {
            self.line(seat).end_watch(true);
        }
        if fault.is_some() {
            self.after_fault(game, seat, number);
        }
        Ok(())
    }

    /// On a shared core a bot answers as soon as we step aside, which costs less than going to sleep and being woken; some
    /// are even there before. Whoever takes longer is waited for.
    ///
    /// Every look into a pipe costs a good part of a turn, so that looks which found nothing are only taken now and then.
    fn step_aside(&mut self, game: &mut Match, seat: Seat, start: Instant, turn: u32) -> Heard {
        let now_and_then = turn % LOOK_EVERY < game.table().seats().into();
        let mut heard = Heard::Waiting;
        if self.line(seat).quick || now_and_then {
            (heard, _) = self.hear(game, seat, start);
            self.line(seat).quick = heard == Heard::TurnOver;
        }
        if heard == Heard::Waiting {
            #[cfg(target_os = "linux")]
            rustix::thread::sched_yield();
            (heard, _) = self.hear(game, seat, start);
        }
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        if heard == Heard::TurnOver && (!line.log.is_empty() || turn <= FIRST_TURNS || now_and_then) {
            line.read_stderr(turn, &mut self.buffer);
        }
        heard
    }

    fn spent(&mut self, seat: Seat, start: Instant) -> Spent {
        let match_start = self.start;
        self.line(seat).spent(match_start, start)
    }

    /// Reads what there is; says what came of it, and whether more may come.
    fn hear(&mut self, game: &mut Match, seat: Seat, start: Instant) -> (Heard, bool) {
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        match line.read_stdout(&mut self.buffer) {
            None => (Heard::Waiting, false),
            Some(0) => (Heard::Waiting, true),
            Some(length) => {
                let spent = line.spent(self.start, start);
                let bytes = &self.buffer[..length];
                if let Some(transcripts) = &mut self.transcripts {
                    transcripts.received(seat, bytes);
                }
                (game.receive(seat, bytes, spent), true)
            }
        }
    }

    fn has_output(&self, seat: Seat) -> bool {
        let line = self.lines[seat.index()].as_ref().expect("an outside seat");
        line.stdout.as_ref().is_some_and(|stdout| rustix::io::ioctl_fionread(stdout).unwrap_or(0) > 0)
    }

    /// Waits until the asked bot has written something, has ended, or is out of time; meanwhile the rest of the ask
    /// goes out and its standard error comes in.
    fn wait(&mut self, seat: Seat, turn: &mut Turn) -> Woken {
        loop {
            let line = self.lines[seat.index()].as_mut().expect("an outside seat");
            if line.stdout.is_none() {
                return Woken::Ready { output: false, ended: true };
            }
            let now = Instant::now();
            let left = turn.budget.map(|budget| (turn.start + budget).saturating_duration_since(now));
            if left.is_some_and(|left| left.is_zero()) {
                return Woken::TimeOut;
            }
            let look = turn.look.map(|look| look.saturating_duration_since(now));
            if look.is_some_and(|look| look.is_zero()) {
                turn.look = Some(self.look_around(seat, turn));
                continue;
            }
            let timeout = left.into_iter().chain(look).min();
            let (ready, interrupted) = self.poll(Some(seat), timeout, turn.number);
            if interrupted {
                let ends = self.interrupt.is_some_and(Interrupt::raised);
                return if ends { Woken::Interrupted } else { Woken::Left };
            }
            let line = self.lines[seat.index()].as_mut().expect("an outside seat");
            if ready.stderr {
                line.read_stderr(turn.number, &mut self.buffer);
            }
            if ready.stdin {
                line.flush();
            }
            if ready.stdout || ready.ended {
                return Woken::Ready { output: ready.stdout, ended: ready.ended };
            }
        }
    }

    /// Waits for the asked bot, if there is one, and sees to those that leave meanwhile. Says what there is for the asked one,
    /// and whether the match is interrupted, or somebody else has hung up.
    fn poll(&mut self, asked: Option<Seat>, timeout: Option<Duration>, turn: u32) -> (Ready, bool) {
        let leaves = |line: &Option<Line>| line.as_ref().is_some_and(Line::is_leaving);
        let leaving = (0..self.lines.len()).filter(|index| leaves(&self.lines[*index]));
        let polled: Vec<usize> = asked.map(Seat::index).into_iter().chain(leaving).collect();
        let lines: Vec<&Line> = polled.iter().filter_map(|index| self.lines[*index].as_ref()).collect();
        let now = Instant::now();
        let leave_by = lines.iter().filter_map(|line| line.leave_by()).min();
        let next_kill = leave_by.map(|leave_by| leave_by.saturating_duration_since(now));
        let timeout = timeout.into_iter().chain(next_kill).min();
        let hang_ups =
            self.lines.iter().enumerate().filter(|(index, _)| asked.map(Seat::index) != Some(*index));
        let hang_ups = hang_ups.filter_map(|(_, line)| line.as_ref()?.hang_up());
        let interrupts: Vec<&Interrupt> = self.interrupt.into_iter().chain(hang_ups).collect();
        let (ready, interrupted) = line::poll(&lines, &interrupts, timeout);
        let mut ready = polled.into_iter().zip(ready);
        let asked = asked.and_then(|_| ready.next()).map(|(_, ready)| ready);
        for (index, ready) in ready {
            if let Some(line) = &mut self.lines[index] {
                line.see_off(&ready, turn, &mut self.buffer);
            }
        }
        (asked.unwrap_or_default(), interrupted)
    }

    /// Stops those that compute while it is not their turn: they would take time from the bot on this seat.
    fn stop_pondering(&mut self, seat: Seat) {
        for (index, line) in self.lines.iter_mut().enumerate() {
            if let Some(line) = line.as_mut().filter(|_| index != seat.index()) {
                line.stop_pondering();
            }
        }
    }

    /// When it is first seen who has the processor while a bot is waited for.
    fn first_look(&self, seat: Seat, turn: &Turn) -> Option<Instant> {
        let runs = |(index, line): (usize, &Option<Line>)| {
            let counts = index != seat.index() || turn.budget.is_some();
            counts && line.as_ref().is_some_and(|line| line.process.is_some())
        };
        let early = turn.budget.map_or(Duration::MAX, |budget| budget / limits::TURN_PART);
        self.lines.iter().enumerate().any(runs).then(|| turn.start + early.min(limits::FIRST_LOOK))
    }

    /// Stops bots that compute while another one is waited for, and sees whether that one has the processor. Says when to
    /// look again.
    fn look_around(&mut self, seat: Seat, turn: &Turn) -> Instant {
        let mut cost = Duration::ZERO;
        for (index, line) in self.lines.iter_mut().enumerate() {
            let Some(line) = line.as_mut().filter(|line| line.process.is_some()) else {
                continue;
            };
            if line.is_dismissed() {
                let begin = Instant::now();
                line.make_idle();
                cost += begin.elapsed();
                continue;
            }
            if index != seat.index() {
                line.look_between_turns();
            } else if turn.budget.is_some() {
                line.watch_run_queue();
            }
            cost += line.cost_of_looking();
        }
        let now = Instant::now();
        let pause = ((now - turn.start) / limits::TURN_PART).max(cost * limits::WAITING_LOOK_PART);
        now + pause.max(limits::FIRST_LOOK)
    }

    /// What became of the time that a bot has run out of.
    fn waiting(&mut self, game: &Match, seat: Seat, turn: &Turn, answered: bool) -> Waiting {
        let (wall, has_bank) = (turn.start.elapsed(), self.has_bank);
        let span = self.line(seat).end_watch(has_bank);
        let late = wall.saturating_sub(turn.budget.unwrap_or_default());
        Waiting {
            wall: if has_bank { game.usage(seat).wall } else { wall },
            starved: span.starved,
            slept: span.slept,
            late: answered.then_some(late),
            unheard: self.own_delay.in_turn(),
        }
    }

    /// How a bot that has closed its output ended, and its last words on standard error.
    fn exit(&mut self, seat: Seat, turn: u32) -> Ended {
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        let exit = line.wait_for_exit(limits::EXIT_CODE);
        line.read_stderr(turn, &mut self.buffer);
        if let Some(Exit::Signal(_)) = exit {
            // What a bot used is known when all of it has ended; one that was killed has nothing left to do.
            line.end();
            if line.usage.over_memory {
                return Ended::OverMemory;
            }
        }
        Ended::By(exit.unwrap_or(Exit::ClosedOutput))
    }

    /// A bot that has failed and is out must not take time from the others. Some games have a last word for it only at
    /// the end: until then it stands still.
    fn after_fault(&mut self, game: &Match, seat: Seat, turn: u32) {
        let line = self.lines[seat.index()].as_mut().expect("an outside seat");
        line.read_stderr(turn, &mut self.buffer);
        line.fault_lines = line.log.last_lines();
        if !game.table().plays(seat) && !game.dismissed(seat) {
            line.freeze();
        }
    }

    /// Sends last words that are due, and ends those who have left or should have.
    fn dismiss(&mut self, game: &mut Match) {
        let mut told = Vec::new();
        for index in 0..self.lines.len() {
            let seat = Seat::at(index);
            let Some(line) = &self.lines[index] else { continue };
            if game.dismissed(seat) && !line.is_dismissed() {
                self.send(game, seat);
                self.line(seat).dismiss(Instant::now() + limits::GRACE);
                told.push(seat);
            }
        }
        if !told.is_empty() && game.table().to_move().is_some() {
            self.let_leave(&told, game.turns());
        } else if self.lines.iter().flatten().any(Line::is_leaving) {
            self.poll(None, Some(Duration::ZERO), game.turns());
        }
        for line in self.lines.iter_mut().flatten() {
            line.end_if_gone(game.turns(), &mut self.buffer);
        }
    }

    /// These have had their last words, and the match goes on without them: they have a moment to leave in which nobody is
    /// asked. Whoever takes longer must not take time from the others.
    fn let_leave(&mut self, told: &[Seat], turn: u32) {
        let until = Instant::now() + limits::LEAVE_MOMENT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let leaving = told.iter().any(|seat| self.line(*seat).is_leaving());
            if !leaving || left.is_zero() || self.poll(None, Some(left), turn).1 {
                break;
            }
        }
        for seat in told {
            self.line(*seat).make_idle();
        }
    }

    /// The end: everybody has had its last words, gets a moment to leave, and is gone after that.
    fn say_goodbye(&mut self, game: &mut Match) {
        self.dismiss(game);
        let leave_by = Instant::now() + limits::GRACE;
        for line in self.lines.iter_mut().flatten() {
            line.dismiss(leave_by);
        }
        let mut interrupted = false;
        while self.lines.iter().flatten().any(Line::is_leaving) && !interrupted {
            (_, interrupted) = self.poll(None, None, game.turns());
        }
        for line in self.lines.iter_mut().flatten() {
            line.read_stderr(game.turns(), &mut self.buffer);
            line.end();
        }
    }

    fn report(mut self, game: &Match) -> Played {
        let logs: Vec<StderrLog> = self
            .lines
            .iter()
            .map(|line| line.as_ref().map_or_else(StderrLog::default, |line| line.log.clone()))
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
                waiting: self.waited.get(turn).copied(),
            })
            .collect();
        let notes = game.table().notes();
        let notes_of = |seat: Seat| {
            let ponders = self.lines[seat.index()].as_ref().is_some_and(|line| line.was_stopped);
            let pondering = ponders.then(|| PONDERING.to_owned());
            let kept = notes.list().iter().filter(|note| note.seat == seat);
            let kept = kept.map(|note| format!("turn {}: {}", note.turn, note.text)).chain(pondering);
            (kept.collect(), notes.count(seat) + u32::from(ponders))
        };
        let transcript_error = self
            .transcripts
            .take()
            .and_then(|transcripts| transcripts.finish(&logs).err().map(|error| error.to_string()));
        let stderr: Vec<_> = logs.iter().map(|log| log.pieces().to_vec()).collect();
        let (outcome, replay) = game.finish(stderr.clone()).expect("the game is over");
        Played {
            outcome,
            replay,
            rounds: game.table().rounds(),
            usage: seats.iter().map(|seat| game.usage(*seat)).collect(),
            notes: seats.iter().map(|seat| notes_of(*seat)).collect(),
            faults,
            stderr,
            ended_itself: self
                .lines
                .iter()
                .map(|line| line.as_ref().is_none_or(|line| line.ended_itself))
                .collect(),
            used: self
                .lines
                .iter()
                .map(|line| line.as_ref().map(|line| line.usage).unwrap_or_default())
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
        if self.lines.iter().any(Option::is_some) {
            strays::sweep(&self.mark);
        }
    }
}

/// Tells this match's processes from those of other matches.
pub(crate) fn new_mark() -> String {
    static MATCHES: AtomicU64 = AtomicU64::new(0);
    format!("{}:{}", orphans::owner(), MATCHES.fetch_add(1, Ordering::Relaxed))
}
