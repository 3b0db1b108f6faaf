//! Replacing nulls and values.

mod cpu;
mod cuda;
mod options;
#[cfg(test)]
mod tests;

use cuprum_column::types::Storage;
use cuprum_column::{Column, Context, DataType, Error, Result, Scalar};
use cuprum_runtime::backend::{check_device, host_only, on_device};
use cuprum_runtime::nvtx::func_range;

use cuprum_elements::elements::Operand;
use cuprum_elementwise::binaryop::{BinaryOperator, binary_operation};
use cuprum_elementwise::copying::copy_if_else;
pub use options::FillDirection;

/// The column with the missing rows taken from `with`, a column of as many rows or a scalar, both of
/// the column's type. Missing is null and, with `nan_is_null`, NaN. A null in `with` stays null.
///
/// Fails with `DataType` when the types differ and with `Logic` when the lengths do.
pub fn replace_nulls<'a>(
    column: &Column,
    with: impl Into<Operand<'a>>,
    nan_is_null: bool,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"replace.replace_nulls");
    let with = with.into();
    check_device!(ctx, [column, with]);
    if with.data_type() != column.data_type() {
        return Err(Error::data_type(format!(
            "`with` is {}, column is {}",
            with.data_type(),
            column.data_type()
        )));
    }
    if let Some(len) = with.len().filter(|&len| len != column.len()) {
        return Err(Error::logic(format!("`with` has {len} rows, column has {}", column.len())));
    }
    let floats = nan_is_null && column.data_type().is_float();
    if column.mask().is_none() && column.data_type() != DataType::Empty && !floats {
        return Ok(column.clone());
    }
    on_device!(ctx, replace_nulls(column, with, nan_is_null))
}

/// The column with a null for every NaN. Types that are no floats come back as they are.
pub fn nans_to_nulls(column: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"replace.nans_to_nulls");
    check_device!(ctx, [column]);
    if !column.data_type().is_float() {
        return Ok(column.clone());
    }
    on_device!(ctx, nans_to_nulls(column))
}

/// The column with values below `lo` replaced by `lo` and values above `hi` by `hi`. A bound that is
/// `None` or null is no bound; nulls and NaN stay. Strings compare by their bytes.
///
/// Fails with `DataType` when a bound is not of the column's type.
pub fn clamp(column: &Column, lo: Option<&Scalar>, hi: Option<&Scalar>, ctx: &Context) -> Result<Column> {
    func_range!(c"replace.clamp");
    check_device!(ctx, [column, lo, hi]);
    for (name, bound) in [("lo", lo), ("hi", hi)] {
        if let Some(bound) = bound.filter(|bound| bound.data_type() != column.data_type()) {
            return Err(Error::data_type(format!(
                "`{name}` is {}, column is {}",
                bound.data_type(),
                column.data_type()
            )));
        }
    }
    let bounds = [(lo, BinaryOperator::Less), (hi, BinaryOperator::Greater)];
    let bounds = bounds.into_iter().filter_map(|(bound, beyond)| Some((bound?, beyond)));
    let bounds: Vec<_> = bounds.filter(|(bound, _)| !bound.is_null()).collect();
    if bounds.is_empty() {
        return Ok(column.clone());
    }
    on_device!(
        ctx,
        clamp_by_comparison(column, &bounds, ctx),
        match cuda::has_clamp(column.data_type()) {
            true => cuda::clamp(column, &bounds, ctx),
            false => clamp_by_comparison(column, &bounds, ctx),
        }
    )
}

/// See [`clamp`]: a bound takes the place of values that are beyond it.
fn clamp_by_comparison(
    column: &Column,
    bounds: &[(&Scalar, BinaryOperator)],
    ctx: &Context,
) -> Result<Column> {
    let mut clamped = column.clone();
    for (bound, beyond) in bounds {
        let beyond = binary_operation(&clamped, *bound, *beyond, ctx)?;
        clamped = copy_if_else(*bound, &clamped, &beyond, ctx)?;
    }
    Ok(clamped)
}

/// The column with missing rows (null, or NaN in floats) filled from the nearest value on one side, which is `limit` rows
/// away at most where there is a limit; those without such a value are null.
pub fn fill_nulls_from_neighbours(
    column: &Column,
    direction: FillDirection,
    limit: Option<usize>,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"replace.fill_nulls_from_neighbours");
    host_only!(
        ctx,
        [column] if u32::try_from(column.len()).is_err(),
        fill_nulls_from_neighbours(&column, direction, limit)
    );
    if column.mask().is_none() && !column.data_type().is_float() {
        return Ok(column.clone());
    }
    on_device!(ctx, fill_from_neighbours(column, direction, limit))
}

/// The column with every value that equals row `i` of `old` replaced by row `i` of `new`; the last
/// one wins where `old` has a value twice. A null equals a null, NaN equals NaN, −0.0 equals 0.0.
///
/// Fails with `DataType` unless all three have one type, which is not nested, and with `Logic` when `old` and `new`
/// differ in length.
pub fn find_and_replace(column: &Column, old: &Column, new: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"replace.find_and_replace");
    check_device!(ctx, [column, old, new]);
    let data_type: DataType = column.data_type();
    for (name, other) in [("old", old), ("new", new)] {
        if other.data_type() != data_type {
            return Err(Error::data_type(format!(
                "`{name}` is {}, column is {data_type}",
                other.data_type()
            )));
        }
    }
    if old.len() != new.len() {
        return Err(Error::logic(format!("`old` has {} rows, `new` has {}", old.len(), new.len())));
    }
    if old.is_empty() || column.is_empty() {
        return Ok(column.clone());
    }
    if matches!(data_type.storage(), Storage::Children) {
        return Err(Error::data_type(format!("values of {data_type} are not replaced")));
    }
    on_device!(ctx, find_and_replace(column, old, new))
}
