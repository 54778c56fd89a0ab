//! `palestra event workers`: who may work at the event's queue. Nothing of the event's accounts is in what this writes.

use super::PlanFile;
use crate::console;
use crate::failure::Failure;
use crate::report::counted;
use clap::Subcommand;
use palestra_arena::store::write_private;
use palestra_queue::is_name;
use palestra_queue::rights::{Member, authorization, new_server, new_worker};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of all this, in the event's folder.
const FOLDER: &str = "queue";
/// Who there is, with the half of each key that nats-server knows.
const MEMBERS: &str = "workers.json";
/// What nats-server reads of it.
const USERS: &str = "workers.conf";
/// A whole configuration around that, for one server.
const SERVER: &str = "nats.conf";
/// What the server of the event is called.
const OWN: &str = "server";

#[derive(Subcommand)]
pub(crate) enum Workers {
    /// Write credentials for workers, one file for each, and the configuration of nats-server that lets them in
    ///
    /// A worker can take matches, fetch their programs and hand in results under its own name, and nothing else. Give each its
    /// own file, and nobody the others'. The files lie in the folder queue of the event's folder, unless --output says otherwise:
    /// nats.conf (written once; yours to change), workers.conf (written anew each time), server.creds for palestra serve, and
    /// NAME.creds.
    Add(Add),
    /// List the workers that have credentials
    List(List),
    /// Take the credentials of workers back
    Drop(Change),
}

#[derive(clap::Args)]
pub(crate) struct Add {
    #[command(flatten)]
    change: Change,
    /// The certificate that nats-server shows, for tls:// addresses; goes into nats.conf
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// Its key
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct Change {
    #[command(flatten)]
    plan: PlanFile,
    /// The workers' names: letters, digits, - and _
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// The folder of these files [default: queue in the event's folder]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    plan: PlanFile,
    /// The folder of these files [default: queue in the event's folder]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Everybody whom the queue lets in.
#[derive(Default, Serialize, Deserialize)]
struct Members {
    server: Option<Member>,
    workers: Vec<Member>,
}

pub(super) fn run(command: &Workers) -> Result<(), Failure> {
    match command {
        Workers::Add(args) => add(args),
        Workers::List(args) => {
            let members = read(&folder(&args.plan, args.output.as_deref())?)?;
            let names: Vec<&str> = members.workers.iter().map(|worker| worker.name.as_str()).collect();
            match args.json {
                true => console::print_json(&names),
                false => console::print(&names.iter().map(|name| format!("{name}\n")).collect::<String>()),
            }
        }
        Workers::Drop(args) => drop_workers(args),
    }
}

fn add(args: &Add) -> Result<(), Failure> {
    let folder = folder(&args.change.plan, args.change.output.as_deref())?;
    let mut members = read(&folder)?;
    for name in &args.change.names {
        if !is_name(name) || name == OWN {
            let why = "write letters, digits, - and _, as in pc1";
            return Err(Failure::usage(format!("\"{name}\" is no name of a worker: {why}")));
        }
    }
    fs::create_dir_all(&folder)?;
    if members.server.is_none() {
        let (member, credentials) = new_server(OWN);
        keep(&folder, &format!("{OWN}.creds"), &credentials)?;
        members.server = Some(member);
    }
    let mut added = 0;
    for name in &args.change.names {
        if members.workers.iter().any(|worker| worker.name == *name) {
            console::remark(&format!("{name} is there already, and keeps its credentials"));
            continue;
        }
        let (member, credentials) = new_worker(name);
        keep(&folder, &format!("{name}.creds"), &credentials)?;
        members.workers.push(member);
        added += 1;
    }
    write(&folder, &members)?;
    if !folder.join(SERVER).exists() {
        let tls = args.certificate.as_deref().zip(args.key.as_deref());
        keep(&folder, SERVER, &configuration(&folder, tls)?)?;
    } else if args.certificate.is_some() {
        let file = folder.join(SERVER);
        return Err(Failure::usage(format!(
            "{} is there already; write the certificate into it",
            file.display()
        )));
    }
    let place = folder.display();
    console::print(&format!(
        "{} added; start nats-server --config {place}/{SERVER}, or have it read that again: nats-server --signal reload\n\
         the server: palestra serve ... --queue nats://HOST:4222 --queue-creds {place}/{OWN}.creds\n\
         a worker:   palestra worker nats://HOST:4222 --creds NAME.creds\n",
        counted(added, "worker")
    ))
}

fn drop_workers(args: &Change) -> Result<(), Failure> {
    let folder = folder(&args.plan, args.output.as_deref())?;
    let mut members = read(&folder)?;
    for name in &args.names {
        let Some(at) = members.workers.iter().position(|worker| worker.name == *name) else {
            return Err(Failure::usage(format!("there is no worker \"{name}\"")));
        };
        members.workers.remove(at);
        // Whoever has a copy is not let in any more.
        let _ = fs::remove_file(folder.join(format!("{name}.creds")));
    }
    write(&folder, &members)?;
    let count = counted(args.names.len() as u64, "worker");
    console::print(&format!(
        "{count} shut out, once nats-server reads {USERS} again: nats-server --signal reload\n"
    ))
}

fn folder(plan: &PlanFile, output: Option<&Path>) -> Result<PathBuf, Failure> {
    match output {
        Some(folder) => Ok(folder.to_owned()),
        None => Ok(plan.read()?.folder.join(FOLDER)),
    }
}

fn read(folder: &Path) -> Result<Members, Failure> {
    match fs::read_to_string(folder.join(MEMBERS)) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| Failure::input(format!("{}: {error}", folder.join(MEMBERS).display()))),
        Err(_) => Ok(Members::default()),
    }
}

fn write(folder: &Path, members: &Members) -> Result<(), Failure> {
    keep(folder, MEMBERS, &serde_json::to_string_pretty(members).expect("plain data"))?;
    let server = members.server.clone().unwrap_or_else(|| new_server(OWN).0);
    keep(folder, USERS, &authorization(&server, &members.workers))
}

fn keep(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    write_private(&path, text.as_bytes())
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// For one nats-server, on this machine.
fn configuration(folder: &Path, tls: Option<(&Path, &Path)>) -> Result<String, Failure> {
    let store = std::path::absolute(folder)?.join("jetstream");
    let tls = match tls {
        None => String::new(),
        Some((certificate, key)) => {
            let [certificate, key] = [std::path::absolute(certificate)?, std::path::absolute(key)?];
            format!("tls {{\n  cert_file: {certificate:?}\n  key_file: {key:?}\n}}\n")
        }
    };
    Ok(format!(
        "# The queue of the event's workers. Written once, and yours to change.\nport: 4222\n# Tells about itself, on this machine \
         only.\nhttp: \"127.0.0.1:8222\"\njetstream {{\n  store_dir: {store:?}\n  max_file_store: 20G\n}}\n{tls}# Who may do \
         what: palestra event workers add writes it.\ninclude ./{USERS}\n"
    ))
}
