//! Recorded matches, and matches that are played turn by turn.

use crate::{Alone, game, value_error};
use numpy::PyArray1;
use palestra_core::encoding::{Page, Space};
use palestra_core::replay::Recorded;
use palestra_core::{AnyGame, Catalog, Cursor as CoreCursor, Eye, Replay as CoreReplay, Seat, SetupError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// The planes, counts, globals and mask of an observation, each as one row of numbers.
pub(crate) type Arrays<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<u8>>,
);

pub(crate) fn arrays(py: Python<'_>, page: Page) -> Arrays<'_> {
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

/// Those of the seat with this index, or a spectator's.
fn eye(seat: Option<usize>, seats: u8) -> PyResult<Eye> {
    seat.map_or(Ok(Eye::Spectator), |index| seat_at(index, seats).map(Eye::Seat))
}

/// What a seat saw in some turns, the numbers of these turns, and its actions where there are some.
type Seen<'py> = (Arrays<'py>, Vec<u32>, Vec<Option<Vec<u32>>>);

/// A recorded match; `palestra.Replay` is made of it.
#[pyclass(module = "palestra._core", frozen)]
pub(crate) struct Replay {
    game: &'static dyn AnyGame,
    replay: Arc<CoreReplay>,
    /// Whether actions say everything that the rules allow.
    exact: bool,
}

impl Replay {
    pub(crate) fn new(replay: CoreReplay) -> PyResult<Replay> {
        let game = game(&replay.head.game)?;
        Ok(Replay { game, replay: Arc::new(replay.renewed(game)), exact: false })
    }

    /// What observations and actions are.
    fn space_of_actions(&self) -> Result<Space, SetupError> {
        let plan = &self.replay.head.plan;
        if self.exact { self.game.exact_space(plan) } else { self.game.space(plan) }
    }

    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn seen(
        &self,
        seat: Seat,
        own: bool,
    ) -> Result<(Page, Vec<u32>, Vec<Option<Vec<u32>>>), palestra_core::ReplayError> {
        let space = self.space_of_actions()?;
        let mut cursor = CoreCursor::start(self.game, &self.replay)?;
        let (mut all, mut page) = (Page::default(), space.page());
        let (mut turns, mut actions) = (Vec::new(), Vec::new());
        while let Some(turn) = cursor.peek(&self.replay)? {
            if turn.seat == seat || !own {
                let answered = turn.seat == seat && matches!(turn.input, Recorded::Answer(_));
                turns.push(turn.number);
                actions.push(answered.then(|| cursor.state().encode_actions(&space, seat)).flatten());
                cursor.state().observe(&space, seat, &[], &mut page.open());
                all.planes.extend_from_slice(&page.planes);
                all.counts.extend_from_slice(&page.counts);
                all.globals.extend_from_slice(&page.globals);
                all.mask.extend_from_slice(&page.mask);
            }
            cursor.advance(&self.replay)?;
        }
        Ok((all, turns, actions))
    }

    pub(crate) fn read(file: &[u8]) -> PyResult<Replay> {
        Replay::new(CoreReplay::from_bytes(file).map_err(value_error)?)
    }
}

#[pymethods]
impl Replay {
    /// Out of the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, file: &[u8]) -> PyResult<Replay> {
        py.detach(|| Replay::read(file))
    }

    /// The same, with actions for everything that the rules allow.
    fn exactly(&self) -> Replay {
        Replay { replay: Arc::clone(&self.replay), exact: true, ..*self }
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.replay.to_bytes().map_err(value_error)?))
    }

    /// What it says beside its turns, as JSON.
    fn head(&self) -> String {
        let head = &self.replay.head;
        let english = Catalog::english(self.game.info());
        let placing = |placing: &palestra_core::Placing| {
            serde_json::json!({
                "place": placing.place,
                "score": placing.score.to_f64(),
                "fate": placing.fate.word(),
                "reason": english.say(&placing.reason),
            })
        };
        let fault = |(turn, fault): &(u32, palestra_core::Fault)| serde_json::json!({ "turn": turn, "kind": fault.kind(), "what": english.say(&fault.message()) });
        let stderr = |pieces: &Vec<(u32, Vec<u8>)>| {
            let bytes: Vec<u8> = pieces.iter().flat_map(|(_, piece)| piece).copied().collect();
            String::from_utf8_lossy(&bytes).into_owned()
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
            "time": head.time.to_string(),
            "faults": head.faults.iter().map(fault).collect::<Vec<_>>(),
            "stderr": head.stderr.iter().map(stderr).collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// What a page needs to show it through these eyes, as JSON.
    fn recording(&self, py: Python<'_>, seat: Option<usize>) -> PyResult<String> {
        let eye = eye(seat, self.replay.head.plan.seats)?;
        let made = py.detach(|| crate::page::recording(self.game, &self.replay, eye));
        Ok(made.map_err(value_error)?.to_string())
    }

    /// Plays it again and compares the end; says how many turns that were.
    fn verify(&self, py: Python<'_>) -> PyResult<u32> {
        py.detach(|| self.replay.verify(self.game)).map_err(value_error)
    }

    /// What observations and actions are, as JSON.
    fn space(&self) -> PyResult<String> {
        let space = self.space_of_actions().map_err(value_error)?;
        serde_json::to_string(&space).map_err(value_error)
    }

    /// What a seat saw, before each of its own turns or before every turn, one after the other; the numbers of these turns; and
    /// the actions of its own ones.
    fn observations<'py>(&self, py: Python<'py>, seat: usize, own: bool) -> PyResult<Seen<'py>> {
        let seat = seat_at(seat, self.replay.head.plan.seats)?;
        let (all, turns, actions) = py.detach(|| self.seen(seat, own)).map_err(value_error)?;
        Ok((arrays(py, all), turns, actions))
    }

    /// At its beginning.
    fn cursor(&self) -> PyResult<Cursor> {
        Ok(Cursor {
            cursor: Alone::new(CoreCursor::start(self.game, &self.replay).map_err(value_error)?),
            space: self.space_of_actions().map_err(value_error)?,
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
        let eye = eye(seat, self.cursor.get().state().seats())?;
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
