//! Who plays whom, points, ratings and tests of strength.
//!
//! Pure but for its store: every tournament is a log of events, and everything shown about it is computed from the log.

pub mod bundle;
pub mod duel;
pub mod event;
pub mod ladder;
pub mod limits;
pub mod log;
pub mod log_writer;
pub mod match_runner;
pub mod overview;
pub mod pairing;
pub mod plan;
pub mod rating;
pub mod recover;
pub mod report;
pub mod retries;
mod stage;
mod standings;
mod statistics;
pub mod store;
pub mod tournament;
pub mod tournament_run;
mod view;
pub mod worker_pool;
