//! Few rows numbered and found by comparing them one by one, on a GPU: one kernel, and one number to wait for.

use cuprum_column::{Context, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::cuda::{Leaves, Numbers, Tuning, a_thread_each, find_few, number_few};

/// Whether keys are few enough rows, of no more columns than a mask has bits.
pub(super) fn fits(keys: &Leaves<'_>, tuning: Tuning) -> bool {
    keys.table.num_rows() <= tuning.few && keys.columns().len() <= 64
}

/// A bit for each column that rows must not miss.
fn drops(keys: &Leaves<'_>) -> u64 {
    keys.drops.iter().enumerate().fold(0, |bits, (c, &drops)| bits | u64::from(drops) << c)
}

/// The rows numbered by their keys, and whether no two rows that count have one. Waits for how many keys there are.
pub(super) fn number(keys: &Leaves<'_>, ctx: &Context) -> Result<(Numbers, bool)> {
    let rows = keys.table.num_rows();
    let mut ids = DeviceUVec::<u32>::uninit(rows, ctx)?;
    let mut first_rows = DeviceUVec::<u32>::uninit(rows, ctx)?;
    let mut num = DeviceUVec::<u32>::uninit(2, &ctx.temporary()?)?;
    let views = DeviceViews::new(keys.columns(), ctx)?;
    let (grid, count) = (a_thread_each(1), views.num_columns());
    // SAFETY: the columns have `rows` rows, no more than a block has threads, each with an id and a first row.
    unsafe { number_few(ctx, grid, &views, count, drops(keys), rows, &mut ids, &mut first_rows, &mut num)? };
    let num = num.to_vec()?;
    first_rows.truncate(num[0] as usize)?;
    Ok((Numbers { ids, first_rows }, num[0] == num[1]))
}

/// For each row of others the first row that has its key, or that row's id; the largest number where there is none.
pub(super) fn find(
    keys: &Leaves<'_>,
    others: &Leaves<'_>,
    ids: Option<&DeviceUVec<u32>>,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    let (rows, num_keys) = (others.table.num_rows(), keys.table.num_rows());
    let mut found = DeviceUVec::<u32>::uninit(rows, ctx)?;
    let (views, known) = (DeviceViews::new(others.columns(), ctx)?, DeviceViews::new(keys.columns(), ctx)?);
    let (grid, count) = (a_thread_each(rows), views.num_columns());
    // SAFETY: the columns have as many rows as is said, each of the others with a place, of the keys with an id.
    unsafe { find_few(ctx, grid, &views, &known, count, drops(others), rows, num_keys, ids, &mut found)? };
    Ok(found)
}
