//! Stores what happens while matches go on: in order, together, and in the background, so that no worker waits for a disk.

use crate::bundle::{Bundles, Packed};
use crate::event::Event;
use crate::limits;
use crate::store::{Store, StoreError};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

/// Writes to a tournament's log in a thread of its own.
pub struct LogWriter {
    sender: Option<SyncSender<Batch>>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
}

/// What happened at about the same time, in order; with the replays of matches that were played.
#[derive(Default)]
pub struct Batch(Vec<Entry>);

type Entry = (Event, Option<Packed>);

impl Batch {
    /// One more event.
    pub fn push(&mut self, event: Event) {
        self.0.push((event, None));
    }

    /// A match that was played, and its replay, which the log will name.
    pub fn push_played(&mut self, event: Event, replay: Option<Packed>) {
        self.0.push((event, replay));
    }
}

impl Extend<Event> for Batch {
    fn extend<T: IntoIterator<Item = Event>>(&mut self, events: T) {
        self.0.extend(events.into_iter().map(|event| (event, None)));
    }
}

impl From<Vec<Event>> for Batch {
    fn from(events: Vec<Event>) -> Batch {
        let mut batch = Batch::default();
        batch.extend(events);
        batch
    }
}

impl LogWriter {
    /// Begins to write to the log of a folder that this process holds.
    pub fn begin(folder: &Path) -> Result<LogWriter, StoreError> {
        let (store, bundles) = (Store::beside(folder)?, Bundles::open(folder)?);
        let (sender, batches) = mpsc::sync_channel(limits::BATCHES_WAITING);
        let thread = thread::spawn(move || write(store, bundles, &batches));
        Ok(LogWriter { sender: Some(sender), thread: Some(thread) })
    }

    /// Stores a batch soon. Waits only if the disk cannot keep up, and fails if something before could not be stored.
    pub fn append(&mut self, batch: Batch) -> Result<(), StoreError> {
        let Some(sender) = &self.sender else {
            return Ok(());
        };
        if batch.0.is_empty() || sender.send(batch).is_ok() {
            return Ok(());
        }
        self.end()
    }

    /// Everything is on the disk when this returns.
    pub fn end(&mut self) -> Result<(), StoreError> {
        self.sender = None;
        let ended = self.thread.take().map(JoinHandle::join);
        ended.map_or(Ok(()), |ended| ended.expect("writing does not panic"))
    }
}

impl Drop for LogWriter {
    fn drop(&mut self) {
        // Whoever wants to know ends it before.
        let _ = self.end();
    }
}

/// A match whose end is stored in the same moment was begun: its start would be half of what quick tournaments store.
fn leave_out_short_starts(entries: Vec<Entry>) -> Vec<Entry> {
    let mut ended = BTreeSet::new();
    let stored = |(event, _): &Entry| match event {
        Event::Started { number, .. } => !ended.remove(number),
        Event::Finished(played) | Event::Tainted(played) => {
            ended.insert(played.number);
            true
        }
        Event::Failed { number, .. } => {
            ended.insert(*number);
            true
        }
        _ => true,
    };
    let mut entries: Vec<Entry> = entries.into_iter().rev().filter(stored).collect();
    entries.reverse();
    entries
}

fn write(mut store: Store, mut bundles: Bundles, batches: &Receiver<Batch>) -> Result<(), StoreError> {
    while let Ok(Batch(mut entries)) = batches.recv() {
        // Whatever has come in the meantime goes along.
        entries.extend(batches.try_iter().flat_map(|Batch(more)| more));
        let entries = leave_out_short_starts(entries);
        let stored = bundles.append(entries.iter().filter_map(|(_, replay)| replay.as_ref()))?;
        let mut stored = stored.into_iter();
        let named = |(mut event, replay): Entry| {
            let replay = replay.and_then(|_| stored.next());
            if let Event::Finished(played) | Event::Tainted(played) = &mut event {
                played.replay = replay;
            }
            event
        };
        store.append(&entries.into_iter().map(named).collect::<Vec<Event>>())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::leave_out_short_starts;
    use crate::event::Event;

    fn started(number: u32) -> Event {
        Event::Started { number, players: Vec::new() }
    }

    fn failed(number: u32) -> Event {
        Event::Failed { number, players: Vec::new(), why: "it could not be played".to_owned() }
    }

    #[test]
    fn only_the_start_of_what_goes_on_is_stored() {
        let happened = [started(1), started(2), failed(1), started(3), failed(3), started(3)];
        let stored = leave_out_short_starts(happened.into_iter().map(|event| (event, None)).collect());
        let stored: Vec<Event> = stored.into_iter().map(|(event, _)| event).collect();
        assert_eq!(stored, [started(2), failed(1), failed(3), started(3)]);
    }
}
