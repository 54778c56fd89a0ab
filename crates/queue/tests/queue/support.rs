//! What these tests share: a queue, a server at it, and workers in threads of their own.

use palestra_core::{AnyGame, PlanRequest};
use palestra_generals::Generals;
use palestra_queue::{
    Address, Answer, DispatchOptions, Dispatcher, Ended, MatchOrder, Notice, Offer, PortableBot, QueueError,
    RemotePlayed, SeatOrder, Worker, WorkerCounts, WorkerNews, WorkerOptions, new_run,
};
use palestra_runner::{Bot, Guard, Interrupt, Options, Played, Workshop};
use palestra_testkit::NatsServer;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The games that everybody has.
pub(crate) static GAMES: &[&dyn AnyGame] = &[&Generals];

/// Long enough for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A bot that passes, and takes its time.
pub(crate) const SLOW: &str =
    "import os, time\nwhile os.read(0, 65536):\n    time.sleep(0.01)\n    os.write(1, b'-1\\n')\n";

pub(crate) fn address_of(text: &str) -> Address {
    text.parse().unwrap()
}

pub(crate) fn address(nats: &NatsServer) -> Address {
    address_of(&nats.address())
}

/// Waits until this is so.
pub(crate) fn until(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "it does not come to that");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The match of an answer.
pub(crate) fn played(answer: Answer) -> RemotePlayed {
    match answer {
        Answer::Played(remote) => *remote,
        other => panic!("it was not played: {other:?}"),
    }
}

/// The same match, played here.
pub(crate) fn here(order: &MatchOrder) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let guard = Guard::off();
    let bot = |seat: &SeatOrder| match &seat.bot {
        PortableBot::BuiltIn(name) => Bot::built_in(name),
        PortableBot::Program(pack) => {
            tar::Archive::new(&pack.bytes[..]).unpack(folder.path()).unwrap();
            Workshop::open(&guard)
                .unwrap()
                .file(&folder.path().join(&pack.entry), &seat.name, &mut |_: &str| {})
                .unwrap()
        }
    };
    let bots = order.seats.iter().map(bot).collect();
    let (game, links) = Bot::seat(bots, order.game, order.plan.clone(), order.time).unwrap();
    palestra_runner::play(game, links, Options::default(), &mut ()).unwrap()
}

pub(crate) fn options() -> DispatchOptions {
    DispatchOptions { ack_wait: Duration::from_secs(2), ..DispatchOptions::new(new_run()) }
}

pub(crate) fn dispatcher(nats: &NatsServer) -> Dispatcher {
    Dispatcher::connect(&address(nats), options()).unwrap()
}

/// A short match between these.
pub(crate) fn order(number: u64, bots: [PortableBot; 2]) -> MatchOrder {
    let changes = [("max_turns".to_owned(), "60".to_owned())];
    let request = PlanRequest { changes: &changes, map: None, players: 2, seed: number };
    let seat =
        |(seat, bot): (usize, PortableBot)| SeatOrder { name: format!("bot {seat}"), label: None, bot };
    let seats = bots.into_iter().enumerate().map(seat).collect();
    MatchOrder::new(number, &Generals, Generals.plan(&request).unwrap(), seats)
}

/// What a worker of this name, which plays one match at a time and knows nothing yet, says of itself.
pub(crate) fn offer(name: &str) -> Offer {
    Offer {
        name: name.to_owned(),
        session: 1,
        version: "test".to_owned(),
        format: palestra_queue::messages::FORMAT,
        rules: [].into(),
        toolchains: [].into(),
        sandboxes: vec!["off".to_owned()],
        system: palestra_queue::own_system(),
        places: 1,
        speed: 1.0,
        playing: 0,
        played: 0,
    }
}

pub(crate) fn built_ins() -> [PortableBot; 2] {
    [PortableBot::BuiltIn("greedy".to_owned()), PortableBot::BuiltIn("random".to_owned())]
}

pub(crate) fn file(path: &Path) -> PortableBot {
    let guard = Guard::off();
    PortableBot::file(&Workshop::open(&guard).unwrap(), path).unwrap()
}

/// Asks for matches; what comes back arrives here.
pub(crate) fn submit(
    dispatcher: &Dispatcher,
    orders: impl IntoIterator<Item = MatchOrder>,
) -> Receiver<(u64, Answer)> {
    let (sender, answers) = channel();
    for order in orders {
        let (sender, number) = (sender.clone(), order.number);
        dispatcher.submit(order, move |answer| {
            let _ = sender.send((number, answer));
        });
    }
    answers
}

/// So many answers, by number.
pub(crate) fn collect(answers: &Receiver<(u64, Answer)>, count: usize) -> Vec<(u64, Answer)> {
    let deadline = Instant::now() + PATIENCE;
    let mut all: Vec<_> = (0..count)
        .map(|_| {
            answers
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
                .expect("every match is answered")
        })
        .collect();
    all.sort_by_key(|(number, _)| *number);
    all
}

/// Waits for something that the organiser is told.
pub(crate) fn await_notice(dispatcher: &Dispatcher, is_it: impl Fn(&Notice) -> bool) -> Notice {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(notice) = dispatcher.notices().into_iter().find(|notice| is_it(notice)) {
            return notice;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the organiser is not told");
}

/// A worker in a thread of its own. Dropping it breaks it off.
pub(crate) struct RunningWorker {
    pub(crate) stop: Interrupt,
    break_off: Interrupt,
    thread: Option<JoinHandle<Result<Ended, QueueError>>>,
    pub(crate) news: Arc<Mutex<Vec<WorkerNews>>>,
    counts: Arc<WorkerCounts>,
    _cache: tempfile::TempDir,
}

impl RunningWorker {
    pub(crate) fn start(nats: &NatsServer, name: &str, places: usize) -> RunningWorker {
        RunningWorker::with_games(nats, name, places, GAMES)
    }

    pub(crate) fn with_games(
        nats: &NatsServer,
        name: &str,
        places: usize,
        games: &'static [&'static dyn AnyGame],
    ) -> RunningWorker {
        RunningWorker::at(address(nats), name, places, games)
    }

    pub(crate) fn at(
        address: Address,
        name: &str,
        places: usize,
        games: &'static [&'static dyn AnyGame],
    ) -> RunningWorker {
        let cache = tempfile::tempdir().unwrap();
        let options = WorkerOptions {
            name: name.to_owned(),
            places: Some(places),
            version: "test".to_owned(),
            strict: false,
            cache: Some(cache.path().to_owned()),
        };
        let news = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&news);
        let listener = Arc::new(move |one| heard.lock().unwrap().push(one));
        let worker = Worker::new(games, address, options, listener);
        let counts = Arc::clone(&worker.counts);
        let (stop, break_off) = (Interrupt::new().unwrap(), Interrupt::new().unwrap());
        let thread = std::thread::spawn({
            let (stop, break_off) = (stop.clone(), break_off.clone());
            move || worker.run(&stop, &break_off)
        });
        RunningWorker { stop, break_off, thread: Some(thread), news, counts, _cache: cache }
    }

    /// Waits until it is in the middle of a match.
    pub(crate) fn await_match(&self) {
        until(|| self.counts.playing.load(Ordering::Relaxed) > 0);
    }

    /// Waits for it to end by itself.
    pub(crate) fn join(mut self) -> Ended {
        self.thread.take().unwrap().join().unwrap().unwrap()
    }
}

impl Drop for RunningWorker {
    fn drop(&mut self) {
        self.stop.raise();
        self.break_off.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
