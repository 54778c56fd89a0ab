//! Matches played by workers on other machines, over NATS with JetStream.
//!
//! A server ([`Dispatcher`]) puts batches of matches into lines of work, one line for each need; a [`Worker`] takes what it
//! can play, fetches programs by their SHA-256, plays, and sends back replays. The queue is not the truth: what is to be
//! played follows from the server's log, the queue may lose, repeat or reorder everything, and a result counts once. Results
//! are checked, not believed: every replay is played again before it counts.
//!
//! This crate decides neither who plays whom nor where results are kept, and knows no game by name.

mod address;
mod dispatch;
mod field;
mod inspect;
pub mod limits;
mod live;
pub mod messages;
mod need;
mod notice;
mod objects;
mod order;
pub mod pack;
pub mod rights;
pub mod streams;
mod verify;
mod worker;

pub use address::{Address, QueueError, WORKER_LINE, certificate_refused};
pub use dispatch::{DispatchOptions, Dispatcher, new_run};
pub use field::{Field, FieldOptions};
pub use inspect::{Inspection, inspect};
pub use live::Turns;
pub use messages::Sandbox;
pub use need::{Lack, Need, Offer, is_name, own_system};
pub use notice::Notice;
pub use order::{Answer, MatchOrder, RemotePlayed, SeatOrder};
pub use pack::{Pack, PackError, PortableBot};
pub use verify::{Refusal, verify};
pub use worker::{Ended, Listener, OfferSummary, Worker, WorkerCounts, WorkerNews, WorkerOptions, new_name};
