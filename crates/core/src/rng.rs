//! The one source of chance: xoshiro256++, seeded from the match seed.
//!
//! The generator comes from a library; what is drawn from it is defined here, because the result must stay the
//! same for ever and libraries only promise that for the generator itself.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A portable random generator: the same seed gives the same numbers on every machine and in every version.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator of its own for one purpose, so that drawing for one thing never shifts another.
    ///
    /// ```
    /// use palestra_core::Rng;
    ///
    /// let alone = Rng::stream(7, "bot", 0).bits();
    ///
    /// let (mut map, mut bot) = (Rng::stream(7, "map", 0), Rng::stream(7, "bot", 0));
    /// map.bits();
    /// assert_eq!(bot.bits(), alone);
    /// ```
    pub fn stream(seed: u64, purpose: &str, number: u64) -> Rng {
        // FNV-1a: short, fixed for ever, and good enough to keep purposes apart.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in purpose.bytes().chain(number.to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Rng::new(seed ^ hash)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "no number is below 0");
        // Lemire's multiplication: the high half is the result, a low half below the threshold is drawn again.
        let mut product = u64::from(self.bits() as u32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.bits() as u32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        assert!(low <= high, "an empty range");
        match (high - low).checked_add(1) {
            Some(width) => low + self.below(width),
            None => self.bits() as u32,
        }
    }

    /// True in `numerator` of `denominator` cases.
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator
    }

    /// One of the items, or none of an empty list.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len() as u32) as usize])
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_numbers_never_change() {
        // Recorded once. If this fails, every stored replay with a generated map is at risk.
        let mut rng = Rng::new(7);
        let drawn: Vec<u32> = (0..6).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, [166, 977, 690, 387, 958, 484]);
        let mut rng = Rng::stream(7, "map", 3);
        assert_eq!(rng.bits(), 1_251_537_811_721_982_812);
    }

    #[test]
    fn every_number_below_the_bound_comes_up() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
