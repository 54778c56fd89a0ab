//! Who is compiled and tried next. Players take turns, each with its oldest version, and nobody has two workers at a
//! time: whoever hands in much waits for itself.

use crate::ids::{AccountId, VersionId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

#[derive(Default)]
pub(super) struct BuildQueue {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Default)]
struct Waiting {
    /// Players with versions that wait, the one whose turn it is first.
    players: VecDeque<AccountId>,
    /// Their versions, oldest first.
    versions: HashMap<AccountId, VecDeque<VersionId>>,
    /// Players with a version at work.
    served: HashSet<AccountId>,
}

/// A version whose turn it is; its player is served until this is dropped.
pub(super) struct Turn<'a> {
    pub(super) version: VersionId,
    player: AccountId,
    queue: &'a BuildQueue,
}

impl BuildQueue {
    pub(super) fn join(&self, player: AccountId, version: VersionId) {
        let mut waiting = self.waiting();
        let versions = waiting.versions.entry(player).or_default();
        versions.push_back(version);
        if versions.len() == 1 {
            waiting.players.push_back(player);
        }
        drop(waiting);
        self.changed.notify_waiters();
    }

    /// How many versions wait.
    pub(super) fn len(&self) -> usize {
        self.waiting().versions.values().map(VecDeque::len).sum()
    }

    /// Waits for the next version.
    pub(super) async fn next(&self) -> Turn<'_> {
        loop {
            let changed = self.changed.notified();
            if let Some((player, version)) = self.waiting().take() {
                return Turn { version, player, queue: self };
            }
            changed.await;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing is left half done in there, whoever panicked.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn take(&mut self) -> Option<(AccountId, VersionId)> {
        let at = self.players.iter().position(|player| !self.served.contains(player))?;
        let player = self.players.remove(at)?;
        let versions = self.versions.get_mut(&player)?;
        let version = versions.pop_front()?;
        match versions.is_empty() {
            true => drop(self.versions.remove(&player)),
            false => self.players.push_back(player),
        }
        self.served.insert(player);
        Some((player, version))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.queue.waiting().served.remove(&self.player);
        self.queue.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::BuildQueue;
    use crate::ids::{AccountId, VersionId};

    #[tokio::test]
    async fn players_take_turns_and_nobody_is_served_twice_at_a_time() {
        let queue = BuildQueue::default();
        for (player, version) in [(1, 10), (1, 11), (1, 12), (2, 20), (3, 30), (2, 21)] {
            queue.join(AccountId(player), VersionId(version));
        }
        let mut order = Vec::new();
        for _ in 0..6 {
            order.push(queue.next().await.version.0);
        }
        assert_eq!(order, [10, 20, 30, 11, 21, 12]);

        for (player, version) in [(1, 10), (1, 11), (2, 20)] {
            queue.join(AccountId(player), VersionId(version));
        }
        let hog = queue.next().await;
        let other = queue.next().await;
        assert_eq!((hog.version.0, other.version.0), (10, 20));
        let next = queue.next();
        tokio::pin!(next);
        let still = tokio::time::timeout(std::time::Duration::from_millis(20), &mut next).await;
        assert!(still.is_err(), "a second worker for the same player");
        drop(hog);
        assert_eq!(next.await.version.0, 11);
    }
}
