//! One match, without input or output: given answers, closed pipes and elapsed time, it gives bytes to send and
//! time limits. Drivers move it; they differ only in where the bytes go.
//!
//! The order within a turn is fixed: the clock runs, the ask is written, the answer is read and parsed, the clock
//! is charged, and only then is the answer *or* the fault carried out. A late answer has changed nothing.

use crate::any_game::AnyGame;
use crate::any_state::AnyState;
use crate::clock::{Clock, TimeControl};
use crate::fault::{Exit, Fault};
use crate::game::{Info, Parsed, SetupError};
use crate::inbox::Inbox;
use crate::limits;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::replay::{self, Replay};
use crate::rng::Rng;
use crate::seat::Seat;
use std::time::Duration;

/// A match in progress.
///
/// Whoever drives it sends what it finds in the outbox of a seat that is asked, and hands in what comes back:
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/nim/game.rs")); }
/// # use nim::Nim;
/// use palestra_core::{AnyGame, Entrant, Heard, Match, Next, PlanRequest, ReplayError, Seat, Spent, TimeControl};
///
/// let plan = Nim.plan(&PlanRequest { changes: &[], map: Some("5"), players: 2, seed: 1 })?;
/// let entrants = [Entrant::outside("me"), Entrant::built_in("one")];
/// let mut game = Match::new(&Nim, plan, &entrants, TimeControl::Unlimited)?;
/// loop {
///     match game.next() {
///         Next::Over => break,
///         Next::Moved(_) => {}
///         Next::Ask(seat, _time) => {
///             // Whose bot it is, once, and the stones.
///             let stones = std::mem::take(game.outbox(seat));
///             assert!(stones == b"1\n5\n" || stones == b"2\n");
///             assert_eq!(game.receive(seat, b"2\n", Spent::NOTHING), Heard::TurnOver);
///         }
///     }
/// }
/// let (outcome, replay) = game.finish(Vec::new()).expect("it is over");
/// assert_eq!(outcome.winner, Some(Seat::new(1)));
/// assert_eq!(replay.verify(&Nim)?, 3);
/// # Ok::<(), ReplayError>(())
/// ```
pub struct Match {
    info: &'static Info,
    state: Box<dyn AnyState>,
    seats: Vec<Player>,
    recorder: replay::Recorder,
    faults: Vec<(u32, Seat, Fault)>,
}

struct Player {
    name: String,
    kind: EntrantKind,
    clock: Clock,
    inbox: Inbox,
    outbox: Vec<u8>,
    debt: Debt,
    dismissed: bool,
    usage: Usage,
    /// Bytes that its answers take in the replay.
    recorded: usize,
}

/// Answers that did not come in time, and are thrown away when they come: answers are matched to asks one to one.
///
/// Whoever skips an answer for good would be one behind for ever. So what is owed is written off once there has been
/// an ask without its answer for [`limits::LATE_ANSWER`] without interruption, whatever was answered meanwhile.
#[derive(Default)]
struct Debt {
    answers: u32,
    /// Since when some ask has been without its answer, counted from the beginning of the match.
    since: Option<Duration>,
}

impl Debt {
    /// The answer to the ask of this moment did not come in time.
    fn add(&mut self, asked: Duration) {
        self.since.get_or_insert(asked);
        self.answers += 1;
    }

    /// An answer came at this moment: whether it is one that was owed, and not the one to the last ask.
    fn pay(&mut self, at: Duration) -> bool {
        let stale = self.since.is_some_and(|since| at.saturating_sub(since) >= limits::LATE_ANSWER);
        if stale || self.answers == 0 {
            *self = Debt::default();
            return false;
        }
        self.answers -= 1;
        true
    }
}

/// What happens next in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The built-in player of this seat has moved.
    Moved(Seat),
    /// This seat has been asked (see [`Match::outbox`]) and may take this long; `None` is as long as it likes.
    Ask(Seat, Option<Duration>),
    /// The game is over.
    Over,
}

/// What came of bytes from a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// The answer is not complete.
    Waiting,
    /// The turn is over, with an answer or a fault.
    TurnOver,
}

/// What a turn took. The processor time is `None` where the platform cannot tell it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent {
    /// When it ended, counted from the beginning of the match.
    pub at: Duration,
    /// On the wall clock, from the ask to the answer.
    pub wall: Duration,
    /// In the bot's own process tree.
    pub cpu: Option<Duration>,
}

impl Spent {
    /// What a built-in player's turn counts as: its time is the host's.
    pub const NOTHING: Spent = Spent { at: Duration::ZERO, wall: Duration::ZERO, cpu: Some(Duration::ZERO) };
}

/// Who plays on a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The name to show; for a built-in player also which one it is.
    pub name: String,
    /// What protocols call it; otherwise a built-in player goes by its name, everybody else by the seat's number.
    pub label: Option<String>,
    /// Whether and how it is asked.
    pub kind: EntrantKind,
}

/// What plays on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntrantKind {
    /// A built-in player.
    BuiltIn,
    /// A process, a client or a person: it answers through the protocol.
    Outside,
    /// Somebody outside who could not be started: out before the first turn.
    Absent,
    /// A person, who may take as long as it likes unless `timed`.
    Person {
        /// Whether the clock runs as it does for bots.
        timed: bool,
    },
}

impl Entrant {
    /// A built-in player, found by this name.
    pub fn built_in(name: impl Into<String>) -> Entrant {
        Entrant { name: name.into(), label: None, kind: EntrantKind::BuiltIn }
    }

    /// A program or client that is asked through its outbox.
    pub fn outside(name: impl Into<String>) -> Entrant {
        Entrant { name: name.into(), label: None, kind: EntrantKind::Outside }
    }

    /// Somebody outside who could not be started.
    pub fn absent(name: impl Into<String>) -> Entrant {
        Entrant { name: name.into(), label: None, kind: EntrantKind::Absent }
    }

    /// A person at a page; `timed` if the clock runs as it does for bots.
    pub fn person(name: impl Into<String>, timed: bool) -> Entrant {
        Entrant { name: name.into(), label: None, kind: EntrantKind::Person { timed } }
    }

    /// The same, called this by protocols.
    #[must_use]
    pub fn known_as(self, label: impl Into<String>) -> Entrant {
        Entrant { label: Some(label.into()), ..self }
    }

    /// What protocols call it on this seat.
    pub fn label_at(&self, seat: Seat) -> String {
        match (&self.label, self.kind) {
            (Some(label), _) => label.clone(),
            (None, EntrantKind::BuiltIn) => self.name.clone(),
            (None, _) => seat.to_string(),
        }
    }
}

/// What one seat used over a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Turns it was asked for.
    pub turns: u32,
    /// On the wall clock.
    pub wall: Duration,
    /// Processor time; `None` where it could not be told.
    pub cpu: Option<Duration>,
    /// The longest single turn, on the wall clock.
    pub longest: Duration,
}

impl Match {
    /// Sets a match up. Outside seats find their first words in their outbox.
    pub fn new(
        game: &dyn AnyGame,
        plan: Plan,
        entrants: &[Entrant],
        time: TimeControl,
    ) -> Result<Match, SetupError> {
        if entrants.len() != usize::from(plan.seats) {
            return Err(SetupError::new(format!(
                "the map has {} seats, and there are {} bots; give one bot for each seat",
                plan.seats,
                entrants.len()
            )));
        }
        let seated = || Seat::all(plan.seats).zip(entrants);
        let labels: Vec<String> = seated().map(|(seat, entrant)| entrant.label_at(seat)).collect();
        let absent = seated().filter(|(_, entrant)| entrant.kind == EntrantKind::Absent);
        let absent = absent.map(|(seat, _)| seat).collect();
        let plan = Plan { absent, ..plan };
        let mut state = game.open(&plan)?;
        state.introduce(&labels);
        let mut seats = Vec::with_capacity(entrants.len());
        for (index, entrant) in entrants.iter().enumerate() {
            let seat = Seat::at(index);
            let mut player = Player {
                name: entrant.name.clone(),
                kind: entrant.kind,
                clock: Clock::new(time),
                inbox: Inbox::default(),
                outbox: Vec::new(),
                debt: Debt::default(),
                dismissed: false,
                usage: Usage {
                    turns: 0,
                    wall: Duration::ZERO,
                    cpu: Some(Duration::ZERO),
                    longest: Duration::ZERO,
                },
                recorded: 0,
            };
            match entrant.kind {
                EntrantKind::BuiltIn => {
                    let seed = Rng::stream(plan.seed, "bot", index as u64).bits();
                    state.seat_built_in(seat, &entrant.name, seed)?;
                }
                EntrantKind::Absent => {}
                EntrantKind::Outside | EntrantKind::Person { .. } => {
                    if entrant.kind == (EntrantKind::Person { timed: false }) {
                        player.clock = Clock::new(TimeControl::Unlimited);
                    }
                    state.hello(seat, &mut player.outbox);
                }
            }
            shorten(&mut player.name, limits::BOT_NAME_BYTES);
            seats.push(player);
        }
        let names = seats.iter().map(|player| player.name.clone()).collect();
        let recorder = replay::Recorder::new(game.info(), plan, names, labels, time);
        let mut game = Match { info: game.info(), state, seats, recorder, faults: Vec::new() };
        // It may be over before anybody moves.
        game.dismiss();
        Ok(game)
    }

    /// Goes on: a built-in player moves, or an outside seat is asked, or the game is over.
    ///
    /// After [`Next::Ask`], call it again only when that turn is over.
    #[expect(
        clippy::should_implement_trait,
        reason = "a match is no iterator: some turns need an answer first"
    )]
    pub fn next(&mut self) -> Next {
        let Some(seat) = self.state.to_move() else {
            return Next::Over;
        };
        let player = &mut self.seats[seat.index()];
        if player.kind != EntrantKind::BuiltIn {
            self.state.ask(seat, &mut player.outbox);
            return Next::Ask(seat, player.clock.budget());
        }
        match self.state.think(seat) {
            Ok(()) => self.carry_out(seat, Spent::NOTHING),
            Err(fault) => self.fail(seat, fault, Spent::NOTHING),
        }
        Next::Moved(seat)
    }

    /// Takes what the asked seat has written since; `spent` is what the turn took up to now.
    pub fn receive(&mut self, seat: Seat, bytes: &[u8], spent: Spent) -> Heard {
        let player = &mut self.seats[seat.index()];
        if !bytes.is_empty() {
            player.inbox.add(bytes);
        }
        if !player.clock.allows(spent.wall) {
            return self.time_out(seat, spent);
        }
        loop {
            let player = &mut self.seats[seat.index()];
            match read(&mut *self.state, seat, &mut player.inbox) {
                Parsed::Done { .. } => {}
                Parsed::NeedMore if player.inbox.unread().len() < limits::ANSWER_BYTES => {
                    return Heard::Waiting;
                }
                Parsed::NeedMore => {
                    let fault = Fault::too_long(player.inbox.unread());
                    self.fail(seat, fault, spent);
                    return Heard::TurnOver;
                }
                Parsed::Malformed { why } => {
                    let fault = Fault::malformed(why, player.inbox.unread());
                    self.fail(seat, fault, spent);
                    return Heard::TurnOver;
                }
            }
            // Answers are matched to asks one to one: the first belongs to the oldest ask that still waits for its own.
            if player.debt.pay(spent.at) {
                continue;
            }
            player.clock.charge(spent.wall);
            self.carry_out(seat, spent);
            return Heard::TurnOver;
        }
    }

    /// Whether the seat has written ahead: then hand over no bytes to [`Match::receive`] before waiting.
    pub fn wrote_ahead(&self, seat: Seat) -> bool {
        !self.seats[seat.index()].inbox.unread().is_empty()
    }

    /// The asked seat did not answer within its time.
    pub fn time_out(&mut self, seat: Seat, spent: Spent) -> Heard {
        let player = &mut self.seats[seat.index()];
        player.debt.add(spent.at.saturating_sub(spent.wall));
        self.fail(seat, Fault::OutOfTime, spent);
        Heard::TurnOver
    }

    /// The asked seat has ended, or closed its output. An answer that lacks only its last line break counts.
    pub fn closed(&mut self, seat: Seat, exit: Exit, spent: Spent) -> Heard {
        let player = &mut self.seats[seat.index()];
        player.inbox.rewind();
        let mut ended = player.inbox.clone();
        ended.add(b"\n");
        if ended.unread().len() > 1 && matches!(read(&mut *self.state, seat, &mut ended), Parsed::Done { .. })
        {
            return self.receive(seat, b"\n", spent);
        }
        self.fail(seat, Fault::Exited(self.exit_of(seat, exit)), spent);
        Heard::TurnOver
    }

    /// The asked seat failed in a way only its driver can know.
    pub fn fail(&mut self, seat: Seat, fault: Fault, spent: Spent) {
        let turn = self.book(seat, spent);
        // What has come of an answer is read again in the next turn: others will have answered meanwhile.
        self.seats[seat.index()].inbox.rewind();
        self.take_fault(turn, seat, fault);
    }

    fn take_fault(&mut self, turn: u32, seat: Seat, fault: Fault) {
        self.recorder.fault(turn, &fault);
        self.state.fault(seat, turn, &fault);
        self.faults.push((turn, seat, fault));
        self.dismiss();
    }

    /// People do not end: they give up.
    fn exit_of(&self, seat: Seat, exit: Exit) -> Exit {
        match self.seats[seat.index()].kind {
            EntrantKind::Person { .. } => Exit::GaveUp,
            _ => exit,
        }
    }

    /// A seat has left the match for good, asked or not: it fails at once.
    pub fn leave(&mut self, seat: Seat, exit: Exit) {
        if !self.state.plays(seat) {
            return;
        }
        let fault = Fault::Exited(self.exit_of(seat, exit));
        if self.state.to_move() == Some(seat) {
            return self.fail(seat, fault, Spent::NOTHING);
        }
        let turn = self.recorder.turn(Spent::NOTHING);
        self.recorder.departure(turn, seat);
        self.take_fault(turn, seat, fault);
    }

    /// Carries out the answer held, unless the replay would become too long with it.
    fn carry_out(&mut self, seat: Seat, spent: Spent) {
        let answers = self.recorder.answers();
        let before = answers.len();
        self.state.encode_answer(answers);
        let player = &mut self.seats[seat.index()];
        player.recorded += answers.len() - before;
        if player.recorded > limits::ANSWERS_BYTES {
            answers.truncate(before);
            return self.fail(seat, Fault::too_long_match(), spent);
        }
        let turn = self.book(seat, spent);
        self.state.apply(seat, turn);
        self.dismiss();
    }

    fn book(&mut self, seat: Seat, spent: Spent) -> u32 {
        let player = &mut self.seats[seat.index()];
        let usage = &mut player.usage;
        usage.turns += 1;
        usage.wall += spent.wall;
        usage.longest = usage.longest.max(spent.wall);
        usage.cpu = usage.cpu.zip(spent.cpu).map(|(sum, cpu)| sum + cpu);
        self.recorder.turn(spent)
    }

    fn dismiss(&mut self) {
        for (index, player) in self.seats.iter_mut().enumerate() {
            if !player.dismissed && player.kind != EntrantKind::BuiltIn {
                player.dismissed = self.state.dismissal(Seat::at(index), &mut player.outbox);
            }
        }
    }

    /// Bytes to send to a seat; the driver takes them out.
    pub fn outbox(&mut self, seat: Seat) -> &mut Vec<u8> {
        &mut self.seats[seat.index()].outbox
    }

    /// Whether the last words to this seat have been put into its outbox.
    pub fn dismissed(&self, seat: Seat) -> bool {
        self.seats[seat.index()].dismissed
    }

    /// The game that is played.
    pub fn info(&self) -> &'static Info {
        self.info
    }

    /// The game as it stands.
    pub fn state(&self) -> &dyn AnyState {
        &*self.state
    }

    /// Turns taken so far.
    pub fn turns(&self) -> u32 {
        self.recorder.so_far().head.turns
    }

    /// What has been recorded so far; its result is that of a match that has not ended.
    pub fn recorded(&self) -> &Replay {
        self.recorder.so_far()
    }

    /// The name of the bot on a seat.
    pub fn name(&self, seat: Seat) -> &str {
        &self.seats[seat.index()].name
    }

    /// What a seat has used so far.
    pub fn usage(&self, seat: Seat) -> Usage {
        self.seats[seat.index()].usage
    }

    /// Faults so far: turn, seat and what it was.
    pub fn faults(&self) -> &[(u32, Seat, Fault)] {
        &self.faults
    }

    /// How it ended, and the replay; `None` if it has not. `stderr` is what each bot wrote there, by turn.
    pub fn finish(&self, stderr: Vec<replay::Stderr>) -> Option<(Outcome, Replay)> {
        let outcome = self.state.outcome()?;
        let replay = self.recorder.clone().finish(outcome.clone(), self.state.digest(), stderr);
        Some((outcome, replay))
    }
}

#[inline]
fn read(state: &mut dyn AnyState, seat: Seat, inbox: &mut Inbox) -> Parsed {
    inbox.read(state.unit(), |bytes, progress| state.parse_on(seat, bytes, progress))
}

fn shorten(name: &mut String, limit: usize) {
    if name.len() > limit {
        name.truncate(name.floor_char_boundary(limit));
    }
}
