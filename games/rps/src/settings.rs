//! Every constant of the rules. The rules code has no numbers of its own.

palestra_core::settings! {
    /// The constants of Rock Paper Scissor.
    pub struct Settings {
        /// Rows and columns of the arena that is made for a match without a map.
        size: u32 = 20, in 4..=100;
        /// Own ticks that a player's first unit takes.
        first_unit_ticks: u32 = 10, in 1..=10_000;
        /// By how many own ticks each further unit takes longer than the one before.
        unit_ticks_growth: u32 = 1, in 0..=10_000;
        /// What the time of a unit is multiplied with while one base is held: numerator and denominator.
        factor_one_base: [u32; 2] = [3, 4], in 1..=1000;
        /// What the time of a unit is multiplied with while both bases are held: numerator and denominator.
        factor_two_bases: [u32; 2] = [1, 2], in 1..=1000;
        /// Ticks of both players that the enemy factory must be held for.
        hold_ticks: u32 = 20, in 1..=100_000;
        /// The tick after which the match is a draw.
        max_ticks: u32 = 4000, in 1..=100_000;
        /// So many answers in a row that do not come in time lose the match.
        max_missed_answers: u32 = 40, in 1..=100_000;
    }
}
