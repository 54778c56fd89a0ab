//! What the arena says a client waits for, in words.

use super::link::WaitsFor;
use serde_json::{Value, json};
use std::fmt;

/// What is known of it.
#[derive(Default)]
pub(super) struct Waiting {
    waits_for: Option<WaitsFor>,
    /// The next round, and when it begins.
    next: Option<(String, Option<u64>)>,
    hinted: bool,
}

impl Waiting {
    pub(super) fn event(waits_for: &WaitsFor) -> Value {
        match waits_for {
            WaitsFor::Resume => json!({ "event": "waiting", "for": "resume" }),
            WaitsFor::Round(name) => json!({ "event": "waiting", "for": "round", "round": name }),
            WaitsFor::Opponent(others) => json!({ "event": "waiting", "for": "opponent", "others": others }),
            WaitsFor::NextRound => json!({ "event": "waiting", "for": "next_round" }),
        }
    }

    /// Takes it in, and gives what to say: nothing if only the number of others changed. `hint` if it has to be said that
    /// there is the arena's own bot.
    pub(super) fn learn(&mut self, waits_for: WaitsFor, hint: bool) -> Option<String> {
        let said = self.waits_for.as_ref().map(kind) == Some(kind(&waits_for));
        self.waits_for = Some(waits_for);
        if said {
            return None;
        }
        let hint = hint && !self.hinted && matches!(self.waits_for, Some(WaitsFor::Opponent(_)));
        self.hinted |= hint;
        let hint = if hint { "; --opponents any,bot plays the arena's own bot meanwhile" } else { "" };
        Some(format!("{self}{hint}"))
    }

    pub(super) fn learn_next(&mut self, name: String, seconds: Option<u64>) -> String {
        let text = match seconds {
            Some(seconds) => format!("round {name} begins in {}", span(seconds)),
            None => format!("round {name} comes next; when it begins is not settled"),
        };
        self.next = Some((name, seconds));
        text
    }
}

/// What is worth a line of its own when it changes.
fn kind(waits_for: &WaitsFor) -> (u8, Option<&str>) {
    match waits_for {
        WaitsFor::Resume => (0, None),
        WaitsFor::Round(name) => (1, Some(name)),
        WaitsFor::Opponent(0) => (2, None),
        WaitsFor::Opponent(_) => (3, None),
        WaitsFor::NextRound => (4, None),
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.waits_for, &self.next) {
            (None, _) => f.write_str("waiting for a match"),
            (Some(WaitsFor::Resume), _) => f.write_str("waiting for the event to go on: it is paused"),
            (Some(WaitsFor::Round(name)), _) => {
                write!(f, "waiting for a match of round {name}; until it is over there are no others")
            }
            (Some(WaitsFor::Opponent(0)), _) => {
                f.write_str("waiting for an opponent: nobody else is connected")
            }
            (Some(WaitsFor::Opponent(1)), _) => {
                f.write_str("waiting for an opponent: one other is connected")
            }
            (Some(WaitsFor::Opponent(others)), _) => {
                write!(f, "waiting for an opponent: {others} others are connected")
            }
            (Some(WaitsFor::NextRound), Some((name, _))) => {
                write!(f, "waiting for round {name}; with --opponents none there are no other matches")
            }
            (Some(WaitsFor::NextRound), None) => {
                f.write_str("waiting for a round; with --opponents none there are no other matches")
            }
        }
    }
}

/// "40 s", "5 min", "2 h 05 min".
fn span(seconds: u64) -> String {
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5999 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Waiting, WaitsFor};

    #[test]
    fn it_is_said_when_something_else_is_waited_for_and_the_bot_is_named_once() {
        let mut waiting = Waiting::default();
        let alone = waiting.learn(WaitsFor::Opponent(0), true).unwrap();
        assert_eq!(
            alone,
            "waiting for an opponent: nobody else is connected; --opponents any,bot plays the arena's own bot meanwhile"
        );
        assert!(waiting.learn(WaitsFor::Opponent(1), true).unwrap().ends_with("one other is connected"));
        assert_eq!(waiting.learn(WaitsFor::Opponent(7), true), None, "a number is no news");
        assert!(waiting.to_string().ends_with("7 others are connected"));
        assert!(waiting.learn(WaitsFor::Resume, true).unwrap().contains("paused"));
        assert!(waiting.learn(WaitsFor::Round("Final".to_owned()), true).unwrap().contains("round Final"));
        assert!(!Waiting::default().learn(WaitsFor::Opponent(0), false).unwrap().contains("--opponents"));
        assert_eq!(waiting.learn_next("Final".to_owned(), Some(7500)), "round Final begins in 2 h 05 min");
        assert!(waiting.learn_next("Final".to_owned(), None).contains("not settled"));
    }
}
