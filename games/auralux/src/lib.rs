//! Auralux: planets and fleets.
//!
//! Players send ships between planets, capture them, raise them and shoot each other off them. The rule book is
//! this crate's `README.md`. Nothing here is random but the map generator and one built-in player.

mod bots;
mod flights;
mod legacy;
mod map;
mod mapgen;
mod outcome;
mod protocol;
mod samples;
mod settings;
mod state;
mod view;

pub use flights::{Flights, Group};
pub use map::Map;
pub use settings::{Settings, TOP_LEVEL};
pub use state::{Launch, Order, Planet, Standing, State, bits};
pub use view::{Frame, GroupFrame, PlanetFrame, PlayerFrame, View};

use palestra_core::legacy::{ConfigFile, Export, LegacyConfig, Log, TestCase};
use palestra_core::replay::Recording;
use palestra_core::{
    BuiltIn, Counter, Digest, Eye, Game, Hides, Info, Input, Notes, Outcome, Parsed, Progress, Protocol,
    ReplayError, Rng, SampleMap, Seat, SetupError, Situation, TimeControl, Unit,
};
use std::io;
use std::time::Duration;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Auralux;

impl Game for Auralux {
    const INFO: Info = Info {
        id: "auralux",
        title: "Auralux",
        summary: "planets and fleets: capture, raise and storm planets with the ships they produce",
        rules_version: 1,
        min_seats: 2,
        max_seats: 4,
        time: TimeControl::Bank { start: Duration::from_secs(2), increment: Duration::from_millis(1) },
        hides: Hides::Nothing,
        round_word: "step",
        rule_book: include_str!("../README.md"),
        translations: &[("hu", include_str!("../README.hu.md")), ("ru", include_str!("../README.ru.md"))],
    };
    const BUILT_INS: &'static [BuiltIn<Auralux>] = bots::BUILT_INS;
    const MAPS: &'static [SampleMap] = samples::MAPS;
    const MAP_ARGUMENTS: &'static [&'static str] = &["planets", "players"];
    const COUNTERS: &'static [Counter] = view::COUNTERS;

    type Settings = Settings;
    type Setup = Map;
    type State = State;
    type Action = Vec<Order>;
    type View<'a> = View<'a>;
    type Frame = Frame;

    fn read_setup(settings: &Settings, text: &str) -> Result<Map, SetupError> {
        Map::read(settings, text)
    }

    fn write_setup(setup: &Map) -> String {
        setup.write()
    }

    fn generate(settings: &Settings, numbers: &[u32], seed: u64) -> Result<Map, SetupError> {
        mapgen::generate(settings, numbers, seed)
    }

    fn default_setup(settings: &Settings, players: u8, seed: u64) -> Result<Map, SetupError> {
        mapgen::default_map(settings, players, seed)
    }

    fn seats(setup: &Map) -> u8 {
        setup.players()
    }

    fn start(settings: &Settings, setup: &Map, _seed: u64) -> Result<State, SetupError> {
        Ok(State::new(settings, setup))
    }

    fn withdraw(state: &mut State, absent: &[Seat]) {
        state.withdraw(absent);
    }

    #[inline]
    fn to_move(state: &State) -> Option<Seat> {
        state.to_move()
    }

    fn plays(state: &State, seat: Seat) -> bool {
        state.to_move().is_some() && *state.standing(seat) == Standing::Alive
    }

    #[inline]
    fn apply(state: &mut State, seat: Seat, input: Input<'_, Vec<Order>>, notes: &mut Notes) {
        debug_assert_eq!(state.to_move(), Some(seat), "only the seat to move takes a turn");
        state.take_turn(input, notes, |_, _| {});
    }

    fn outcome(state: &State) -> Option<Outcome> {
        state.is_over().then(|| outcome::outcome(state))
    }

    fn rounds(state: &State) -> u32 {
        state.steps()
    }

    #[inline]
    fn view(state: &State, eye: Eye) -> View<'_> {
        View::new(state, eye)
    }

    fn frame(view: View<'_>) -> Frame {
        Frame::new(view)
    }

    fn count(view: View<'_>, seat: Seat, counter: usize) -> Option<u64> {
        view::count(view, seat, counter)
    }

    fn digest(state: &State, digest: &mut Digest) {
        state.digest(digest);
    }

    fn disturb_hidden(state: &mut State, seat: Seat, rng: &mut Rng) -> bool {
        view::disturb_hidden(state, seat, rng)
    }
}

impl Protocol for Auralux {
    const EXPORTS: &'static [Export] = legacy::EXPORTS;
    const SITUATIONS: &'static [Situation] = samples::SITUATIONS;
    const UNIT: Unit = Unit::Line;

    fn hello(view: View<'_>, out: &mut Vec<u8>) {
        protocol::hello(view, out);
    }

    fn ask(view: View<'_>, out: &mut Vec<u8>) {
        protocol::ask(view, out);
    }

    fn parse(view: View<'_>, bytes: &[u8], progress: &mut Progress, action: &mut Vec<Order>) -> Parsed {
        protocol::parse(view, bytes, progress, action)
    }

    fn write_answer(action: &Vec<Order>, out: &mut Vec<u8>) {
        protocol::write_answer(action, out);
    }

    fn dismissal(view: View<'_>, out: &mut Vec<u8>) -> bool {
        protocol::dismissal(view, out)
    }

    fn config_begins_with(word: &str) -> bool {
        legacy::config_begins_with(word)
    }

    fn read_config(config: &ConfigFile<'_>) -> Option<Result<LegacyConfig, SetupError>> {
        legacy::read_config(config)
    }

    fn read_test(text: &str) -> Result<TestCase, SetupError> {
        legacy::read_test(text)
    }

    fn export(
        format: &str,
        recording: &Recording<'_, Auralux>,
        out: &mut dyn io::Write,
    ) -> Result<(), ReplayError> {
        legacy::export(format, recording, out)
    }

    fn read_log(text: &str) -> Option<Result<Box<dyn Log>, SetupError>> {
        legacy::read_log(text)
    }
}
