//! How often a client is listened to that sends a few bytes at a time: every piece wakes its session and its match.
//! What comes in meanwhile is read at once, so that nobody who has something to say is late by more than a moment.

use crate::limits;
use std::time::Instant;

/// The pieces of one client.
pub(super) struct Throttle {
    /// When all small pieces so far would have been due, one by one.
    due: Instant,
}

impl Throttle {
    pub(super) fn new(now: Instant) -> Throttle {
        let mut throttle = Throttle { due: now };
        throttle.forgive(now, limits::SMALL_PIECES);
        throttle
    }

    /// It was sent something, and may answer that.
    pub(super) fn sent(&mut self, now: Instant) {
        self.forgive(now, limits::SMALL_PIECES_OF_ANSWER);
    }

    /// So many bytes were read at once.
    pub(super) fn read(&mut self, bytes: usize, now: Instant) {
        if (1..limits::SMALL_PIECE_BYTES).contains(&bytes) {
            self.forgive(now, 0);
            self.due += limits::SMALL_PIECE_PAUSE;
        }
    }

    /// Until when it is not listened to.
    pub(super) fn paused_until(&self) -> Instant {
        self.due
    }

    fn forgive(&mut self, now: Instant, pieces: u32) {
        let earlier = |time: Instant, pieces: u32| time.checked_sub(limits::SMALL_PIECE_PAUSE * pieces);
        let earliest = earlier(now, limits::SMALL_PIECES).unwrap_or(now);
        self.due = earlier(self.due, pieces).unwrap_or(earliest).max(earliest);
    }
}

#[cfg(test)]
mod tests {
    use super::Throttle;
    use crate::limits;
    use std::time::{Duration, Instant};

    /// How many small pieces are read within this time, if there always is one, and something is sent after so many.
    fn read_within(time: Duration, sent_after: u32) -> u32 {
        let start = Instant::now();
        let (mut throttle, mut now, mut pieces) = (Throttle::new(start), start, 0);
        while now < start + time {
            throttle.read(1, now);
            pieces += 1;
            if pieces % sent_after == 0 {
                throttle.sent(now);
            }
            now = now.max(throttle.paused_until()) + Duration::from_micros(1);
        }
        pieces
    }

    #[test]
    fn many_small_pieces_are_read_together() {
        let second = Duration::from_secs(1);
        let pauses = (second.as_millis() / limits::SMALL_PIECE_PAUSE.as_millis()) as u32;
        assert!(read_within(second, u32::MAX) <= limits::SMALL_PIECES + pauses + 1);
        let every_millisecond = second / 1000;
        assert!(read_within(every_millisecond, u32::MAX) > limits::SMALL_PIECES);
    }

    #[test]
    fn whoever_answers_what_it_is_sent_is_never_paused() {
        let second = Duration::from_secs(1);
        assert_eq!(read_within(second, 1), 1_000_000);
        assert_eq!(read_within(second, limits::SMALL_PIECES_OF_ANSWER), 1_000_000);
    }

    #[test]
    fn large_pieces_are_not_counted() {
        let now = Instant::now();
        let mut throttle = Throttle::new(now);
        for _ in 0..1_000_000 {
            throttle.read(limits::SMALL_PIECE_BYTES, now);
        }
        assert!(throttle.paused_until() <= now);
    }
}
