//! Matches in which programs take part: with clients beside them, side by side, and broken off.

use crate::Test;
use crate::support::{guard, kit, on, runtime};
use palestra_arena::api::{MatchKind, VersionState};
use palestra_arena::ids::MatchId;
use palestra_arena::play::pool::WorkerPool;
use palestra_arena::play::{
    ClientChannel, MatchMessage, MatchStart, PreparedMatch, Report, SeatedBot, SessionChannel,
    SessionMessage, client_channel,
};
use palestra_core::{AnyGame as _, Exit, Fate, Fault, PlanRequest, Seat, TimeControl};
use palestra_rps::Rps;
use palestra_runner::{Cores, Guard, Launch, Link, Workshop};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};
use tokio::task::JoinHandle;

pub(crate) const TESTS: &[Test] = &[
    ("a_client_plays_against_a_program", a_client_plays_against_a_program),
    ("a_client_that_leaves_has_lost", a_client_that_leaves_has_lost),
    ("a_client_that_hangs_up_has_lost_at_once", a_client_that_hangs_up_has_lost_at_once),
    (
        "a_client_that_hangs_up_at_the_end_takes_no_time_from_the_program",
        a_client_that_hangs_up_at_the_end_takes_no_time_from_the_program,
    ),
    ("a_client_that_is_not_there_holds_up_nobody", a_client_that_is_not_there_holds_up_nobody),
    ("matches_are_played_side_by_side", matches_are_played_side_by_side),
    ("nobody_is_harmed_by_the_end_of_a_match", nobody_is_harmed_by_the_end_of_a_match),
    ("a_panic_is_a_report", a_panic_is_a_report),
    ("closing_the_hall_breaks_off_its_matches", closing_the_hall_breaks_off_its_matches),
    ("who_gives_way_is_broken_off_alone", who_gives_way_is_broken_off_alone),
];

/// The number by which the others know the program's player.
const NUMBER: &str = "17";

/// The starter kit, made ready once.
static PROGRAM: LazyLock<Launch> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/rps/kits/python/rps.py");
    let guard = guard();
    let bot =
        Workshop::open(&guard).expect("a table of toolchains").file(&source, "rps.py", &mut |_: &str| {});
    match bot.expect("a bot").link {
        Link::Program(launch) => launch,
        _ => unreachable!("a file is a program"),
    }
});

fn program() -> SeatedBot {
    SeatedBot::program("program", NUMBER, PROGRAM.clone())
}

fn client() -> (SeatedBot, SessionChannel) {
    let start = MatchStart {
        number: MatchId(1),
        game: "rps".to_owned(),
        seat: 1,
        names: Vec::new(),
        kind: MatchKind::Free,
    };
    let (line, session): (ClientChannel, SessionChannel) = client_channel(start);
    (SeatedBot::client("client", "3", line), session)
}

/// A match of so many ticks.
fn prepared(ticks: u32, time: TimeControl, bots: Vec<SeatedBot>) -> PreparedMatch {
    let changes = [("max_ticks".to_owned(), ticks.to_string())];
    let plan = Rps.plan(&PlanRequest { changes: &changes, map: None, players: 2, seed: 1 }).expect("a plan");
    PreparedMatch::new(&Rps, plan, time, bots).expect("a match")
}

fn usual() -> TimeControl {
    TimeControl::PerAnswer(Duration::from_secs(5))
}

fn pool(runtime: &Runtime, places: usize, guard: Arc<Guard>) -> WorkerPool {
    WorkerPool::new(vec![Cores::Any; places], guard, runtime.handle().clone()).expect("a pool")
}

/// Answers so many packets with nothing, one line in two pieces, and leaves then; says all it heard.
fn answer(runtime: &Runtime, mut session: SessionChannel, answers: u32) -> JoinHandle<String> {
    runtime.spawn(async move {
        let mut heard = String::new();
        let mut left = answers;
        session.to_match.send(SessionMessage::Ready).await.expect("a match");
        while let Some(tell) = session.from_match.recv().await {
            let bytes = match tell {
                MatchMessage::Bytes(bytes) => bytes,
                MatchMessage::Look => continue,
                MatchMessage::Over(end) => {
                    heard.push_str(&end.words);
                    continue;
                }
            };
            heard.push_str(&String::from_utf8(bytes).expect("text"));
            if heard.contains("finished") {
                continue;
            }
            if left == 0 {
                let _ = session.to_match.send(SessionMessage::Closed).await;
                continue;
            }
            left -= 1;
            let now = Instant::now();
            for bytes in [b".".to_vec(), b"\n".to_vec()] {
                session
                    .to_match
                    .send(SessionMessage::Bytes { bytes, at: now, asked: now })
                    .await
                    .expect("a match");
            }
        }
        heard
    })
}

fn a_client_plays_against_a_program() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, guard());
    let (bot, session) = client();
    let heard = answer(&runtime, session, u32::MAX);
    let report = pool.play(prepared(60, usual(), vec![bot, program()]));
    let played = runtime.block_on(report).expect("a report").expect("a match");
    assert!(played.faults.is_empty(), "{:?}", played.faults);
    assert_eq!(played.replay.head.turns, 60);
    assert_eq!(played.replay.head.bots, ["client", "program"]);
    let heard = runtime.block_on(heard).expect("a client");
    // 30 asks and the last words, all of them before the match was called over.
    assert_eq!(heard.matches("\n.\n").count(), 31);
    assert!(heard.contains(&format!("versus {NUMBER}\n")) && heard.contains("finished draw"), "{heard}");
    assert!(heard.ends_with("drawn in 60 ticks"), "{heard}");
}

fn a_client_that_leaves_has_lost() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, guard());
    let (bot, session) = client();
    let heard = answer(&runtime, session, 5);
    let report = pool.play(prepared(60, usual(), vec![program(), bot]));
    let played = runtime.block_on(report).expect("a report").expect("a match");
    assert_eq!(played.faults[0].fault, Fault::Exited(Exit::ClosedOutput));
    assert_eq!(played.outcome.placings[0].place, 1);
    assert_eq!(played.outcome.placings[1].fate, Fate::Disqualified);
    assert!(runtime.block_on(heard).expect("a client").contains("finished defeat"));
}

fn a_client_that_hangs_up_at_the_end_takes_no_time_from_the_program() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, guard());
    let (bot, mut session) = client();
    runtime.spawn(async move {
        session.to_match.send(SessionMessage::Ready).await.expect("a match");
        let mut heard = Vec::new();
        while let Some(tell) = session.from_match.recv().await {
            if let MatchMessage::Bytes(bytes) = tell {
                heard.extend(bytes);
                if String::from_utf8_lossy(&heard).contains("finished") {
                    return;
                }
                let now = Instant::now();
                let answer = SessionMessage::Bytes { bytes: b".\n".to_vec(), at: now, asked: now };
                session.to_match.send(answer).await.expect("a match");
            }
        }
    });
    // It answers everything with nothing, and takes a while to leave.
    let script = "while read line; do if [ \"$line\" = . ]; then echo .; fi; done; sleep 0.4; echo left >&2";
    let launch = Launch::new(["sh", "-c", script].map(Into::into).to_vec());
    let report = pool.play(prepared(6, usual(), vec![bot, SeatedBot::program("slow", NUMBER, launch)]));
    let played = runtime.block_on(report).expect("a report").expect("a match");
    assert!(played.faults.is_empty(), "{:?}", played.faults);
    let stderr: Vec<u8> = played.stderr[1].iter().flat_map(|(_, piece)| piece.clone()).collect();
    assert_eq!((String::from_utf8_lossy(&stderr).as_ref(), played.ended_itself[1]), ("left\n", true));
}

/// Nobody waits for the program, which never answers.
fn a_client_that_hangs_up_has_lost_at_once() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, guard());
    let (bot, session) = client();
    let launch = Launch::new(["sleep", "1000"].map(Into::into).to_vec());
    let thinker = SeatedBot::program("thinker", NUMBER, launch);
    runtime.block_on(session.to_match.send(SessionMessage::Ready)).expect("a match");
    let report = pool.play(prepared(60, TimeControl::Unlimited, vec![thinker, bot]));
    drop(session);
    let played = runtime.block_on(report).expect("a report").expect("a match");
    assert_eq!(played.outcome.placings[0].place, 1);
    assert_eq!((played.faults[0].turn, played.faults[0].seat), (1, Seat::at(1)));
    played.replay.verify(&Rps).expect("a sound replay");
}

fn a_client_that_is_not_there_holds_up_nobody() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, guard());
    let (bot, session) = client();
    drop(session);
    let report = pool.play(prepared(60, usual(), vec![bot, program()]));
    let played = runtime.block_on(report).expect("a report").expect("a match");
    assert_eq!(played.outcome.placings[1].place, 1);
}

fn matches_are_played_side_by_side() {
    let runtime = runtime();
    let pool = pool(&runtime, 2, guard());
    assert_eq!(pool.room(), 2);
    let (bot, session) = client();
    let mut reports =
        vec![pool.play(prepared(60, TimeControl::Unlimited, vec![bot, SeatedBot::built_in("bot")]))];
    assert_eq!(pool.room(), 1);
    // The first one waits for its client; these go by.
    for _ in 0..3 {
        reports.push(pool.play(prepared(60, usual(), vec![program(), SeatedBot::built_in("greedy")])));
    }
    assert_eq!(pool.room(), 0);
    for report in reports.drain(1..) {
        let played = runtime.block_on(report).expect("a report").expect("a match");
        assert!(played.faults.is_empty(), "{:?}", played.faults);
    }
    let heard = answer(&runtime, session, u32::MAX);
    runtime.block_on(reports.remove(0)).expect("a report").expect("a match");
    assert!(runtime.block_on(heard).expect("a client").contains("finished"));
    assert_eq!(pool.room(), 2);
}

/// Whatever a bot leaves behind is ended with its match, and nothing else: not what is being made meanwhile.
fn nobody_is_harmed_by_the_end_of_a_match() {
    on(|event| async move {
        let pool = WorkerPool::new(vec![Cores::Any], guard(), Handle::current()).expect("a pool");
        let playing = tokio::spawn(async move {
            loop {
                let short = prepared(2, usual(), vec![program(), SeatedBot::built_in("bot")]);
                pool.play(short).await.expect("a report").expect("a match");
            }
        });
        let shop = event.open().await;
        for number in 0..3 {
            let script =
                [kit("generals/kits/python/generals.py"), format!("# {number}\n").into_bytes()].concat();
            let view = shop.settled(event.anna, "bot.py", &script).await;
            let log = view.log.unwrap_or_default();
            // Nobody is harmed by a machine that has no time for it either.
            let is_busy = log.contains("should this machine have been busy");
            assert!(view.state == VersionState::Ready || is_busy, "{log}");
        }
        playing.abort();
        assert!(playing.await.expect_err("it plays on").is_cancelled());
    });
}

fn a_panic_is_a_report() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, Arc::new(Guard::off()));
    let nothing = SeatedBot::program("nothing", NUMBER, Launch::new(Vec::new()));
    let report = pool.play(prepared(60, usual(), vec![nothing, SeatedBot::built_in("bot")]));
    let why = runtime.block_on(report).expect("a report").expect_err("it panicked");
    assert!(why.contains("a command has a program"), "{why}");
    let bots = ["bot", "greedy"].map(SeatedBot::built_in);
    let report: Report = runtime.block_on(pool.play(prepared(60, usual(), bots.into()))).expect("a report");
    assert!(report.is_ok(), "the pool is still open");
    assert_eq!(pool.room(), 1);
}

fn closing_the_hall_breaks_off_its_matches() {
    let runtime = runtime();
    let pool = pool(&runtime, 1, guard());
    let (bot, session) = client();
    // It is ready, stays, and never answers.
    let heard = runtime.spawn(async move {
        let mut session = session;
        session.to_match.send(SessionMessage::Ready).await.expect("a match");
        (session.from_match.recv().await.is_some(), session)
    });
    let running = pool.play(prepared(60, TimeControl::Unlimited, vec![bot, program()]));
    let waiting = pool.play(prepared(60, usual(), vec![program(), program()]));
    let (asked, _session) = runtime.block_on(heard).expect("a client");
    assert!(asked);
    drop(pool);
    assert_eq!(
        runtime.block_on(running).expect("a report").expect_err("broken off"),
        "the match was interrupted"
    );
    assert!(runtime.block_on(waiting).is_err(), "it was never begun");
}

fn who_gives_way_is_broken_off_alone() {
    let runtime = runtime();
    let pool = pool(&runtime, 2, guard());
    let (bot, mut session) = client();
    let asked = runtime.spawn(async move {
        session.to_match.send(SessionMessage::Ready).await.expect("a match");
        (session.from_match.recv().await.is_some(), session)
    });
    let first = pool.play_giving_way(prepared(60, TimeControl::Unlimited, vec![bot, program()]));
    let other = pool.play(prepared(60, usual(), vec![program(), program()]));
    let (asked, _session) = runtime.block_on(asked).expect("a client");
    assert!(asked);
    pool.give_way();
    assert_eq!(
        runtime.block_on(first).expect("a report").expect_err("broken off"),
        "the match was interrupted"
    );
    assert!(runtime.block_on(other).expect("a report").is_ok());
    let later = pool.play_giving_way(prepared(60, usual(), vec![program(), program()]));
    assert!(runtime.block_on(later).expect("a report").is_ok(), "there is nothing to give way to");
}
