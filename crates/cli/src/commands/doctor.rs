//! `palestra doctor`: what this machine offers.

mod event;
mod queue;

use crate::console;
use crate::failure::Failure;
use crate::queue_address::QueueAddress;
#[cfg(target_os = "linux")]
use crate::signals;
use crate::system;
use palestra_runner::{
    ClockSource, Cores, Guard, Level, Pinned, Workshop, clock_source, finds_strays, sandbox,
};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Show what this machine offers: cores, clocks, process control, the sandbox, compilers
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra doctor                               what there is, what it means, and how to get what is lacking
  palestra doctor --zoo                         does the sandbox hold? a hundred hostile bots try
  palestra doctor --zoo --only fork_bomb.c,bpf.c
  palestra doctor --event event.toml            what the plan of an event leaves open
  palestra doctor --queue nats://host:4222      what the queue of workers leaves open

Exit codes: 0 everything was told, or every bot of the zoo got its verdict; 1 one did not; 2 usage, or no strict sandbox.")]
pub(crate) struct Args {
    /// Play every bot of the zoo in the strict sandbox, and see whether each gets the verdict it must get
    ///
    /// The bots break, misbehave or attack this machine, its files and its other programs; the zoo's own page tells of each.
    /// It takes a minute or two. None of them can do lasting harm on purpose, should the sandbox fail.
    #[arg(long)]
    zoo: bool,
    /// Tell what the plan of an event leaves open
    #[arg(long, value_name = "PLAN", conflicts_with = "zoo")]
    event: Option<PathBuf>,
    #[command(flatten)]
    queue: QueueAddress,
    /// Play only these bots of the zoo, separated by commas
    #[arg(long, value_name = "BOTS", value_delimiter = ',', requires = "zoo")]
    only: Vec<String>,
    /// Play the bots as well that take minutes each
    #[arg(long, requires = "zoo")]
    slow: bool,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Finding {
    what: String,
    ok: bool,
    finding: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.zoo {
        return visit_zoo(args);
    }
    if let Some(file) = &args.event {
        let findings = event::findings(file, &super::event::read_plan(file)?);
        return tell(args, findings);
    }
    if let Some(address) = args.queue.settle(None)? {
        return tell(args, queue::findings(&address));
    }
    let mut findings = vec![cores(), binding(), wall_clock(), cpu_clock(), strays()];
    for protection in sandbox::probe() {
        let remedy = protection.remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
        findings.push(Finding {
            what: format!("sandbox, {}", protection.name),
            ok: protection.given,
            finding: format!("{}{remedy}", protection.meaning),
        });
    }
    if cfg!(windows) {
        let limited = "a bot and everything it has started have a limit together, which a job object keeps";
        findings.push(finding("memory and processes", Ok(limited.to_owned())));
    }
    if let Err(why) = system::has_arenas() {
        findings.push(finding("palestra serve", Err(why)));
    }
    let guard = Guard::off();
    let workshop = Workshop::open(&guard)?;
    for toolchain in workshop.toolchains() {
        let endings =
            toolchain.extensions.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(" ");
        findings.push(Finding {
            what: format!("{} ({endings})", toolchain.name),
            ok: toolchain.tool.is_ok(),
            finding: toolchain.tool.map_or_else(|why| why, |tool| tool.display().to_string()),
        });
    }
    let cache = workshop.cache().display().to_string();
    findings.push(Finding {
        what: "compiled bots".to_owned(),
        ok: true,
        finding: format!("are kept in {cache}"),
    });
    tell(args, findings)
}

fn tell(args: &Args, findings: Vec<Finding>) -> Result<ExitCode, Failure> {
    if args.json {
        console::print_json(
            &serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "findings": findings }),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    for finding in findings {
        let mark = if finding.ok { "\x1b[32mok\x1b[0m     " } else { "\x1b[33mlacking\x1b[0m" };
        let _ = writeln!(text, "{mark}  {}: {}", finding.what, finding.finding);
    }
    console::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(target_os = "linux")]
fn visit_zoo(args: &Args) -> Result<ExitCode, Failure> {
    use crate::failure::NOT_SO;
    use crate::zoo::{self, Visit};
    let guard = Guard::new(Level::Strict).map_err(Failure::usage)?;
    let workshop = Workshop::open(&guard)?;
    let interrupt = signals::interrupt()?;
    std::fs::create_dir_all(workshop.cache())?;
    let visit = Visit {
        only: &args.only,
        slow: args.slow,
        place: workshop.cache(),
        toolchains: &workshop.toolchains(),
        limits_memory: sandbox::probe().iter().any(|found| found.name == "memory" && found.given),
        interrupt: &interrupt,
    };
    let tell = |finding: &zoo::Finding| {
        let told = match (&finding.skipped, &finding.wrong[..]) {
            (Some(why), _) => format!("\x1b[33mskipped\x1b[0m  {}: {why}", finding.bot),
            (None, []) => format!("\x1b[32mok\x1b[0m       {}: {}", finding.bot, finding.got),
            (None, wrong) => format!("\x1b[31mFAILED\x1b[0m   {}: {}", finding.bot, wrong.join("; ")),
        };
        // Whoever has stopped reading will not be told the end either.
        let _ = if args.json { Ok(()) } else { console::print(&format!("{told}\n")) };
    };
    let findings = visit.run(&tell)?;
    let failed = findings.iter().filter(|finding| !finding.wrong.is_empty()).count();
    let skipped = findings.iter().filter(|finding| finding.skipped.is_some()).count();
    if args.json {
        console::print_json(&serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "zoo": findings }))?;
    } else {
        let all = findings.len();
        console::print(&format!(
            "{all} bots: {} ok, {failed} failed, {skipped} skipped\n",
            all - failed - skipped
        ))?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(NOT_SO) })
}

/// Says that there is no strict sandbox here.
#[cfg(not(target_os = "linux"))]
fn visit_zoo(_: &Args) -> Result<ExitCode, Failure> {
    Guard::new(Level::Strict).map(|_| ExitCode::SUCCESS).map_err(Failure::usage)
}

fn finding(what: &str, result: Result<String, String>) -> Finding {
    Finding { what: what.to_owned(), ok: result.is_ok(), finding: result.unwrap_or_else(|why| why) }
}

fn cores() -> Finding {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    finding("cores", Ok(format!("{count}; as many matches can be played side by side")))
}

fn binding() -> Finding {
    let bound = Pinned::new(&Cores::Shared).map(|pinned| pinned.holds());
    finding(
        "core binding",
        match bound {
            Ok(true) => {
                Ok("a match and its bots share one core, which makes a turn several times faster".to_owned())
            }
            _ => Err("this system does not bind threads to cores; matches are slower".to_owned()),
        },
    )
}

/// The largest step between two looks at the clock tells how fine it is, and whether the machine stalls.
fn wall_clock() -> Finding {
    let (mut finest, mut coarsest) = (Duration::MAX, Duration::ZERO);
    let start = Instant::now();
    let mut last = start;
    while start.elapsed() < Duration::from_millis(50) {
        let now = Instant::now();
        let step = now - last;
        last = now;
        if !step.is_zero() {
            finest = finest.min(step);
            coarsest = coarsest.max(step);
        }
    }
    let text = format!(
        "steps of {} ns; the longest stall in 50 ms was {} us",
        finest.as_nanos(),
        coarsest.as_micros()
    );
    finding(
        "wall clock",
        if coarsest < Duration::from_millis(5) {
            Ok(text)
        } else {
            Err(format!("{text}: the machine is busy"))
        },
    )
}

fn cpu_clock() -> Finding {
    finding(
        "processor time",
        match clock_source() {
            ClockSource::Tree => {
                Ok("measured for every turn, of the bot and everything it has started".to_owned())
            }
            ClockSource::Unknown => {
                Err("this system does not tell the processor time of other processes".to_owned())
            }
        },
    )
}

fn strays() -> Finding {
    finding(
        "process control",
        if cfg!(windows) {
            Ok("a bot and everything it has started are one job, which ends with its match and with this program".to_owned())
        } else if finds_strays() {
            Ok("whatever a bot leaves behind is found and ended, also what left its process group".to_owned())
        } else {
            Err("only a bot's process group is ended; this system does not hand over orphans".to_owned())
        },
    )
}
