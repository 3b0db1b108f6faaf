//! Groups without rows: categories, and combinations of keys, that no row has.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::stream_compaction::{apply_boolean_mask, drop_nulls};
use cuprum_compute::unary::{UnaryOperator, cast, is_null, unary_operation};
use cuprum_compute::{concatenate, filling, replace, search};

use super::{GroupByOptions, Groups};
use crate::types::{Categorical, Dtype};

/// The groups of all categories of every key of categories, with each combination of the other keys that there is.
/// Those of the first key change slowest. Unsorted groups by categories and other keys are first those with rows, as
/// they appear, then the others, in which categories change fastest; all as in pandas.
///
/// `rows` are the keys of all rows: those in no group, for a category is missing, have combinations too.
pub(super) fn with_all(
    groups: Groups,
    rows: &Table,
    types: &[Dtype],
    options: GroupByOptions,
) -> Result<Groups> {
    let ctx = Table::with_rows(groups.keys.clone(), groups.grouping.num_groups)?.context()?;
    let of_categories = |key: usize| matches!(types[key], Dtype::Categorical(_));
    let plain: Vec<usize> = (0..types.len()).filter(|&key| !of_categories(key)).collect();
    let mixed = !plain.is_empty();
    // The parts to combine: keys, and their different rows.
    let mut parts: Vec<(Vec<usize>, Table)> = vec![];
    for (key, dtype) in types.iter().enumerate() {
        if let Dtype::Categorical(kind) = dtype {
            let appearing = if options.dropna && !options.sort {
                // Also in rows that are in no group, for another key of theirs is missing.
                let codes = Table::new(vec![rows.columns()[key].clone()])?;
                drop_nulls(&codes, &[0], 1, true, &ctx)?.columns()[0].clone()
            } else {
                groups.keys[key].clone()
            };
            let all = categories(&appearing, kind, options)?;
            parts.push((vec![key], Table::new(vec![all])?));
        } else if plain.first() == Some(&key) {
            let of = |keys: &[Column]| Table::new(plain.iter().map(|&key| keys[key].clone()).collect());
            let left_out = |key: usize| of_categories(key) && rows.columns()[key].has_nulls();
            let plain_keys = if options.dropna && (0..types.len()).any(left_out) {
                let every: Vec<usize> = (0..plain.len()).collect();
                drop_nulls(&of(rows.columns())?, &every, plain.len(), true, &ctx)?
            } else {
                of(&groups.keys)?
            };
            parts.push((plain.clone(), different(&plain_keys, options.sort)?));
        }
    }
    let mut total = 1usize;
    for (_, level) in &parts {
        total = total.checked_mul(level.num_rows()).ok_or_else(|| {
            Error::overflow("the combinations of all keys are more than can be counted: use observed=True")
        })?;
    }
    if !options.sort && mixed {
        parts.sort_by_key(|(keys, _)| of_categories(keys[0]));
    }
    let (mut keys, mut before) = (groups.keys.clone(), 1);
    for (places, level) in &parts {
        let count = level.num_rows();
        let after = if count == 0 { 0 } else { total / (before * count).max(1) };
        let each = filling::repeat(level, after, &ctx)?;
        let columns = filling::tile(&each, before, &ctx)?.into_columns();
        for (&place, column) in places.iter().zip(columns) {
            keys[place] = column;
        }
        before *= count;
    }
    let apart = plain.iter().zip(plain.iter().skip(1)).any(|(before, after)| before + 1 < *after);
    if options.sort && apart {
        let all = Table::with_rows(keys, total)?;
        let orders = vec![Order::Ascending; types.len()];
        keys = sort_by_key(&all, &all, &orders, NullOrder::Last, &ctx)?.into_columns();
    }
    let known = Table::with_rows(groups.keys.clone(), groups.grouping.num_groups)?;
    let (_, partners) = join(&Table::with_rows(keys.clone(), total)?, &known, JoinKind::Left, true, &ctx)?;
    let order = match &groups.order {
        Some(order) => order.clone(),
        None => filling::sequence(0, 1, groups.grouping.num_groups, &ctx)?,
    };
    let mut order = copying::gather_column(&order, &partners, OutOfBoundsPolicy::Nullify, &ctx)?;
    if !options.sort && mixed {
        // By first appearance, and behind those that appear the others.
        let others = is_null(&order, &ctx)?;
        let others = apply_boolean_mask(&Table::with_rows(keys, total)?, &others, &ctx)?;
        let present = filling::sequence(0, 1, known.num_rows(), &ctx)?;
        let absent = Column::nulls(present.data_type(), others.num_rows(), &ctx)?;
        order = concatenate::concatenate(&[&present, &absent], &ctx)?;
        keys = concatenate::concatenate_tables(&[&known, &others], &ctx)?.into_columns();
    }
    Ok(Groups { order: Some(order), keys, unobserved: true, ..groups })
}

/// The values of an aggregation, with the sum or count of nothing for groups without rows; others stay null.
pub(super) fn filled(column: Column, how: Aggregation) -> Result<Column> {
    let storage = column.data_type();
    let value = match how {
        Aggregation::Count
        | Aggregation::Size
        | Aggregation::NUnique
        | Aggregation::Sum
        | Aggregation::Any => 0,
        Aggregation::Product | Aggregation::All => 1,
        _ => return Ok(column),
    };
    let value = match storage {
        DataType::Bool8 => Value::Bool(value == 1),
        DataType::String => Value::String("".into()),
        DataType::Float32 | DataType::Float64 => Value::Float(value as f64),
        DataType::Decimal32(_) | DataType::Decimal64(_) | DataType::Decimal128(_) => {
            Value::Decimal(value.into())
        }
        _ => Value::Int(value),
    };
    replace::replace_nulls(&column, &Scalar::new(storage, value)?, false, &column.context()?)
}

/// The codes of all categories: in order, a missing one last; or first those that occur, as they do.
fn categories(key: &Column, kind: &Categorical, options: GroupByOptions) -> Result<Column> {
    let ctx = key.context()?;
    let all = cast(&filling::sequence(0, 1, kind.categories().len(), &ctx)?, key.data_type(), &ctx)?;
    if options.sort {
        let missing = Column::nulls(all.data_type(), usize::from(key.has_nulls()), &ctx)?;
        return concatenate::concatenate(&[&all, &missing], &ctx);
    }
    let present = different(&Table::new(vec![key.clone()])?, false)?.columns()[0].clone();
    let others = unary_operation(&search::contains(&present, &all, &ctx)?, UnaryOperator::Not, &ctx)?;
    let others = apply_boolean_mask(&Table::new(vec![all])?, &others, &ctx)?;
    concatenate::concatenate(&[&present, &others.columns()[0]], &ctx)
}

/// The different rows: in ascending order, missing ones last, or by first appearance.
fn different(keys: &Table, sort: bool) -> Result<Table> {
    let ctx = keys.context()?;
    let rows = distinct_rows(keys, Keep::First, true, &ctx)?;
    let distinct = copying::gather(keys, &rows, OutOfBoundsPolicy::Check, &ctx)?;
    if !sort {
        return Ok(distinct);
    }
    let orders = vec![Order::Ascending; distinct.num_columns()];
    sort_by_key(&distinct, &distinct, &orders, NullOrder::Last, &ctx)
}
