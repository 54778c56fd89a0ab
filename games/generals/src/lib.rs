//! Generals: armies spread over a board in the fog, and whoever takes a capital takes everything.
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

pub use map::{Map, Site};
pub use protocol::{Action, Amount, Move};
pub use settings::Settings;
pub use state::{Kind, State};
pub use view::{Frame, FrameMove, FramePlayer, Seen, Totals, View};

use palestra_core::legacy::{ConfigFile, Export, LegacyConfig, Log, TestCase};
use palestra_core::replay::Recording;
use palestra_core::{
    BuiltIn, Counter, Digest, Eye, Game, Hides, Info, Input, Notes, Outcome, Parsed, Progress, Protocol,
    ReplayError, Rng, SampleMap, Seat, SetupError, Situation, TimeControl, Unit,
};
use std::io;
use std::time::Duration;

/// The game.
pub struct Generals;

impl Game for Generals {
    const INFO: Info = Info {
        id: "generals",
        title: "Generals",
        summary: "armies spread over a board in the fog; take the capital, take everything",
        rules_version: 1,
        min_seats: 2,
        max_seats: 16,
        time: TimeControl::Bank { start: Duration::from_secs(2), increment: Duration::from_millis(1) },
        hides: Hides::Board,
        round_word: "round",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
    };
    const BUILT_INS: &'static [BuiltIn<Generals>] = bots::ALL;
    const MAPS: &'static [SampleMap] = &[
        SampleMap { name: "tiny", text: include_str!("../maps/tiny.txt") },
        SampleMap { name: "corridor", text: include_str!("../maps/corridor.txt") },
        SampleMap { name: "duel", text: include_str!("../maps/duel.txt") },
        SampleMap { name: "plains", text: include_str!("../maps/plains.txt") },
        SampleMap { name: "trio", text: include_str!("../maps/trio.txt") },
        SampleMap { name: "quartet", text: include_str!("../maps/quartet.txt") },
        SampleMap { name: "crowd", text: include_str!("../maps/crowd.txt") },
    ];
    const MAP_ARGUMENTS: &'static [&'static str] = &["rows", "columns", "players"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Map;
    type State = State;
    type Action = Action;
    type View<'a> = View<'a>;
    type Frame = Frame;

    fn read_setup(settings: &Settings, text: &str) -> Result<Map, SetupError> {
        Map::read(settings, text)
    }

    fn write_setup(setup: &Map) -> String {
        setup.write()
    }

    fn generate(settings: &Settings, numbers: &[u32], seed: u64) -> Result<Map, SetupError> {
        let &[rows, columns, players] = numbers else {
            return Err(SetupError::new("a map is made from three numbers: rows, columns, players"));
        };
        mapgen::generate(settings, rows, columns, players, seed)
    }

    fn default_setup(settings: &Settings, players: u8, seed: u64) -> Result<Map, SetupError> {
        mapgen::generate(settings, settings.map_rows, settings.map_columns, u32::from(players), seed)
    }

    fn seats(setup: &Map) -> u8 {
        setup.players()
    }

    fn start(settings: &Settings, setup: &Map, _seed: u64) -> Result<State, SetupError> {
        State::start(settings, setup)
    }

    fn withdraw(state: &mut State, absent: &[Seat]) {
        state.withdraw(absent);
    }

    fn to_move(state: &State) -> Option<Seat> {
        state.to_move()
    }

    fn plays(state: &State, seat: Seat) -> bool {
        state.plays(seat)
    }

    fn apply(state: &mut State, seat: Seat, input: Input<'_, Action>, notes: &mut Notes) {
        state.apply(seat, input, notes);
    }

    fn outcome(state: &State) -> Option<Outcome> {
        outcome::outcome(state)
    }

    fn rounds(state: &State) -> u32 {
        state.rounds_begun()
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

impl Protocol for Generals {
    const EXPORTS: &'static [Export] = &[legacy::LOG];
    const SITUATIONS: &'static [Situation] = protocol::SITUATIONS;
    const UNIT: Unit = Unit::Word;

    fn hello(view: View<'_>, out: &mut Vec<u8>) {
        protocol::hello(view, out);
    }

    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        protocol::ask(view, out);
    }

    fn parse(_view: View<'_>, bytes: &[u8], _: &mut Progress, action: &mut Action) -> Parsed {
        protocol::parse(bytes, action)
    }

    fn write_answer(action: &Action, out: &mut Vec<u8>) {
        protocol::write_answer(action, out);
    }

    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        protocol::dismissal(view, out)
    }

    fn read_config(config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        legacy::read_config(config.text)
    }

    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        map::read_test(text)
    }

    fn export(
        format: &str,
        recording: &Recording<'_, Generals>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        if format == legacy::LOG.name {
            legacy::write_log(recording, out)
        } else {
            Err(ReplayError::UnknownExport(format.to_owned()))
        }
    }

    fn read_log(text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        legacy::read_log(text)
    }
}
