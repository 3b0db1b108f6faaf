//! Columns from a rule: sequences, repetition, one value in a range.

mod each;
mod range;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives;

pub use each::repeat_each;
pub use range::{fill, fill_in_place};

use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::{gather_table, gather_table_rows};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_keys::concatenate::concatenate_tables;

/// `start, start + step, start + 2 step, …`: `len` rows of `Int64`.
///
/// Fails with `Overflow` when the last one does not fit.
pub fn sequence(start: i64, step: i64, len: usize, ctx: &Context) -> Result<Column> {
    func_range!(c"filling.sequence");
    check_device!(ctx, []);
    let last = len.saturating_sub(1) as i128 * i128::from(step) + i128::from(start);
    if i64::try_from(last).is_err() {
        return Err(Error::overflow(format!(
            "the last of {len} numbers from {start} by {step} is {last}, which does not fit int64"
        )));
    }
    let rows = primitives::sequence(start, step, len, ctx)?.into_buffer();
    Column::from_buffer(DataType::Int64, len, rows.try_into()?, None)
}

/// Every row of `table` `n` times, the copies next to each other: `a a b b`.
///
/// Fails with `Overflow` when the number of rows does not fit.
pub fn repeat(table: &Table, n: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"filling.repeat");
    check_device!(ctx, [table]);
    let rows = table.num_rows();
    let len = total_rows(rows, n)?;
    if n == 1 {
        return Ok(table.clone());
    }
    if table.num_columns() == 0 {
        return Table::with_rows(vec![], len);
    }
    if n == 0 {
        return table.slice(0, 0);
    }
    if n >= LONG_RUN && (1..=FEW_ROWS).contains(&rows) {
        return repeat_in_runs(table, n, ctx);
    }
    if ctx.is_on_gpu() {
        return gather_table(table, &GatherMap::repeated(rows, n, ctx)?, ctx);
    }
    if rows_fit_32_bits(rows) {
        gather_table_rows(table, &HostUVec::from_fn(len, ctx, |i| (i / n) as u32)?, ctx)
    } else {
        gather_table_rows(table, &HostUVec::from_fn(len, ctx, |i| (i / n) as u64)?, ctx)
    }
}

/// The most rows of which [`repeat_in_runs`] repeats each by itself, and the fewest copies of them for which it pays.
const FEW_ROWS: usize = 256;
const LONG_RUN: usize = 8192;

/// [`repeat`] of many copies of few rows: pieces of equal rows are concatenated, so that bytes are copied,
/// not rows.
fn repeat_in_runs(table: &Table, n: usize, ctx: &Context) -> Result<Table> {
    /// The fewest copies that are a piece, and the most pieces that are concatenated.
    const PIECE: usize = 512;
    const MOST: usize = 1 << 15;
    let copies = (table.num_rows() * n / MOST).max(PIECE).next_multiple_of(16);
    let piece = |row: usize| tile(&tile(&table.slice(row, 1)?, 16, ctx)?, copies / 16, ctx);
    let pieces = (0..table.num_rows()).map(piece).collect::<Result<Vec<_>>>()?;
    let rests = pieces.iter().map(|piece| piece.slice(0, n % copies)).collect::<Result<Vec<_>>>()?;
    let runs = pieces.iter().zip(&rests);
    let parts: Vec<&Table> =
        runs.flat_map(|(piece, rest)| std::iter::repeat_n(piece, n / copies).chain([rest])).collect();
    concatenate_tables(&parts, ctx)
}

/// The whole of `table` `n` times, one copy after the other: `a b a b`.
///
/// Fails with `Overflow` when the number of rows does not fit.
pub fn tile(table: &Table, n: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"filling.tile");
    check_device!(ctx, [table]);
    let len = total_rows(table.num_rows(), n)?;
    if table.num_columns() == 0 || len == 0 {
        return if table.num_columns() == 0 { Table::with_rows(vec![], len) } else { table.slice(0, 0) };
    }
    tile_before(table, n, None, ctx)
}

/// The whole of `table` `n` times, and `rest` behind it. Many copies are made of some together, so that
/// no list of all of them is needed.
fn tile_before(table: &Table, n: usize, rest: Option<Table>, ctx: &Context) -> Result<Table> {
    /// The most copies that are made at a time.
    const MOST: usize = 1 << 16;
    /// The number of copies made together where there are more.
    const TOGETHER: usize = 256;
    let copies = |n: usize, rest: Option<&Table>| {
        let tables: Vec<&Table> = std::iter::repeat_n(table, n).chain(rest).collect();
        concatenate_tables(&tables, ctx)
    };
    if n <= MOST {
        return copies(n, rest.as_ref());
    }
    let rest = match n % TOGETHER {
        0 => rest,
        few => Some(copies(few, rest.as_ref())?),
    };
    tile_before(&copies(TOGETHER, None)?, n / TOGETHER, rest, ctx)
}

fn total_rows(rows: usize, n: usize) -> Result<usize> {
    rows.checked_mul(n)
        .filter(|&len| i64::try_from(len).is_ok())
        .ok_or_else(|| Error::overflow(format!("{rows} rows repeated {n} times are too many")))
}
