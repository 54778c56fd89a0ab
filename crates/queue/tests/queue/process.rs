//! A worker in a process of its own, which can be killed.

use crate::support::{GAMES, address_of};
use palestra_queue::{Worker, WorkerOptions};
use palestra_runner::Interrupt;
use palestra_testkit::NatsServer;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const ADDRESS: &str = "PALESTRA_TEST_WORKER";
const NAME: &str = "PALESTRA_TEST_WORKER_NAME";
const CACHE: &str = "PALESTRA_TEST_WORKER_CACHE";

/// No test of its own: what [`WorkerProcess`] starts.
#[test]
fn worker_process() {
    let Ok(address) = std::env::var(ADDRESS) else { return };
    let options = WorkerOptions {
        name: std::env::var(NAME).unwrap(),
        places: Some(1),
        version: "test".to_owned(),
        strict: false,
        cache: Some(std::env::var(CACHE).unwrap().into()),
    };
    let (stop, break_off) = (Interrupt::new().unwrap(), Interrupt::new().unwrap());
    Worker::new(GAMES, address_of(&address), options, Arc::new(|_| {})).run(&stop, &break_off).unwrap();
}

pub(crate) struct WorkerProcess {
    child: Child,
    _cache: tempfile::TempDir,
}

impl WorkerProcess {
    pub(crate) fn start(nats: &NatsServer, name: &str) -> WorkerProcess {
        let cache = tempfile::tempdir().unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["process::worker_process", "--exact", "--nocapture"])
            .env(ADDRESS, nats.address())
            .env(NAME, name)
            .env(CACHE, cache.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        WorkerProcess { child, _cache: cache }
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// As `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
