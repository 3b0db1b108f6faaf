//! Partitioning on the CPU: where each row goes is written down once, then one column at a time moves.

use std::num::NonZeroU32;

use cuprum_column::{Column, Context, Error, HostUVec, Result, Table, dispatch_storage};
use cuprum_runtime::{host_vec, parallel};

use super::many_partitions;
use crate::elements::dispatch_width;
use crate::gather::gather_table_rows;
use crate::hashing::partition_of_hash;
use crate::row_numbers::RowIndex;
use crate::stable_partition::{Destinations, changed};

/// The partition of each row, which must be below `num_partitions`.
pub(super) fn partition_ids(map: &Column, num_partitions: u32, ctx: &Context) -> Result<HostUVec<u32>> {
    dispatch_storage!(map.data_type(), T => {
        use cuprum_column::Native;
        let map_view = map.view()?;
        let values = map_view.values::<T>()?;
        // Negative numbers and large unsigned ones are beyond all partitions either way.
        let id = |i: usize| {
            let id = values[i].as_i64() as u64;
            if id < u64::from(num_partitions) { id as u32 } else { u32::MAX }
        };
        let ids = HostUVec::from_fn(values.len(), ctx, id)?;
        match first_outside(&ids, ctx)? {
            None => Ok(ids),
            Some(row) => Err(super::outside(map, row, num_partitions)?),
        }
    }, else => Err(Error::logic("`partition_map` must hold integers")))
}

/// The partition of each row with these hashes.
pub(super) fn ids_of_hashes(
    hashes: &Column,
    num_partitions: NonZeroU32,
    ctx: &Context,
) -> Result<HostUVec<u32>> {
    let hashes_view = hashes.view()?;
    let hashes = hashes_view.values::<u32>()?;
    HostUVec::from_fn(hashes.len(), ctx, |i| partition_of_hash(hashes[i], num_partitions))
}

fn first_outside(ids: &[u32], ctx: &Context) -> Result<Option<usize>> {
    let found = parallel::map_morsels(ids.len(), ctx, |mut range| {
        // The largest one first: a loop without branches.
        let largest = ids[range.clone()].iter().fold(0, |largest, &id| id.max(largest));
        Ok(if largest == u32::MAX { range.find(|&i| ids[i] == u32::MAX) } else { None })
    })?;
    Ok(found.into_iter().flatten().next())
}

/// The rows of the table by their partitions, all of which are below `num_partitions`, and one offset
/// more than there are partitions.
pub(super) fn partition(
    table: &Table,
    ids: &[u32],
    num_partitions: usize,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    if u32::try_from(table.num_rows()).is_ok() {
        partition_with::<u32>(table, ids, num_partitions, ctx)
    } else {
        partition_with::<u64>(table, ids, num_partitions, ctx)
    }
}

fn partition_with<I: RowIndex>(
    table: &Table,
    ids: &[u32],
    num_partitions: usize,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    let (destinations, offsets) = destinations::<I>(ids, num_partitions, ctx)?;
    // Writing to places that ascend in each partition is fastest; what has no bytes of its own for each
    // row is gathered instead.
    let moves = |column: &Column| column.data_type().size().is_some() && !column.has_nulls();
    let gathered: Vec<usize> = (0..table.num_columns()).filter(|&i| !moves(&table.columns()[i])).collect();
    let mut gathered = if gathered.is_empty() {
        Vec::new()
    } else {
        let numbers = HostUVec::from_fn(ids.len(), ctx, I::from_row)?;
        // SAFETY: `destinations` has each row of the result once.
        let rows = unsafe { scatter(&numbers, &destinations, ctx)? };
        gather_table_rows(&table.select(&gathered)?, &rows, ctx)?.into_columns()
    }
    .into_iter();
    let columns = table.columns().iter().map(|column| match column.data_type().size() {
        Some(size) if moves(column) => dispatch_width!(size, T => {
            // SAFETY: `destinations` has each row of the result once.
            let data = unsafe { scatter(column.view()?.raw_values::<T>()?, &destinations, ctx)? };
            Column::from_buffer(column.data_type(), column.len(), data.into_buffer(), None)
        }),
        _ => gathered.next().ok_or_else(|| Error::logic("a column was neither moved nor gathered")),
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok((Table::with_rows(columns, table.num_rows())?, offsets))
}

/// The destination of each row, and the bounds of the partitions.
fn destinations<I: RowIndex>(
    ids: &[u32],
    num_partitions: usize,
    ctx: &Context,
) -> Result<(HostUVec<I>, Vec<usize>)> {
    // Counters of many partitions must not outgrow the rows.
    let block = parallel::MORSEL.max(num_partitions.saturating_mul(4));
    let places = Destinations::in_blocks(ids.len(), block, num_partitions, ctx, &|range, counts| {
        ids[range].iter().for_each(|&id| counts[id as usize] += 1);
        Ok(())
    });
    let places = many_partitions(num_partitions, places)?;
    let mut destinations = HostUVec::<I>::uninit(ids.len(), ctx)?;
    let out = destinations.output();
    places.each_block(ctx, &|range, cursors| {
        // SAFETY: ranges are disjoint.
        let slots = unsafe { out.slice(range.clone()) };
        for (slot, &id) in slots.iter_mut().zip(&ids[range]) {
            slot.write(I::from_row(cursors.next(id as usize).ok_or_else(changed)?));
        }
        Ok(())
    })?;
    // SAFETY: the ranges cover all rows.
    let destinations = unsafe { destinations.assume_init() };
    let offsets = many_partitions(num_partitions, host_vec::collect(places.bounds().iter().copied()))?;
    Ok((destinations, offsets))
}

/// `values[i]` at `destinations[i]`.
///
/// # Safety
/// `destinations` has every number below its length once, and is as long as `values`.
unsafe fn scatter<T: bytemuck::Pod + Send + Sync, I: RowIndex>(
    values: &[T],
    destinations: &[I],
    ctx: &Context,
) -> Result<HostUVec<T>> {
    let mut out = HostUVec::<T>::uninit(values.len(), ctx)?;
    let slots = out.output();
    parallel::for_ranges(values.len(), parallel::MORSEL, ctx, &|range| {
        for (value, destination) in values[range.clone()].iter().zip(&destinations[range]) {
            // SAFETY: the place is inside, and no other row has it, as the caller promises.
            unsafe { slots.write(destination.row(), *value) };
        }
        Ok(())
    })?;
    // SAFETY: every place was written, as the caller promises.
    Ok(unsafe { out.assume_init() })
}

/// See [`super::round_robin_partition`]; the partitions begin at `offsets`.
pub(super) fn round_robin(table: &Table, offsets: &[usize], start: usize, ctx: &Context) -> Result<Table> {
    if u32::try_from(table.num_rows()).is_ok() {
        gather_table_rows(table, &round_robin_rows::<u32>(table.num_rows(), offsets, start, ctx)?, ctx)
    } else {
        gather_table_rows(table, &round_robin_rows::<u64>(table.num_rows(), offsets, start, ctx)?, ctx)
    }
}

/// The row at each place once `len` rows have been distributed round-robin.
fn round_robin_rows<I: RowIndex>(
    len: usize,
    offsets: &[usize],
    start: usize,
    ctx: &Context,
) -> Result<HostUVec<I>> {
    let partitions = offsets.len();
    // SAFETY: the loop ends only when every slot is written.
    unsafe {
        HostUVec::from_morsels(len, ctx, |range, out| {
            let mut slots = out.iter_mut();
            let mut at = range.start;
            // The last of those that begin here: the others have no rows.
            let mut partition = offsets.partition_point(|&offset| offset <= at).saturating_sub(1);
            while at < range.end {
                let end = offsets.get(partition + 1).map_or(len, |&end| end).min(range.end);
                let first = (partition + partitions - start) % partitions;
                for (i, slot) in (at - offsets[partition]..end - offsets[partition]).zip(&mut slots) {
                    slot.write(I::from_row(first + i * partitions));
                }
                (at, partition) = (end, partition + 1);
            }
            Ok(())
        })
    }
}
