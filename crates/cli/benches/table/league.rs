//! Tournaments: what storing costs, and how much one can hold.

use super::{Table, compiled, pass_bot, play_match, resident};
use palestra_core::{AnyGame, Rng, Seat, Spent};
use palestra_generals::Generals;
use palestra_grifaki::Grifaki;
use palestra_league::event::{DrawnMeeting, Event, Finished, Identity, StageRound, StoredReplay};
use palestra_league::log_writer::{Batch, LogWriter};
use palestra_league::match_runner::{MatchRunner, MatchSetup};
use palestra_league::pairing::{BotNumber, Format, Pairing};
use palestra_league::plan::{self, TournamentPlan};
use palestra_league::store::Store;
use palestra_league::tournament::{Job, Tournament};
use palestra_league::tournament_run::{TournamentObserver, TournamentRun};
use palestra_league::worker_pool;
use palestra_runner::{Bot, Cores, Guard, Interrupt, Launch, Options, Pinned};
use std::path::Path;
use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

pub(super) fn league(table: &mut Table) {
    let kept = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    built_in(table, kept.path());
    programs(table, kept.path());
    fairness(table);
    large(table);
}

/// Nobody looks on.
pub(super) struct Nobody;

impl TournamentObserver for Nobody {
    fn result(&mut self, _: &Tournament, _: &Finished, _: bool) {}
    fn failed(&mut self, _: &Tournament, job: &Job, why: &str) {
        panic!("match {} was not played: {why}", job.number);
    }
    fn tick(&mut self, _: &Tournament, _: usize) {}
}

pub(super) fn plan(text: &str) -> TournamentPlan {
    plan::read(text, |name| Ok(game(name)), 7).expect("the plan is good").plan
}

fn game(name: &str) -> &'static dyn AnyGame {
    if name == "grifaki" { &Grifaki } else { &Generals }
}

fn bot_added(number: u32, source: &str) -> Event {
    Event::BotAdded {
        bot: BotNumber(number),
        name: format!("{source} {number}"),
        identity: Identity { source: source.to_owned(), fingerprint: None },
        from: StageRound { stage: 0, round: 1 },
        rating: None,
    }
}

/// Opens a tournament of these bots in a new folder.
pub(super) fn open(
    folder: &Path,
    plan: &TournamentPlan,
    sources: &[&str],
) -> (Store, Tournament, Vec<Event>) {
    let mut store = Store::open(folder).expect("a new folder");
    let mut events = vec![Event::Opened { program: "bench".to_owned(), plan: Box::new(plan.clone()) }];
    events.extend((0..).zip(sources).map(|(number, source)| bot_added(number, source)));
    store.append(&events).expect("stored");
    let mut log = Vec::new();
    let tournament = Tournament::open(&mut store, &mut log).expect("it opens");
    (store, tournament, log)
}

pub(super) fn runner<'a>(
    plan: &TournamentPlan,
    guard: &'a Guard,
    interrupt: &'a Interrupt,
    bots: Vec<Bot>,
) -> MatchRunner<'a> {
    let runner = MatchRunner {
        game: game(&plan.game),
        setup: MatchSetup::of(plan, game(&plan.game)),
        guard,
        interrupt,
        replays: true,
        roster: RwLock::default(),
    };
    for (number, bot) in (0..).zip(bots) {
        runner.enter(BotNumber(number), number.to_string(), bot);
    }
    runner
}

/// Plays a whole tournament; matches a second.
pub(super) fn play_all(
    kept: &Path,
    plan: &TournamentPlan,
    sources: &[&str],
    bot: impl Fn(&str) -> Bot,
) -> (f64, Vec<Job>) {
    // Kept until everything is measured: some file systems are slow to make files where others have just gone.
    let folder = tempfile::tempdir_in(kept).expect("a folder").keep();
    let folder = folder.as_path();
    let (guard, interrupt) = (Guard::off(), Interrupt::new().expect("a pipe"));
    let runner = runner(plan, &guard, &interrupt, sources.iter().map(|source| bot(source)).collect());
    let (store, tournament, log) = open(folder, plan, sources);
    let jobs = RwLock::new(Vec::new());
    let mut run = TournamentRun {
        tournament,
        log_writer: LogWriter::begin(folder).expect("a log"),
        store,
        batch: Batch::from(log),
        interrupt: &interrupt,
        observer: &mut Nobody,
    };
    let start = Instant::now();
    worker_pool::run(&mut run, &worker_pool::worker_cores(1, None), |job, cores| {
        jobs.write().expect("no panic").push(job.clone());
        runner.play(job, cores)
    })
    .expect("it is played");
    run.log_writer.end().expect("it is stored");
    let time = start.elapsed().as_secs_f64();
    let jobs = jobs.into_inner().expect("no panic");
    (jobs.len() as f64 / time, jobs)
}

/// The same matches on as many threads, without anything around them; matches a second.
fn bare(jobs: &[Job], play: impl Fn(&Job, &Cores) + Sync) -> f64 {
    let next = AtomicUsize::new(0);
    let places = worker_pool::worker_cores(1, None);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for cores in &places {
            let (next, play) = (&next, &play);
            scope.spawn(move || {
                let _pinned = Pinned::new(cores).expect("the cores are there");
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    play(job, cores);
                }
            });
        }
    });
    jobs.len() as f64 / start.elapsed().as_secs_f64()
}

/// What two ways of playing the same matches came to: matches a second, and how they compare.
pub(super) struct Compared {
    pub(super) ours: f64,
    pub(super) bare: f64,
    pub(super) ratio: f64,
}

/// Both in turns, again and again, and the medians: the ratio is that of two neighbours, so that other load on the machine
/// weighs on both of them alike.
pub(super) fn in_turns(mut ours: impl FnMut() -> f64, mut bare: impl FnMut() -> f64) -> Compared {
    let rates: Vec<(f64, f64)> = (0..9).map(|_| (ours(), bare())).collect();
    let median = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = rates.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Compared {
        ours: median(|rates| rates.0),
        bare: median(|rates| rates.1),
        ratio: median(|(ours, bare)| ours / bare),
    }
}

fn built_in(table: &mut Table, kept: &Path) {
    let grifaki = ["warlord", "warlord", "expander", "expander", "random", "random"];
    built_in_case(table, kept, "Grifaki", "grifaki", &grifaki, 40);
    let generals = ["hunter", "hunter", "greedy", "greedy", "random", "random"];
    built_in_case(table, kept, "Generals, where a match takes 2 ms", "generals", &generals, 120);
}

fn built_in_case(table: &mut Table, kept: &Path, title: &str, id: &str, sources: &[&str], maps: u32) {
    let plan = plan(&format!("game = \"{id}\"\nbots = [\"a\", \"b\"]\ngenerate = {maps}\n"));
    let game = game(id);
    let bot = |source: &str| Bot::built_in(source);
    let (_, jobs) = play_all(kept, &plan, sources, bot);
    let before = resident();
    let bare_game = |setup: &MatchSetup, job: &Job| {
        let plan = setup.plan(game, job.map, 2, job.seed).expect("a plan");
        let mut game = game.open(&plan).expect("a game");
        for (seat, player) in job.players.iter().enumerate() {
            let seed = Rng::stream(plan.seed, "bot", seat as u64).bits();
            game.seat_built_in(Seat::at(seat), sources[player.0 as usize], seed).expect("a bot");
        }
        let mut turn = 0;
        while let Some(seat) = game.to_move() {
            turn += 1;
            game.think(seat).expect("it answers");
            game.apply(seat, turn);
        }
    };
    let bare_loop = || {
        // Maps are made anew, as a tournament does.
        let setup = MatchSetup::of(&plan, game);
        bare(&jobs, |job, _| bare_game(&setup, job))
    };
    let Compared { ours, bare, ratio } = in_turns(|| play_all(kept, &plan, sources, bot).0, bare_loop);
    table.row(
        &format!("a round robin of built-in bots, everything stored, {title}: matches"),
        format!("{ours:.0}/s"),
        &format!("a bare loop over the same games, {bare:.0}/s"),
        ratio,
        "0.9 or more",
    );
    let grown = resident().saturating_sub(before) as f64 / 1e6;
    let matches = 9 * jobs.len();
    let per_match = 1e6 * grown / matches as f64;
    table.row(
        "the same: memory grown",
        format!("{grown:.1} MB"),
        &format!("{matches} matches more, {per_match:.0} bytes each"),
        grown,
        "it does not grow with matches",
    );
}

fn programs(table: &mut Table, kept: &Path) {
    let plan =
        plan("game = \"generals\"\nbots = [\"a\", \"b\"]\ngenerate = 15\n[settings]\nmax_turns = 200\n");
    let bot = |_: &str| pass_bot("-1", 1, 403);
    let sources = ["pass"; 8];
    let (_, jobs) = play_all(kept, &plan, &sources, bot);
    let setup = MatchSetup::of(&plan, &Generals);
    let bare_match = |job: &Job, cores: &Cores| {
        let plan = setup.plan(&Generals, job.map, 2, job.seed).expect("a plan");
        let options = Options { cores: cores.clone(), ..Options::default() };
        play_match(&Generals, plan, setup.time, vec![bot(""), bot("")], options);
    };
    let Compared { ours, bare, ratio } =
        in_turns(|| play_all(kept, &plan, &sources, bot).0, || bare(&jobs, bare_match));
    table.row(
        "the same between trivial C programs: matches",
        format!("{ours:.0}/s"),
        &format!("a bare loop that stores nothing, {bare:.0}/s"),
        ratio,
        "0.85 or more",
    );
}

/// How much of a turn's time on the wall is somebody else's, for bots that think a millisecond: with as many matches at
/// the same time as there are cores, each bound to its own, or all of them left to the scheduler.
fn fairness(table: &mut Table) {
    let map = Generals.generate(&[], &[20, 20, 2], 1).expect("a map");
    let words = ["-1", "1", "403", "1000"].map(Into::into);
    let think = Launch::new(std::iter::once(compiled("think").into()).chain(words).collect());
    let bot = || Bot::program("think", think.clone());
    let waste = |cores: &Cores| {
        let options = Options { cores: cores.clone(), ..Options::default() };
        let plan = super::plan(&Generals, &map, &["max_turns=500"]);
        let played = play_match(&Generals, plan, Generals.info().time, vec![bot(), bot()], options);
        let lost = |spent: Spent| spent.wall.saturating_sub(spent.cpu.unwrap_or_default()).as_micros() as f64;
        played.replay.times().map(lost).collect::<Vec<f64>>()
    };
    let measure = |places: Vec<Cores>| {
        let mut lost: Vec<f64> = std::thread::scope(|scope| {
            let matches: Vec<_> = places.iter().map(|cores| scope.spawn(|| waste(cores))).collect();
            matches.into_iter().flat_map(|played| played.join().expect("a match")).collect()
        });
        lost.sort_by(f64::total_cmp);
        lost[lost.len() * 99 / 100]
    };
    let places = worker_pool::worker_cores(1, None);
    let free = vec![Cores::Any; places.len()];
    let (bound, left) = (measure(places), measure(free));
    table.row(
        "a turn of 1 ms in as many matches as cores, seats share a core: time lost at the 99th percentile",
        format!("{bound:.0} us"),
        &format!("left to the scheduler, {left:.0} us"),
        bound / left,
        "1 or less",
    );
}

/// A tournament with very many results.
fn large(table: &mut Table) {
    let cases = [
        (317, "a tournament with 100,000 finished matches gone on with", 1.0),
        (1000, "a million results: standings and strengths of 1000 bots", 5.0),
    ];
    for (bots, what, goal) in cases {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let plan = plan("game = \"generals\"\nbots = [\"a\", \"b\"]\ngenerate = 1\n");
        let sources = vec!["hunter"; bots];
        let (mut store, _, _) = open(folder.path(), &plan, &sources);
        let results = fill(&mut store, bots);
        drop(store);
        let before = resident();
        let start = Instant::now();
        let mut store = Store::open(folder.path()).expect("it is there");
        let tournament = Tournament::open(&mut store, &mut Vec::new()).expect("it opens");
        let opened = start.elapsed().as_secs_f64();
        assert_eq!(tournament.progress().finished, results);
        if bots == 1000 {
            let strengths = tournament.strengths().bots;
            assert!(strengths[0].rating > strengths[bots - 1].rating, "the stronger bot is the stronger bot");
            assert_eq!(tournament.standings().len(), bots);
        }
        let seconds = start.elapsed().as_secs_f64();
        let grown = (resident().saturating_sub(before)) >> 20;
        table.row(
            what,
            format!("{seconds:.2} s ({opened:.2} s to read), {grown} MB"),
            &format!("{goal:.0} s"),
            seconds / goal,
            "1 or less",
        );
    }
}

/// Plays a round robin on paper.
fn fill(store: &mut Store, bots: usize) -> u64 {
    let players: Vec<BotNumber> = (0..bots as u32).map(BotNumber).collect();
    let mut pairing =
        Pairing::new(&Format::RoundRobin { seats: 2, cycles: 1 }, &players, 0).expect("a field");
    let mut number = 0;
    let mut chance = Rng::new(7);
    while let Some(round) = pairing.next_round() {
        let mut events = Vec::new();
        let mut meetings = Vec::new();
        for meeting in round.meetings {
            meetings.push(DrawnMeeting {
                group: 0,
                players: meeting.players.clone(),
                first: number + 1,
                matches: 2,
                seats: Vec::new(),
                rotation: 0,
                decider: 0,
            });
            for seats in [meeting.players.clone(), meeting.players.iter().rev().copied().collect()] {
                number += 1;
                // The lower the number, the stronger the bot.
                let first_wins = chance.chance(1500 + seats[1].0, 3000 + seats[0].0 + seats[1].0);
                events.push(Event::Finished(finished(number, seats, first_wins)));
            }
        }
        events.insert(0, Event::Drawn { stage: 0, round: round.number, meetings, byes: round.byes });
        store.append(&events).expect("stored");
    }
    number.into()
}

fn finished(number: u32, players: Vec<BotNumber>, first_wins: bool) -> Finished {
    Finished {
        number,
        players,
        map: 0,
        seed: 123_456_789,
        places: if first_wins { vec![1, 2] } else { vec![2, 1] },
        scores: if first_wins { vec![(1, 1), (0, 1)] } else { vec![(0, 1), (1, 1)] },
        turns: 500,
        millis: 20,
        spent: vec![(1000, Some(1000)), (1000, Some(1000))],
        memory: Vec::new(),
        faults: Vec::new(),
        replay: Some(StoredReplay {
            path: "replays/0.bundle".to_owned(),
            at: Some(2500 * u64::from(number)),
            bytes: 2500,
            sha256: "0".repeat(64),
        }),
        tainted: false,
        worker: None,
    }
}
