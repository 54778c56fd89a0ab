//! The part of the Python package `palestra` that is written in Rust: `palestra._core`. What people use, and its
//! documentation, is in the Python files beside it.

mod batch;
mod buffers;
mod field;
mod limits;
mod lineup;
mod page;
mod play;
mod reader;
mod replay;
mod resident;

use palestra_core::AnyGame;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The page of a tournament's report, without the tournament; empty if there was none when this was built.
const REPORT_PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/report.html"));

/// The page of a replay, without the replay; empty if there was none.
const REPLAY_PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/replay.html"));

/// The game of this name.
fn game(name: &str) -> PyResult<&'static dyn AnyGame> {
    palestra_games::find(name).map_err(value_error)
}

/// Something that was asked for and cannot be had.
fn value_error(what: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(what.to_string())
}

/// What one thread at a time may change, in an object that Python may hand to any thread. Python's own check of who has an
/// object keeps the others away, so nothing is ever locked.
struct Alone<T>(Mutex<T>);

impl<T> Alone<T> {
    fn new(what: T) -> Alone<T> {
        Alone(Mutex::new(what))
    }

    fn get(&mut self) -> &mut T {
        // A panic is told to whoever caused it; there is no other user to protect from it.
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What there is to know of every game, as JSON.
#[pyfunction]
fn games() -> String {
    let list = palestra_games::GAMES.iter().map(|game| {
        let info = game.info();
        let named =
            |built_in: &palestra_core::BuiltInDoc| serde_json::json!([built_in.name, built_in.summary]);
        serde_json::json!({
            "id": info.id,
            "title": info.title,
            "summary": info.summary,
            "rules_version": info.rules_version,
            "min_seats": info.min_seats,
            "max_seats": info.max_seats,
            "map_arguments": game.map_arguments(),
            "maps": game.maps().iter().map(|map| map.name).collect::<Vec<_>>(),
            "built_ins": game.built_ins().iter().map(named).collect::<Vec<_>>(),
            "settings": game.settings(),
        })
    });
    serde_json::Value::Array(list.collect()).to_string()
}

/// The text of a map that ships with a game.
#[pyfunction]
fn map_text(game: &str, name: &str) -> PyResult<&'static str> {
    let maps = self::game(game)?.maps();
    maps.iter().find(|map| map.name == name).map(|map| map.text).ok_or_else(|| {
        let names: Vec<&str> = maps.iter().map(|map| map.name).collect();
        value_error(format!("{game} has no map {name}; it has {}", names.join(", ")))
    })
}

/// The text of a new map.
#[pyfunction]
fn generate_map(
    game: &str,
    settings: Vec<(String, String)>,
    numbers: Vec<u32>,
    seed: u64,
) -> PyResult<String> {
    self::game(game)?.generate(&settings, &numbers, seed).map_err(value_error)
}

/// Becomes a cell of the sandbox: what a process is started for that has nothing else to do. Never returns.
#[pyfunction]
#[pyo3(signature = (word))]
fn cell(word: Option<std::ffi::OsString>) {
    palestra_runner::sandbox::cell(word)
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("REPLAY_PAGE", REPLAY_PAGE)?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<replay::Replay>()?;
    module.add_class::<replay::Cursor>()?;
    module.add_class::<resident::Asked>()?;
    module.add_class::<reader::Reader>()?;
    module.add_function(wrap_pyfunction!(play::play, module)?)?;
    module.add_function(wrap_pyfunction!(field::duel, module)?)?;
    module.add_function(wrap_pyfunction!(field::tournament, module)?)?;
    module.add_function(wrap_pyfunction!(field::tournament_replay, module)?)?;
    module.add_function(wrap_pyfunction!(cell, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(map_text, module)?)?;
    module.add_function(wrap_pyfunction!(generate_map, module)?)
}
