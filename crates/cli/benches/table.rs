//! `make bench`: every figure that Palestra promises, measured in one run and written to `docs/performance.md`.
//! `cargo bench -p palestra --bench table -- pipes` measures one section.
//!
//! A figure is a ratio to something named, so that a noisy machine matters less: the bare pipe, the scheduler, plain
//! spawn and wait, the match as it was played. Where the yardstick is an engine that is not here, its figure was
//! measured on the same kind of machine and is given in the table.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]

#[path = "table/ahead.rs"]
mod ahead;
#[path = "table/games.rs"]
mod games;
#[path = "table/league.rs"]
mod league;
#[path = "table/queue.rs"]
mod queue;

use games::{Idle, Measured};
use palestra_auralux::Auralux;
use palestra_core::game::Game as _;
use palestra_core::{AnyGame, Plan, PlanRequest, TimeControl};
use palestra_generals::Generals;
use palestra_runner::sandbox::{Limits, Order, Sandbox};
use palestra_runner::{Bot, Cores, Guard, Launch, Level, Options, Played, play};
use rustix::event::{PollFd, PollFlags};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    // A sandbox begins as another process of this program.
    palestra_runner::sandbox::cell_main();
    // `cargo test --benches` only wants to know that it builds and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    type Section = fn(&mut Table);
    let sections: [(&str, Section); 12] = [
        ("games", games::in_process),
        ("training", training),
        ("pipes", pipes),
        ("starting", starting),
        ("sandbox", sandbox),
        ("ahead", ahead::ahead),
        ("replays", replays),
        ("memory", memory),
        ("league", league::league),
        ("queue", queue::queue),
        ("arena", arena),
        ("viewer", viewer),
    ];
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("measuring, about ten minutes; the machine should have nothing else to do");
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            let mut table = Table::default();
            section(&mut table);
            publish(name, &table);
        }
    }
}

/// Writes a section's table into the document, between its two comments.
fn publish(section: &str, table: &Table) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md");
    let text = std::fs::read_to_string(&document).expect("the document is there");
    let (begin, end) = (format!("<!-- {section} -->\n"), format!("<!-- /{section} -->"));
    let (before, rest) = text.split_once(&begin).expect("the section has its place");
    let (_, after) = rest.split_once(&end).expect("its place ends");
    let text = format!("{before}{begin}\n{}\n{end}{after}", table.markdown());
    std::fs::write(&document, text).expect("it can be written");
}

#[derive(Default)]
struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    /// One row: what, ours, the yardstick, and what the ratio should be.
    fn row(&mut self, what: &str, ours: String, yardstick: &str, ratio: f64, goal: &str) {
        let row = [what.to_owned(), ours, yardstick.to_owned(), format!("{ratio:.2}"), goal.to_owned()];
        println!("  {}", row.join(" | "));
        self.rows.push(row);
    }

    /// A row that another program has measured.
    fn measured(&mut self, row: &serde_json::Value) {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let ratio = row["ratio"].as_f64().unwrap_or(0.0);
        self.row(text("what"), text("ours").to_owned(), text("against"), ratio, text("goal"));
    }

    fn markdown(&self) -> String {
        let heading = "| what | ours | against | ratio | goal |\n|---|---:|---|---:|---|\n".to_owned();
        self.rows.iter().fold(heading, |text, row| format!("{text}| {} |\n", row.join(" | ")))
    }
}

/// The best of several measurements: what the machine can do when it is left alone.
fn best(times: usize, mut measure: impl FnMut() -> f64) -> f64 {
    (0..times).map(|_| measure()).fold(0.0, f64::max)
}

fn thousands(rate: f64) -> String {
    format!("{:.1} thousand/s", rate / 1e3)
}

fn plan(game: &dyn AnyGame, map: &str, changes: &[&str]) -> Plan {
    let changes: Vec<(String, String)> = changes
        .iter()
        .map(|change| {
            change.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())).expect("key=value")
        })
        .collect();
    game.plan(&PlanRequest { changes: &changes, map: Some(map), players: 2, seed: 1 }).expect("a sound plan")
}

fn auralux_plan(planets: u32, players: u32, change: &str) -> Plan {
    let map = Auralux.generate(&[], &[planets, players], 1).expect("a map");
    plan(&Auralux, &map, &[change])
}

// ------------------------------------------------------------------------------------------------ through pipes

/// A match between two programs that do nothing.
struct PipeCase {
    name: String,
    game: &'static dyn AnyGame,
    plan: Plan,
    idle: Idle,
}

fn pipes(table: &mut Table) {
    for case in pipe_cases() {
        pipe_case(table, &case);
    }
}

fn pipe_cases() -> impl Iterator<Item = PipeCase> {
    games::measured().filter_map(|Measured { game, bench }| {
        let idle = bench.idle?;
        let name = format!("{}, {}", game.info().title, idle.what);
        Some(PipeCase { name, game, plan: idle.plan(game), idle })
    })
}

fn pipe_case(table: &mut Table, case: &PipeCase) {
    let ask = ask_bytes(case);
    let answer = case.idle.pass.len() as u32 + 1;
    // In turns, so that a machine that changes its speed does so for both.
    let mut pairs = Vec::new();
    for _ in 0..5 {
        pairs.push((ping_pong(ask, answer), match_rate(case, Cores::Shared, &Guard::off())));
    }
    let floor = pairs.iter().map(|pair| pair.0).fold(0.0, f64::max);
    let shared = pairs.iter().map(|pair| pair.1).fold(0.0, f64::max);
    table.row(
        &format!("{}: turns of a match between two idle programs", case.name),
        thousands(shared),
        &format!("bare pipe, {ask}+{answer} bytes, {}", thousands(floor)),
        shared / floor,
        "0.6 or more",
    );
    let any = best(3, || match_rate(case, Cores::Any, &Guard::off()));
    table.row(
        &format!("{}: the same on one core", case.name),
        thousands(shared),
        &format!("left to the scheduler, {}", thousands(any)),
        shared / any,
        "3 or more",
    );
}

/// How long an ask is in the middle of such a match.
fn ask_bytes(case: &PipeCase) -> u32 {
    let played = play_case(case, Cores::Shared, &Guard::off());
    let mut cursor = palestra_core::Cursor::start(case.game, &played.replay).expect("a sound replay");
    for _ in 0..played.replay.head.turns / 2 {
        cursor.advance(&played.replay).expect("a sound replay");
    }
    let mut ask = Vec::new();
    let seat = cursor.state().to_move().expect("not over");
    cursor.state().ask(seat, &mut ask);
    ask.len() as u32
}

fn match_rate(case: &PipeCase, cores: Cores, guard: &Guard) -> f64 {
    let start = Instant::now();
    let played = play_case(case, cores, guard);
    assert!(played.faults.is_empty(), "{:?}", played.faults);
    f64::from(played.replay.head.turns) / start.elapsed().as_secs_f64()
}

fn play_case(case: &PipeCase, cores: Cores, guard: &Guard) -> Played {
    let bot = || pass_bot(&case.idle.pass, case.idle.hello_lines, case.idle.ask_lines);
    let options = Options { cores, guard: Some(guard), ..Options::default() };
    play_match(case.game, case.plan.clone(), case.game.info().time, vec![bot(), bot()], options)
}

fn play_match(
    game: &dyn AnyGame,
    plan: Plan,
    time: TimeControl,
    bots: Vec<Bot>,
    options: Options<'_>,
) -> Played {
    let (start, links) = Bot::seat(bots, game, plan, time).expect("a match");
    play(start, links, options, &mut ()).expect("it is played")
}

fn pass_bot(pass: &str, hello_lines: u32, ask_lines: u32) -> Bot {
    let words = [pass.to_owned(), hello_lines.to_string(), ask_lines.to_string()];
    let command = std::iter::once(compiled("pass").into()).chain(words.map(Into::into)).collect();
    let readable = vec![compiled("pass")];
    Bot::program("pass", Launch { readable, ..Launch::new(command) })
}

fn ping_pong(ask: u32, answer: u32) -> f64 {
    let output = Command::new(compiled("pingpong"))
        .args([ask, answer, 100_000].map(|number| number.to_string()))
        .output()
        .expect("the ping-pong runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
}

fn compiled(name: &str) -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs").join(format!("{name}.c"));
    let newer = |a: &Path, b: &Path| {
        let time = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
        time(a) > time(b)
    };
    if !newer(&out, &source) {
        let status =
            Command::new("cc").args(["-O3", "-o"]).arg(&out).arg(&source).status().expect("a C compiler");
        assert!(status.success());
    }
    out
}

// ------------------------------------------------------------------------------------------------ starting bots

fn starting(table: &mut Table) {
    for (held, what) in [(0, "from a small process"), (1 << 30, "from a process that holds a gigabyte")] {
        let ballast = vec![1_u8; held];
        let (mut plain, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            plain.push(plain_spawn());
            ours.push(ten_turns());
        }
        black_box(&ballast);
        let median = |times: &mut Vec<Duration>| {
            times.sort();
            times[times.len() / 2].as_secs_f64() * 1e6
        };
        let (plain, ours) = (median(&mut plain), median(&mut ours));
        table.row(
            &format!("a bot started, ten turns played, reaped, {what}"),
            format!("{ours:.0} us"),
            &format!("plain spawn and wait, {plain:.0} us"),
            ours / plain,
            "1.3 or less",
        );
    }
}

// ------------------------------------------------------------------------------------------------ the sandbox

/// Starting an empty program and playing in the strict and in the loose sandbox, against the same without.
fn sandbox(table: &mut Table) {
    let Ok(guard) = Guard::new(Level::Strict) else {
        println!("  this machine has no strict sandbox; see palestra doctor");
        return;
    };
    let empty = compiled("empty");
    let cells = Sandbox::strict().expect("a sandbox");
    let limited = Sandbox::loose(&palestra_runner::limits::OWN_BOT).expect("a sandbox");
    let bubblewrap = palestra_runner::find_on_path("bwrap");
    let (mut plain, mut strict, mut loose, mut wrapped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // In turn, so that whatever else the machine does is shared by all.
    for _ in 0..500 {
        plain.push(timed(|| run_plain(Command::new(&empty))));
        strict.push(timed(|| run_in(&cells, &empty, palestra_runner::limits::BOT)));
        loose.push(timed(|| run_in(&limited, &empty, palestra_runner::limits::OWN_BOT)));
        if let Some(bubblewrap) = &bubblewrap {
            wrapped.push(timed(|| run_plain(wrap(bubblewrap, &empty))));
        }
    }
    let at = |times: &mut Vec<Duration>, percent: usize| {
        times.sort();
        times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6
    };
    for (percent, word, goal) in
        [(50, "at the median", "2 or less"), (99, "at the 99th percentile", "4 or less")]
    {
        let (plain, strict) = (at(&mut plain, percent), at(&mut strict, percent));
        table.row(
            &format!("an empty program started and reaped in the strict sandbox, {word}"),
            format!("{strict:.0} us"),
            &format!("plain spawn and wait, {plain:.0} us"),
            strict / plain,
            goal,
        );
    }
    let (alone, loose) = (at(&mut plain, 50), at(&mut loose, 50));
    table.row(
        "the same at the level auto, at the median",
        format!("{loose:.0} us"),
        &format!("plain spawn and wait, {alone:.0} us"),
        loose / alone,
        "-",
    );
    match bubblewrap {
        None => println!("  bubblewrap is not here to be compared with"),
        Some(_) => {
            let (strict, wrapped) = (at(&mut strict, 50), at(&mut wrapped, 50));
            let against = format!("bubblewrap with the same namespaces, {wrapped:.0} us");
            let what = "the same in the strict sandbox, times as fast";
            table.row(what, format!("{strict:.0} us"), &against, wrapped / strict, "2 or more");
        }
    }
    let case = &pipe_cases().next().expect("a game");
    let auto = Guard::new(Level::Auto).expect("auto is always possible");
    let (mut inside, mut limited, mut outside) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..9 {
        outside = outside.max(match_rate(case, Cores::Shared, &Guard::off()));
        inside = inside.max(match_rate(case, Cores::Shared, &guard));
        limited = limited.max(match_rate(case, Cores::Shared, &auto));
    }
    for (what, rate) in [("in the strict sandbox", inside), ("at the level auto", limited)] {
        table.row(
            &format!("turns of a match between two idle programs {what}"),
            thousands(rate),
            &format!("outside, {}", thousands(outside)),
            rate / outside,
            "0.97 or more",
        );
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn run_plain(mut command: Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()));
}

fn run_in(sandbox: &Sandbox, program: &Path, limits: Limits) {
    let order = Order {
        command: vec![program.into()],
        folder: None,
        readable: vec![program.to_owned()],
        writable: Vec::new(),
        environment: Vec::new(),
        limits,
    };
    let nothing =
        || std::fs::File::options().read(true).write(true).open("/dev/null").expect("it is there").into();
    let running = sandbox.start(&order, [nothing(), nothing(), nothing()]).expect("it starts");
    let mut ended = [PollFd::from_borrowed_fd(running.exit_fd(), PollFlags::IN)];
    rustix::event::poll(&mut ended, None).expect("it ends");
    running.end();
}

fn wrap(bubblewrap: &Path, program: &Path) -> Command {
    let mut command = Command::new(bubblewrap);
    command.args([
        "--unshare-all",
        "--die-with-parent",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
    ]);
    for folder in ["/usr", "/bin", "/lib", "/lib64"].into_iter().filter(|folder| Path::new(folder).exists()) {
        command.args(["--ro-bind", folder, folder]);
    }
    command.arg("--ro-bind").arg(program).arg("/bot").arg("/bot");
    command
}

fn plain_spawn() -> Duration {
    let start = Instant::now();
    let child = Command::new(compiled_pass())
        .args(["0", "11", "11"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn();
    child.expect("it starts").wait().expect("it ends");
    start.elapsed()
}

fn compiled_pass() -> &'static Path {
    static PASS: std::sync::LazyLock<PathBuf> = std::sync::LazyLock::new(|| compiled("pass"));
    &PASS
}

fn ten_turns() -> Duration {
    static PLAN: std::sync::LazyLock<Plan> = std::sync::LazyLock::new(|| auralux_plan(10, 2, "max_steps=10"));
    let start = Instant::now();
    let bots = vec![pass_bot("0", 11, 11), Bot::built_in("afk")];
    let played = play_match(&Auralux, PLAN.clone(), Auralux::INFO.time, bots, Options::default());
    assert!(played.faults.is_empty() && played.ended_itself[0]);
    start.elapsed()
}

// ------------------------------------------------------------------------------------------------ replays

fn replays(table: &mut Table) {
    // A wall of mountains between the players, so that the match goes its full thousand rounds.
    let row = |row: usize| match row {
        3 | 16 => format!("{}3 {}", "1 ".repeat(9), "1 ".repeat(10)),
        5 | 14 => format!("{}2 40 {}", "1 ".repeat(4), "1 ".repeat(15)),
        10 => "4 ".repeat(20),
        _ => "1 ".repeat(20),
    };
    let map = format!("20 20 2\n{}", (0..20).map(row).collect::<String>());
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/generals/kits/python/generals.py");
    let python = || Bot::program("generals.py", Launch::new(vec!["python3".into(), bot.clone().into()]));
    let plan = plan(&Generals, &map, &[]);
    let bots = vec![python(), python()];
    let played = play_match(&Generals, plan, TimeControl::Unlimited, bots, Options::default());
    let bytes = played.replay.to_bytes().expect("a replay").len();
    table.row(
        &format!("Generals, 20x20, {} rounds between two Python bots: size of the replay", played.rounds),
        format!("{:.1} KB", bytes as f64 / 1e3),
        "20 KB",
        bytes as f64 / 20e3,
        "1 or less",
    );
    let wall: f64 = played.usage.iter().map(|usage| usage.wall.as_secs_f64()).sum();
    let verify = 1.0
        / best(20, || {
            let start = Instant::now();
            played.replay.verify(&Generals).expect("it holds");
            1.0 / start.elapsed().as_secs_f64()
        });
    table.row(
        "the same verified",
        format!("{:.2} ms", verify * 1e3),
        &format!("played, {wall:.2} s"),
        wall / verify,
        "1000 or more",
    );
}

// ------------------------------------------------------------------------------------------------ memory

fn memory(table: &mut Table) {
    let steps = |steps: u32| {
        let plan = auralux_plan(20, 4, &format!("max_steps={steps}"));
        let bots = (0..4).map(|_| Bot::built_in("upgrade_and_repair_main")).collect();
        let before = resident();
        let played = play_match(&Auralux, plan, TimeControl::Unlimited, bots, Options::default());
        let bytes = played.replay.to_bytes().expect("a replay").len();
        (resident().saturating_sub(before), bytes)
    };
    steps(1000);
    let (grown, bytes) = steps(100_000);
    table.row(
        "Auralux, 100000 steps of four players: memory grown",
        format!("{:.1} MB", grown as f64 / 1e6),
        &format!("a replay of {:.0} KB, {:.1} MB unpacked", bytes as f64 / 1e3, 400_000.0 * 6.0 / 1e6),
        grown as f64 / (400_000.0 * 6.0),
        "a few: nothing grows but the replay",
    );
}

/// Bytes of this process in memory; 0 where that cannot be told.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// A whole arena under load, as `palestra bench arena` measures it.
fn arena(table: &mut Table) {
    let mut measure = Command::new(env!("CARGO_BIN_EXE_palestra"));
    let measured = measure.args(["bench", "arena", "--json"]).stderr(Stdio::inherit()).output();
    let measured = measured.expect("it starts");
    assert!(measured.status.success(), "the arena can be measured");
    let measured: serde_json::Value = serde_json::from_slice(&measured.stdout).expect("one JSON object");
    for row in measured["rows"].as_array().expect("rows") {
        table.measured(row);
    }
}

/// Environments in Python: scripts/python.sh makes the environment that has the package.
fn training(table: &mut Table) {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let made = Command::new(project.join("scripts/python.sh")).arg("bench").status();
    assert!(made.is_ok_and(|status| status.success()), "the package can be built");
    let measured = Command::new(project.join("target/python/bench/bin/python"))
        .arg(project.join("python/examples/speed.py"))
        .arg("--json")
        .stderr(Stdio::inherit())
        .output()
        .expect("it starts");
    assert!(measured.status.success(), "environments can be measured");
    for line in String::from_utf8_lossy(&measured.stdout).lines() {
        table.measured(&serde_json::from_str(line).expect("a row"));
    }
}

/// The viewer in a real browser; see `web/tests/measure.mjs`.
fn viewer(table: &mut Table) {
    let palestra = env!("CARGO_BIN_EXE_palestra");
    let folder = tempfile::tempdir().expect("a folder for replays");
    let crowd: Vec<&str> = ["hunter", "greedy"].into_iter().cycle().take(16).collect();
    let play = |name: &str, game: &str, bots: &[&str], more: &[&str]| {
        let replay = folder.path().join(format!("{name}.replay"));
        let played = Command::new(palestra)
            .args(["play", game])
            .args(bots)
            .args(["--seed", "7", "--quiet", "--replay"])
            .arg(replay)
            .args(more)
            .stdout(Stdio::null())
            .status();
        assert!(played.is_ok_and(|status| status.success()), "{name} can be played");
    };
    let mut shown = Vec::new();
    for Measured { game, bench } in games::measured() {
        let id = game.info().id;
        play(id, id, &bench.shown.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
        shown.push(id);
    }
    play("generals-50x50", "generals", &crowd, &["--set", "map_rows=50", "--set", "map_columns=50"]);
    play("auralux-100000", "auralux", &["upgrade_and_repair_main"; 4], &["--set", "max_steps=100000"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests/measure.mjs");
    let measured = Command::new("node")
        .arg(script)
        .env("PALESTRA", palestra)
        .env("REPLAYS", folder.path())
        .env("GAMES", shown.join(" "))
        .stderr(Stdio::inherit())
        .output()
        .expect("node is there");
    assert!(measured.status.success(), "the viewer can be measured");
    for line in String::from_utf8_lossy(&measured.stdout).lines() {
        table.measured(&serde_json::from_str(line).expect("a row"));
    }
}
