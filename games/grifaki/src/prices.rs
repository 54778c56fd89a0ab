//! What the n-th building of a kind costs: the price grows by a percentage each time and is rounded down only when it
//! is asked for, never on the way.

/// The prices of one kind of building, as far as anybody can pay them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prices(Vec<u32>);

impl Prices {
    /// The prices of the first `most` buildings. They stop at the first that no cell can hold the units for.
    pub(crate) fn new(base: u32, growth_percent: u32, most: usize) -> Prices {
        let mut prices = Vec::new();
        let mut price = Hundredths::new(base);
        while prices.len() < most
            && let Some(whole) = price.whole()
        {
            prices.push(whole);
            price.multiply(100 + growth_percent);
        }
        Prices(prices)
    }

    /// The price after so many buildings; `None` is out of reach.
    #[inline]
    pub(crate) fn after(&self, built: u32) -> Option<u32> {
        self.0.get(built as usize).copied()
    }
}

/// An exact number with hundredths of hundredths of hundredths: digits to the base 100, the least one first.
///
/// Growing by a percentage is a multiplication with a whole number and a shift by one digit, and rounding down is
/// leaving digits out, so nothing is ever divided.
struct Hundredths {
    digits: Vec<u32>,
    /// How many of the digits are behind the point.
    behind: usize,
}

impl Hundredths {
    fn new(whole: u32) -> Hundredths {
        let mut number = Hundredths { digits: Vec::new(), behind: 0 };
        number.carry(u64::from(whole));
        number
    }

    /// Times so many hundredths.
    fn multiply(&mut self, hundredths: u32) {
        let mut carry = 0;
        for digit in &mut self.digits {
            let product = u64::from(*digit) * u64::from(hundredths) + carry;
            *digit = (product % 100) as u32;
            carry = product / 100;
        }
        self.carry(carry);
        self.behind += 1;
        // Zeros at the end say nothing; without them a price that does not grow stays short.
        let zeros = self.digits.iter().take(self.behind).take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.behind -= zeros;
    }

    fn carry(&mut self, mut rest: u64) {
        while rest > 0 {
            self.digits.push((rest % 100) as u32);
            rest /= 100;
        }
    }

    /// Rounded down, if that fits a cell.
    fn whole(&self) -> Option<u32> {
        let digits = self.digits.get(self.behind..).unwrap_or(&[]);
        digits.iter().rev().try_fold(0_u32, |whole, digit| whole.checked_mul(100)?.checked_add(*digit))
    }
}

#[cfg(test)]
mod tests {
    use super::Prices;

    /// A number of any size, to the base 2^32, the least digit first: slow and plain.
    #[derive(Clone)]
    struct Big(Vec<u32>);

    impl Big {
        fn times(mut self, factor: u32) -> Big {
            let mut carry = 0_u64;
            for digit in &mut self.0 {
                let product = u64::from(*digit) * u64::from(factor) + carry;
                *digit = product as u32;
                carry = product >> 32;
            }
            self.0.push(carry as u32);
            self
        }

        fn divided(mut self, divisor: u32) -> Big {
            let mut rest = 0_u64;
            for digit in self.0.iter_mut().rev() {
                let part = rest << 32 | u64::from(*digit);
                *digit = (part / u64::from(divisor)) as u32;
                rest = part % u64::from(divisor);
            }
            self
        }

        fn small(&self) -> Option<u32> {
            self.0[1..].iter().all(|digit| *digit == 0).then_some(self.0[0])
        }
    }

    /// floor(base * (100 + growth)^n / 100^n); dividing n times rounds down to the same as dividing once.
    fn slow(base: u32, growth: u32, built: u32) -> Option<u32> {
        let product = (0..built).fold(Big(vec![base]), |big, _| big.times(100 + growth));
        (0..built).fold(product, |big, _| big.divided(100)).small()
    }

    #[test]
    fn prices_are_exact_until_they_are_out_of_reach() {
        for (base, growth) in
            [(50, 10), (200, 70), (1, 1), (7, 3), (99, 99), (100, 100), (3, 1000), (1_000_000, 33), (12, 250)]
        {
            let prices = Prices::new(base, growth, 5000);
            let count = prices.0.len() as u32;
            let step = (count / 40).max(1);
            for built in (0..count + 3).step_by(step as usize).chain([count - 1, count]) {
                assert_eq!(prices.after(built), slow(base, growth, built), "{base} + {growth} %, {built}");
            }
        }
    }

    #[test]
    fn the_usual_prices() {
        let walls = Prices::new(50, 10, 400);
        assert_eq!((0..6).map(|n| walls.after(n).unwrap()).collect::<Vec<_>>(), [50, 55, 60, 66, 73, 80]);
        let cities = Prices::new(200, 70, 400);
        assert_eq!(
            (0..6).map(|n| cities.after(n).unwrap()).collect::<Vec<_>>(),
            [200, 340, 578, 982, 1670, 2839]
        );
    }

    #[test]
    fn prices_that_do_not_grow_stay() {
        let prices = Prices::new(50, 0, 40_000);
        assert_eq!((prices.after(0), prices.after(39_999), prices.after(40_000)), (Some(50), Some(50), None));
        assert_eq!(Prices::new(0, 70, 9).after(8), Some(0));
    }
}
