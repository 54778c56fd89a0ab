//! `palestra replay`: what is in a replay, whether it holds, frame by frame, as the contests' own logs, and as pictures.

use crate::commands::shoot;
use crate::console;
use crate::failure::Failure;
use crate::games::{by_id, names};
use crate::report::{counted, milliseconds, size};
use palestra_core::digest::hex;
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{AnyGame, Catalog, Eye, Replay, ReplayError, Seat};
use palestra_runner::{FileError, read_replay, write_atomically};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Look into replay files
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Tell what a replay holds
    Info {
        /// The replay file
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Play replays again and compare: setup, every answer, result and final state
    Verify {
        /// The replay files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print one JSON object for each moment: the beginning, then after every turn
    Frames {
        /// The replay file
        file: PathBuf,
        /// As this seat saw it, instead of as a spectator
        #[arg(long, value_name = "SEAT")]
        view: Option<u8>,
        /// The first turn to print; 0 is the beginning
        #[arg(long, value_name = "TURN", default_value_t = 0)]
        from: u32,
        /// The last turn to print
        #[arg(long, value_name = "TURN")]
        to: Option<u32>,
    },
    /// Write a replay as one of the game's own log formats
    Export {
        /// The replay file
        file: PathBuf,
        /// The format; see `palestra games GAME`. May be left out where the game has just one
        format: Option<String>,
        /// Write to this file instead of standard output
        #[arg(long, short)]
        out: Option<PathBuf>,
    },
    Picture(shoot::Picture),
    Film(shoot::Film),
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Info { file, json } => info(file, *json),
        Command::Verify { files, json } => verify(files, *json),
        Command::Frames { file, view, from, to } => frames(file, *view, *from, to.unwrap_or(u32::MAX)),
        Command::Export { file, format, out } => export(file, format.as_deref(), out.as_deref()),
        Command::Picture(args) => shoot::picture(args),
        Command::Film(args) => shoot::film(args),
    }
}

/// Reads a replay of a game that is here.
pub(crate) fn open(file: &Path) -> Result<(&'static dyn AnyGame, Replay), Failure> {
    let replay = read_replay(file)?;
    let game = by_id(&replay.head.game).ok_or_else(|| FileError::Replay {
        path: file.to_owned(),
        error: ReplayError::OtherGame {
            found: replay.head.game.clone(),
            wanted: format!("one of {}", names()),
        },
    })?;
    Ok((game, replay))
}

fn info(file: &Path, as_json: bool) -> Result<ExitCode, Failure> {
    let replay = read_replay(file)?;
    let bytes = std::fs::metadata(file).map_or(0, |meta| meta.len());
    let wall = replay.wall();
    let english =
        by_id(&replay.head.game).map_or_else(|| Catalog::core("en"), |game| Catalog::english(game.info()));
    if as_json {
        let players: Vec<_> = replay.head.outcome
            .placings
            .iter()
            .zip(&replay.head.bots)
            .enumerate()
            .map(|(index, (placing, bot))| {
                json!({
                    "seat": index + 1, "bot": bot, "place": placing.place, "score": placing.score.to_f64(),
                    "fate": placing.fate, "reason": english.say(&placing.reason), "reason_data": placing.reason,
                })
            })
            .collect();
        let faults: Vec<_> = replay
            .head
            .faults
            .iter()
            .map(|(turn, fault)| {
                json!({
                    "turn": turn, "kind": fault.kind(), "fault": english.say(&fault.message()),
                    "fault_data": fault.message(), "output": fault.excerpt(),
                })
            })
            .collect();
        let settings: serde_json::Value =
            serde_json::from_str(&replay.head.plan.settings).unwrap_or_default();
        console::print_json(&json!({
            "game": replay.head.game, "rules_version": replay.head.rules_version, "made_by": replay.head.made_by,
            "seed": replay.head.plan.seed, "settings": settings, "map": replay.head.plan.setup, "time": replay.head.time.to_string(),
            "turns": replay.head.turns, "winner": replay.head.outcome.winner, "players": players, "faults": faults,
            "wall_ms": milliseconds(wall), "digest": hex(&replay.head.digest), "bytes": bytes,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!(
        "{}, rules version {}, made by {}\nseed {}, time: {}, {}, {}\n",
        replay.head.game,
        replay.head.rules_version,
        replay.head.made_by,
        replay.head.plan.seed,
        english.say(&replay.head.time.message()),
        counted(replay.head.turns.into(), "turn"),
        size(bytes)
    );
    for (index, (placing, bot)) in replay.head.outcome.placings.iter().zip(&replay.head.bots).enumerate() {
        let fate = placing.fate.word();
        let (place, reason) = (placing.place, english.say(&placing.reason));
        let _ = writeln!(text, "seat {}: {bot}, place {place}, {fate}: {reason}", index + 1);
    }
    for (turn, fault) in &replay.head.faults {
        let _ = writeln!(text, "fault in turn {turn}: {}", english.say(&fault.message()));
    }
    let _ = writeln!(text, "digest {}", hex(&replay.head.digest));
    console::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Looks at every file, and fails at the end if one of them does not hold.
fn verify(files: &[PathBuf], as_json: bool) -> Result<ExitCode, Failure> {
    let mut failures = 0;
    let mut results = Vec::new();
    for file in files {
        let start = Instant::now();
        let verdict = read_replay(file).map_err(|error| error.to_string()).and_then(|replay| {
            let game = by_id(&replay.head.game)
                .ok_or_else(|| format!("{}: there is no game {}", file.display(), replay.head.game))?;
            let turns = replay.verify(game).map_err(|error| format!("{}: {error}", file.display()))?;
            Ok((turns, replay.wall()))
        });
        let took = start.elapsed();
        failures += u32::from(verdict.is_err());
        match &verdict {
            Ok((turns, wall)) if !as_json => {
                // Built-in players take no time of their own, so there may be nothing to compare with.
                let ratio = wall.as_secs_f64() / took.as_secs_f64().max(1e-9);
                let faster = if ratio >= 1.0 {
                    format!(", {ratio:.0} times as fast as played")
                } else {
                    String::new()
                };
                console::print(&format!(
                    "{}: holds; {} again in {:.1} ms{faster}\n",
                    file.display(),
                    counted((*turns).into(), "turn"),
                    milliseconds(took)
                ))?;
            }
            Err(why) if !as_json => console::remark(&format!("\x1b[1;31merror:\x1b[0m {why}")),
            _ => {}
        }
        results.push(json!({
            "file": file, "holds": verdict.is_ok(), "error": verdict.as_ref().err(),
            "turns": verdict.as_ref().ok().map(|(turns, _)| turns), "ms": milliseconds(took),
        }));
    }
    if as_json {
        console::print_json(&json!({ "files": results }))?;
    }
    if failures > 0 { Err(Failure::input_told()) } else { Ok(ExitCode::SUCCESS) }
}

fn frames(file: &Path, view: Option<u8>, from: u32, to: u32) -> Result<ExitCode, Failure> {
    let (game, replay) = open(file)?;
    let eye = match view {
        None => Eye::Spectator,
        Some(seat) => Eye::Seat(seat_of(&replay, seat)?),
    };
    let english = Catalog::english(game.info());
    let mut cursor = Cursor::start(game, &replay).map_err(Failure::in_replay(file))?;
    let mut out = console::stream();
    let mut turn = 0;
    let mut about = json!({ "turn": 0 });
    loop {
        if turn >= from {
            about["frame"] = cursor.state().frame(eye);
            writeln!(out, "{about}")?;
        }
        if turn >= to {
            break;
        }
        let Some(next) = cursor.peek(&replay).map_err(Failure::in_replay(file))? else { break };
        turn = next.number;
        about = json!({ "turn": turn, "seat": next.seat });
        match next.input {
            Recorded::Answer(_) => {
                let mut answer = Vec::new();
                cursor.state().write_answer(&mut answer);
                // What a seat may know of others' answers is in its frame.
                if eye == Eye::Spectator || eye == Eye::Seat(next.seat) {
                    about["answer"] = String::from_utf8_lossy(&answer).trim_end().into();
                }
            }
            Recorded::Fault(fault) => {
                about["fault"] = english.say(&fault.message()).into();
                about["fault_data"] = json!(fault.message());
            }
        }
        cursor.advance(&replay).map_err(Failure::in_replay(file))?;
        about["round"] = cursor.state().rounds().into();
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn export(file: &Path, format: Option<&str>, out: Option<&Path>) -> Result<ExitCode, Failure> {
    let (game, replay) = open(file)?;
    let formats: Vec<&str> = game.exports().iter().map(|export| export.name).collect();
    let format = match (format, formats.as_slice()) {
        (None, [only]) => only,
        (Some(format), _) if formats.contains(&format) => format,
        _ => {
            return Err(Failure::usage(format!(
                "name one of the formats of {}: {}",
                game.info().id,
                formats.join(", ")
            )));
        }
    };
    // A replay that does not hold would be written as nonsense.
    replay.verify(game).map_err(Failure::in_replay(file))?;
    match out {
        Some(path) => {
            write_atomically(path, |out| game.export(format, &replay, out).map_err(std::io::Error::other))?;
        }
        None => {
            let mut stream = console::stream();
            game.export(format, &replay, &mut stream).map_err(Failure::in_replay(file))?;
            stream.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A seat of this replay.
pub(crate) fn seat_of(replay: &Replay, number: u8) -> Result<Seat, Failure> {
    if number == 0 || number > replay.head.plan.seats {
        return Err(Failure::usage(format!(
            "there is no seat {number}; the replay has seats 1 to {}",
            replay.head.plan.seats
        )));
    }
    Ok(Seat::new(number))
}
