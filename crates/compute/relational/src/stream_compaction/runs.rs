//! Runs of equal rows: neighbours with equal keys.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table, null_mask};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Bits;

use super::distinct::Keep;
use super::neighbours;
use cuprum_elements::selection::{self, Selection, selected_rows, words_from_fn};
use cuprum_keys::equality;
use cuprum_keys::flatten;
use cuprum_keys::list_keys::MissingElements;

/// The rows that are kept of every run of rows with equal keys, ascending: the first, the last, or those of
/// runs of one row. Without `nulls_equal` a row with a null key, or a null field of one, is a run of its own.
///
/// NaN equals NaN and is not null, −0.0 equals 0.0. `Int32` while the rows fit, `Int64` beyond.
pub fn unique_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    func_range!(c"stream_compaction.unique_rows");
    check_device!(ctx, [keys]);
    if ctx.is_on_gpu() {
        return selection::cuda::selected_rows(&neighbours::of_runs(keys, keep, nulls_equal, ctx)?, ctx);
    }
    let rows = keys.num_rows();
    let starts = run_starts(keys, nulls_equal, ctx)?;
    let starts_after = |row: usize| row + 1 == rows || starts[row + 1] != 0;
    let words = words_where(rows, ctx, |row| match keep {
        Keep::First => starts[row] != 0,
        Keep::Last => starts_after(row),
        Keep::None => starts[row] != 0 && starts_after(row),
    })?;
    selected_rows(&Selection::new(words, rows, ctx)?, ctx)
}

/// The number of runs of rows with equal keys; see [`unique_rows`].
pub fn unique_count(keys: &Table, nulls_equal: bool, ctx: &Context) -> Result<usize> {
    func_range!(c"stream_compaction.unique_count");
    check_device!(ctx, [keys]);
    if ctx.is_on_gpu() {
        return Ok(neighbours::of_runs(keys, Keep::First, nulls_equal, ctx)?.count());
    }
    let starts = run_starts(keys, nulls_equal, ctx)?;
    let counts = cuprum_runtime::parallel::map_morsels(starts.len(), ctx, |range| {
        Ok(range.filter(|&row| starts[row] != 0).count())
    })?;
    Ok(counts.into_iter().sum())
}

/// For each row whether it differs from the one before.
fn run_starts(keys: &Table, nulls_equal: bool, ctx: &Context) -> Result<HostUVec<u8>> {
    let elements = MissingElements::unequal(false);
    let keys = if nulls_equal { Cow::Borrowed(keys) } else { flatten::flatten(keys, |_| elements, ctx)?.0 };
    let encoded = equality::encode(&[&keys], ctx)?.remove(0);
    let codes = encoded.codes.view()?;
    let codes = codes.values::<u64>()?;
    let valid = null_mask::bits(encoded.valid.as_ref(), codes.len())?;
    let valid = valid.as_ref().map(Bits::to_bitmap).transpose()?;
    HostUVec::from_fn(codes.len(), ctx, |row| {
        let null = || !nulls_equal && valid.as_ref().is_some_and(|valid| !valid.get(row));
        u8::from(row == 0 || codes[row] != codes[row - 1] || null())
    })
}

/// The rows of `table` with at least `threshold` values that are not NaN among the columns `keys`; nulls are
/// not NaN.
///
/// Fails with `OutOfRange` when a key is no column of the table and with `DataType` when it is not of floats.
pub fn drop_nans(table: &Table, keys: &[usize], threshold: usize, ctx: &Context) -> Result<Table> {
    func_range!(c"stream_compaction.drop_nans");
    check_device!(ctx, [table]);
    let columns = keys.iter().map(|&key| table.column(key)).collect::<Result<Vec<_>>>()?;
    if let Some(other) = columns.iter().map(|column| column.data_type()).find(|of| !of.is_float()) {
        return Err(Error::data_type(format!("a key is of type {other}; NaN are floats")));
    }
    if ctx.is_on_gpu() {
        return neighbours::without_nans(table, &columns, threshold, ctx);
    }
    let flags = columns.iter().map(|column| nan_flags(column, ctx)).collect::<Result<Vec<_>>>()?;
    let words = words_where(table.num_rows(), ctx, |row| {
        flags.iter().filter(|flags| flags[row] == 0).count() >= threshold
    })?;
    super::cpu::keep(table, &Selection::new(words, table.num_rows(), ctx)?, ctx)
}

/// A bit for each of `len` rows that is selected.
fn words_where(len: usize, ctx: &Context, selected: impl Fn(usize) -> bool + Sync) -> Result<HostUVec<u64>> {
    words_from_fn(len, ctx, |w| {
        let rows = w * 64..len.min(w * 64 + 64);
        rows.fold(0, |word, row| word | u64::from(selected(row)) << (row % 64))
    })
}

fn nan_flags(column: &Column, ctx: &Context) -> Result<HostUVec<u8>> {
    let view = column.view()?;
    match column.data_type() {
        DataType::Float32 => {
            let values = view.values::<f32>()?;
            HostUVec::from_fn(column.len(), ctx, |row| u8::from(values[row].is_nan() && view.is_valid(row)))
        }
        DataType::Float64 => {
            let values = view.values::<f64>()?;
            HostUVec::from_fn(column.len(), ctx, |row| u8::from(values[row].is_nan() && view.is_valid(row)))
        }
        other => Err(Error::logic(format!("keys are of floats, not of {other}"))),
    }
}

/// The rows of `table` for which `mask` is false or null.
///
/// Fails as [`apply_boolean_mask`](super::apply_boolean_mask).
pub fn apply_deletion_mask(table: &Table, mask: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"stream_compaction.apply_deletion_mask");
    check_device!(ctx, [table, mask]);
    super::check_mask(mask)?;
    if mask.len() != table.num_rows() {
        return Err(Error::logic(format!(
            "`mask` has {} rows, the table has {}",
            mask.len(),
            table.num_rows()
        )));
    }
    if ctx.is_on_gpu() {
        return neighbours::not_true(table, mask, ctx);
    }
    let deleted = selection::true_words(mask, ctx)?;
    let words = words_where(mask.len(), ctx, |row| (deleted[row / 64] >> (row % 64)) & 1 == 0)?;
    let rows = selected_rows(&Selection::new(words, mask.len(), ctx)?, ctx)?;
    cuprum_elements::gather::gather(table, &rows, cuprum_elements::gather::OutOfBoundsPolicy::Check, ctx)
}
