//! Functions of Python that play: residents of this program, who are handed the state of the game as their seat sees it.

use crate::replay::{Arrays, arrays};
use crate::{Alone, limits};
use palestra_core::encoding::Space;
use palestra_core::{AnyGame, AnyState, Heard, Match, Seat, Spent};
use palestra_runner::Resident;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What went wrong in functions of Python; the first is told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mistakes(Arc<Mutex<Option<PyErr>>>);

impl Mistakes {
    pub(crate) fn add(&self, error: PyErr) {
        lock(&self.0).get_or_insert(error);
    }

    /// Raises what went wrong, if something did.
    pub(crate) fn raise(&self) -> PyResult<()> {
        lock(&self.0).take().map_or(Ok(()), Err)
    }
}

/// A function that is called in every turn of its seats with an [`Asked`], the seat, and what a program would be sent; it gives
/// an answer as text.
pub(crate) struct Function {
    game: &'static dyn AnyGame,
    function: Py<PyAny>,
    mistakes: Mistakes,
    /// The spaces of the latest boards: every match may have another one.
    spaces: Mutex<Vec<Known>>,
}

#[derive(Clone)]
struct Known {
    settings: String,
    map: String,
    space: Arc<Space>,
    /// The same as JSON.
    text: Arc<str>,
}

impl Function {
    pub(crate) fn new(game: &'static dyn AnyGame, function: Py<PyAny>, mistakes: Mistakes) -> Function {
        Function { game, function, mistakes, spaces: Mutex::default() }
    }

    fn space(&self, game: &Match) -> PyResult<Known> {
        let plan = &game.recorded().head.plan;
        let mut spaces = lock(&self.spaces);
        let known = spaces.iter().find(|known| known.settings == plan.settings && known.map == plan.setup);
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let space = self.game.space(plan).map_err(crate::value_error)?;
        let text = serde_json::to_string(&space).map_err(crate::value_error)?.into();
        let (settings, map) = (plan.settings.clone(), plan.setup.clone());
        let known = Known { settings, map, space: Arc::new(space), text };
        spaces.truncate(limits::KNOWN_SPACES - 1);
        spaces.insert(0, known.clone());
        Ok(known)
    }

    fn answer(&self, game: &mut Match, seat: Seat) -> PyResult<()> {
        let text = std::mem::take(game.outbox(seat));
        let Known { space, text: space_text, .. } = self.space(game)?;
        let answer = Python::attach(|py| {
            let asked = Asked { state: Alone::new(game.state().fork()), seat, space, space_text };
            let answer = self.function.call1(py, (asked, seat.index(), PyBytes::new(py, &text)))?;
            answer.extract::<Vec<u8>>(py)
        })?;
        if game.receive(seat, &answer, Spent::NOTHING) == Heard::TurnOver {
            return Ok(());
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        Err(PyValueError::new_err(format!(
            "seat {} answered {answer:?}, which is not a whole answer",
            seat.index()
        )))
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Function").field(&self.function).finish()
    }
}

impl Resident for Function {
    fn take_turn(&self, game: &mut Match, seat: Seat) -> ControlFlow<()> {
        match self.answer(game, seat) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.mistakes.add(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// A turn of somebody who is played from Python.
#[pyclass(module = "palestra._core")]
pub(crate) struct Asked {
    state: Alone<Box<dyn AnyState>>,
    seat: Seat,
    space: Arc<Space>,
    space_text: Arc<str>,
}

#[pymethods]
impl Asked {
    /// What observations and actions are, as JSON.
    fn space(&self) -> &str {
        &self.space_text
    }

    /// What the seat sees in numbers, when it has said these actions in its turn.
    fn observe<'py>(&mut self, py: Python<'py>, said: Vec<u32>) -> Arrays<'py> {
        let mut page = self.space.page();
        self.state.get().observe(&self.space, self.seat, &said, &mut page.open());
        arrays(py, page)
    }

    /// The text that says these actions; `None` if they are not exactly those of one turn.
    fn text<'py>(&mut self, py: Python<'py>, actions: Vec<u32>) -> Option<Bound<'py, PyBytes>> {
        let mut state = self.state.get().fork();
        if !state.decode_actions(&self.space, self.seat, &actions) {
            return None;
        }
        let mut text = Vec::new();
        state.write_answer(&mut text);
        Some(PyBytes::new(py, &text))
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
