//! Rows to one value each on a GPU: a thread for each row, which reads it from left to right as the CPU does.

use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceViews, Error, Result, dispatch_storage, null_mask,
};
use cuprum_runtime::kernel::{Grid, Out, Structs};
use cuprum_runtime::{DeviceUVec, kernels};

use cuprum_elements::gather::cuda::buffer;
use cuprum_elementwise::unary::cast;

kernels! {
    pub static ROW_REDUCE: "row_reduce.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn row_sums<T in NUMBERS>(columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, out: Out<u64>);
    fn row_means<T in NUMBERS>(columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, out: Out<f64>);
    fn row_extremes<T in NUMBERS>(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, smallest: bool, out: Out<T>, found: Out<u8>,
    );
    fn row_truths(columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, any: bool, out: Out<u8>);
}

fn striding(rows: usize) -> Grid {
    Grid::striding(rows, THREADS)
}

fn not_numbers() -> Error {
    Error::data_type("only numbers and times are reduced by rows here")
}

pub(super) fn sums(columns: &[Column], rows: usize, to: DataType, ctx: &Context) -> Result<Column> {
    let (views, of) = (DeviceViews::new(columns, ctx)?, columns[0].data_type());
    let mut out = DeviceUVec::<u64>::uninit(rows, ctx)?;
    dispatch_storage!(of, T => {
        // SAFETY: the columns have `rows` values of `T`; there is a place for each row.
        unsafe { row_sums::<T>(ctx, striding(rows), &views, views.num_columns(), rows, &mut out)? };
        Ok(())
    }, else => Err(not_numbers()))?;
    let made = match to {
        DataType::UInt64 => DataType::UInt64,
        _ if of.is_float() => DataType::Float64,
        _ => DataType::Int64,
    };
    cast(&Column::from_buffer(made, rows, buffer(out)?, None)?, to, ctx)
}

pub(super) fn means(columns: &[Column], rows: usize, ctx: &Context) -> Result<Column> {
    let (views, of) = (DeviceViews::new(columns, ctx)?, columns[0].data_type());
    let mut out = DeviceUVec::<f64>::uninit(rows, ctx)?;
    dispatch_storage!(of, T => {
        // SAFETY: as for sums.
        unsafe { row_means::<T>(ctx, striding(rows), &views, views.num_columns(), rows, &mut out)? };
        Ok(())
    }, else => Err(not_numbers()))?;
    Column::from_buffer(DataType::Float64, rows, buffer(out)?, None)
}

pub(super) fn extremes(columns: &[Column], rows: usize, smallest: bool, ctx: &Context) -> Result<Column> {
    let (views, of) = (DeviceViews::new(columns, ctx)?, columns[0].data_type());
    let mut found = DeviceUVec::<u8>::uninit(rows, &ctx.temporary()?)?;
    let values = dispatch_storage!(of, T => {
        let mut out = DeviceUVec::<T>::uninit(rows, ctx)?;
        let (grid, num_columns) = (striding(rows), views.num_columns());
        // SAFETY: as for sums.
        unsafe { row_extremes::<T>(ctx, grid, &views, num_columns, rows, smallest, &mut out, &mut found)? };
        buffer(out)
    }, else => Err(not_numbers()))?;
    let values = Column::from_buffer(of, rows, values, None)?;
    if of.is_float() || columns.iter().any(|column| !column.has_nulls()) {
        return Ok(values);
    }
    let found = Column::from_buffer(DataType::Bool8, rows, buffer(found)?, None)?;
    values.with_mask(Some(null_mask::bools_to_mask(&found, ctx)?), ctx)
}

pub(super) fn truths(columns: &[Column], rows: usize, any: bool, ctx: &Context) -> Result<Column> {
    let (views, mut out) = (DeviceViews::new(columns, ctx)?, DeviceUVec::<u8>::uninit(rows, ctx)?);
    // SAFETY: the columns have `rows` booleans; there is a place for each row.
    unsafe { row_truths(ctx, striding(rows), &views, views.num_columns(), rows, any, &mut out)? };
    Column::from_buffer(DataType::Bool8, rows, buffer(out)?, None)
}
