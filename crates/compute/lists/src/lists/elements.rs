//! The lengths of lists, and elements by position.

use cuprum_column::{Column, Context, DataType, Device, Error, HostUVec, Result, Scalar};
use cuprum_runtime::backend::check_device;
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::parallel::map_morsels;

use super::dense::{Dense, compact, gather_pieces, null_in_either};
use super::{check_lists, check_rows, cuda};
use cuprum_elements::gather::{OutOfBoundsPolicy, check_integers};
use cuprum_elements::row_pieces::{Lists, RowPieces};

/// The number of elements of each list, `Int32`; null where the list is.
///
/// Fails with `Overflow` for a list of 2³¹ elements or more.
pub fn count_elements(lists: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.count_elements");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    if ctx.is_on_gpu() {
        return counted_on_device(lists, ctx);
    }
    check_counts(lists, ctx)?;
    let view = lists.view()?;
    let there = Lists::new(&view)?;
    let counts = HostUVec::from_fn(there.len(), ctx, |row| there.span(row)[1] as i32)?;
    Column::new(DataType::Int32, counts, lists.copy_mask(ctx)?)
}

fn counted_on_device(lists: &Column, ctx: &Context) -> Result<Column> {
    match cuda::count_elements(lists, ctx)? {
        Some(counts) => Ok(counts),
        // The CPU says which list it is.
        None => count_elements(&lists.to_host()?, &Context::on(Device::Cpu)?),
    }
}

/// Fails with `Overflow` where a list has 2³¹ elements or more, whose positions `Int32` does not hold.
pub(super) fn check_counts(lists: &Column, ctx: &Context) -> Result<()> {
    if i32::try_from(lists.children()[1].len()).is_ok() {
        return Ok(());
    }
    if ctx.is_on_gpu() {
        return counted_on_device(lists, ctx).map(drop);
    }
    let view = lists.view()?;
    let lists = Lists::new(&view)?;
    map_morsels(lists.len(), ctx, |mut rows| {
        rows.try_for_each(|row| match lists.span(row)[1] {
            count if i32::try_from(count).is_ok() => Ok(()),
            count => {
                Err(Error::overflow(format!("list {row} has {count} elements; at most 2^31 - 1 are counted")))
            }
        })
    })?;
    Ok(())
}

/// Element `index` of each list, those below 0 counted from its end; null where there is none, and where the
/// list is null.
pub fn extract_list_element(lists: &Column, index: i64, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.extract_list_element");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    if ctx.is_on_gpu() {
        return cuda::extracted(lists, index, None, ctx);
    }
    extracted(lists, &|_| Some(index), ctx)
}

/// [`extract_list_element`] with an index for each list, of any integer type; null where that is null.
///
/// Fails with `DataType` where indices are no integers and with `Logic` where there is not one for each list.
pub fn extract_list_elements(lists: &Column, indices: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.extract_list_elements");
    check_device!(ctx, [lists, indices]);
    check_lists("lists", lists)?;
    check_integers("indices", indices)?;
    check_rows("indices", indices, "lists", lists)?;
    if ctx.is_on_gpu() {
        return cuda::extracted(lists, 0, Some(indices), ctx);
    }
    let indices = positions(indices, ctx)?;
    extracted(lists, &|row| (indices[row] != NO_POSITION).then_some(indices[row]), ctx)
}

/// Stands for a null, and for positions outside of every list.
const NO_POSITION: i64 = i64::MIN;

/// Integers of any type as positions.
fn positions(integers: &Column, ctx: &Context) -> Result<HostUVec<i64>> {
    let view = integers.view()?;
    let validity = view.validity();
    cuprum_column::dispatch_storage!(integers.data_type(), T => {
        use cuprum_column::Native;
        let values = view.values::<T>()?;
        let is_unsigned = integers.data_type().is_unsigned_integer();
        HostUVec::from_fn(values.len(), ctx, |i| match values[i].as_i64() {
            _ if validity.is_some_and(|bits| !bits.get(i)) => NO_POSITION,
            // Beyond the largest signed number, so beyond every list.
            position if is_unsigned && position < 0 => NO_POSITION,
            position => position,
        })
    }, else => Err(Error::data_type("positions must be integers")))
}

/// The offset in a list of `len` elements of position `index`, counted from the end below 0.
fn at(index: i64, len: usize) -> Option<usize> {
    let position = if index < 0 {
        len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?
    } else {
        usize::try_from(index).ok()?
    };
    (position < len).then_some(position)
}

fn extracted(lists: &Column, index: &(dyn Fn(usize) -> Option<i64> + Sync), ctx: &Context) -> Result<Column> {
    let view = lists.view()?;
    let lists = Lists::new(&view)?;
    let pieces = RowPieces::new(lists.len(), ctx, |_| 1)?;
    gather_pieces(lists.elements(), &pieces, ctx, |row, _| {
        let [start, len] = lists.span(row);
        Some(start + at(index(row)?, len)?)
    })
}

/// The elements of each list at the positions that a list of `map` has for it, those below 0 counted from its
/// end. A null position gives a null element; one that the list does not have gives a null element, or
/// `OutOfRange`, as `policy` says. Null where the list or its map is null.
///
/// Fails with `DataType` where `map` is not of lists of integers and with `Logic` where there is not one for
/// each list.
pub fn segmented_gather(
    lists: &Column,
    map: &Column,
    policy: OutOfBoundsPolicy,
    ctx: &Context,
) -> Result<Column> {
    func_range!(c"lists.segmented_gather");
    check_device!(ctx, [lists, map]);
    check_lists("lists", lists)?;
    check_lists("map", map)?;
    check_rows("map", map, "lists", lists)?;
    check_integers("map", &map.children()[1])?;
    let map = null_in_either(map, lists, ctx)?;
    if ctx.is_on_gpu() {
        return gathered_on_device(lists, &map, policy, ctx);
    }
    let view = lists.view()?;
    let there = Lists::new(&view)?;
    let dense = Dense::new(&map, ctx)?;
    let indices = positions(&dense.elements, ctx)?;
    let index = |row: usize, k: usize| indices[dense.pieces.range(row).start + k];
    if policy == OutOfBoundsPolicy::Check {
        let view = dense.elements.view()?;
        let validity = view.validity();
        map_morsels(dense.pieces.rows(), ctx, |rows| {
            for row in rows {
                let len = there.span(row)[1];
                let pieces = dense.pieces.range(row);
                let is_outside =
                    |&i: &usize| validity.is_none_or(|bits| bits.get(i)) && at(indices[i], len).is_none();
                if let Some(i) = pieces.clone().find(is_outside) {
                    return Err(no_position(&dense.elements.get(i)?, row, len));
                }
            }
            Ok(())
        })?;
    }
    let elements = gather_pieces(there.elements(), &dense.pieces, ctx, |row, k| {
        let [start, len] = there.span(row);
        Some(start + at(index(row, k), len)?)
    })?;
    Dense { pieces: dense.pieces, elements }.into_lists(&map, ctx)
}

fn no_position(position: &Scalar, row: usize, len: usize) -> Error {
    Error::out_of_range(format!("there is no position {position} for list {row}, which has {len} elements"))
}

/// See [`segmented_gather`]; `map` is null where the list is.
fn gathered_on_device(
    lists: &Column,
    map: &Column,
    policy: OutOfBoundsPolicy,
    ctx: &Context,
) -> Result<Column> {
    let (gathered, outside) = cuda::segmented_gather(lists, map, ctx)?;
    let Some(outside) = outside.filter(|_| policy == OutOfBoundsPolicy::Check) else { return Ok(gathered) };
    // The result has the lengths of the lists of the map.
    let (ends, positions) = (gathered.children()[0].to_host()?, compact(map, ctx)?.elements()?);
    let row = (0..gathered.len())
        .find(|&row| ends.get(row + 1).is_ok_and(|end| end.as_i64() > i64::try_from(outside).ok()))
        .unwrap_or(0);
    Err(no_position(&positions.get(outside)?, row, lists.slice(row, 1)?.elements()?.len()))
}

/// The elements of each list from the last to the first.
pub fn reverse(lists: &Column, ctx: &Context) -> Result<Column> {
    func_range!(c"lists.reverse");
    check_device!(ctx, [lists]);
    check_lists("lists", lists)?;
    if ctx.is_on_gpu() {
        return cuda::reverse(lists, ctx);
    }
    let view = lists.view()?;
    let there = Lists::new(&view)?;
    let pieces = RowPieces::new(there.len(), ctx, |row| there.span(row)[1])?;
    let elements = gather_pieces(there.elements(), &pieces, ctx, |row, k| {
        let [start, len] = there.span(row);
        len.checked_sub(k + 1).map(|position| start + position)
    })?;
    Dense { pieces, elements }.into_lists(lists, ctx)
}
