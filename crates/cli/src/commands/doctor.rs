//! `palestra doctor`: what this machine offers.

use crate::console;
use crate::failure::Failure;
use palestra_runner::{ClockSource, Cores, Guard, Pinned, Workshop, clock_source, finds_strays, sandbox};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Show what this machine offers: cores, clocks, process control, compilers
#[derive(clap::Args)]
pub(crate) struct Args {
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
    let mut findings = vec![cores(), binding(), wall_clock(), cpu_clock(), strays()];
    for protection in sandbox::probe() {
        let remedy = protection.remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
        findings.push(Finding {
            what: format!("sandbox, {}", protection.name),
            ok: protection.given,
            finding: format!("{}{remedy}", protection.meaning),
        });
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
            ClockSource::Tree => Ok("measured for every turn, of the bot and all its descendants".to_owned()),
            ClockSource::Unknown => {
                Err("this system does not tell the processor time of other processes".to_owned())
            }
        },
    )
}

fn strays() -> Finding {
    finding(
        "process control",
        if finds_strays() {
            Ok("whatever a bot leaves behind is found and ended, also what left its process group".to_owned())
        } else {
            Err("only a bot's process group is ended; this system does not hand over orphans".to_owned())
        },
    )
}
