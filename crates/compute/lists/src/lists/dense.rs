//! Lists laid out so that their elements follow each other, without any that are in no list.

use cuprum_column::{Bitmap, Column, Context, HostUVec, Result, Table, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;

use super::check_lists;
use cuprum_elements::gather::gather_rows_or_null;
use cuprum_elements::row_numbers::{RowIndex, rows_fit_32_bits};
use cuprum_elements::row_pieces::{Lists, RowPieces};
use cuprum_elements::selection::Selection;
use cuprum_elementwise::copying::{OutOfBoundsPolicy, gather_column};
use cuprum_elementwise::filling::sequence;
use cuprum_relational::stream_compaction::cpu::keep;

/// The same lists, whose elements are all that there is in child 1: those outside of the rows and under nulls
/// are left out, offsets begin at 0.
pub fn compact(lists: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.compact");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    let is_compact = lists.offset() == 0
        && !lists.has_nulls()
        && lists.offsets_child().is_some_and(|offsets| offsets.len() == lists.len() + 1)
        && lists.elements()?.len() == lists.children()[1].len();
    if is_compact {
        return Ok(lists.clone());
    }
    let all = sequence(0, 1, lists.len(), ctx)?;
    gather_column(lists, &all, OutOfBoundsPolicy::Check, ctx)
}

/// The elements of all lists that are not null, one list's after the other's.
pub(super) struct Dense {
    /// The elements of each row.
    pub(super) pieces: RowPieces,
    pub(super) elements: Column,
}

impl Dense {
    pub(super) fn new(column: &Column, ctx: &Context) -> Result<Self> {
        let view = column.view()?;
        let lists = Lists::new(&view)?;
        let pieces = RowPieces::new(column.len(), ctx, |row| lists.span(row)[1])?;
        let own = column.elements()?;
        // As many elements as lie between the first and the last list: none is left out.
        let elements = if own.len() == pieces.total() {
            own
        } else {
            gather_pieces(lists.elements(), &pieces, ctx, |row, k| Some(lists.span(row)[0] + k))?
        };
        Ok(Self { pieces, elements })
    }

    /// The number of the row that each element belongs to: `Int32` where the rows fit, else `Int64`.
    pub(super) fn rows(&self, ctx: &Context) -> Result<Column> {
        row_numbers(&self.pieces, ctx)
    }

    /// Lists of so many elements, with the nulls of `like`.
    pub(super) fn into_lists(self, like: &Column, ctx: &Context) -> Result<Column> {
        Column::lists(self.pieces.offsets(ctx)?, self.elements, like.copy_mask(ctx)?)
    }

    /// Only the elements with a set bit in `words`, whose bits past the last element are 0.
    pub(super) fn kept(self, words: HostUVec<u64>, ctx: &Context) -> Result<Self> {
        let selection = Selection::new(words, self.elements.len(), ctx)?;
        let bits = Bitmap::new(bytemuck::cast_slice(&selection.words), 0, selection.len);
        let pieces =
            RowPieces::new(self.pieces.rows(), ctx, |row| bits.slice(self.pieces.range(row)).count_set())?;
        let elements = keep(&Table::new(vec![self.elements])?, &selection, ctx)?.into_columns().remove(0);
        Ok(Self { pieces, elements })
    }
}

/// The number of the row of each piece: `Int32` where the rows fit, else `Int64`.
pub(super) fn row_numbers(pieces: &RowPieces, ctx: &Context) -> Result<Column> {
    Ok(if rows_fit_32_bits(pieces.rows()) {
        Column::from_values(pieces.fill(ctx, |row, _| row as i32)?)
    } else {
        Column::from_values(pieces.fill(ctx, |row, _| row as i64)?)
    })
}

/// Row `row(i, k)` of `column` for piece `k` of each row `i`, null where there is none.
pub(super) fn gather_pieces(
    column: &Column,
    pieces: &RowPieces,
    ctx: &Context,
    row: impl Fn(usize, usize) -> Option<usize> + Sync,
) -> Result<Column> {
    fn rows<I: RowIndex>(
        pieces: &RowPieces,
        ctx: &Context,
        row: impl Fn(usize, usize) -> Option<usize> + Sync,
    ) -> Result<HostUVec<I>> {
        pieces.fill(ctx, |i, k| row(i, k).map_or(I::NONE, I::from_row))
    }
    if rows_fit_32_bits(column.len()) {
        gather_rows_or_null(column, &rows::<u32>(pieces, ctx, row)?, ctx)
    } else {
        gather_rows_or_null(column, &rows::<u64>(pieces, ctx, row)?, ctx)
    }
}

/// `column` with null where it or `other` is.
pub(super) fn null_in_either(column: &Column, other: &Column, ctx: &Context) -> Result<Column> {
    column.with_mask(null_mask::bitmask_and(&[column, other], ctx)?, ctx)
}
