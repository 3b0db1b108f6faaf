//! Pairs of rows for which a formula is true.

use cuprum_column::{Column, Context, DataType, Error, HostUVec, Result, Table};
use cuprum_runtime::backend::host_only;
use cuprum_runtime::nvtx::func_range;

use super::join;
use super::options::JoinKind;
use crate::expression::{Expression, evaluate};
use crate::stream_compaction::apply_boolean_mask;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather};
use cuprum_elements::row_numbers::{NarrowRows, row_column};
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::row_limit::check_rows;

/// The number of pairs of rows that are evaluated together.
const PAIRS_AT_ONCE: usize = 1 << 20;

/// The gather maps (left, right) of the pairs of rows for which `predicate` is true: a formula over the columns
/// of `left` followed by those of `right`. Null is not true.
///
/// The pairs are in the order of left rows, then of right ones. Behind them come, with `Left` and `Full`, left
/// rows without a partner and, with `Full`, such right rows, each with −1 on the other side. For `LeftSemi` and
/// `LeftAnti` the right map is empty. All pairs are looked at, some at a time.
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
    host_only!(ctx, [left, right], conditional_join(&left, &right, predicate, kind));
    let (rows, width) = (left.num_rows(), right.num_rows());
    check_rows("the left table", rows)?;
    check_rows("the right table", width)?;
    check_predicate(predicate)?;
    let step = (PAIRS_AT_ONCE / width.max(1)).max(1);
    let (mut lefts, mut rights) = (vec![], vec![]);
    for start in (0..if width == 0 { 0 } else { rows }).step_by(step) {
        ctx.check()?;
        let pairs = step.min(rows - start) * width;
        let map = |row: &(dyn Fn(usize) -> u32 + Sync)| {
            row_column(HostUVec::from_fn(pairs, ctx, row)?, rows.max(width), ctx)
        };
        let maps = [map(&|i| (start + i / width) as u32)?, map(&|i| (i % width) as u32)?];
        let (l, r) = where_true(left, right, maps, predicate, ctx)?;
        lefts.push(l);
        rights.push(r);
    }
    finish((lefts, rights), (rows, width), kind, ctx)
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
        [keys, left, right],
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
    check_predicate(predicate)?;
    let (l, r) = join(left_keys, right_keys, JoinKind::Inner, nulls_equal, ctx)?;
    let (l, r) = where_true(left, right, [l, r], predicate, ctx)?;
    finish((vec![l], vec![r]), (rows, width), kind, ctx)
}

fn check_predicate(predicate: &Expression) -> Result<()> {
    match predicate.data_type() {
        DataType::Bool8 => Ok(()),
        other => Err(Error::data_type(format!("the condition {predicate} is of {other}, not of booleans"))),
    }
}

/// The pairs for which the predicate is true.
fn where_true(
    left: &Table,
    right: &Table,
    maps: [Column; 2],
    predicate: &Expression,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let pairs = maps[0].len();
    let mut columns = gather(left, &maps[0], OutOfBoundsPolicy::Check, ctx)?.into_columns();
    columns.extend(gather(right, &maps[1], OutOfBoundsPolicy::Check, ctx)?.into_columns());
    let mask = evaluate(std::slice::from_ref(predicate), &Table::with_rows(columns, pairs)?, ctx)?.remove(0);
    let mut kept = apply_boolean_mask(&Table::new(maps.to_vec())?, &mask, ctx)?.into_columns();
    let right = kept.remove(1);
    Ok((kept.remove(0), right))
}

/// The maps of a join of `rows` with the pairs that match.
fn finish(
    (lefts, rights): (Vec<Column>, Vec<Column>),
    (rows, width): (usize, usize),
    kind: JoinKind,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let empty = || row_column(HostUVec::zeroed(0, ctx)?, rows.max(width), ctx);
    let together = |parts: &[Column]| match parts {
        [] => empty(),
        [one] => Ok(one.clone()),
        parts => concatenate(&parts.iter().collect::<Vec<_>>(), ctx),
    };
    let (left, right) = (together(&lefts)?, together(&rights)?);
    let rows_that = |map: &Column, rows: usize, match_: bool| -> Result<Column> {
        let view = map.view()?;
        let map = NarrowRows::new("map", &view, ctx)?;
        let mut matched = HostUVec::<u8>::zeroed(rows, ctx)?;
        map.iter().for_each(|&row| matched[row as usize] = 1);
        let found: Vec<u32> =
            (0..rows as u32).filter(|&row| (matched[row as usize] != 0) == match_).collect();
        row_column(HostUVec::from_fn(found.len(), ctx, |i| found[i])?, rows.max(width), ctx)
    };
    let unmatched = |len: usize| row_column(HostUVec::filled(u32::MAX, len, ctx)?, rows.max(width), ctx);
    match kind {
        JoinKind::Inner => Ok((left, right)),
        JoinKind::LeftSemi => Ok((rows_that(&left, rows, true)?, empty()?)),
        JoinKind::LeftAnti => Ok((rows_that(&left, rows, false)?, empty()?)),
        JoinKind::Left | JoinKind::Full => {
            let mut sides = (vec![left.clone()], vec![right.clone()]);
            let none = rows_that(&left, rows, false)?;
            sides.1.push(unmatched(none.len())?);
            sides.0.push(none);
            if kind == JoinKind::Full {
                let none = rows_that(&right, width, false)?;
                sides.0.push(unmatched(none.len())?);
                sides.1.push(none);
            }
            Ok((together(&sides.0)?, together(&sides.1)?))
        }
    }
}
