//! Groups without rows: categories, and combinations of keys, that no row has.

use cuprum_column::{Column, DataType, Error, Result, Scalar, Table, Value};
use cuprum_compute::copying::{self, OutOfBoundsPolicy};
use cuprum_compute::join::{JoinKind, join};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::sorting::{NullOrder, Order, sort_by_key};
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::unary::{UnaryOperator, cast, is_null, unary_operation};
use cuprum_compute::{concatenate, filling, replace, search};

use super::{GroupByOptions, Groups};
use crate::types::{Categorical, Dtype};

/// The groups of all combinations of the keys: of all categories where these are some, else of the keys that
/// there are. Those of the first key change slowest. Unsorted groups by categories and other keys are first
/// those with rows, as they appear, then the others, in which categories change fastest; all as in pandas.
pub(super) fn with_all(groups: Groups, types: &[Dtype], options: GroupByOptions) -> Result<Groups> {
    let ctx = Table::with_rows(groups.keys.clone(), groups.grouping.num_groups)?.context()?;
    let levels = groups.keys.iter().zip(types).map(|(key, dtype)| match dtype {
        Dtype::Categorical(kind) => categories(key, kind, options),
        _ => different(key, options.sort),
    });
    let levels = levels.collect::<Result<Vec<Column>>>()?;
    let mut total = 1usize;
    for level in &levels {
        total = total.checked_mul(level.len()).ok_or_else(|| {
            Error::overflow("the combinations of all keys are more than can be counted: use observed=True")
        })?;
    }
    let of_categories = |&key: &usize| matches!(types[key], Dtype::Categorical(_));
    let mixed = !(0..levels.len()).all(|key| of_categories(&key));
    let mut slowest_first: Vec<usize> = (0..levels.len()).collect();
    if !options.sort && mixed {
        slowest_first.sort_by_key(of_categories);
    }
    let (mut keys, mut before) = (groups.keys.clone(), 1);
    for at in slowest_first {
        let level = &levels[at];
        let rows = Table::new(vec![level.clone()])?;
        let after = if level.is_empty() { 0 } else { total / (before * level.len()).max(1) };
        let each = filling::repeat(&rows, after, &ctx)?;
        keys[at] = filling::tile(&each, before, &ctx)?.columns()[0].clone();
        before *= level.len();
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

/// What an aggregation gives for groups without rows, in their place: what a sum or a count of nothing is,
/// else nothing.
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
    let present = different(key, false)?;
    let others = unary_operation(&search::contains(&present, &all, &ctx)?, UnaryOperator::Not, &ctx)?;
    let others = apply_boolean_mask(&Table::new(vec![all])?, &others, &ctx)?;
    concatenate::concatenate(&[&present, &others.columns()[0]], &ctx)
}

/// The different rows: in ascending order, missing ones last, or by first appearance.
fn different(key: &Column, sort: bool) -> Result<Column> {
    let ctx = key.context()?;
    let table = Table::new(vec![key.clone()])?;
    let rows = distinct_rows(&table, Keep::First, true, &ctx)?;
    let mut distinct = copying::gather(&table, &rows, OutOfBoundsPolicy::Check, &ctx)?;
    if sort {
        distinct = sort_by_key(&distinct, &distinct, &[Order::Ascending], NullOrder::Last, &ctx)?;
    }
    Ok(distinct.columns()[0].clone())
}
