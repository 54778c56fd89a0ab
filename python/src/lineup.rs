//! Who plays: built-in players and programs by name, functions of Python; and how they are kept from doing harm.

use crate::resident::{Function, Mistakes};
use crate::{limits, value_error};
use palestra_core::{AnyGame, TimeControl};
use palestra_runner::{Asked, Bot, Cores, Guard, Interrupt, Link, Workshop};
use pyo3::prelude::*;
use std::sync::{Arc, Once, mpsc};
use std::thread;

/// What somebody who plays is: a name, or a function.
#[derive(FromPyObject)]
pub(crate) enum Player {
    Named(String),
    Function(Py<PyAny>),
}

/// Limits that all programs have: the level, the most memory in bytes, and the most processes.
#[derive(FromPyObject)]
pub(crate) struct GuardRequest(String, Option<u64>, Option<u32>);

impl GuardRequest {
    pub(crate) fn guard(&self, py: Python<'_>) -> PyResult<Guard> {
        begin_cells_with_python(py)?;
        static ORPHANS: Once = Once::new();
        // Whoever is about to play does so without the bots of somebody who was killed.
        ORPHANS.call_once(|| {
            palestra_runner::end_orphans();
        });
        let GuardRequest(level, memory_bytes, processes) = self;
        let asked = Asked { memory_bytes: *memory_bytes, processes: *processes };
        Guard::with(level.parse().map_err(value_error)?, asked).map_err(value_error)
    }
}

/// Cells are processes of this library, which Python loads: it alone, without what is installed beside it.
fn begin_cells_with_python(py: Python<'_>) -> PyResult<()> {
    const LOAD: &str = "\
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
loader = ExtensionFileLoader('palestra._core', sys.argv[1])
core = module_from_spec(spec_from_file_location('palestra._core', sys.argv[1], loader=loader))
loader.exec_module(core)
core.cell(sys.argv[2] if len(sys.argv) > 2 else None)";
    let python: Option<String> = py.import("sys")?.getattr("executable")?.extract()?;
    let library: String = py.import("palestra._core")?.getattr("__file__")?.extract()?;
    if let Some(python) = python.filter(|python| !python.is_empty()) {
        let command = [python, "-I".to_owned(), "-S".to_owned(), "-c".to_owned(), LOAD.to_owned(), library];
        palestra_runner::sandbox::begin_cells_with(command.map(Into::into).to_vec());
    }
    Ok(())
}

/// Makes everybody ready, compiling what has to be.
pub(crate) fn bots(
    py: Python<'_>,
    game: &'static dyn AnyGame,
    players: Vec<(String, Player)>,
    guard: &Guard,
    mistakes: &Mistakes,
) -> PyResult<Vec<Bot>> {
    let ready = |(name, player): (String, Player)| match player {
        Player::Function(function) => {
            Ok(Bot::here(name, Arc::new(Function::new(game, function, mistakes.clone()))))
        }
        Player::Named(source) => {
            let bot = py.detach(|| {
                let mut remark = |sentence: &str| tell(sentence, mistakes);
                Workshop::open(guard)?.bot(game, &source, &mut remark)
            });
            bot.map_err(value_error)
        }
    };
    players.into_iter().map(ready).collect()
}

/// Something that may take a while, for whoever keeps a log.
fn tell(sentence: &str, mistakes: &Mistakes) {
    let told = Python::attach(|py| {
        let log = py.import("logging")?.call_method1("getLogger", ("palestra",))?;
        log.call_method1("info", (sentence,)).map(|_| ())
    });
    if let Err(error) = told {
        mistakes.add(error);
    }
}

/// Whether somebody is played from Python.
pub(crate) fn has_functions(bots: &[Bot]) -> bool {
    bots.iter().any(|bot| matches!(bot.link, Link::Here(_)))
}

/// The time control: as it was asked for; otherwise the game's own where programs play, which is what an arena has.
pub(crate) fn time(asked: Option<&str>, game: &dyn AnyGame, bots: &[Bot]) -> PyResult<TimeControl> {
    match asked {
        Some(text) => text.parse().map_err(value_error),
        None if bots.iter().any(|bot| matches!(bot.link, Link::Program(_))) => Ok(game.info().time),
        None => Ok(TimeControl::Unlimited),
    }
}

/// The cores of a match. Whatever functions start, such as threads that multiply matrices, would be bound with it.
pub(crate) fn cores(bots: &[Bot]) -> Cores {
    if has_functions(bots) { Cores::Any } else { Cores::Shared }
}

/// Works on another thread, while this one lets signals of Python raise the interrupt.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    mistakes: &Mistakes,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (over, waits) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped at the end, whatever happens.
                let _over = over;
                work()
            });
            while waits.recv_timeout(limits::SIGNALS_EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    mistakes.add(signal);
                    interrupt.raise();
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    });
    mistakes.raise()?;
    Ok(done)
}
