//! Rows by codes of their keys that index a table, on a GPU.

use cuprum_column::{Column, ColumnDeviceView, Context, DeviceViews, Result};
use cuprum_runtime::kernel::{In, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

use super::cuda::{Filled, Leaves, Plan, Way, a_block_each, grid};
use cuprum_elements::selection::cuda::{Selection, no_rows};

kernels! {
    pub static CODES: "codes.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 4,
        /// Words of a bit for each row, of rows whose first ones are numbered by one block.
        FEW_WORDS = 4096;

    pub(super) fn first_rows(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, bound: usize,
        table: Out<u32>, flags: Out<u32>,
    );
    pub(super) fn numbers_of_codes(
        columns: Structs<ColumnDeviceView>, parts: In<u64>, num_columns: u32, n: usize, bound: usize, table: In<u32>,
        missed: u32, numbers: Out<u32>, num_missed: Option<Out<u32>>,
    );
    fn number_few_codes(table: Out<u32>, codes: usize, first_rows: Out<u32>, num: Out<u32>);
    pub(super) fn mark_known_codes(first_rows: In<u32>, codes: u32, known: Out<u32>, num: Out<u32>);
    pub(super) fn codes_of_rows<Key in [u32, u64]>(
        keys: ColumnDeviceView, least: u64, bound: u32, known: In<u32>, first_rows: Out<u32>, told: Out<u32>,
        codes: Out<u32>,
    );
    pub(super) fn codes_of_numbers(table: In<u32>, codes: u32, out: Out<u32>);
    fn count_missed_codes(
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

impl Filled {
    /// Whether [`number_few_codes`](Self::number_few_codes) takes a table by this plan with the first of so many rows.
    pub(super) fn has_few_codes(plan: &Plan, rows: usize) -> bool {
        matches!(plan.way, Way::Direct(bound) if bound <= FEW_WORDS as usize)
            && rows <= 32 * FEW_WORDS as usize
    }

    /// The first rows, in order, of codes that are few, which have their numbers then; and how many rows of `looked_at` but the
    /// first column, if any, have codes that are not there. Waits for it.
    pub(super) fn number_few_codes(
        mut self,
        plan: &Plan,
        looked_at: Option<(&DeviceViews<'_>, &[Column])>,
        ctx: &Context,
    ) -> Result<(DeviceUVec<u32>, usize, Self)> {
        let codes = self.table.len();
        let mut first_rows = DeviceUVec::<u32>::uninit(codes, ctx)?;
        let mut told = DeviceUVec::<u32>::zeroed(2, &ctx.temporary()?)?;
        // SAFETY: each code has a first row below 32 times the words, or none, and a place.
        unsafe {
            number_few_codes(ctx, a_block_each(1), &mut self.table, codes, &mut first_rows, &mut told)?
        };
        if let Some((views, pieces)) = looked_at {
            let most = pieces.iter().skip(1).map(Column::len).max().unwrap_or(0);
            let (grid, count, table) = (grid(most), views.num_columns(), &self.table);
            // SAFETY: what is counted are rows of the columns up to their last, of one column each.
            unsafe {
                count_missed_codes(ctx, grid, views, &plan.parts, count, most, codes, table, &mut told)?
            };
        }
        let told = told.to_vec()?;
        first_rows.truncate(told[0] as usize)?;
        Ok((first_rows, told[1] as usize, self))
    }
}

/// The rows of `others` that have a code of a row of `keys`, by the parts of a plan of codes below `bound`; or with `there` false
/// all others of them.
pub(super) fn rows_with_partner(
    keys: &Leaves<'_>,
    others: &Leaves<'_>,
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
