//! Fingerprints of states: SHA-256 over a canonical order of numbers.

use crate::seat::Seat;
use sha2::{Digest as _, Sha256};

/// Collects what makes up a state and gives its fingerprint. There are no sentences in it: they may be reworded.
#[derive(Clone, Default)]
pub struct Digest {
    sum: Sha256,
    former_reasons: Option<Vec<String>>,
}

impl Digest {
    /// As replays of formats 1 to 3 have it, which ended with these sentences, by seat.
    pub(crate) fn former(reasons: Vec<String>) -> Digest {
        Digest { sum: Sha256::default(), former_reasons: Some(reasons) }
    }

    /// Adds what `part` takes out of the sentence about this seat, where fingerprints had such a sentence in them: in
    /// replays of formats 1 to 3. It is taken from the replay itself, and nobody asks what it says.
    pub fn former_sentence(&mut self, seat: Seat, part: impl FnOnce(&str) -> &str) {
        if let Some(reasons) = self.former_reasons.take() {
            self.bytes(part(reasons.get(seat.index()).map_or("", String::as_str)).as_bytes());
            self.former_reasons = Some(reasons);
        }
    }

    /// Adds bytes, with their length, so that two lists never run into each other.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.sum.update(bytes);
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.sum.update(number.to_le_bytes());
    }

    /// The fingerprint of all that was added, in its order.
    pub fn finish(self) -> [u8; 32] {
        self.sum.finalize().into()
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
