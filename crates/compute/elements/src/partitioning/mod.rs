//! Partitioning: the rows of one partition next to each other, partitions in ascending order.
//!
//! Within a partition the rows keep the order they had, on every device. Every function returns the
//! rearranged table and where in it the partitions begin.

mod cpu;
pub mod cuda;
mod errors;
#[cfg(test)]
mod tests;
pub mod tiles;

use std::num::NonZeroU32;

use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::host_vec;
use cuprum_runtime::nvtx::func_range;

use crate::hashing::{HashFunction, hash_rows};
use errors::{many_partitions, outside};

/// The rows of `table` by the partition that `partition_map` gives each of them: `partition_map[i]` is
/// that of row `i`.
///
/// Returns `num_partitions + 1` offsets: partition `p` has the rows `[offsets[p], offsets[p + 1])`.
/// The map is of any integer type.
///
/// Fails with `Logic` when the map is not of integers, has nulls or another length than the table, and
/// with `OutOfRange` when a value is no partition; the message names the first row where it is so.
pub fn partition(
    table: &Table,
    partition_map: &Column,
    num_partitions: usize,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    func_range!(c"partitioning.partition");
    check_device!(ctx, [table, partition_map]);
    if !partition_map.data_type().is_integer() {
        let data_type = partition_map.data_type();
        return Err(Error::logic(format!("`partition_map` must hold integers, not {data_type}")));
    }
    if partition_map.len() != table.num_rows() {
        return Err(Error::logic(format!(
            "`partition_map` has {} rows, `table` has {}",
            partition_map.len(),
            table.num_rows()
        )));
    }
    if partition_map.has_nulls() {
        let nulls = partition_map.null_count()?;
        return Err(Error::logic(format!("`partition_map` has {nulls} nulls")));
    }
    let number = check_number(num_partitions)?;
    on_device!(
        ctx,
        cpu::partition(table, &cpu::partition_ids(partition_map, number, ctx)?, num_partitions, ctx),
        cuda::partition(table, partition_map, number, ctx)
    )
}

/// The rows of `table` by the hash of their `columns_to_hash` modulo `num_partitions`: rows that are equal
/// in these columns are in one partition.
///
/// Returns `num_partitions` offsets: where each partition begins. See
/// [`hash_rows`](crate::hashing::hash_rows) for the functions and the meaning of `seed`.
///
/// Fails with `OutOfRange` when there is no such column, with `InvalidArgument` when there are no
/// partitions and with `DataType` for columns that the function does not take.
pub fn hash_partition(
    table: &Table,
    columns_to_hash: &[usize],
    num_partitions: usize,
    function: HashFunction,
    seed: u32,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    func_range!(c"partitioning.hash_partition");
    check_device!(ctx, [table]);
    hash_partition_by(table, &table.select(columns_to_hash)?, num_partitions, function, seed, ctx)
}

/// [`hash_partition`] by the hashes of rows of another table, which has as many.
///
/// Fails with `Logic` also when it has not.
pub fn hash_partition_by(
    table: &Table,
    keys: &Table,
    num_partitions: usize,
    function: HashFunction,
    seed: u32,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    func_range!(c"partitioning.hash_partition_by");
    check_device!(ctx, [table, keys]);
    let number = NonZeroU32::new(check_number(num_partitions)?)
        .ok_or_else(|| Error::invalid_argument("`num_partitions` is 0; there must be one at least"))?;
    if keys.num_rows() != table.num_rows() {
        let (rows, keys) = (table.num_rows(), keys.num_rows());
        return Err(Error::logic(format!("`keys` has {keys} rows, `table` has {rows}")));
    }
    let (table, mut offsets) = on_device!(
        ctx,
        {
            let hashes = hash_rows(keys, function, seed, ctx)?;
            cpu::partition(table, &cpu::ids_of_hashes(&hashes, number, ctx)?, num_partitions, ctx)?
        },
        cuda::hash_partition(table, keys, number, function, seed, ctx)?
    );
    offsets.truncate(num_partitions);
    Ok((table, offsets))
}

/// The rows of `table` distributed round-robin: row 0 to partition `start_partition`, the next one to the
/// partition after it, and after the last partition again to the first.
///
/// Returns `num_partitions` offsets: the start of each partition. With more partitions than rows, those that
/// get none begin where the next one does.
///
/// Fails with `Logic` when there are fewer than two partitions or `start_partition` is none of them.
pub fn round_robin_partition(
    table: &Table,
    num_partitions: usize,
    start_partition: usize,
    ctx: &Context,
) -> Result<(Table, Vec<usize>)> {
    func_range!(c"partitioning.round_robin_partition");
    check_device!(ctx, [table]);
    if num_partitions <= 1 {
        return Err(Error::logic(format!("`num_partitions` is {num_partitions}; there must be two or more")));
    }
    if start_partition >= num_partitions {
        return Err(Error::logic(format!(
            "`start_partition` is {start_partition}; there are {num_partitions} partitions"
        )));
    }
    let rows = table.num_rows();
    let mut offsets = many_partitions(num_partitions, host_vec::with_capacity(num_partitions))?;
    let mut at = 0;
    for partition in 0..num_partitions {
        offsets.push(at);
        let first = match partition.checked_sub(start_partition) {
            Some(first) => first,
            None => partition + (num_partitions - start_partition),
        };
        at += rows.saturating_sub(first).div_ceil(num_partitions);
    }
    let table = on_device!(ctx, round_robin(table, &offsets, start_partition))?;
    Ok((table, offsets))
}

/// `num_partitions`, which must fit the numbers that partitions have.
fn check_number(num_partitions: usize) -> Result<u32> {
    u32::try_from(num_partitions).map_err(|_| {
        Error::invalid_argument(format!("`num_partitions` is {num_partitions}; at most {} work", u32::MAX))
    })
}
