//! A whole event in one process: clients at real sockets, free play, scored rounds, corrections, restarts; what it comes
//! to is worked out a second time from the store's rows alone.

mod client;
mod encrypted;
mod standby;

use client::{Style, play};
use metrics_exporter_prometheus::PrometheusBuilder;
use palestra_arena::Arena;
use palestra_arena::api::{Control, MatchKind, RoundDetail, RoundMatch, RoundState};
use palestra_arena::ids::{BotId, MatchId, RoundId};
use palestra_arena::plan::{self, EventPlan};
use palestra_arena::store::{DATABASE, NewAccount, Store, StoreError};
use palestra_core::AnyGame;
use palestra_testkit::{Counting, Postgres, held};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const GAMES: &[&dyn AnyGame] = &[&palestra_rps::Rps, &palestra_generals::Generals];
const PATIENCE: Duration = Duration::from_secs(120);

const EVENT: &str = r#"
name = "Test"
site = "127.0.0.1:0"
gateway = "127.0.0.1:0"
rest = "100ms"
grace = "60s"
round = [
    { name = "Afternoon", points = { win = 2, draw = 1 }, seatings = "elo", tie_breaks = ["elo"] },
    { name = "Final", start = "next", best = 3, points = { win = 10, draw = 5 }, seatings = "elo", tie_breaks = ["elo"] },
]

[[game]]
id = "rps"
submissions = false
settings = { size = 6, first_unit_ticks = 2, max_ticks = 120, hold_ticks = 4 }
"#;

fn event(folder: &Path, text: &str) -> EventPlan {
    // What goes wrong in the arena's own tasks is told beside the test's failure.
    let _ =
        tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::WARN).try_init();
    let file = folder.join("event.toml");
    std::fs::write(&file, text).unwrap();
    let find = |id: &str| {
        GAMES.iter().copied().find(|game| game.info().id == id).ok_or_else(|| format!("no game {id}"))
    };
    plan::read(&file, find).unwrap()
}

async fn players(store: &Store, names: &[&str]) -> Vec<String> {
    let mut passwords = Vec::new();
    for name in names {
        let new = NewAccount { name: (*name).to_owned(), password: None, organiser: false };
        passwords.push(store.add_account(new).await.unwrap().1);
    }
    passwords
}

/// Waits until something is so.
async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let waited = timeout(PATIENCE, async {
        while !so() {
            sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(waited.await.is_ok(), "waited too long: {what}");
}

fn matches_of(round: &RoundDetail) -> impl Iterator<Item = &RoundMatch> {
    let rounds = round.stages.iter().flat_map(|stage| &stage.rounds);
    rounds.flat_map(|round| &round.meetings).flat_map(|meeting| &meeting.matches)
}

fn state_of(arena: &Arena, name: &str) -> Option<RoundState> {
    let snapshot = arena.hub.snapshot();
    snapshot.live.rounds.iter().find(|round| round.name == name).map(|round| round.state)
}

/// Points and ratings from the rows of the store, by another way than the arena's own: plain Elo, plain sums.
async fn recomputed(arena: &Arena) -> HashMap<BotId, (f64, f64)> {
    let mut result: HashMap<BotId, (f64, f64)> = HashMap::new();
    for rated in arena.store.rated_matches("rps").await.unwrap() {
        let [(a, place_a, _), (b, place_b, _)] = rated.seats[..] else { panic!("two players") };
        let elo = |bot: BotId, result: &HashMap<BotId, (f64, f64)>| result.get(&bot).map_or(1500.0, |r| r.1);
        let (ea, eb) = (elo(a, &result), elo(b, &result));
        let expected = 1.0 / (1.0 + 10_f64.powf((eb - ea) / 400.0));
        let score = match place_a.cmp(&place_b) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        let change = 32.0 * (score - expected);
        result.entry(a).or_insert((0.0, 1500.0)).1 += change;
        result.entry(b).or_insert((0.0, 1500.0)).1 -= change;
    }
    for (bot, points) in arena.store.points_by_bot().await.unwrap() {
        result.entry(bot).or_insert((0.0, 1500.0)).0 += points;
    }
    result
}

async fn check_standings(arena: &Arena) {
    until("the snapshot is up to date", || arena.hub.snapshot().live.running == 0).await;
    sleep(Duration::from_millis(600)).await;
    let expected = recomputed(arena).await;
    let snapshot = arena.hub.snapshot();
    let lines = &snapshot.standings["rps"];
    for line in lines.iter() {
        let (points, elo) = expected.get(&line.bot).copied().unwrap_or((0.0, 1500.0));
        assert_eq!(line.points, points, "{}", line.name);
        assert_eq!(line.elo, elo.round() as i32, "{}", line.name);
    }
    for pair in lines.windows(2) {
        assert!((pair[0].points, pair[0].elo) >= (pair[1].points, pair[1].elo));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_from_free_play_to_the_final_with_a_stop_in_each_phase() {
    whole_event(EVENT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_event_kept_by_postgres_and_moved_to_sqlite() {
    let postgres = Postgres::start();
    let folder = whole_event(&format!("database = \"{}\"\n{EVENT}", postgres.address)).await;
    // Into SQLite, and everything is as it was.
    let kept = Store::beside(&folder.path().join("event.arena"), Some(&postgres.address)).await.unwrap();
    let backup = folder.path().join("event.backup");
    kept.back_up(&backup).await.unwrap();
    let moved = folder.path().join("moved");
    Store::restore(&moved, None, &backup).await.unwrap();
    let moved = Store::beside(&moved, None).await.unwrap();
    assert_eq!(moved.accounts().await.unwrap(), kept.accounts().await.unwrap());
    assert_eq!(moved.bots().await.unwrap(), kept.bots().await.unwrap());
    assert_eq!(moved.last_match().await.unwrap(), kept.last_match().await.unwrap());
    let by_bot = async |store: &Store| {
        let mut points = store.points_by_bot().await.unwrap();
        points.sort_by_key(|(bot, _)| *bot);
        points
    };
    assert_eq!(by_bot(&moved).await, by_bot(&kept).await);
    // One arena at a time, wherever it keeps its folder.
    let first = Store::open(&folder.path().join("first"), Some(&postgres.address)).await.unwrap();
    let second = Store::open(&folder.path().join("second"), Some(&postgres.address)).await;
    assert!(matches!(second, Err(StoreError::Reserved)));
    drop(first);
    // A database with an event in it is not overwritten.
    let refused = Store::restore(&folder.path().join("third"), Some(&postgres.address), &backup).await;
    assert!(refused.is_err());
}

#[tokio::test]
async fn events_of_an_earlier_program_are_taken_over_by_postgres() {
    let postgres = Postgres::start();
    let dump = zstd::decode_all(&include_bytes!("../databases/arena-3.postgres.sql.zst")[..]).unwrap();
    postgres.load(str::from_utf8(&dump).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("kept"), Some(&postgres.address)).await.unwrap();
    let names: Vec<String> =
        store.accounts().await.unwrap().into_iter().map(|account| account.name).collect();
    assert_eq!(names, ["Anna", "Bence", "organiser", "bot", "greedy"]);
    assert_eq!(store.last_match().await.unwrap(), (MatchId(51), 51));
    // The same event from SQLite, where matches without points come before those with points.
    let sqlite = folder.path().join("sqlite");
    std::fs::create_dir(&sqlite).unwrap();
    let database = zstd::decode_all(&include_bytes!("../databases/arena-3.db.zst")[..]).unwrap();
    std::fs::write(sqlite.join(DATABASE), database).unwrap();
    let backup = folder.path().join("event.backup");
    Store::open(&sqlite, None).await.unwrap().back_up(&backup).await.unwrap();
    let another = postgres.another();
    Store::restore(&folder.path().join("restored"), Some(&another), &backup).await.unwrap();
    let restored = Store::beside(&folder.path().join("restored"), Some(&another)).await.unwrap();
    assert_eq!(restored.last_match().await.unwrap(), (MatchId(51), 51));
    assert_eq!(restored.points_by_bot().await.unwrap(), store.points_by_bot().await.unwrap());
}

/// Free play, a round, the final, corrections, with a stop in the middle of each; the folder with what is left.
async fn whole_event(event_text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let names = ["Anna", "Bence", "Csilla", "Dani", "Eszter"];
    let mut arena = Arena::start(event(folder.path(), event_text), GAMES, None).await.unwrap();
    let passwords = players(&arena.store, &names).await;
    let gateway = arena.gateway.unwrap();
    // The same address again after a stop, as clients know it.
    let text = event_text.replace("gateway = \"127.0.0.1:0\"", &format!("gateway = \"{gateway}\""));

    let mut clients = JoinSet::new();
    for (index, password) in passwords.iter().enumerate() {
        let style = if index % 2 == 0 { Style::Rush } else { Style::Sit };
        clients.spawn(play_again(gateway, password.clone(), "any".to_owned(), style));
    }
    until("some free matches", || arena.hub.snapshot().live.latest.len() >= 6).await;
    arena = restart(arena, folder.path(), &text).await;
    until("free matches after a stop", || !arena.hub.snapshot().live.latest.is_empty()).await;

    arena.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    until("the afternoon began", || state_of(&arena, "Afternoon") == Some(RoundState::Running)).await;
    until("a scored match", || {
        arena.hub.snapshot().live.latest.iter().any(|view| view.kind == MatchKind::Scored)
    })
    .await;
    arena = restart(arena, folder.path(), &text).await;
    until("the afternoon is over", || state_of(&arena, "Afternoon") == Some(RoundState::Over)).await;
    until("the final is over", || state_of(&arena, "Final") == Some(RoundState::Over)).await;

    let snapshot = arena.hub.snapshot();
    let afternoon = arena.hub.round(RoundId(1)).await.unwrap();
    assert_eq!(afternoon.players.len(), names.len());
    // Everybody met everybody once.
    let mut pairs: Vec<Vec<usize>> = matches_of(&afternoon).map(|game| game.players.clone()).collect();
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort();
    let all = (0..5).flat_map(|one| (one + 1..5).map(move |other| vec![one, other]));
    assert_eq!(pairs, all.collect::<Vec<_>>());
    let handed: f64 = afternoon.standings.iter().map(|line| line.points).sum();
    assert_eq!(handed, 10.0 * 2.0, "ten matches of two points each");
    let best = arena.hub.round(RoundId(2)).await.unwrap();
    assert_eq!(best.players.len(), 3);
    // Nobody plays free matches while a scored round runs, and afterwards they do again.
    arena.hub.control(None, None, Control::Pause).await.unwrap();
    check_standings(&arena).await;
    arena = restart(arena, folder.path(), &text).await;
    check_standings(&arena).await;

    // One match of the final is taken out: points and ratings follow.
    let voided = snapshot.live.latest.iter().find(|view| view.round == Some(RoundId(2))).map(|view| view.id);
    let voided = voided.or_else(|| matches_of(&best).find_map(|game| game.id)).unwrap();
    arena.hub.void(None, voided, "a test".to_owned()).await.unwrap();
    assert!(arena.hub.void(None, voided, "again".to_owned()).await.is_err());
    check_standings(&arena).await;
    arena.hub.rerun(None, voided, "after all".to_owned()).await.unwrap();
    arena.hub.control(None, None, Control::Resume).await.unwrap();
    until("the final is over again", || state_of(&arena, "Final") == Some(RoundState::Over)).await;
    arena.hub.control(None, None, Control::Close).await.unwrap();
    check_standings(&arena).await;
    clients.shutdown().await;
    arena.stop().await;
    folder
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_come_loses() {
    let folder = tempfile::tempdir().unwrap();
    let impatient = EVENT.replace("grace = \"60s\"", "grace = \"1s\"");
    let arena = Arena::start(event(folder.path(), &impatient), GAMES, None).await.unwrap();
    let passwords = players(&arena.store, &["Anna", "Bence", "Csilla"]).await;
    let gateway = arena.gateway.unwrap();
    let mut clients = JoinSet::new();
    for password in &passwords {
        clients.spawn(play(gateway, password.clone(), "any".to_owned(), Style::Rush));
    }
    until("everybody has played", || {
        arena.hub.snapshot().standings["rps"].iter().filter(|line| line.played > 0).count() == 3
    })
    .await;
    // Everybody leaves, and one comes back.
    clients.shutdown().await;
    until("nobody is there", || arena.hub.snapshot().live.online == 0).await;
    clients.spawn(play(gateway, passwords[1].clone(), String::new(), Style::Rush));
    until("one is there", || arena.hub.snapshot().live.online == 1).await;
    arena.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    until("the round is over", || state_of(&arena, "Afternoon") == Some(RoundState::Over)).await;
    let round = arena.hub.round(RoundId(1)).await.unwrap();
    let first = &round.standings[0];
    assert_eq!(round.players[first.bot].name, "Bence");
    assert_eq!(first.points, 4.0);
    // The match of the two who were away was not played, and nobody has points for it.
    assert!(round.standings[1..].iter().all(|line| line.points == 0.0));
    let mut states: Vec<String> = matches_of(&round).map(|game| format!("{:?}", game.state)).collect();
    states.sort();
    assert_eq!(states, ["Failed", "Forfeit", "Forfeit"]);
    clients.shutdown().await;
    arena.stop().await;
}

#[tokio::test]
async fn built_in_players_alone_leave_the_store_room() {
    let folder = tempfile::tempdir().unwrap();
    let text = EVENT.replace("submissions", "house = ['greedy', 'random']\nsubmissions");
    let arena = Arena::start(event(folder.path(), &text), GAMES, None).await.unwrap();
    until("three matches", || arena.hub.snapshot().live.latest.len() >= 3).await;
    let started: Vec<i64> = arena.hub.snapshot().live.latest.iter().map(|view| view.started).collect();
    // Whatever a match takes; the store's clock is not quite the one that is waited by.
    let pause = palestra_arena::limits::HOUSE_PAUSE.as_millis() as i64 * 9 / 10;
    assert!(started.windows(2).all(|two| (two[0] - two[1]).abs() >= pause), "{started:?}");
    arena.stop().await;
}

/// In one thread, so that what it holds is what the arena holds.
#[tokio::test]
async fn measurements_that_nobody_reads_are_not_all_kept() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let histogram = metrics::with_local_recorder(&recorder, || metrics::histogram!("test"));
    let folder = tempfile::tempdir().unwrap();
    let arena = Arena::start(event(folder.path(), EVENT), GAMES, Some(recorder.handle())).await.unwrap();
    let before = held();
    let measured = 1_000_000;
    (0..measured).for_each(|_| histogram.record(1.0));
    let all = measured * size_of::<f64>() as isize;
    assert!(held() - before >= all);
    until("they are counted", || {
        // What was let go is given back when there is something new.
        histogram.record(1.0);
        held() - before < all / 2
    })
    .await;
    arena.stop().await;
}

async fn restart(arena: Arena, folder: &Path, text: &str) -> Arena {
    arena.stop().await;
    for _ in 0..100 {
        match Arena::start(event(folder, text), GAMES, None).await {
            Ok(arena) => return arena,
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
    panic!("the arena does not open again");
}

/// Clients come back after a stop, until the test is over.
async fn play_again(gateway: std::net::SocketAddr, password: String, wish: String, style: Style) {
    loop {
        play(gateway, password.clone(), wish.clone(), style).await;
        sleep(Duration::from_millis(100)).await;
    }
}
