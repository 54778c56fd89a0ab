//! Every number that bounds something in the computation of ratings.

/// Elo points beyond which a difference is not told: it stands for "more than any number of games so far can say".
pub const ELO_SHOWN: f64 = 2000.0;
/// Steps of Newton's method in a Bradley-Terry fit; it takes about six.
pub(crate) const NEWTON_STEPS: usize = 100;
/// How often one step of Newton's method is halved before the fit is as good as numbers allow.
pub(crate) const NEWTON_HALVINGS: usize = 30;
/// Rounds of conjugate gradients per parameter and step of Newton's method; a connected field takes a few dozen in all.
pub(crate) const GRADIENT_ROUNDS_PER_PARAMETER: usize = 10;
/// Steps of the search for one root.
pub(crate) const ROOT_STEPS: usize = 100;
/// Points of one unit of a sequential test: all rotations of the largest table, half of its seats against the others.
pub(crate) const UNIT_POINTS: u32 = {
    let seats = palestra_core::limits::SEATS as u32;
    seats * 2 * (seats / 2) * (seats / 2)
};
/// Games that a bot of a ladder plays before any other bot is served.
pub(crate) const NEWCOMER_GAMES: u64 = 4;
/// Bots drawn for a ladder's next table, unless it has more seats.
pub(crate) const LADDER_DRAWN: usize = 64;
/// How many of these are tried as the centre of the table.
pub(crate) const LADDER_HEROES: usize = 16;
/// One table in this many is built around the bot with the fewest games.
pub(crate) const LADDER_FAIR_SHARE: u32 = 8;
