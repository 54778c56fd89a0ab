//! How far a match has come: a line that changes on a terminal, a plain line now and then elsewhere.

use crate::console;
use indicatif::{ProgressBar, ProgressStyle};
use palestra_core::Match;
use palestra_runner::{Overheard, Watch};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// Between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(5);
/// Between two looks at the clock, in turns.
const LOOK_EVERY: u32 = 64;

/// Shows the progress of a match on standard error.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    round_word: &'static str,
    last_line: Instant,
    quiet: bool,
    line_every: Option<u32>,
    rounds: u32,
}

impl Progress {
    /// With `line_every`, a line is printed every so many rounds; otherwise now and then.
    pub(crate) fn new(round_word: &'static str, quiet: bool, line_every: Option<u32>) -> Progress {
        let bar = (!quiet && line_every.is_none() && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}").expect("a fixed template");
            ProgressBar::new_spinner().with_style(style)
        });
        Progress { bar, round_word, last_line: Instant::now(), quiet, line_every, rounds: 0 }
    }

    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Progress {
    fn turn(&mut self, game: &Match, _: Overheard<'_>) {
        if let Some(every) = self.line_every {
            let rounds = game.state().rounds();
            if rounds != self.rounds && rounds.is_multiple_of(every) {
                console::remark(&format!("{} {rounds}", self.round_word));
            }
            self.rounds = rounds;
            return;
        }
        if self.quiet || !game.turns().is_multiple_of(LOOK_EVERY) {
            return;
        }
        let every = if self.bar.is_some() { Duration::from_millis(100) } else { PLAIN_EVERY };
        if self.last_line.elapsed() < every {
            return;
        }
        self.last_line = Instant::now();
        let line = format!("{} {}", self.round_word, game.state().rounds());
        match &self.bar {
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => console::remark(&line),
        }
    }
}
