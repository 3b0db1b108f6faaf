//! On the CPU: columns of some pairs at a time.

use cuprum_column::{Column, Context, HostUVec, Result, Table};

use crate::expression::{Expression, evaluate};
use crate::join::options::JoinKind;
use crate::stream_compaction::apply_boolean_mask;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather};
use cuprum_elements::row_numbers::{NarrowRows, row_column};
use cuprum_keys::concatenate::concatenate;

/// The number of pairs of rows that are evaluated together.
const PAIRS_AT_ONCE: usize = 1 << 20;

/// See [`super::conditional_join`].
pub(super) fn conditional_join(
    left: &Table,
    right: &Table,
    predicate: &Expression,
    kind: JoinKind,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let (rows, width) = (left.num_rows(), right.num_rows());
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

/// See [`super::mixed_join`]; the maps are those of the pairs with equal keys.
pub(super) fn mixed_join(
    maps: [Column; 2],
    left: &Table,
    right: &Table,
    predicate: &Expression,
    kind: JoinKind,
    ctx: &Context,
) -> Result<(Column, Column)> {
    let (l, r) = where_true(left, right, maps, predicate, ctx)?;
    finish((vec![l], vec![r]), (left.num_rows(), right.num_rows()), kind, ctx)
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
