//! Every number that bounds a report.

/// Matches listed on the page, the newest; the CSV file has them all.
pub const PAGE_MATCHES: usize = 5000;
/// Moments of the chart of points; of more rounds every second, third... is left out.
pub(crate) const COURSE_POINTS: usize = 256;
