//! `palestra serve`: the arena of a whole event.

use super::event::PlanFile;
use crate::console;
use crate::failure::{Failure, NOT_SO};
use crate::games::GAMES;
use crate::queue_address::QueueAddress;
use crate::{signals, system};
use clap::ValueEnum;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use palestra_arena::Arena;
use palestra_arena::play::remote::{TURNAROUND, TURNAROUND_BUCKETS};
use palestra_arena::store::write_private;
use std::net::SocketAddr;
use std::process::ExitCode;
use tokio::runtime;
use tracing_subscriber::EnvFilter;

/// Open the arena of an event: the site, the gateway for clients, submissions, a ladder and scored rounds
///
/// Stop it with Ctrl-C, or pull the plug: started again, it goes on where it was. Matches that were being played are
/// played again; no result is lost or counted twice.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  palestra event players add event.toml Anna Bence      accounts with passwords, printed once
  palestra serve event.toml                             the event, on the addresses of its plan
  palestra serve event.toml --database postgres://...   the same, kept by a Postgres server
  palestra serve event.toml --database ... --standby    another server for it, which takes over when the first one ends
  palestra serve event.toml --queue nats://host:4222    matches of programs are played by palestra worker on other machines too

Exit codes: 0 stopped, 1 another server has taken the event over, 2 usage, 3 the event cannot be opened.")]
pub(crate) struct Args {
    #[command(flatten)]
    plan: PlanFile,
    /// Where the site listens, instead of what the plan says
    #[arg(long, value_name = "ADDRESS")]
    site: Option<SocketAddr>,
    /// Where the gateway for clients listens, instead of what the plan says
    #[arg(long, value_name = "ADDRESS")]
    gateway: Option<SocketAddr>,
    /// Wait while another server has the event, and take it over when that one ends, however it ends; the event must be kept
    /// by a Postgres server
    #[arg(long)]
    standby: bool,
    #[command(flatten)]
    queue: QueueAddress,
    /// How the log on standard error is written; what is in it is set by PALESTRA_LOG, e.g. debug
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    log: LogFormat,
    /// Says nothing on standard output, but for the organiser's password when the account is made
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object per line
    Json,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    system::has_arenas().map_err(Failure::usage)?;
    let mut plan = args.plan.read()?;
    plan.site = args.site.unwrap_or(plan.site);
    plan.gateway = args.gateway.or(plan.gateway);
    plan.standby = args.standby;
    plan.queue = args.queue.settle(plan.queue.take())?;
    keep_log(args.log);
    let turnaround = Matcher::Full(TURNAROUND.to_owned());
    let metrics = PrometheusBuilder::new()
        .set_buckets_for_metric(turnaround, TURNAROUND_BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(Failure::input)?;
    let runtime = runtime::Builder::new_multi_thread().thread_name("arena").enable_all().build()?;
    runtime.block_on(async {
        let folder = plan.folder.clone();
        let name = plan.name.clone();
        let scheme = if plan.tls.is_some() { "https" } else { "http" };
        if args.standby && !args.quiet {
            console::print(&format!("{name}: standing by until no other server has the event\n"))?;
        }
        let arena = Arena::start(plan, GAMES, Some(metrics)).await.map_err(Failure::input)?;
        let address = format!("{scheme}://{}\n", reachable(arena.site));
        write_private(&folder.join(super::event::ADDRESS), address.as_bytes())?;
        greet(args, &name, &arena, address.trim())?;
        let lost = tokio::select! {
            done = signals::told_to_end() => done.map(|()| false)?,
            () = arena.store.lost() => true,
        };
        console::remark(match lost {
            true => "another server has taken the event over; start this one again as its --standby",
            false => "closing; matches that are being played are played again next time",
        });
        // The file is about an arena that is open.
        let _ = std::fs::remove_file(folder.join(super::event::ADDRESS));
        arena.stop().await;
        Ok(if lost { ExitCode::from(NOT_SO) } else { ExitCode::SUCCESS })
    })
}

fn keep_log(format: LogFormat) {
    let filter = EnvFilter::try_from_env("PALESTRA_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_env_filter(filter);
    match format {
        LogFormat::Text => log.with_target(false).init(),
        LogFormat::Json => log.json().init(),
    }
}

fn greet(args: &Args, name: &str, arena: &Arena, address: &str) -> Result<(), Failure> {
    if !args.quiet {
        console::print(&format!("{name} is open: {address}\n"))?;
        if let Some(gateway) = arena.gateway {
            console::print(&format!("clients connect to {}\n", reachable(gateway)))?;
        }
    }
    if let Some((name, password)) = &arena.organiser {
        console::print(&format!("sign in as {name} with the password {password} (told only now)\n"))?;
    }
    Ok(())
}

/// An address that a browser on this machine can go to.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip().is_unspecified() {
        true => SocketAddr::from(([127, 0, 0, 1], address.port())),
        false => address,
    }
}
