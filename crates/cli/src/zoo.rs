//! The zoo as a self-test: this very program plays every bot of `zoo/zoo.toml` in the strict sandbox, and each must get
//! its verdict, find nothing, and leave nothing. The zoo is inside the program.

mod environment;

use crate::failure::Failure;
use environment::{Ended, Environment};
use palestra_runner::{Interrupt, MatchError, ToolchainStatus, limits};
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a match may take when its compiler has had all the time it may take.
const MATCH: Duration = Duration::from_secs(60);
/// Bytes that a match may leave on disk: logs, and a compiled bot.
const DISK_BYTES: u64 = 64 << 20;
/// Memory of palestra itself, whatever its bots do.
const HOST_BYTES: u64 = 256 << 20;

#[derive(RustEmbed)]
#[folder = "../../zoo"]
struct Files;

/// What must become of a bot; `zoo/zoo.toml` says what each field means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    fault: String,
    by_process: Option<String>,
    says: Option<String>,
    pair: Option<String>,
    spares: Option<u32>,
    time: Option<String>,
    #[serde(default)]
    slow: bool,
}

/// What became of a bot.
#[derive(Serialize)]
pub(crate) struct Finding {
    pub(crate) bot: String,
    /// The verdict it must get.
    pub(crate) expected: String,
    /// The verdict it got.
    pub(crate) got: String,
    /// Why it was not played.
    pub(crate) skipped: Option<String>,
    /// Everything that is not as it should be.
    pub(crate) wrong: Vec<String>,
}

/// Which bots are played, and where.
pub(crate) struct Visit<'a> {
    /// Only these, if there are any.
    pub(crate) only: &'a [String],
    /// Those that take minutes as well.
    pub(crate) slow: bool,
    /// The folder in which everything is laid out.
    pub(crate) place: &'a Path,
    pub(crate) toolchains: &'a [ToolchainStatus],
    /// Whether this machine limits the memory of all of a bot's processes together.
    pub(crate) limits_memory: bool,
    pub(crate) interrupt: &'a Interrupt,
}

impl Visit<'_> {
    /// Plays the bots, as many at a time as there are cores, and tells of each when it has played.
    pub(crate) fn run(&self, tell: &(impl Fn(&Finding) + Sync)) -> Result<Vec<Finding>, Failure> {
        let table: BTreeMap<String, Verdict> =
            toml::from_str(&environment::source("zoo.toml")?).map_err(Failure::input)?;
        if let Some(unknown) = self.only.iter().find(|name| !table.contains_key(*name)) {
            return Err(Failure::usage(format!("{unknown} is not in the zoo; see zoo/README.md")));
        }
        let wanted = |name: &String| self.only.is_empty() || self.only.contains(name);
        let waiting: Mutex<VecDeque<_>> = Mutex::new(table.iter().filter(|(name, _)| wanted(name)).collect());
        let done = Mutex::new(Vec::new());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    while !self.interrupt.raised()
                        && let Some((name, verdict)) = lock(&waiting).pop_front()
                    {
                        let finding = self.finding(name, verdict);
                        tell(&finding);
                        lock(&done).push(finding);
                    }
                });
            }
        });
        if self.interrupt.raised() {
            return Err(MatchError::Interrupted.into());
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by(|a, b| a.bot.cmp(&b.bot));
        Ok(done)
    }

    /// The verdict that a bot must get here; none if this machine cannot reach one.
    fn expected<'a>(&self, verdict: &'a Verdict) -> Option<&'a str> {
        match &verdict.by_process {
            Some(fault) if !self.limits_memory => Some(fault),
            None if !self.limits_memory && verdict.fault.contains("over_memory") => None,
            _ => Some(&verdict.fault),
        }
    }

    fn finding(&self, name: &str, verdict: &Verdict) -> Finding {
        let mut finding = Finding {
            bot: name.to_owned(),
            expected: self.expected(verdict).unwrap_or(&verdict.fault).to_owned(),
            got: String::new(),
            skipped: self.obstacle(name, verdict),
            wrong: Vec::new(),
        };
        if finding.skipped.is_none()
            && let Err(failure) = self.play(name, verdict, &mut finding)
        {
            finding.wrong.push(format!("it could not be played: {failure}"));
        }
        finding
    }

    /// Why a bot cannot, or need not, be played here.
    fn obstacle(&self, name: &str, verdict: &Verdict) -> Option<String> {
        if verdict.slow && !self.slow && self.only.is_empty() {
            return Some("it takes minutes; add --slow".to_owned());
        }
        if self.expected(verdict).is_none() {
            return Some("this machine does not limit memory of several processes together".to_owned());
        }
        let ending = Path::new(name).extension()?.to_str()?;
        let is_for = |toolchain: &&ToolchainStatus| toolchain.extensions.iter().any(|other| other == ending);
        let toolchain = self.toolchains.iter().find(is_for)?;
        toolchain.tool.as_ref().err().cloned()
    }

    fn play(&self, name: &str, verdict: &Verdict, finding: &mut Finding) -> Result<(), Failure> {
        let mut environment = Environment::new(self.place, name, verdict.pair.as_deref())?;
        let ended = environment.play(&arguments(&environment, verdict)?, limits::COMPILE + MATCH)?;
        let mut expect = |right: bool, what: String| {
            if !right {
                finding.wrong.push(what);
            }
        };
        finding.got = match ended.code {
            None => "no end".to_owned(),
            Some(4) if ended.stderr.contains("does not compile") => "compile".to_owned(),
            Some(0) => {
                let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
                check_opponent(&report, &mut expect);
                if let Some(percent) = verdict.spares {
                    check_theft(&report, percent, &mut expect);
                }
                fault_of(&report, 1).unwrap_or("none").to_owned()
            }
            Some(code) => format!("exit code {code}: {}", ended.stderr.trim_end()),
        };
        let right = finding.expected.split(" or ").any(|one| one == finding.got);
        expect(right, format!("its verdict is {}, not {}", finding.got, finding.expected));
        check_words(&environment, &ended, verdict, &mut expect);
        environment.complaints().into_iter().for_each(|complaint| expect(false, complaint));
        let disk = environment.disk_bytes();
        expect(disk <= DISK_BYTES, format!("{disk} bytes are left on disk"));
        expect(ended.host_peak <= HOST_BYTES, format!("palestra itself took {} bytes", ended.host_peak));
        Ok(())
    }
}

/// A match as `zoo/match.txt` says: the game whose protocol the zoo speaks, and what keeps it short.
fn arguments(environment: &Environment, verdict: &Verdict) -> Result<Vec<String>, Failure> {
    let described = environment::source("match.txt")?;
    let mut words = described.split_whitespace();
    let game = words.next().ok_or_else(|| Failure::input("zoo/match.txt names no game"))?;
    let time = verdict.time.as_deref().unwrap_or("20s");
    let fixed = "--sandbox strict --json --no-replay --logs logs --time".split(' ').chain([time]);
    let bots = ["play".to_owned(), game.to_owned(), environment.bot(), environment.opponent()];
    Ok(bots.into_iter().chain(words.chain(fixed).map(str::to_owned)).collect())
}

/// The kind of a seat's first fault.
fn fault_of(report: &Value, seat: u64) -> Option<&str> {
    report["faults"].as_array()?.iter().find(|fault| fault["seat"] == seat)?["kind"].as_str()
}

fn check_opponent(report: &Value, expect: &mut impl FnMut(bool, String)) {
    let opponent = &report["players"][1];
    let disturbed = fault_of(report, 2).is_some() || opponent["fate"] != "alive";
    expect(!disturbed, format!("its opponent was disturbed: {opponent}"));
}

/// A bot must not compute while its opponent does: on a shared core it would take the time from it.
fn check_theft(report: &Value, percent: u32, expect: &mut impl FnMut(bool, String)) {
    let millis = |seat: usize, field: &str| report["players"][seat][field].as_f64();
    let outside_turns = millis(0, "total_cpu_ms").zip(millis(0, "cpu_ms")).map(|(all, own)| all - own);
    let (used, victim) = (outside_turns.unwrap_or(f64::MAX), millis(1, "cpu_ms").unwrap_or(0.0));
    let what = format!("it used {used:.0} ms outside its turns while its opponent needed {victim:.0} ms");
    expect(used * 100.0 <= victim * f64::from(percent), what);
}

fn check_words(
    environment: &Environment,
    ended: &Ended,
    verdict: &Verdict,
    expect: &mut impl FnMut(bool, String),
) {
    let said = environment.said();
    let escapes: Vec<&str> = said.lines().filter(|line| line.contains("escaped: ")).take(5).collect();
    expect(escapes.is_empty(), escapes.join("; "));
    if let Some(words) = &verdict.says {
        expect(said.contains(words), format!("it does not say \"{words}\""));
    }
    let told =
        [said.as_str(), &ended.stdout, &ended.stderr].iter().any(|text| text.contains(environment.secret()));
    expect(!told, "a secret was told".to_owned());
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
