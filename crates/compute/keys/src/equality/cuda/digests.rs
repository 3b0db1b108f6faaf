//! Rows that are compared as a whole, numbered by digests of 64 bits on a GPU.
//!
//! A probe compares digests and not rows, whose bytes lie anywhere in memory. Digests of different rows may
//! be equal, so each row is compared with the first row of its number in the end. If one differs, which is
//! very unlikely, all rows are numbered again by comparing them.

use std::borrow::Cow;

use cuprum_column::{Column, Context, DataType, DeviceViews, Result, Table, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::DeviceUVec;

use super::flattened_keys::FlattenedKeys;
use super::group_ids::GroupIds;
use super::kernels::{check_numbers, digest_rows, grid, striding};
use super::sampled_build::number_by_plan;
use super::strategy::{CodePlan, Strategy};
use super::tuning::Tuning;

/// The group ids by digests; `None` for few rows, for keys with codes, and where digests of different rows are equal. Waits for
/// the comparison.
pub(super) fn number(
    keys: &FlattenedKeys<'_>,
    plan: &CodePlan,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Option<GroupIds>> {
    let (rows, temporary) = (keys.table.num_rows(), &ctx.temporary()?);
    if rows < tuning.digested || !matches!(plan.way, Strategy::Whole) {
        return Ok(None);
    }
    let views = &DeviceViews::new(keys.columns(), ctx)?;
    let mut digests = DeviceUVec::<u64>::uninit(rows, temporary)?;
    let may_miss = |(column, drops): (&Column, &bool)| {
        *drops
            && (column.mask().is_some()
                || column.data_type().is_float()
                || column.data_type() == DataType::Empty)
    };
    let mut valid = match keys.columns().iter().zip(&keys.drops).any(may_miss) {
        true => Some(DeviceUVec::<u32>::zeroed(
            null_mask::bitmask_allocation_size_bytes(rows) / size_of::<u32>(),
            temporary,
        )?),
        false => None,
    };
    let (parts, count, kept) = (&plan.parts, plan.num_columns, tuning.digest_bits);
    // SAFETY: the columns have `rows` rows, each with a digest and a bit.
    unsafe { digest_rows(ctx, grid(rows), views, parts, count, rows, kept, &mut digests, valid.as_mut())? };
    let valid = valid
        .map(|words| Ok::<_, cuprum_column::Error>((words.into_buffer().try_into()?, UNKNOWN_NULL_COUNT)));
    let digests =
        Column::from_buffer(DataType::UInt64, rows, digests.into_buffer().try_into()?, valid.transpose()?)?;
    let digests = FlattenedKeys { table: Cow::Owned(Table::new(vec![digests])?), drops: vec![true] };
    let Some(numbers) = number_by_plan(&digests, &CodePlan::of_digests(ctx)?, None, tuning, ctx)? else {
        return Ok(None);
    };
    let mut differs = DeviceUVec::<u32>::zeroed(1, temporary)?;
    let GroupIds { ids, first_rows } = &numbers;
    // SAFETY: the columns have `rows` rows, each with an id; numbers below that of first rows have rows.
    unsafe {
        check_numbers(
            ctx,
            striding(rows),
            views,
            count,
            rows,
            ids,
            first_rows,
            first_rows.len(),
            &mut differs,
        )?;
    }
    Ok((differs.element(0)? == 0).then_some(numbers))
}
