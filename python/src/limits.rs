//! Every number that bounds something here.

use std::time::Duration;

/// Boards whose observations a function is ready to make.
pub(crate) const KNOWN_SPACES: usize = 16;
/// Between two looks whether somebody wants to stop what is played.
pub(crate) const SIGNALS_EVERY: Duration = Duration::from_millis(50);
