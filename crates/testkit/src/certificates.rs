//! Certificates of the test's own: an authority, and what it vouches for.

use std::path::{Path, PathBuf};
use std::process::Command;

/// An authority that nobody trusts who does not name its certificate.
pub struct Authority {
    folder: tempfile::TempDir,
}

impl Authority {
    /// Makes one.
    pub fn new() -> Authority {
        let folder = tempfile::tempdir().expect("a folder");
        issue(folder.path(), "authority", &[]);
        Authority { folder }
    }

    /// The file with its certificate.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Files with a certificate for servers of this machine and its key.
    pub fn server(&self) -> (PathBuf, PathBuf) {
        let by_authority = ["-CA", "authority.pem", "-CAkey", "authority.key"];
        let names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
        let no_authority = ["-addext", "basicConstraints=critical,CA:FALSE"];
        issue(self.folder.path(), "server", &[&by_authority[..], &names, &no_authority].concat());
        (self.folder.path().join("server.pem"), self.folder.path().join("server.key"))
    }
}

impl Default for Authority {
    fn default() -> Authority {
        Authority::new()
    }
}

/// Writes a new key and a certificate for it, which vouches for itself unless there is more to say.
fn issue(folder: &Path, name: &str, more: &[&str]) {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout"];
    let made = Command::new("openssl")
        .current_dir(folder)
        .args(["req", "-x509", "-days", "2", "-subj", &format!("/CN={name}"), "-out", &format!("{name}.pem")])
        .args(key)
        .arg(format!("{name}.key"))
        .args(more)
        .output()
        .expect("openssl starts; scripts/setup.sh --test says what is missing");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}
