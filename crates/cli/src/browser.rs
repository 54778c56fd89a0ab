//! A browser without a window, to make pictures: the one that is there.

use crate::failure::Failure;
use crate::system;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Names under which browsers of the Chromium family are installed.
const NAMES: [&str; 8] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "brave-browser",
    "microsoft-edge",
    "vivaldi",
    "Google Chrome",
];
/// Names the browser to use, where it is not found.
const VARIABLE: &str = "PALESTRA_BROWSER";

/// A browser that is gone when this is.
pub(crate) struct Browser {
    child: Child,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Opens an address in a browser of its own: no window, no profile of anybody.
    pub(crate) fn open(url: &str) -> Result<Browser, Failure> {
        let program = find()?;
        let profile = tempfile::tempdir()?;
        let mut command = Command::new(&program);
        command
            .args(["--headless", "--disable-gpu", "--hide-scrollbars", "--mute-audio", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-extensions", "--disable-quic", "--force-device-scale-factor=1"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            // What it leaves behind when it is ended goes with its profile.
            .env("TMPDIR", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        system::lead_group(&mut command);
        // Chromium does not start for root otherwise; it only ever sees our own page.
        if system::is_root() {
            command.arg("--no-sandbox");
        }
        let child = command.arg(url).spawn();
        let child = child.map_err(|error| {
            Failure::input(format!("the browser {} could not be started: {error}", program.display()))
        })?;
        Ok(Browser { child, _profile: profile })
    }

    /// Whether it is still there.
    pub(crate) fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It has brought children along; none of them has anything to lose.
        system::kill_group(&mut self.child);
        let _ = self.child.wait();
    }
}

fn find() -> Result<PathBuf, Failure> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Ok(PathBuf::from(named));
    }
    NAMES.iter().find_map(|name| palestra_runner::find_on_path(name)).ok_or_else(|| {
        Failure::input(format!(
            "pictures are drawn by a browser, and none was found; install chromium, or name one in {VARIABLE}"
        ))
    })
}
