//! Every number that bounds a tournament, in one place. An error about a limit names it.

use crate::pairing::Points;
use std::time::Duration;

/// Bots in one tournament.
pub const BOTS: usize = 10_000;
/// Matches in one tournament.
pub const MATCHES: u32 = 1 << 31;
/// Maps in one tournament.
pub const MAPS: usize = 1_000;
/// Stages in one tournament.
pub const STAGES: usize = 20;
/// Bytes of a name.
pub const NAME_BYTES: usize = 100;
/// Matches at the same time.
pub const PARALLEL: usize = 1_024;
/// How often a match is played again because the host was at fault, if the plan does not say; on a ladder, how many of
/// a bot's matches in a row are left out.
pub const RETRIES: u32 = 3;
/// How often a plan may ask for that.
pub(crate) const MAX_RETRIES: u32 = 100;
/// Faults of one match that go into the log; its replay has all of them.
pub(crate) const FAULTS_LOGGED: usize = 20;
/// Results are handed on together so often, to be stored.
pub(crate) const COMMIT_EVERY: Duration = Duration::from_millis(100);
/// So often it is looked whether matches can be played elsewhere, if nobody says so.
pub(crate) const LOOK_ELSEWHERE: Duration = Duration::from_millis(20);
/// Rows of the log read at a time.
pub(crate) const ROWS_READ: u32 = 10_000;
/// Bytes of a log up to which all of it is checked whenever it is opened; a larger one after an unclean end only.
pub(crate) const LOG_BYTES_CHECKED: u64 = 16 << 20;
/// Matches whose replays are looked for at a time, when a log is recovered.
pub(crate) const RECOVERED_TOGETHER: usize = 1_000;
/// Ids that are tried behind the last row that can be read, when a damaged log is recovered.
pub(crate) const ROWS_TRIED: i64 = 100_000;
/// Matches of a bot that could not be played, one after the other, after which a ladder looks whether it can play at all.
pub(crate) const LADDER_FAILURES: u32 = 3;
/// Matches that are drawn ahead for each worker, at least; more if they are short.
pub(crate) const PREFETCH_MIN: usize = 8;
/// And at most.
pub(crate) const PREFETCH_MAX: usize = 1_000;
/// Rounds of a stage after which its points are remembered; of more rounds, evenly spread ones are.
pub(crate) const COURSE_POINTS: usize = 128;
/// Points of one match.
pub(crate) const MATCH_POINTS: Points = Points::whole(1_000_000);
/// Matches that could not be played whose reasons are told; further ones are counted.
pub(crate) const FAILURES_KEPT: usize = 100;
/// Meetings that are drawn and not over, in formats that can be drawn ahead.
pub(crate) const MEETINGS_OPEN: usize = 100_000;
/// Bytes of a bot's file that are looked at to recognise it.
pub const PROGRAM_BYTES: u64 = 256 << 20;
/// Units of a duel that are drawn and do not count yet.
pub(crate) const UNITS_OPEN: usize = 1_000;
/// Games after which a duel stops without an answer, if nobody says otherwise.
pub const DUEL_GAMES: u64 = 100_000;
/// Batches of events that wait for the disk before matches do.
pub(crate) const BATCHES_WAITING: usize = 64;
/// Bytes of replays in one file, after which the next one begins.
pub(crate) const BUNDLE_BYTES: u64 = 256 << 20;
/// Deciders of a knockout's meeting that is equal, two matches with seats swapped each, if the plan does not say.
pub const DECIDERS: u32 = 2;
/// How many a plan may ask for.
pub(crate) const MAX_DECIDERS: u32 = 20;
/// Rounds of a Swiss stage.
pub(crate) const SWISS_ROUNDS: u32 = 1000;
