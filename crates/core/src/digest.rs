//! Fingerprints of states: SHA-256 over a canonical order of numbers.

use sha2::{Digest as _, Sha256};

/// Collects what makes up a state and gives its fingerprint.
#[derive(Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds bytes, with their length, so that two lists never run into each other.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    /// The fingerprint.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// A fingerprint in the form people compare: hexadecimal.
pub fn hex(digest: &[u8; 32]) -> String {
    use std::fmt::Write as _;
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
