//! Blocks of rows as accumulators take them: the numbers that stored elements are widened to, and where rows lie.

use std::any::{Any, TypeId};
use std::ops::Range;

use cuprum_column::{Bitmap, HostUVec, Native};

use crate::accumulation::compensated::Compensated;

/// Rows of a block: ids and widened values stay in the first-level cache while the statistics pass.
pub(crate) const BLOCK: usize = 1024;

/// Types to which stored elements are widened.
pub(crate) trait Accumulable: Copy + Default + PartialOrd + Send + Sync + 'static {
    const ZERO: Self;
    const ONE: Self;
    const LOWEST: Self;
    const HIGHEST: Self;

    fn from_native<T: Native>(value: T) -> Self;
    fn to_native<T: Native>(self) -> T;
    fn to_f64(self) -> f64;
    /// 0 for floats, which are summed as they are.
    fn to_i128(self) -> i128;
    /// A sum of such numbers while it grows; of integers it wraps around.
    type Sum: Copy + Send + Sync;
    const NO_SUM: Self::Sum;
    fn add_to(self, sum: &mut Self::Sum);
    /// [`add_to`](Self::add_to) of one after the other.
    fn add_all_to(values: &[Self], sum: &mut Self::Sum) {
        values.iter().for_each(|value| value.add_to(sum));
    }
    /// The sum of both.
    fn joined(sum: Self::Sum, later: Self::Sum) -> Self::Sum;
    fn total(sum: Self::Sum) -> Self;
    /// Wraps around.
    fn multiply(self, other: Self) -> Self;
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;

    /// The values themselves, where they are stored as such numbers.
    fn stored<T: Native>(values: &[T]) -> Option<&[Self]> {
        // SAFETY: the types are the same.
        (TypeId::of::<T>() == TypeId::of::<Self>())
            .then(|| unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) })
    }
}

macro_rules! integer {
    ($N:ty) => {
        impl Accumulable for $N {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LOWEST: Self = Self::MIN;
            const HIGHEST: Self = Self::MAX;

            #[inline(always)]
            fn from_native<T: Native>(value: T) -> Self {
                value.as_i64() as Self
            }
            #[inline(always)]
            fn to_native<T: Native>(self) -> T {
                T::from_i64(self as i64)
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn to_i128(self) -> i128 {
                self.into()
            }
            type Sum = Self;
            const NO_SUM: Self = 0;
            #[inline(always)]
            fn add_to(self, sum: &mut Self) {
                *sum = sum.wrapping_add(self);
            }
            #[inline(always)]
            fn joined(sum: Self, later: Self) -> Self {
                sum.wrapping_add(later)
            }
            #[inline(always)]
            fn total(sum: Self) -> Self {
                sum
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    };
}

integer!(i64);

integer!(u64);

impl Accumulable for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const LOWEST: Self = Self::NEG_INFINITY;
    const HIGHEST: Self = Self::INFINITY;

    #[inline(always)]
    fn from_native<T: Native>(value: T) -> Self {
        value.as_f64()
    }
    #[inline(always)]
    fn to_native<T: Native>(self) -> T {
        T::from_f64(self)
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn to_i128(self) -> i128 {
        0
    }
    type Sum = Compensated;
    const NO_SUM: Compensated = Compensated::ZERO;
    #[inline(always)]
    fn add_to(self, sum: &mut Compensated) {
        sum.add(self);
    }
    fn add_all_to(values: &[Self], sum: &mut Compensated) {
        sum.add_all(values);
    }
    #[inline(always)]
    fn joined(sum: Compensated, later: Compensated) -> Compensated {
        sum.and(later)
    }
    #[inline(always)]
    fn total(sum: Compensated) -> Self {
        sum.total()
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn of_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// The number that a stored type is widened to.
pub(crate) trait Widen: Native {
    type Number: Accumulable;
}

macro_rules! widen {
    ($($T:ty => $N:ty),*) => { $(impl Widen for $T { type Number = $N; })* };
}

widen!(i8 => i64, i16 => i64, i32 => i64, i64 => i64, u8 => u64, u16 => u64, u32 => u64, u64 => u64);

widen!(f32 => f64, f64 => f64);

/// Values, and which of them are there.
pub(crate) type Stored<'v, T> = (&'v [T], Option<Bitmap<'v>>);

/// Rows whose groups are neighbours in the order of the layout.
pub(crate) struct Unit<'a> {
    /// Group of each row, counted from the first one of the unit; rows with another number are in none.
    pub(crate) ids: &'a [u32],
    pub(crate) rows: UnitRows<'a>,
    /// The groups, in the order of the layout.
    pub(crate) groups: Range<usize>,
    /// Values where rows were moved, which consecutive rows are positions in.
    pub(crate) values: Option<&'a MovedValues>,
}

/// Positions of rows in columns.
#[derive(Clone)]
pub(crate) enum UnitRows<'a> {
    /// In columns of the layout.
    Consecutive(Range<usize>),
    Listed(&'a [u32]),
    /// In columns as they are, whatever the layout has moved; rows in other groups lie between them.
    InPlace(Range<usize>),
}

impl UnitRows<'_> {
    /// Position `i`.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> usize {
        match self {
            Self::Consecutive(rows) | Self::InPlace(rows) => rows.start + i,
            Self::Listed(rows) => rows[i] as usize,
        }
    }
}

/// Values that were moved.
pub(crate) struct MovedValues {
    /// A [`HostUVec`] of them.
    pub(super) values: Box<dyn Any + Send + Sync>,
    /// A bit for each.
    pub(super) valid: Option<HostUVec<u64>>,
}

impl MovedValues {
    /// `f` of the values, which are of this type, and of which of them are there.
    pub(crate) fn with<T: Copy + 'static>(&self, f: impl FnOnce(Stored<'_, T>)) {
        let values = self.values.downcast_ref::<HostUVec<T>>().expect("a column has one type");
        let valid =
            self.valid.as_ref().map(|words| Bitmap::new(bytemuck::cast_slice(words), 0, values.len()));
        f((&values[..], valid));
    }
}
