//! The order of rows on a GPU.
//!
//! Few rows are ordered by counting, for each, the rows before it: one kernel, nobody waits. Otherwise keys
//! become words as on the CPU ([`layout`](super::layout)), made from the columns' ranges, which one pass
//! finds; a radix sort orders the row numbers by the first word, or by codes of it ([`codes`](super::codes)),
//! and rows that tie in it are put in order by whole keys: short runs of ties by insertion, the rows of long
//! ones that are not in order already by their next word, and so on ([`ties`](super::ties)).

pub(super) mod codes;
mod device_keys;
pub mod extremes;
pub mod kernels;
mod nearly_sorted;
mod sorted_values;
pub(crate) mod ties;
mod tuning;
pub(super) mod word_plan;

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_runtime::DeviceUVec;

use super::layout::bit_width;
use super::options::{NullOrder, Order};
pub use device_keys::DeviceKeys;
use kernels::find_disorder;
pub(crate) use kernels::striding;
pub use kernels::{DeviceRow, RowOrder};
pub use nearly_sorted::{NearlySorted, nearly_sorted_rows};
pub use sorted_values::{SortedValues, taken};
pub use tuning::Tuning;

/// See [`super::sorted_order`]; none of the keys is a struct.
pub(crate) fn sorted_order(
    keys: &Table,
    orders: &[Order],
    nulls: NullOrder,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Column> {
    let keys = DeviceKeys::new(keys, orders, nulls, ctx)?;
    if rows_fit_32_bits(keys.len) {
        numbers_column(DataType::Int32, sorted_rows::<u32>(&keys, tuning, ctx)?)
    } else {
        numbers_column(DataType::Int64, sorted_rows::<u64>(&keys, tuning, ctx)?)
    }
}

/// A column of numbers without nulls.
pub fn numbers_column<T: bytemuck::Pod>(data_type: DataType, numbers: DeviceUVec<T>) -> Result<Column> {
    Column::from_buffer(data_type, numbers.len(), numbers.into_buffer().try_into()?, None)
}

/// The row numbers in the order of the keys.
pub(crate) fn sorted_rows<R: DeviceRow>(
    keys: &DeviceKeys<'_>,
    tuning: Tuning,
    ctx: &Context,
) -> Result<DeviceUVec<R>> {
    nearly_sorted_rows(keys, tuning, ctx)?.refined(keys, ctx)
}

/// Whether no row comes before its predecessor.
pub(crate) fn is_sorted(keys: &DeviceKeys<'_>, ctx: &Context) -> Result<bool> {
    if keys.columns.is_empty() || keys.len < 2 {
        return Ok(true);
    }
    let mut disorder = DeviceUVec::<u32>::zeroed(1, &ctx.temporary()?)?;
    let (grid, directions) = (striding(keys.len), keys.directions.as_ref());
    // SAFETY: the columns have `len` rows.
    unsafe { find_disorder::<u32>(ctx, grid, &keys.views, keys.order, directions, keys.len, &mut disorder)? };
    Ok(disorder.element(0)? == 0)
}

/// The bits that numbers up to `most` take.
pub fn bits_for(most: usize) -> u32 {
    bit_width(most as u64)
}
