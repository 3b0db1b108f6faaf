//! Places of rows among sorted ones.

use cuprum_column::{
    Bitmap, Column, Context, Error, HostUVec, Native, Result, Table, dispatch_storage, have_same_types,
    type_name,
};

use crate::concatenate::concatenate_tables;
use crate::order::cpu::sort_keys::{BLOCK, SortKeys};
use crate::order::{NullOrder, Order, flatten, prepare};
use crate::ordered_bits::Ordered;
use cuprum_elements::row_numbers::rows_fit_32_bits;

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
        if !have_same_types(hay, needle) {
            return Err(Error::data_type(format!(
                "column {position} is {} in `haystack` and {} in `needles`",
                type_name(hay),
                type_name(needle)
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
    if let ([hay], [needles], [] | [Order::Ascending]) = (haystack.columns(), needles.columns(), orders)
        && !hay.has_nulls()
        && let Some(found) = among_numbers(hay, needles, nulls, behind, ctx)?
    {
        return Ok(found);
    }
    // One table, so that words of both can be compared.
    let all = concatenate_tables(&[haystack, needles], ctx)?;
    let (all, orders) = &flatten(&all, orders, nulls, ctx)?;
    let views = all.views()?;
    let keys = prepare(&views, all.num_rows(), orders, nulls, ctx)?;
    let (first, rows) = (haystack.num_rows(), needles.num_rows());
    if rows_fit_32_bits(first) {
        Ok(Column::from_values(places(&keys, first, rows, behind, |place| place as i32, ctx)?))
    } else {
        Ok(Column::from_values(places(&keys, first, rows, behind, |place| place as i64, ctx)?))
    }
}

/// [`bounds`] among numbers and times that are all there; `None` for other types.
fn among_numbers(
    hay: &Column,
    needles: &Column,
    nulls: NullOrder,
    behind: bool,
    ctx: &Context,
) -> Result<Option<Column>> {
    let (hay_view, needles_view) = (hay.view()?, needles.view()?);
    dispatch_storage!(hay.data_type(), T => {
        // NaN, which is missing as a null is, is the largest of the ordered forms.
        if hay.data_type().is_decimal() || (T::IS_FLOAT && nulls == NullOrder::First) {
            return Ok(None);
        }
        let hay = hay_view.values::<T>()?;
        let of_null = match nulls {
            NullOrder::First => 0,
            NullOrder::Last if behind => hay.len(),
            NullOrder::Last => hay.partition_point(|value| !(T::IS_FLOAT && value.is_nan())),
        };
        let needles = Needles { values: needles_view.values::<T>()?, validity: needles_view.validity(), of_null };
        Ok(Some(if rows_fit_32_bits(hay.len()) {
            Column::from_values(needles.places_in(hay, behind, |place| place as i32, ctx)?)
        } else {
            Column::from_values(needles.places_in(hay, behind, |place| place as i64, ctx)?)
        }))
    }, else => Ok(None))
}

/// Values that are sought among sorted ones.
struct Needles<'a, N> {
    values: &'a [N],
    validity: Option<Bitmap<'a>>,
    /// The place of a null.
    of_null: usize,
}

impl<N: Ordered> Needles<'_, N> {
    fn places_in<T: Native>(
        &self,
        hay: &[N],
        behind: bool,
        number: impl Fn(usize) -> T + Sync,
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        /// So many values, in their ordered form, stay in the first cache.
        const FEW: usize = 2048;
        if hay.len() > FEW {
            return self.places(&|row: usize| hay[row].ordered_with_nan(), hay.len(), behind, number, ctx);
        }
        let ordered: Vec<u64> = hay.iter().map(|value| value.ordered_with_nan()).collect();
        self.places(&|row: usize| ordered[row], hay.len(), behind, number, ctx)
    }

    /// The places among `len` ordered values, which `hay` gives. Needles in order are next to each other, so that
    /// each is sought from the place of the one before it on, in steps that double. Others are sought by halving
    /// without branches, which no processor foresees; it does several at once instead.
    fn places<T: Native>(
        &self,
        hay: &(impl Fn(usize) -> u64 + Sync),
        len: usize,
        behind: bool,
        number: impl Fn(usize) -> T + Sync,
        ctx: &Context,
    ) -> Result<HostUVec<T>> {
        // SAFETY: the loops write every place of every block.
        unsafe {
            HostUVec::from_morsels(self.values.len(), ctx, |range, out| {
                let mut keys = [0u64; BLOCK];
                let mut last = None;
                for (b, out) in out.chunks_mut(BLOCK).enumerate() {
                    let start = range.start + b * BLOCK;
                    let keys = &mut keys[..out.len()];
                    keys.iter_mut().zip(&self.values[start..]).for_each(|(k, v)| *k = v.ordered_with_nan());
                    if keys.is_sorted() {
                        for (out, &key) in out.iter_mut().zip(&*keys) {
                            let before = |row: usize| hay(row) < key || (behind && hay(row) == key);
                            let place = last.map_or_else(
                                || partition_point(len, before),
                                |place| next_place(place, len, before),
                            );
                            last = Some(place);
                            out.write(number(place));
                        }
                    } else if behind {
                        for (out, &key) in out.iter_mut().zip(&*keys) {
                            out.write(number(halved(len, |row| hay(row) <= key)));
                        }
                    } else {
                        for (out, &key) in out.iter_mut().zip(&*keys) {
                            out.write(number(halved(len, |row| hay(row) < key)));
                        }
                    }
                    if let Some(bits) = self.validity {
                        for (out, row) in out.iter_mut().zip(start..) {
                            if !bits.get(row) {
                                out.write(number(self.of_null));
                            }
                        }
                    }
                }
                Ok(())
            })
        }
    }
}

/// The first of `len` places for which `before` no longer holds, sought from `place` on.
#[inline(always)]
fn next_place(place: usize, len: usize, before: impl Fn(usize) -> bool) -> usize {
    if place > 0 && !before(place - 1) {
        return partition_point(place - 1, before);
    }
    let (mut low, mut step) = (place, 1);
    while low + step <= len && before(low + step - 1) {
        (low, step) = (low + step, step * 2);
    }
    let within = (step - 1).min(len - low);
    low + partition_point(within, |row| before(low + row))
}

/// [`partition_point`] without a branch that depends on `before`.
#[inline(always)]
fn halved(len: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut left) = (0, len);
    while left > 1 {
        let half = left / 2;
        low += half * usize::from(before(low + half - 1));
        left -= half;
    }
    low + usize::from(left == 1 && before(low))
}

/// The places of the `rows` rows behind the first `len` of `keys` among these.
fn places<T: Native>(
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
