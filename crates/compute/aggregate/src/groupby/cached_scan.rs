//! Results for the rows of few groups in one pass over all rows, with a state for each group in the cache.
//!
//! Rows stay where they are: putting those of each group next to each other takes several times as long. Places of
//! groups are those of [`GroupedRows`](super::grouped_rows::GroupedRows); rows in no group have one that is too large.

use cuprum_column::{Bitmap, Context, HostUVec, Result};
use cuprum_runtime::host_vec;
use cuprum_runtime::parallel::{MORSEL, for_ranges, map_ranges, num_threads};

use cuprum_elementwise::binaryop::arithmetic::Arithmetic;
use cuprum_keys::equality::cpu::hash_table::NONE;

/// The most groups whose states are walked with: those of 16 bytes fit the second cache.
pub(super) const MOST_PLACES: usize = 1 << 14;

/// Whether the group at each place has rows. Ends where all have been seen.
pub(super) fn places_with_rows(places: &[u32], num_places: usize, ctx: &Context) -> Result<HostUVec<bool>> {
    let mut seen = HostUVec::<bool>::filled(false, num_places, ctx)?;
    let mut left = num_places;
    for rows in places.chunks(MORSEL) {
        ctx.check()?;
        for &place in rows {
            if let Some(seen) = seen.get_mut(place as usize) {
                left -= usize::from(!*seen);
                *seen = true;
            }
        }
        if left == 0 {
            break;
        }
    }
    Ok(seen)
}

/// For every row the nearest one before it in its group that `counts`, or behind it if `backward`, and itself if
/// `with_itself`; [`NONE`] where there is none.
pub(super) fn nearest_rows(
    places: &[u32],
    num_places: usize,
    backward: bool,
    with_itself: bool,
    counts: impl Fn(usize) -> bool + Sync,
    ctx: &Context,
) -> Result<HostUVec<u32>> {
    let len = places.len();
    let parts = (4 * num_threads()).min(len.div_ceil(MORSEL)).max(1);
    // Parts are counted in the order of the walk.
    let part = |number: usize| {
        let number = if backward { parts - 1 - number } else { number };
        len * number / parts..len * (number + 1) / parts
    };
    // The rows that each part ends with: found from its end, until each group has one.
    let mut ends = map_ranges(parts - 1, 1, ctx, |number| {
        let rows = part(number.start);
        let mut last = host_vec::filled(NONE, num_places)?;
        let mut left = num_places;
        for step in 0..rows.len() {
            let row = if backward { rows.start + step } else { rows.end - 1 - step };
            if let Some(last) = last.get_mut(places[row] as usize)
                && *last == NONE
                && counts(row)
            {
                *last = row as u32;
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        Ok(last)
    })?;
    for number in 1..ends.len() {
        let (before, own) = ends.split_at_mut(number);
        for (own, before) in own[0].iter_mut().zip(&before[number - 1]) {
            *own = if *own == NONE { *before } else { *own };
        }
    }
    let mut found = HostUVec::<u32>::uninit(len, ctx)?;
    let output = found.output();
    for_ranges(parts, 1, ctx, &|number| {
        let rows = part(number.start);
        let mut last = match number.start.checked_sub(1) {
            None => host_vec::filled(NONE, num_places)?,
            Some(before) => host_vec::collect(ends[before].iter().copied())?,
        };
        for step in 0..rows.len() {
            let row = if backward { rows.end - 1 - step } else { rows.start + step };
            let nearest = match last.get_mut(places[row] as usize) {
                None => NONE,
                Some(last) => {
                    let before = *last;
                    *last = if counts(row) { row as u32 } else { before };
                    if with_itself { *last } else { before }
                }
            };
            // SAFETY: the parts are disjoint ranges below `len`.
            unsafe { output.write(row, nearest) };
        }
        Ok(())
    })?;
    // SAFETY: the parts cover all rows.
    Ok(unsafe { found.assume_init() })
}

/// The number of every row in its group, from 0, or from the last one if `backward`; 0 for rows in none.
pub(super) fn numbers_in_groups(
    places: &[u32],
    num_places: usize,
    backward: bool,
    ctx: &Context,
) -> Result<HostUVec<i64>> {
    let mut next = host_vec::filled(0i64, num_places)?;
    in_order(places.len(), backward, ctx, |row| match next.get_mut(places[row] as usize) {
        None => 0,
        Some(next) => {
            *next += 1;
            *next - 1
        }
    })
}

/// `values` combined by `combine` up to every row of its group; missing ones stay missing and take no part.
/// Zero for rows in no group.
pub(super) fn running<T: Arithmetic>(
    places: &[u32],
    num_places: usize,
    (values, valid): (&[T], Option<Bitmap<'_>>),
    combine: fn(T, T) -> T,
    ctx: &Context,
) -> Result<HostUVec<T>> {
    let mut totals = host_vec::filled(None::<T>, num_places)?;
    in_order(places.len(), false, ctx, |row| {
        let Some(total) = totals.get_mut(places[row] as usize) else { return T::zeroed() };
        let value = values[row];
        if value.is_nan() || valid.is_some_and(|bits| !bits.get(row)) {
            return value;
        }
        let sum = match *total {
            None => value,
            Some(total) => combine(total, value),
        };
        *total = Some(sum);
        sum
    })
}

/// The results of `step` for each of `len` rows, one after the other, from the last one if `backward`.
fn in_order<T: Copy>(
    len: usize,
    backward: bool,
    ctx: &Context,
    mut step: impl FnMut(usize) -> T,
) -> Result<HostUVec<T>> {
    let mut results = HostUVec::<T>::uninit(len, ctx)?;
    let output = results.output();
    for start in (0..len).step_by(MORSEL) {
        ctx.check()?;
        for at in start..len.min(start + MORSEL) {
            let row = if backward { len - 1 - at } else { at };
            // SAFETY: a row below `len`, each of them once.
            unsafe { output.write(row, step(row)) };
        }
    }
    // SAFETY: all rows were written.
    Ok(unsafe { results.assume_init() })
}
