//! Accumulators: one value per group and statistic, updated block by block.

use cuprum_column::{Context, HostUVec, Result};
use cuprum_runtime::parallel;
use rayon::prelude::*;

use super::block::Accumulable;
use super::wants::Wants;

/// The statistics of consecutive groups, in memory of the context; those that are not wanted are empty.
pub(crate) struct Accumulators<N: Accumulable> {
    /// Values that count.
    pub(crate) count: HostUVec<u32>,
    sum: HostUVec<N::Sum>,
    /// The sums once they are [settled](Self::settle), which take less memory.
    settled: HostUVec<N>,
    /// Exact sums of integers.
    pub(crate) wide_sum: HostUVec<i128>,
    pub(crate) product: HostUVec<N>,
    pub(crate) min: HostUVec<N>,
    pub(crate) max: HostUVec<N>,
    /// The first value, once there is one.
    pub(crate) first: HostUVec<Option<N>>,
    /// The last value, once there is one.
    pub(crate) last: HostUVec<Option<N>>,
    pub(crate) any: HostUVec<bool>,
    pub(crate) all: HostUVec<bool>,
    pub(crate) bit_and: HostUVec<u64>,
    pub(crate) bit_or: HostUVec<u64>,
    pub(crate) bit_xor: HostUVec<u64>,
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

/// Rows at the start of a block whose groups show whether rows of a group are neighbours.
const SAMPLE: usize = 16;

/// Whether rows of one group seem to be neighbours: keys in order, bins of time.
#[inline(always)]
pub(crate) fn in_runs(ids: &[u32]) -> bool {
    ids.len() >= SAMPLE && ids[..SAMPLE].iter().all(|id| *id == ids[0])
}

/// Accumulators that are merged by one thread where there is nothing to be won by more.
const FEW: usize = 32 << 10;

/// Accumulators that one thread merges at a time, at least.
const MERGED: usize = 256;

/// Takes those of `later` rows of the same groups into `ours`, in the order of the rows:
/// `ours[i] = f(f(ours[i], later[0][i]), later[1][i]) …`; many of them by several threads.
pub(crate) fn fold_later<A: Copy + Send + Sync>(
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
pub(crate) fn slices<A: Copy>(later: &[HostUVec<A>]) -> Vec<&[A]> {
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
    pub(crate) fn new(wants: Wants, groups: usize, ctx: &Context) -> Result<Self> {
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
    pub(crate) fn sum_of(&self, group: usize) -> N {
        self.settled.get(group).copied().unwrap_or_else(|| N::total(self.sum[group]))
    }

    /// Rounds the sums: no more rows come.
    pub(crate) fn settle(&mut self, ctx: &Context) -> Result<()> {
        self.settled = HostUVec::from_fn(self.sum.len(), ctx, |group| N::total(self.sum[group]))?;
        self.sum = HostUVec::filled(N::NO_SUM, 0, ctx)?;
        Ok(())
    }

    /// Accumulates a block of rows.
    pub(crate) fn update(&mut self, ids: &[u32], values: &[N]) {
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

    /// Accumulates rows of one group, each statistic in a register instead of memory.
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

    /// Merges the statistics of later rows of the same groups, in their order.
    pub(crate) fn merge(&mut self, later: &[&Self]) {
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
