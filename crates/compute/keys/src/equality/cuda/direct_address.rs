//! Codes that index a table, on a GPU.

use cuprum_column::{ColumnDeviceView, Context, DeviceViews, Result};
use cuprum_elements::selection::cuda::{Selection, no_rows};
use cuprum_runtime::kernel::{In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

use super::flattened_keys::FlattenedKeys;
use super::kernels::grid;

kernels! {
    pub static DIRECT_ADDRESS: "direct_address.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 4,
        /// Words of 32 rows that one block numbers.
        pub(super) FEW_WORDS = 4096;

    pub(super) fn first_rows(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, bound: usize,
        table: Out<u32>, flags: Out<u32>,
    );
    pub(super) fn numbers_of_codes(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, bound: usize, table: In<u32>,
        missed: u32, numbers: Out<u32>, num_missed: Option<Out<u32>>,
    );
    pub(super) fn number_few_codes(table: Out<u32>, codes: usize, first_rows: Out<u32>, num: Out<u32>);
    pub(super) fn mark_known_codes(first_rows: In<u32>, codes: u32, known: Out<u32>, num: Out<u32>);
    pub(super) fn codes_of_rows<Key in [u32, u64]>(
        keys: ColumnDeviceView, least: u64, bound: u32, known: In<u32>, first_rows: Out<u32>, told: Out<u32>,
        codes: Out<u32>,
    );
    pub(super) fn codes_of_numbers(table: In<u32>, codes: u32, out: Out<u32>);
    pub(super) fn count_missed_codes(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, most: usize, bound: usize,
        table: In<u32>, numbers: Out<u32>,
    );
    fn mark_codes(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, bound: usize,
        marked: Out<u32>,
    );
    fn rows_of_codes(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, bound: usize,
        marked: In<u32>, there: bool, words: Out<u32>,
    );
}

/// The probe rows whose code is that of a build row, by the parts of a plan of codes below `bound`; with `there` false the
/// probe rows whose code is not.
pub(super) fn semi_join(
    keys: &FlattenedKeys<'_>,
    others: &FlattenedKeys<'_>,
    parts: &DeviceUVec<u64>,
    bound: usize,
    there: bool,
    ctx: &Context,
) -> Result<Selection> {
    let (known, views) = (DeviceViews::new(keys.columns(), ctx)?, DeviceViews::new(others.columns(), ctx)?);
    let (count, rows, num_keys) = (views.num_columns(), others.table.num_rows(), keys.table.num_rows());
    let mut marked = DeviceUVec::<u32>::zeroed(bound.div_ceil(32).max(1), &ctx.temporary()?)?;
    let mut words = no_rows(rows, ctx)?;
    // SAFETY: there is a bit for each code below the bound, and for each row.
    unsafe {
        mark_codes(ctx, grid(num_keys), &known, parts, count, num_keys, bound, &mut marked)?;
        rows_of_codes(ctx, grid(rows), &views, parts, count, rows, bound, &marked, there, &mut words)?;
    }
    Ok(Selection::of_words(words, rows, ctx)?.0)
}
