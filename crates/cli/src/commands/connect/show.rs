//! What `palestra connect` tells: a line at the bottom of a terminal and what stays above it, plain lines, or JSON.

use crate::console;
use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::io::IsTerminal as _;
use std::time::Duration;

/// Between two pictures of the spinner.
const SPIN: Duration = Duration::from_millis(200);

/// Tells what goes on.
pub(super) struct Show {
    json: bool,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl Show {
    pub(super) fn new(json: bool, quiet: bool) -> Show {
        let bar = (!json && !quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template");
            let bar = ProgressBar::new_spinner().with_style(style);
            bar.enable_steady_tick(SPIN);
            bar
        });
        Show { json, quiet, bar }
    }

    /// What is so at the moment: only a terminal shows that.
    pub(super) fn state(&self, text: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(harmless(&text));
        }
    }

    /// Something happened.
    pub(super) fn say(&self, text: &str, json: Value) -> Result<(), Failure> {
        match (self.json, self.quiet) {
            (true, _) => self.line(&json),
            (false, true) => Ok(()),
            (false, false) => {
                self.above(|| console::remark(&harmless(text)));
                Ok(())
            }
        }
    }

    /// A result: what the command is for.
    pub(super) fn result(&self, text: &str, json: Value) -> Result<(), Failure> {
        if self.json {
            return self.line(&json);
        }
        let mut printed = Ok(());
        self.above(|| printed = console::print(&format!("{}\n", harmless(text))));
        printed
    }

    fn above(&self, tell: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(tell),
            None => tell(),
        }
    }

    fn line(&self, json: &Value) -> Result<(), Failure> {
        console::print(&format!("{json}\n"))
    }
}

impl Drop for Show {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// An arena's words are strangers' words: nothing in them moves the cursor or changes colours.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '·' } else { c }).collect()
}
