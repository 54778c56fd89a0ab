//! A Postgres server of the test's own: started in a folder of its own, gone with the test.

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The number of the user nobody, as Postgres refuses to be root.
const NOBODY: u32 = 65534;

pub(crate) struct Postgres {
    server: Child,
    _folder: tempfile::TempDir,
    /// Where it is.
    pub(crate) address: String,
}

impl Postgres {
    /// Starts one with an empty database.
    pub(crate) async fn start() -> Postgres {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        if rustix::process::geteuid().is_root() {
            for path in [folder.path(), &data] {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        let made = run(&programs.join("initdb"))
            .args([
                "--auth=trust",
                "--username=palestra",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C",
                "--pgdata",
            ])
            .arg(&data)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success(), "initdb failed");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = run(&programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-F", "-h", "127.0.0.1", "-p", &port.to_string(), "-k"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = format!("postgres://palestra@127.0.0.1:{port}/postgres");
        sqlx::any::install_default_drivers();
        // It takes connections before it can answer them.
        for _ in 0..600 {
            if AnyConnection::connect(&address).await.is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Postgres { server, _folder: folder, address }
    }

    /// Has the database carry out what a dump says.
    pub(crate) async fn load(&self, dump: &str) {
        let mut connection = AnyConnection::connect(&self.address).await.unwrap();
        connection.execute(sqlx::raw_sql(AssertSqlSafe(dump.to_owned()))).await.unwrap();
    }

    /// The address of another, empty database of the same server.
    pub(crate) async fn another(&self) -> String {
        self.load("CREATE DATABASE another").await;
        self.address.replace("/postgres", "/another")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Its own children end with it; nothing in it is worth keeping.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn run(program: &Path) -> Command {
    let mut command = Command::new(program);
    if rustix::process::geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.current_dir("/");
    command
}

/// Where Debian and others keep the server's programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    let found = folders.into_iter().rev().find(|folder| folder.join("initdb").exists());
    found.expect("install Postgres for this test, on Debian the package postgresql")
}
