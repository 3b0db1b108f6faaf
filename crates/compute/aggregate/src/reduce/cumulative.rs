//! Running reductions in two passes: a total per morsel, then every morsel from its start value.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Native, Result, dispatch_storage};
use cuprum_runtime::{host_vec, parallel};

use super::options::ScanRows;
use crate::aggregation::CumulativeOp;
use cuprum_elements::elements::{CHUNK, FillMorsel, Input, chunk_buffer};
use cuprum_elements::string_map;
use cuprum_elementwise::binaryop::arithmetic::Arithmetic;
use cuprum_keys::ordered_bits::Ordered;

/// See [`super::cumulative`]; the column is of fixed width.
pub(super) fn cumulative(
    column: &Column,
    op: CumulativeOp,
    of: ScanRows,
    result: DataType,
    ctx: &Context,
) -> Result<Column> {
    if op == CumulativeOp::Sum && result.is_duration() {
        check_durations(column, None, ctx)?;
    }
    dispatch_storage!(result, T => {
        let identity = |value| (of == ScanRows::BeforeEach).then_some(value);
        let greatest = if result == DataType::Bool8 { T::from_i64(1) } else { T::GREATEST };
        match op {
        CumulativeOp::Sum => scan::<T>(column, result, T::add, identity(T::from_i64(0)), ctx),
        CumulativeOp::Product => scan::<T>(column, result, T::mul, identity(T::from_i64(1)), ctx),
        CumulativeOp::Min => {
            scan::<T>(column, result, |a, b| if b < a { b } else { a }, identity(greatest), ctx)
        }
        CumulativeOp::Max => {
            scan::<T>(column, result, |a, b| if b > a { b } else { a }, identity(T::LEAST), ctx)
        }
    }}, else => unreachable!("numbers and times only"))
}

/// [`super::cumulative`] of texts: no products.
pub(super) fn texts(column: &Column, op: CumulativeOp, ctx: &Context) -> Result<Column> {
    let view = column.view()?;
    let rows = view.strings()?;
    let mask = column.copy_mask(ctx)?;
    if op == CumulativeOp::Sum {
        // Every row is the beginning of all of them together.
        let mut ends = host_vec::with_capacity(rows.len())?;
        let mut end = 0usize;
        for row in rows.iter() {
            end += row.map_or(0, str::len);
            ends.push(end);
        }
        let mut all: Vec<u8> = host_vec::with_capacity(end)?;
        rows.iter().flatten().for_each(|row| all.extend_from_slice(row.as_bytes()));
        let Ok(all) = std::str::from_utf8(&all) else { return Err(Error::logic("texts are no UTF-8")) };
        let so_far = |i: usize| if rows.get_opt(i).is_some() { &all[..ends[i]] } else { "" };
        return string_map::from_sizes(
            rows.len(),
            ctx,
            mask,
            |i| Some(so_far(i).len()),
            |i, out| out.push(so_far(i)),
        );
    }
    let mut of_row: Vec<&str> = host_vec::with_capacity(rows.len())?;
    let mut so_far: Option<&str> = None;
    for row in rows.iter() {
        let Some(row) = row else {
            of_row.push("");
            continue;
        };
        let best = match so_far {
            Some(best) if (op == CumulativeOp::Min) == (best <= row) => best,
            _ => row,
        };
        so_far = Some(best);
        of_row.push(best);
    }
    let of_row = &of_row;
    string_map::from_sizes(rows.len(), ctx, mask, |i| Some(of_row[i].len()), |i, out| out.push(of_row[i]))
}

/// Fails with `Overflow` where a running sum of durations does not fit: of all rows, or of groups of `rows` that
/// begin at `offsets`.
#[doc(hidden)]
pub fn check_durations(column: &Column, groups: Option<(&[u32], &[u32])>, ctx: &Context) -> Result<()> {
    let view = column.view()?;
    let validity = view.validity();
    let of = column.data_type();
    dispatch_storage!(of, T => {
        let values = view.values::<T>()?;
        let most = if of.size() == Some(4) { i64::from(i32::MAX) } else { i64::MAX };
        let value = |row: usize| {
            let there = row < values.len() && validity.is_none_or(|bits| bits.get(row));
            if there { i128::from(values[row].as_i64()) } else { 0 }
        };
        // Nearly always the sum of all magnitudes fits, and so does every other.
        let magnitudes = parallel::map_morsels(values.len(), ctx, |range| {
            Ok(range.map(|row| value(row).unsigned_abs()).sum::<u128>())
        })?;
        if magnitudes.into_iter().sum::<u128>() <= most.unsigned_abs().into() {
            return Ok(());
        }
        let in_order = |sum: &mut i128, row: usize| {
            *sum += value(row);
            if sum.unsigned_abs() <= most.unsigned_abs().into() {
                return Ok(());
            }
            Err(Error::overflow(format!("the running sum up to row {row} does not fit {of}")))
        };
        match groups {
            None => (0..values.len()).try_fold(0, |mut sum, row| in_order(&mut sum, row).map(|()| sum)).map(drop),
            Some((rows, offsets)) => offsets.windows(2).try_for_each(|ends| {
                let mut sum = 0;
                let rows = rows.get(ends[0] as usize..ends[1] as usize).unwrap_or(&[]);
                rows.iter().try_for_each(|&row| in_order(&mut sum, row as usize))
            }),
        }
    }, else => Ok(()))
}

/// A running reduction: of the rows before each one where there is an `identity`, which stands before the first.
fn scan<T: Arithmetic>(
    column: &Column,
    result: DataType,
    f: fn(T, T) -> T,
    identity: Option<T>,
    ctx: &Context,
) -> Result<Column> {
    let len = column.len();
    let view = column.view()?;
    let input = Input::<T>::of_column(&view)?;
    let validity = view.validity();
    let present = |row: usize, value: T| !value.is_nan() && validity.is_none_or(|bits| bits.get(row));
    let add = |total: Option<T>, value: T| Some(total.map_or(value, |t| f(t, value)));
    let total_of: &(dyn Fn(Range<usize>) -> Result<Option<T>> + Sync) = &|range| {
        let mut buffer = chunk_buffer();
        let mut total = None;
        for start in range.clone().step_by(CHUNK) {
            let rows = start..range.end.min(start + CHUNK);
            for (row, value) in rows.clone().zip(input.chunk(rows, &mut buffer)) {
                if present(row, *value) {
                    total = add(total, *value);
                }
            }
        }
        Ok(total)
    };
    let totals = parallel::map_morsels(len, ctx, total_of)?;
    let mut before = Vec::with_capacity(totals.len());
    let mut running = None;
    for total in totals {
        before.push(running);
        running = total.map_or(running, |t| add(running, t));
    }
    let morsel: &FillMorsel<'_, T> = &|range, out| {
        let mut buffer = chunk_buffer();
        let mut total = before.get(range.start / parallel::MORSEL).copied().flatten();
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let start = range.start + i * CHUNK;
            let chunk = input.chunk(start..start + out.len(), &mut buffer);
            for ((row, value), slot) in (start..).zip(chunk).zip(out) {
                let result = if present(row, *value) {
                    let before = total;
                    total = add(total, *value);
                    match identity {
                        Some(identity) => before.unwrap_or(identity),
                        None => total.unwrap_or(*value),
                    }
                } else {
                    *value
                };
                slot.write(result);
            }
        }
        Ok(())
    };
    // SAFETY: the loop writes every row of the morsel.
    let values = unsafe { HostUVec::<T>::from_morsels(len, ctx, morsel)? };
    Column::new(result, values, column.copy_mask(ctx)?)
}
