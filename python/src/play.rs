//! One match, through the runner that plays all of them.

use crate::lineup::{self, GuardRequest, Player};
use crate::replay::Replay;
use crate::resident::Mistakes;
use crate::{game, value_error};
use palestra_core::{PlanRequest, limits};
use palestra_runner::{Bot, Interrupt, MatchError, Options};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// Plays a match between these, each with the name that it goes by.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "every one of them has a name where it is called")]
pub(crate) fn play(
    py: Python<'_>,
    game: &str,
    settings: Vec<(String, String)>,
    map: Option<String>,
    seed: u64,
    players: Vec<(String, Player)>,
    time: Option<&str>,
    guard: GuardRequest,
) -> PyResult<Replay> {
    let game = self::game(game)?;
    if !(1..=limits::SEATS).contains(&players.len()) {
        return Err(value_error(format!(
            "{} players were named, and there must be 1 to {}",
            players.len(),
            limits::SEATS
        )));
    }
    let request = PlanRequest { changes: &settings, map: map.as_deref(), players: players.len() as u8, seed };
    let plan = game.plan(&request).map_err(value_error)?;
    let (guard, mistakes) = (guard.guard(py)?, Mistakes::default());
    let bots = lineup::bots(py, game, players, &guard, &mistakes)?;
    let (time, cores) = (lineup::time(time, game, &bots)?, lineup::cores(&bots));
    let (start, links) = Bot::seat(bots, game, plan, time).map_err(value_error)?;
    let interrupt = Interrupt::new()?;
    let options = Options { cores, interrupt: Some(&interrupt), guard: Some(&guard), ..Options::default() };
    let played = lineup::interruptible(py, &interrupt, &mistakes, || {
        palestra_runner::play(start, links, options, &mut ())
    })?;
    Replay::new(played.map_err(told)?.replay)
}

fn told(error: MatchError) -> PyErr {
    match error {
        MatchError::Setup(_) | MatchError::Cores(_) => value_error(error),
        MatchError::Start { .. } => PyOSError::new_err(error.to_string()),
        MatchError::Interrupted => PyRuntimeError::new_err(error.to_string()),
    }
}
