//! What a tournament needs of its log, wherever that is kept.
//!
//! A [`Store`](crate::store::Store) keeps it in a folder; whoever keeps events in a database of their own holds those of a
//! running tournament in a [`MemoryLog`].

use crate::event::{Counted, Event};
use crate::store::StoreError;
use std::collections::BTreeMap;

/// The events of one tournament, to be read. Each has an id; later ones have higher ids.
pub trait Log {
    /// What it is called where something is wrong with it.
    fn name(&self) -> String;

    /// The highest number of a match that something became of, 0 if there is none.
    fn last_match(&mut self) -> Result<u32, StoreError>;

    /// Events that are not about how a match went, in order: few.
    fn course(&mut self) -> Result<Vec<(i64, Event)>, StoreError>;

    /// What became of the matches with numbers from `first` to `last` (finished, tainted, failed), in order of number,
    /// then of time.
    fn results(&mut self, first: u32, last: u32) -> Result<Vec<(i64, Event)>, StoreError>;

    /// The same, but only what counts: worth its own way where very many results are read.
    fn outcomes(&mut self, first: u32, last: u32) -> Result<Vec<Outcome>, StoreError> {
        let results = self.results(first, last)?;
        Ok(results.into_iter().filter_map(|(id, event)| Outcome::of(id, &event)).collect())
    }
}

/// How a match went, as far as it counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub(crate) id: i64,
    pub(crate) number: u32,
    pub(crate) end: End,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum End {
    Played(Counted),
    Tainted,
    Failed(String),
}

impl Outcome {
    /// What counts of an event; `None` if it is not about how a match went.
    pub fn of(id: i64, event: &Event) -> Option<Outcome> {
        let end = match event {
            Event::Finished(finished) => End::Played(Counted::from(finished)),
            Event::Tainted(_) => End::Tainted,
            Event::Failed { why, .. } => End::Failed(why.clone()),
            _ => return None,
        };
        Some(Outcome { id, number: event.number()?, end })
    }
}

/// A log in memory.
#[derive(Clone, Default, Debug)]
pub struct MemoryLog {
    course: Vec<(i64, Event)>,
    /// By the number of the match.
    results: BTreeMap<u32, Vec<(i64, Event)>>,
}

impl MemoryLog {
    /// A log of these events, in the order of their ids.
    pub fn new(events: Vec<(i64, Event)>) -> MemoryLog {
        let mut log = MemoryLog::default();
        for (id, event) in events {
            log.append(id, event);
        }
        log
    }

    /// One more event; its id is higher than all before.
    pub fn append(&mut self, id: i64, event: Event) {
        match &event {
            // Nothing is ever computed from it.
            Event::Started { .. } => {}
            Event::Finished(_) | Event::Tainted(_) | Event::Failed { .. } => {
                let number = event.number().expect("it is about a match");
                self.results.entry(number).or_default().push((id, event));
            }
            _ => self.course.push((id, event)),
        }
    }
}

impl Log for MemoryLog {
    fn name(&self) -> String {
        "the log".to_owned()
    }

    fn last_match(&mut self) -> Result<u32, StoreError> {
        Ok(self.results.last_key_value().map_or(0, |(number, _)| *number))
    }

    fn course(&mut self) -> Result<Vec<(i64, Event)>, StoreError> {
        Ok(self.course.clone())
    }

    fn results(&mut self, first: u32, last: u32) -> Result<Vec<(i64, Event)>, StoreError> {
        Ok(self.results.range(first..=last).flat_map(|(_, events)| events).cloned().collect())
    }

    fn outcomes(&mut self, first: u32, last: u32) -> Result<Vec<Outcome>, StoreError> {
        let events = self.results.range(first..=last).flat_map(|(_, events)| events);
        Ok(events.filter_map(|(id, event)| Outcome::of(*id, event)).collect())
    }
}
