//! Places of rows among sorted ones.

use cuprum_column::{Column, Context, Error, HostUVec, Native, Result, Table, dispatch_storage};

use crate::concatenate::concatenate_tables;
use crate::row_numbers::rows_fit_32_bits;
use crate::row_order::keys::{BLOCK, SortKeys};
use crate::row_order::{NullOrder, Order, flatten, prepare};

/// Fails where the tables differ in their columns.
pub(super) fn check(haystack: &Table, needles: &Table) -> Result<()> {
    if haystack.num_columns() != needles.num_columns() {
        return Err(Error::logic(format!(
            "`haystack` has {} columns, `needles` has {}",
            haystack.num_columns(),
            needles.num_columns()
        )));
    }
    for (position, (hay, needle)) in haystack.columns().iter().zip(needles.columns()).enumerate() {
        if hay.data_type() != needle.data_type() {
            return Err(Error::data_type(format!(
                "column {position} is {} in `haystack` and {} in `needles`",
                hay.data_type(),
                needle.data_type()
            )));
        }
    }
    Ok(())
}

/// [`lower_bound`](super::lower_bound), or [`upper_bound`](super::upper_bound) where `behind` equals. On the CPU.
pub(super) fn bounds(
    haystack: &Table,
    needles: &Table,
    orders: &[Order],
    nulls: NullOrder,
    behind: bool,
    ctx: &Context,
) -> Result<Column> {
    if let ([hay], [needle], [Order::Ascending]) = (haystack.columns(), needles.columns(), orders)
        && !hay.has_nulls()
        && !needle.has_nulls()
        && let Some(found) = among_numbers(hay, needle, behind, ctx)?
    {
        return Ok(found);
    }
    // One table, so that words of both can be compared.
    let all = concatenate_tables(&[haystack, needles], ctx)?;
    let (all, orders) = &flatten(&all, orders, ctx)?;
    let views = all.views()?;
    let keys = prepare(&views, all.num_rows(), orders, nulls, ctx)?;
    let (first, rows) = (haystack.num_rows(), needles.num_rows());
    if rows_fit_32_bits(first) {
        Ok(Column::from_values(places(&keys, first, rows, behind, |place| place as i32, ctx)?))
    } else {
        Ok(Column::from_values(places(&keys, first, rows, behind, |place| place as i64, ctx)?))
    }
}

/// [`bounds`] of numbers and times that are all there and have one order; `None` for other types. Each needle is
/// sought from the place of the one before it on, in steps that double: needles in order are next to each other.
fn among_numbers(hay: &Column, needles: &Column, behind: bool, ctx: &Context) -> Result<Option<Column>> {
    let (hay_view, needles_view) = (hay.view()?, needles.view()?);
    dispatch_storage!(hay.data_type(), T => {
        if T::IS_FLOAT || hay.data_type().is_decimal() {
            return Ok(None);
        }
        let (hay, needles) = (hay_view.values::<T>()?, needles_view.values::<T>()?);
        Ok(Some(if rows_fit_32_bits(hay.len()) {
            Column::from_values(places_among(hay, needles, behind, |place| place as i32, ctx)?)
        } else {
            Column::from_values(places_among(hay, needles, behind, |place| place as i64, ctx)?)
        }))
    }, else => Ok(None))
}

fn places_among<N: Native, T: Native>(
    hay: &[N],
    needles: &[N],
    behind: bool,
    number: impl Fn(usize) -> T + Sync,
    ctx: &Context,
) -> Result<HostUVec<T>> {
    // SAFETY: the loop writes every place of every range.
    unsafe {
        HostUVec::from_morsels(needles.len(), ctx, |range, out| {
            let mut place = 0;
            for (out, &needle) in out.iter_mut().zip(&needles[range]) {
                let before = |row: usize| hay[row] < needle || (behind && hay[row] == needle);
                if place > 0 && !before(place - 1) {
                    place = partition_point(place - 1, before);
                } else {
                    let (mut low, mut step) = (place, 1);
                    while low + step <= hay.len() && before(low + step - 1) {
                        (low, step) = (low + step, step * 2);
                    }
                    let within = (step - 1).min(hay.len() - low);
                    place = low + partition_point(within, |row| before(low + row));
                }
                out.write(number(place));
            }
            Ok(())
        })
    }
}

/// The places of the `rows` rows behind the first `len` of `keys` among these.
fn places<T: cuprum_column::Native>(
    keys: &SortKeys<'_>,
    len: usize,
    rows: usize,
    behind: bool,
    number: impl Fn(usize) -> T + Sync,
    ctx: &Context,
) -> Result<HostUVec<T>> {
    // SAFETY: the loop writes every place of every block.
    unsafe {
        HostUVec::from_morsels(rows, ctx, |range, out| {
            let mut words = [0u64; BLOCK];
            for (b, out) in out.chunks_mut(BLOCK).enumerate() {
                let start = len + range.start + b * BLOCK;
                let words = &mut words[..out.len()];
                keys.fill(start, words);
                for (i, (out, &word)) in out.iter_mut().zip(&*words).enumerate() {
                    let before = |row: usize| {
                        let order = keys.word_at(0, row).cmp(&word);
                        let order = order.then_with(|| keys.compare(1, row, start + i));
                        order.is_lt() || (behind && order.is_eq())
                    };
                    out.write(number(partition_point(len, before)));
                }
            }
            Ok(())
        })
    }
}

/// The first of `len` places for which `before` no longer holds.
fn partition_point(len: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
