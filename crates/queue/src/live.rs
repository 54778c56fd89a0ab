//! The turns of a match while it is played elsewhere, for those who look on: over a plain subject, which may lose them, and
//! never at the cost of the match. Whoever gets them plays them again before anybody sees them.

use crate::limits;
use crate::messages::{decode, encode};
use crate::streams;
use async_nats::Client;
use futures_util::StreamExt as _;
use palestra_core::Match;
use palestra_core::replay::Tail;
use palestra_runner::{Heard, Overheard, Told, Watch};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// What came since the message before.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Turns {
    /// Turns that were told before.
    pub from: u32,
    /// What the recording got since.
    pub tail: Tail,
    /// What bots wrote to their standard error since.
    pub stderr: Vec<Heard>,
}

impl Turns {
    fn bytes(&self) -> usize {
        self.tail.bytes() + self.stderr.iter().map(|(_, _, piece)| piece.len()).sum::<usize>()
    }
}

/// Tells of a match, from the thread that plays it. It never waits: what cannot be sent ends the telling.
pub(crate) struct Teller {
    told: Told,
    next: Turns,
    sent: Instant,
    /// None once a message is missing.
    sender: Option<mpsc::Sender<Vec<u8>>>,
}

impl Teller {
    /// Of a match with so many seats; within a runtime.
    pub(crate) fn new(client: Client, subject: String, seats: u8) -> Teller {
        let (sender, mut messages) = mpsc::channel::<Vec<u8>>(limits::LIVE_AHEAD);
        Handle::current().spawn(async move {
            while let Some(message) = messages.recv().await {
                let _ = client.publish(subject.clone(), message.into()).await;
            }
        });
        Teller { told: Told::new(seats), next: Turns::default(), sent: Instant::now(), sender: Some(sender) }
    }
}

impl Watch for Teller {
    fn turn(&mut self, game: &Match, overheard: Overheard<'_>) {
        let Some(sender) = &self.sender else { return };
        self.told.add(game.recorded(), overheard, &mut self.next.tail, &mut self.next.stderr);
        self.told.advance(game.recorded(), overheard);
        if self.sent.elapsed() < limits::LIVE_EVERY && self.next.bytes() < limits::LIVE_BYTES {
            return;
        }
        let turns = std::mem::take(&mut self.next);
        self.next.from = turns.tail.turns();
        let message = encode(&turns);
        if message.len() > limits::PART_BYTES || sender.try_send(message).is_err() {
            self.sender = None;
        }
        self.sent = Instant::now();
    }
}

/// Those who wait for turns, by the number of the match.
#[derive(Clone, Default)]
pub(crate) struct Watchers(Arc<Mutex<HashMap<u64, Watcher>>>);

struct Watcher {
    /// Who plays it: whoever told of its beginning.
    worker: Option<String>,
    sender: mpsc::Sender<Turns>,
}

impl Watchers {
    fn list(&self) -> MutexGuard<'_, HashMap<u64, Watcher>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turns of a match from now on, until [`Watchers::end`].
    pub(crate) fn watch(&self, number: u64) -> mpsc::Receiver<Turns> {
        let (sender, turns) = mpsc::channel(limits::LIVE_AHEAD);
        self.list().insert(number, Watcher { worker: None, sender });
        turns
    }

    pub(crate) fn end(&self, number: u64) {
        self.list().remove(&number);
    }

    /// Hands turns on, if they are those of whoever plays the match. Nobody is waited for.
    fn hand_on(&self, number: u64, worker: &str, turns: Turns) {
        let mut list = self.list();
        let Some(watcher) = list.get_mut(&number) else { return };
        if watcher.worker.get_or_insert_with(|| worker.to_owned()) == worker
            && watcher.sender.try_send(turns).is_err()
        {
            list.remove(&number);
        }
    }
}

/// Hears the turns of a run's matches, for as long as somebody could want them.
pub(crate) async fn hear(client: Client, run: String, watchers: Watchers) {
    // The dispatcher has one, and this task another.
    while Arc::strong_count(&watchers.0) > 1 {
        if let Ok(mut messages) = client.subscribe(streams::live_of(&run)).await {
            while let Some(message) = messages.next().await {
                let mut parts = message.subject.rsplit('.');
                let number = parts.next().and_then(|number| number.parse().ok());
                if let (Some(number), Some(worker), Ok(turns)) =
                    (number, parts.next(), decode(&message.payload))
                {
                    watchers.hand_on(number, worker, turns);
                }
            }
        }
        sleep(limits::AGAIN).await;
    }
}

#[cfg(test)]
mod tests {
    use super::{Turns, Watchers};
    use crate::limits;

    #[test]
    fn nobody_is_waited_for_and_nobody_else_tells() {
        let watchers = Watchers::default();
        let mut turns = watchers.watch(7);
        watchers.hand_on(7, "pc1", Turns::default());
        watchers.hand_on(7, "pc2", Turns { from: 9, ..Turns::default() });
        watchers.hand_on(8, "pc1", Turns::default());
        assert_eq!(turns.try_recv().unwrap(), Turns::default());
        assert!(turns.try_recv().is_err(), "another worker, another match");
        for from in 0..=limits::LIVE_AHEAD as u32 {
            watchers.hand_on(7, "pc1", Turns { from, ..Turns::default() });
        }
        let told = std::iter::from_fn(|| turns.try_recv().ok()).count();
        assert_eq!(
            (told, turns.is_closed()),
            (limits::LIVE_AHEAD, true),
            "who does not keep up hears no more"
        );
    }
}
