//! Every number that bounds the queue, in one place. An error about a limit names it.

use std::time::Duration;

/// How long connecting may take, and any single request.
pub const CONNECT: Duration = Duration::from_secs(5);
/// How long a request to the queue may take.
pub(crate) const REQUEST: Duration = Duration::from_secs(5);
/// The longest pause between two attempts to connect again.
pub(crate) const RECONNECT: Duration = Duration::from_secs(2);
/// After so long without a sign of life, a worker's matches are given to another one.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(10);
/// How often a worker says within that time that it is still at what it has taken.
pub(crate) const SIGNS_OF_LIFE: u32 = 3;
/// How often a worker says what it offers.
pub(crate) const OFFER_EVERY: Duration = Duration::from_secs(2);
/// A worker that has not been heard for so long is not counted on.
pub(crate) const WORKER_GONE: Duration = Duration::from_secs(7);
/// How often a worker looks which work there is, whether or not somebody said so.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often the server looks whether the queue has lost something.
pub(crate) const SWEEP_EVERY: Duration = Duration::from_secs(1);
/// Work that is in the queue no more is expected to have its result there within this time.
pub(crate) const RESULT_DELAY: Duration = Duration::from_secs(5);
/// How long what was handed in waits for more of the same kind, to be sent together.
pub(crate) const LINGER: Duration = Duration::from_millis(2);
/// Work that is waiting or done, and that nobody takes, is forgotten by the queue after this time; programs after twice as
/// long, and those that are played are put there again before.
pub(crate) const KEPT: Duration = Duration::from_secs(24 * 3600);
/// A message that is published again within this time is dropped by the queue.
pub(crate) const DUPLICATES: Duration = Duration::from_secs(120);
/// How long the matches of one message should take together: in the end one place may have nothing to do for so long.
pub(crate) const BATCH_TIME: Duration = Duration::from_millis(100);
/// Messages for each place that open matches are dealt out to, where they are few.
pub(crate) const BATCHES_EACH: usize = 2;
/// Matches in one message.
pub(crate) const BATCH_MATCHES: usize = 200;
/// Messages that wait in a worker for each of its places, where matches are short.
pub(crate) const BATCHES_AHEAD: usize = 1;
/// Bytes of settings, maps and programs' names in one message of work; more of them make another message.
pub(crate) const BATCH_BYTES: usize = 256 << 10;
/// A map of more bytes is fetched like a program.
pub(crate) const SETUP_BYTES: usize = 64 << 10;
/// Bytes of one message with results, or with a program; what is longer comes in parts.
pub(crate) const PART_BYTES: usize = 512 << 10;
/// Bytes of results after which a worker sends what it has.
pub(crate) const PARCEL_BYTES: usize = 4 << 20;
/// Parts of the results of one message of work, and with it their size.
pub(crate) const PARTS: u32 = 256;
/// Bytes of results that have come in part, for all workers together.
pub(crate) const PARTIAL_BYTES: usize = 512 << 20;
/// Workers that were lost with a match in their hands, before it is set aside.
pub const LOSSES: u32 = 3;
/// How often a match is given to another worker because one could not play it.
pub const TRIES: u32 = 3;
/// Matches one after the other that a worker could not play, before it is set aside.
pub(crate) const TROUBLES: u32 = 5;
/// Matches of which nobody knows yet how long they take that are sent for each place.
pub(crate) const UNKNOWN_AHEAD: usize = 2;
/// Bytes of a program with everything it needs.
pub const PROGRAM_BYTES: u64 = 64 << 20;
/// Files of a program.
pub(crate) const PROGRAM_FILES: usize = 2_000;
/// Bytes of something that is fetched: a program, and what its archive says about its files.
pub(crate) const OBJECT_BYTES: usize = PROGRAM_BYTES as usize + (PROGRAM_FILES << 11) + (1 << 12);
/// Chunks of it that are on their way to the queue at a time.
pub(crate) const CHUNKS_AHEAD: usize = 8;
/// Bytes of everything that a worker has fetched; the oldest goes first.
pub(crate) const FETCHED_BYTES: u64 = 4 << 30;
/// Bytes of what a worker says about itself.
pub(crate) const OFFER_BYTES: usize = 16 << 10;
/// Workers that are known at a time.
pub(crate) const WORKERS: usize = 20_000;
/// Bytes of a worker's name.
pub const NAME_BYTES: usize = 64;
/// Places of one worker.
pub const PLACES: usize = 1_024;
/// What the organiser has not been told yet; further ones are dropped.
pub(crate) const NOTICES: usize = 1_000;
/// Faults of one match that a worker says more about.
pub(crate) const FAULTS: usize = 1 << 14;
/// Lines of standard error that are told about a fault.
pub(crate) const FAULT_LINES: usize = 64;
/// Bytes of a reason that a worker gives.
pub(crate) const REASON_BYTES: usize = 4 << 10;
/// How long the speed of a worker is measured.
pub(crate) const SPEED: Duration = Duration::from_millis(100);
/// How long a tool may take to say its version.
pub(crate) const TOOL_VERSION: Duration = Duration::from_secs(3);
/// How long a worker tries to hand in its last results when it is asked to end.
pub(crate) const LAST_RESULTS: Duration = Duration::from_secs(20);
/// Between two attempts at what the queue does not do now.
pub(crate) const AGAIN: Duration = Duration::from_millis(200);
/// Batches that are looked for in the queue at a time.
pub(crate) const LOOKS: usize = 50;
/// The queue says so often that it is there, to those who wait for results.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long one request for results waits.
pub(crate) const PULL: Duration = Duration::from_secs(10);
/// Messages with results that are fetched ahead.
pub(crate) const RESULTS_AHEAD: usize = 64;
/// How often a worker tells of a match that is looked on at, at most.
pub(crate) const LIVE_EVERY: Duration = Duration::from_millis(100);
/// Bytes of turns after which it does so earlier.
pub(crate) const LIVE_BYTES: usize = 256 << 10;
/// Messages with turns that wait to be sent, or to be looked at; beyond that the telling of that match ends.
pub(crate) const LIVE_AHEAD: usize = 64;
