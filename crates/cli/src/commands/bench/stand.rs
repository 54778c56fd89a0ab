//! An arena to put under load: another process of this program, in a folder that is gone afterwards.

use super::measures::Measures;
use crate::commands::event::read_plan;
use crate::console;
use crate::failure::Failure;
use crate::games::GAMES;
use palestra_arena::store::Store;
use palestra_core::AnyGame;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use ureq::Agent;

const ANSWER: Duration = Duration::from_secs(60);

/// An arena that is open.
pub(super) struct Stand {
    pub(super) gateway: SocketAddr,
    /// Where its site is: http://...
    pub(super) site: String,
    agent: Agent,
    arena: Child,
    // Goes after the process.
    _folder: TempDir,
}

/// A match of the game whose own clients the gateway understands, in which nobody does anything, so that its length is known.
pub(super) fn plan(ticks: u32) -> String {
    let own_clients = |game: &&&dyn AnyGame| game.client_lines().is_some();
    let game = GAMES.iter().find(own_clients).expect("one has clients of its own").info().id;
    format!(
        r#"
name = "Load"
site = "127.0.0.1:0"
gateway = "127.0.0.1:0"
folder = "event"
rest = "0s"
replays_kept = 1000
live_delay = "0s"

[[game]]
id = "{game}"
submissions = false
settings = {{ max_ticks = {ticks} }}
"#
    )
}

impl Stand {
    /// Opens an arena with this plan, whose store `fill` has seen to before.
    pub(super) fn open<T>(
        runtime: &Runtime,
        plan: &str,
        fill: impl AsyncFnOnce(&Store) -> Result<T, Failure>,
    ) -> Result<(Stand, T), Failure> {
        let folder = tempfile::Builder::new().prefix("palestra-bench-").tempdir()?;
        let file = folder.path().join("event.toml");
        std::fs::write(&file, plan)?;
        let filled = runtime.block_on(async {
            let store = Store::open(&read_plan(&file)?.folder, None).await.map_err(Failure::input)?;
            fill(&store).await
        })?;
        let mut arena = Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = arena.stdout.take().expect("it is piped");
        // From here on it is ended whatever happens.
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let config = Agent::config_builder().timeout_global(Some(ANSWER)).build();
        let mut stand =
            Stand { gateway: nowhere, site: String::new(), agent: config.into(), arena, _folder: folder };
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            if let Some((_, site)) = line.split_once(" is open: ") {
                site.clone_into(&mut stand.site);
            }
            if let Some(gateway) = line.strip_prefix("clients connect to ") {
                stand.gateway = gateway.parse().map_err(Failure::input)?;
            }
            if line.starts_with("sign in as ") {
                return Ok((stand, filled));
            }
        }
        Err(Failure::input("the arena did not open; what it said is above"))
    }

    /// What it has measured so far.
    pub(super) fn measures(&self) -> Result<Measures, Failure> {
        Ok(Measures::read(&self.page("/metrics")?))
    }

    /// A page of its site.
    pub(super) fn page(&self, path: &str) -> Result<String, Failure> {
        let answer = self.agent.get(format!("{}{path}", self.site)).call();
        let text = answer.and_then(|mut answer| answer.body_mut().read_to_string());
        text.map_err(|error| Failure::input(format!("the arena does not answer {path}: {error}")))
    }

    /// Bytes of it in memory.
    pub(super) fn memory(&self) -> Result<u64, Failure> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.arena.id()))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes =
            resident.and_then(|text| text.trim().trim_end_matches("kB").trim_end().parse::<u64>().ok());
        Ok(kilobytes.unwrap_or(0) << 10)
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        // Its folder goes anyway: there is nothing to close in order.
        if let Err(error) = self.arena.kill().and_then(|()| self.arena.wait()) {
            console::remark(&format!("the arena could not be ended: {error}"));
        }
    }
}
