//! The places of a worker: a place is a core, and a match may take several.

use palestra_runner::Cores;

/// The cores that are free.
pub(super) struct Places {
    total: usize,
    /// By number; empty where they cannot be told apart.
    free: Vec<usize>,
    /// How many are free, where they cannot be told apart.
    anonymous: usize,
}

impl Places {
    /// One for each core, or so many.
    pub(super) fn new(wanted: Option<usize>) -> Places {
        let mut cores = Cores::available();
        match wanted {
            Some(wanted) if wanted <= cores.len() => cores.truncate(wanted),
            // More than there are cores: nobody has one alone, and the system shares them out.
            Some(_) => cores.clear(),
            None => {}
        }
        let anonymous = if cores.is_empty() { wanted.unwrap_or(1).max(1) } else { 0 };
        Places { total: cores.len() + anonymous, free: cores, anonymous }
    }

    pub(super) fn total(&self) -> usize {
        self.total
    }

    pub(super) fn free(&self) -> usize {
        self.free.len() + self.anonymous
    }

    /// So many of them, if they are free.
    pub(super) fn take(&mut self, count: usize) -> Option<Cores> {
        let count = count.max(1);
        if count <= self.free.len() {
            let left = self.free.len() - count;
            return Some(Cores::List(self.free.split_off(left)));
        }
        // A place that is left to the system counts as one, whatever was asked for.
        if self.anonymous > 0 {
            self.anonymous -= 1;
            return Some(Cores::Any);
        }
        None
    }

    pub(super) fn give_back(&mut self, cores: Cores) {
        match cores {
            Cores::List(list) => self.free.extend(list),
            _ => self.anonymous += 1,
        }
    }
}
