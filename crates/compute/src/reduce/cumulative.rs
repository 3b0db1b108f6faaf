//! Running reductions in two passes: a total per morsel, then every morsel from its start value.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, HostUVec, Result, dispatch_storage};
use cuprum_runtime::parallel;

use super::CumulativeOp;
use crate::binaryop::arithmetic::Arithmetic;
use crate::elements::{CHUNK, FillMorsel, Input};

/// See [`super::cumulative`]; the column is of fixed width.
pub(super) fn cumulative(
    column: &Column,
    op: CumulativeOp,
    result: DataType,
    ctx: &Context,
) -> Result<Column> {
    dispatch_storage!(result, T => match op {
        CumulativeOp::Sum => scan::<T>(column, result, T::add, ctx),
        CumulativeOp::Product => scan::<T>(column, result, T::mul, ctx),
        CumulativeOp::Min => scan::<T>(column, result, |a, b| if b < a { b } else { a }, ctx),
        CumulativeOp::Max => scan::<T>(column, result, |a, b| if b > a { b } else { a }, ctx),
    }, else => unreachable!("numbers and times only"))
}

fn scan<T: Arithmetic>(column: &Column, result: DataType, f: fn(T, T) -> T, ctx: &Context) -> Result<Column> {
    let len = column.len();
    let view = column.view()?;
    let input = Input::<T>::of_column(&view)?;
    let validity = view.validity();
    let present = |row: usize, value: T| !value.is_nan() && validity.is_none_or(|bits| bits.get(row));
    let add = |total: Option<T>, value: T| Some(total.map_or(value, |t| f(t, value)));
    let total_of: &(dyn Fn(Range<usize>) -> Result<Option<T>> + Sync) = &|range| {
        let mut buffer = [T::zeroed(); CHUNK];
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
        let mut buffer = [T::zeroed(); CHUNK];
        let mut total = before.get(range.start / parallel::MORSEL).copied().flatten();
        for (i, out) in out.chunks_mut(CHUNK).enumerate() {
            let start = range.start + i * CHUNK;
            let chunk = input.chunk(start..start + out.len(), &mut buffer);
            for ((row, value), slot) in (start..).zip(chunk).zip(out) {
                let result = if present(row, *value) {
                    total = add(total, *value);
                    total.unwrap_or(*value)
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
