//! Where the log of a tournament is kept: in a folder, or in memory.

use palestra_league::event::Event;
use palestra_league::log::{Log, MemoryLog};
use palestra_league::store::Store;
use tempfile::TempDir;

pub(crate) enum Kept {
    Folder {
        store: Box<Store>,
        folder: TempDir,
    },
    /// And everything in it.
    Memory(MemoryLog, Vec<Event>),
}

impl Kept {
    pub(crate) fn folder() -> Kept {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Box::new(Store::open(folder.path()).expect("a store"));
        Kept::Folder { store, folder }
    }

    pub(crate) fn memory() -> Kept {
        Kept::Memory(MemoryLog::default(), Vec::new())
    }

    pub(crate) fn close(self) -> TempDir {
        match self {
            Kept::Folder { folder, .. } => folder,
            Kept::Memory(..) => panic!("it has no folder"),
        }
    }

    pub(crate) fn log(&mut self) -> &mut dyn Log {
        match self {
            Kept::Folder { store, .. } => &mut **store,
            Kept::Memory(log, _) => log,
        }
    }

    pub(crate) fn append(&mut self, events: &[Event]) {
        match self {
            Kept::Folder { store, .. } => store.append(events).expect("they are stored"),
            Kept::Memory(log, all) => {
                for event in events {
                    all.push(event.clone());
                    log.append(all.len() as i64, event.clone());
                }
            }
        }
    }

    /// Everything but for matches that were begun.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        match self {
            Kept::Folder { store, .. } => {
                let mut events = Vec::new();
                store.since(0, |_, event| events.push(event)).expect("they can be read");
                events
            }
            Kept::Memory(_, all) => all.clone(),
        }
    }
}
