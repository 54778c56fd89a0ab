//! A Postgres server of the test's own: started in a folder of its own, gone with the test.

use crate::Authority;
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The number of the user nobody, as Postgres refuses to be root.
const NOBODY: u32 = 65534;

/// A server that runs until it is dropped.
pub struct Postgres {
    server: Child,
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    /// Where its first database is.
    pub address: String,
}

impl Postgres {
    /// Starts one with an empty database.
    pub fn start() -> Postgres {
        Postgres::prepare(|_| {})
    }

    /// Starts one that speaks TLS to whoever wants it.
    pub fn start_with_tls(authority: &Authority) -> Postgres {
        let (certificate, key) = authority.server();
        Postgres::prepare(|data| {
            let settings =
                ["ssl = on", "ssl_cert_file = 'server.crt'", "ssl_key_file = 'server.key'"].join("\n");
            std::fs::write(data.join("postgresql.auto.conf"), settings).unwrap();
            for (from, name) in [(&certificate, "server.crt"), (&key, "server.key")] {
                let to = data.join(name);
                std::fs::copy(from, &to).unwrap();
                std::fs::set_permissions(&to, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
                if is_root() {
                    std::os::unix::fs::chown(&to, Some(NOBODY), Some(NOBODY)).unwrap();
                }
            }
        })
    }

    /// Starts one after this was done with its folder.
    fn prepare(change: impl FnOnce(&Path)) -> Postgres {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        if is_root() {
            for path in [folder.path(), &data] {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        let options = ["--auth=trust", "--username=palestra", "--no-sync", "--encoding=UTF8", "--locale=C"];
        let mut made = run(&programs.join("initdb"));
        let made = made.args(options).arg("--pgdata").arg(&data).stdout(Stdio::null()).status().unwrap();
        assert!(made.success(), "initdb failed");
        change(&data);
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = serve(&programs, folder.path(), port);
        let address = format!("postgres://palestra@127.0.0.1:{port}/postgres");
        let postgres = Postgres { server, programs, folder, port, address };
        postgres.wait();
        postgres
    }

    /// Throws out everybody who is connected, and starts it again.
    pub fn restart(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.server);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        self.server.wait().unwrap();
        self.server = serve(&self.programs, self.folder.path(), self.port);
        self.wait();
    }

    /// Has the database carry out what a dump says.
    pub fn load(&self, dump: &str) {
        let file = tempfile::NamedTempFile::new_in(self.folder.path()).unwrap();
        std::fs::write(file.path(), dump).unwrap();
        std::fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        self.query(&["-v", "ON_ERROR_STOP=1", "-f", &file.path().display().to_string()]);
    }

    /// What the database answers to a statement.
    pub fn ask(&self, sql: &str) -> String {
        self.query(&["-At", "-c", sql]).trim().to_owned()
    }

    /// The address of another, empty database of the same server.
    pub fn another(&self) -> String {
        self.ask("CREATE DATABASE another");
        self.address.replace("/postgres", "/another")
    }

    fn query(&self, arguments: &[&str]) -> String {
        let output =
            run(&self.programs.join("psql")).args(["-qX", &self.address]).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// It takes connections before it can answer them.
    fn wait(&self) {
        for _ in 0..1200 {
            let asked =
                run(&self.programs.join("psql")).args(["-qX", &self.address, "-c", "SELECT 1"]).output();
            if asked.unwrap().status.success() {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("Postgres does not answer");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Its own children end with it; nothing in it is worth keeping.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn serve(programs: &Path, folder: &Path, port: u16) -> Child {
    run(&programs.join("postgres"))
        .arg("-D")
        .arg(folder.join("data"))
        .args(["-F", "-h", "127.0.0.1", "-p", &port.to_string(), "-k"])
        .arg(folder)
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn run(program: &Path) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.current_dir("/");
    command
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Where Debian and others keep the server's programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    let all = |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).exists());
    let found = folders.into_iter().rev().find(all);
    found.expect("install Postgres for this test, on Debian the package postgresql")
}
