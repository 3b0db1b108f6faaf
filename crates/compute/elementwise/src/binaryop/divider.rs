//! Division of many integers by one: a multiplication and a shift (Granlund and Montgomery 1994).

/// Division of integers by one number, two or more, rounded down.
#[derive(Clone, Copy, Debug)]
pub struct Divider {
    divisor: i64,
    multiplier: u64,
    shift: u32,
}

impl Divider {
    /// `None` for divisors below two.
    pub(crate) fn new(divisor: i64) -> Option<Self> {
        if divisor < 2 {
            return None;
        }
        // Numbers below 2⁶³ have the quotient n · m >> 63 + bits, where m · divisor exceeds 2^(63 + bits) by no more than
        // 2^bits; for divisors of so many bits m fits 64 bits.
        let bits = u64::BITS - (divisor as u64 - 1).leading_zeros();
        let multiplier = ((1u128 << (63 + bits)) / divisor as u128 + 1) as u64;
        Some(Self { divisor, multiplier, shift: bits - 1 })
    }

    #[inline(always)]
    pub(crate) fn quotient(&self, of: i64) -> i64 {
        // A number below zero is −1 less a number below 2⁶³, and so is its quotient.
        let sign = of >> 63;
        let high = (u128::from((of ^ sign) as u64) * u128::from(self.multiplier)) >> 64;
        (high as u64 >> self.shift) as i64 ^ sign
    }

    #[inline(always)]
    pub(crate) fn rest(&self, of: i64) -> i64 {
        of.wrapping_sub(self.quotient(of).wrapping_mul(self.divisor))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn agrees(of: i64, divisor: i64) -> bool {
        let divider = Divider::new(divisor).unwrap();
        let (quotient, rest) = (of.div_euclid(divisor), of.rem_euclid(divisor));
        (divider.quotient(of), divider.rest(of)) == (quotient, rest)
    }

    #[test]
    fn at_multiples_and_ends() {
        assert!(Divider::new(1).is_none() && Divider::new(0).is_none() && Divider::new(-7).is_none());
        let mut divisors: Vec<i64> = (2..200).collect();
        divisors.extend((8..63).flat_map(|bit| [-1, 0, 1].map(|by| (1i64 << bit) + by)));
        divisors.extend([i64::MAX, i64::MAX - 1, i64::MAX / 2, i64::MAX / 3, 1_000_000_007]);
        for divisor in divisors {
            for times in [0, 1, 2, 3, i64::MAX / divisor, i64::MAX / divisor - 1] {
                for by in [-1, 0, 1] {
                    let of = (divisor * times).saturating_add(by);
                    assert!([of, -of, !of].into_iter().all(|of| agrees(of, divisor)), "{of} by {divisor}");
                }
            }
            assert!(
                [i64::MIN, i64::MIN + 1, i64::MAX].into_iter().all(|of| agrees(of, divisor)),
                "{divisor}"
            );
        }
    }

    proptest! {
        #[test]
        fn of_any_number(of: i64, divisor: i64, shift in 0u32..62) {
            let divisor = ((divisor & i64::MAX) >> shift).max(2);
            prop_assert!(agrees(of, divisor) && agrees(of >> shift, divisor));
        }
    }
}
