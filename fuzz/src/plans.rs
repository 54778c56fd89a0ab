//! The plans of tournaments and events.

use palestra_arena::plan as event_plan;
use palestra_core::AnyGame;
use palestra_games::find;
use palestra_league::plan as tournament_plan;
use palestra_league::tournament::Tournament;
use std::path::Path;

/// Bots and groups of a plan that is also drawn: more only take longer.
const DRAWN: usize = 64;

/// A plan.
pub fn plans(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match tournament_plan::read(text, game, 1) {
        Ok(draft) => {
            let names: Vec<&str> = draft.bots.iter().map(|(name, _, _)| name.as_str()).collect();
            if names.len() <= DRAWN {
                let _ = Tournament::check(&draft.plan, &names);
            }
        }
        Err(error) => one_sentence(&error.message, error.line, text),
    }
    if let Err(error) = event_plan::parse(Path::new("/nowhere/event.toml"), text, game) {
        one_sentence(&error.message, error.line, text);
    }
}

fn game(id: &str) -> Result<&'static dyn AnyGame, String> {
    find(id).map_err(|unknown| unknown.to_string())
}

fn one_sentence(message: &str, line: Option<usize>, text: &str) {
    assert!(!message.is_empty());
    let lines = text.matches('\n').count() + 1;
    assert!(line.is_none_or(|line| 0 < line && line <= lines), "line {line:?} of {lines}");
}
