//! `palestra bench`: how much an arena on this machine can take, and how strong the built-in players are.

mod clients;
mod crowd;
mod idle;
mod measures;
mod pages;
mod players;
mod stand;
mod watchers;

use crate::console;
use crate::failure::Failure;
use crate::report::new_table;
use crate::system;
use clap::{Subcommand, ValueEnum};
use comfy_table::{CellAlignment, Table};
use palestra_arena::gateway;
use serde::Serialize;
use std::process::ExitCode;
use tokio::runtime::{self, Runtime};

/// Measure how much this machine can take, or how strong the built-in players are
#[derive(Subcommand)]
pub(crate) enum Command {
    Arena(Args),
    Players(players::Args),
}

/// Put an arena under load: crowds of clients, watchers, and a database full of matches
///
/// Opens an arena of its own, as another process with a store in a folder for temporary files (TMPDIR), and plays the part
/// of everybody who comes to an event. Nothing of another arena is touched. Figures mean something only on a machine that
/// has nothing else to do; the arena and its visitors share it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  palestra bench arena                        everything, about five minutes
  palestra bench arena crowd --clients 400    four hundred clients that play each other without a pause
  palestra bench arena pages --json           how quickly pages come from a database with a million matches")]
pub(crate) struct Args {
    /// What to measure; everything if nothing is named
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    /// Clients that play at the same time
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(2..=18_000))]
    clients: u32,
    /// Clients that are connected and do nothing
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=18_000))]
    idle: u32,
    /// Pages that look at one match
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_900))]
    watchers: u32,
    /// Matches in the database
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    matches: u32,
    /// How long each measurement of playing clients takes
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// The figures as one JSON object on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// As many matches of connected clients as there can be at the same time: is an answer called late that was not?
    Crowd,
    /// Half as many matches: the arena's own share of a turn
    Turns,
    /// Connections that do nothing: memory
    Idle,
    /// One match that many look at: is it slower?
    Watchers,
    /// Pages of the site from a database full of matches
    Pages,
}

/// What was measured.
#[derive(Serialize)]
struct Row {
    what: String,
    ours: String,
    against: String,
    ratio: f64,
    goal: &'static str,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Arena(args) => arena(args),
        Command::Players(args) => players::run(args),
    }
}

fn arena(args: &Args) -> Result<ExitCode, Failure> {
    system::has_arenas().map_err(Failure::usage)?;
    gateway::allow_many_files();
    let wanted = |part: &&Part| args.parts.is_empty() || args.parts.contains(part);
    let parts: Vec<&Part> = Part::value_variants().iter().filter(wanted).collect();
    has_room_for(parts.iter().map(|part| part.connections(args)).max().unwrap_or(0))?;
    let runtime = runtime::Builder::new_multi_thread().thread_name("clients").enable_all().build()?;
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part.measure(args, &runtime)?);
    }
    match args.json {
        true => console::print_json(&serde_json::json!({ "rows": rows }))?,
        false => console::print(&format!("{}\n", table(&rows)))?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Part {
    fn connections(self, args: &Args) -> u32 {
        match self {
            Part::Crowd => args.clients,
            Part::Turns => args.clients / 2,
            Part::Idle => args.idle,
            Part::Watchers => args.watchers * 2,
            Part::Pages => 0,
        }
    }

    fn measure(self, args: &Args, runtime: &Runtime) -> Result<Vec<Row>, Failure> {
        match self {
            Part::Crowd => crowd::crowd(runtime, args.clients, args.seconds),
            Part::Turns => crowd::turns(runtime, args.clients.div_ceil(2).max(2), args.seconds),
            Part::Idle => idle::idle(runtime, args.idle),
            Part::Watchers => watchers::watchers(runtime, args.watchers, args.seconds),
            Part::Pages => pages::pages(runtime, args.matches),
        }
    }
}

/// Every connection is an open file, here and in the arena.
fn has_room_for(connections: u32) -> Result<(), Failure> {
    const OTHER_FILES: u64 = 100;
    match system::open_files() {
        (files, _) if files < u64::from(connections) + OTHER_FILES => Err(Failure::usage(format!(
            "{connections} connections need more open files than the {files} that this system allows; \
             raise that with ulimit -n, or ask for fewer"
        ))),
        _ => Ok(()),
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = new_table();
    table.set_header(["what", "ours", "against", "ratio", "goal"]);
    for row in rows {
        let ratio = format!("{:.2}", row.ratio);
        table.add_row([&row.what, &row.ours, &row.against, &ratio, row.goal]);
    }
    for column in [1, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// 12345 as people write it: 12,345.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
