//! What a game is. A game's own crate implements [`Game`] and, on its own types, [`Setup`], [`State`] and [`View`]: the
//! rules. [`Protocol`] is how bots speak with it, [`Legacy`](crate::legacy::Legacy) what its contest has left in files.
//! Everything else in Palestra works through them and knows no game by name.

use crate::clock::TimeControl;
use crate::digest::Digest;
use crate::fault::Fault;
use crate::folder::Folder;
use crate::inbox::{Progress, Unit};
use crate::message::Message;
use crate::notes::Notes;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::seat::{Eye, Seat};
use crate::settings::Settings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// One game: what it is called, what ships with it, and its rules. There is a whole one at the
/// [beginning](crate#a-whole-game) of this crate's documentation.
pub trait Game: Sized + Send + Sync + 'static {
    /// Name, size and version, and what is in its folder.
    const INFO: Info;
    /// Players that run inside this process.
    const BUILT_INS: &'static [BuiltIn<Self>];

    /// A moment of the game, and the rules; all other types follow from it.
    type State: State;

    /// Every message that its rules and its protocol can give, made with [`samples`](crate::message::samples): for tests,
    /// which see that there are words for it in every language.
    fn messages() -> Vec<Message>;
}

/// Every constant of a game's rules.
pub type SettingsOf<G> = <SetupOf<G> as Setup>::Settings;
/// Where a game begins.
pub type SetupOf<G> = <<G as Game>::State as State>::Setup;
/// What a player of a game can answer.
pub type ActionOf<G> = <<G as Game>::State as State>::Action;
/// What one pair of eyes may know of a moment of a game.
pub type ViewOf<'a, G> = <<G as Game>::State as State>::View<'a>;

/// Where a game begins: the map.
pub trait Setup: Clone + Send + Sync + 'static {
    /// The numbers that maps are made from, by name: `["rows", "columns", "players"]`.
    const ARGUMENTS: &'static [&'static str];

    /// The constants of the rules.
    type Settings: Settings;

    /// Reads a map file.
    fn read(settings: &Self::Settings, text: &str) -> Result<Self, SetupError>;
    /// Writes the map file that [`Setup::read`] reads back to the same setup.
    fn write(&self) -> String;
    /// Makes a map from the numbers named by [`Setup::ARGUMENTS`].
    fn generate(settings: &Self::Settings, numbers: &[u32], seed: u64) -> Result<Self, SetupError>;
    /// The map of a match for which none was given.
    fn default_for(settings: &Self::Settings, players: u8, seed: u64) -> Result<Self, SetupError>;
    /// How many players it has.
    fn seats(&self) -> u8;
}

/// A moment of a game, and the rules that lead to the next one: pure, exact, and typed.
///
/// The same settings, setup, seed and inputs give the same course on every machine. Rules never see a clock, a
/// file, a process or a text; a bot's crash or lateness reaches them as an [`Input::Fault`].
pub trait State: Clone + Send + 'static {
    /// Where the game begins.
    type Setup: Setup;
    /// What a player can answer. Kept and filled again turn by turn, so that answering need not allocate.
    type Action: Clone + Default + PartialEq + Debug + Serialize + DeserializeOwned + Send + 'static;
    /// All that one pair of eyes may know.
    type View<'a>: View<'a, State = Self>;

    /// The first moment.
    fn start(
        settings: &<Self::Setup as Setup>::Settings,
        setup: &Self::Setup,
        seed: u64,
    ) -> Result<Self, SetupError>;
    /// Takes out, before the first turn, the players of these seats, of which there is at least one: they could not be
    /// started. They have fallen together.
    fn withdraw(&mut self, absent: &[Seat]);
    /// Tells the game what its players are called, for protocols that say so: a built-in player by its name, everybody
    /// else by a number. The rules do not depend on it.
    fn introduce(&mut self, _labels: &[String]) {}
    /// Whose turn it is; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// Whether this seat may still be asked: false for who is out, and for everybody when the game is over. Unless a game says
    /// otherwise, nobody is out before that.
    fn plays(&self, _seat: Seat) -> bool {
        self.to_move().is_some()
    }
    /// Carries out the turn of `seat`, and goes on to the next one. It is the one to move, unless it leaves: then its input is a
    /// fault, and who is to move stays so as long as the game goes on.
    ///
    /// A player who is not to move can only fail: it has left the match, and is taken out at once. Whose turn it is stays
    /// as it was, unless that ends the game.
    fn apply(&mut self, seat: Seat, input: Input<'_, Self::Action>, notes: &mut Notes);
    /// How it ended, once nobody is to move.
    fn outcome(&self) -> Option<Outcome>;
    /// The number of rounds so far, the running one included as soon as somebody has moved in it.
    fn rounds(&self) -> u32;
    /// What these eyes see.
    #[inline]
    fn view(&self, eye: Eye) -> Self::View<'_> {
        View::new(self, eye)
    }
    /// Adds the whole state to a fingerprint; see [`Digest::former_sentence`] for games that are older than messages.
    fn digest(&self, digest: &mut Digest);

    /// Changes something that `seat` cannot know and returns true; false if nothing is hidden from it.
    /// For tests: whatever this does must not change a byte of what the seat is sent.
    fn disturb_hidden(&mut self, seat: Seat, rng: &mut Rng) -> bool;
}

/// All that one pair of eyes may know: a borrow of the state with the fog in front. The only place that hides things.
pub trait View<'a>: Copy {
    /// What is counted of every player, for lists and for charts over time.
    const COUNTERS: &'static [Counter];

    /// What is looked at.
    type State;
    /// What is drawn of one moment.
    type Frame: Serialize;

    /// What these eyes see of a state.
    fn new(state: &'a Self::State, eye: Eye) -> Self;
    /// What is drawn for these eyes.
    fn frame(self) -> Self::Frame;
    /// The number of this counter (its place in [`View::COUNTERS`]) for a seat; `None` if these eyes cannot know it.
    /// The frame has the same number under the counter's key.
    fn count(self, seat: Seat, counter: usize) -> Option<u64>;
}

/// How bots speak with the game. Sees views, never states, so it cannot tell what a seat may not know.
pub trait Protocol: Game {
    /// Short games that bring out the usual mistakes of a bot.
    const SITUATIONS: &'static [Situation];

    /// What answers are made of.
    const UNIT: Unit;

    /// What a bot is told once, at the start.
    fn hello(view: ViewOf<'_, Self>, out: &mut Vec<u8>);
    /// What a bot is told when it is to move.
    fn ask(view: ViewOf<'_, Self>, out: &mut Vec<u8>);
    /// Reads an answer. `bytes` is everything the bot has written and nobody has read yet.
    ///
    /// While the answer is not complete it is asked again with more bytes, and with the progress and the action as it has
    /// left them; both begin anew with the next answer. Whoever reads many lines goes on from there, so that an answer
    /// in many pieces is no more work.
    fn parse(
        view: ViewOf<'_, Self>,
        bytes: &[u8],
        progress: &mut Progress,
        action: &mut ActionOf<Self>,
    ) -> Parsed;
    /// Writes an answer as a bot would.
    fn write_answer(action: &ActionOf<Self>, out: &mut Vec<u8>);
    /// The last words to a seat, once they are due: appended, and true. Asked after every turn until given.
    fn dismissal(view: ViewOf<'_, Self>, out: &mut Vec<u8>) -> bool;
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
        /// Told to the bot's author with the fault.
        why: Message,
    },
}

impl Parsed {
    /// An answer that cannot be read, and why.
    pub fn malformed(why: impl Into<Message>) -> Parsed {
        Parsed::Malformed { why: why.into() }
    }
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
    /// What is in the game's folder.
    pub folder: Folder,
}

/// What a game hides from its players while it goes on, and for how long that is worth something to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hides {
    /// Everybody may see everything at once.
    Nothing,
    /// What is stale within moments: a choice, a counter.
    Choices,
    /// Parts of the board, in a fog. Much of it stays where it is.
    Board,
}

/// Something that is counted of every player.
#[derive(Debug)]
pub struct Counter {
    /// Its key in the players of a frame, and in the game's words, which say what people call it: "army".
    pub key: &'static str,
    /// Whether it is worth a mark on the time line that a player's number goes up: a city was taken.
    pub marked: bool,
}

/// A player that runs inside this process.
pub trait Bot<G: Game>: Send {
    /// Fills in the answer for this view; a fault gives up.
    fn act(&mut self, view: ViewOf<'_, G>, action: &mut ActionOf<G>) -> Result<(), Fault>;
}

/// A built-in player and how to make one.
#[derive(Debug)]
pub struct BuiltIn<G: Game> {
    /// Its name on the command line.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// Its rung on the game's sparring ladder, counted from 1 for the weakest: it clearly beats the one below. `None`
    /// stands beside the ladder.
    pub level: Option<u8>,
    /// One line about how it plays.
    pub summary: &'static str,
    /// Makes one; the error says what is wrong with the argument.
    pub make: MakeBot<G>,
}

/// The built-in player of this name, perhaps with an argument behind a colon: `disqualify:5`.
pub fn built_in<G: Game>(name: &str, seat: Seat, seed: u64) -> Result<Box<dyn Bot<G>>, SetupError> {
    let (base, argument) = match name.split_once(':') {
        Some((base, argument)) => (base, Some(argument)),
        None => (name, None),
    };
    let meant = |built_in: &&BuiltIn<G>| built_in.name == base || built_in.aliases.contains(&base);
    let Some(built_in) = G::BUILT_INS.iter().find(meant) else {
        let names: Vec<&str> = G::BUILT_INS.iter().map(|built_in| built_in.name).collect();
        return Err(SetupError::new(format!(
            "{} has no built-in player {base}; it has {}",
            G::INFO.id,
            names.join(", ")
        )));
    };
    (built_in.make)(BotSeat { seat, seed, argument })
        .map_err(|why| SetupError::new(format!("the built-in player {base} cannot play: {why}")))
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
    /// A player that takes no argument.
    pub fn plain<G: Game>(self, bot: impl Bot<G> + 'static) -> Result<Box<dyn Bot<G>>, String> {
        match self.argument {
            None => Ok(Box::new(bot)),
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
