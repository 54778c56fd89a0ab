//! What goes along with a match of a contest's own configuration: the logs that are written while it is played, and the
//! pace at which it is shown.

use palestra_core::legacy::{LegacyLiveLog, LegacyRun, LiveExport};
use palestra_core::{AnyGame, Match, Replay, ReplayError};
use palestra_runner::{FileError, Interrupt, Overheard, Watch};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Watches one match.
pub(super) struct Companion<'a> {
    logs: Vec<Log>,
    rounds: u32,
    pace: Option<Pace<'a>>,
}

struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    export: Box<dyn LiveExport>,
    failed: Option<ReplayError>,
}

/// Rounds come no faster than that, as long as nobody wants to stop.
pub(super) struct Pace<'a> {
    pub(super) time: Duration,
    pub(super) next: Instant,
    pub(super) interrupt: &'a Interrupt,
}

impl<'a> Companion<'a> {
    /// Begins the logs of a match that begins like this.
    pub(super) fn new(
        game: &dyn AnyGame,
        run: &LegacyRun,
        start: &Replay,
        place: impl Fn(&str) -> PathBuf,
        pace: Option<Pace<'a>>,
    ) -> Result<Companion<'a>, FileError> {
        let mut logs = Vec::new();
        for LegacyLiveLog { path, format } in &run.live_logs {
            let path = place(path);
            let failed = |why: String| FileError::Write { path: path.clone(), why };
            let export = game.live_export(format, start).map_err(|error| failed(error.to_string()))?;
            let export =
                export.ok_or_else(|| failed(format!("{format} cannot be written during a match")))?;
            let file = create(&path).map_err(|error| failed(error.to_string()))?;
            logs.push(Log { file: BufWriter::new(file), export, failed: None, path });
        }
        Ok(Companion { logs, rounds: 0, pace })
    }

    /// The match is over: the rest of the logs.
    pub(super) fn finish(mut self, replay: &Replay) -> Result<(), FileError> {
        for log in &mut self.logs {
            log.write(replay);
            if let Some(error) = log.failed.take() {
                return Err(FileError::Write { path: log.path.clone(), why: error.to_string() });
            }
        }
        Ok(())
    }
}

fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}

impl Log {
    /// A log that cannot be written does not stop its match; it is told of at the end.
    fn write(&mut self, so_far: &Replay) {
        if self.failed.is_none() {
            let written = self.export.write(so_far, &mut self.file);
            // Somebody may be reading it.
            self.failed = written.and_then(|()| Ok(self.file.flush()?)).err();
        }
    }
}

impl Watch for Companion<'_> {
    fn turn(&mut self, game: &Match, _: Overheard<'_>) {
        let rounds = game.state().rounds();
        let next_round = rounds != self.rounds;
        self.rounds = rounds;
        for log in &mut self.logs {
            log.write(game.recorded());
        }
        if let Some(pace) = self.pace.as_mut().filter(|_| next_round) {
            pace.interrupt.wait_for(pace.next.saturating_duration_since(Instant::now()));
            pace.next = Instant::now() + pace.time;
        }
    }
}
