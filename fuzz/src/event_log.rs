//! The rows of a tournament's log, one event in JSON on each line.

use palestra_league::event::Event;
use palestra_league::log::MemoryLog;
use palestra_league::tournament::Tournament;

/// Events, as a log has them.
pub fn event_log(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut events = Vec::new();
    for (id, line) in (1..).zip(text.lines()) {
        let Ok(event) = serde_json::from_str::<Event>(line) else { continue };
        let written = serde_json::to_string(&event).expect("an event is plain data");
        let again: Event = serde_json::from_str(&written).expect("an event reads as it is written");
        assert_eq!(serde_json::to_string(&again).expect("an event is plain data"), written);
        events.push((id, event));
    }
    let mut missing = Vec::new();
    if let Ok(tournament) = Tournament::open(&mut MemoryLog::new(events), &mut missing) {
        assert!(tournament.failed().len() <= text.len());
    }
}
