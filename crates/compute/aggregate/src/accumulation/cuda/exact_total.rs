//! Sums of floats and integers without any rounding, as kernels leave them: digits of all exponents that floats have.

use super::column_totals::{BITS_BELOW, LIMB_BITS, LIMBS};

/// The sum of `limbs[i]` × 2^(`LIMB_BITS` × i − `BITS_BELOW`).
#[derive(Clone, Debug)]
pub(super) struct ExactTotal {
    limbs: [i64; LIMBS as usize],
}

impl ExactTotal {
    pub(super) const ZERO: Self = Self { limbs: [0; LIMBS as usize] };

    /// The total in the words of a kernel, signed numbers below 2⁶² in size.
    pub(super) fn from_words(words: &[u64]) -> Self {
        let mut total = Self::ZERO;
        for (limb, word) in total.limbs.iter_mut().zip(words) {
            *limb = *word as i64;
        }
        total
    }

    /// Adds `value` × 2^`unit`, which is a float's unit or a larger one.
    pub(super) fn add(&mut self, value: i128, unit: i32) {
        let place = (unit + BITS_BELOW as i32) as u32;
        let (limb, shift) = ((place / LIMB_BITS) as usize, place % LIMB_BITS);
        let (mut left, mut parts) = (value.unsigned_abs(), [0u32; 6]);
        // The first part has less room.
        for (i, part) in parts.iter_mut().enumerate() {
            let (room, behind) = if i == 0 { (LIMB_BITS - shift, shift) } else { (LIMB_BITS, 0) };
            *part = ((left & ((1 << room) - 1)) << behind) as u32;
            left >>= room;
        }
        for (limb, part) in self.limbs[limb..].iter_mut().zip(parts) {
            *limb += if value < 0 { -i64::from(part) } else { i64::from(part) };
        }
    }

    /// Adds a finite float so many times, or takes it away.
    pub(super) fn add_times(&mut self, float: f64, times: i64) {
        let bits = float.to_bits();
        let (stored, fraction) = ((bits >> 52) as i32 & 2047, bits & ((1 << 52) - 1));
        let digits = if stored == 0 { fraction } else { fraction | 1 << 52 };
        let sign = if bits >> 63 == 0 { 1 } else { -1 };
        self.add(sign * i128::from(digits) * i128::from(times), stored.max(1) - 1075);
    }

    /// The nearest float, the even one of two; infinite where that is too large.
    pub(super) fn rounded(&self) -> f64 {
        let mut digits = self.limbs;
        let is_negative = carry(&mut digits) < 0;
        if is_negative {
            digits = self.limbs.map(|limb| -limb);
            carry(&mut digits);
        }
        let Some(top) = digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        // Four of them have 91 bits at least.
        let lowest = top.saturating_sub(3);
        let bits = digits[lowest..=top].iter().rev().fold(0u128, |bits, &d| bits << LIMB_BITS | d as u128);
        let is_more = digits[..lowest].iter().any(|&digit| digit != 0);
        let unit = (lowest as u32 * LIMB_BITS) as i32 - BITS_BELOW as i32;
        let size = rounded(bits, is_more, unit);
        if is_negative { -size } else { size }
    }
}

/// Carries from digit to digit, so that all but the last are below 2^`LIMB_BITS`. Returns the last one, which is below 0 for a
/// negative sum.
fn carry(digits: &mut [i64; LIMBS as usize]) -> i64 {
    let mut carried = 0;
    let last = digits.len() - 1;
    for (i, digit) in digits.iter_mut().enumerate() {
        let sum = *digit + carried;
        carried = sum >> LIMB_BITS;
        *digit = if i == last { sum } else { sum & ((1 << LIMB_BITS) - 1) };
    }
    digits[last]
}

/// The float nearest to `bits` × 2^`unit`, which is not 0, and a little more where `is_more` says so.
fn rounded(bits: u128, is_more: bool, unit: i32) -> f64 {
    // The exponent of the highest bit, and the unit of the last one that a float of it keeps.
    let exponent = unit + 127 - bits.leading_zeros() as i32;
    let kept_unit = (exponent - 52).max(-1074);
    let dropped = kept_unit - unit;
    let mut kept = if dropped <= 0 {
        (bits << -dropped) as u64
    } else if dropped < 128 {
        let (kept, rest, half) = (bits >> dropped, bits & ((1 << dropped) - 1), 1 << (dropped - 1));
        let is_up = rest > half || rest == half && (is_more || kept & 1 == 1);
        kept as u64 + u64::from(is_up)
    } else {
        // Less than half of the smallest number.
        0
    };
    // A number's first bit is the lowest of its exponent, so a carry makes the exponent larger.
    kept += ((kept_unit + 1074) as u64) << 52;
    f64::from_bits(kept.min(f64::INFINITY.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cuprum_testing::Random;

    fn sum(values: &[f64]) -> f64 {
        let mut total = ExactTotal::ZERO;
        values.iter().for_each(|value| total.add_times(*value, 1));
        total.rounded()
    }

    /// A float alone is itself: subnormal ones, the least and the greatest, and those between.
    #[test]
    fn one_float_is_itself() {
        let mut random = Random(7);
        let some = (0..20_000).map(|_| f64::from_bits(random.next())).filter(|value| value.is_finite());
        let ends = [5e-324, f64::MIN_POSITIVE, f64::MAX, 1.0, 2.0f64.powi(-1060), 1e-310, 0.1];
        for value in some.chain(ends) {
            assert_eq!(sum(&[value]).to_bits(), value.to_bits(), "{value:e}");
            assert_eq!(sum(&[value, -value]), 0.0);
            assert_eq!(sum(&[-value]), -value);
        }
    }

    /// Two floats come to what the processor rounds them to.
    #[test]
    fn two_floats_are_rounded_once() {
        let mut random = Random(8);
        for _ in 0..20_000 {
            let a = f64::from_bits(random.next());
            let near = a.to_bits() & !(63 << 52)
                ^ (random.next() & ((63 << 52) | ((1 << 52) - 1)) | 1 << 63 & random.next());
            let b = f64::from_bits(near);
            if a.is_finite() && b.is_finite() {
                assert_eq!(sum(&[a, b]), a + b, "{a:e} {b:e}");
            }
        }
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum(&[1.0, 2f64.powi(-53), 2f64.powi(-1074)]), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[1.0, 2f64.powi(-53), -(2f64.powi(-1074))]), 1.0);
    }

    #[test]
    fn integers_and_multiples() {
        let mut random = Random(9);
        for _ in 0..2000 {
            let value = (i128::from(random.next() as i64) << 32) + i128::from(random.next());
            let mut total = ExactTotal::ZERO;
            total.add(value, 0);
            assert_eq!(total.rounded(), value as f64);
            let (float, times) = ((random.next() >> 40) as f64 / 8.0, (random.next() >> 40) as i64);
            total.add_times(float, times);
            total.add_times(float, -times);
            total.add(-value, 0);
            total.add_times(-float, times);
            assert_eq!(total.rounded(), -float * times as f64);
        }
    }
}
