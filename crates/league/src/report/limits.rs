//! Every number that bounds a report.

/// Matches listed on the page, the newest; the CSV file has them all.
pub const PAGE_MATCHES: usize = 5000;
/// Bots with a colour of their own; the others are grey until somebody points at them.
pub const COLOURED_BOTS: usize = 10;
/// Of those, how many are drawn with solid lines; dashes tell the others from them where colours are alike.
pub const SOLID_LINES: usize = 5;
/// Bots up to which the cells of the cross table have room for a number.
pub const NUMBERED_CELLS: usize = 20;
/// Letters of a name in a bracket; the whole name appears when somebody points at it.
pub const BRACKET_LETTERS: usize = 18;
/// Lines up to which a table is set with room between them.
pub const ROOMY_ROWS: usize = 16;
/// Bots up to which the cross table needs only half of the page.
pub const SMALL_CROSS_TABLE: usize = 10;
