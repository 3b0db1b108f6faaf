//! On a GPU: one row of each run, rows without NaN, rows that a mask is not true of. See [`runs`](super::runs).

use cuprum_column::types::Storage;
use cuprum_column::{Column, ColumnDeviceView, Context, DeviceView, DeviceViews, Error, Result, Table};
use cuprum_runtime::kernel::{Grid, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

use super::cuda::keep;
use super::distinct::Keep;
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_keys::flatten;
use cuprum_keys::list_keys::MissingElements;

kernels! {
    pub static NEIGHBOURS: "neighbours.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn keep_of_runs(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, nulls_equal: bool, keep: u32, words: Out<u32>,
    );
    fn keep_without_nans(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, threshold: usize, words: Out<u32>,
    );
    fn keep_not_true(mask: ColumnDeviceView, words: Out<u32>);
}

/// Rows that a kernel selects.
fn selected(
    rows: usize,
    ctx: &Context,
    launch: impl FnOnce(Grid, &mut DeviceUVec<u32>) -> Result<()>,
) -> Result<Selection> {
    let mut words = no_rows(rows, ctx)?;
    launch(Grid::striding(rows, THREADS), &mut words)?;
    Ok(Selection::of_words(words, rows, ctx)?.0)
}

/// The rows that are kept of each run of rows with equal keys.
#[doc(hidden)]
pub fn of_runs(keys: &Table, kept: Keep, nulls_equal: bool, ctx: &Context) -> Result<Selection> {
    let elements = if nulls_equal { MissingElements::equal(false) } else { MissingElements::unequal(false) };
    let (rows, leaves) = (keys.num_rows(), flatten::flatten(keys, |_| elements, ctx)?.0);
    if let Some(nested) = leaves.columns().iter().find(|c| c.data_type().storage() == Storage::Children) {
        return Err(Error::unsupported(format!("keys of type {}", nested.data_type())));
    }
    let views = DeviceViews::new(leaves.columns(), ctx)?;
    let kept = match kept {
        Keep::First => 0,
        Keep::Last => 1,
        Keep::None => 2,
    };
    // SAFETY: the columns have `rows` rows, each of which has a bit.
    selected(rows, ctx, |grid, words| unsafe {
        keep_of_runs(ctx, grid, &views, views.num_columns(), rows, nulls_equal, kept, words)
    })
}

/// The rows of `table` with at least `threshold` values that are no NaN among columns of floats.
pub(super) fn without_nans(
    table: &Table,
    columns: &[&Column],
    threshold: usize,
    ctx: &Context,
) -> Result<Table> {
    let columns: Vec<Column> = columns.iter().map(|&column| column.clone()).collect();
    let (views, rows) = (DeviceViews::new(&columns, ctx)?, table.num_rows());
    // SAFETY: the columns have `rows` rows, each with a bit.
    let selection = selected(rows, ctx, |grid, words| unsafe {
        keep_without_nans(ctx, grid, &views, views.num_columns(), rows, threshold, words)
    })?;
    keep(table, &selection, ctx)
}

/// The rows of `table` that a mask of as many is not true of.
pub(super) fn not_true(table: &Table, mask: &Column, ctx: &Context) -> Result<Table> {
    let view = DeviceView::new(mask)?;
    // SAFETY: each row of the mask has a bit.
    let selection =
        selected(mask.len(), ctx, |grid, words| unsafe { keep_not_true(ctx, grid, &view, words) })?;
    keep(table, &selection, ctx)
}
