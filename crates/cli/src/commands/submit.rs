//! `palestra submit`: hands a bot in at an arena, and waits for what becomes of it.

use crate::arena_client::{ArenaClient, Heard};
use crate::console;
use crate::failure::{Failure, NOT_SO};
use palestra_arena::api::{RejectionStep, VersionState, VersionView};
use palestra_arena::ids::VersionId;
use palestra_arena::limits;
use palestra_arena::workshop::pack;
use palestra_runner::read_bytes;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// Hand a bot in at an arena, and wait until it has been compiled and has played its first match
#[derive(clap::Args)]
#[command(after_help = "\
What can be handed in: a source file; an archive (zip, tar, tar.gz, tgz) or a folder with sources,
in which the one to start is called main; or a program for Linux.

For example:
  palestra submit arena.example.org generals mybot.cpp --token KEY
  palestra submit https://arena.example.org rps mybot/ --watch

Exit codes: 0 it is ready and plays, 1 it was rejected, 2 usage, 3 it could not be handed in.")]
pub(crate) struct Args {
    /// The arena: a name, perhaps with a port [default: 8080], or an address with https://
    host: String,
    /// The game
    game: String,
    /// The file, or a folder
    file: PathBuf,
    /// Your key, which the arena's site makes for you [default: what is in PALESTRA_TOKEN]
    #[arg(long, value_name = "KEY")]
    token: Option<String>,
    /// Print what the compiler and the first match say as they say it, also if all goes well
    #[arg(long)]
    watch: bool,
    /// Print exactly one JSON object at the end
    #[arg(long)]
    json: bool,
}

/// How often in a row an arena that says nothing is asked again, and when.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let client = ArenaClient::new(&args.host, args.token.as_deref())?;
    let (name, content) = upload(&args.file)?;
    if !args.game.chars().all(char::is_alphanumeric) {
        return Err(Failure::usage(format!("\"{}\" is no game", args.game)));
    }
    let path = format!("/api/games/{}/versions", args.game);
    let version: VersionView = client.post_file(&path, &name, &content)?;
    if !args.json {
        console::remark(&format!("handed in as version {}", version.number));
    }
    let version = follow(&client, version.id, args.watch && !args.json)?;
    let ready = version.state == VersionState::Ready;
    let number = version.number;
    match (args.json, ready) {
        (true, _) => console::print_json(&version)?,
        (false, true) if version.active => console::print(&format!("version {number} is ready and plays\n"))?,
        (false, true) => console::print(&format!("version {number} is ready; a later one plays\n"))?,
        (false, false) => {
            console::print(&verdict(&version))?;
            if !args.watch {
                console::print(version.log.as_deref().unwrap_or_default())?;
            }
        }
    }
    Ok(if ready { ExitCode::SUCCESS } else { ExitCode::from(NOT_SO) })
}

/// At which step it was rejected, and the line that says most about why.
fn verdict(version: &VersionView) -> String {
    let rejection = version.rejection.as_ref();
    let step = match rejection.map(|rejection| rejection.step) {
        Some(RejectionStep::Unpacking) => " while it was unpacked",
        Some(RejectionStep::Compiling) => " while it was compiled",
        Some(RejectionStep::Starting) => " when it was to be started",
        Some(RejectionStep::FirstMatch) => " in its first match",
        Some(RejectionStep::SetAside) | None => "",
    };
    let line = rejection.and_then(|rejection| rejection.line.as_deref());
    let line = line.map_or(String::new(), |line| format!(": {line}"));
    format!("version {} was rejected{step}{line}\n", version.number)
}

/// The name and the content of what is handed in.
fn upload(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    if path.is_dir() {
        return pack(path).map_err(Failure::input);
    }
    let content = read_bytes(path, limits::UPLOAD_BYTES as u64)?;
    let name = path.file_name().and_then(|name| name.to_str());
    let name =
        name.ok_or_else(|| Failure::input(format!("{} has no name that can be sent", path.display())))?;
    Ok((name.to_owned(), content))
}

/// Waits until the version is settled. A stream that breaks off is taken up where it was.
fn follow(client: &ArenaClient, id: VersionId, show: bool) -> Result<VersionView, Failure> {
    let mut shown = 0;
    let mut failure = None;
    let mut tries = 0;
    while tries < TRIES {
        let mut heard = false;
        match listen(client, id, &mut shown, &mut heard, show) {
            Ok(Some(view)) => return Ok(view),
            Ok(None) => {}
            Err(error) => failure = Some(error),
        }
        // An arena that is restarted again and again is there all the same.
        tries = if heard { 0 } else { tries + 1 };
        sleep(PAUSE);
    }
    let silent =
        || Failure::input(format!("the arena is silent about version {id}; look at your page on its site"));
    Err(failure.unwrap_or_else(silent))
}

/// Hears one stream, of which so many bytes of the log were shown before; the version, if it was settled in it.
fn listen(
    client: &ArenaClient,
    id: VersionId,
    shown: &mut usize,
    heard: &mut bool,
    show: bool,
) -> Result<Option<VersionView>, Failure> {
    let odd = |error| Failure::input(format!("the arena says something odd: {error}"));
    let mut settled = None;
    let mut passed = 0;
    client.listen(&format!("/api/versions/{id}/log"), &mut |kind, data| {
        *heard = true;
        if kind == "log" {
            let text: String = serde_json::from_str(data).map_err(odd)?;
            let new = text.get(shown.saturating_sub(passed)..).unwrap_or_default();
            if show {
                console::print(new)?;
            }
            passed += text.len();
            *shown = passed.max(*shown);
        } else if kind == "state" {
            let view: VersionView = serde_json::from_str(data).map_err(odd)?;
            if matches!(view.state, VersionState::Ready | VersionState::Rejected) {
                settled = Some(view);
                return Ok(Heard::Enough);
            }
        }
        Ok(Heard::More)
    })?;
    Ok(settled)
}
