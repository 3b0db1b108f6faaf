//! Groups on a GPU: rows numbered by their keys, and the statistics of each number.

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::primitives;

use super::group_scan;
use super::grouping::Grouping;
use super::result_type::result_type;
use super::sorted_groups::SortedGroups;
use crate::accumulation::cuda::row_groups::ids_of;
use crate::accumulation::cuda::statistics::{ByCodes, Tuning};
use crate::accumulation::cuda::{decimal_sums, statistics};
use crate::aggregation::Aggregation;
use crate::quantiles::Interpolation;
use crate::quantiles::cuda::kind_of;
use cuprum_elements::gather::cuda::GatherMap;
use cuprum_elements::gather::{OutOfBoundsPolicy, gather_column, gather_one};
use cuprum_keys::equality::cuda::known_codes::KnownCodes;
use cuprum_keys::equality::cuda::sampled_build::KeyRange;
use cuprum_keys::equality::cuda::{
    MissingKeys, Tuning as KeyTuning, number_rows, number_rows_tuned, row_column,
};
use cuprum_keys::flatten::{self, is_flattened_type};
use cuprum_keys::list_keys::MissingElements;
use cuprum_keys::order::cuda::numbers_column;
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::sorting::sorted_order;

/// See [`super::group`].
pub(super) fn group(keys: &Table, drop_nulls: bool, ctx: &Context) -> Result<Grouping> {
    group_seen(keys, drop_nulls, None, ctx)
}

/// The same, where somebody has had a look at the keys, if they did.
fn group_seen(keys: &Table, drop_nulls: bool, look: Option<KeyRange>, ctx: &Context) -> Result<Grouping> {
    let missing = if drop_nulls { MissingKeys::LeftOut } else { MissingKeys::Equal };
    let numbers = number_rows_tuned(keys, missing, KeyTuning::DEFAULT, look, ctx)?;
    let (rows, num_groups) = (keys.num_rows(), numbers.first_rows.len());
    let first_rows = row_column(numbers.first_rows, rows, ctx)?;
    Ok(Grouping::new(row_column(numbers.ids, num_groups, ctx)?, first_rows, num_groups))
}

/// See [`super::group_and_aggregate`]; no values where the groups had to be numbered before.
pub(super) fn group_and_aggregate(
    keys: &Table,
    drop_nulls: bool,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<(Grouping, Option<Vec<Column>>)> {
    let look = KeyRange::at(keys.columns(), KeyTuning::DEFAULT, ctx)?;
    Ok(match by_codes(keys, look, requests, KeyTuning::DEFAULT, Tuning::DEFAULT, ctx)? {
        Some((grouping, values)) => (grouping, Some(values)),
        None => (group_seen(keys, drop_nulls, Some(look), ctx)?, None),
    })
}

/// Groups and their values by the codes of keys, where they are integers of a small range and their rows many.
pub(super) fn by_codes(
    keys: &Table,
    look: KeyRange,
    requests: &[(&Column, Aggregation)],
    of_keys: KeyTuning,
    tuning: Tuning,
    ctx: &Context,
) -> Result<Option<(Grouping, Vec<Column>)>> {
    // The rows of groups are as many as their keys, of which none is missing.
    let counted = |(column, how): &(_, _)| match (how, keys.columns()) {
        (Aggregation::Size, [key]) => (key, Aggregation::Count),
        _ => (*column, *how),
    };
    let requests: Vec<(&Column, Aggregation)> = requests.iter().map(counted).collect();
    let has_kernel = |(column, how): &(&Column, _)| {
        way(column.data_type(), *how) == Some(Way::Statistics)
            && statistics::has_kernel_by_codes(column, *how)
    };
    if requests.is_empty() || !requests.iter().all(has_kernel) {
        return Ok(None);
    }
    let Some(mut codes) = KnownCodes::new(keys, look, of_keys, ctx)? else { return Ok(None) };
    let mut collected = Vec::new();
    for own in alike(&requests, |(column, _), (other, _)| column.is_same_memory(other)) {
        let (column, hows) = (requests[own[0]].0, own.iter().map(|&i| requests[i].1));
        match ByCodes::collect(&mut codes, column, hows, tuning, ctx)? {
            Some(of_column) => collected.push((own, of_column)),
            None => return Ok(None),
        }
    }
    let (groups, first_rows, codes) = codes.grouped(ctx)?;
    let mut results: Vec<Option<Column>> = vec![None; requests.len()];
    for (own, of_column) in collected {
        let typed = |&i: &usize| {
            let (column, how): (&Column, _) = requests[i];
            Ok((how, result_type(column.data_type(), how)?))
        };
        let wanted = own.iter().map(typed).collect::<Result<Vec<_>>>()?;
        let made = of_column.aggregate(&codes, &wanted, ctx)?;
        own.into_iter().zip(made).for_each(|(i, made)| results[i] = Some(made));
    }
    let num_groups = first_rows.len();
    let first_rows = row_column(first_rows, keys.num_rows(), ctx)?;
    Ok(Some((Grouping::on_gpu(groups, first_rows, num_groups), all_made(results)?)))
}

/// The places of requests that are alike, those of each kind together.
fn alike<'r>(
    requests: &[(&'r Column, Aggregation)],
    is_alike: impl Fn(&(&'r Column, Aggregation), &(&'r Column, Aggregation)) -> bool,
) -> Vec<Vec<usize>> {
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for (i, request) in requests.iter().enumerate() {
        match kinds.iter_mut().find(|own| is_alike(&requests[own[0]], request)) {
            Some(own) => own.push(i),
            None => kinds.push(vec![i]),
        }
    }
    kinds
}

fn all_made(results: Vec<Option<Column>>) -> Result<Vec<Column>> {
    results.into_iter().map(|made| made.ok_or_else(|| Error::logic("a request without a result"))).collect()
}

/// The algorithm of an aggregation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Sizes,
    Distinct,
    Statistics,
    SortedGroups,
    DecimalSums,
    DurationSums,
    Products,
    Bits,
    Nested,
}

/// The algorithm of an aggregation for columns of a type; `None` where it has no kernel.
fn way(of: DataType, aggregation: Aggregation) -> Option<Way> {
    let is_narrow = of.size().is_some_and(|size| size <= 8);
    match aggregation {
        Aggregation::Size => Some(Way::Sizes),
        _ if is_flattened_type(of) => Some(Way::Nested),
        Aggregation::NUnique if of.storage() != Storage::Children => Some(Way::Distinct),
        Aggregation::Sum if of.is_duration() => Some(Way::DurationSums),
        Aggregation::Sum | Aggregation::Mean if of.is_decimal() => Some(Way::DecimalSums),
        Aggregation::Product => Some(Way::Products),
        Aggregation::BitAnd | Aggregation::BitOr | Aggregation::BitXor => Some(Way::Bits),
        Aggregation::Median | Aggregation::Quantile(_) if is_narrow => Some(Way::SortedGroups),
        Aggregation::Min | Aggregation::Max if matches!(of.storage(), Storage::Bytes | Storage::I128) => {
            Some(Way::SortedGroups)
        }
        _ if statistics::has_kernel(of, aggregation) => Some(Way::Statistics),
        _ => None,
    }
}

/// Whether [`aggregate_groups`] takes a request; also where there is no such aggregation.
pub(crate) fn has_kernel(column: &Column, aggregation: Aggregation) -> bool {
    let of = column.data_type();
    result_type(of, aggregation).is_err() || way(of, aggregation).is_some()
}

/// See [`super::aggregate`].
pub(super) fn aggregate_groups(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    let (ids, groups) = (grouping.narrow_ids(ctx)?, grouping.num_groups);
    let span = ids_of(&ids)?;
    let span = span.as_ref();
    let mut results: Vec<Option<Column>> = vec![None; requests.len()];
    // Requests on one column with one algorithm are collected together.
    let is_alike = |(column, how): &(&Column, _), (other, other_how): &(&Column, _)| {
        way(column.data_type(), *how) == way(other.data_type(), *other_how) && column.is_same_memory(other)
    };
    for together in alike(requests, is_alike) {
        let (column, aggregation) = requests[together[0]];
        let of = column.data_type();
        let own = way(of, aggregation);
        let wanted = together.iter().map(|&j| {
            let how = requests[j].1;
            Ok((how, result_type(of, how)?))
        });
        let wanted = wanted.collect::<Result<Vec<_>>>()?;
        let each = |make: &dyn Fn(Aggregation, DataType) -> Result<Column>| {
            wanted.iter().map(|&(how, to)| make(how, to)).collect::<Result<Vec<_>>>()
        };
        let made = match own {
            Some(Way::Sizes) => each(&|_, _| statistics::sizes(&ids, groups, ctx))?,
            Some(Way::Distinct) => each(&|_, _| count_distinct(&ids, column, groups, ctx))?,
            Some(Way::Statistics) => statistics::aggregate(span, column, groups, &wanted, ctx)?,
            Some(Way::DecimalSums) => {
                each(&|how, to| decimal_sums::aggregate(span, column, groups, how, to, ctx))?
            }
            Some(Way::DurationSums) => {
                each(&|_, to| decimal_sums::sum_durations(span, column, groups, to, ctx))?
            }
            Some(Way::Bits) => each(&|how, _| group_scan::combined_bits(span, column, groups, how, ctx))?,
            Some(Way::Products) => each(&|_, to| group_scan::products(span, column, groups, to, ctx))?,
            Some(Way::Nested) => each(&|how, _| of_nested(grouping, column, how, ctx))?,
            Some(Way::SortedGroups) => {
                let aggregations = wanted.iter().map(|&(how, _)| how);
                let in_order = SortedGroups::to_aggregate(span, column, groups, aggregations, ctx)?;
                each(&|how, to| in_order.aggregate(how, to, ctx))?
            }
            None => return Err(Error::unsupported(format!("{aggregation} of groups of {of} on a GPU"))),
        };
        together.into_iter().zip(made).for_each(|(j, made)| results[j] = Some(made));
    }
    all_made(results)
}

/// An aggregation of nested columns, as [`super::nested::aggregate`] makes it of those of other columns.
fn of_nested(grouping: &Grouping, column: &Column, how: Aggregation, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let of =
        |values: &Column, how| Ok::<_, Error>(aggregate_groups(grouping, &[(values, how)], ctx)?.remove(0));
    let there = |numbers: Column| numbers.with_mask(column.copy_mask(temporary)?, temporary);
    match how {
        Aggregation::NUnique => {
            let ids = grouping.narrow_ids(temporary)?;
            count_distinct(&ids, column, grouping.num_groups, ctx)
        }
        Aggregation::First | Aggregation::Last => {
            let rows = primitives::sequence(0i64, 1, column.len(), temporary)?;
            let rows = of(&there(numbers_column(DataType::Int64, rows)?)?, how)?;
            gather_column(column, &rows, OutOfBoundsPolicy::Check, ctx)
        }
        Aggregation::Min | Aggregation::Max => {
            // Missing fields are behind others either way.
            let direction = if how == Aggregation::Min { Order::Ascending } else { Order::Descending };
            let sorted =
                |table: Table, orders: &[Order]| sorted_order(&table, orders, NullOrder::Last, temporary);
            let order = sorted(Table::new(vec![column.clone()])?, &[direction])?;
            // The row numbers in the order of an order are the places of the rows.
            let places = of(&there(sorted(Table::new(vec![order.clone()])?, &[])?)?, Aggregation::Min)?;
            let rows = gather_column(&order, &places, OutOfBoundsPolicy::Check, ctx)?;
            gather_column(column, &rows, OutOfBoundsPolicy::Check, ctx)
        }
        // The first leaf is as missing as the column.
        _ => of(&flatten::leaves(column, MissingElements::equal(true), temporary)?[0], how),
    }
}

/// See [`super::lists::quantiles`]; the column is of numbers or times.
pub(super) fn quantiles(
    grouping: &Grouping,
    column: &Column,
    q: &[f64],
    interpolation: Interpolation,
    ctx: &Context,
) -> Result<Column> {
    let ids = grouping.narrow_ids(ctx)?;
    let span = ids_of(&ids)?;
    let in_order = SortedGroups::at_fractions(span.as_ref(), column, grouping.num_groups, q, ctx)?;
    if column.data_type().is_chrono() {
        return in_order.times(q, kind_of(interpolation), ctx);
    }
    in_order.quantiles(q, kind_of(interpolation), DataType::Float64, ctx)
}

/// The number of distinct values that are not missing in each group: the pairs of group and value are
/// numbered, and the groups of their first rows counted.
fn count_distinct(ids: &Column, column: &Column, groups: usize, ctx: &Context) -> Result<Column> {
    let temporary = &ctx.temporary()?;
    let pairs = Table::new(vec![ids.clone(), column.clone()])?;
    let first = number_rows(&pairs, MissingKeys::LeftOut, temporary)?.first_rows;
    let ids = gather_one(ids, &GatherMap::from(first), temporary)?;
    statistics::sizes(&ids, groups, ctx)
}
