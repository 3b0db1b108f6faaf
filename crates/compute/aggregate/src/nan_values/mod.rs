//! Keys in which NaN is a value: equal to itself, larger than every other, not null.
//!
//! The families compare keys as pandas does, where NaN is missing as null is. libcudf distinguishes them. The
//! functions here give key columns that say so: floats with NaN become the unsigned integers that order as
//! they do ([`keys`]), and [`sort_keys`] puts the nulls of each column where its own precedence says.
//!
//! ```
//! # mod cuprum_compute {
//! #     pub use cuprum_aggregate::nan_values;
//! #     pub use cuprum_keys::sorting;
//! # }
//! use cuprum_column::{Column, Context, Table};
//! use cuprum_compute::{nan_values, sorting::{self, NullOrder, Order}};
//!
//! let ctx = &Context::current();
//! let table = Table::new(vec![Column::from_options(&[Some(f64::NAN), None, Some(1.0)], ctx)?])?;
//! let (keys, (orders, nulls)) =
//!     nan_values::sort_keys(&[&table], &[Order::Ascending], &[NullOrder::First], ctx)?;
//! let order = sorting::sorted_order(&keys[0], &orders, nulls, ctx)?;
//! assert_eq!(order.view()?.values::<i32>()?, [1, 2, 0]);
//! # Ok::<(), cuprum_column::Error>(())
//! ```

#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table, type_name};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::primitives::Transform;

use crate::float_keys::{as_integers, mapped};
use crate::reduce::{Aggregation, reduce};
use cuprum_elementwise::copying::copy_if_else;
use cuprum_elementwise::filling::sequence;
use cuprum_elementwise::unary::{is_nan, is_null};
use cuprum_keys::equality::check_key_types;
use cuprum_keys::flatten;
use cuprum_keys::list_keys::MissingElements;
use cuprum_keys::order::{NullOrder, Order};
use cuprum_keys::ordered_bits::Ordered;

/// The tables with every column that has a NaN somewhere, in fields of structs too, replaced by one in which
/// NaN is a value. A position is replaced in all tables or in none, so that their rows stay comparable.
///
/// Fails with `DataType` where columns of one position differ in type.
pub fn keys(tables: &[&Table], ctx: &Context) -> Result<Vec<Table>> {
    func_range!(c"nan_values.keys");
    check_device!(ctx, [tables]);
    // A replaced column may have another column's type.
    check_key_types(tables)?;
    let columns = tables.iter().map(|table| table.num_columns()).max().unwrap_or(0);
    let mut replaced: Vec<Vec<Column>> = tables.iter().map(|table| table.columns().to_vec()).collect();
    for position in 0..columns {
        let mut any = false;
        for column in replaced.iter().filter_map(|table| table.get(position)) {
            any = any || has_nan(column, ctx)?;
        }
        for table in replaced.iter_mut().filter(|_| any) {
            if let Some(column) = table.get_mut(position) {
                *column = as_keys(column, ctx)?;
            }
        }
    }
    let rows = tables.iter().map(|table| table.num_rows());
    replaced.into_iter().zip(rows).map(|(columns, rows)| Table::with_rows(columns, rows)).collect()
}

/// Whether a value that is not null, or one of a field or an element, is NaN.
pub fn has_nan(column: &Column, ctx: &Context) -> Result<bool> {
    func_range!(c"nan_values.has_nan");
    check_device!(ctx, [column]);
    match column.data_type() {
        other if other.is_float() => {
            let values = reduce(column, Aggregation::Count, ctx)?.as_i64();
            Ok(values != i64::try_from(column.len() - column.null_count()?).ok())
        }
        DataType::Struct => {
            for i in 0..column.children().len() {
                if has_nan(&column.field(i)?, ctx)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        DataType::List => has_nan(&column.elements()?, ctx),
        DataType::Dictionary32 => has_nan(column.keys()?, ctx),
        _ => Ok(false),
    }
}

fn has_nan_in_lists(column: &Column, ctx: &Context) -> Result<bool> {
    match column.data_type() {
        DataType::List => has_nan(column, ctx),
        DataType::Struct => (0..column.children().len())
            .try_fold(false, |found, i| Ok(found || has_nan_in_lists(&column.field(i)?, ctx)?)),
        _ => Ok(false),
    }
}

/// Floats as unsigned integers of their width that order as they do, every NaN the largest; in structs the
/// same of their fields, in lists of their elements. Other columns as they are. Nulls stay null, −0.0 becomes 0.0.
pub fn as_keys(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"nan_values.as_keys");
    check_device!(ctx, [column]);
    as_integers(column, ctx)
}

/// The floats of type `data_type` whose keys [`as_keys`] made.
///
/// Fails with `DataType` where the column is not of the integers of such floats.
pub fn to_floats(column: &Column, data_type: DataType, ctx: &Context) -> Result<Column> {
    func_range!(c"nan_values.to_floats");
    check_device!(ctx, [column]);
    let keys = match data_type {
        DataType::Float32 => DataType::UInt32,
        DataType::Float64 => DataType::UInt64,
        _ => return Err(Error::data_type(format!("`data_type` is {data_type}, no type of floats"))),
    };
    if column.data_type() != keys {
        return Err(Error::data_type(format!(
            "`column` is of {}, keys of {data_type} of {keys}",
            column.data_type()
        )));
    }
    if data_type == DataType::Float32 {
        let back = Transform {
            expression: "__uint_as_float(x ^ (u32(i32(~x) >> 31) | 1u << 31))",
            function: |key: u32| f32::from_ordered(u64::from(key)),
        };
        return mapped::<u32, f32, _>(column, &back, ctx);
    }
    let back = Transform {
        expression: "__longlong_as_double(i64(x ^ (u64(i64(~x) >> 63) | 1ull << 63)))",
        function: f64::from_ordered,
    };
    mapped::<u64, f64, _>(column, &back, ctx)
}

/// The orders of key columns and the place of nulls in all of them, as sorts take them.
pub type Directions = (Vec<Order>, NullOrder);

/// Keys of several tables that sort as `tables` do by `orders` and by a null precedence of each column:
/// with [`NullOrder::First`] nulls are smaller than all values (so they come last where the order descends),
/// with `Last` larger. The results are arguments of the functions of [`sorting`](cuprum_keys::sorting).
///
/// No orders are ascending ones, no precedences nulls that are smaller. Fails with `InvalidArgument` for
/// another number of either than there are columns.
pub fn sort_keys(
    tables: &[&Table],
    orders: &[Order],
    precedences: &[NullOrder],
    ctx: &Context,
) -> Result<(Vec<Table>, Directions)> {
    func_range!(c"nan_values.sort_keys");
    check_device!(ctx, [tables]);
    let columns = tables.first().map_or(0, |table| table.num_columns());
    let orders = of_each("orders", orders, Order::Ascending, columns)?;
    let precedences = of_each("precedences", precedences, NullOrder::First, columns)?;
    let tables = keys(tables, ctx)?;
    let first: Vec<bool> = (orders.iter().zip(&precedences))
        .map(|(order, nulls)| (*nulls == NullOrder::First) == (*order == Order::Ascending))
        .collect();
    let place = |first: bool| if first { NullOrder::First } else { NullOrder::Last };
    if first.iter().all(|each| *each == first[0]) {
        return Ok((tables, (orders, place(first.first().copied().unwrap_or(true)))));
    }
    // Places differ: a column that says where the nulls go comes before each.
    let mut results = Vec::with_capacity(tables.len());
    let mut flat_orders = Vec::new();
    for table in &tables {
        let elements = |key: usize| place(first[key]).of_elements(orders[key]);
        let (leaves, origins) = flatten::flatten(table, elements, ctx)?;
        let mut columns = Vec::with_capacity(2 * origins.len());
        flat_orders = Vec::with_capacity(2 * origins.len());
        for (leaf, &origin) in leaves.columns().iter().zip(&origins) {
            columns.push(is_null(leaf, ctx)?);
            flat_orders.push(if first[origin] { Order::Descending } else { Order::Ascending });
            columns.push(leaf.clone());
            flat_orders.push(orders[origin]);
        }
        results.push(Table::with_rows(columns, table.num_rows())?);
    }
    Ok((results, (flat_orders, NullOrder::Last)))
}

/// The keys and a column that makes rows with a NaN different from all others: NaN as a value that equals
/// nothing. The keys as they are where there is none.
///
/// Fails with `Unsupported` for NaN in lists.
pub fn keys_with_unequal_nans(table: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"nan_values.keys_with_unequal_nans");
    check_device!(ctx, [table]);
    let rows = table.num_rows();
    let mut columns = Vec::with_capacity(table.num_columns() + 1);
    let mut numbers = None;
    for column in table.columns() {
        if !has_nan(column, ctx)? {
            columns.push(column.clone());
            continue;
        }
        if has_nan_in_lists(column, ctx)? {
            return Err(Error::unsupported(format!(
                "NaN that equals nothing in keys of {}",
                type_name(column)
            )));
        }
        columns.push(as_keys(column, ctx)?);
        // The fields of a null struct hold no value.
        let leaves = flatten::leaves(column, MissingElements::equal(false), ctx)?;
        for leaf in leaves.iter().filter(|leaf| leaf.data_type().is_float()) {
            let (own, others) = match numbers.take() {
                Some(numbers) => numbers,
                None => (sequence(1, 1, rows, ctx)?, sequence(0, 0, rows, ctx)?),
            };
            let others = copy_if_else(&own, &others, &is_nan(leaf, ctx)?, ctx)?;
            numbers = Some((own, others));
        }
    }
    columns.extend(numbers.map(|(_, numbers)| numbers));
    Table::with_rows(columns, rows)
}

fn of_each<T: Copy>(name: &str, given: &[T], default: T, columns: usize) -> Result<Vec<T>> {
    match given.len() {
        0 => Ok(vec![default; columns]),
        len if len == columns => Ok(given.to_vec()),
        len => Err(Error::invalid_argument(format!("`{name}` has {len} entries for {columns} key columns"))),
    }
}
