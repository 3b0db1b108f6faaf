//! Few rows, each compared with all others, on a GPU: one kernel, and one number to wait for.

use cuprum_column::{Column, Context, DeviceViews, Result};
use cuprum_runtime::DeviceUVec;

use super::flattened_keys::FlattenedKeys;
use super::group_ids::GroupIds;
use super::kernels::{a_thread_each, find_few, number_few, pair_few};
use super::tuning::Tuning;

/// Whether brute force takes the keys: few rows, and no more columns than a mask has bits.
pub(super) fn fits(keys: &FlattenedKeys<'_>, tuning: Tuning) -> bool {
    keys.table.num_rows() <= tuning.few && keys.columns().len() <= 64
}

/// A bit for each column whose missing values leave rows out.
fn drops(keys: &FlattenedKeys<'_>) -> u64 {
    keys.drops.iter().enumerate().fold(0, |bits, (c, &drops)| bits | u64::from(drops) << c)
}

/// The rows numbered by their keys. Waits for how many keys there are.
pub(super) fn number(keys: &FlattenedKeys<'_>, ctx: &Context) -> Result<GroupIds> {
    let rows = keys.table.num_rows();
    let mut ids = DeviceUVec::<u32>::uninit(rows, ctx)?;
    let mut first_rows = DeviceUVec::<u32>::uninit(rows, ctx)?;
    let mut num = DeviceUVec::<u32>::uninit(1, &ctx.temporary()?)?;
    let views = DeviceViews::new(keys.columns(), ctx)?;
    let (grid, count) = (a_thread_each(1), views.num_columns());
    // SAFETY: the columns have `rows` rows, no more than a block has threads, each with an id and a first row.
    unsafe { number_few(ctx, grid, &views, count, drops(keys), rows, &mut ids, &mut first_rows, &mut num)? };
    first_rows.truncate(num.element(0)? as usize)?;
    Ok(GroupIds { ids, first_rows })
}

/// The group id of the build side for each probe row; `u32::MAX` without a partner.
pub(super) fn find(
    keys: &FlattenedKeys<'_>,
    others: &FlattenedKeys<'_>,
    ids: &DeviceUVec<u32>,
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

/// The kind of a join, as `equality.cu` numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// The pairs of rows with equal keys.
    Inner = 0,
    /// `Inner`, and left rows without a partner.
    Left = 1,
    /// `Left`, and right rows without a partner.
    Full = 2,
    /// The left rows with a partner.
    Semi = 3,
    /// The left rows without a partner.
    Anti = 4,
}

/// The pairs of rows and others with equal keys, see `pair_few`. Waits for their number.
pub(super) fn pairs(
    rows: &FlattenedKeys<'_>,
    others: &FlattenedKeys<'_>,
    wanted: PairKind,
    ctx: &Context,
) -> Result<(DeviceUVec<u32>, DeviceUVec<u32>)> {
    let (num_rows, num_others) = (rows.table.num_rows(), others.table.num_rows());
    let has_right = !matches!(wanted, PairKind::Semi | PairKind::Anti);
    let most = if has_right { num_rows * num_others + num_rows + num_others } else { num_rows };
    let mut left = DeviceUVec::<u32>::uninit(most, ctx)?;
    let mut right = DeviceUVec::<u32>::uninit(if has_right { most } else { 0 }, ctx)?;
    let mut num = DeviceUVec::<u32>::uninit(1, &ctx.temporary()?)?;
    let columns: Vec<Column> = rows.columns().iter().chain(others.columns()).cloned().collect();
    let views = DeviceViews::new(&columns, ctx)?;
    let (grid, count, drops, kind) =
        (a_thread_each(1), rows.columns().len() as u32, drops(rows), wanted as u32);
    let (to_left, to_right) = (&mut left, &mut right);
    // SAFETY: the columns have as many rows as is said, no more than a warp has lanes, the others' behind those of the rows;
    // there is room for all pairs and for all unmatched rows.
    unsafe {
        pair_few(ctx, grid, &views, count, drops, num_rows, num_others, kind, to_left, to_right, &mut num)?;
    }
    let found = num.element(0)? as usize;
    left.truncate(found)?;
    right.truncate(found)?;
    Ok((left, right))
}
