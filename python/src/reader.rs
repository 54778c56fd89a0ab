//! What a bot is sent, for a policy that plays as a program.

use crate::replay::{Arrays, arrays};
use crate::{Alone, game, value_error};
use palestra_core::encoding::{self, Reading};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Reads what one bot is sent in a match; in a turn it is asked what an [`Asked`](crate::resident::Asked) is.
#[pyclass(module = "palestra._core")]
pub(crate) struct Reader(Alone<Box<dyn encoding::Reader>>);

#[pymethods]
impl Reader {
    #[new]
    fn new(game: &str, settings: Vec<(String, String)>) -> PyResult<Reader> {
        let reader = self::game(game)?.reader(&settings).map_err(value_error)?;
        Ok(Reader(Alone::new(reader)))
    }

    /// Takes more of what is sent; says whether it is to answer, or `None` if the game is over.
    fn read(&mut self, bytes: &[u8]) -> PyResult<Option<bool>> {
        match self.0.get().read(bytes) {
            Reading::More => Ok(Some(false)),
            Reading::Turn => Ok(Some(true)),
            Reading::Over => Ok(None),
            Reading::Foreign => Err(value_error("what was sent is not of this game")),
        }
    }

    /// Whose turn it is, counted from 0.
    fn seat(&mut self) -> usize {
        self.0.get().seat().index()
    }

    /// What observations and actions are, as JSON.
    fn space(&mut self) -> PyResult<String> {
        serde_json::to_string(self.0.get().space()).map_err(value_error)
    }

    /// What the seat sees in numbers, when it has said these actions in its turn.
    fn observe<'py>(&mut self, py: Python<'py>, said: Vec<u32>) -> Arrays<'py> {
        let reader = self.0.get();
        let mut page = reader.space().page();
        reader.observe(&said, &mut page.open());
        arrays(py, page)
    }

    /// Is told every answer, before more is read.
    fn answered(&mut self, text: &[u8]) {
        self.0.get().answered(text);
    }

    /// The text that says these actions; `None` if they are not exactly those of one turn.
    fn text<'py>(&mut self, py: Python<'py>, actions: Vec<u32>) -> Option<Bound<'py, PyBytes>> {
        let mut text = Vec::new();
        self.0.get().answer(&actions, &mut text).then(|| PyBytes::new(py, &text))
    }
}
