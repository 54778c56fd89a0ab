//! Maps that episodes share: making one takes longer than hundreds of turns.

use crate::encoding::Encoding;
use crate::game::{SetupError, SetupOf};
use crate::rng::Rng;
use std::sync::OnceLock;

/// Maps by number, each made when it is first drawn. Which one a number is follows from the seed alone.
pub(super) struct Pool<G: Encoding> {
    seed: u64,
    maps: Vec<OnceLock<Result<SetupOf<G>, SetupError>>>,
}

impl<G: Encoding> Pool<G> {
    pub(super) fn new(seed: u64, maps: u32) -> Pool<G> {
        Pool { seed, maps: (0..maps).map(|_| OnceLock::new()).collect() }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The map with this number, made from its own seed if nobody has drawn it before.
    pub(super) fn map(
        &self,
        number: u32,
        make: impl Fn(u64) -> Result<SetupOf<G>, SetupError>,
    ) -> Result<&SetupOf<G>, SetupError> {
        let seed = || Rng::stream(self.seed, "pooled map", number.into()).bits();
        self.maps[number as usize].get_or_init(|| make(seed())).as_ref().map_err(SetupError::clone)
    }
}
