//! The join on a GPU: right rows are put into a table by their keys, and each left row probes it. If no key
//! comes twice on the right it finds its partner, and the pairs are the left rows that have one; else the
//! right rows are numbered by their keys, it finds its number, and the pairs come from lists of the rows of
//! each number.

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::{self, Reduction, ScanKind};
use cuprum_runtime::{DeviceBuffer, DeviceUVec, kernels};

use super::gather_maps::empty_map;
use super::options::JoinKind;
use cuprum_elements::gather::cuda::sorted_with_positions;
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_keys::equality::cuda::{
    GroupIds, MissingKeys, PairKind, Partners, brute_force_join, number_both, partners, row_column, semi_join,
};

kernels! {
    pub static JOIN: "join.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Pairs that a thread writes.
        ITEMS = 8;

    fn count_numbers(numbers: In<u32>, n: usize, counts: Out<u64>);
    fn count_pairs(numbers: In<u32>, starts: In<u64>, n: usize, alone: u64, counts: Out<u64>);
    fn write_pairs(
        numbers: In<u32>, starts: In<u64>, rows: In<u32>, offsets: In<u64>, n: usize, total: usize,
        left: Out<u32>, right: Out<u32>,
    );
    pub(super) fn mark_numbers(numbers: In<u32>, n: usize, words: Out<u32>);
    pub(super) fn mark_unmatched(numbers: In<u32>, marked: In<u32>, n: usize, words: Out<u32>);
    pub(super) fn rows_of_pairs(
        numbers: In<u32>, n: usize, width: usize, first: usize, left: Out<u32>, right: Out<u32>,
    );
    pub(super) fn mark_left_rows(
        pairs: In<u32>, num_words: usize, width: usize, first: usize, marked: Out<u32>,
    );
    fn all_pairs<I in [i32, i64]>(pairs: usize, right_rows: usize, left: Out<I>, right: Out<I>);
}

pub(super) fn grid(rows: usize) -> Grid {
    Grid::striding(rows, THREADS)
}

/// See [`super::join`].
pub(super) fn join(
    left: &Table,
    right: &Table,
    kind: JoinKind,
    nulls_equal: bool,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let rows = left.num_rows().max(right.num_rows());
    let missing = if nulls_equal { MissingKeys::Equal } else { MissingKeys::LeftOutAnywhere };
    let wanted = match kind {
        JoinKind::Inner => PairKind::Inner,
        JoinKind::Left => PairKind::Left,
        JoinKind::Full => PairKind::Full,
        JoinKind::LeftSemi => PairKind::Semi,
        JoinKind::LeftAnti => PairKind::Anti,
    };
    if let Some((left, right)) = brute_force_join(left, right, wanted, missing, ctx)? {
        return Ok((row_column(left, rows, ctx)?, row_column(right, rows, ctx)?));
    }
    if matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
        let selection = semi_join(right, left, missing, kind == JoinKind::LeftSemi, ctx)?;
        return Ok((row_column(selection.rows(ctx)?, rows, ctx)?, empty_map(rows)));
    }
    let (keys, numbers) = match kind {
        JoinKind::Full => number_both(right, left, missing, ctx)?,
        _ => match partners(right, left, missing, ctx)? {
            Partners::Numbered(keys, numbers) => (keys, numbers),
            Partners::Unique(partners) => {
                let (left, right) = match kind {
                    JoinKind::Inner => unique_pairs(partners, ctx)?,
                    _ => (primitives::sequence(0u32, 1, partners.len(), ctx)?, partners),
                };
                return Ok((row_column(left, rows, ctx)?, row_column(right, rows, ctx)?));
            }
        },
    };
    let unmatched = match kind {
        JoinKind::Full => Some(unmatched_right(&keys, &numbers, ctx)?),
        _ => None,
    };
    let alone = u64::from(kind != JoinKind::Inner);
    let (mut left, mut right) = listed_pairs(&keys, &numbers, alone, ctx)?;
    if let Some(unmatched) = unmatched.filter(|unmatched| !unmatched.is_empty()) {
        let mut none = DeviceUVec::<u32>::uninit(unmatched.len(), &ctx.temporary()?)?;
        none.buffer_mut().fill(0xFF)?;
        (left, right) = (followed_by(left, &none, ctx)?, followed_by(right, &unmatched, ctx)?);
    }
    Ok((row_column(left, rows, ctx)?, row_column(right, rows, ctx)?))
}

/// The pairs where each left row has one partner at most.
fn unique_pairs(partners: DeviceUVec<u32>, ctx: &Context) -> Result<(DeviceUVec<u32>, DeviceUVec<u32>)> {
    let selection = Selection::of_numbers(&partners, true, ctx)?;
    let left = selection.rows(ctx)?;
    let all_have_one = selection.count() == selection.len();
    let right = if all_have_one { partners } else { selection.keep_u32(&partners, ctx)? };
    Ok((left, right))
}

/// The pairs where right rows may share a number; left rows without a partner give `alone` pairs.
fn listed_pairs(
    keys: &GroupIds,
    numbers: &DeviceUVec<u32>,
    alone: u64,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceUVec<u32>)> {
    let (temporary, right_rows, left_rows) = (ctx.temporary()?, keys.ids.len(), numbers.len());
    let mut counts = DeviceUVec::<u64>::zeroed(keys.first_rows.len() + 1, &temporary)?;
    // SAFETY: there is a count for each number.
    unsafe { count_numbers(ctx, grid(right_rows), &keys.ids, right_rows, &mut counts)? };
    let starts = primitives::scan(&counts.span(), Reduction::Sum, ScanKind::Exclusive, &temporary)?;
    // Rows without a number have all bits set, which no number has in as many as the count of numbers takes.
    let bits = 0..usize::BITS - keys.first_rows.len().leading_zeros();
    let (_, rows) = sorted_with_positions::<u32, u32>(&keys.ids.span(), bits, &temporary)?;
    let mut pairs = DeviceUVec::<u64>::uninit(left_rows + 1, &temporary)?;
    // SAFETY: each number has a start and an end, and there is one place more than left rows.
    unsafe { count_pairs(ctx, grid(left_rows + 1), numbers, &starts, left_rows, alone, &mut pairs)? };
    let offsets = primitives::scan(&pairs.span(), Reduction::Sum, ScanKind::Exclusive, &temporary)?;
    let total = offsets.element(left_rows)?;
    let total = usize::try_from(total)
        .ok()
        .filter(|total| total.checked_mul(size_of::<u32>()).is_some())
        .ok_or_else(|| Error::overflow(format!("{total} pairs of rows")))?;
    let mut left = DeviceUVec::<u32>::uninit(total, ctx)?;
    let mut right = DeviceUVec::<u32>::uninit(total, ctx)?;
    if total > 0 {
        let grid = Grid::covering(total, (THREADS * ITEMS) as usize, THREADS);
        // SAFETY: the offsets are the running sum of the pairs of the left rows, and there is room for all.
        unsafe {
            write_pairs(
                ctx, grid, numbers, &starts, &rows, &offsets, left_rows, total, &mut left, &mut right,
            )?;
        }
    }
    Ok((left, right))
}

/// The right rows without a partner, ascending.
fn unmatched_right(keys: &GroupIds, numbers: &DeviceUVec<u32>, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let (left_rows, right_rows) = (numbers.len(), keys.ids.len());
    let (mut marked, mut words) = (no_rows(keys.first_rows.len(), ctx)?, no_rows(right_rows, ctx)?);
    // SAFETY: there is a bit for each number and for each right row.
    unsafe {
        mark_numbers(ctx, grid(left_rows), numbers, left_rows, &mut marked)?;
        mark_unmatched(ctx, grid(right_rows), &keys.ids, &marked, right_rows, &mut words)?;
    }
    Selection::of_words(words, right_rows, ctx)?.0.rows(&ctx.temporary()?)
}

/// Both, one behind the other.
fn followed_by(first: DeviceUVec<u32>, second: &DeviceUVec<u32>, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let mut both = DeviceUVec::<u32>::uninit(first.len() + second.len(), ctx)?;
    let (first, second): (&DeviceBuffer, &DeviceBuffer) = (first.buffer(), second.buffer());
    both.buffer_mut().copy_range_from(0, first, 0..first.len())?;
    both.buffer_mut().copy_range_from(first.len(), second, 0..second.len())?;
    Ok(both)
}

/// See [`super::cross_join`].
pub(super) fn cross_join(
    pairs: usize,
    left_rows: usize,
    right_rows: usize,
    ctx: &Context,
) -> Result<(Column, Column)> {
    macro_rules! maps {
        ($I:ty, $data_type:expr) => {{
            let (mut left, mut right) =
                (DeviceUVec::<$I>::uninit(pairs, ctx)?, DeviceUVec::<$I>::uninit(pairs, ctx)?);
            // SAFETY: there is a place for each pair.
            unsafe { all_pairs::<$I>(ctx, grid(pairs), pairs, right_rows, &mut left, &mut right)? };
            let column = |map: DeviceUVec<$I>| {
                Column::from_buffer($data_type, pairs, map.into_buffer().try_into()?, None)
            };
            Ok((column(left)?, column(right)?))
        }};
    }
    if rows_fit_32_bits(left_rows.max(right_rows)) {
        maps!(i32, DataType::Int32)
    } else {
        maps!(i64, DataType::Int64)
    }
}
