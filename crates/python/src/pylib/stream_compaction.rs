//! `pylibcuprum.stream_compaction`.

use cuprum_column::{Column, Context, Result, Table};
use cuprum_compute::copying::{OutOfBoundsPolicy, gather};
use cuprum_compute::expression::evaluate;
use cuprum_compute::nan_values::{keys, keys_with_unequal_nans};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::stream_compaction::{self};
use pyo3::prelude::*;

use super::binding::functions;
use super::choices::{NansEqual, NullsEqual};
use super::expressions::Formula;

functions! {
    "stream_compaction":
    drop_nulls(source_table: Table, keys: Vec<usize>, keep_threshold: usize) |ctx| {
        if keys.is_empty() {
            return Ok(source_table);
        }
        stream_compaction::drop_nulls(&source_table, &keys, keep_threshold, false, ctx)
    };
    drop_nans(source_table: Table, keys: Vec<usize>, keep_threshold: usize) |ctx| {
        if keys.is_empty() {
            return Ok(source_table);
        }
        stream_compaction::drop_nans(&source_table, &keys, keep_threshold, ctx)
    };
    apply_boolean_mask(source_table: Table, boolean_mask: Column) |ctx| {
        stream_compaction::apply_boolean_mask(&source_table, &boolean_mask, ctx)
    };
    apply_deletion_mask(source_table: Table, deletion_mask: Column) |ctx| {
        stream_compaction::apply_deletion_mask(&source_table, &deletion_mask, ctx)
    };
    unique(input: Table, keys: Vec<usize>, keep: Keep, nulls_equal: NullsEqual) |ctx| {
        if keys.is_empty() {
            return input.slice(0, 0);
        }
        let rows = stream_compaction::unique_rows(&input.select(&keys)?, keep, nulls_equal.0, ctx)?;
        gather(&input, &rows, OutOfBoundsPolicy::Check, ctx)
    };
    distinct(
        input: Table,
        keys: Vec<usize>,
        keep: Keep,
        nulls_equal: NullsEqual,
        nans_equal: NansEqual,
    ) |ctx| {
        if keys.is_empty() {
            return input.slice(0, 0);
        }
        let rows = kept_rows(&input.select(&keys)?, keep, nulls_equal, nans_equal, ctx)?;
        gather(&input, &rows, OutOfBoundsPolicy::Check, ctx)
    };
    distinct_indices(input: Table, keep: Keep, nulls_equal: NullsEqual, nans_equal: NansEqual) |ctx| {
        kept_rows(&input, keep, nulls_equal, nans_equal, ctx)
    };
    filter(predicate_table: Table, predicate_expr: Formula, filter_table: Table) |ctx| {
        let predicate = predicate_expr.over(&[&predicate_table])?;
        let mask = evaluate(&[predicate], &predicate_table, ctx)?.remove(0);
        stream_compaction::apply_boolean_mask(&filter_table, &mask, ctx)
    };
}

fn kept_rows(
    table: &Table,
    keep: Keep,
    nulls_equal: NullsEqual,
    nans_equal: NansEqual,
    ctx: &Context,
) -> Result<Column> {
    let keys =
        if nans_equal.0 { keys(&[table], ctx)?.remove(0) } else { keys_with_unequal_nans(table, ctx)? };
    distinct_rows(&keys, keep, nulls_equal.0, ctx)
}
