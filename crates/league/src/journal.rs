//! Stores what happens while matches go on: in order, together, and in the background, so that no worker waits for a disk.

use crate::event::Event;
use crate::limits;
use crate::store::{Store, StoreError};
use palestra_runner::FileError;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

/// Writes to a tournament's log in a thread of its own.
pub struct Journal {
    sender: Option<SyncSender<Batch>>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
}

/// What happened at about the same time.
#[derive(Default)]
pub struct Batch {
    /// In order.
    pub events: Vec<Event>,
    /// Replays that the events name.
    pub replays: Vec<File>,
}

impl Journal {
    /// Begins to write to the log of a folder that this process holds.
    pub fn begin(folder: &Path) -> Result<Journal, StoreError> {
        let store = Store::beside(folder)?;
        let (sender, batches) = mpsc::sync_channel(limits::BATCHES_WAITING);
        let thread = thread::spawn(move || write(store, &batches));
        Ok(Journal { sender: Some(sender), thread: Some(thread) })
    }

    /// Stores a batch soon. Waits only if the disk cannot keep up, and fails if something before could not be stored.
    pub fn append(&mut self, batch: Batch) -> Result<(), StoreError> {
        let Some(sender) = &self.sender else {
            return Ok(());
        };
        if batch.events.is_empty() || sender.send(batch).is_ok() {
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

impl Drop for Journal {
    fn drop(&mut self) {
        // Whoever wants to know ends it before.
        let _ = self.end();
    }
}

fn write(mut store: Store, batches: &Receiver<Batch>) -> Result<(), StoreError> {
    while let Ok(mut batch) = batches.recv() {
        // Whatever has come in the meantime goes along.
        for more in batches.try_iter() {
            batch.events.extend(more.events);
            batch.replays.extend(more.replays);
        }
        sync(&batch.replays).map_err(|error| FileError::Write {
            path: store.folder().join("replays"),
            why: error.to_string(),
        })?;
        store.append(&batch.events)?;
    }
    Ok(())
}

/// Files that are synced side by side are written to the disk together; one after the other, each waits for its own turn.
fn sync(files: &[File]) -> io::Result<()> {
    let each = files.len().div_ceil(limits::SYNCS_SIDE_BY_SIDE).max(1);
    thread::scope(|scope| {
        let syncs: Vec<_> = files
            .chunks(each)
            .map(|files| scope.spawn(|| files.iter().try_for_each(File::sync_all)))
            .collect();
        syncs.into_iter().try_for_each(|sync| sync.join().expect("syncing does not panic"))
    })
}
