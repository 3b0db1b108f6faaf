//! The elements of the rows of lists, on the CPU.

use cuprum_column::{Column, Context, HostUVec, Result};

use super::cpu::Map;
use crate::row_numbers::{RowIndex, rows_fit_32_bits};
use crate::row_pieces::{Lists, RowPieces};

/// The offsets of the rows of a column of lists, and which of its elements these have.
pub(super) fn gather<I: RowIndex>(
    column: &Column,
    rows: &[I],
    ctx: &Context,
) -> Result<(Column, Map<'static>)> {
    let view = column.view()?;
    let lists = Lists::new(&view)?;
    let spans = HostUVec::from_fn(rows.len(), ctx, |i| lists.span(rows[i].row()))?;
    let pieces = RowPieces::new(rows.len(), ctx, |i| spans[i][1])?;
    let (num_elements, element) = (lists.elements().len(), |i: usize, k: usize| spans[i][0] + k);
    let elements = if rows_fit_32_bits(num_elements) {
        Map::of_narrow_rows(pieces.fill(ctx, |i, k| element(i, k) as u32)?, num_elements)
    } else {
        Map::of_wide_rows(pieces.fill(ctx, |i, k| element(i, k) as u64)?, num_elements)
    };
    Ok((pieces.offsets(ctx)?, elements))
}
