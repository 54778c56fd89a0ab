//! What a game is. A game's own crate implements [`Game`] and [`Protocol`]; everything else in Palestra works
//! through them and knows no game by name.

use crate::clock::TimeControl;
use crate::digest::Digest;
use crate::fault::Fault;
use crate::inbox::{Progress, Unit};
use crate::legacy::{ConfigFile, Export, LegacyConfig, LiveExport, Log, TestCase};
use crate::notes::Notes;
use crate::outcome::Outcome;
use crate::replay::{Recording, ReplayError};
use crate::rng::Rng;
use crate::seat::{Eye, Seat};
use crate::settings::Settings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io;

/// The rules of one game: pure, exact, and typed.
///
/// The same settings, setup, seed and inputs give the same course on every machine. Rules never see a clock, a
/// file, a process or a text; a bot's crash or lateness reaches them as an [`Input::Fault`].
pub trait Game: Sized + Send + Sync + 'static {
    /// Name, size and version.
    const INFO: Info;
    /// Players that run inside this process.
    const BUILT_INS: &'static [BuiltIn<Self>];
    /// Maps that ship with the game.
    const MAPS: &'static [SampleMap];
    /// The numbers the map generator asks for, by name: `["rows", "columns", "players"]`.
    const MAP_ARGUMENTS: &'static [&'static str];
    /// What is counted of every player, for lists and for charts over time.
    const COUNTERS: &'static [Counter];

    /// Every constant of the rules.
    type Settings: Settings;
    /// Where the game begins: the map.
    type Setup: Clone + Send + Sync + 'static;
    /// A moment of the game.
    type State: Clone + Send + 'static;
    /// What a player can answer. Kept and filled again turn by turn, so that answering need not allocate.
    type Action: Clone + Default + PartialEq + Debug + Serialize + DeserializeOwned + Send + 'static;
    /// All that one pair of eyes may know: a borrow of the state with the fog in front.
    type View<'a>: Copy;
    /// What is drawn of one moment.
    type Frame: Serialize;

    /// Reads a map file.
    fn read_setup(settings: &Self::Settings, text: &str) -> Result<Self::Setup, SetupError>;
    /// Writes the map file that [`Game::read_setup`] reads back to the same setup.
    fn write_setup(setup: &Self::Setup) -> String;
    /// Makes a map from the numbers named by [`Game::MAP_ARGUMENTS`].
    fn generate(settings: &Self::Settings, numbers: &[u32], seed: u64) -> Result<Self::Setup, SetupError>;
    /// The map of a match for which none was given.
    fn default_setup(settings: &Self::Settings, players: u8, seed: u64) -> Result<Self::Setup, SetupError>;
    /// How many players a map has.
    fn seats(setup: &Self::Setup) -> u8;

    /// The first moment.
    fn start(settings: &Self::Settings, setup: &Self::Setup, seed: u64) -> Result<Self::State, SetupError>;
    /// Takes out, before the first turn, the players of these seats, of which there is at least one: they could not be
    /// started. They have fallen together.
    fn withdraw(state: &mut Self::State, absent: &[Seat]);
    /// Tells the game what its players are called, for protocols that say so: a built-in player by its name, everybody
    /// else by a number. The rules do not depend on it.
    fn introduce(_state: &mut Self::State, _labels: &[String]) {}
    /// Whose turn it is; `None` when the game is over.
    fn to_move(state: &Self::State) -> Option<Seat>;
    /// Whether this seat may still be asked: false for who is out, and for everybody when the game is over.
    fn plays(state: &Self::State, seat: Seat) -> bool;
    /// Carries out the turn of `seat`, which is the one to move, and goes on to the next one.
    fn apply(state: &mut Self::State, seat: Seat, input: Input<'_, Self::Action>, notes: &mut Notes);
    /// How it ended, once nobody is to move.
    fn outcome(state: &Self::State) -> Option<Outcome>;
    /// The number of rounds so far, the running one included as soon as somebody has moved in it.
    fn rounds(state: &Self::State) -> u32;
    /// What these eyes see. The only place that hides things.
    fn view(state: &Self::State, eye: Eye) -> Self::View<'_>;
    /// What is drawn for these eyes.
    fn frame(view: Self::View<'_>) -> Self::Frame;
    /// The number of this counter (its place in [`Game::COUNTERS`]) for a seat; `None` if these eyes cannot know it.
    /// The frame has the same number under the counter's key.
    fn count(view: Self::View<'_>, seat: Seat, counter: usize) -> Option<u64>;
    /// Adds the whole state to a fingerprint.
    fn digest(state: &Self::State, digest: &mut Digest);

    /// Changes something that `seat` cannot know and returns true; false if nothing is hidden from it.
    /// For tests: whatever this does must not change a byte of what the seat is sent.
    fn disturb_hidden(state: &mut Self::State, seat: Seat, rng: &mut Rng) -> bool;
}

/// How bots speak with the game. Sees views, never states, so it cannot tell what a seat may not know.
pub trait Protocol: Game {
    /// The contest's own log formats that a recording can be written as.
    const EXPORTS: &'static [Export];

    /// Short games that bring out the usual mistakes of a bot.
    const SITUATIONS: &'static [Situation];

    /// What answers are made of.
    const UNIT: Unit;

    /// What a bot is told once, at the start.
    fn hello(view: Self::View<'_>, out: &mut Vec<u8>);
    /// What a bot is told when it is to move.
    fn ask(view: Self::View<'_>, out: &mut Vec<u8>);
    /// Reads an answer. `bytes` is everything the bot has written and nobody has read yet.
    ///
    /// While the answer is not complete it is asked again with more bytes, and with the progress and the action as it has
    /// left them; both begin anew with the next answer. Whoever reads many lines goes on from there, so that an answer
    /// in many pieces is no more work.
    fn parse(
        view: Self::View<'_>,
        bytes: &[u8],
        progress: &mut Progress,
        action: &mut Self::Action,
    ) -> Parsed;
    /// Writes an answer as a bot would.
    fn write_answer(action: &Self::Action, out: &mut Vec<u8>);
    /// The last words to a seat, once they are due: appended, and true. Asked after every turn until given.
    fn dismissal(view: Self::View<'_>, out: &mut Vec<u8>) -> bool;

    /// Names of configuration files to look for when a whole folder is given.
    const CONFIG_FILES: &'static [&'static str] = &[];

    /// Whether the contest's own configurations begin with this word, and no others do: a file that begins with it is
    /// this game's, whatever others make of its text.
    fn config_begins_with(_word: &str) -> bool {
        false
    }
    /// Reads the contest's own run configuration; `None` if the file is something else.
    fn read_config(config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>>;
    /// Reads a test of a test system: a map, and behind it one player name for each seat. Nothing is checked but
    /// where the map ends.
    fn read_test(text: &str) -> Result<TestCase, SetupError>;
    /// Writes a recording in one of the formats of [`Protocol::EXPORTS`].
    fn export(
        format: &str,
        recording: &Recording<'_, Self>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError>;

    /// A recording that has just begun, to be written in one of these formats while it grows; `None` for those that can
    /// only be written at the end.
    fn live_export(
        _format: &str,
        _recording: &Recording<'_, Self>,
    ) -> Result<Option<Box<dyn LiveExport>>, ReplayError> {
        Ok(None)
    }

    /// Reads a log that the contest's own tools wrote, to look at; `None` if the text is something else.
    fn read_log(_text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        None
    }
}

/// What reaches the rules in a turn.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a, A> {
    /// The player's answer, readable but perhaps not allowed.
    Answer(&'a A),
    /// No answer, and why.
    Fault(&'a Fault),
}

/// What reading an answer came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parsed {
    /// It may still become an answer.
    NeedMore,
    /// It is an answer, made of the first `used` bytes.
    Done {
        /// How many bytes belong to it; what follows belongs to the next one.
        used: usize,
    },
    /// It will never be one.
    Malformed {
        /// What is wrong, in a few words.
        why: String,
    },
}

/// What a game is called and how it is played.
#[derive(Debug)]
pub struct Info {
    /// The name on the command line.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Goes up whenever a change of the rules changes the course of a recorded game.
    pub rules_version: u32,
    /// The fewest players.
    pub min_seats: u8,
    /// The most players, with the default settings.
    pub max_seats: u8,
    /// The time control unless another is asked for.
    pub time: TimeControl,
    /// What spectators see and a seat does not.
    pub hides: Hides,
    /// What the game calls a round: "round", "step", "tick".
    pub round_word: &'static str,
    /// The rule book, in English: where another one says something else, this one is right.
    pub rule_book: &'static str,
    /// The rule book in other languages, by their codes: "ru".
    pub translations: &'static [(&'static str, &'static str)],
}

/// What a game hides from its players while it goes on, and for how long that is worth something to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hides {
    /// Nothing.
    Nothing,
    /// What is stale within moments: a choice, a counter.
    Choices,
    /// Parts of the board, in a fog. Much of it stays where it is.
    Board,
}

impl Info {
    /// The rule book in a language, or in English if it is not there; with the code of what it is in.
    pub fn rule_book_in(&self, language: &str) -> (&'static str, &'static str) {
        let translated = self.translations.iter().find(|(code, _)| *code == language);
        translated.copied().unwrap_or(("en", self.rule_book))
    }
}

/// Something that is counted of every player.
#[derive(Debug)]
pub struct Counter {
    /// Its key in the players of a frame: "army".
    pub key: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What has happened to a player whose number goes up, if that is worth a mark on the time line: "takes a city".
    pub gain: Option<&'static str>,
}

/// A map that ships with a game.
#[derive(Debug)]
pub struct SampleMap {
    /// Its name, for `--map`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A player that runs inside this process.
pub trait Bot<G: Game>: Send {
    /// Fills in the answer for this view; a fault gives up.
    fn act(&mut self, view: G::View<'_>, action: &mut G::Action) -> Result<(), Fault>;
}

/// A built-in player and how to make one.
#[derive(Debug)]
pub struct BuiltIn<G: Game> {
    /// Its name on the command line.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// One line about how it plays.
    pub summary: &'static str,
    /// Makes one; the error says what is wrong with the argument.
    pub make: MakeBot<G>,
}

/// Makes a built-in player, or says why it cannot.
pub type MakeBot<G> = fn(BotSeat<'_>) -> Result<Box<dyn Bot<G>>, String>;

/// What a built-in player is made from.
#[derive(Clone, Copy, Debug)]
pub struct BotSeat<'a> {
    /// Where it sits.
    pub seat: Seat,
    /// Its own seed, from the match seed.
    pub seed: u64,
    /// What was written after a colon behind its name: `disqualify:5`.
    pub argument: Option<&'a str>,
}

impl BotSeat<'_> {
    /// For players that take no argument.
    pub fn without_argument(&self) -> Result<(), String> {
        match self.argument {
            None => Ok(()),
            Some(argument) => Err(format!("it takes no argument, and got \"{argument}\"")),
        }
    }
}

/// A short game that a bot is tried in.
#[derive(Debug)]
pub struct Situation {
    /// What it is about.
    pub name: &'static str,
    /// The map, or `None` for the default one.
    pub map: Option<&'static str>,
    /// Settings that differ from the defaults.
    pub settings: &'static [(&'static str, &'static str)],
    /// Built-in players by seat; `None` is the bot's own seat.
    pub seats: &'static [Option<&'static str>],
}

impl Situation {
    /// Its settings as a match takes them.
    pub fn changes(&self) -> Vec<(String, String)> {
        self.settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }
}

/// Something that a match cannot begin with: a map, a setting, a request. One sentence: what, where, what to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

impl SetupError {
    /// The sentence.
    pub fn new(sentence: impl Into<String>) -> SetupError {
        SetupError(sentence.into())
    }
}
