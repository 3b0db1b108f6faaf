//! Accumulators: one value per group and statistic, updated block by block.
//!
//! Stored types are widened to one of three numbers, and rows that do not count lose their group,
//! while a block is loaded; so there is one plain loop per statistic and number. A block that is stored as such a
//! number and counts as a whole is taken as it is.

use std::any::TypeId;
use std::ops::Range;

use cuprum_column::{Bitmap, Context, HostUVec, Native, Result};
use cuprum_runtime::{cache, parallel};
use rayon::prelude::*;

use super::kept::Kept;
use super::layout::{Unit, UnitRows};
use crate::reduce::compensated::Compensated;
use cuprum_keys::equality::cpu::hash_table::NONE;

/// Rows of a block: ids and widened values stay in the first-level cache while the statistics pass.
pub(super) const BLOCK: usize = 1024;

/// What a stored element is widened to.
pub(super) trait Accumulable: Copy + Default + PartialOrd + Send + Sync + 'static {
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

/// A set of statistics.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Wants(pub(super) u16);

impl Wants {
    pub(super) const COUNT: Self = Self(1);
    pub(super) const SUM: Self = Self(2);
    pub(super) const WIDE_SUM: Self = Self(4);
    pub(super) const PRODUCT: Self = Self(8);
    pub(super) const MIN: Self = Self(16);
    pub(super) const MAX: Self = Self(32);
    pub(super) const FIRST: Self = Self(64);
    pub(super) const LAST: Self = Self(128);
    pub(super) const ANY: Self = Self(256);
    pub(super) const ALL: Self = Self(512);
    pub(super) const BIT_AND: Self = Self(1024);
    pub(super) const BIT_OR: Self = Self(2048);
    pub(super) const BIT_XOR: Self = Self(4096);

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The statistics of consecutive groups, in memory of the context; those that are not wanted are empty.
pub(super) struct Accumulators<N: Accumulable> {
    /// Values that count.
    pub(super) count: HostUVec<u32>,
    sum: HostUVec<N::Sum>,
    /// The sums once they are [settled](Self::settle), which take less memory.
    settled: HostUVec<N>,
    /// Exact sums of integers.
    pub(super) wide_sum: HostUVec<i128>,
    pub(super) product: HostUVec<N>,
    pub(super) min: HostUVec<N>,
    pub(super) max: HostUVec<N>,
    /// The first value, once there is one.
    pub(super) first: HostUVec<Option<N>>,
    /// The last value, once there is one.
    pub(super) last: HostUVec<Option<N>>,
    pub(super) any: HostUVec<bool>,
    pub(super) all: HostUVec<bool>,
    pub(super) bit_and: HostUVec<u64>,
    pub(super) bit_or: HostUVec<u64>,
    pub(super) bit_xor: HostUVec<u64>,
}

/// `f(accumulator of the row's group, value)` for every row that has a group here.
#[inline(always)]
fn each<A, N: Copy>(state: &mut [A], ids: &[u32], values: &[N], f: impl Fn(&mut A, N)) {
    if state.is_empty() {
        return;
    }
    for (id, value) in ids.iter().zip(values) {
        // Rows without a group have the largest id, which is out of range here.
        if let Some(state) = state.get_mut(*id as usize) {
            f(state, *value);
        }
    }
}

/// [`each`] of two accumulators, which are there or not at the same time: rows are passed once, and where many rows have
/// one group, the second does not wait for the first.
#[inline(always)]
fn each_of_two<A, B, N: Copy>(
    states: (&mut [A], &mut [B]),
    ids: &[u32],
    values: &[N],
    f: impl Fn(&mut A, &mut B, N),
) {
    let (a, b) = states;
    if a.is_empty() {
        return;
    }
    for (id, value) in ids.iter().zip(values) {
        let group = *id as usize;
        if let (Some(a), Some(b)) = (a.get_mut(group), b.get_mut(group)) {
            f(a, b, *value);
        }
    }
}

/// Rows at the start of a block whose groups tell whether rows of a group are neighbours.
const SAMPLE: usize = 16;

/// Whether rows of one group seem to be neighbours: keys in order, bins of time.
#[inline(always)]
pub(super) fn in_runs(ids: &[u32]) -> bool {
    ids.len() >= SAMPLE && ids[..SAMPLE].iter().all(|id| *id == ids[0])
}

/// Accumulators that are merged by one thread where there is nothing to be won by more.
const FEW: usize = 32 << 10;

/// Accumulators that one thread merges at a time, at least.
const MERGED: usize = 256;

/// Takes those of `later` rows of the same groups into `ours`, in the order of the rows:
/// `ours[i] = f(f(ours[i], later[0][i]), later[1][i]) …`; many of them by several threads.
pub(super) fn fold_later<A: Copy + Send + Sync>(
    ours: &mut [A],
    later: &[&[A]],
    f: impl Fn(A, A) -> A + Sync,
) {
    let fold = |first: usize, ours: &mut [A]| {
        for theirs in later {
            for (a, b) in ours.iter_mut().zip(&theirs[first..]) {
                *a = f(*a, *b);
            }
        }
    };
    if ours.len().saturating_mul(later.len()) <= FEW {
        return fold(0, ours);
    }
    let merged = ours.len().div_ceil(4 * parallel::num_threads()).next_multiple_of(MERGED);
    parallel::install(|| {
        let pieces = ours.par_chunks_mut(merged).enumerate();
        pieces.for_each(|(piece, ours)| fold(piece * merged, ours));
    });
}

/// Accumulators of later rows as [`fold_later`] takes them.
pub(super) fn slices<A: Copy>(later: &[HostUVec<A>]) -> Vec<&[A]> {
    later.iter().map(|theirs| &theirs[..]).collect()
}

#[inline(always)]
fn smaller<N: PartialOrd>(a: N, b: N) -> N {
    if b < a { b } else { a }
}

#[inline(always)]
fn larger<N: PartialOrd>(a: N, b: N) -> N {
    if b > a { b } else { a }
}

impl<N: Accumulable> Accumulators<N> {
    /// Fails where there is no memory for them.
    pub(super) fn new(wants: Wants, groups: usize, ctx: &Context) -> Result<Self> {
        let groups_of = |what| if wants.has(what) { groups } else { 0 };
        Ok(Self {
            count: HostUVec::filled(0, groups_of(Wants::COUNT), ctx)?,
            sum: HostUVec::filled(N::NO_SUM, groups_of(Wants::SUM), ctx)?,
            settled: HostUVec::filled(N::ZERO, 0, ctx)?,
            wide_sum: HostUVec::filled(0, groups_of(Wants::WIDE_SUM), ctx)?,
            product: HostUVec::filled(N::ONE, groups_of(Wants::PRODUCT), ctx)?,
            min: HostUVec::filled(N::HIGHEST, groups_of(Wants::MIN), ctx)?,
            max: HostUVec::filled(N::LOWEST, groups_of(Wants::MAX), ctx)?,
            first: HostUVec::filled(None, groups_of(Wants::FIRST), ctx)?,
            last: HostUVec::filled(None, groups_of(Wants::LAST), ctx)?,
            any: HostUVec::filled(false, groups_of(Wants::ANY), ctx)?,
            all: HostUVec::filled(true, groups_of(Wants::ALL), ctx)?,
            bit_and: HostUVec::filled(u64::MAX, groups_of(Wants::BIT_AND), ctx)?,
            bit_or: HostUVec::filled(0, groups_of(Wants::BIT_OR), ctx)?,
            bit_xor: HostUVec::filled(0, groups_of(Wants::BIT_XOR), ctx)?,
        })
    }

    /// The sum of a group.
    #[inline]
    pub(super) fn sum_of(&self, group: usize) -> N {
        self.settled.get(group).copied().unwrap_or_else(|| N::total(self.sum[group]))
    }

    /// Rounds the sums: no more rows come.
    pub(super) fn settle(&mut self, ctx: &Context) -> Result<()> {
        self.settled = HostUVec::from_fn(self.sum.len(), ctx, |group| N::total(self.sum[group]))?;
        self.sum = HostUVec::filled(N::NO_SUM, 0, ctx)?;
        Ok(())
    }

    /// Takes in a block of rows.
    pub(super) fn update(&mut self, ids: &[u32], values: &[N]) {
        if !in_runs(ids) {
            return self.update_each(ids, values);
        }
        for run in ids.chunk_by(|a, b| a == b).scan(0, |end, run| {
            let start = *end;
            *end += run.len();
            Some((run[0], start..*end))
        }) {
            self.update_run(run.0 as usize, &values[run.1]);
        }
    }

    /// Takes in rows of one group, each statistic in a register instead of memory.
    fn update_run(&mut self, group: usize, values: &[N]) {
        if let Some(count) = self.count.get_mut(group) {
            *count += values.len() as u32;
        }
        if let Some(sum) = self.sum.get_mut(group) {
            // In their order, as one by one: however rows are passed, sums are the same.
            N::add_all_to(values, sum);
        }
        if let Some(sum) = self.wide_sum.get_mut(group) {
            *sum += values.iter().map(|v| v.to_i128()).sum::<i128>();
        }
        if let Some(product) = self.product.get_mut(group) {
            *product = values.iter().fold(*product, |a, v| a.multiply(*v));
        }
        if let Some(min) = self.min.get_mut(group) {
            *min = values.iter().fold(*min, |a, v| smaller(a, *v));
        }
        if let Some(max) = self.max.get_mut(group) {
            *max = values.iter().fold(*max, |a, v| larger(a, *v));
        }
        if let Some(first) = self.first.get_mut(group) {
            *first = first.or(values.first().copied());
        }
        if let Some(last) = self.last.get_mut(group) {
            *last = values.last().copied().or(*last);
        }
        if let Some(any) = self.any.get_mut(group) {
            *any |= values.iter().any(|v| *v != N::ZERO);
        }
        if let Some(all) = self.all.get_mut(group) {
            *all &= values.iter().all(|v| *v != N::ZERO);
        }
        let bits = |start, f: fn(u64, u64) -> u64| values.iter().fold(start, |a, v| f(a, v.bits()));
        if let Some(and) = self.bit_and.get_mut(group) {
            *and = bits(*and, |a, b| a & b);
        }
        if let Some(or) = self.bit_or.get_mut(group) {
            *or = bits(*or, |a, b| a | b);
        }
        if let Some(xor) = self.bit_xor.get_mut(group) {
            *xor = bits(*xor, |a, b| a ^ b);
        }
    }

    fn update_each(&mut self, ids: &[u32], values: &[N]) {
        if self.count.len() == self.sum.len() {
            each_of_two((&mut self.count, &mut self.sum), ids, values, |count, sum, v| {
                *count += 1;
                v.add_to(sum);
            });
        } else {
            each(&mut self.count, ids, values, |a, _| *a += 1);
            each(&mut self.sum, ids, values, |a, v| v.add_to(a));
        }
        each(&mut self.wide_sum, ids, values, |a, v| *a += v.to_i128());
        each(&mut self.product, ids, values, |a, v| *a = a.multiply(v));
        each(&mut self.min, ids, values, |a, v| *a = smaller(*a, v));
        each(&mut self.max, ids, values, |a, v| *a = larger(*a, v));
        each(&mut self.first, ids, values, |a, v| {
            if a.is_none() {
                *a = Some(v);
            }
        });
        each(&mut self.last, ids, values, |a, v| *a = Some(v));
        each(&mut self.any, ids, values, |a, v| *a |= v != N::ZERO);
        each(&mut self.all, ids, values, |a, v| *a &= v != N::ZERO);
        each(&mut self.bit_and, ids, values, |a, v| *a &= v.bits());
        each(&mut self.bit_or, ids, values, |a, v| *a |= v.bits());
        each(&mut self.bit_xor, ids, values, |a, v| *a ^= v.bits());
    }

    /// Takes in the statistics of later rows of the same groups, in their order.
    pub(super) fn merge(&mut self, later: &[&Self]) {
        macro_rules! fold {
            ($($field:ident: $f:expr;)*) => {$(
                if !self.$field.is_empty() {
                    let later: Vec<&[_]> = later.iter().map(|theirs| &theirs.$field[..]).collect();
                    fold_later(&mut self.$field, &later, $f);
                }
            )*};
        }
        fold! {
            count: |a, b| a + b;
            sum: N::joined;
            wide_sum: |a, b| a + b;
            product: N::multiply;
            min: smaller;
            max: larger;
            first: Option::or;
            last: |a, b| b.or(a);
            any: |a, b| a | b;
            all: |a, b| a & b;
            bit_and: |a, b| a & b;
            bit_or: |a, b| a | b;
            bit_xor: |a, b| a ^ b;
        }
    }
}

/// Values, and which of them are there.
pub(super) type Stored<'v, T> = (&'v [T], Option<Bitmap<'v>>);

/// The values of a unit's rows, block by block: `f(ids, values)`, where rows that are null or NaN
/// have no group.
pub(super) fn blocks<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    own: Stored<'_, T>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    match (&unit.rows, unit.values) {
        (UnitRows::Consecutive(rows), None) => blocks_in_line(unit, rows.clone(), own, f),
        (UnitRows::Consecutive(rows), Some(moved)) => {
            moved.with::<T>(|values| blocks_in_line(unit, rows.clone(), values, f));
        }
        (UnitRows::InPlace(rows), _) => blocks_of_groups(unit, rows.clone(), own, f),
        (UnitRows::Listed(_), _) => {
            let (values, valid) = own;
            blocks_of(unit, |row| values[row], valid, f);
        }
    }
}

/// [`blocks`] of rows that lie next to each other.
fn blocks_in_line<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    rows: Range<usize>,
    (values, valid): Stored<'_, T>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    let mut block_ids = [NONE; BLOCK];
    let mut widened = [N::ZERO; BLOCK];
    for (start, ids) in rows.step_by(BLOCK).zip(unit.ids.chunks(BLOCK)) {
        let values = &values[start..start + ids.len()];
        cache::fetch_behind(bytemuck::cast_slice(values), size_of_val(values));
        let block = N::stored(values).unwrap_or_else(|| {
            let widened = &mut widened[..ids.len()];
            for (slot, value) in widened.iter_mut().zip(values) {
                *slot = N::from_native(*value);
            }
            widened
        });
        let valid = valid.map(|valid| valid.slice(start..start + ids.len()));
        let gaps = valid.filter(|valid| valid.count_set() < ids.len());
        let has_nan = T::IS_FLOAT && values.iter().fold(false, |found, value| found | value.is_nan());
        if !has_nan && gaps.is_none() {
            f(ids, block);
            continue;
        }
        let block_ids = &mut block_ids[..ids.len()];
        for ((slot, id), value) in block_ids.iter_mut().zip(ids).zip(values) {
            *slot = if value.is_nan() { NONE } else { *id };
        }
        if let Some(valid) = gaps {
            for (word, slots) in valid.words().zip(block_ids.chunks_mut(64)) {
                if word.count_ones() as usize != slots.len() {
                    for (i, slot) in slots.iter_mut().enumerate() {
                        *slot |= (word >> i & 1).wrapping_sub(1) as u32;
                    }
                }
            }
        }
        f(block_ids, block);
    }
}

/// [`blocks`] of rows of which many have other groups than the unit: these are left out, and so is what is missing.
fn blocks_of_groups<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    rows: Range<usize>,
    (values, valid): Stored<'_, T>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    let groups = u32::try_from(unit.groups.len()).unwrap_or(NONE);
    let mut kept = Kept::new();
    for (start, ids) in rows.step_by(BLOCK).zip(unit.ids.chunks(BLOCK)) {
        let values = &values[start..start + ids.len()];
        cache::fetch_behind(bytemuck::cast_slice(values), size_of_val(values));
        let valid = valid.map(|valid| valid.slice(start..start + ids.len()));
        kept.take::<T, N>(ids, values, valid, groups);
        f(kept.ids(), kept.numbers());
    }
}

/// [`blocks`] of values that are computed or lie anywhere.
pub(super) fn blocks_of<T: Native, N: Accumulable>(
    unit: &Unit<'_>,
    value: impl Fn(usize) -> T,
    valid: Option<Bitmap<'_>>,
    f: &mut dyn FnMut(&[u32], &[N]),
) {
    let mut block_ids = [NONE; BLOCK];
    let mut block = [N::ZERO; BLOCK];
    for (start, ids) in (0..unit.ids.len()).step_by(BLOCK).zip(unit.ids.chunks(BLOCK)) {
        for (i, id) in ids.iter().enumerate() {
            let row = unit.rows.get(start + i);
            let value = value(row);
            block[i] = N::from_native(value);
            let missing = value.is_nan() || valid.is_some_and(|valid| !valid.get(row));
            block_ids[i] = if missing { NONE } else { *id };
        }
        f(&block_ids[..ids.len()], &block[..ids.len()]);
    }
}
