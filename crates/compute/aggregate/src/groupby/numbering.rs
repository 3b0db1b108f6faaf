//! The numbers of rows by their keys on the CPU, all at once.

use cuprum_column::{Context, Result, Table, null_mask};
use cuprum_keys::equality::cpu::{Factorized, Tuning};
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys, Numbered, number_or_part};
use cuprum_runtime::primitives::Bits;

/// Numbers of all rows at once, with thresholds that tests choose.
pub(super) fn number_keys(
    keys: &Table,
    drop_nulls: bool,
    tuning: Option<Tuning>,
    ctx: &Context,
) -> Result<Factorized> {
    let tuning = tuning.unwrap_or_else(|| Tuning::for_rows(keys.num_rows()));
    check_rows("keys", keys.num_rows())?;
    let plan = EqualityKeys::with_tuning(&[keys], EncodeOptions { nan_is_null: true }, Some(tuning), ctx)?;
    numbered(plan, keys.num_rows(), drop_nulls, tuning, ctx)?.into_numbers(ctx)
}

/// The rows of keys by their plan; they are fewer than numbers of 32 bits.
pub(super) fn numbered(
    plan: EqualityKeys<'_>,
    rows: usize,
    drop_nulls: bool,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Numbered> {
    let valid = if drop_nulls { plan.valid_rows(0, ctx)? } else { None };
    let bits = null_mask::bits(valid.as_ref().filter(|(_, nulls)| *nulls > 0), rows)?;
    let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
    number_or_part(plan, valid, tuning, ctx)
}
