//! Distinct rows of more than are [numbered at once](cuprum_keys::equality::row_limit), by their groups.

use std::ops::Range;

use cuprum_aggregate::aggregation::Aggregation;
use cuprum_aggregate::groupby::{self, Grouping};
use cuprum_column::{Column, Context, DataType, Result, Scalar, Table};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elements::row_numbers::rows_fit_32_bits;
use cuprum_elements::selection::true_rows;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::copying::{scatter, scatter_scalar};
use cuprum_elementwise::unary::cast;
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::row_limit::pieces;
use cuprum_keys::order::NullOrder;
use cuprum_keys::sorting::sorted_order;
use cuprum_runtime::primitives;

use super::Keep;

/// See [`super::distinct_rows`].
pub(super) fn distinct_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    let kept = kept_rows(keys, keep, nulls_equal, ctx)?;
    cast(&kept, if rows_fit_32_bits(keys.num_rows()) { DataType::Int32 } else { DataType::Int64 }, ctx)
}

/// See [`super::duplicated`].
pub(super) fn duplicated(keys: &Table, keep: Keep, ctx: &Context) -> Result<Column> {
    let kept = kept_rows(keys, keep, true, ctx)?;
    let of_piece = |rows: Range<usize>| {
        let repeats = primitives::sequence(1u8, 0, rows.len(), ctx)?.into_buffer();
        let repeats = Column::from_buffer(DataType::Bool8, rows.len(), repeats.try_into()?, None)?;
        let number = |row: usize| Scalar::from(row as i64);
        let from = binary_operation(&kept, &number(rows.start), BinaryOperator::GreaterEqual, ctx)?;
        let below = binary_operation(&kept, &number(rows.end), BinaryOperator::Less, ctx)?;
        let kept = taken(&kept, &binary_operation(&from, &below, BinaryOperator::And, ctx)?, ctx)?;
        let kept = binary_operation(&kept, &number(rows.start), BinaryOperator::Sub, ctx)?;
        scatter_scalar(&Scalar::from(false), &kept, &repeats, ctx)
    };
    let repeats = pieces(keys.num_rows()).map(of_piece).collect::<Result<Vec<_>>>()?;
    concatenate(&repeats.iter().collect::<Vec<_>>(), ctx)
}

/// The rows that are kept, ascending: `Int64`.
fn kept_rows(keys: &Table, keep: Keep, nulls_equal: bool, ctx: &Context) -> Result<Column> {
    if keep == Keep::First && nulls_equal {
        return cast(&groupby::first_rows(keys, false, ctx)?, DataType::Int64, ctx);
    }
    let grouping = groupby::group(keys, !nulls_equal, ctx)?;
    let first = cast(&grouping.first_rows, DataType::Int64, ctx)?;
    let kept = match keep {
        Keep::First => first,
        Keep::Last => last_rows(&grouping, &first, ctx)?,
        Keep::None => {
            let ids = grouping.ids(ctx)?;
            let sizes = groupby::aggregate(&grouping, &[(ids, Aggregation::Size)], ctx)?.remove(0);
            let alone = binary_operation(&sizes, &Scalar::from(1i64), BinaryOperator::Equal, ctx)?;
            taken(&first, &alone, ctx)?
        }
    };
    if nulls_equal && keep == Keep::None {
        return Ok(kept);
    }
    let mut kept = vec![kept];
    if !nulls_equal {
        // Rows with a missing key equal no other row.
        for rows in pieces(keys.num_rows()) {
            let ids = grouping.ids(ctx)?.slice(rows.start, rows.len())?;
            let in_none = binary_operation(&ids, &Scalar::from(0i64), BinaryOperator::Less, ctx)?;
            kept.push(counted_from(rows.start, &true_rows(&in_none, ctx)?, ctx)?);
        }
    }
    let kept = concatenate(&kept.iter().collect::<Vec<_>>(), ctx)?;
    let order = sorted_order(&Table::new(vec![kept.clone()])?, &[], NullOrder::Last, ctx)?;
    gather_column(&kept, &order, OutOfBoundsPolicy::Check, ctx)
}

/// The last row of each group, where `rows` has one of each.
fn last_rows(grouping: &Grouping, rows: &Column, ctx: &Context) -> Result<Column> {
    let mut last = rows.clone();
    for piece in pieces(grouping.num_rows()) {
        let ids = grouping.ids(ctx)?.slice(piece.start, piece.len())?;
        let rows = super::distinct_rows(&Table::new(vec![ids.clone()])?, Keep::Last, true, ctx)?;
        let groups = gather_column(&ids, &rows, OutOfBoundsPolicy::Check, ctx)?;
        let in_some = binary_operation(&groups, &Scalar::from(0i64), BinaryOperator::GreaterEqual, ctx)?;
        let (rows, groups) = (taken(&rows, &in_some, ctx)?, taken(&groups, &in_some, ctx)?);
        last = scatter(&counted_from(piece.start, &rows, ctx)?, &groups, &last, ctx)?;
    }
    Ok(last)
}

/// The elements for which `mask` is true.
fn taken(column: &Column, mask: &Column, ctx: &Context) -> Result<Column> {
    gather_column(column, &true_rows(mask, ctx)?, OutOfBoundsPolicy::Check, ctx)
}

/// Row numbers of a piece that begins at a row of all, as those of all: `Int64`.
fn counted_from(start: usize, rows: &Column, ctx: &Context) -> Result<Column> {
    let start = Scalar::from(start as i64);
    binary_operation(&cast(rows, DataType::Int64, ctx)?, &start, BinaryOperator::Add, ctx)
}
