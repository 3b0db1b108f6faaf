//! The ordered form of values: unsigned integers that compare as the values do.
//!
//! Two values are equal exactly when their integers are, so it serves equality as well as order. Signed
//! integers have their highest bit turned over; of floats the highest bit of positive ones, and all bits of
//! negative ones. −0.0 is 0.0. 128-bit decimals have an integer of their width, which is cut into words.

use cuprum_column::{Bitmap, Context, Native, Result};
use cuprum_runtime::parallel;

/// Stored values with an unsigned integer of the same order.
pub trait Ordered: Native {
    /// The largest value.
    const GREATEST: Self;
    /// The smallest value.
    const LEAST: Self;
    /// The integer of NaN, above that of all values; 0 where there is none.
    const NAN_ORDERED: u64;
    /// An integer that orders like the value; −0.0 and 0.0 are one. Meaningless for NaN.
    fn ordered(self) -> u64;
    /// [`ordered`](Self::ordered) with one integer for every NaN.
    #[inline(always)]
    fn ordered_with_nan(self) -> u64 {
        if Self::IS_FLOAT && self.is_nan() { Self::NAN_ORDERED } else { self.ordered() }
    }
    /// The value of an integer; gives 0.0 for both zeros.
    fn from_ordered(ordered: u64) -> Self;
    /// Whether this is −0.0, which the integer cannot give back.
    fn is_minus_zero(self) -> bool;
}

macro_rules! ordered_int {
    ($($t:ty),*) => {$(
        impl Ordered for $t {
            const GREATEST: Self = Self::MAX;
            const LEAST: Self = Self::MIN;
            const NAN_ORDERED: u64 = 0;
            #[inline(always)]
            fn ordered(self) -> u64 { self as i64 as u64 ^ if Self::IS_SIGNED { 1 << 63 } else { 0 } }
            #[inline(always)]
            fn from_ordered(ordered: u64) -> Self {
                (ordered ^ if Self::IS_SIGNED { 1 << 63 } else { 0 }) as Self
            }
            #[inline(always)]
            fn is_minus_zero(self) -> bool { false }
        }
    )*};
}
ordered_int!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! ordered_float {
    ($($t:ty, $bits:ty, $int:ty;)*) => {$(
        impl Ordered for $t {
            const GREATEST: Self = Self::INFINITY;
            const LEAST: Self = Self::NEG_INFINITY;
            const NAN_ORDERED: u64 = <$bits>::MAX as u64;
            #[inline(always)]
            fn ordered(self) -> u64 {
                const TOP: u32 = <$bits>::BITS - 1;
                let bits = (self + 0.0).to_bits();
                (bits ^ ((bits as $int >> TOP) as $bits | 1 << TOP)) as u64
            }
            #[inline(always)]
            fn from_ordered(ordered: u64) -> Self {
                const TOP: u32 = <$bits>::BITS - 1;
                let bits = ordered as $bits;
                Self::from_bits(bits ^ (((!bits) as $int >> TOP) as $bits | 1 << TOP))
            }
            #[inline(always)]
            fn is_minus_zero(self) -> bool { self.to_bits() == (-0.0 as $t).to_bits() }
        }
    )*};
}
ordered_float! { f32, u32, i32; f64, u64, i64; }

/// The ordered form of a 128-bit decimal, as it is stored.
#[inline(always)]
pub(crate) fn ordered_128(value: i128) -> u128 {
    value as u128 ^ 1 << 127
}

/// The least and the greatest [`ordered_128`] of the valid values (the least above the greatest where there
/// are none).
pub(crate) fn ordered_128_range(
    values: &[i128],
    validity: Option<Bitmap<'_>>,
    ctx: &Context,
) -> Result<(u128, u128)> {
    let parts = parallel::map_morsels(values.len(), ctx, |range| {
        let (mut low, mut high) = (i128::MAX, i128::MIN);
        let mut see = |value: i128| (low, high) = (low.min(value), high.max(value));
        match validity {
            None => values[range].iter().for_each(|&value| see(value)),
            Some(bits) => {
                let values = &values[range.clone()];
                bits.slice(range).set_bits().for_each(|i| see(values[i]));
            }
        }
        Ok((ordered_128(low), ordered_128(high)))
    })?;
    Ok(parts.into_iter().fold((u128::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Ordered + PartialOrd + std::fmt::Debug>(ascending: &[T]) {
        for pair in ascending.windows(2) {
            assert!(pair[0].ordered() < pair[1].ordered(), "{pair:?}");
        }
        for &value in ascending {
            assert!(value == T::from_ordered(value.ordered()));
            assert!(T::LEAST <= value && value <= T::GREATEST);
            assert!(!T::IS_FLOAT || value.ordered_with_nan() < T::NAN_ORDERED);
        }
    }

    #[test]
    fn integers_order_like_their_values() {
        check(&[i8::MIN, -1, 0, 1, i8::MAX]);
        check(&[i64::MIN, -1, 0, 1, i64::MAX]);
        check(&[0, 1, u16::MAX]);
        check(&[0, 1, u64::MAX]);
        check(&[f32::NEG_INFINITY, f32::MIN, -1e-40, 0.0, f32::MIN_POSITIVE, 2.5, f32::INFINITY]);
        check(&[f64::NEG_INFINITY, f64::MIN, -1e-320, 0.0, f64::MIN_POSITIVE, 2.5, f64::INFINITY]);
        assert_eq!((-0.0f64).ordered(), 0.0f64.ordered());
        assert_eq!((-f32::NAN).ordered_with_nan(), f32::NAN_ORDERED);
        assert!([i128::MIN, -1, 0, 1, i128::MAX].is_sorted_by(|a, b| ordered_128(*a) < ordered_128(*b)));
    }
}
