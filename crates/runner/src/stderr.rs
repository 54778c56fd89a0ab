//! What a bot wrote to its standard error: the beginning, in the order of turns, and always the last lines.

use crate::limits::{STDERR_TAIL_BYTES, STDERR_TAIL_LINES};
use palestra_core::limits::STDERR_BYTES;

#[derive(Clone, Debug, Default)]
pub(crate) struct StderrLog {
    pieces: Vec<(u32, Vec<u8>)>,
    kept: usize,
    tail: Vec<u8>,
    total: u64,
}

impl StderrLog {
    pub(crate) fn add(&mut self, turn: u32, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = STDERR_BYTES - self.kept;
        let kept = &bytes[..bytes.len().min(room)];
        if !kept.is_empty() {
            self.kept += kept.len();
            match self.pieces.last_mut() {
                Some((last, piece)) if *last == turn => piece.extend_from_slice(kept),
                _ => self.pieces.push((turn, kept.to_vec())),
            }
        }
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(STDERR_TAIL_BYTES)..]);
        let surplus = self.tail.len().saturating_sub(STDERR_TAIL_BYTES);
        self.tail.drain(..surplus);
    }

    /// By turn, cut at the limit.
    pub(crate) fn pieces(&self) -> &[(u32, Vec<u8>)] {
        &self.pieces
    }

    /// Whether there has been anything yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Bytes that were not kept.
    pub(crate) fn dropped(&self) -> u64 {
        self.total - self.kept as u64
    }

    pub(crate) fn last_lines(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.tail);
        let lines: Vec<&str> = text.lines().collect();
        let shown = &lines[lines.len().saturating_sub(STDERR_TAIL_LINES)..];
        shown
            .iter()
            .map(|line| line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::StderrLog;
    use palestra_core::limits::STDERR_BYTES;

    #[test]
    fn it_is_kept_by_turn_up_to_the_limit() {
        let mut log = StderrLog::default();
        log.add(1, b"one");
        log.add(1, b"\n");
        log.add(4, b"four\n");
        assert_eq!(log.pieces(), [(1, b"one\n".to_vec()), (4, b"four\n".to_vec())]);
        for _ in 0..40 {
            log.add(5, &[b'x'; 65536]);
        }
        log.add(6, b"\nlast words\n");
        assert_eq!(log.pieces().iter().map(|(_, piece)| piece.len()).sum::<usize>(), STDERR_BYTES);
        assert_eq!(log.last_lines().last().unwrap(), "last words");
        assert_eq!(log.dropped(), 9 + 40 * 65536 + 12 - STDERR_BYTES as u64);
    }
}
