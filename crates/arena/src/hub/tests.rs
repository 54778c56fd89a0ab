//! What the tests of several parts share.

use crate::plan::{self, EventPlan};
use palestra_core::AnyGame;
use std::path::Path;

/// An event with Rock Paper Scissor, and these rounds.
pub(super) fn event_plan(rounds: &str) -> EventPlan {
    let text = format!("name = 'x'\nsandbox = 'off'\n[[game]]\nid = 'rps'\nhouse = ['bot']\n{rounds}");
    let find = |_: &str| -> Result<&'static dyn AnyGame, String> { Ok(&palestra_rps::Rps) };
    plan::parse(Path::new("event.toml"), &text, find).unwrap()
}
