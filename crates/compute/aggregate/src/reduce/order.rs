//! Reductions that compare values or look for one: extremes, ends, distinct counts.

use cuprum_column::{Column, Context, DataType, Result, Scalar, StringsView, Table};
use cuprum_runtime::parallel;
use rayon::prelude::*;

use super::distinct_in_pieces::distinct;
use cuprum_elements::row_numbers::row_column;
use cuprum_keys::equality::cpu::Tuning;
use cuprum_keys::equality::number_rows;
use cuprum_keys::equality::row_limit::most_rows;
use cuprum_keys::equality::{EncodeOptions, EqualityKeys};
use cuprum_keys::flatten::is_flattened;
use cuprum_keys::order::{NullOrder, Order, sorted_order};

/// The smallest or the largest text or nested value.
pub(super) fn extreme(column: &Column, smallest: bool, ctx: &Context) -> Result<Scalar> {
    if is_flattened(column) {
        return extreme_nested(column, smallest, ctx);
    }
    extreme_text(column.view()?.strings()?, smallest, ctx)
}

/// The first value in their order, or that of descending values; null where there is none. Missing fields are
/// behind others either way.
fn extreme_nested(column: &Column, smallest: bool, ctx: &Context) -> Result<Scalar> {
    if column.null_count()? == column.len() {
        return Ok(Scalar::null(column.data_type()));
    }
    let direction = if smallest { Order::Ascending } else { Order::Descending };
    let order = sorted_order(&Table::new(vec![column.clone()])?, &[direction], NullOrder::Last, ctx)?;
    let row = order.get(0)?.as_i64().unwrap_or(0);
    column.get(row as usize)
}

fn extreme_text(texts: StringsView<'_>, smallest: bool, ctx: &Context) -> Result<Scalar> {
    let better = |a: &'_ str, b: &'_ str| if smallest { b < a } else { b > a };
    let pick = |best: Option<usize>, row: usize| match (best, texts.get_opt(row)) {
        (best, None) => best,
        (None, Some(_)) => Some(row),
        (Some(b), Some(text)) => Some(if better(texts.get(b), text) { row } else { b }),
    };
    let best = parallel::map_morsels(texts.len(), ctx, |range| Ok(range.fold(None, pick)))?;
    let best = best.into_iter().flatten().fold(None, pick);
    Ok(best.map_or(Scalar::null(DataType::String), |row| Scalar::string(texts.get(row))))
}

/// The first or the last value that is not missing.
pub(super) fn end(column: &Column, first: bool) -> Result<Scalar> {
    let view = column.view()?;
    let validity = view.validity();
    let valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
    let rows = column.len();
    let row = match column.data_type() {
        DataType::Float32 => {
            let values = view.values::<f32>()?;
            find_end(rows, first, |row| valid(row) && !values[row].is_nan())
        }
        DataType::Float64 => {
            let values = view.values::<f64>()?;
            find_end(rows, first, |row| valid(row) && !values[row].is_nan())
        }
        _ => find_end(rows, first, valid),
    };
    row.map_or(Ok(Scalar::null(column.data_type())), |row| column.get(row))
}

fn find_end(rows: usize, first: bool, present: impl Fn(usize) -> bool) -> Option<usize> {
    let mut rows = 0..rows;
    if first { rows.find(|&row| present(row)) } else { rows.rfind(|&row| present(row)) }
}

/// The number of distinct values: sorted keys of up to 64 bits, numbers of keys for others.
pub(super) fn count_distinct(column: &Column, ctx: &Context) -> Result<Scalar> {
    let has_numbers =
        is_flattened(column) || matches!(column.data_type(), DataType::String | DataType::Decimal128(_));
    if column.len() > most_rows() {
        let options = EncodeOptions { nan_is_null: column.data_type().is_float() };
        let first_rows = |keys: &Table| {
            let plan = EqualityKeys::new(&[keys], options, ctx)?;
            let numbers = number_rows(plan, None, Tuning::for_rows(keys.num_rows()), ctx)?;
            row_column(numbers.first_rows, keys.num_rows(), ctx)
        };
        let distinct = distinct(column, &first_rows, ctx)?;
        // What is missing is one of them.
        let count = match has_numbers {
            true => distinct.len() - distinct.null_count()?,
            false => crate::quantiles::cpu::present_keys(&distinct, ctx)?.len(),
        };
        return Ok(Scalar::from(count as i64));
    }
    let distinct = if has_numbers {
        let table = Table::new(vec![column.clone()])?;
        let plan = EqualityKeys::new(&[&table], EncodeOptions::default(), ctx)?;
        let numbers = number_rows(plan, None, Tuning::for_rows(column.len()), ctx)?;
        // All nulls have one number.
        numbers.first_rows.len() - usize::from(column.has_nulls())
    } else {
        let mut keys = crate::quantiles::cpu::present_keys(column, ctx)?;
        let keys: &mut [u64] = &mut keys;
        parallel::install(|| keys.par_sort_unstable());
        keys.windows(2).filter(|pair| pair[0] != pair[1]).count() + usize::from(!keys.is_empty())
    };
    Ok(Scalar::from(distinct as i64))
}
