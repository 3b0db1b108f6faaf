//! The operators of each stored type.

use cuprum_column::Native;

use super::divider::Divider;

/// Arithmetic of one stored type, without panics: integers wrap.
pub trait Arithmetic: Native {
    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn sub(self, other: Self) -> Self;
    /// The product.
    fn mul(self, other: Self) -> Self;
    /// The quotient, rounded down; 0 by a zero integer.
    fn floor_div(self, other: Self) -> Self;
    /// The remainder of [`floor_div`](Self::floor_div), with the sign of the divisor.
    fn modulo(self, other: Self) -> Self;
    /// The power; see [`BinaryOperator::Pow`](super::BinaryOperator).
    fn pow(self, other: Self) -> Self;
    /// A divider by this number with the results of `floor_div` and `modulo`, where it is faster.
    fn divider(self) -> Option<Divider>;
}

/// Bitwise operators.
pub trait Integer: Arithmetic {
    /// Bits that are set in both.
    fn and(self, other: Self) -> Self;
    /// Bits that are set in one or both.
    fn or(self, other: Self) -> Self;
    /// Bits that are set in one.
    fn xor(self, other: Self) -> Self;
}

/// Division of floats.
pub trait Real: Arithmetic {
    /// The quotient.
    fn div(self, other: Self) -> Self;
}

macro_rules! integer {
    ($($t:ty)*) => {$(
        impl Arithmetic for $t {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
            fn floor_div(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let (quotient, rest) = (self.wrapping_div(other), self.wrapping_rem(other));
                if rest != 0 && (rest < 0) != (other < 0) { quotient - 1 } else { quotient }
            }
            #[inline(always)]
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
            fn modulo(self, other: Self) -> Self {
                if other == 0 {
                    return 0;
                }
                let rest = self.wrapping_rem(other);
                if rest != 0 && (rest < 0) != (other < 0) { rest.wrapping_add(other) } else { rest }
            }
            // Square and multiply. Negative exponents are refused before; here they end the loop.
            #[inline(always)]
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
            fn pow(self, other: Self) -> Self {
                let (mut result, mut base, mut exponent): (Self, Self, Self) = (1, self, other);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        result = result.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                result
            }
            fn divider(self) -> Option<Divider> {
                let fits = <$t>::MAX as u64 <= i64::MAX as u64;
                if fits { Divider::new(self as i64) } else { None }
            }
        }

        impl Integer for $t {
            #[inline(always)]
            fn and(self, other: Self) -> Self { self & other }
            #[inline(always)]
            fn or(self, other: Self) -> Self { self | other }
            #[inline(always)]
            fn xor(self, other: Self) -> Self { self ^ other }
        }
    )*};
}

integer! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! float {
    ($($t:ty)*) => {$(
        impl Arithmetic for $t {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            // Python's rule: the quotient that belongs to the remainder with the divisor's sign,
            // rounded to the nearest integer below.
            #[inline(always)]
            fn floor_div(self, other: Self) -> Self {
                if other == 0.0 {
                    return self / other;
                }
                let mut rest = self % other;
                let mut quotient = (self - rest) / other;
                if rest != 0.0 && (rest < 0.0) != (other < 0.0) {
                    rest += other;
                    quotient -= 1.0;
                }
                let _ = rest;
                if quotient == 0.0 {
                    return (0.0 as $t).copysign(self / other);
                }
                let floor = quotient.floor();
                if quotient - floor > 0.5 { floor + 1.0 } else { floor }
            }
            #[inline(always)]
            fn modulo(self, other: Self) -> Self {
                let rest = self % other;
                if other == 0.0 {
                    return rest;
                }
                if rest == 0.0 {
                    return (0.0 as $t).copysign(other);
                }
                if (rest < 0.0) != (other < 0.0) { rest + other } else { rest }
            }
            #[inline(always)]
            fn pow(self, other: Self) -> Self {
                if other == 2.0 { self * self } else { self.powf(other) }
            }
            fn divider(self) -> Option<Divider> { None }
        }

        impl Real for $t {
            #[inline(always)]
            fn div(self, other: Self) -> Self { self / other }
        }
    )*};
}

float! { f32 f64 }
