//! The configuration and log files of the contests that the games come from, as far as they are alike.

use crate::encoding::Encoding;
use crate::game::SetupError;
use crate::replay::{Replay, ReplayError, TypedReplay};
use crate::seat::Seat;
use serde_json::Value;
use std::io;
use std::time::Duration;

/// The files of the contest that a game comes from; a game without one implements it with nothing inside.
pub trait Legacy: Encoding {
    /// The contest's own log formats that a recording can be written as.
    const EXPORTS: &'static [Export] = &[];
    /// Names of configuration files to look for when a whole folder is given.
    const CONFIG_FILES: &'static [&'static str] = &[];
    /// How the contest's own clients speak with its server, if there are any.
    const CLIENT_LINES: Option<&'static ClientLines> = None;

    /// Whether the contest's own configurations begin with this word, and no others do: a file that begins with it is
    /// this game's, whatever others make of its text.
    fn config_begins_with(_word: &str) -> bool {
        false
    }
    /// Reads the contest's own run configuration; `None` if the file is something else.
    fn read_config(_config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        None
    }
    /// Reads a test of a test system: a map, and behind it one player name for each seat. Nothing is checked but
    /// where the map ends.
    fn read_test(_text: &str) -> Result<TestCase, SetupError> {
        Err(SetupError::new(format!("{} has no test system", Self::INFO.title)))
    }
    /// Writes a recording in this format, which is one of [`Legacy::EXPORTS`].
    fn export(
        format: &str,
        _replay: &TypedReplay<'_, Self>,
        _out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        Err(ReplayError::UnknownExport(format.to_owned()))
    }

    /// A recording that has just begun, to be written in one of these formats while it grows; `None` for those that can
    /// only be written at the end.
    fn live_export(
        _format: &str,
        _replay: &TypedReplay<'_, Self>,
    ) -> Result<Option<Box<dyn LiveExport>>, ReplayError> {
        Ok(None)
    }

    /// Reads a log that the contest's own tools wrote, to look at; `None` if the text is something else.
    fn read_log(_text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        None
    }
}

/// The lines in which a contest's own clients speak with a server. Packets of a match are sent as they are; each of them,
/// and each answer, ends with a line of its own.
#[derive(Debug)]
pub struct ClientLines {
    /// A client logs in: the password follows.
    pub login: &'static str,
    /// A client says whom it wants to play: a list follows.
    pub opponents: &'static str,
    /// A client answers a ping.
    pub pong: &'static str,
    /// The line that ends a packet or an answer.
    pub end: &'static str,
    /// What a client is sent to find out whether it is there.
    pub ping: &'static str,
    /// What a client is sent if its login failed.
    pub refused: &'static str,
    /// What a client is sent about how everybody stands, best first.
    pub standings: fn(&[Ranked<'_>]) -> String,
}

/// A player of an event, and how it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked<'a> {
    /// Its number in the event, by which clients name each other.
    pub player: i64,
    /// Its points in scored matches, rounded.
    pub points: i64,
    /// Its Elo rating, rounded.
    pub elo: i32,
    /// What the event calls it.
    pub name: &'a str,
}

/// A test of a test system: the participant's program against built-in players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestCase {
    /// The map file's text.
    pub map: String,
    /// The words behind it: player names by seat.
    pub players: Vec<String>,
}

/// A log format that a recording can be written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Export {
    /// Its name, for `palestra replay export`.
    pub name: &'static str,
    /// The file name it traditionally has.
    pub file: &'static str,
    /// One line about it.
    pub summary: &'static str,
}

/// A log that is written while its match goes on.
pub trait LiveExport: Send {
    /// Writes what the recording, which has only grown, has got since the last time; at first the beginning, too, and
    /// with the last turn the end.
    fn write(&mut self, so_far: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError>;
}

/// A contest's own log of a finished match: moments to look at, without the rules that led from one to the next.
///
/// Moment 0 is the beginning; moment `turn` is what came of that turn.
pub trait Log: Send + Sync {
    /// How many players there are.
    fn seats(&self) -> u8;
    /// How many turns there are.
    fn turns(&self) -> u32;
    /// Who took this turn, where the log tells.
    fn mover(&self, turn: u32) -> Option<Seat>;
    /// The round of this moment, as [`crate::game::State::rounds`] counts.
    fn round(&self, turn: u32) -> u32;
    /// The frame of this moment, as one JSON object.
    fn frame(&self, turn: u32) -> Value;
    /// See [`crate::game::View::count`]; everything is known.
    fn count(&self, turn: u32, seat: Seat, counter: usize) -> Option<u64>;
}

/// A configuration file of a contest, with a way to look at the files beside it.
#[derive(Clone, Copy)]
pub struct ConfigFile<'a> {
    /// Its text.
    pub text: &'a str,
    /// The text of the file of this name in the same folder, if there is one.
    pub beside: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> ConfigFile<'a> {
    /// A file with nothing beside it.
    pub fn alone(text: &'a str) -> ConfigFile<'a> {
        ConfigFile { text, beside: &|_| None }
    }

    /// What it begins with, up to white space or a comma.
    pub fn first_word(&self) -> &'a str {
        let text = self.text.trim_start_matches('\u{feff}').trim_start();
        text.split(|c: char| c == ',' || c.is_whitespace()).next().unwrap_or_default()
    }
}

/// What a contest's own configuration file asks for.
#[derive(Clone, Debug)]
pub enum LegacyConfig {
    /// One match, with the bots that the configuration names.
    Run(LegacyRun),
    /// A whole tournament.
    Tournament(LegacyTournament),
}

/// One match, as a contest's own configuration file describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LegacyRun {
    /// The map file; without one the game's default map is played.
    pub map: Option<String>,
    /// By seat.
    pub bots: Vec<LegacyBot>,
    /// Settings that differ from the defaults.
    pub settings: Vec<(String, String)>,
    /// Whether paths are relative to the configuration file; otherwise they are to the current folder.
    pub beside_config: bool,
    /// A line is printed every so many rounds.
    pub line_every: Option<u32>,
    /// Whether the contest's own program showed the match without being asked.
    pub shown: bool,
    /// The least time between two rounds of a match that somebody looks at.
    pub pace: Option<Duration>,
    /// Where its recording goes, unless somewhere else is asked for.
    pub recording: Option<String>,
    /// The folder that programs are started in, made anew if it is not there.
    pub work_dir: Option<String>,
    /// Logs to write while the match goes on.
    pub live_logs: Vec<LegacyLiveLog>,
    /// Files to write when the match is over.
    pub outputs: Vec<LegacyOutput>,
}

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LegacyBot {
    /// A built-in player's name.
    BuiltIn(String),
    /// The path of a program or source file.
    Program(String),
}

/// A log to write while a match goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegacyLiveLog {
    /// The file to write.
    pub path: String,
    /// In this export format, which must be one that can be written so.
    pub format: &'static str,
}

/// A file to write when a match is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegacyOutput {
    /// The file to write.
    pub path: String,
    /// What is written into it.
    pub content: LegacyContent,
}

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LegacyContent {
    /// The match in this export format.
    Export(&'static str),
    /// Always the same.
    Text(&'static str),
    /// What the bot on this seat wrote to its standard error.
    Stderr(Seat),
}

/// A tournament as a contest's own configuration file describes it, planned out match by match.
#[derive(Clone, Debug)]
pub struct LegacyTournament {
    /// Every match, in order. One whose `scores` file tells a result is not played again.
    pub games: Vec<LegacyGame>,
    /// The names of the players, by number.
    pub players: Vec<String>,
    /// Where the table of results goes.
    pub result_file: String,
    /// Whether the text of a match's `scores` file tells its result.
    pub tells_result: fn(&PlayedGame) -> bool,
    /// Writes the table of results from the players' names, and the matches.
    pub table: fn(&[String], &[PlayedGame]) -> Result<String, SetupError>,
}

/// One match of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegacyGame {
    /// Who plays on what, and which files it writes.
    pub run: LegacyRun,
    /// The player on each seat, by number from 0.
    pub players: Vec<usize>,
    /// The file among the match's outputs that tells its result.
    pub scores: String,
    /// Decides what is left to chance in it.
    pub seed: u64,
}

/// A finished match of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// The player on each seat, by number from 0.
    pub players: Vec<usize>,
    /// The text of its `scores` file.
    pub scores: String,
}
