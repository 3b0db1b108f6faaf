//! Gather of lists, structs and dictionaries on the CPU: their children are gathered in turn.

use std::mem::MaybeUninit;

use cuprum_column::strings::SMALL_STRINGS;
use cuprum_column::{Buffer, Column, Context, DataType, Error, HostUVec, Native, Result};
use cuprum_runtime::parallel;

use super::cpu::gather_all;
use crate::distribute::running_sum;
use crate::row_numbers::{RowIndex, rows_fit_32_bits};

/// The rows `rows` of a column that has no bytes of its own. `mask` is the validity of the result.
pub(super) fn gather<I: RowIndex, const IN_RANGE: bool>(
    column: &Column,
    rows: &[I],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    match column.data_type() {
        DataType::List => gather_lists::<I>(column, rows, mask, ctx),
        DataType::Struct => {
            let fields = (0..column.children().len()).map(|i| column.field(i)).collect::<Result<Vec<_>>>()?;
            let fields: Vec<&Column> = fields.iter().collect();
            let fields = gather_all::<I, IN_RANGE>(&fields, rows, column.len(), ctx)?;
            Column::structs(rows.len(), fields, mask)
        }
        DataType::Dictionary32 => {
            let indices = gather_all::<I, IN_RANGE>(&[&column.indices()?], rows, column.len(), ctx)?;
            // Nulls belong to the dictionary, not to its indices.
            let indices = indices[0].with_mask(None, ctx)?;
            let children = vec![indices, column.keys()?.clone()];
            // SAFETY: valid rows have the indices that they had among the same keys.
            unsafe {
                Column::from_parts_unchecked(DataType::Dictionary32, rows.len(), 0, None, mask, children)
            }
        }
        DataType::Empty => Column::nulls(DataType::Empty, rows.len(), ctx),
        other => Err(Error::unsupported(format!("rows of {other} columns cannot be moved"))),
    }
}

/// Where a list begins among the elements, and how many it has.
type Span = [usize; 2];

fn gather_lists<I: RowIndex>(
    column: &Column,
    rows: &[I],
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
) -> Result<Column> {
    let view = column.view()?;
    let (source, validity) = (view.lists()?, view.validity());
    let spans = HostUVec::from_fn(rows.len(), ctx, |i| {
        let row = rows[i].row();
        let valid = row < source.len() && validity.is_none_or(|bits| bits.get(row));
        let range = if valid { source.range(row) } else { 0..0 };
        [range.start, range.len()]
    })?;
    // How many elements come before each morsel of lists.
    let lengths = parallel::map_morsels(spans.len(), ctx, |range| {
        Ok(spans[range].iter().map(|[_, length]| *length).sum::<usize>())
    })?;
    let starts = running_sum(lengths.into_iter());
    let offsets = if starts[starts.len() - 1] <= SMALL_STRINGS {
        offsets::<i32>(&spans, &starts, ctx)?
    } else {
        offsets::<i64>(&spans, &starts, ctx)?
    };
    let elements = if rows_fit_32_bits(source.elements().len()) {
        take_spans::<u32>(source.elements(), &spans, &starts, ctx)?
    } else {
        take_spans::<u64>(source.elements(), &spans, &starts, ctx)?
    };
    let children = vec![offsets, elements];
    // SAFETY: the offsets are a running sum of the lengths that the elements were gathered with.
    unsafe { Column::from_parts_unchecked(DataType::List, rows.len(), 0, None, mask, children) }
}

/// The offsets of lists with the lengths of `spans`.
fn offsets<O: Native>(spans: &[Span], starts: &[usize], ctx: &Context) -> Result<Column> {
    let mut offsets = HostUVec::<O>::uninit(spans.len() + 1, ctx)?;
    let out = offsets.output();
    parallel::map_morsels(spans.len(), ctx, |range| {
        let mut at = starts[range.start / parallel::MORSEL];
        // SAFETY: morsels are disjoint.
        let slots = unsafe { out.slice(range.clone()) };
        for (slot, [_, length]) in slots.iter_mut().zip(&spans[range]) {
            slot.write(O::from_i64(at as i64));
            at += length;
        }
        Ok(())
    })?;
    offsets[spans.len()] = MaybeUninit::new(O::from_i64(starts[starts.len() - 1] as i64));
    // SAFETY: the morsels cover all rows, and the last offset is written above.
    Ok(Column::from_values(unsafe { offsets.assume_init() }))
}

/// The elements of all spans, one span after the other.
fn take_spans<I: RowIndex>(
    elements: &Column,
    spans: &[Span],
    starts: &[usize],
    ctx: &Context,
) -> Result<Column> {
    let mut rows = HostUVec::<I>::uninit(starts[starts.len() - 1], ctx)?;
    let out = rows.output();
    parallel::map_morsels(spans.len(), ctx, |range| {
        let m = range.start / parallel::MORSEL;
        // SAFETY: the morsels' elements follow each other.
        let mut slots = unsafe { out.slice(starts[m]..starts[m + 1]) }.iter_mut();
        for [start, length] in &spans[range] {
            for (row, slot) in (*start..start + length).zip(&mut slots) {
                slot.write(I::from_row(row));
            }
        }
        Ok(())
    })?;
    // SAFETY: the morsels' lengths add up to the slices that they fill.
    let rows = unsafe { rows.assume_init() };
    Ok(gather_all::<I, true>(&[elements], &rows, elements.len(), ctx)?.remove(0))
}
