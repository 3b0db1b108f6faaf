//! Which elements the rows of lists have, on the CPU.

use std::mem::MaybeUninit;

use cuprum_column::strings::SMALL_STRINGS;
use cuprum_column::{Column, Context, HostUVec, Native, Result};
use cuprum_runtime::parallel;

use super::cpu::Map;
use crate::distribute::running_sum;
use crate::row_numbers::{RowIndex, rows_fit_32_bits};

/// Where a list begins among the elements, and how many it has.
type Span = [usize; 2];

/// The offsets of the rows of a column of lists, and which of its elements these have.
pub(super) fn gather<I: RowIndex>(
    column: &Column,
    rows: &[I],
    ctx: &Context,
) -> Result<(Column, Map<'static>)> {
    let view = column.view()?;
    let (source, validity) = (view.lists()?, view.validity());
    let num_elements = source.elements().len();
    let spans = HostUVec::from_fn(rows.len(), ctx, |i| {
        let row = rows[i].row();
        let valid = row < source.len() && validity.is_none_or(|bits| bits.get(row));
        let range = if valid { source.range(row) } else { 0..0 };
        // Offsets stay within the elements, unless others write to them meanwhile.
        let [start, end] = [range.start, range.end].map(|offset| offset.min(num_elements));
        [start, end.saturating_sub(start)]
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
    let elements = if rows_fit_32_bits(num_elements) {
        Map::of_narrow_rows(element_rows::<u32>(&spans, &starts, ctx)?, num_elements)
    } else {
        Map::of_wide_rows(element_rows::<u64>(&spans, &starts, ctx)?, num_elements)
    };
    Ok((offsets, elements))
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

/// The row numbers of the elements of all spans, one span after the other.
fn element_rows<I: RowIndex>(spans: &[Span], starts: &[usize], ctx: &Context) -> Result<HostUVec<I>> {
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
    Ok(unsafe { rows.assume_init() })
}
