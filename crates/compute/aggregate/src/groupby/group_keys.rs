//! Grouping of rows on the CPU: all at once, or chunk by chunk where memory is limited.

use cuprum_column::{Context, Result, Table};
use cuprum_elements::row_numbers::row_column;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::row_limit::check_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys, Numbered};

use super::chunked;
use super::grouping::Grouping;
use super::numbering::numbered;
use crate::accumulation::cpu::coded_groups::CodedGroups;

/// [`group`](super::group) in so many bytes of memory.
pub(super) fn group_within(
    keys: &Table,
    drop_nulls: bool,
    budget: Option<usize>,
    ctx: &Context,
) -> Result<Grouping> {
    check_rows("keys", keys.num_rows())?;
    if let Some(rows_at_once) = chunked::rows_at_once(keys, budget) {
        return Grouping::of_numbers(chunked::group(keys, drop_nulls, rows_at_once, ctx)?, ctx);
    }
    let tuning = Tuning::for_rows(keys.num_rows());
    // Rows in parts are no memory that spills.
    let (parted_above, coded_from) = match budget {
        Some(_) => (usize::MAX, usize::MAX),
        None => (tuning.parted_above, tuning.coded_from),
    };
    group_keys(keys, drop_nulls, Tuning { parted_above, coded_from, ..tuning }, ctx)
}

/// [`group`](super::group) of all rows at once, with thresholds that tests choose.
pub(super) fn group_keys(keys: &Table, drop_nulls: bool, tuning: Tuning, ctx: &Context) -> Result<Grouping> {
    check_rows("keys", keys.num_rows())?;
    let plan = EqualityKeys::with_tuning(&[keys], EncodeOptions { nan_is_null: true }, Some(tuning), ctx)?;
    if let Some((coded, first_rows)) = CodedGroups::new(keys, &plan, tuning, ctx)? {
        let num_groups = first_rows.len();
        let first_rows = row_column(first_rows, keys.num_rows(), ctx)?;
        return Ok(Grouping::of_codes(coded, first_rows, num_groups));
    }
    match numbered(plan, keys.num_rows(), drop_nulls, tuning, ctx)? {
        Numbered::Rows(numbers) => Grouping::of_numbers(numbers, ctx),
        Numbered::Parts(parts) => Grouping::of_parts(parts, ctx),
    }
}
