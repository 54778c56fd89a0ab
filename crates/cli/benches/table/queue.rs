//! Workers over a queue: what the way there costs, how many of them one server keeps busy, and what checking takes.

use super::Table;
use super::league::{Compared, Nobody, in_turns, open, plan, play_all, runner};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use futures_util::{StreamExt as _, TryStreamExt as _};
use palestra_core::{AnyGame as _, Entrant, Match, Next};
use palestra_generals::Generals;
use palestra_league::event::Event;
use palestra_league::log_writer::{Batch as LogBatch, LogWriter};
use palestra_league::match_runner::{MapCache, MatchOutcome, MatchSetup};
use palestra_league::pairing::BotNumber;
use palestra_league::plan::{Map, TournamentPlan};
use palestra_league::store::Store;
use palestra_league::tournament::Job;
use palestra_league::tournament_run::TournamentRun;
use palestra_league::worker_pool::{self, Elsewhere, Scheduler};
use palestra_queue::messages::{
    Batch, MatchReply, Parcel, Part, PlayedReply, ReplyKind, Sandbox, SeatReply, decode, encode,
};
use palestra_queue::streams::{self, WORK};
use palestra_queue::{
    Address, DispatchOptions, Dispatcher, Field, FieldOptions, Offer, PortableBot, new_run,
};
use palestra_runner::{Asked, Bot, Cores, Guard, Interrupt, Level, Workshop};
use palestra_testkit::NatsServer;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(super) fn queue(table: &mut Table) {
    let kept = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    one_worker(table, kept.path());
    simulated(table);
    ceiling(table, kept.path());
}

/// A program that thinks for so many nanoseconds and passes.
const THINKS: &str = r#"
#include <time.h>
#include <unistd.h>
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
int main(void) {
    static char ask[1 << 16];
    while (read(0, ask, sizeof ask) > 0) {
        long end = now() + NANOSECONDS;
        while (now() < end) {}
        if (write(1, "-1\n", 3) != 3) return 1;
    }
    return 0;
}
"#;

/// The real program as a worker on this machine.
struct LocalWorker(Child);

impl LocalWorker {
    fn start(nats: &NatsServer, dispatcher: &Dispatcher) -> LocalWorker {
        let child = Command::new(env!("CARGO_BIN_EXE_palestra"))
            .args(["worker", &nats.address(), "--quiet"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("palestra starts");
        wait_for_places(dispatcher, 1);
        LocalWorker(child)
    }
}

impl Drop for LocalWorker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for_places(dispatcher: &Dispatcher, places: usize) {
    while dispatcher.places() < places {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn connect(nats: &NatsServer) -> Dispatcher {
    let address: Address = nats.address().parse().expect("an address");
    Dispatcher::connect(&address, DispatchOptions::new(new_run())).expect("it connects")
}

fn field<'a>(dispatcher: &'a Dispatcher, setup: MatchSetup) -> Field<'a> {
    let options = FieldOptions {
        game: &Generals,
        setup,
        sandbox: Sandbox::new(Level::Off, Asked::default()),
        cores: 1,
        replays: true,
        only_elsewhere: true,
    };
    Field::new(dispatcher, options)
}

/// One worker on this machine, against the same tournament played here.
fn one_worker(table: &mut Table, kept: &Path) {
    let guard = Guard::off();
    let workshop = Workshop::open(&guard).expect("toolchains");
    let programs = [("thinks.c", "2000000"), ("passes.c", "0")].map(|(name, nanoseconds)| {
        let path = kept.join(name);
        std::fs::write(&path, THINKS.replace("NANOSECONDS", nanoseconds)).expect("it can be written");
        let link = workshop.file(&path, name, &mut |_: &str| {}).expect("it compiles").link;
        let palestra_runner::Link::Program(launch) = link else { panic!("it is a program") };
        (name, path, launch)
    });
    let program = |source: &str| programs.iter().find(|(name, ..)| *name == source);
    let portable = |source: &str| match program(source) {
        Some((_, path, _)) => PortableBot::file(&workshop, path).expect("it is packed"),
        None => PortableBot::BuiltIn(source.to_owned()),
    };
    let bot = |source: &str| match program(source) {
        Some((name, _, launch)) => Bot::program(*name, launch.clone()),
        None => Bot::built_in(source),
    };
    let of = |maps: u32, settings: &str| {
        plan(&format!("game = \"generals\"\nbots = [\"a\", \"b\"]\ngenerate = {maps}\n{settings}"))
    };
    let long = of(75, "[settings]\nmax_turns = 25\n");
    let started = of(200, "[settings]\nmax_turns = 25\n");
    let short = of(120, "");
    let cases: [(&str, &TournamentPlan, &[&str], &str); 3] = [
        ("matches of 50 ms", &long, &["thinks.c", "rest", "random"], "0.95 or more"),
        ("matches of 3 ms between programs", &started, &["passes.c"; 3], "0.8 or more"),
        (
            "matches of 2 ms between built-in players",
            &short,
            &["hunter", "hunter", "greedy", "greedy", "random", "random"],
            "0.8 or more",
        ),
    ];
    for (what, plan, sources, goal) in cases {
        let nats = NatsServer::start();
        let dispatcher = connect(&nats);
        let _worker = LocalWorker::start(&nats, &dispatcher);
        let over_queue = || play_over(&dispatcher, kept, plan, sources, &portable);
        let Compared { ours, bare, ratio } = in_turns(over_queue, || play_all(kept, plan, sources, bot).0);
        table.row(
            &format!("one worker on the same machine over the queue, {what}"),
            format!("{ours:.0}/s"),
            &format!("the same tournament played here, {bare:.0}/s"),
            ratio,
            goal,
        );
        let (checking, playing) = dispatcher.checking_time();
        let share = checking.as_secs_f64() / playing.as_secs_f64();
        table.row(
            "the same: results played again",
            format!("{:.2} %", 100.0 * share),
            "the worker's time for the same matches",
            share,
            "0.02 or less",
        );
    }
}

/// A whole tournament over the queue; matches a second.
fn play_over(
    dispatcher: &Dispatcher,
    kept: &Path,
    plan: &TournamentPlan,
    sources: &[&str],
    portable: &dyn Fn(&str) -> PortableBot,
) -> f64 {
    let folder = tempfile::tempdir_in(kept).expect("a folder").keep();
    let (guard, interrupt) = (Guard::off(), Interrupt::new().expect("a pipe"));
    let runner = runner(plan, &guard, &interrupt, Vec::new());
    let field = field(dispatcher, runner.setup.clone());
    for (number, source) in (0..).zip(sources) {
        field.enter(BotNumber(number), number.to_string(), portable(source));
    }
    let (store, tournament, log) = open(&folder, plan, sources);
    let mut run = TournamentRun {
        tournament,
        log_writer: LogWriter::begin(&folder).expect("a log"),
        store,
        batch: LogBatch::from(log),
        interrupt: &interrupt,
        observer: &mut Nobody,
    };
    let start = Instant::now();
    let elsewhere: &dyn Elsewhere<_, _> = &field;
    worker_pool::run_with(&mut run, &[], Some(elsewhere), |job, cores| runner.play(job, cores))
        .expect("it is played");
    run.log_writer.end().expect("it is stored");
    run.tournament.progress().finished as f64 / start.elapsed().as_secs_f64()
}

/// A worker whose matches are timers: what it answers was played once, before.
async fn simulated_worker(
    address: String,
    name: String,
    time: Duration,
    reply: Arc<PlayedReply>,
    places: usize,
) {
    let client = async_nats::connect(&address).await.expect("it connects");
    let context = async_nats::jetstream::new(client.clone());
    let mut news = client.subscribe(streams::NEWS).await.expect("subscribed");
    let info = Generals.info();
    let offer = Offer {
        name: name.clone(),
        session: 1,
        version: "simulated".to_owned(),
        format: palestra_queue::messages::FORMAT,
        rules: [(info.id.to_owned(), info.rules_version)].into(),
        toolchains: Default::default(),
        sandboxes: vec!["off".to_owned()],
        system: palestra_queue::own_system(),
        places: places as u32,
        speed: 1.0,
        playing: 0,
        played: 0,
    };
    let offer = serde_json::to_vec(&offer).expect("plain data");
    let parcels = AtomicU64::new(0);
    let mut said = None::<Instant>;
    let mut line = None;
    loop {
        if said.is_none_or(|said| said.elapsed() > Duration::from_secs(2)) {
            said = Some(Instant::now());
            let _ = client.publish(streams::offer(&name), offer.clone().into()).await;
        }
        if line.is_none() {
            let stream = context.get_stream_no_info(WORK).await.expect("a stream");
            let lines: Vec<_> = stream.consumers().try_collect().await.unwrap_or_default();
            if let Some(first) = lines.first() {
                line = stream.get_consumer::<pull::Config>(&first.name).await.ok();
            }
        }
        let mut taken = Vec::new();
        if let Some(line) = &line {
            let mut messages = line.fetch().max_messages(places).messages().await.expect("asked");
            while let Some(Ok(message)) = messages.next().await {
                taken.push(message);
            }
        }
        if taken.is_empty() {
            let _ = tokio::time::timeout(Duration::from_millis(100), news.next()).await;
            continue;
        }
        for message in taken {
            let batch: Batch = decode(&message.payload).expect("a batch");
            tokio::time::sleep(time * batch.tasks.len() as u32).await;
            let answer = |task: &palestra_queue::messages::Task| MatchReply {
                number: task.number,
                attempt: task.attempt,
                what: ReplyKind::Played(Box::new(PlayedReply::clone(&reply))),
            };
            for tasks in batch.tasks.chunks(50) {
                let parcel = parcels.fetch_add(1, Ordering::Relaxed);
                let bytes = encode(&Parcel(tasks.iter().map(answer).collect()));
                let part = encode(&Part { batch: batch.id, parcel, part: 0, parts: 1, bytes });
                let id = format!("{name}.{parcel}");
                let result = PublishMessage::build().payload(part.into()).message_id(id);
                let sent = context.send_publish(streams::result(&batch.run, &name), result).await;
                sent.expect("sent").await.expect("stored");
            }
            let _ = message.ack().await;
        }
    }
}

/// One match again and again, with everything stored.
struct Endless<'a> {
    left: u32,
    log_writer: &'a mut LogWriter,
    batch: LogBatch,
}

impl Scheduler for Endless<'_> {
    type Job = Job;
    type Report = MatchOutcome;
    type Error = String;

    fn next(&mut self, room: usize) -> Result<Vec<Job>, String> {
        let count = self.left.min(room as u32);
        let job =
            |number| Job { number, tainted: 0, players: vec![BotNumber(0), BotNumber(1)], map: 0, seed: 7 };
        let jobs = (self.left - count..self.left).map(job).collect();
        self.left -= count;
        Ok(jobs)
    }

    fn done(&mut self, _: Job, report: Result<MatchOutcome, String>) -> Result<(), String> {
        match report? {
            MatchOutcome::Played(finished, replay) => {
                self.batch.push_played(Event::Finished(finished), replay);
            }
            other => return Err(format!("{other:?}")),
        }
        Ok(())
    }

    fn tick(&mut self, _: usize) -> Result<(), String> {
        self.log_writer.append(std::mem::take(&mut self.batch)).map_err(|error| error.to_string())
    }

    fn stopped(&self) -> bool {
        false
    }
}

/// So many simulated workers play so many matches; seconds.
fn simulate(
    nats: &NatsServer,
    workers: usize,
    places: usize,
    time: Duration,
    matches: u32,
    kept: &Path,
) -> f64 {
    let setup = MatchSetup {
        settings: Vec::new(),
        time: Generals.info().time,
        maps: vec![Map::Generated(0)],
        seed: 7,
        generated: MapCache::default(),
    };
    let bots = ["hunter", "greedy"];
    let plan = setup.plan(&Generals, 0, 2, 7).expect("a plan");
    let mut game = Match::new(&Generals, plan, &bots.map(Entrant::built_in), setup.time).expect("a match");
    while game.next() != Next::Over {}
    let (_, mut replay) = game.finish(Vec::new()).expect("it is over");
    replay.head.bots = vec!["0".to_owned(), "1".to_owned()];
    let seats = vec![SeatReply { ended_itself: true, ..SeatReply::default() }; 2];
    let replay = replay.to_bytes().expect("packed");
    let micros = time.as_micros().max(100) as u64;
    let reply = Arc::new(PlayedReply { replay, micros, seats, faults: Vec::new() });
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    let dispatcher = connect(nats);
    for worker in 0..workers {
        let name = format!("simulated-{worker}");
        runtime.spawn(simulated_worker(nats.address(), name, time, Arc::clone(&reply), places));
    }
    wait_for_places(&dispatcher, workers * places);
    let field = field(&dispatcher, setup);
    for (number, bot) in (0..).zip(bots) {
        field.enter(BotNumber(number), number.to_string(), PortableBot::BuiltIn(bot.to_owned()));
    }
    let folder = tempfile::tempdir_in(kept).expect("a folder").keep();
    let _store = Store::open(&folder).expect("a new folder");
    let mut log_writer = LogWriter::begin(&folder).expect("a log");
    let mut endless = Endless { left: matches, log_writer: &mut log_writer, batch: LogBatch::default() };
    let start = Instant::now();
    let elsewhere: &dyn Elsewhere<_, _> = &field;
    let nothing_here = |_: &Job, _: &Cores| MatchOutcome::Failed("nothing is played here".to_owned());
    worker_pool::run_with(&mut endless, &[], Some(elsewhere), nothing_here).expect("it is played");
    log_writer.end().expect("it is stored");
    let seconds = start.elapsed().as_secs_f64();
    runtime.shutdown_background();
    seconds
}

/// Workers whose matches take a second each.
fn simulated(table: &mut Table) {
    let kept = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let nats = NatsServer::start();
    let (workers, rounds) = (64, 10);
    let seconds = simulate(&nats, workers, 1, Duration::from_secs(1), workers as u32 * rounds, kept.path());
    let rate = f64::from(workers as u32 * rounds) / seconds;
    table.row(
        "64 simulated workers with matches of a second",
        format!("{rate:.1}/s"),
        "64 a second",
        f64::from(rounds) / seconds,
        "0.95 or more",
    );
}

/// As many matches as one server sends, checks and stores.
fn ceiling(table: &mut Table, kept: &Path) {
    let nats = NatsServer::start();
    let matches = 20_000;
    let seconds = simulate(&nats, 4, 4, Duration::ZERO, matches, kept);
    let rate = f64::from(matches) / seconds;
    table.row(
        "matches that one server sends, plays again and stores, workers and queue on the same two cores",
        format!("{rate:.0}/s"),
        "10,000 workers with matches of ten seconds, 1,000/s",
        rate / 1000.0,
        "1 or more",
    );
}
