//! Values as equal ones of another type, on a GPU.

use cuprum_column::null_mask::bitmask_allocation_size_bytes;
use cuprum_column::{
    Column, ColumnDeviceView, Context, DataType, DeviceView, Result, TimeUnit, UNKNOWN_NULL_COUNT,
};
use cuprum_runtime::kernel::{Grid, Out};
use cuprum_runtime::{DeviceUVec, kernel_struct, kernels};

kernel_struct! {
    /// The factor of integers, or their divisor.
    struct Scaling {
        factor_high: u64,
        factor_low: u64,
        divisor_high: u64,
        divisor_low: u64,
        only_zero: u64,
    }
}

kernels! {
    pub static EXACT_VALUES: "exact_values.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn exact_values(column: ColumnDeviceView, scaling: Scaling, to: i32, values: Out<u8>, valid: Out<u32>);
}

impl Scaling {
    fn new(factor: i128, divisor: i128) -> Self {
        let halves = |number: i128| ((number >> 64) as u64, number as u64);
        let ((factor_high, factor_low), (divisor_high, divisor_low)) = (halves(factor), halves(divisor));
        Self { factor_high, factor_low, divisor_high, divisor_low, only_zero: 0 }
    }

    /// From the unit of one type to that of the other one.
    fn between(from: DataType, to: DataType) -> Self {
        if let (Some(from), Some(to)) = (unit(from), unit(to)) {
            let (from, to) = (i128::from(from.per_day()), i128::from(to.per_day()));
            return if from < to { Self::new(to / from, 1) } else { Self::new(1, from / to) };
        }
        if !from.is_decimal() {
            return Self::new(1, 1);
        }
        let (from, to) = (from.scale(), to.scale());
        match 10i128.checked_pow(from.abs_diff(to)) {
            Some(power) if from > to => Self::new(power, 1),
            Some(power) => Self::new(1, power),
            // More digits than any value has.
            None => Self { only_zero: 1, ..Self::new(1, 1) },
        }
    }
}

fn unit(data_type: DataType) -> Option<TimeUnit> {
    match data_type {
        DataType::Timestamp(unit) | DataType::Duration(unit) => Some(unit),
        _ => None,
    }
}

/// The values of a column as equal ones of another type, null where there is none; both are of numbers, of timestamps, of
/// durations or of decimals.
pub(super) fn exact_values_of(column: &Column, to: DataType, ctx: &Context) -> Result<Column> {
    let len = column.len();
    let mut values = DeviceUVec::<u8>::uninit(len * to.size().unwrap_or(0), ctx)?;
    let mut valid = DeviceUVec::<u32>::zeroed(bitmask_allocation_size_bytes(len) / size_of::<u32>(), ctx)?;
    let (view, scaling) = (DeviceView::new(column)?, Scaling::between(column.data_type(), to));
    // SAFETY: there are a value of the type `to` and a bit for each row.
    unsafe {
        let (grid, to) = (Grid::striding(len, THREADS), to.id() as i32);
        exact_values(ctx, grid, &view, scaling, to, &mut values, &mut valid)?;
    }
    let mask = (valid.into_buffer().try_into()?, UNKNOWN_NULL_COUNT);
    Column::from_buffer(to, len, values.into_buffer().try_into()?, Some(mask))
}
