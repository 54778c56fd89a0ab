//! Rock Paper Scissor: two factories in opposite corners of an arena, and units that beat one another in a circle.
//!
//! The rule book is `README.md`. The rules are in [`state`], what a player may know of them in [`view`], the words
//! exchanged with bots in [`protocol`].

mod bots;
mod legacy;
mod map;
mod mapgen;
mod outcome;
pub mod protocol;
mod settings;
pub mod state;
pub mod view;

pub use map::Arena;
pub use protocol::{Action, Direction, Order};
pub use settings::Settings;
pub use state::{Kind, State};
pub use view::{
    Frame, FrameBase, FramePlayer, FrameProduction, FrameUnit, Owner, Seen, Soldier, Verdict, View,
};

use palestra_core::legacy::{ConfigFile, Export, LegacyConfig, TestCase};
use palestra_core::replay::Recording;
use palestra_core::{
    BuiltIn, Counter, Digest, Eye, Game, Hides, Info, Input, Notes, Outcome, Parsed, Progress, Protocol,
    ReplayError, Rng, SampleMap, Seat, SetupError, Situation, TimeControl, Unit,
};
use std::io;
use std::time::Duration;

/// The game.
pub struct Rps;

impl Game for Rps {
    const INFO: Info = Info {
        id: "rps",
        title: "Rock Paper Scissor",
        summary: "rocks, papers and scissors march through an arena; hold the enemy's factory",
        rules_version: 1,
        min_seats: mapgen::SEATS,
        max_seats: mapgen::SEATS,
        time: TimeControl::PerAnswer(Duration::from_millis(250)),
        hides: Hides::Choices,
        round_word: "tick",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
    };
    const BUILT_INS: &'static [BuiltIn<Rps>] = bots::ALL;
    const MAPS: &'static [SampleMap] = &[
        SampleMap { name: "standard", text: include_str!("../maps/standard.txt") },
        SampleMap { name: "tiny", text: include_str!("../maps/tiny.txt") },
        SampleMap { name: "small", text: include_str!("../maps/small.txt") },
        SampleMap { name: "large", text: include_str!("../maps/large.txt") },
    ];
    const MAP_ARGUMENTS: &'static [&'static str] = &["size"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Arena;
    type State = State;
    type Action = Action;
    type View<'a> = View<'a>;
    type Frame = Frame;

    fn read_setup(_settings: &Settings, text: &str) -> Result<Arena, SetupError> {
        Arena::read(text)
    }

    fn write_setup(setup: &Arena) -> String {
        setup.write()
    }

    fn generate(_settings: &Settings, numbers: &[u32], _seed: u64) -> Result<Arena, SetupError> {
        mapgen::generate(numbers)
    }

    fn default_setup(settings: &Settings, players: u8, _seed: u64) -> Result<Arena, SetupError> {
        mapgen::default_arena(settings, players)
    }

    fn seats(_setup: &Arena) -> u8 {
        mapgen::SEATS
    }

    fn start(settings: &Settings, setup: &Arena, _seed: u64) -> Result<State, SetupError> {
        Ok(State::start(settings, *setup))
    }

    fn withdraw(state: &mut State, absent: &[Seat]) {
        state.withdraw(absent);
    }

    fn introduce(state: &mut State, labels: &[String]) {
        state.introduce(labels);
    }

    fn to_move(state: &State) -> Option<Seat> {
        state.to_move()
    }

    fn plays(state: &State, _seat: Seat) -> bool {
        state.to_move().is_some()
    }

    fn apply(state: &mut State, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        state.apply(seat, input, notes);
    }

    fn outcome(state: &State) -> Option<Outcome> {
        outcome::outcome(state)
    }

    fn rounds(state: &State) -> u32 {
        state.ticks_played()
    }

    fn view(state: &State, eye: Eye) -> View<'_> {
        View::new(state, eye)
    }

    fn frame(view: View<'_>) -> Frame {
        view::frame(view)
    }

    fn count(view: View<'_>, seat: Seat, counter: usize) -> Option<u64> {
        view::count(view, seat, counter)
    }

    fn digest(state: &State, digest: &mut Digest) {
        state.digest(digest);
    }

    fn disturb_hidden(state: &mut State, seat: Seat, rng: &mut Rng) -> bool {
        state.disturb_hidden(seat, rng)
    }
}

impl Protocol for Rps {
    const EXPORTS: &'static [Export] = &[legacy::PACKETS];
    const SITUATIONS: &'static [Situation] = protocol::SITUATIONS;
    const UNIT: Unit = Unit::Line;

    /// Nothing: the first packet says it all.
    fn hello(_view: View<'_>, _out: &mut Vec<u8>) {}

    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        protocol::packet(view, out);
    }

    fn parse(_view: View<'_>, bytes: &[u8], progress: &mut Progress, action: &mut Action) -> Parsed {
        protocol::parse(bytes, progress, action)
    }

    fn write_answer(action: &Action, out: &mut Vec<u8>) {
        protocol::write_answer(action, out);
    }

    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        protocol::dismissal(view, out)
    }

    fn read_config(_config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        None
    }

    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        map::read_test(text)
    }

    fn export(
        format: &str,
        recording: &Recording<'_, Rps>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        if format == legacy::PACKETS.name {
            legacy::write_packets(recording, out)
        } else {
            Err(ReplayError::UnknownExport(format.to_owned()))
        }
    }
}
