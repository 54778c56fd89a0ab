//! The tables of a log, what they must hold, and how each row is known to be as it was written.

use crate::event::Event;
use crate::log::{End, Outcome};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The version of the log. It goes up when a reader of the former version could not read a new log, or would take it for
/// something else. Up to version 3 a fault was a sentence; up to version 4 knockouts had no deciders.
pub const FORMAT: i64 = 5;
/// The first version with checksums, and with the tables of today.
pub(super) const CHECKSUMS: i64 = 3;

/// Which events are not about how a match went.
pub(super) const COURSE: &str = "kind NOT IN ('started', 'finished', 'tainted', 'failed')";
/// Which events are.
pub(super) const RESULT: &str = "kind IN ('finished', 'tainted', 'failed')";
/// What counts of a result. An index holds it, so that whoever computes standings reads nothing else.
pub(super) const BRIEF: &str =
    "json_array(body -> 'players', body -> 'places', body -> 'scores', body -> 'faults', body -> 'why')";

/// Everything in the database, as it says itself. `state` has one row: how much the log holds, so that rows which vanish
/// are missed, and whether somebody has it open.
pub(super) fn schema() -> [String; 4] {
    [
        "CREATE TABLE events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, match INTEGER, \
         body TEXT NOT NULL, sum INTEGER NOT NULL, brief_sum INTEGER NOT NULL) STRICT"
            .to_owned(),
        "CREATE TABLE state (events INTEGER NOT NULL, results INTEGER NOT NULL, course INTEGER NOT NULL, \
         open INTEGER NOT NULL) STRICT"
            .to_owned(),
        format!(
            "CREATE INDEX events_of_matches ON events (match, id, kind, {BRIEF}, brief_sum) WHERE {RESULT}"
        ),
        format!("CREATE INDEX events_of_course ON events (id) WHERE {COURSE}"),
    ]
}

/// One event as the log keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// When, in milliseconds since 1970.
    pub(super) at: i64,
    pub(super) kind: String,
    /// The match it is about.
    pub(super) number: Option<u32>,
    /// The event, as JSON.
    pub(super) body: String,
}

/// A line to be inserted: id, time, kind, match, body, checksum, checksum of what counts.
#[derive(Serialize)]
pub(super) struct Insert<'a>(i64, i64, &'a str, Option<u32>, &'a str, i64, i64);

impl Line {
    pub(super) fn new(at: i64, event: &Event) -> Line {
        let body = serde_json::to_string(event).expect("an event is plain data");
        Line { at, kind: event.kind().to_owned(), number: event.number(), body }
    }

    /// The event; `None` if this is not one.
    pub(super) fn event(&self) -> Option<Event> {
        serde_json::from_str(&self.body).ok()
    }

    pub(super) fn insert(&self, id: i64) -> Insert<'_> {
        let brief = self.is_result().then(|| Outcome::of(id, &self.event()?)).flatten();
        let brief_sum = brief.map_or(0, |outcome| brief_sum(&outcome));
        Insert(id, self.at, &self.kind, self.number, &self.body, self.sum(id), brief_sum)
    }

    pub(super) fn is_result(&self) -> bool {
        matches!(self.kind.as_str(), "finished" | "tainted" | "failed")
    }

    pub(super) fn is_course(&self) -> bool {
        !self.is_result() && self.kind != "started"
    }

    /// The checksum of the whole row.
    pub(super) fn sum(&self, id: i64) -> i64 {
        let mut sum = Sum::default();
        sum.number(id as u64).number(self.at as u64).text(&self.kind);
        sum.number(self.number.map_or(0, |number| u64::from(number) + 1)).text(&self.body);
        sum.finish()
    }
}

/// The checksum of what counts of a result, which is read without the rest of its row.
pub(super) fn brief_sum(outcome: &Outcome) -> i64 {
    let mut sum = Sum::default();
    sum.number(outcome.id as u64).number(outcome.number.into());
    match &outcome.end {
        End::Tainted => sum.text("tainted"),
        End::Failed(why) => sum.text("failed").text(why),
        End::Played(counted) => {
            sum.text("finished");
            for seat in &counted.seats {
                sum.number(seat.player.0.into()).number(seat.place.into());
                sum.number(seat.score.0).number(seat.score.1);
            }
            for fault in &counted.faults {
                sum.number(fault.seat.into()).number(fault.turn.into()).text(&fault.kind);
                sum.text(&fault.what.to_text());
            }
            &mut sum
        }
    };
    sum.finish()
}

#[derive(Default)]
struct Sum(Sha256);

impl Sum {
    fn number(&mut self, number: u64) -> &mut Sum {
        self.0.update(number.to_le_bytes());
        self
    }

    fn text(&mut self, text: &str) -> &mut Sum {
        self.number(text.len() as u64).0.update(text);
        self
    }

    /// As many bits of it as a number in the database has, without the sign.
    fn finish(self) -> i64 {
        let digest: [u8; 32] = self.0.finalize().into();
        let head: [u8; 8] = digest[..8].try_into().expect("eight bytes");
        (u64::from_le_bytes(head) >> 1) as i64
    }
}
