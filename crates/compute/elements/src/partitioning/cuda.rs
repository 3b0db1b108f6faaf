//! Partitioning on a GPU: rows move to a few partitions in tiles; for more, row numbers are sorted by
//! partition, then all columns gathered by them.

use std::num::NonZeroU32;

use cuprum_column::{Column, Context, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives;
use cuprum_runtime::{DeviceUVec, kernels};

use super::tiles::{self, HighBits, Identity, MOST_PARTITIONS, Murmur3, PartitionMap};
use crate::gather::cuda::{GatherMap, Numbers, numbers, numbers_below, sorted_with_positions};
use crate::gather::gather_table;
use crate::hashing::{HashFunction, check_function, hash_rows};

kernels! {
    pub static PARTITIONING: "partitioning.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn hash_ids(hashes: In<u32>, n: usize, num_partitions: u32, ids: Out<u32>);
    fn rows_in_turn<I in [u32, u64]>(
        offsets: In<u64>, num_partitions: usize, first: usize, n: usize, rows: Out<I>,
    );
}

/// The rows by the partition of each in the map, which must be below `num_partitions`; and one offset more
/// than there are partitions.
pub(super) fn partition(
    table: &Table,
    map: &Column,
    num_partitions: u32,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    if num_partitions <= MOST_PARTITIONS {
        let map = std::slice::from_ref(map);
        return match tiles::partition::<PartitionMap>(table, map, 0, num_partitions, ctx)? {
            Ok(moved) => Ok(moved),
            Err(row) => Err(super::outside(&map[0], row, num_partitions)?),
        };
    }
    let temporary = ctx.temporary()?;
    let mut first_outside = DeviceUVec::from_slice(&[u64::MAX], &temporary)?;
    let ids = numbers::<u32>(map, num_partitions as usize, &mut first_outside, &temporary)?;
    match usize::try_from(first_outside.element(0)?) {
        Ok(row) if row < map.len() => Err(super::outside(map, row, num_partitions)?),
        _ => partition_by_sorting(table, &ids, num_partitions, ctx),
    }
}

/// The most partitions of [`by_upper_bits`].
pub const MOST_BY_UPPER_BITS: u32 = MOST_PARTITIONS;

/// The rows by `numbers`, without nulls and of 32 bits each, from bit `shift` on; what would be behind the last
/// partition is in it. Otherwise as [`partition`], for at most [`MOST_BY_UPPER_BITS`].
#[doc(hidden)]
pub fn by_upper_bits(
    table: &Table,
    numbers: &Column,
    shift: u32,
    num_partitions: u32,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    let moved =
        tiles::partition::<HighBits>(table, std::slice::from_ref(numbers), shift, num_partitions, ctx)?;
    moved.map_err(|row| cuprum_column::Error::logic(format!("row {row} has a number and no partition")))
}

/// The rows by the hashes of `keys`; otherwise as [`partition`].
pub(super) fn hash_partition(
    table: &Table,
    keys: &Table,
    num_partitions: NonZeroU32,
    function: HashFunction,
    seed: u32,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    check_function(keys, function)?;
    let number = num_partitions.get();
    let is_plain = keys.columns().iter().all(|key| !key.data_type().is_nested());
    let moved = if number <= MOST_PARTITIONS && is_plain {
        match function {
            HashFunction::Murmur3 => tiles::partition::<Murmur3>(table, keys.columns(), seed, number, ctx)?,
            HashFunction::Identity => tiles::partition::<Identity>(table, keys.columns(), seed, number, ctx)?,
        }
    } else {
        let hashes = hash_rows(keys, function, seed, &ctx.temporary()?)?;
        if number > MOST_PARTITIONS {
            return partition_by_sorting(table, &ids_of_hashes(&hashes, number, ctx)?, number, ctx);
        }
        tiles::partition::<Identity>(table, &[hashes], 0, number, ctx)?
    };
    moved.map_err(|row| cuprum_column::Error::logic(format!("row {row} has a hash and no partition")))
}

/// The partition of each row with these hashes.
fn ids_of_hashes(hashes: &Column, num_partitions: u32, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let mut ids = DeviceUVec::<u32>::uninit(hashes.len(), &ctx.temporary()?)?;
    let Some(data) = hashes.data() else { return Ok(ids) };
    let data = data.span::<u32>()?;
    let (len, grid) = (hashes.len(), Grid::striding(hashes.len(), THREADS));
    // SAFETY: hashes are a new column, so that its rows begin where the memory does; both have `len`.
    unsafe { hash_ids(ctx, grid, &data, len, num_partitions, &mut ids)? };
    Ok(ids)
}

/// The rows by their partitions, all of which are below `num_partitions`.
fn partition_by_sorting(
    table: &Table,
    ids: &DeviceUVec<u32>,
    num_partitions: u32,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    let len = num_partitions as usize;
    let mut offsets = super::many_partitions(len, cuprum_runtime::host_vec::with_capacity(len + 1))?;
    let mut at = 0;
    for count in primitives::histogram(&ids.span(), num_partitions, &ctx.temporary()?)?.to_vec()? {
        offsets.push(at);
        at += count as usize;
    }
    offsets.push(at);
    let bits = 0..u32::BITS - num_partitions.saturating_sub(1).leading_zeros();
    let rows = numbers_below!(table.num_rows(), I => {
        sorted_with_positions::<u32, I>(&ids.span(), bits, &ctx.temporary()?)?.1
    });
    Ok((gather_table(table, &GatherMap::from(rows), ctx)?, offsets))
}

/// See [`super::cpu::round_robin`].
pub(super) fn round_robin(table: &Table, offsets: &[usize], first: usize, ctx: &Context) -> Result<Table> {
    if offsets.len() <= MOST_PARTITIONS as usize {
        return tiles::round_robin(table, offsets, first as u32, ctx);
    }
    let (len, temporary) = (table.num_rows(), ctx.temporary()?);
    let begins: Vec<u64> = offsets.iter().map(|&offset| offset as u64).collect();
    let begins = DeviceUVec::from_slice(&begins, &temporary)?;
    let grid = Grid::striding(len, THREADS);
    let rows = numbers_below!(len, I => {
        let mut rows = DeviceUVec::<I>::uninit(len, &temporary)?;
        // SAFETY: there is an offset for each partition and room for `len` rows.
        unsafe { rows_in_turn::<I>(ctx, grid, &begins, offsets.len(), first, len, &mut rows)? };
        rows
    });
    gather_table(table, &GatherMap::from(rows), ctx)
}
