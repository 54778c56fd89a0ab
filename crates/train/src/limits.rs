//! Every number that bounds something here.

/// Environments of one batch.
pub(crate) const ENVIRONMENTS: usize = 1 << 20;
/// Threads of one batch.
pub(crate) const THREADS: usize = 256;
/// Fewer environments for each thread are moved faster by fewer threads.
pub(crate) const ENVIRONMENTS_WORTH_A_THREAD: usize = 64;
/// Groups that the environments of a thread are dealt out in, so that one that is done early helps another.
pub(crate) const GROUPS_OF_A_THREAD: usize = 8;
