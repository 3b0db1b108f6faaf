//! Numbers and operators of the primitives, in Rust and by name in kernels.

use crate::kernel::{KernelName, KernelType};
use crate::kernel_names;

/// A number the primitives work on.
pub trait Number: KernelType + Default {
    /// The unsigned integer of the same width, for kernels that only move values.
    type Bits: KernelType;
    /// The value's bits.
    fn to_kernel_bits(self) -> Self::Bits {
        bytemuck::cast(self)
    }
    /// The smallest value; −∞ for floats.
    const LOWEST: Self;
    /// The largest value; ∞ for floats.
    const HIGHEST: Self;
    /// The sum; integers wrap.
    fn add(self, other: Self) -> Self;
    /// `start + i * step`; integers wrap.
    fn term(start: Self, step: Self, i: usize) -> Self;
}

macro_rules! integers {
    ($($t:ty: $bits:ty),*) => {$(
        impl Number for $t {
            type Bits = $bits;
            const LOWEST: Self = Self::MIN;
            const HIGHEST: Self = Self::MAX;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn term(start: Self, step: Self, i: usize) -> Self {
                start.wrapping_add(step.wrapping_mul(i as Self))
            }
        }
    )*};
}

macro_rules! floats {
    ($($t:ty: $bits:ty),*) => {$(
        impl Number for $t {
            type Bits = $bits;
            const LOWEST: Self = Self::NEG_INFINITY;
            const HIGHEST: Self = Self::INFINITY;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn term(start: Self, step: Self, i: usize) -> Self { start + i as Self * step }
        }
    )*};
}

integers!(i8: u8, i16: u16, i32: u32, i64: u64, u8: u8, u16: u16, u32: u32, u64: u64);
floats!(f32: u32, f64: u64);

/// A type of the offsets that bound segments.
pub trait Offset: KernelType {
    /// The position it stands for; the end of everything where it is negative.
    fn position(self) -> usize;
}

impl Offset for i32 {
    fn position(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl Offset for i64 {
    fn position(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

/// A number that [`convert`](super::convert) makes an `R` of.
pub trait Convertible<R>: Number {
    /// The value as the other type.
    fn converted(self) -> R;
}

macro_rules! convertible {
    ($($from:ty => $($to:ty),+;)*) => {$($(
        impl Convertible<$to> for $from {
            fn converted(self) -> $to { self as $to }
        }
    )+)*};
}

convertible! {
    u32 => i32, u64;
    u64 => i32, u64;
}

/// An unsigned type of the values that a [`histogram`](super::histogram) counts.
pub trait Bin: Number {
    /// The bin a value falls into.
    fn bin(self) -> usize;
}

macro_rules! bins {
    ($($t:ty),*) => {$(
        impl Bin for $t {
            fn bin(self) -> usize { self as usize }
        }
    )*};
}

bins!(u8, u16, u32);

/// Combinations of two values. Of two equal ones the left one is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Their sum; integers wrap. Of nothing: 0.
    Sum,
    /// The smaller one; NaN loses against everything. Of nothing: the type's largest value, ∞ for floats.
    Min,
    /// The larger one; NaN loses against everything. Of nothing: the type's smallest value, −∞ for floats.
    Max,
}

/// Whether a [`scan`](super::scan) counts the element itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanKind {
    /// Element `i` combines `0..=i`.
    Inclusive,
    /// Element `i` combines `0..i`.
    Exclusive,
}

/// A [`Reduction`] as a type, under the name of its counterpart in `cuprum/operators.cuh`.
pub(super) trait Operator: KernelName {
    /// The value that changes no other.
    fn identity<T: Number>() -> T;
    /// The two values combined.
    fn combine<T: Number>(a: T, b: T) -> T;
}

kernel_names! {
    pub(super) struct Sum;
    pub(super) struct Min;
    pub(super) struct Max;
}

impl Operator for Sum {
    fn identity<T: Number>() -> T {
        T::default()
    }
    #[inline(always)]
    fn combine<T: Number>(a: T, b: T) -> T {
        a.add(b)
    }
}

// `a != a` is how NaN shows.
#[allow(clippy::eq_op)]
impl Operator for Min {
    fn identity<T: Number>() -> T {
        T::HIGHEST
    }
    #[inline(always)]
    fn combine<T: Number>(a: T, b: T) -> T {
        if b < a || a != a { b } else { a }
    }
}

#[allow(clippy::eq_op)]
impl Operator for Max {
    fn identity<T: Number>() -> T {
        T::LOWEST
    }
    #[inline(always)]
    fn combine<T: Number>(a: T, b: T) -> T {
        if b > a || a != a { b } else { a }
    }
}

/// Runs code with a type alias bound to the [`Operator`] of a [`Reduction`].
macro_rules! with_operator {
    ($reduction:expr, $Op:ident => $body:expr) => {
        match $reduction {
            Reduction::Sum => {
                type $Op = $crate::primitives::number::Sum;
                $body
            }
            Reduction::Min => {
                type $Op = $crate::primitives::number::Min;
                $body
            }
            Reduction::Max => {
                type $Op = $crate::primitives::number::Max;
                $body
            }
        }
    };
}
pub(super) use with_operator;
