//! Rows as often as a column says.

use cuprum_column::{Column, Context, Error, ErrorKind, HostUVec, Result, Table};
use cuprum_runtime::DeviceUVec;
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::{MORSEL, for_ranges};

use cuprum_elements::decimals::Digits;
use cuprum_elements::device_pieces::RowPieces;
use cuprum_elements::gather::{gather_table, gather_table_rows};

/// Row `i` of `table` as often as row `i` of `counts` says, the copies next to each other.
///
/// Fails with `Logic` where the lengths differ, with `DataType` where `counts` are no integers, with
/// `InvalidArgument` for nulls and numbers below 0, naming the row, and with `Overflow` where the number of rows
/// does not fit.
pub fn repeat_each(table: &Table, counts: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"filling.repeat_each");
    check_device!(ctx, [table, counts]);
    if counts.len() != table.num_rows() {
        return Err(Error::logic(format!(
            "`counts` has {} rows, the table has {}",
            counts.len(),
            table.num_rows()
        )));
    }
    if !counts.data_type().is_integer() {
        return Err(Error::data_type(format!("`counts` are {}, not integers", counts.data_type())));
    }
    if counts.has_nulls() {
        return Err(Error::invalid_argument("`counts` has nulls"));
    }
    if ctx.is_on_gpu() {
        return repeated_on_device(table, counts, ctx);
    }
    let ends = ends(counts)?;
    let end = ends.last().copied().unwrap_or(0);
    if table.num_columns() == 0 {
        return Table::with_rows(vec![], end);
    }
    let mut rows = HostUVec::<u64>::uninit(end, ctx)?;
    let out = rows.output();
    for_ranges(ends.len(), MORSEL, ctx, &|range| {
        for row in range {
            let start = if row == 0 { 0 } else { ends[row - 1] };
            for place in start..ends[row] {
                // SAFETY: every place belongs to one row.
                unsafe { out.write(place, row as u64) };
            }
        }
        Ok(())
    })?;
    // SAFETY: the rows' places cover all.
    let rows = unsafe { rows.assume_init() };
    gather_table_rows(table, &rows, ctx)
}

/// The number of rows up to the end of each row's copies. The counts are in host memory.
fn ends(counts: &Column) -> Result<Vec<usize>> {
    let view = counts.view()?;
    let digits = Digits::new(&view)?;
    let mut ends = Vec::new();
    ends.try_reserve_exact(counts.len())
        .map_err(|_| Error::new(ErrorKind::OutOfMemory, format!("{} counts", counts.len())))?;
    let mut end = 0usize;
    for row in 0..counts.len() {
        let count = digits.get(row);
        if count < 0 {
            return Err(Error::invalid_argument(format!("`counts` is {count} in row {row}")));
        }
        let next = usize::try_from(count).ok().and_then(|count| end.checked_add(count));
        end = next.ok_or_else(|| Error::overflow(format!("the rows up to row {row} of `counts`")))?;
        ends.push(end);
    }
    Ok(ends)
}

/// See [`repeat_each`]; the counts are integers without nulls, one for each row.
fn repeated_on_device(table: &Table, counts: &Column, ctx: &Context) -> Result<Table> {
    let pieces = match RowPieces::of_counts(counts, ctx)? {
        Some(pieces) => pieces,
        // The CPU says which count is none, or that all can be counted.
        None => {
            let starts = std::iter::once(0).chain(ends(&counts.to_host()?)?);
            let starts: Vec<u64> = starts.map(|start| start as u64).collect();
            RowPieces::of_starts(DeviceUVec::from_slice(&starts, &ctx.temporary()?)?)?
        }
    };
    if table.num_columns() == 0 {
        return Table::with_rows(vec![], pieces.total());
    }
    gather_table(table, &pieces.row_numbers(ctx)?, ctx)
}
