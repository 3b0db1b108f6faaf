//! Results of groups of more rows than are [counted at once](cuprum_keys::equality::row_limit): some groups with all
//! their rows at a time.
//!
//! Groups keep the order of their rows, so whatever is made of them is the same as of all groups at once.

use std::ops::Range;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column};
use cuprum_elements::selection::true_rows;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::unary::cast;
use cuprum_keys::concatenate::concatenate;
use cuprum_keys::equality::row_limit::{most_rows, pieces};

use super::at_once;
use super::grouping::Grouping;
use super::result_type::result_type;
use crate::aggregation::Aggregation;
use crate::reduce::reduce;

/// Rows that are looked through at a time, at most: their numbers take memory.
const SLICE: usize = 1 << 28;

/// Makes results of groups from the values of their rows.
type OfGroups<'f> = dyn Fn(&Grouping, &[Column]) -> Result<Vec<Column>> + 'f;

/// See [`super::aggregate`]. A group of too many rows is a column to reduce.
pub(super) fn aggregate(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    // Each column once: those of the same memory are read together.
    let mut columns: Vec<&Column> = Vec::new();
    let mut places = Vec::with_capacity(requests.len());
    for (column, _) in requests {
        places.push(columns.iter().position(|known| known.is_same_memory(column)).unwrap_or(columns.len()));
        if places[places.len() - 1] == columns.len() {
            columns.push(column);
        }
    }
    let some = |grouping: &Grouping, columns: &[Column]| {
        let requests = requests.iter().zip(&places).map(|((_, how), &place)| (&columns[place], *how));
        at_once::aggregate(grouping, &requests.collect::<Vec<_>>(), ctx)
    };
    let one = |columns: &[Column]| {
        let of = requests.iter().zip(&places).map(|((column, how), &place)| {
            let value = reduce(&columns[place], *how, ctx)?;
            cast(&Column::from_scalar(&value, 1, ctx)?, result_type(column.data_type(), *how)?, ctx)
        });
        of.collect()
    };
    of_all(grouping, &columns, &some, &one, ctx)
}

/// The results of groups, some groups at a time; `None` where the rows are few enough to be counted at once. `columns`
/// have as many rows as the grouping; errors call the work `name`.
///
/// Fails with `Unsupported` for a single group of more rows than are counted at once.
pub(crate) fn in_batches(
    name: &str,
    grouping: &Grouping,
    columns: &[&Column],
    ctx: &Context,
    some: &OfGroups<'_>,
) -> Result<Option<Vec<Column>>> {
    if grouping.num_rows() <= most_rows() {
        return Ok(None);
    }
    let rows = grouping.num_rows();
    if let Some(column) = columns.iter().find(|column| column.len() != rows) {
        return Err(Error::logic(format!("a column has {} rows, the grouping {rows}", column.len())));
    }
    let one = |_: &[Column]| {
        Err(Error::unsupported(format!("{name} of a group of more than {} rows", most_rows())))
    };
    Ok(Some(of_all(grouping, columns, some, &one, ctx)?))
}

/// The results of all groups: `some` makes those of some with few enough rows, `one` that of a group with more.
fn of_all(
    grouping: &Grouping,
    columns: &[&Column],
    some: &OfGroups<'_>,
    one: &dyn Fn(&[Column]) -> Result<Vec<Column>>,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let ids = grouping.ids(ctx)?;
    let sizes = sizes(ids, grouping.num_groups, ctx)?.to_host()?;
    let sizes = sizes.view()?;
    let mut results: Vec<Vec<Column>> = Vec::new();
    for groups in batches(sizes.values::<i64>()?) {
        let (own, columns) = rows_of(ids, columns, groups.clone(), ctx)?;
        results.push(match own.len() > most_rows() {
            true => one(&columns)?,
            // Nobody asks a part for the rows that its groups begin at.
            false => some(&Grouping::new(own, Column::empty(DataType::Int32), groups.len()), &columns)?,
        });
    }
    let width = results.first().map_or(0, Vec::len);
    (0..width)
        .map(|i| concatenate(&results.iter().map(|results| &results[i]).collect::<Vec<_>>(), ctx))
        .collect()
}

/// The number of rows of each group.
fn sizes(ids: &Column, num_groups: usize, ctx: &Context) -> Result<Column> {
    let mut sizes: Option<Column> = None;
    for rows in pieces(ids.len()) {
        let ids = ids.slice(rows.start, rows.len())?;
        let piece = Grouping::new(ids.clone(), Column::empty(DataType::Int32), num_groups);
        let more = at_once::aggregate(&piece, &[(&ids, Aggregation::Size)], ctx)?.remove(0);
        sizes = Some(match sizes {
            None => more,
            Some(sizes) => binary_operation(&sizes, &more, BinaryOperator::Add, ctx)?,
        });
    }
    sizes.ok_or_else(|| Error::logic("groups without rows"))
}

/// Neighbouring groups with as many rows as are counted at once and have `Int32` for numbers, or one with more; at least
/// one batch.
fn batches(sizes: &[i64]) -> Vec<Range<usize>> {
    let most = most_rows().min(i32::MAX as usize);
    let mut batches = Vec::new();
    let (mut start, mut rows) = (0, 0usize);
    for (group, &size) in sizes.iter().enumerate() {
        let size = usize::try_from(size).unwrap_or(0);
        if rows.saturating_add(size) > most && start < group {
            batches.push(start..group);
            (start, rows) = (group, 0);
        }
        rows = rows.saturating_add(size);
    }
    batches.push(start..sizes.len());
    batches
}

/// The rows of some groups, in order: their groups, counted from the first of these, and their values.
fn rows_of(
    ids: &Column,
    columns: &[&Column],
    groups: Range<usize>,
    ctx: &Context,
) -> Result<(Column, Vec<Column>)> {
    let temporary = &ctx.temporary()?;
    let number = |group: usize| Scalar::from(group as i64);
    let (start, end) = (number(groups.start), number(groups.end));
    let mut found: Vec<Vec<Column>> = vec![Vec::new(); 1 + columns.len()];
    let step = most_rows().min(SLICE);
    for first in (0..ids.len()).step_by(step) {
        let len = step.min(ids.len() - first);
        let ids = ids.slice(first, len)?;
        let from = binary_operation(&ids, &start, BinaryOperator::GreaterEqual, temporary)?;
        let below = binary_operation(&ids, &end, BinaryOperator::Less, temporary)?;
        let rows = true_rows(&binary_operation(&from, &below, BinaryOperator::And, temporary)?, temporary)?;
        let taken = |column: &Column| gather_column(column, &rows, OutOfBoundsPolicy::Check, temporary);
        let own = binary_operation(&taken(&ids)?, &start, BinaryOperator::Sub, temporary)?;
        found[0].push(cast(&own, ids.data_type(), temporary)?);
        for (found, column) in found[1..].iter_mut().zip(columns) {
            found.push(taken(&column.slice(first, len)?)?);
        }
    }
    let mut whole = found.into_iter().map(|pieces| concatenate(&pieces.iter().collect::<Vec<_>>(), ctx));
    let ids = whole.next().ok_or_else(|| Error::logic("rows without groups"))??;
    Ok((ids, whole.collect::<Result<_>>()?))
}
