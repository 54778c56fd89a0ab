//! The best of what a player comes across.

/// The first of the most valuable that were offered. What is worth nothing is not wanted.
#[derive(Clone, Copy, Debug)]
pub struct Best<T> {
    value: u64,
    what: Option<T>,
}

impl<T> Best<T> {
    /// It is kept if it is worth more than everything before it.
    #[inline]
    pub fn offer(&mut self, value: u64, what: T) {
        if value > self.value {
            *self = Best { value, what: Some(what) };
        }
    }

    /// What is left of them; nothing if none was wanted.
    pub fn found(self) -> Option<T> {
        self.what
    }
}

impl<T> Default for Best<T> {
    fn default() -> Best<T> {
        Best { value: 0, what: None }
    }
}
