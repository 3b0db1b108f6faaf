//! A column for each category, on a GPU.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::{DeviceUVec, kernels};

use cuprum_elements::gather::cuda::buffer;
use cuprum_keys::equality::cuda::{MissingKeys, number_both};
use cuprum_keys::flatten::leaves_with_nan;

kernels! {
    pub static RESHAPE: "reshape.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn rows_of_category(numbers: In<u32>, n: usize, categories: In<u32>, category: usize, out: Out<u8>);
}

/// See [`super::one_hot_encode`]; both are of one type.
pub(super) fn one_hot_encode(input: &Column, categories: &Column, ctx: &Context) -> Result<Table> {
    let (rows, temporary) = (input.len(), &ctx.temporary()?);
    let keys = |column: &Column| Table::with_rows(leaves_with_nan(column, temporary)?, column.len());
    let (wanted, numbers) = number_both(&keys(categories)?, &keys(input)?, MissingKeys::Equal, temporary)?;
    let column = |category: usize| {
        let mut is = DeviceUVec::<u8>::uninit(rows, ctx)?;
        let grid = Grid::striding(rows, THREADS);
        // SAFETY: there are `rows` numbers and bytes, and a number for each category.
        unsafe { rows_of_category(ctx, grid, &numbers, rows, &wanted.ids, category, &mut is)? };
        Column::from_buffer(DataType::Bool8, rows, buffer(is)?, None)
    };
    Table::with_rows((0..categories.len()).map(column).collect::<Result<_>>()?, rows)
}
