//! A NATS server of the test's own: on a port of its own, with a folder of its own, gone with the test.

use crate::Authority;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The server that `scripts/setup.sh --test` installs.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/nats/bin/nats-server");

/// A server with JetStream.
pub struct NatsServer {
    server: Option<Child>,
    folder: tempfile::TempDir,
    port: u16,
    config: Option<PathBuf>,
}

impl NatsServer {
    /// Starts one with nothing in it.
    pub fn start() -> NatsServer {
        NatsServer::start_with(None)
    }

    /// Starts one with this configuration besides; the port and the folder are the test's.
    pub fn start_with(config: Option<&str>) -> NatsServer {
        let folder = tempfile::tempdir().expect("a folder");
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let config = config.map(|text| {
            let path = folder.path().join("nats.conf");
            std::fs::write(&path, text).expect("it can be written");
            path
        });
        let mut nats = NatsServer { server: None, folder, port, config };
        nats.resume();
        nats
    }

    /// Starts one that takes nothing but TLS.
    pub fn start_with_tls(authority: &Authority) -> NatsServer {
        let (certificate, key) = authority.server();
        let (certificate, key) = (certificate.display(), key.display());
        let config = format!("tls {{ cert_file: \"{certificate}\", key_file: \"{key}\" }}\n");
        NatsServer::start_with(Some(&config))
    }

    /// Whether a server would start with the configuration in this file.
    pub fn accepts(config: &Path) -> bool {
        let mut command = Command::new(program());
        let asked = command.arg("-t").arg("--config").arg(config).stderr(Stdio::null()).status();
        asked.expect("nats-server starts; scripts/setup.sh --test installs it").success()
    }

    /// Where it is.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it, as a failing machine would.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }

    /// Takes away everything that it keeps, while it is not running.
    pub fn lose_everything(&mut self) {
        assert!(self.server.is_none(), "it is running");
        let _ = std::fs::remove_dir_all(self.store());
    }

    /// Starts it again where it was.
    pub fn resume(&mut self) {
        let mut command = Command::new(program());
        command.args(["--jetstream", "--addr", "127.0.0.1", "--port", &self.port.to_string(), "--store_dir"]);
        command.arg(self.store()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(config) = &self.config {
            command.arg("--config").arg(config);
        }
        let server = command.spawn().expect("nats-server starts; scripts/setup.sh --test installs it");
        self.server = Some(server);
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nats-server does not answer");
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("jetstream")
    }
}

fn program() -> &'static str {
    if Path::new(INSTALLED).exists() { INSTALLED } else { "nats-server" }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}
