//! Pairs of rows for which a formula is true.

mod cpu;
mod cuda;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_elements::fused::by_cpu;
use cuprum_runtime::backend::{host_only, on_device};
use cuprum_runtime::nvtx::func_range;

use super::join;
use super::options::JoinKind;
use crate::expression::{Expression, check_columns, is_one_kernel};
use cuprum_keys::equality::row_limit::check_rows;

/// The gather maps (left, right) of the pairs of rows for which `predicate` is true: a formula over the columns
/// of `left` followed by those of `right`. Null is not true.
///
/// The pairs are in the order of left rows, then of right ones. Behind them come, with `Left` and `Full`, left
/// rows without a partner and, with `Full`, such right rows, each with −1 on the other side. For `LeftSemi` and
/// `LeftAnti` the right map is empty. All pairs are looked at, some at a time: on a GPU by a generated kernel, which reads
/// the rows where they are and writes a bit for each pair.
///
/// Fails with `DataType` where the formula is not of booleans, with `Unsupported` for 2³² − 1 rows or more, and
/// as [`evaluate`].
pub fn conditional_join(
    left: &Table,
    right: &Table,
    predicate: &Expression,
    kind: JoinKind,
    ctx: &Context,
) -> Result<(Column, Column)> {
    func_range!(c"join.conditional_join");
    host_only!(
        ctx,
        [left, right] if !is_one_kernel(predicate),
        conditional_join(&left, &right, predicate, kind)
    );
    check(left, right, predicate)?;
    on_device!(ctx, cpu::conditional_join(left, right, predicate, kind, ctx), {
        match cuda::conditional_join(left, right, predicate, kind, cuda::PAIRS_AT_ONCE, ctx)? {
            Some(maps) => Ok(maps),
            // A pair refused: the CPU says which.
            None => by_cpu(&(left, right), ctx, |(left, right), host| {
                conditional_join(&left, &right, predicate, kind, host)
            }),
        }
    })
}

/// The gather maps (left, right) of the pairs of rows with equal keys for which `predicate` is true: a formula
/// over the columns of the table `left`, which belong to the rows of the left keys, and of `right`.
///
/// Keys are compared as [`join`] does; order, kinds and errors are those of [`conditional_join`]. Fails with
/// `Logic` where keys and tables differ in rows.
pub fn mixed_join(
    keys: (&Table, &Table),
    left: &Table,
    right: &Table,
    predicate: &Expression,
    kind: JoinKind,
    nulls_equal: bool,
    ctx: &Context,
) -> Result<(Column, Column)> {
    func_range!(c"join.mixed_join");
    host_only!(
        ctx,
        [keys, left, right] if !is_one_kernel(predicate),
        mixed_join((&keys.0, &keys.1), &left, &right, predicate, kind, nulls_equal)
    );
    let (left_keys, right_keys) = keys;
    let (rows, width) = (left.num_rows(), right.num_rows());
    for (side, keys, rows) in [("left", left_keys, rows), ("right", right_keys, width)] {
        if keys.num_rows() != rows {
            return Err(Error::logic(format!(
                "the {side} keys have {} rows, the {side} table of the condition {rows}",
                keys.num_rows()
            )));
        }
    }
    check(left, right, predicate)?;
    let (l, r) = join(left_keys, right_keys, JoinKind::Inner, nulls_equal, ctx)?;
    on_device!(ctx, cpu::mixed_join([l, r], left, right, predicate, kind, ctx), {
        match cuda::mixed_join([l, r], left, right, predicate, kind, ctx)? {
            Some(maps) => Ok(maps),
            // A pair refused: the CPU says which.
            None => by_cpu(&(keys, (left, right)), ctx, |(keys, (left, right)), host| {
                mixed_join((&keys.0, &keys.1), &left, &right, predicate, kind, nulls_equal, host)
            }),
        }
    })
}

/// Fails unless there is a number for each row, and the formula is one of booleans over the columns of both.
fn check(left: &Table, right: &Table, predicate: &Expression) -> Result<()> {
    check_rows("the left table", left.num_rows())?;
    check_rows("the right table", right.num_rows())?;
    if predicate.data_type() != DataType::Bool8 {
        let of = predicate.data_type();
        return Err(Error::data_type(format!("the condition {predicate} is of {of}, not of booleans")));
    }
    check_columns(predicate, &left.columns().iter().chain(right.columns()).collect::<Vec<_>>())
}
