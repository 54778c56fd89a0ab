//! Recorded matches, and matches that are played turn by turn.

use crate::{Alone, game, value_error};
use numpy::PyArray1;
use palestra_core::encoding::{Page, Space};
use palestra_core::replay::Recorded;
use palestra_core::{
    AnyGame, Cursor as CoreCursor, Entrant, Eye, Heard, Match as CoreMatch, Next, PlanRequest,
    Replay as CoreReplay, Seat, Spent, TimeControl, limits,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// The planes, counts, globals and mask of an observation, each as one row of numbers.
type Arrays<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<u8>>,
);

fn arrays(py: Python<'_>, page: Page) -> Arrays<'_> {
    (
        PyArray1::from_vec(py, page.planes),
        PyArray1::from_vec(py, page.counts),
        PyArray1::from_vec(py, page.globals),
        PyArray1::from_vec(py, page.mask),
    )
}

/// The seat with this index, counted from 0, of a match of so many.
fn seat_at(index: usize, seats: u8) -> PyResult<Seat> {
    if index < usize::from(seats) {
        return Ok(Seat::at(index));
    }
    Err(value_error(format!("there is no seat {index}; there are {seats}, counted from 0")))
}

/// A recorded match; `palestra.Replay` is made of it.
#[pyclass(module = "palestra._core", frozen)]
pub(crate) struct Replay {
    game: &'static dyn AnyGame,
    replay: Arc<CoreReplay>,
}

impl Replay {
    fn new(replay: CoreReplay) -> PyResult<Replay> {
        let game = game(&replay.head.game)?;
        Ok(Replay { game, replay: Arc::new(replay.renewed(game)) })
    }
}

#[pymethods]
impl Replay {
    /// Out of the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, file: &[u8]) -> PyResult<Replay> {
        Replay::new(py.detach(|| CoreReplay::from_bytes(file)).map_err(value_error)?)
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.replay.to_bytes().map_err(value_error)?))
    }

    /// What it says beside its turns, as JSON.
    fn head(&self) -> String {
        let head = &self.replay.head;
        let placing = |placing: &palestra_core::Placing| {
            serde_json::json!({
                "place": placing.place,
                "score": placing.score.to_f64(),
                "fate": placing.fate.word(),
                "reason": placing.reason.to_text(),
            })
        };
        serde_json::json!({
            "game": head.game,
            "rules_version": head.rules_version,
            "made_by": head.made_by,
            "seed": head.plan.seed,
            "seats": head.plan.seats,
            "settings": serde_json::from_str::<serde_json::Value>(&head.plan.settings).unwrap_or_default(),
            "map": head.plan.setup,
            "bots": head.bots,
            "turns": head.turns,
            "winner": head.outcome.winner.map(Seat::index),
            "placings": head.outcome.placings.iter().map(placing).collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// Plays it again and compares the end; says how many turns that were.
    fn verify(&self, py: Python<'_>) -> PyResult<u32> {
        py.detach(|| self.replay.verify(self.game)).map_err(value_error)
    }

    /// What observations and actions are, as JSON.
    fn space(&self) -> PyResult<String> {
        let space = self.game.space(&self.replay.head.plan).map_err(value_error)?;
        serde_json::to_string(&space).map_err(value_error)
    }

    /// At its beginning.
    fn cursor(&self) -> PyResult<Cursor> {
        Ok(Cursor {
            cursor: Alone::new(CoreCursor::start(self.game, &self.replay).map_err(value_error)?),
            space: self.game.space(&self.replay.head.plan).map_err(value_error)?,
            replay: Arc::clone(&self.replay),
        })
    }
}

/// Whose turn it is, its answer as text, and the actions that say the same.
type PeekedTurn<'py> = (usize, Option<Bound<'py, PyBytes>>, Option<Vec<u32>>);

/// A position between two turns of a replay.
#[pyclass(module = "palestra._core")]
pub(crate) struct Cursor {
    replay: Arc<CoreReplay>,
    cursor: Alone<CoreCursor>,
    space: Space,
}

#[pymethods]
impl Cursor {
    /// How many turns are behind it.
    fn turn(&mut self) -> u32 {
        self.cursor.get().turn()
    }

    /// The turn to come: whose it is, its answer as text, and the actions that say the same, where there are some. `None`
    /// behind the last one.
    fn peek<'py>(&mut self, py: Python<'py>) -> PyResult<Option<PeekedTurn<'py>>> {
        let Some(turn) = self.cursor.get().peek(&self.replay).map_err(value_error)? else {
            return Ok(None);
        };
        let Recorded::Answer(_) = turn.input else { return Ok(Some((turn.seat.index(), None, None))) };
        let mut text = Vec::new();
        self.cursor.get().state().write_answer(&mut text);
        let actions = self.cursor.get().state().encode_actions(&self.space, turn.seat);
        Ok(Some((turn.seat.index(), Some(PyBytes::new(py, &text)), actions)))
    }

    /// Plays one more turn; false behind the last one.
    fn advance(&mut self) -> PyResult<bool> {
        Ok(self.cursor.get().advance(&self.replay).map_err(value_error)?.is_some())
    }

    /// What is drawn for a seat, or for a spectator, as JSON.
    fn frame(&mut self, seat: Option<usize>) -> PyResult<String> {
        let eye = match seat {
            None => Eye::Spectator,
            Some(index) => Eye::Seat(seat_at(index, self.cursor.get().state().seats())?),
        };
        Ok(self.cursor.get().state().frame(eye).to_string())
    }

    /// What a seat sees in numbers.
    fn observe<'py>(&mut self, py: Python<'py>, seat: usize) -> PyResult<Arrays<'py>> {
        let seat = seat_at(seat, self.cursor.get().state().seats())?;
        let mut page = self.space.page();
        self.cursor.get().state().observe(&self.space, seat, &[], &mut page.open());
        Ok(arrays(py, page))
    }
}

/// A match in which some seats are played from Python.
#[pyclass(module = "palestra._core")]
pub(crate) struct Match {
    running: Alone<CoreMatch>,
    space: Space,
}

#[pymethods]
impl Match {
    /// Built-in players by seat, `None` for one that is played from here, and what all are called.
    #[new]
    fn new(
        game: &str,
        settings: Vec<(String, String)>,
        map: Option<String>,
        seed: u64,
        players: Vec<Option<String>>,
        names: Vec<String>,
    ) -> PyResult<Match> {
        let game = self::game(game)?;
        if !(1..=limits::SEATS).contains(&players.len()) || names.len() != players.len() {
            return Err(value_error(format!(
                "{} players were named, and there must be 1 to {}",
                players.len(),
                limits::SEATS
            )));
        }
        let request =
            PlanRequest { changes: &settings, map: map.as_deref(), players: players.len() as u8, seed };
        let plan = game.plan(&request).map_err(value_error)?;
        let space = game.space(&plan).map_err(value_error)?;
        let entrants: Vec<Entrant> = players
            .into_iter()
            .zip(names)
            .map(|(built_in, name)| built_in.map_or_else(|| Entrant::outside(name), Entrant::built_in))
            .collect();
        let running = CoreMatch::new(game, plan, &entrants, TimeControl::Unlimited).map_err(value_error)?;
        Ok(Match { running: Alone::new(running), space })
    }

    /// What observations and actions are, as JSON.
    fn space(&self) -> PyResult<String> {
        serde_json::to_string(&self.space).map_err(value_error)
    }

    /// Built-in players take their turns; then the seat that is asked, and what it is sent. `None` when it is over.
    fn next<'py>(&mut self, py: Python<'py>) -> Option<(usize, Bound<'py, PyBytes>)> {
        loop {
            match self.running.get().next() {
                Next::Over => return None,
                Next::Moved(_) => {}
                Next::Ask(seat, _) => {
                    let text = std::mem::take(self.running.get().outbox(seat));
                    return Some((seat.index(), PyBytes::new(py, &text)));
                }
            }
        }
    }

    /// What the seat that was asked sees in numbers, when it has said these actions in its turn.
    fn observe<'py>(&mut self, py: Python<'py>, seat: usize, said: Vec<u32>) -> PyResult<Arrays<'py>> {
        let seat = seat_at(seat, self.running.get().state().seats())?;
        let mut page = self.space.page();
        self.running.get().state().observe(&self.space, seat, &said, &mut page.open());
        Ok(arrays(py, page))
    }

    /// The text that says these actions; `None` if they are not exactly those of one turn.
    fn text<'py>(
        &mut self,
        py: Python<'py>,
        seat: usize,
        actions: Vec<u32>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let seat = seat_at(seat, self.running.get().state().seats())?;
        let mut state = self.running.get().state().fork();
        if !state.decode_actions(&self.space, seat, &actions) {
            return Ok(None);
        }
        let mut text = Vec::new();
        state.write_answer(&mut text);
        Ok(Some(PyBytes::new(py, &text)))
    }

    /// The answer of the seat that was asked, as text; false if it is not a whole one yet.
    fn answer(&mut self, seat: usize, text: &[u8]) -> PyResult<bool> {
        let seat = seat_at(seat, self.running.get().state().seats())?;
        if self.running.get().state().to_move() != Some(seat) {
            return Err(value_error(format!("seat {} was not asked", seat.index())));
        }
        Ok(self.running.get().receive(seat, text, Spent::NOTHING) == Heard::TurnOver)
    }

    /// The recording of a match that is over.
    fn finish(&mut self) -> PyResult<Replay> {
        let finished = self.running.get().finish(Vec::new());
        Replay::new(finished.ok_or_else(|| value_error("the match is not over"))?.1)
    }
}
