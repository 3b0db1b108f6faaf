//! Groups on a GPU: rows numbered by their keys, and the statistics of each number.

use std::borrow::Cow;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Error, Result, Table};

use super::{Grouping, result_type};
use crate::gather::cuda::GatherMap;
use crate::gather::gather_one;
use crate::reduce::{Aggregation, statistics};
use crate::row_keys::cuda::{Missing, narrow_column, number_rows, row_column};

/// See [`super::group`].
pub(super) fn group(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Grouping> {
    let missing = if drop_nulls { Missing::LeftOut } else { Missing::Equal };
    let numbers = number_rows(keys, missing, ctx)?;
    let (rows, num_groups) = (keys.num_rows(), numbers.first_rows.len());
    let first_rows = row_column(numbers.first_rows, rows, ctx)?;
    Ok(Grouping { ids: row_column(numbers.ids, rows, ctx)?, first_rows, num_groups })
}

/// Whether [`aggregate_groups`] takes a request; also where there is no such aggregation.
pub(super) fn has_kernel(of: DataType, aggregation: Aggregation) -> bool {
    if result_type(of, aggregation).is_err() {
        return true;
    }
    match aggregation {
        Aggregation::NUnique => of.storage() != Storage::Children,
        // It may not fit.
        Aggregation::Sum if of.is_duration() => false,
        _ => statistics::has_kernel(of, aggregation),
    }
}

/// See [`super::aggregate`].
pub(super) fn aggregate_groups(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    let (ids, groups) = (ids(&grouping.ids, ctx)?, grouping.num_groups);
    let span = statistics::ids_of(&ids)?;
    let mut results: Vec<Option<Column>> = vec![None; requests.len()];
    for i in 0..requests.len() {
        if results[i].is_some() {
            continue;
        }
        let (column, aggregation) = requests[i];
        match aggregation {
            Aggregation::Size => results[i] = Some(statistics::sizes(&ids, groups, ctx)?),
            Aggregation::NUnique => results[i] = Some(count_distinct(&ids, column, groups, ctx)?),
            _ => {
                // What is wanted of one column is collected together.
                let is_same = |j: &usize| {
                    let (other, how) = requests[*j];
                    let alone = matches!(how, Aggregation::Size | Aggregation::NUnique);
                    !alone && column.is_same_memory(other)
                };
                let together: Vec<usize> = (i..requests.len()).filter(is_same).collect();
                let wanted = together.iter().map(|&j| {
                    let how = requests[j].1;
                    Ok((how, result_type(column.data_type(), how)?))
                });
                let wanted = wanted.collect::<Result<Vec<_>>>()?;
                let made = statistics::aggregate(span.as_ref(), column, groups, &wanted, ctx)?;
                together.into_iter().zip(made).for_each(|(j, made)| results[j] = Some(made));
            }
        }
    }
    results.into_iter().map(|r| r.ok_or_else(|| Error::logic("a request without a result"))).collect()
}

/// The ids of a grouping in 32 bits, checked as [`NarrowRows`](crate::row_numbers::NarrowRows) does.
fn ids<'a>(ids: &'a Column, ctx: &Context) -> Result<Cow<'a, Column>> {
    if ids.mask().is_some() {
        return Err(Error::invalid_argument("`grouping.ids` has nulls; no row is -1"));
    }
    match ids.data_type() {
        DataType::Int32 => Ok(Cow::Borrowed(ids)),
        DataType::Int64 => Ok(Cow::Owned(narrow_column(ids, &ctx.temporary()?)?)),
        other => Err(Error::data_type(format!("`grouping.ids` must be of int32 or int64, not {other}"))),
    }
}

/// How many distinct values that are not missing each group has: the pairs of group and value are numbered,
/// and the groups of their first rows counted.
fn count_distinct(ids: &Column, column: &Column, groups: usize, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let pairs = Table::new(vec![ids.clone(), column.clone()])?;
    let first = number_rows(&pairs, Missing::LeftOut, temporary)?.first_rows;
    let ids = gather_one(ids, &GatherMap::from(first), temporary)?;
    statistics::sizes(&ids, groups, ctx)
}
