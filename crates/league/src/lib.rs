//! Who plays whom, points, ratings and tests of strength.
//!
//! Pure but for its store: every tournament is a log of events, and everything shown about it is computed from the log.

pub mod bundle;
pub mod cup;
pub mod duel;
pub mod event;
mod evidence;
pub mod excuses;
pub mod hall;
pub mod journal;
pub mod ladder;
pub mod limits;
pub mod log;
pub mod organiser;
pub mod overview;
pub mod pairing;
pub mod rating;
pub mod recover;
pub mod referee;
pub mod report;
mod stage;
pub mod store;
mod table;
pub mod tournament;
pub mod view;
