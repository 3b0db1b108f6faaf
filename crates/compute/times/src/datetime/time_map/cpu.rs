//! On the CPU: one loop in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_column::{Buffer, Column, Context, DataType, Error, HostUVec, Native, Result, null_mask};
use cuprum_runtime::primitives::Bits;

use super::super::components::is_valid;

/// The column of `to` with `time(row)`. Fails for the first valid row without one, with what `refuse` says of it.
pub(in crate::datetime) fn map_times(
    len: usize,
    to: DataType,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
    time: impl Fn(usize) -> Option<i64> + Sync,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    match to.size() {
        Some(4) => map_times_as::<i32>(len, to, mask, ctx, time, refuse),
        _ => map_times_as::<i64>(len, to, mask, ctx, time, refuse),
    }
}

fn map_times_as<T: Native + TryFrom<i64>>(
    len: usize,
    to: DataType,
    mask: Option<(Buffer, usize)>,
    ctx: &Context,
    time: impl Fn(usize) -> Option<i64> + Sync,
    refuse: impl FnOnce(usize) -> Result<Error>,
) -> Result<Column> {
    let first_bad = AtomicUsize::new(usize::MAX);
    let bits = null_mask::bits(mask.as_ref(), len)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    let values = HostUVec::from_fn(len, ctx, |row| {
        time(row).and_then(|time| T::try_from(time).ok()).unwrap_or_else(|| {
            // Values under a null do not count.
            if is_valid(valid.as_ref(), row) {
                first_bad.fetch_min(row, Ordering::Relaxed);
            }
            T::zeroed()
        })
    })?;
    match first_bad.into_inner() {
        usize::MAX => Column::new(to, values, mask.clone()),
        bad => Err(refuse(bad)?),
    }
}
