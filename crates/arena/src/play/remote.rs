//! A match of clients who are connected, and of built-in players: a task instead of a thread, so that thousands go on
//! side by side.
//!
//! The clock runs for what a client takes, never for what this machine takes: it begins when the ask is handed to the
//! network, and an answer is late only if it is not there when its session looks once more after the time was over.

use super::{BotLink, ClientChannel, MatchEnd, MatchMessage, PreparedMatch, Report, SessionMessage};
use crate::limits;
use metrics::Histogram;
use palestra_core::{Exit, Heard, Info, Match, Next, Seat, Spent};
use palestra_runner::{FaultReport, Overheard, Played, Watch as _};
use palestra_server::FeedPublisher;
use std::future::{Future as _, poll_fn};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout_at};

/// This machine's own share of a turn: from reading one client's answer to handing the next client its packet.
pub const TURNAROUND: &str = "palestra_turnaround_seconds";
/// The buckets to count it in: counts can be added up over any time, quantiles of single moments cannot.
pub const TURNAROUND_BUCKETS: &[f64] = &[
    0.00002, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25,
    0.5, 1.0,
];
/// Answers that were not there in time.
pub const LATE: &str = "palestra_late_answers_total";

/// Plays a match to its end, and tells the clients how it ended.
pub async fn play(prepared: PreparedMatch) -> Report {
    let PreparedMatch { game, links, reporter, pace } = prepared;
    let info = game.info();
    let clients = links.into_iter().map(client).collect();
    let mut driver = Driver {
        game,
        clients,
        reporter,
        pace,
        start: Instant::now(),
        answered: None,
        turnaround: metrics::histogram!(TURNAROUND),
    };
    driver.begin().await;
    driver.play().await;
    Ok(Box::new(driver.end(info)))
}

fn client(link: BotLink) -> Option<Client> {
    match link {
        BotLink::BuiltIn => None,
        BotLink::Client(ClientChannel { to_session, from_session }) => {
            Some(Client { to_session: Some(to_session), from_session, looks: 0 })
        }
        BotLink::Program(_) => unreachable!("programs are played by play::local"),
    }
}

struct Driver {
    game: Match,
    /// By seat; built-in players have none.
    clients: Vec<Option<Client>>,
    reporter: Option<FeedPublisher>,
    pace: Option<Duration>,
    start: Instant,
    /// When the answer was read after which the next client is asked at once.
    answered: Option<Instant>,
    turnaround: Histogram,
}

struct Client {
    /// Nothing once its session does not take any more.
    to_session: Option<mpsc::Sender<MatchMessage>>,
    from_session: mpsc::Receiver<SessionMessage>,
    /// Times it was told to look and has not said yet that there is nothing more.
    looks: u32,
}

/// One turn of a client.
struct Turn {
    seat: Seat,
    /// When it was told: what was written before is late.
    told: Instant,
    /// From when on its clock runs: until its session says more, from when it was told.
    asked: Instant,
    budget: Option<Duration>,
    /// Until when its session may take to look, if the time is over.
    looking: Option<Instant>,
}

/// What may happen while a client is asked.
enum Event {
    /// It says something; nothing more if it is gone.
    Said(Option<SessionMessage>),
    /// Somebody else has closed its connection.
    Left,
    TimeOver,
}

impl Driver {
    /// Says what there is to say before the first turn, and waits until everybody is ready.
    async fn begin(&mut self) {
        let deadline = (self.start + limits::READY).into();
        self.send_all();
        for client in self.clients.iter_mut().flatten() {
            // Whoever is not ready in time may still be when it is asked.
            let _ = timeout_at(deadline, client.from_session.recv()).await;
        }
        self.start = Instant::now();
    }

    async fn play(&mut self) {
        let mut awake = Instant::now();
        let mut due = Instant::now();
        loop {
            self.take_out_gone(None);
            match self.game.next() {
                Next::Over => return,
                Next::Moved(_) => {
                    self.answered = None;
                    if awake.elapsed() > limits::HOG {
                        tokio::task::yield_now().await;
                        awake = Instant::now();
                    }
                }
                Next::Ask(seat, budget) => {
                    self.take_turn(seat, budget).await;
                    awake = Instant::now();
                }
            }
            self.send_last_words();
            if let Some(reporter) = &mut self.reporter {
                reporter.turn(&self.game, Overheard::nothing());
            }
            if let Some(pace) = self.pace {
                due = Instant::now().max(due + pace);
                sleep_until(due.into()).await;
                self.answered = None;
            }
        }
    }

    async fn take_turn(&mut self, seat: Seat, budget: Option<Duration>) {
        let told = Instant::now();
        let mut turn = Turn { seat, told, asked: told, budget, looking: None };
        self.send(seat);
        let mut heard = Heard::Waiting;
        if self.game.wrote_ahead(seat) {
            heard = self.game.receive(seat, b"", self.spent(&turn, told));
        }
        while heard == Heard::Waiting {
            heard = self.listen(&mut turn).await;
        }
    }

    /// Waits for the next thing that matters in a turn, and sees to it.
    async fn listen(&mut self, turn: &mut Turn) -> Heard {
        let until = turn.looking.or(turn.budget.map(|budget| turn.asked + budget));
        let event = self.next_event(turn.seat, until).await;
        let client = self.clients[turn.seat.index()].as_mut().expect("a client's seat");
        match event {
            Event::Said(Some(SessionMessage::Bytes { bytes, at, asked })) => {
                self.note_asked(turn, asked);
                let spent = self.spent(turn, at);
                let heard = self.game.receive(turn.seat, &bytes, spent);
                if heard == Heard::TurnOver && asked >= turn.told {
                    self.answered = Some(at);
                }
                heard
            }
            Event::Said(Some(SessionMessage::Nothing { asked })) => {
                client.looks = client.looks.saturating_sub(1);
                // It may be the answer to a look of a turn before, after what ended that.
                if turn.looking.is_none() || client.looks > 0 {
                    return Heard::Waiting;
                }
                self.note_asked(turn, asked);
                turn.looking = None;
                // The ask may have waited for the network longer than this clock knew.
                match turn.budget.is_some_and(|budget| Instant::now() < turn.asked + budget) {
                    true => Heard::Waiting,
                    false => self.time_out(turn),
                }
            }
            Event::Said(Some(SessionMessage::Ready)) => Heard::Waiting,
            Event::Said(None | Some(SessionMessage::Closed)) => self.close(turn),
            Event::Left => {
                self.take_out_gone(Some(turn.seat));
                match self.game.state().to_move() {
                    Some(_) => Heard::Waiting,
                    None => Heard::TurnOver,
                }
            }
            Event::TimeOver if turn.looking.is_some() => self.time_out(turn),
            Event::TimeOver => {
                client.tell(MatchMessage::Look);
                client.looks += 1;
                turn.looking = Some(Instant::now() + limits::LOOK);
                Heard::Waiting
            }
        }
    }

    /// The next thing that happens while a client is asked. What it has said comes first.
    async fn next_event(&mut self, asked: Seat, until: Option<Instant>) -> Event {
        let (mut said, mut others) = (None, Vec::new());
        for (index, client) in self.clients.iter_mut().enumerate() {
            let Some(Client { to_session, from_session, .. }) = client else { continue };
            if index == asked.index() {
                said = Some(from_session);
            } else if self.game.state().plays(Seat::at(index)) {
                others.extend(to_session.as_ref().map(|sender| Box::pin(sender.closed())));
            }
        }
        let said = said.expect("a client's seat");
        let leaves = poll_fn(|context| {
            let left = others.iter_mut().any(|closed| closed.as_mut().poll(context).is_ready());
            if left { Poll::Ready(()) } else { Poll::Pending }
        });
        tokio::select! {
            biased;
            said = said.recv() => Event::Said(said),
            () = leaves => Event::Left,
            () = sleep_until(until.unwrap_or_else(Instant::now).into()), if until.is_some() => Event::TimeOver,
        }
    }

    /// Those who have closed their connection have lost, whoever is asked; for the one who is, what it has said before
    /// counts.
    fn take_out_gone(&mut self, asked: Option<Seat>) {
        for (index, client) in self.clients.iter().enumerate() {
            let seat = Seat::at(index);
            if asked != Some(seat) && client.as_ref().is_some_and(Client::is_gone) {
                self.game.leave(seat, Exit::ClosedOutput);
            }
        }
    }

    /// The session says when it handed over the ask.
    fn note_asked(&mut self, turn: &mut Turn, asked: Instant) {
        if asked < turn.told {
            return;
        }
        turn.asked = asked;
        if let Some(answered) = self.answered.take() {
            self.turnaround.record(asked.saturating_duration_since(answered));
        }
    }

    fn time_out(&mut self, turn: &Turn) -> Heard {
        self.answered = None;
        metrics::counter!(LATE).increment(1);
        let now = Instant::now();
        let wall = now.saturating_duration_since(turn.asked);
        self.game.time_out(turn.seat, Spent { wall, ..self.spent(turn, now) })
    }

    fn close(&mut self, turn: &Turn) -> Heard {
        self.answered = None;
        let spent = self.spent(turn, Instant::now());
        self.game.closed(turn.seat, Exit::ClosedOutput, spent)
    }

    /// What a turn has taken at this moment. Whoever was not found to be late is not.
    fn spent(&self, turn: &Turn, at: Instant) -> Spent {
        let wall = at.saturating_duration_since(turn.asked).min(turn.budget.unwrap_or(Duration::MAX));
        Spent { at: at.saturating_duration_since(self.start), wall, cpu: None }
    }

    /// Takes what is in a seat's outbox on its way.
    fn send(&mut self, seat: Seat) {
        if let Some(client) = &mut self.clients[seat.index()] {
            let outbox = std::mem::take(self.game.outbox(seat));
            if !outbox.is_empty() {
                client.tell(MatchMessage::Bytes(outbox));
            }
        }
    }

    fn send_all(&mut self) {
        for index in 0..self.clients.len() {
            self.send(Seat::at(index));
        }
    }

    fn send_last_words(&mut self) {
        for index in 0..self.clients.len() {
            if self.game.dismissed(Seat::at(index)) {
                self.send(Seat::at(index));
            }
        }
    }

    fn end(mut self, game: &Info) -> Played {
        self.send_all();
        let seats: Vec<Seat> = Seat::all(self.clients.len() as u8).collect();
        let nothing = vec![Vec::new(); seats.len()];
        let (outcome, replay) = self.game.finish(nothing.clone()).expect("the game is over");
        let rounds = self.game.state().rounds();
        for (seat, client) in seats.iter().zip(&mut self.clients) {
            if let Some(client) = client {
                client.tell(MatchMessage::Over(MatchEnd::new(game, &outcome, *seat, rounds)));
            }
        }
        if let Some(reporter) = self.reporter {
            reporter.end(replay.clone());
        }
        let notes = self.game.state().notes();
        let report = |(turn, seat, fault): &(u32, Seat, _)| FaultReport {
            turn: *turn,
            seat: *seat,
            fault: Clone::clone(fault),
            stderr: Vec::new(),
            waiting: None,
        };
        Played {
            outcome,
            replay,
            rounds,
            usage: seats.iter().map(|seat| self.game.usage(*seat)).collect(),
            notes: seats.iter().map(|seat| notes.of(*seat)).collect(),
            faults: self.game.faults().iter().map(report).collect(),
            stderr: nothing,
            ended_itself: vec![true; seats.len()],
            used: vec![Default::default(); seats.len()],
            transcript_error: None,
            worker: None,
        }
    }
}

impl Client {
    /// Whether its connection is closed.
    fn is_gone(&self) -> bool {
        self.to_session.as_ref().is_none_or(mpsc::Sender::is_closed)
    }

    /// Tells its session. One that cannot take any more is as good as gone, and hears that by the end of its line.
    fn tell(&mut self, tell: MatchMessage) {
        if self.to_session.as_ref().is_some_and(|line| line.try_send(tell).is_err()) {
            self.to_session = None;
            self.from_session.close();
        }
    }
}
