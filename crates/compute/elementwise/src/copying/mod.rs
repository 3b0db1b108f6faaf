//! Moving rows: gather, scatter, copy-if-else, and whole ranges of rows.
//!
//! A *gather map* is a column of row numbers: row `i` of the result is row `map[i]` of the input. A
//! *scatter map* says the opposite: row `i` of the source goes to row `map[i]` of the result. Maps are of
//! any integer type. Row numbers that count from the end, as −1 for the last row, are made ordinary ones
//! by [`rows_from_end`]; for all other functions a negative number is outside of every table, and a map
//! with −1 for no row is the result of joins.
//!
//! Everything takes columns of every type: lists, structs and dictionaries are moved by moving what is
//! inside. Dictionaries keep their keys; where two with different keys meet, the keys are merged. All
//! functions keep the type of moved columns, never look at values under nulls and produce the same rows
//! in the same order on every device and whatever the number of threads. Inputs stay as they are.

mod like;
mod ranges;
mod sample;
mod scatter;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table, have_same_types};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

pub use cuprum_elements::contiguous_split::{split, split_table};
use cuprum_elements::elements::Operand;
use cuprum_elements::fused::{JitExpression, stored_as};
pub use cuprum_elements::gather::{OutOfBoundsPolicy, gather, gather_column, rows_from_end};
use cuprum_elements::gather::{check_integers, cpu, cuda, gather_one, packed};
pub use cuprum_elements::row_numbers::{NarrowRows, rows_fit_32_bits};
use cuprum_elements::selection::true_rows;
use cuprum_keys::concatenate::concatenate;
pub use like::{MaskAllocationPolicy, allocate_like, empty_like};
use like::{check_scalar, scalar_rows};
pub use ranges::{copy_range, copy_range_in_place, reverse, shift, slice};
pub use sample::{sample, sample_rows};
pub use scatter::choose_rows;

/// `target` with row `map[i]` replaced by row `i` of `source`, for every `i`; the last one wins
/// where several go to the same row. Nulls of the source are moved like values.
///
/// Fails with `DataType` when the types differ or the map is not of integers, with `InvalidArgument` when
/// `map` and `source` differ in length, with `InvalidArgument` for a null in the map and with
/// `OutOfRange` for an entry that is no row of `target`.
pub fn scatter(source: &Column, map: &Column, target: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.scatter");
    check_device!(ctx, [source, map, target]);
    Ok(scatter_columns(&[source], source.len(), map, &[target], target.len(), ctx)?.remove(0))
}

/// [`scatter`] of every column of `source` into the column of `target` at its place.
///
/// Fails with `InvalidArgument` also when the tables differ in their number of columns.
pub fn scatter_table(source: &Table, map: &Column, target: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.scatter_table");
    check_device!(ctx, [source, map, target]);
    same_width("source", source.num_columns(), target)?;
    let (sources, targets) = (columns_of(source), columns_of(target));
    let columns = scatter_columns(&sources, source.num_rows(), map, &targets, target.num_rows(), ctx)?;
    Table::with_rows(columns, target.num_rows())
}

fn scatter_columns(
    sources: &[&Column],
    source_rows: usize,
    map: &Column,
    targets: &[&Column],
    target_rows: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    if source_rows != map.len() {
        return Err(Error::invalid_argument(format!(
            "`source` has {source_rows} rows, `map` has {}",
            map.len()
        )));
    }
    for (source, target) in sources.iter().zip(targets) {
        same_types("source", source, "target", target)?;
    }
    check_scatter_map(map)?;
    on_device!(
        ctx,
        {
            let map = map.view()?;
            let map = cpu::Map::new(&map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
            scatter::scatter(sources, &map, targets, target_rows, ctx)
        },
        {
            let rows = cuda::GatherMap::new(map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
            let rows = rows.scatter(target_rows, 1, ctx)?;
            let mut packed = packed::gather(Some(targets), sources, &rows, ctx)?;
            let pairs = sources.iter().zip(targets).enumerate();
            pairs
                .map(|(i, (s, t))| match packed.iter().position(|(number, _)| *number == i) {
                    Some(at) => Ok(packed.swap_remove(at).1),
                    None => gather_from_both(t, s, &rows, ctx),
                })
                .collect()
        }
    )
}

/// `target` with every row of `map` replaced by `value`.
///
/// Fails as [`scatter`] does.
pub fn scatter_scalar(value: &Scalar, map: &Column, target: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"copying.scatter_scalar");
    check_device!(ctx, [value, map, target]);
    Ok(scatter_values(&[value], map, &[target], target.len(), ctx)?.remove(0))
}

/// [`scatter_scalar`] of `values[c]` into column `c` of `target`, for every `c`.
///
/// Fails with `InvalidArgument` also when there is not one value for each column.
pub fn scatter_scalars(values: &[Scalar], map: &Column, target: &Table, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.scatter_scalars");
    check_device!(ctx, [values, map, target]);
    same_width("values", values.len(), target)?;
    let values: Vec<&Scalar> = values.iter().collect();
    let columns = scatter_values(&values, map, &columns_of(target), target.num_rows(), ctx)?;
    Table::with_rows(columns, target.num_rows())
}

fn scatter_values(
    values: &[&Scalar],
    map: &Column,
    targets: &[&Column],
    target_rows: usize,
    ctx: &Context,
) -> Result<Vec<Column>> {
    for (value, target) in values.iter().zip(targets) {
        check_scalar("value", value, target)?;
    }
    check_scatter_map(map)?;
    let pairs = values.iter().zip(targets);
    on_device!(
        ctx,
        {
            let map = map.view()?;
            let map = cpu::Map::new(&map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
            let marks = scatter::marks(&map, target_rows, ctx)?;
            pairs
                .map(|(value, target)| {
                    scatter::copy_if_else(Operand::Scalar(value), Operand::Column(target), &marks, ctx)
                })
                .collect()
        },
        {
            let rows = cuda::GatherMap::new(map, target_rows, OutOfBoundsPolicy::Check, ctx)?;
            let rows = rows.scatter(target_rows, 0, ctx)?;
            pairs
                .map(|(value, target)| {
                    gather_from_both(target, &scalar_rows(value, target, 1, ctx)?, &rows, ctx)
                })
                .collect()
        }
    )
}

/// The rows of two columns of one type on a GPU, those of the second counted on from those of the first.
fn gather_from_both(
    first: &Column,
    second: &Column,
    rows: &cuda::GatherMap,
    ctx: &Context,
) -> Result<Column> {
    if first.data_type().size().is_some() {
        return cuda::gather_from_both(first, second, rows, ctx);
    }
    gather_one(&concatenate(&[first, second], ctx)?, rows, ctx)
}

fn check_scatter_map(map: &Column) -> Result<()> {
    check_integers("map", map)?;
    if map.has_nulls() {
        return Err(Error::invalid_argument(format!("`map` of a scatter has {} nulls", map.null_count()?)));
    }
    Ok(())
}

/// `target` with the rows where `mask` is true replaced by the rows of `source`, in order: the first true
/// row by row 0. Rows of `source` beyond the number of true rows are left out; a null in the mask is false.
///
/// Fails with `DataType` when types differ or the mask is not boolean, with `InvalidArgument` when the tables differ
/// in their number of columns or `mask` and `target` in length, and with `InvalidArgument` when there are
/// more true rows than `source` has.
pub fn boolean_mask_scatter(source: &Table, target: &Table, mask: &Column, ctx: &Context) -> Result<Table> {
    func_range!(c"copying.boolean_mask_scatter");
    check_device!(ctx, [source, target, mask]);
    check_mask(mask, "target", target.num_rows())?;
    let map = true_rows(mask, ctx)?;
    if map.len() > source.num_rows() {
        return Err(Error::invalid_argument(format!(
            "`source` has {} rows for the {} true rows of `mask`",
            source.num_rows(),
            map.len()
        )));
    }
    scatter_table(&source.slice(0, map.len())?, &map, target, ctx)
}

/// `target` with column `c` replaced by `values[c]` where `mask` is true; a null in the mask is false.
///
/// Fails as [`boolean_mask_scatter`] does.
pub fn boolean_mask_scatter_scalars(
    values: &[Scalar],
    target: &Table,
    mask: &Column,
    ctx: &Context,
) -> Result<Table> {
    func_range!(c"copying.boolean_mask_scatter_scalars");
    check_device!(ctx, [values, target, mask]);
    check_mask(mask, "target", target.num_rows())?;
    same_width("values", values.len(), target)?;
    let columns = target.columns().iter().zip(values).map(|(column, value)| {
        check_scalar("value", value, column)?;
        choose(Operand::Scalar(value), Operand::Column(column), mask, ctx)
    });
    Table::with_rows(columns.collect::<Result<_>>()?, target.num_rows())
}

/// Row by row `lhs` where `mask` is true, `rhs` where it is false or null.
///
/// Both operands have the same type; a scalar stands for as many rows as the mask has. The scalar beside
/// a dictionary is of the type of its keys.
///
/// Fails with `DataType` when the types differ or the mask is not boolean and with `InvalidArgument` when the
/// lengths differ.
pub fn copy_if_else<'a>(
    lhs: impl Into<Operand<'a>>,
    rhs: impl Into<Operand<'a>>,
    mask: &Column,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"copying.copy_if_else");
    let (lhs, rhs) = (lhs.into(), rhs.into());
    check_device!(ctx, [lhs, rhs, mask]);
    match (lhs, rhs) {
        (Operand::Column(lhs), Operand::Column(rhs)) => same_types("lhs", lhs, "rhs", rhs)?,
        (Operand::Scalar(lhs), Operand::Column(rhs)) => check_scalar("lhs", lhs, rhs)?,
        (Operand::Column(lhs), Operand::Scalar(rhs)) => check_scalar("rhs", rhs, lhs)?,
        (Operand::Scalar(lhs), Operand::Scalar(rhs)) => {
            same_type("lhs", lhs.data_type(), "rhs", rhs.data_type())?;
        }
    }
    for (name, operand) in [("lhs", lhs), ("rhs", rhs)] {
        if let Operand::Column(column) = operand {
            check_mask(mask, name, column.len())?;
        }
    }
    same_type("mask", mask.data_type(), "a mask", DataType::Bool8)?;
    choose(lhs, rhs, mask, ctx)
}

/// See [`copy_if_else`]; types and lengths agree.
fn choose(lhs: Operand<'_>, rhs: Operand<'_>, mask: &Column, ctx: &Context) -> Result<Column> {
    if ctx.is_on_gpu() && lhs.data_type() == rhs.data_type() && stored_as(lhs.data_type()).is_some() {
        let mut formula = JitExpression::new(mask.len());
        let condition = formula.column(mask);
        let (then, otherwise) = (formula.operand(lhs)?, formula.operand(rhs)?);
        let value = formula.choice(&condition, &then, &otherwise);
        return formula.unchecked(value, lhs.data_type(), ctx);
    }
    on_device!(ctx, scatter::copy_if_else(lhs, rhs, mask, ctx), {
        let [(lhs, lhs_step), (rhs, rhs_step)] = scatter::as_columns(lhs, rhs, ctx)?;
        let rows = cuda::choice(mask, lhs.len(), [lhs_step, rhs_step], ctx)?;
        gather_from_both(&lhs, &rhs, &rows, ctx)
    })
}

/// Fails unless `mask` is boolean and has a row for each row that it selects from.
fn check_mask(mask: &Column, name: &str, rows: usize) -> Result<()> {
    same_type("mask", mask.data_type(), "a mask", DataType::Bool8)?;
    if mask.len() == rows {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("`{name}` has {rows} rows, `mask` has {}", mask.len())))
}

/// Fails with `DataType` unless the two types are the same.
fn same_type(name: &str, actual: DataType, other: &str, expected: DataType) -> Result<()> {
    if actual == expected {
        return Ok(());
    }
    Err(Error::data_type(format!("`{name}` is {actual}, {other} is {expected}")))
}

/// [`same_type`] with all that is inside.
fn same_types(name: &str, actual: &Column, other: &str, expected: &Column) -> Result<()> {
    same_type(name, actual.data_type(), other, expected.data_type())?;
    if have_same_types(actual, expected) {
        return Ok(());
    }
    let data_type = actual.data_type();
    Err(Error::data_type(format!("`{name}` and {other} are both {data_type}, but not the same inside")))
}

fn same_width(name: &str, columns: usize, target: &Table) -> Result<()> {
    if columns == target.num_columns() {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "`{name}` has {columns} columns, `target` has {}",
        target.num_columns()
    )))
}

fn columns_of(table: &Table) -> Vec<&Column> {
    table.columns().iter().collect()
}
