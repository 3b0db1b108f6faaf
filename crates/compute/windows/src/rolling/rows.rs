//! Rows of windows: the smallest and the largest, one by its number, all of them as a list.

use cuprum_column::{Buffer, Column, Context, DataType, HostUVec, Result, Table, null_mask};

use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{for_ranges, thread_ranges};

use super::fold::{Fold, fold};
use super::order_keys::order_keys;
use super::spans::{Spans, Valid};
use cuprum_elements::gather::gather_rows;
use cuprum_elements::row_pieces::RowPieces;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::cpu::hash_table::NONE;
use cuprum_keys::equality::number_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys};
use cuprum_keys::group_csr::rows_by_group;

/// No row.
const NO_ROW: u64 = u64::MAX;

/// The row of the smallest key, the first of several.
struct Least<'a> {
    keys: &'a [u64],
    valid: &'a Valid,
    /// All bits, for the largest.
    flip: u64,
}

impl Fold for Least<'_> {
    type State = (u64, u64);

    const IDENTITY: (u64, u64) = (u64::MAX, NO_ROW);

    #[inline(always)]
    fn load(&self, row: usize) -> (u64, u64) {
        if self.valid.get(row) { (self.keys[row] ^ self.flip, row as u64) } else { Self::IDENTITY }
    }

    #[inline(always)]
    fn combine(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
        a.min(b)
    }
}

/// The row of the smallest or the largest value of each window; no row where there is none or not `enough`.
pub(super) fn extreme_rows(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    largest: bool,
    enough: impl Fn(usize) -> bool + Sync,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    let keys = order_keys(column, ctx)?;
    let values = Least { keys: &keys, valid, flip: if largest { u64::MAX } else { 0 } };
    fold(spans, &values, ctx, |row, (_, best)| if enough(row) { best } else { NO_ROW })
}

/// Row numbers as a column, null where there is none.
pub(super) fn as_column(rows: HostUVec<u64>, ctx: &Context) -> Result<Column> {
    let mask = null_mask::from_fn(rows.len(), ctx, |row| rows[row] != NO_ROW)?;
    Column::from_values(HostUVec::from_fn(rows.len(), ctx, |row| rows[row] as i64)?)
        .with_mask(Some(mask), ctx)
}

/// The row that is number `n` of each window, from the end where it is negative; of the valid ones without
/// `with_nulls`.
pub(super) fn nth_rows(
    spans: &Spans,
    valid: &Valid,
    (n, with_nulls): (i64, bool),
    enough: impl Fn(usize) -> bool + Sync,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    let kept = if with_nulls { None } else { valid.rows(spans.rows(), ctx)? };
    HostUVec::from_fn(spans.rows(), ctx, |row| {
        let window = spans.get(row);
        let window = match &kept {
            Some(_) => valid.before(window.start)..valid.before(window.end),
            None => window,
        };
        let place = if n < 0 { (window.len() as i64).checked_add(n) } else { Some(n) };
        let place = place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < window.len());
        match (place.filter(|_| enough(row)), &kept) {
            (None, _) => NO_ROW,
            (Some(place), Some(kept)) => kept[window.start + place],
            (Some(place), None) => (window.start + place) as u64,
        }
    })
}

/// The row so many rows behind each one (before it, for negative numbers), where its window has it.
pub(super) fn neighbours(
    spans: &Spans,
    by: i64,
    enough: impl Fn(usize) -> bool + Sync,
    ctx: &Context,
) -> Result<HostUVec<u64>> {
    HostUVec::from_fn(spans.rows(), ctx, |row| {
        let other = (row as i64).checked_add(by).and_then(|other| usize::try_from(other).ok());
        other
            .filter(|other| enough(row) && spans.get(row).contains(other))
            .map_or(NO_ROW, |other| other as u64)
    })
}

/// The elements of each window as a list, without nulls unless `with_nulls`.
///
/// Fails with `Overflow` where all windows have more than 2⁶³ − 1 elements.
pub(super) fn collected(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    with_nulls: bool,
    enough: impl Fn(usize) -> bool + Sync,
    mask: (Buffer, usize),
    ctx: &Context,
) -> Result<Column> {
    let kept = if with_nulls { None } else { valid.rows(spans.rows(), ctx)? };
    let window = |row: usize| match (spans.get(row), &kept) {
        (window, Some(_)) => valid.before(window.start)..valid.before(window.end),
        (window, None) => window,
    };
    let pieces = RowPieces::new(spans.rows(), ctx, |row| if enough(row) { window(row).len() } else { 0 })?;
    let rows = pieces.fill(ctx, |row, k| {
        let place = window(row).start + k;
        kept.as_ref().map_or(place as u64, |kept| kept[place])
    })?;
    Column::lists(pieces.offsets(ctx)?, gather_rows(column, &rows, ctx)?, Some(mask))
}

/// The number of distinct values of each window.
///
/// For sliding windows every value has a count of its rows in the window. Windows that go back and forth take
/// the logarithm of the rows more, on one thread.
pub(super) fn count_distinct(
    column: &Column,
    spans: &Spans,
    valid: &Valid,
    with_nulls: bool,
    ctx: &Context,
) -> Result<HostUVec<i64>> {
    let rows = spans.rows();
    let table = Table::new(vec![column.clone()])?;
    let plan = EqualityKeys::new(&[&table], EncodeOptions::default(), ctx)?;
    let numbers = number_rows(plan, None, Tuning::for_rows(rows), ctx)?;
    let (ids, distinct) = (&numbers.ids, numbers.first_rows.len());
    let counts = |row: usize| with_nulls || valid.get(row);
    if !spans.shape(ctx)?.slide {
        return distinct_of_any(spans, ids, distinct, counts, ctx);
    }
    let mut results = HostUVec::uninit(rows, ctx)?;
    let out = results.output();
    let parts = thread_ranges(rows);
    for_ranges(parts.len(), 1, ctx, &|part| {
        let part = parts[part.start].clone();
        // SAFETY: the parts are disjoint.
        let slots = unsafe { out.slice(part.clone()) };
        let mut of_value = host_vec::filled(0u32, distinct)?;
        let (mut start, mut end, mut all) = (0, 0, 0i64);
        for (row, slot) in part.zip(slots) {
            let window = spans.get(row);
            if window.start >= end {
                (start..end).filter(|row| counts(*row)).for_each(|row| of_value[ids[row] as usize] = 0);
                (start, end, all) = (window.start, window.start, 0);
            }
            for row in (end..window.end).filter(|row| counts(*row)) {
                let count = &mut of_value[ids[row] as usize];
                all += i64::from(*count == 0);
                *count += 1;
            }
            end = end.max(window.end);
            for row in (start..window.start).filter(|row| counts(*row)) {
                let count = &mut of_value[ids[row] as usize];
                *count -= 1;
                all -= i64::from(*count == 0);
            }
            start = window.start;
            slot.write(all);
        }
        Ok(())
    })?;
    // SAFETY: the parts cover all rows.
    Ok(unsafe { results.assume_init() })
}

/// [`count_distinct`] for windows in any order, of `ids` below `distinct`: of the rows of a window, those whose
/// value is in no later row of it.
///
/// The windows are met in the order of their ends, with a mark at the last row so far of every value; a window
/// has as many values as there are marks from its start on, which a tree of sums tells (Fenwick 1994).
fn distinct_of_any(
    spans: &Spans,
    ids: &[u32],
    distinct: usize,
    counts_row: impl Fn(usize) -> bool,
    ctx: &Context,
) -> Result<HostUVec<i64>> {
    let rows = spans.rows();
    let ends = HostUVec::from_fn(rows, ctx, |row| spans.get(row).end as u32)?;
    let windows = rows_by_group(&ends, rows + 1, None, ctx)?;
    let mut last = HostUVec::filled(NONE, distinct, ctx)?;
    let mut marks = Marks { sums: HostUVec::filled(0, rows + 1, ctx)? };
    let mut counts = HostUVec::filled(0i64, rows, ctx)?;
    let mut all = 0;
    for end in 1..=rows {
        let row = end - 1;
        if row.is_multiple_of(1 << 16) {
            ctx.check()?;
        }
        if counts_row(row) {
            let before = std::mem::replace(&mut last[ids[row] as usize], row as u32);
            if before == NONE {
                all += 1;
            } else {
                marks.add(before as usize, u32::MAX);
            }
            marks.add(row, 1);
        }
        for &window in &windows.rows[windows.offsets[end] as usize..windows.offsets[end + 1] as usize] {
            let start = spans.get(window as usize).start;
            counts[window as usize] = all - i64::from(marks.before(start));
        }
    }
    Ok(counts)
}

/// Sums of numbers of rows, in which node `i` has those of the rows that its lowest bit says, up to row `i`.
struct Marks {
    sums: HostUVec<u32>,
}

impl Marks {
    fn add(&mut self, row: usize, number: u32) {
        let mut node = row + 1;
        while node < self.sums.len() {
            self.sums[node] = self.sums[node].wrapping_add(number);
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of the rows before `row`.
    fn before(&self, row: usize) -> u32 {
        let (mut node, mut sum) = (row, 0u32);
        while node > 0 {
            sum = sum.wrapping_add(self.sums[node]);
            node &= node - 1;
        }
        sum
    }
}

/// Booleans, numbers, times, texts, structs and decimals: the types with an order.
pub(super) fn is_ordered(data_type: DataType) -> bool {
    !matches!(data_type, DataType::List | DataType::Dictionary32 | DataType::Empty)
}
