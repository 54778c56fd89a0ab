//! Games without their types, for everything that only moves text: the runner, replays, the command line.
//!
//! A game is typed inside and erased exactly once, here.

use crate::digest::Digest;
use crate::fault::Fault;
use crate::folder::SampleMap;
use crate::game::{
    ActionOf, Bot, BuiltIn, Counter, Game, Info, Input, Parsed, Protocol, SettingsOf, Setup, SetupError,
    SetupOf, Situation, State, View, ViewOf, built_in,
};
use crate::inbox::{Progress, Unit};
use crate::legacy::{ClientLines, ConfigFile, Export, Legacy, LegacyConfig, LiveExport, Log, TestCase};
use crate::limits;
use crate::message::Message;
use crate::notes::Notes;
use crate::outcome::Outcome;
use crate::replay::{Recording, Replay, ReplayError};
use crate::rng::Rng;
use crate::seat::{Eye, Seat};
use crate::settings::{self, SettingDoc, Settings};
use std::io;

/// One game in progress, without its types.
pub trait Table: Send {
    /// How many seats it has.
    fn seats(&self) -> u8;
    /// See [`State::introduce`].
    fn introduce(&mut self, labels: &[String]);
    /// Whose turn it is; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// Whether this seat may still be asked.
    fn plays(&self, seat: Seat) -> bool;
    /// Rounds so far, the running one included as soon as somebody has moved in it.
    fn rounds(&self) -> u32;
    /// Appends what a bot is told once, at the start.
    fn hello(&self, seat: Seat, out: &mut Vec<u8>);
    /// Appends what a bot is told when it is to move.
    fn ask(&self, seat: Seat, out: &mut Vec<u8>);
    /// Appends the last words to a seat and says true, once they are due.
    fn dismissal(&self, seat: Seat, out: &mut Vec<u8>) -> bool;

    /// What answers are made of.
    fn unit(&self) -> Unit;
    /// Reads an answer and holds it, going on from this progress with what it holds.
    fn parse_on(&mut self, seat: Seat, bytes: &[u8], progress: &mut Progress) -> Parsed;
    /// Reads an answer from its beginning and holds it.
    fn parse(&mut self, seat: Seat, bytes: &[u8]) -> Parsed {
        self.parse_on(seat, bytes, &mut Progress::default())
    }
    /// Lets the built-in player of a seat answer, and holds that.
    fn think(&mut self, seat: Seat) -> Result<(), Fault>;
    /// Holds a recorded answer; says how many bytes it took, or `None` if it is none.
    fn recall(&mut self, recorded: &[u8]) -> Option<usize>;
    /// Appends the answer held, as a replay keeps it.
    fn record(&self, out: &mut Vec<u8>);
    /// Appends the answer held, as a bot writes it.
    fn write_answer(&self, out: &mut Vec<u8>);
    /// Whether the answer held is the same as this recorded one.
    fn holds(&self, recorded: &[u8]) -> bool;

    /// Carries out the answer held, as the `turn`-th turn of the match.
    fn apply(&mut self, seat: Seat, turn: u32);
    /// Carries out a turn without an answer, or takes out a player who has left while it was not to move.
    fn fault(&mut self, seat: Seat, turn: u32, fault: &Fault);

    /// Remarks so far.
    fn notes(&self) -> &Notes;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// The fingerprint of the state.
    fn digest(&self) -> [u8; 32] {
        self.digest_on(Digest::default())
    }
    /// The same, begun in another way.
    fn digest_on(&self, digest: Digest) -> [u8; 32];
    /// Appends what these eyes see, as one JSON object.
    fn frame(&self, eye: Eye, out: &mut Vec<u8>);
    /// See [`View::count`].
    fn count(&self, eye: Eye, seat: Seat, counter: usize) -> Option<u64>;
    /// A copy of the game as it stands, to go on from; without built-in players, and with no remarks yet.
    fn fork(&self) -> Box<dyn Table>;
    /// Puts a built-in player on a seat.
    fn seat_built_in(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), SetupError>;
    /// See [`State::disturb_hidden`].
    fn disturb_hidden(&mut self, seat: Seat, seed: u64) -> bool;
}

/// A game that can be played, without its types. Every [`Legacy`] is one.
pub trait AnyGame: Send + Sync {
    /// Name, size and version.
    fn info(&self) -> &'static Info;
    /// Every setting.
    fn settings(&self) -> Vec<SettingDoc>;
    /// Whether these changes of settings are possible.
    fn check_settings(&self, changes: &[(String, String)]) -> Result<(), SetupError>;
    /// Every built-in player: name, other names, summary.
    fn built_ins(&self) -> Vec<BuiltInDoc>;
    /// Maps that ship with it.
    fn maps(&self) -> &'static [SampleMap];
    /// The numbers the map generator asks for.
    fn map_arguments(&self) -> &'static [&'static str];
    /// What is counted of every player.
    fn counters(&self) -> &'static [Counter];
    /// Its log formats.
    fn exports(&self) -> &'static [Export];
    /// Makes a map file.
    fn generate(
        &self,
        changes: &[(String, String)],
        numbers: &[u32],
        seed: u64,
    ) -> Result<String, SetupError>;
    /// Settles everything that a match begins with.
    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, SetupError>;
    /// Sets the game up.
    fn open(&self, plan: &Plan) -> Result<Box<dyn Table>, SetupError>;
    /// See [`Legacy::CLIENT_LINES`].
    fn client_lines(&self) -> Option<&'static ClientLines>;
    /// Names of configuration files to look for when a whole folder is given.
    fn config_files(&self) -> &'static [&'static str];
    /// See [`Legacy::config_begins_with`].
    fn config_begins_with(&self, word: &str) -> bool;
    /// Reads a contest's own run configuration; `None` if the file is something else.
    fn read_config(&self, config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>>;
    /// Reads a test of a test system.
    fn read_test(&self, text: &str) -> Result<TestCase, SetupError>;
    /// Writes a replay in one of the game's log formats.
    fn export(&self, format: &str, replay: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError>;
    /// See [`Legacy::live_export`].
    fn live_export(&self, format: &str, start: &Replay) -> Result<Option<Box<dyn LiveExport>>, ReplayError>;
    /// Reads a log that the contest's own tools wrote; `None` if the text is something else.
    fn read_log(&self, text: &str) -> Option<Result<Box<dyn Log>, SetupError>>;
    /// Short games that bring out the usual mistakes of a bot.
    fn situations(&self) -> &'static [Situation];
    /// See [`Game::messages`].
    fn messages(&self) -> Vec<Message>;
}

/// What a match is asked to begin with.
#[derive(Clone, Debug)]
pub struct PlanRequest<'a> {
    /// Settings that differ from the defaults.
    pub changes: &'a [(String, String)],
    /// The map file's text, if one was given.
    pub map: Option<&'a str>,
    /// How many players there are.
    pub players: u8,
    /// Decides everything that is left to chance.
    pub seed: u64,
}

/// What a match begins with, settled and written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The settings, as JSON.
    pub settings: String,
    /// The map.
    pub setup: String,
    /// The seed.
    pub seed: u64,
    /// The number of seats.
    pub seats: u8,
    /// Seats whose players could not be started, and are out before the first turn; in order.
    pub absent: Vec<Seat>,
}

impl Plan {
    /// The first moment of a match with this plan, whose settings and setup have been read.
    pub(crate) fn start<G: Game>(
        &self,
        settings: &SettingsOf<G>,
        setup: &SetupOf<G>,
    ) -> Result<G::State, SetupError> {
        let mut state = G::State::start(settings, setup, self.seed)?;
        if !self.absent.is_empty() {
            state.withdraw(&self.absent);
        }
        Ok(state)
    }
}

/// A built-in player, for people.
#[derive(Clone, Copy, Debug)]
pub struct BuiltInDoc {
    /// Its name.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// One line about how it plays.
    pub summary: &'static str,
}

impl BuiltInDoc {
    /// Whether this name (perhaps with an argument behind a colon) means this player.
    pub fn answers_to(&self, name: &str) -> bool {
        let name = name.split(':').next().unwrap_or(name);
        self.name == name || self.aliases.contains(&name)
    }
}

impl<G: Legacy> AnyGame for G {
    fn info(&self) -> &'static Info {
        &G::INFO
    }

    fn settings(&self) -> Vec<SettingDoc> {
        SettingsOf::<G>::docs()
    }

    fn check_settings(&self, changes: &[(String, String)]) -> Result<(), SetupError> {
        settings::with_changes::<SettingsOf<G>>(changes).map(drop)
    }

    fn built_ins(&self) -> Vec<BuiltInDoc> {
        G::BUILT_INS.iter().map(built_in_doc).collect()
    }

    fn maps(&self) -> &'static [SampleMap] {
        G::INFO.folder.maps
    }

    fn map_arguments(&self) -> &'static [&'static str] {
        SetupOf::<G>::ARGUMENTS
    }

    fn counters(&self) -> &'static [Counter] {
        ViewOf::<G>::COUNTERS
    }

    fn exports(&self) -> &'static [Export] {
        G::EXPORTS
    }

    fn generate(
        &self,
        changes: &[(String, String)],
        numbers: &[u32],
        seed: u64,
    ) -> Result<String, SetupError> {
        if numbers.len() != SetupOf::<G>::ARGUMENTS.len() {
            return Err(SetupError::new(format!(
                "a map of {} is made from {} numbers ({}), and {} were given",
                G::INFO.id,
                SetupOf::<G>::ARGUMENTS.len(),
                SetupOf::<G>::ARGUMENTS.join(", "),
                numbers.len()
            )));
        }
        let settings = settings::with_changes::<SettingsOf<G>>(changes)?;
        Ok(SetupOf::<G>::generate(&settings, numbers, seed)?.write())
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<Plan, SetupError> {
        let settings = settings::with_changes::<SettingsOf<G>>(request.changes)?;
        let setup = match request.map {
            Some(text) => read_setup::<G>(&settings, text)?,
            None => SetupOf::<G>::default_for(&settings, request.players, request.seed)?,
        };
        Ok(Plan {
            settings: settings::to_json(&settings),
            setup: setup.write(),
            seed: request.seed,
            seats: setup.seats(),
            absent: Vec::new(),
        })
    }

    fn open(&self, plan: &Plan) -> Result<Box<dyn Table>, SetupError> {
        let settings = settings::from_json::<SettingsOf<G>>(&plan.settings)?;
        let setup = read_setup::<G>(&settings, &plan.setup)?;
        let seats = setup.seats();
        Ok(Box::new(TypedTable::<G> {
            state: plan.start::<G>(&settings, &setup)?,
            seats,
            held: ActionOf::<G>::default(),
            bots: no_bots(seats),
            notes: Notes::kept(),
        }))
    }

    fn client_lines(&self) -> Option<&'static ClientLines> {
        G::CLIENT_LINES
    }

    fn config_files(&self) -> &'static [&'static str] {
        G::CONFIG_FILES
    }

    fn config_begins_with(&self, word: &str) -> bool {
        G::config_begins_with(word)
    }

    fn read_config(&self, config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        G::read_config(config)
    }

    fn read_test(&self, text: &str) -> Result<TestCase, SetupError> {
        G::read_test(text)
    }

    fn export(&self, format: &str, replay: &Replay, out: &mut dyn io::Write) -> Result<(), ReplayError> {
        if !G::EXPORTS.iter().any(|export| export.name == format) {
            return Err(ReplayError::UnknownExport(format.to_owned()));
        }
        G::export(format, &recording::<G>(replay)?, out)
    }

    fn live_export(&self, format: &str, start: &Replay) -> Result<Option<Box<dyn LiveExport>>, ReplayError> {
        G::live_export(format, &recording::<G>(start)?)
    }

    fn read_log(&self, text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        G::read_log(text)
    }

    fn situations(&self) -> &'static [Situation] {
        G::SITUATIONS
    }

    fn messages(&self) -> Vec<Message> {
        G::messages()
    }
}

fn recording<G: Game>(replay: &Replay) -> Result<Recording<'_, G>, ReplayError> {
    let settings = settings::from_json::<SettingsOf<G>>(&replay.plan.settings)?;
    let setup = read_setup::<G>(&settings, &replay.plan.setup)?;
    Ok(Recording { settings, setup, replay })
}

fn read_setup<G: Game>(settings: &SettingsOf<G>, text: &str) -> Result<SetupOf<G>, SetupError> {
    if text.len() > limits::MAP_BYTES {
        return Err(SetupError::new(format!(
            "the map has {} bytes, and may have {} at most",
            text.len(),
            limits::MAP_BYTES
        )));
    }
    let setup = SetupOf::<G>::read(settings, text)?;
    let seats = usize::from(setup.seats());
    if seats > limits::SEATS {
        return Err(SetupError::new(format!(
            "the map has {seats} players, and may have {} at most",
            limits::SEATS
        )));
    }
    Ok(setup)
}

fn built_in_doc<G: Game>(built_in: &BuiltIn<G>) -> BuiltInDoc {
    BuiltInDoc { name: built_in.name, aliases: built_in.aliases, summary: built_in.summary }
}

fn no_bots<G: Game>(seats: u8) -> Vec<Option<Box<dyn Bot<G>>>> {
    (0..seats).map(|_| None).collect()
}

struct TypedTable<G: Protocol> {
    state: G::State,
    seats: u8,
    held: ActionOf<G>,
    bots: Vec<Option<Box<dyn Bot<G>>>>,
    notes: Notes,
}

impl<G: Protocol> TypedTable<G> {
    fn view(&self, seat: Seat) -> ViewOf<'_, G> {
        self.state.view(Eye::Seat(seat))
    }
}

impl<G: Protocol> Table for TypedTable<G> {
    fn seats(&self) -> u8 {
        self.seats
    }

    fn introduce(&mut self, labels: &[String]) {
        self.state.introduce(labels);
    }

    fn to_move(&self) -> Option<Seat> {
        self.state.to_move()
    }

    fn plays(&self, seat: Seat) -> bool {
        self.state.plays(seat)
    }

    fn rounds(&self) -> u32 {
        self.state.rounds()
    }

    fn hello(&self, seat: Seat, out: &mut Vec<u8>) {
        G::hello(self.view(seat), out);
    }

    fn ask(&self, seat: Seat, out: &mut Vec<u8>) {
        G::ask(self.view(seat), out);
    }

    fn dismissal(&self, seat: Seat, out: &mut Vec<u8>) -> bool {
        G::dismissal(self.view(seat), out)
    }

    fn unit(&self) -> Unit {
        G::UNIT
    }

    fn parse_on(&mut self, seat: Seat, bytes: &[u8], progress: &mut Progress) -> Parsed {
        G::parse(self.state.view(Eye::Seat(seat)), bytes, progress, &mut self.held)
    }

    fn think(&mut self, seat: Seat) -> Result<(), Fault> {
        let bot = self.bots[seat.index()].as_mut().expect("a built-in player sits here");
        bot.act(self.state.view(Eye::Seat(seat)), &mut self.held)
    }

    fn recall(&mut self, recorded: &[u8]) -> Option<usize> {
        let (action, rest) = postcard::take_from_bytes(recorded).ok()?;
        self.held = action;
        Some(recorded.len() - rest.len())
    }

    fn record(&self, out: &mut Vec<u8>) {
        let start = out.len();
        // Writing to memory cannot fail, and an action is plain data.
        postcard::to_io(&self.held, &mut *out).expect("an answer can be recorded");
        debug_assert!(out.len() > start, "an answer takes at least a byte");
    }

    fn write_answer(&self, out: &mut Vec<u8>) {
        G::write_answer(&self.held, out);
    }

    fn holds(&self, recorded: &[u8]) -> bool {
        postcard::from_bytes::<ActionOf<G>>(recorded).is_ok_and(|action| action == self.held)
    }

    fn apply(&mut self, seat: Seat, turn: u32) {
        self.notes.begin_turn(turn);
        self.state.apply(seat, Input::Answer(&self.held), &mut self.notes);
    }

    fn fault(&mut self, seat: Seat, turn: u32, fault: &Fault) {
        self.notes.begin_turn(turn);
        self.state.apply(seat, Input::Fault(fault), &mut self.notes);
    }

    fn notes(&self) -> &Notes {
        &self.notes
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    fn digest_on(&self, mut digest: Digest) -> [u8; 32] {
        self.state.digest(&mut digest);
        digest.finish()
    }

    fn frame(&self, eye: Eye, out: &mut Vec<u8>) {
        serde_json::to_writer(out, &self.state.view(eye).frame()).expect("a frame is plain data");
    }

    fn count(&self, eye: Eye, seat: Seat, counter: usize) -> Option<u64> {
        self.state.view(eye).count(seat, counter)
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(TypedTable::<G> {
            state: self.state.clone(),
            seats: self.seats,
            held: ActionOf::<G>::default(),
            bots: no_bots(self.seats),
            notes: Notes::kept(),
        })
    }

    fn seat_built_in(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), SetupError> {
        self.bots[seat.index()] = Some(built_in::<G>(name, seat, seed)?);
        Ok(())
    }

    fn disturb_hidden(&mut self, seat: Seat, seed: u64) -> bool {
        self.state.disturb_hidden(seat, &mut Rng::stream(seed, "disturb", 0))
    }
}
