//! Environments side by side.

use crate::buffers::{Arrays, Buffers};
use crate::{Alone, game, value_error};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use palestra_core::batch::{Autoreset, Maps, ScenarioRequest};
use palestra_train::BatchError;
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;

/// Where episodes begin: numbers that maps are made from, or the texts of maps.
#[derive(FromPyObject)]
enum MapsArgument {
    Generated(Vec<u32>),
    Given(Vec<String>),
}

/// Environments that are moved together; `palestra.Batch` is made of it.
#[pyclass(module = "palestra._core")]
pub(crate) struct Batch {
    batch: Alone<palestra_train::Batch>,
    buffers: Option<Buffers>,
}

#[pymethods]
impl Batch {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "every one of them has a name where it is called")]
    fn new(
        py: Python<'_>,
        game: &str,
        envs: usize,
        players: u8,
        settings: Vec<(String, String)>,
        maps: Option<MapsArgument>,
        map_pool: Option<u32>,
        seed: u64,
        threads: usize,
        opponents: Vec<Option<String>>,
        per_seat: bool,
        exact: bool,
        autoreset: &str,
        max_steps: Option<u32>,
    ) -> PyResult<Batch> {
        let game = self::game(game)?;
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => {
                return Err(value_error(format!(
                    "there is no autoreset mode {other}; there are next_step, same_step and disabled"
                )));
            }
        };
        let request = ScenarioRequest {
            changes: &settings,
            maps: match &maps {
                None => Maps::Usual,
                Some(MapsArgument::Generated(numbers)) => Maps::Generated(numbers),
                Some(MapsArgument::Given(texts)) => Maps::Given(texts),
            },
            map_pool,
            players,
            opponents: &opponents,
            per_seat,
            exact,
            autoreset,
            max_steps,
        };
        let batch = py.detach(|| palestra_train::Batch::new(game.scenario(&request)?, envs, threads, seed));
        Ok(Batch { batch: Alone::new(batch.map_err(told)?), buffers: None })
    }

    /// What observations and actions are, as JSON.
    fn space(&mut self) -> PyResult<String> {
        serde_json::to_string(self.batch.get().space()).map_err(value_error)
    }

    /// Whether the player of this seat, counted from 0, learns.
    fn learns(&mut self, seat: usize) -> bool {
        self.batch.get().learns(seat)
    }

    /// Takes the arrays that everything is written to.
    fn bind(&mut self, arrays: Arrays<'_>) -> PyResult<()> {
        self.buffers = Some(Buffers::new(&arrays)?);
        Ok(())
    }

    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let Batch { batch, buffers } = self;
        let (batch, buffers) = (batch.get(), bound(buffers)?);
        py.detach(|| batch.reset(seed, buffers.open())).map_err(told)
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let Batch { batch, buffers } = self;
        let (batch, buffers, actions) =
            (batch.get(), bound(buffers)?, actions.as_slice().map_err(value_error)?);
        py.detach(|| batch.step(actions, buffers.open())).map_err(told)
    }

    fn sample(&mut self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let Batch { batch, buffers } = self;
        let (batch, buffers, actions) =
            (batch.get(), bound(buffers)?, actions.as_slice_mut().map_err(value_error)?);
        py.detach(|| batch.sample(buffers.masks(), actions)).map_err(told)
    }
}

fn bound(buffers: &mut Option<Buffers>) -> PyResult<&mut Buffers> {
    buffers.as_mut().ok_or_else(|| PyRuntimeError::new_err("the batch has no buffers; bind some first"))
}

/// An error of a batch as one of Python.
fn told(error: BatchError) -> PyErr {
    match error {
        BatchError::Action { .. } => PyIndexError::new_err(error.to_string()),
        BatchError::Threads(_) => PyRuntimeError::new_err(error.to_string()),
        BatchError::Setup(_) | BatchError::Count { .. } | BatchError::Buffer { .. } => value_error(error),
    }
}
