//! `palestra event`: what organisers do from the command line.
//!
//! Accounts, backups and restoring work on the event's store, whether its arena is open or not. Everything that
//! touches a running event goes through the arena, with the key in the event's folder.

mod workers;

use crate::arena_client::ArenaClient;
use crate::console;
use crate::failure::Failure;
use crate::games;
use crate::report::counted;
use crate::system;
use clap::Subcommand;
use palestra_arena::ORGANISER_KEY;
use palestra_arena::api::{AddPlayer, Announce, Control, NewPassword, Reason};
use palestra_arena::ids::AccountId;
use palestra_arena::plan::{self, EventPlan};
use palestra_arena::player_list::{self, Headings, ListedPlayer, PlayerList};
use palestra_arena::store::{AccountError, KeyKind, NewAccount, Store};
use serde_json::Value;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workers::Workers;

/// The file in an event's folder that says where its arena is.
pub(super) const ADDRESS: &str = "address";

/// Do what organisers do: accounts, rounds, corrections, announcements, backups
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Accounts: add, list, reset, key, ban
    #[command(subcommand)]
    Players(Players),
    /// Workers on other machines: credentials for each, and what nats-server must know of them
    #[command(subcommand)]
    Workers(Workers),
    /// How the event stands
    Status(Look),
    /// Begin a round now, or let the whole event go on
    Start(Steer),
    /// Begin no more matches of a round, or of the whole event, for a while
    Pause(Steer),
    /// Go on after a pause
    Resume(Steer),
    /// End a round, or the whole event: what has not been played is not played
    Close(Steer),
    /// Take a match out of the count; ratings and points are worked out anew
    Void(Correct),
    /// Have a match of a scored round played again
    Rerun(Correct),
    /// Tell everybody something, on every page of the site
    Announce(Tell),
    /// Write the whole event into one file, while it goes on
    Backup(Backup),
    /// Make an event from such a file, into SQLite or a Postgres server
    Restore(Restore),
}

/// The plan of an event.
#[derive(clap::Args)]
pub(crate) struct PlanFile {
    /// The event's plan
    #[arg(value_name = "PLAN")]
    file: PathBuf,
    /// Keep the event in this database, postgres://..., instead of where the plan says
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

/// Reads the plan of an event.
pub(super) fn read_plan(file: &Path) -> Result<EventPlan, Failure> {
    let find = |id: &str| games::find(id).map_err(|unknown| unknown.to_string());
    plan::read(file, find).map_err(Failure::input)
}

impl PlanFile {
    pub(super) fn read(&self) -> Result<EventPlan, Failure> {
        let mut plan = read_plan(&self.file)?;
        plan.database = self.database.clone().or(plan.database);
        Ok(plan)
    }
}

#[derive(Subcommand)]
pub(crate) enum Players {
    /// Add accounts, by name or from a file; prints their passwords once
    Add(Add),
    /// List all accounts
    List(Look),
    /// Give a player a new password; prints it once
    Reset(Named),
    /// Make a key for a player's programs, as on the player's own page; prints it once
    Key(Named),
    /// Shut a player out
    Ban(Named),
    /// Let a player in again
    Unban(Named),
}

#[derive(clap::Args)]
pub(crate) struct Add {
    #[command(flatten)]
    plan: PlanFile,
    /// The players' names; those with blanks in quotes
    names: Vec<String>,
    /// Names, and passwords if there are any, from a table: name[,password] on every line, or a
    /// spreadsheet's CSV with the headings name and password
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Say what would be taken from the table, and add nobody
    #[arg(long, requires = "csv")]
    dry_run: bool,
    /// They are organisers
    #[arg(long)]
    organiser: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct Look {
    #[command(flatten)]
    plan: PlanFile,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct Named {
    #[command(flatten)]
    plan: PlanFile,
    /// The player's name
    name: String,
}

#[derive(clap::Args)]
pub(crate) struct Steer {
    #[command(flatten)]
    plan: PlanFile,
    /// The round, by name or number; the whole event unless given
    round: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct Correct {
    #[command(flatten)]
    plan: PlanFile,
    /// The match
    number: i64,
    /// Why, in a few words; everybody can read it
    #[arg(long, default_value = "by the organisers")]
    why: String,
}

#[derive(clap::Args)]
pub(crate) struct Tell {
    #[command(flatten)]
    plan: PlanFile,
    /// What
    text: String,
}

#[derive(clap::Args)]
pub(crate) struct Backup {
    #[command(flatten)]
    plan: PlanFile,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct Restore {
    #[command(flatten)]
    plan: PlanFile,
    /// The file that palestra event backup wrote
    from: PathBuf,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    system::has_arenas().map_err(Failure::usage)?;
    match command {
        Command::Players(players) => self::players(players)?,
        Command::Workers(workers) => workers::run(workers)?,
        Command::Status(args) => status(args)?,
        Command::Start(args) => steer(args, Control::Start)?,
        Command::Pause(args) => steer(args, Control::Pause)?,
        Command::Resume(args) => steer(args, Control::Resume)?,
        Command::Close(args) => steer(args, Control::Close)?,
        Command::Void(args) => {
            correct(args, "void")?;
            let number = args.number;
            done(&format!("match {number} does not count any more; points and ratings are worked out anew"))?;
        }
        Command::Rerun(args) => {
            correct(args, "rerun")?;
            done(&format!("match {} does not count any more, and is played again", args.number))?;
        }
        Command::Announce(args) => {
            let text = args.text.clone();
            arena(&args.plan.read()?)?.post("/api/admin/announce", &Announce { text })?;
            done(&format!("every page of the site says: {}", args.text))?;
        }
        Command::Backup(args) => {
            let rows = with_store(&args.plan.read()?, async |store| {
                store.back_up(&args.output).await.map_err(Failure::input)
            })?;
            done(&format!("the whole event is in {}: {}", args.output.display(), counted(rows, "row")))?;
        }
        Command::Restore(args) => {
            let plan = args.plan.read()?;
            let rows = wait(Store::restore(&plan.folder, plan.database.as_deref(), &args.from))?
                .map_err(Failure::input)?;
            let file = args.plan.file.display();
            done(&format!("{} restored; open the event with palestra serve {file}", counted(rows, "row")))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn players(command: &Players) -> Result<(), Failure> {
    match command {
        Players::Add(args) => add(args),
        Players::List(args) => list(args),
        Players::Reset(args) => {
            let password = with_store(&args.plan.read()?, async |store| {
                let player = named(&store, &args.name).await?;
                store.set_password(player, None).await.map_err(Failure::input)
            })?;
            console::print(&format!("{}\t{password}\n", args.name))?;
            console::remark(&format!(
                "{} has this new password; the old one and all keys do not work any more",
                args.name
            ));
            Ok(())
        }
        Players::Key(args) => {
            let key = with_store(&args.plan.read()?, async |store| {
                let player = named(&store, &args.name).await?;
                let key = store.add_key(player, KeyKind::Token, "from the organisers").await;
                key.map(|(_, secret)| secret).map_err(Failure::input)
            })?;
            console::print(&format!("{key}\n"))?;
            console::remark(&format!("{} has this new key; it is told only now", args.name));
            Ok(())
        }
        Players::Ban(args) => ban(args, true),
        Players::Unban(args) => ban(args, false),
    }
}

fn add(args: &Add) -> Result<(), Failure> {
    let mut new: Vec<AddPlayer> = args
        .names
        .iter()
        .map(|name| AddPlayer { name: name.clone(), password: None, organiser: args.organiser })
        .collect();
    if let Some(file) = &args.csv {
        new.extend(read_csv(file, args.organiser)?);
    }
    if new.is_empty() {
        return Err(Failure::usage("nobody to add; give names, or a file with --csv"));
    }
    if args.dry_run {
        return new.iter().try_for_each(|player| console::print(&format!("{}\n", player.name)));
    }
    let (added, failed) = with_store(&args.plan.read()?, async |store| {
        let (mut added, mut failed) = (Vec::with_capacity(new.len()), Ok(()));
        for AddPlayer { name, password, organiser } in new {
            // Whoever is there already keeps the password: the same list can be given again.
            match store.add_account(NewAccount { name: name.clone(), password, organiser }).await {
                Ok((account, password)) => {
                    added.push(NewPassword { id: account.id, name: account.name, password });
                }
                Err(AccountError::Taken(name)) => {
                    console::remark(&format!("{name} is there already, and keeps the password"));
                }
                Err(error) => {
                    failed = Err(Failure::input(error));
                    break;
                }
            }
        }
        Ok((added, failed))
    })?;
    // Passwords are told only now: those that were made before a mistake too.
    if args.json {
        console::print_json(&added)?;
        return failed;
    }
    let lines: Vec<String> = added.iter().map(|new| format!("{}\t{}\n", new.name, new.password)).collect();
    console::print(&lines.concat())?;
    let what = if args.organiser { "organiser" } else { "player" };
    console::remark(&match added.len() {
        0 => format!("no {what} added"),
        count => format!("{} added; the passwords are told only now", counted(count as u64, what)),
    });
    failed
}

fn read_csv(file: &Path, organiser: bool) -> Result<Vec<AddPlayer>, Failure> {
    let bytes = palestra_runner::read_bytes(file, palestra_arena::limits::IMPORT_BYTES as u64)?;
    let PlayerList { headings, players } =
        player_list::read(&bytes).map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    let columns = match headings {
        None => "no line of headings".to_owned(),
        Some(Headings { name, password: None }) => format!("names from the column \"{name}\""),
        Some(Headings { name, password: Some(password) }) => {
            format!("names from the column \"{name}\", passwords from \"{password}\"")
        }
    };
    let given = players.iter().filter(|player| player.password.is_some()).count();
    let count = counted(players.len() as u64, "player");
    console::remark(&format!("{}: {count}, {given} with a password; {columns}", file.display()));
    let add = |player: ListedPlayer| AddPlayer { name: player.name, password: player.password, organiser };
    Ok(players.into_iter().map(add).collect())
}

fn list(args: &Look) -> Result<(), Failure> {
    let players =
        with_store(&args.plan.read()?, async |store| store.accounts().await.map_err(Failure::input))?;
    if args.json {
        let players: Vec<Value> = players
            .iter()
            .map(|player| {
                serde_json::json!({
                    "id": player.id, "name": player.name, "organiser": player.organiser,
                    "house": player.house, "banned": player.banned,
                })
            })
            .collect();
        return console::print_json(&players);
    }
    if players.is_empty() {
        console::remark("nobody has an account yet; palestra event players add makes some");
    }
    let mut text = String::new();
    for player in players {
        let marks = [(player.organiser, "organiser"), (player.house, "built in"), (player.banned, "banned")];
        let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        text += &format!("{}\t{}\t{}\n", player.id, player.name, marks.join(", "));
    }
    console::print(&text)
}

fn ban(args: &Named, banned: bool) -> Result<(), Failure> {
    let plan = args.plan.read()?;
    let player = with_store(&plan, async |store| {
        let player = named(&store, &args.name).await?;
        store.ban(player, banned).await.map_err(Failure::input)?;
        Ok(player)
    })?;
    // An arena that is open sends the player's client away.
    if let Ok(arena) = arena(&plan) {
        let body = serde_json::json!({ "banned": banned });
        arena.post(&format!("/api/admin/players/{player}/ban"), &body)?;
    }
    let name = &args.name;
    done(&match banned {
        true => {
            format!("{name} is shut out: cannot sign in, connect or play until palestra event players unban")
        }
        false => format!("{name} is let in again"),
    })
}

async fn named(store: &Store, name: &str) -> Result<AccountId, Failure> {
    let found = store.account_named(name).await.map_err(Failure::input)?;
    found.map(|account| account.id).ok_or_else(|| Failure::usage(format!("there is no player {name}")))
}

fn status(args: &Look) -> Result<(), Failure> {
    let arena = arena(&args.plan.read()?)?;
    let live: Value = arena.get("/api/live")?;
    if args.json {
        return console::print_json(&live);
    }
    let word = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let number = |value: &Value, key: &str| value[key].as_i64().unwrap_or_default();
    let mut text = format!(
        "{}; {} connected, {} being played\n",
        word(&live, "state"),
        counted(number(&live, "online") as u64, "client"),
        counted(number(&live, "running") as u64, "match")
    );
    for round in live["rounds"].as_array().into_iter().flatten() {
        let (done, all) = (round["progress"][0].as_i64(), round["progress"][1].as_i64());
        let progress = format!("{}/{}", done.unwrap_or_default(), all.unwrap_or_default());
        text += &format!(
            "round {}  {}  {}  {}  {progress}\n",
            number(round, "id"),
            word(round, "name"),
            word(round, "game"),
            word(round, "state")
        );
    }
    console::print(&text)
}

fn steer(args: &Steer, control: Control) -> Result<(), Failure> {
    let arena = arena(&args.plan.read()?)?;
    let Some(wanted) = &args.round else {
        arena.post("/api/admin/event", &control)?;
        return done(match control {
            Control::Start | Control::Resume => "the event goes on: matches begin again",
            Control::Pause => {
                "the event is paused: what is being played is played to its end, and no match begins"
            }
            Control::Close => "the event is over: no match begins any more, and nothing is taken in",
        });
    };
    let live: Value = arena.get("/api/live")?;
    let rounds = live["rounds"].as_array().cloned().unwrap_or_default();
    let found = rounds.iter().find(|round| {
        round["name"].as_str() == Some(wanted)
            || round["id"].as_u64().is_some_and(|id| id.to_string() == *wanted)
    });
    // Rounds of long ago are not among those that are told; their numbers are known anyway.
    let by_number = || wanted.parse().ok();
    let Some(id) = found.and_then(|round| round["id"].as_u64()).or_else(by_number) else {
        let names: Vec<&str> = rounds.iter().filter_map(|round| round["name"].as_str()).collect();
        return Err(Failure::usage(format!(
            "there is no round \"{wanted}\"; there are {}",
            names.join(", ")
        )));
    };
    arena.post(&format!("/api/admin/rounds/{id}"), &control)?;
    let name = found.and_then(|round| round["name"].as_str()).unwrap_or_default();
    let round = if name.is_empty() { format!("round {id}") } else { format!("round {id}, {name},") };
    done(&match control {
        Control::Start | Control::Resume => format!("{round} goes on"),
        Control::Pause => format!("{round} is paused: what is being played is played to its end"),
        Control::Close => format!("{round} is over: what has not been played is not played"),
    })
}

fn correct(args: &Correct, what: &str) -> Result<(), Failure> {
    let reason = Reason { why: args.why.clone() };
    arena(&args.plan.read()?)?.post(&format!("/api/admin/matches/{}/{what}", args.number), &reason)?;
    Ok(())
}

/// Says what was done.
fn done(sentence: &str) -> Result<(), Failure> {
    console::print(&format!("{sentence}\n"))
}

/// The arena of an event that is open on this machine.
fn arena(plan: &EventPlan) -> Result<ArenaClient, Failure> {
    let read = |name: &str| std::fs::read_to_string(plan.folder.join(name));
    match (read(ADDRESS), read(ORGANISER_KEY)) {
        (Ok(address), Ok(key)) => ArenaClient::on_this_machine(address.trim(), key.trim()),
        _ => Err(Failure::input("the arena of this event is not open here; start it with palestra serve")),
    }
}

fn with_store<T>(
    plan: &EventPlan,
    work: impl AsyncFnOnce(Store) -> Result<T, Failure>,
) -> Result<T, Failure> {
    wait(async {
        let store = Store::beside(&plan.folder, plan.database.as_deref()).await.map_err(Failure::input)?;
        store.reserve_names(plan.built_in_names());
        work(store).await
    })?
}

fn wait<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(work))
}
