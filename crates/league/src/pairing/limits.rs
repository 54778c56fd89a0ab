//! Every number that bounds a pairing, in one place. An error about a limit names it.

/// Players of one stage.
pub const PLAYERS: usize = 10_000;
/// Players of one stage in tables: how often every two of them met is kept.
pub(crate) const TABLE_PLAYERS: usize = 4_000;
/// Seats of one meeting.
pub const SEATS: usize = palestra_core::limits::SEATS;
/// Rounds of one stage, where it says how many.
pub const ROUNDS: u32 = 1_000_000;
/// Rounds of a Swiss stage.
pub(crate) const SWISS_ROUNDS: u32 = 256;
/// How often everybody meets everybody.
pub(crate) const CYCLES: u32 = 10_000;
/// Meetings of a stage in which everybody meets everybody.
pub(crate) const MEETINGS: u64 = 100_000_000;
/// Games of one meeting.
pub const GAMES: u64 = 100_000;
/// Bytes of a number of points as text.
pub(crate) const POINTS_BYTES: usize = 20;
/// Characters of a wrong word that an error repeats.
pub(crate) const EXCERPT_CHARS: usize = 40;
/// Players of a large Swiss field that are matched at a time, unless there were so many rounds that more are needed.
pub(crate) const SWISS_SECTION: usize = 128;
/// Players that are looked at for one seat of a table.
pub(crate) const CANDIDATES_PER_SEAT: usize = 64;
/// Exchanges of two players that are tried per table of a round, to let them meet as evenly as possible.
pub(crate) const EXCHANGES_PER_TABLE: usize = 60;
/// How far a Swiss pairing looks at who sat first too often.
pub(crate) const SEAT_IMBALANCE: i64 = 8;
/// Who might sit out of a Swiss round, the last first, before some have to meet again for that.
pub(crate) const BYES_TRIED: usize = 16;
/// Drawings of a round in tables of which the best is taken, in a field of [`TABLE_PLAYERS_TRIED`] or fewer.
pub(crate) const TABLE_TRIES: u32 = 8;
/// Players of a field in tables for which several drawings are tried.
pub(crate) const TABLE_PLAYERS_TRIED: usize = 64;
/// Rounds in tables for which several drawings are tried, each as often as fits.
pub(crate) const TABLE_ROUNDS_TRIED: u32 = 10_000;
