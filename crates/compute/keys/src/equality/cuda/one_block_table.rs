//! Tables of few codes, numbered by one block.

use cuprum_column::{Column, Context, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::device_table::DeviceTable;
use super::direct_address::{FEW_WORDS, count_missed_codes, number_few_codes};
use super::kernels::{a_block_each, grid};
use super::strategy::{CodePlan, Strategy};

impl DeviceTable {
    /// Whether [`number_few_codes`](Self::number_few_codes) takes a table by this plan of so many rows.
    pub(super) fn has_few_codes(plan: &CodePlan, rows: usize) -> bool {
        matches!(plan.way, Strategy::Direct(bound) if bound <= FEW_WORDS as usize)
            && rows <= 32 * FEW_WORDS as usize
    }

    /// The first row of each code, in order, and the table with numbers in place of rows; and the number of rows of `looked_at`,
    /// its first column left out, whose codes the table does not have. Waits for it.
    pub(super) fn number_few_codes(
        mut self,
        plan: &CodePlan,
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
            // SAFETY: the counted rows are rows of the columns up to their last, of one column each.
            unsafe {
                count_missed_codes(ctx, grid, views, &plan.parts, count, most, codes, table, &mut told)?
            };
        }
        let told = told.to_vec()?;
        first_rows.truncate(told[0] as usize)?;
        Ok((first_rows, told[1] as usize, self))
    }
}
