//! Rows that are selected once, and taken from as many tables as one likes.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::cache::Appender;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel;

use super::compress::compress_range;
use super::{check_mask, cpu, cuda};
use crate::expression::{self, Expression};
use cuprum_elements::elements::{typed_slice, uninit_elements};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elements::selection::{
    self, BLOCK, Selection, list_set_bits, present_words, selected_rows, true_words,
};
use cuprum_elements::stable_partition::changed;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::filling::sequence;
use cuprum_elementwise::unary::cast;

/// The rows that are kept of tables of one length: a bit for each, on the device that they were selected on.
pub struct KeptRows(Kept);

enum Kept {
    All(usize),
    OnHost(Selection),
    OnDevice(selection::cuda::Selection),
}

/// The rows for which `mask` is true; a null in the mask drops its row.
///
/// Fails with `DataType` when the mask is not boolean.
pub fn rows_where_true(mask: &Column, ctx: &Context) -> Result<KeptRows> {
    func_range!(c"stream_compaction.rows_where_true");
    check_device!(ctx, [mask]);
    check_mask(mask)?;
    Ok(KeptRows(if ctx.is_on_gpu() {
        Kept::OnDevice(selection::cuda::Selection::of_true(mask, ctx)?)
    } else {
        Kept::OnHost(Selection::new(true_words(mask, ctx)?, mask.len(), ctx)?)
    }))
}

/// The rows for which `condition`, a formula over the columns of `inputs`, is true; not those for which it is null.
///
/// The formula becomes a bit for each row; there is no column of truth values.
///
/// Fails with `DataType` for a condition that is not boolean, and as [`evaluate`](crate::expression::evaluate).
pub fn rows_where(condition: &Expression, inputs: &Table, ctx: &Context) -> Result<KeptRows> {
    func_range!(c"stream_compaction.rows_where");
    check_device!(ctx, [inputs]);
    let checked = expression::condition(condition, inputs)?;
    if !ctx.is_on_gpu() {
        return Ok(KeptRows(Kept::OnHost(checked.selection(ctx)?)));
    }
    Ok(KeptRows(Kept::OnDevice(checked.selection_on_device(ctx)?)))
}

/// The rows of `table` with at least `threshold` values that are not missing among the columns `keys`.
///
/// As [`drop_nulls`](super::drop_nulls), which keeps these rows.
pub fn rows_with_values(
    table: &Table,
    keys: &[usize],
    threshold: usize,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<KeptRows> {
    func_range!(c"stream_compaction.rows_with_values");
    check_device!(ctx, [table]);
    let columns = keys.iter().map(|&k| table.column(k)).collect::<Result<Vec<_>>>()?;
    let rows = table.num_rows();
    let may_miss = |c: &Column| c.has_nulls() || (nan_is_null && c.data_type().is_float());
    if threshold == 0 || (threshold <= keys.len() && !columns.iter().any(|c| may_miss(c))) {
        return Ok(KeptRows(Kept::All(rows)));
    }
    Ok(KeptRows(if ctx.is_on_gpu() {
        let columns: Vec<Column> = columns.into_iter().cloned().collect();
        Kept::OnDevice(selection::cuda::Selection::of_present(&columns, threshold, nan_is_null, rows, ctx)?)
    } else {
        let words = present_words(&columns, threshold, nan_is_null, rows, ctx)?;
        Kept::OnHost(Selection::new(words, rows, ctx)?)
    }))
}

impl std::fmt::Debug for KeptRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeptRows({} of {})", self.count(), self.source_len())
    }
}

impl KeptRows {
    /// The number of rows that they were selected from.
    pub fn source_len(&self) -> usize {
        match &self.0 {
            Kept::All(rows) => *rows,
            Kept::OnHost(selection) => selection.len,
            Kept::OnDevice(selection) => selection.len(),
        }
    }

    /// The number of rows that are kept.
    pub fn count(&self) -> usize {
        match &self.0 {
            Kept::All(rows) => *rows,
            Kept::OnHost(selection) => selection.count(),
            Kept::OnDevice(selection) => selection.count(),
        }
    }

    /// The first of the rows, if there is one.
    pub fn first(&self, ctx: &Context) -> Result<Option<usize>> {
        Ok(match &self.0 {
            _ if self.count() == 0 => None,
            Kept::All(_) => Some(0),
            Kept::OnHost(selection) => selection.rows().next(),
            Kept::OnDevice(_) => self.numbers(ctx)?.get(0)?.as_i64().map(|row| row as usize),
        })
    }

    /// Whether the rows, kept in host memory, are known not to be equally far from each other: the first two and the last
    /// one are looked at.
    pub fn are_irregular(&self) -> bool {
        let Kept::OnHost(selection) = &self.0 else { return false };
        let (mut rows, steps) = (selection.rows(), selection.count().saturating_sub(1));
        let (Some(first), Some(second), Some(last)) = (rows.next(), rows.next(), selection.last_row()) else {
            return false;
        };
        (second - first).checked_mul(steps) != Some(last - first)
    }

    /// These rows of a table, in their order; the table itself where all are kept.
    ///
    /// Fails with `Logic` for a table of another number of rows.
    pub fn take(&self, table: &Table, ctx: &Context) -> Result<Table> {
        if table.num_rows() != self.source_len() {
            return Err(Error::logic(format!(
                "rows selected from {} are taken from a table of {}",
                self.source_len(),
                table.num_rows()
            )));
        }
        match &self.0 {
            Kept::All(_) => Ok(table.clone()),
            Kept::OnHost(selection) => cpu::keep(table, selection, ctx),
            Kept::OnDevice(selection) => cuda::keep(table, selection, ctx),
        }
    }

    /// The numbers of the rows, ascending; `Int32` while those they were selected from fit 32 bits, else `Int64`.
    pub fn numbers(&self, ctx: &Context) -> Result<Column> {
        match &self.0 {
            Kept::All(rows) => {
                let data_type = if rows_fit_32_bits(*rows) { DataType::Int32 } else { DataType::Int64 };
                cast(&sequence(0, 1, *rows, ctx)?, data_type, ctx)
            }
            Kept::OnHost(selection) => selected_rows(selection, ctx),
            Kept::OnDevice(selection) => selection::cuda::selected_rows(selection, ctx),
        }
    }

    /// The elements of `start, start + step, …` in these rows, `Int64`; they wrap around beyond 64 bits.
    pub fn take_range(&self, start: i64, step: i64, ctx: &Context) -> Result<Column> {
        match &self.0 {
            Kept::All(rows) => sequence(start, step, *rows, ctx),
            Kept::OnHost(selection) => range_of(selection, start, step, ctx),
            Kept::OnDevice(selection) => {
                let rows = selection::cuda::selected_rows(selection, ctx)?;
                let rows = cast(&rows, DataType::Int64, ctx)?;
                let (start, step) = (Scalar::from(start), Scalar::from(step));
                let steps = binary_operation(&rows, &step, BinaryOperator::Mul, ctx)?;
                binary_operation(&steps, &start, BinaryOperator::Add, ctx)
            }
        }
    }
}

fn range_of(selection: &Selection, start: i64, step: i64, ctx: &Context) -> Result<Column> {
    const SIZE: usize = size_of::<i64>();
    let mut out = uninit_elements(selection.count(), SIZE, ctx)?;
    let slots = out.output();
    let at = |row: usize| start.wrapping_add((row as i64).wrapping_mul(step));
    parallel::map_ranges(selection.starts.len() - 1, 1, ctx, |range| {
        for m in range {
            let (first, words) = selection.morsel(m);
            let kept = selection.starts[m]..selection.starts[m + 1];
            // SAFETY: these output rows belong to this morsel alone: morsels follow each other by the counts of
            // their bits.
            let places = unsafe { slots.slice(kept.start * SIZE..kept.end * SIZE) };
            let mut appender = Appender::new(slots.len(), places);
            if compress_range(words, at(first), step, &mut appender) {
                if !appender.finish() {
                    return Err(changed());
                }
                continue;
            }
            // SAFETY: the output rows belong to this morsel alone, and nothing else writes to them any more.
            let out = unsafe { typed_slice::<i64>(&slots, kept.clone()) };
            let mut positions = [0u16; BLOCK];
            for (first, words, begin) in selection.blocks(m) {
                let count = list_set_bits(words, &mut positions);
                let out = &mut out[begin - kept.start..][..count];
                for (slot, &position) in out.iter_mut().zip(&positions) {
                    slot.write(at(first + usize::from(position)));
                }
            }
        }
        Ok(())
    })?;
    // SAFETY: the morsels cover the output.
    let out = unsafe { out.assume_init() }.into_buffer();
    Column::from_buffer(DataType::Int64, selection.count(), out, None)
}
