//! `palestra view`: replays and logs in the browser.

use crate::console;
use crate::failure::Failure;
use crate::match_server::{MatchServer, ServeArgs};
use crate::signals;
use palestra_core::limits;
use palestra_league::store::LOG;
use palestra_runner::read_bytes;
use palestra_server::REPORT;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files shown at once: every one is kept in memory.
const MOST_FILES: usize = 1000;

/// Look at matches in the browser
///
/// Takes replays, folders with replays, a tournament's folder (its report, whose links open replays), and the contests'
/// own logs (Generals' log, Auralux' game_visualizer.log). More files can be dropped onto the page, so that it can also
/// be started without any. Ctrl-C ends it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Replays, logs, or folders with replays
    files: Vec<PathBuf>,
    #[command(flatten)]
    serve: ServeArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let interrupt = signals::interrupt()?;
    let match_server = MatchServer::new(&args.serve, true)?;
    let (reported, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        args.files.iter().partition(|path| path.join(REPORT).is_file());
    for folder in &reported {
        if !match_server.library().set_folder(folder) {
            return Err(Failure::usage("only one tournament's folder can be shown at once; name one"));
        }
    }
    let files = with_folders_opened(&files)?;
    let mut first = None;
    for file in &files {
        let added = read_bytes(file, limits::REPLAY_FILE_BYTES).map_err(|error| error.to_string()).and_then(
            |bytes| {
                let name = file.display().to_string();
                match_server.library().add_file(&name, &bytes).map_err(|error| format!("{name}: {error}"))
            },
        );
        match added {
            Ok(id) => first = first.or(Some(id)),
            Err(why) => console::remark(&format!("\x1b[1;31merror:\x1b[0m {why}")),
        }
    }
    // One bad file is no reason not to show the others.
    let path = match first {
        _ if !reported.is_empty() => format!("/{REPORT}"),
        Some(id) if files.len() == 1 => format!("/{id}"),
        None if !files.is_empty() => return Err(Failure::input_told()),
        _ => "/".to_owned(),
    };
    match_server.announce("view", &path, true);
    match_server.stay(&interrupt);
    Ok(ExitCode::SUCCESS)
}

/// A folder stands for the replays in it and below, by name.
fn with_folders_opened(paths: &[&PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.to_path_buf());
            continue;
        }
        if path.join(LOG).is_file() {
            return Err(Failure::input(format!(
                "there is no report in {} yet; palestra tournament export writes it, and a ladder does when it ends",
                path.display()
            )));
        }
        let mut found = Vec::new();
        let mut folders = vec![path.to_path_buf()];
        while let Some(folder) = folders.pop() {
            let failed =
                |error| Failure::input(format!("failed to read the folder {}: {error}", folder.display()));
            for entry in std::fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let file = entry.path();
                // Links to folders are not followed: they may lead in circles.
                if entry.file_type().map_err(failed)?.is_dir() {
                    folders.push(file);
                } else if file.extension() == Some(Path::new("replay").as_os_str()) {
                    found.push(file);
                }
            }
        }
        if found.is_empty() {
            return Err(Failure::input(format!("there is no .replay file in the folder {}", path.display())));
        }
        found.sort();
        files.extend(found);
    }
    if files.len() > MOST_FILES {
        return Err(Failure::usage(format!(
            "{} files are too many to show at once; name {MOST_FILES} at most",
            files.len()
        )));
    }
    Ok(files)
}
