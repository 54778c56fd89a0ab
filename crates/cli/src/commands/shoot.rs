//! `palestra replay picture` and `palestra replay film`: drawn by the viewer's own page, in a browser without a window.

use crate::browser::Browser;
use crate::console;
use crate::failure::Failure;
use crate::match_server::quiet_server;
use crate::report::size;
use palestra_runner::{read_bytes, write_atomically};
use palestra_server::Server;
use palestra_server::limits::FILM_PICTURES;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// How long a browser may take for one picture or film.
const PATIENCE: Duration = Duration::from_secs(300);
/// Between two looks whether the browser is still there.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// What is drawn and how large.
#[derive(clap::Args)]
pub(crate) struct Frame {
    /// The replay file, or a contest's log
    file: PathBuf,
    /// As this seat saw it, instead of as a spectator
    #[arg(long, value_name = "SEAT")]
    view: Option<u8>,
    /// Width in pixels
    #[arg(long, default_value_t = 960, value_parser = clap::value_parser!(u16).range(64..=4096))]
    width: u16,
    /// Height in pixels
    #[arg(long, default_value_t = 720, value_parser = clap::value_parser!(u16).range(64..=4096))]
    height: u16,
    /// On a dark ground
    #[arg(long)]
    dark: bool,
}

/// Draw one moment as a picture (PNG); needs a browser of the Chromium family, which it starts without a window
#[derive(clap::Args)]
pub(crate) struct Picture {
    #[command(flatten)]
    frame: Frame,
    /// The turn to show; 0 is the beginning [default: the last]
    #[arg(long)]
    turn: Option<u32>,
    /// The file to write [default: beside the replay, with the turn in its name]
    #[arg(long, short)]
    out: Option<PathBuf>,
}

/// Draw some turns as an animation (GIF); needs a browser of the Chromium family, which it starts without a window
#[derive(clap::Args)]
pub(crate) struct Film {
    #[command(flatten)]
    frame: Frame,
    /// The first turn; 0 is the beginning
    #[arg(long, default_value_t = 0)]
    from: u32,
    /// The last turn [default: the last of the match]
    #[arg(long)]
    to: Option<u32>,
    /// Show every so many turns [default: as many as make at most 200 pictures]
    #[arg(long)]
    every: Option<u32>,
    /// How long each picture is shown, in milliseconds
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(20..=10_000))]
    delay: u32,
    /// The file to write [default: beside the replay]
    #[arg(long, short)]
    out: Option<PathBuf>,
}

/// Pictures of a film for which nothing was asked.
const USUAL_PICTURES: u32 = 200;

pub(crate) fn picture(args: &Picture) -> Result<ExitCode, Failure> {
    let studio = Studio::open(&args.frame)?;
    let turn = args.turn.unwrap_or(studio.turns);
    studio.check_turn(turn)?;
    let out = args.out.clone().unwrap_or_else(|| args.frame.file.with_extension(format!("{turn}.png")));
    studio.shoot(&format!("turn={turn}"), &out)
}

pub(crate) fn film(args: &Film) -> Result<ExitCode, Failure> {
    let studio = Studio::open(&args.frame)?;
    let (from, to) = (args.from, args.to.unwrap_or(studio.turns));
    studio.check_turn(to)?;
    if from > to {
        return Err(Failure::usage(format!(
            "the film would begin at turn {from} and end before it, at turn {to}"
        )));
    }
    let every = args.every.unwrap_or_else(|| (to - from).div_ceil(USUAL_PICTURES)).max(1);
    if (to - from) / every >= FILM_PICTURES {
        return Err(Failure::usage(format!(
            "a film has {FILM_PICTURES} pictures at most; take --every {}, or fewer turns",
            (to - from) / (FILM_PICTURES - 1) + 1
        )));
    }
    let out = args.out.clone().unwrap_or_else(|| args.frame.file.with_extension("gif"));
    studio.shoot(&format!("turn={from}&film={from}-{to}&every={every}&delay={}", args.delay), &out)
}

/// A match ready to be drawn.
struct Studio<'a> {
    frame: &'a Frame,
    server: Server,
    id: String,
    turns: u32,
}

impl Studio<'_> {
    fn open(frame: &Frame) -> Result<Studio<'_>, Failure> {
        let bytes = read_bytes(&frame.file, palestra_core::limits::REPLAY_FILE_BYTES)?;
        let server = quiet_server()?;
        let id = server
            .library()
            .add_file("shot", &bytes)
            .map_err(|error| Failure::input(format!("{}: {error}", frame.file.display())))?;
        let (turns, seats) = server.library().size(&id).unwrap_or_default();
        match frame.view {
            Some(seat) if seat == 0 || seat > seats => {
                Err(Failure::usage(format!("there is no seat {seat}; the match has seats 1 to {seats}")))
            }
            _ => Ok(Studio { frame, server, id, turns }),
        }
    }

    fn check_turn(&self, turn: u32) -> Result<(), Failure> {
        if turn > self.turns {
            return Err(Failure::usage(format!("there is no turn {turn}; the last one is {}", self.turns)));
        }
        Ok(())
    }

    /// Has the page draw something, and writes it.
    fn shoot(&self, what: &str, out: &Path) -> Result<ExitCode, Failure> {
        let Studio { frame, server, id, .. } = self;
        let (token, picture) = server.expect_screenshot();
        let theme = if frame.dark { "dark" } else { "light" };
        let mut url = format!(
            "{}/{id}?embed=1&capture={token}&width={}&height={}&theme={theme}&{what}",
            server.url(),
            frame.width,
            frame.height
        );
        if let Some(seat) = frame.view {
            let _ = write!(url, "&seat={seat}");
        }
        let mut browser = Browser::open(&url)?;
        let start = Instant::now();
        let shot = loop {
            match picture.recv_timeout(LOOK_EVERY) {
                Ok(Ok(shot)) => break shot,
                Ok(Err(why)) => return Err(Failure::input(format!("the page could not draw it: {why}"))),
                Err(RecvTimeoutError::Timeout) if start.elapsed() >= PATIENCE => {
                    return Err(Failure::input("the browser took too long to draw it"));
                }
                Err(RecvTimeoutError::Timeout) if browser.runs() => {}
                Err(_) => return Err(Failure::input("the browser ended before it had drawn anything")),
            }
        };
        write_atomically(out, |file| file.write_all(&shot))?;
        console::print(&format!("{} ({})\n", out.display(), size(shot.len() as u64)))?;
        Ok(ExitCode::SUCCESS)
    }
}
