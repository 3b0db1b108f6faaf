//! Finding values: membership, places in sorted rows.
//!
//! Values are equal when they are the same number, whatever their types: every value of the
//! haystack is converted to the type of the needles and left out where that is not exact, so that
//! the integer 2⁵³ + 1 is never found among floats. Times compare across units in the same way.

mod bounds;
mod cpu;
pub mod cuda;
mod decimals;
pub mod exact_values;
#[cfg(test)]
mod tests;

use cuprum_column::{Column, Context, DataType, Error, Result, Table, have_same_types, type_name};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;

use crate::flatten::is_flattened;
use crate::order::cuda::numbers_column;
use crate::order::{NullOrder, Order};

/// For every needle whether it is in `haystack`: a `Bool8` column of the needles' length, no nulls.
///
/// A null needle is found if and only if the haystack has a null, a NaN needle if and only if it has
/// a NaN; −0.0 is 0.0. Integers, floats and booleans (as 0 and 1) compare with each other exactly,
/// timestamps with timestamps and durations with durations of any unit, decimals with decimals of any width
/// and scale, strings with strings; between
/// other types nothing but nulls is found, as with pandas' `isin`; all values of `Empty` are nulls. Structs, lists and dictionaries are found among
/// those of the same types, as [`equality`](crate::equality) compares them.
///
/// Fails with `DataType` for nested columns that differ in what is inside.
///
/// On the CPU one hash set (a bitmap where integers are dense) is built of the haystack; a GPU sorts it,
/// as values of the needles' type.
pub fn contains(haystack: &Column, needles: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"search.contains");
    check_device!(ctx, [haystack, needles]);
    if is_flattened(haystack)
        && haystack.data_type() == needles.data_type()
        && !have_same_types(haystack, needles)
    {
        return Err(Error::data_type(format!(
            "`needles` is of type {}, `haystack` of {}",
            type_name(needles),
            type_name(haystack)
        )));
    }
    let (h, n) = (haystack.data_type(), needles.data_type());
    if ctx.is_on_gpu() {
        let found =
            match h == n && h != DataType::Empty || comparable(h, n) || h.is_decimal() && n.is_decimal() {
                true => cuda::contains(haystack, needles, ctx)?,
                false => cuda::contains_nulls(needles, haystack.has_nulls(), ctx)?,
            };
        return numbers_column(DataType::Bool8, found);
    }
    let null_found = haystack.has_nulls();
    let found = if h == n && is_flattened(haystack) {
        cpu::contains_rows(haystack, needles, ctx)?
    } else if h == n && h == DataType::String {
        cpu::contains_strings(haystack, needles, null_found, ctx)?
    } else if comparable(h, n) {
        cpu::contains_values(haystack, needles, null_found, ctx)?
    } else if h.is_decimal() && n.is_decimal() {
        decimals::contains_decimals(haystack, needles, null_found, ctx)?
    } else {
        cpu::contains_nulls(needles, null_found, ctx)?
    };
    Column::new(DataType::Bool8, found, None)
}

/// For every row of `needles` the first row of `haystack` that is not before it: where it would be put in
/// front of its equals. `Int32` while the rows fit, `Int64` beyond; no nulls.
///
/// `haystack` is sorted by `orders` and `nulls`, which are those of [`sorted_order`](crate::sorting::sorted_order);
/// in one that is not sorted the places mean nothing. Columns of one position have one type. A binary search for
/// every row, in parallel.
///
/// Fails with [`Logic`](crate::ErrorKind::Logic) where the tables differ in the number of columns, with
/// [`DataType`](crate::ErrorKind::DataType) where columns of one position differ in type, with
/// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) for another number of `orders`, and with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no order.
pub fn lower_bound(
    haystack: &Table,
    needles: &Table,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"search.lower_bound");
    check_device!(ctx, [haystack, needles]);
    bounds::check(haystack, needles)?;
    on_device!(
        ctx,
        bounds::bounds(haystack, needles, orders, nulls, false, ctx),
        cuda::bounds(haystack, needles, orders, nulls, false, ctx)
    )
}

/// For every row of `needles` the first row of `haystack` that is behind it: where it would be put behind its
/// equals. See [`lower_bound`].
pub fn upper_bound(
    haystack: &Table,
    needles: &Table,
    orders: &[Order],
    nulls: NullOrder,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"search.upper_bound");
    check_device!(ctx, [haystack, needles]);
    bounds::check(haystack, needles)?;
    on_device!(
        ctx,
        bounds::bounds(haystack, needles, orders, nulls, true, ctx),
        cuda::bounds(haystack, needles, orders, nulls, true, ctx)
    )
}

/// Whether values of two fixed-width types can be equal.
fn comparable(a: DataType, b: DataType) -> bool {
    (a.is_numeric() && b.is_numeric())
        || (a.is_timestamp() && b.is_timestamp())
        || (a.is_duration() && b.is_duration())
}
