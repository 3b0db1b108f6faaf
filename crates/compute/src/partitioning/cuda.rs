//! Partitioning on a GPU: row numbers are sorted by partition, then all columns gathered by them.

use std::num::NonZeroU32;

use cuprum_column::{Column, Context, Native, Result, Table};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::{self, Number, Reduction, ScanKind};
use cuprum_runtime::{DeviceUVec, kernels};

use crate::gather::cuda::{Rows, numbers};
use crate::gather::gather_table;

kernels! {
    pub static PARTITIONING: "partitioning.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread has in flight.
        ITEMS = 8,
        /// Bins of one pass of the sort.
        BINS = 256;

    fn hash_ids<Id in [u32]>(hashes: In<u32>, n: usize, num_partitions: u32, ids: Out<Id>);
    fn bin_counts<Count in [u64]>(ids: In<u32>, n: usize, shift: u32, counts: Out<Count>);
    fn move_to_bins<I in [u32, u64]>(
        ids: In<u32>, rows: Option<In<I>>, n: usize, shift: u32, bases: In<u64>, ids_out: Out<u32>,
        rows_out: Out<I>,
    );
    fn dealt_rows<I in [u32, u64]>(offsets: In<u64>, players: usize, start: usize, n: usize, rows: Out<I>);
}

/// Rows that a block moves.
const TILE: usize = (THREADS * ITEMS) as usize;

/// The partition of each row, which must be below `num_partitions`.
pub(super) fn partition_ids(map: &Column, num_partitions: u32, ctx: &Context) -> Result<DeviceUVec<u32>> {
    let temporary = ctx.temporary()?;
    let mut first_outside = DeviceUVec::from_slice(&[u64::MAX], &temporary)?;
    let ids = numbers::<u32>(map, num_partitions as usize, &mut first_outside, &temporary)?;
    match usize::try_from(first_outside.element(0)?) {
        Ok(row) if row < map.len() => Err(super::outside(map, row, num_partitions)?),
        _ => Ok(ids),
    }
}

/// The partition of each row with these hashes.
pub(super) fn ids_of_hashes(
    hashes: &Column,
    num_partitions: NonZeroU32,
    ctx: &Context,
) -> Result<DeviceUVec<u32>> {
    let mut ids = DeviceUVec::<u32>::uninit(hashes.len(), &ctx.temporary()?)?;
    let Some(data) = hashes.data() else { return Ok(ids) };
    let data = data.span::<u32>()?;
    let (len, grid) = (hashes.len(), Grid::striding(hashes.len(), THREADS));
    // SAFETY: hashes are a new column, so that its rows begin where the memory does; both have `len`.
    unsafe { hash_ids::<u32>(ctx, grid, &data, len, num_partitions.get(), &mut ids)? };
    Ok(ids)
}

/// See [`super::cpu::partition`].
pub(super) fn partition(
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
    let rows = if table.num_rows() < u32::MAX as usize {
        sorted_rows::<u32>(ids, num_partitions, ctx)?.map(Rows::from)
    } else {
        sorted_rows::<u64>(ids, num_partitions, ctx)?.map(Rows::from)
    };
    let table = match rows {
        Some(rows) => gather_table(table, &rows, ctx)?,
        None => table.clone(),
    };
    Ok((table, offsets))
}

/// The row numbers in order of the rows' partitions; `None` where they are in order because there is one
/// partition alone.
fn sorted_rows<I: Native + Number>(
    ids: &DeviceUVec<u32>,
    num_partitions: u32,
    ctx: &Context,
) -> Result<Option<DeviceUVec<I>>> {
    let (len, temporary) = (ids.len(), ctx.temporary()?);
    let (grid, blocks) = (Grid::covering(len, TILE, THREADS), len.div_ceil(TILE).max(1));
    let bits = u32::BITS - num_partitions.saturating_sub(1).leading_zeros();
    let mut moved: Option<(DeviceUVec<u32>, DeviceUVec<I>)> = None;
    for shift in (0..bits).step_by(BINS.ilog2() as usize) {
        let (ids, rows) = match &moved {
            Some((ids, rows)) => (ids, Some(rows)),
            None => (ids, None),
        };
        let mut counts = DeviceUVec::<u64>::uninit(BINS as usize * blocks, &temporary)?;
        // SAFETY: there are `len` ids, and a count for each bin of each block.
        unsafe { bin_counts::<u64>(ctx, grid, ids, len, shift, &mut counts)? };
        let bases = primitives::scan(&counts.span(), Reduction::Sum, ScanKind::Exclusive, &temporary)?;
        let mut ids_out = DeviceUVec::uninit(len, &temporary)?;
        let mut rows_out = DeviceUVec::uninit(len, &temporary)?;
        // SAFETY: as above; the bases are sums of the counts of the same ids, so that each row has a place.
        unsafe { move_to_bins::<I>(ctx, grid, ids, rows, len, shift, &bases, &mut ids_out, &mut rows_out)? };
        moved = Some((ids_out, rows_out));
    }
    Ok(moved.map(|(_, rows)| rows))
}

/// See [`super::cpu::round_robin`].
pub(super) fn round_robin(table: &Table, offsets: &[usize], start: usize, ctx: &Context) -> Result<Table> {
    let rows: Rows = if table.num_rows() < u32::MAX as usize {
        dealt::<u32>(table.num_rows(), offsets, start, ctx)?.into()
    } else {
        dealt::<u64>(table.num_rows(), offsets, start, ctx)?.into()
    };
    gather_table(table, &rows, ctx)
}

fn dealt<I: Native>(len: usize, offsets: &[usize], start: usize, ctx: &Context) -> Result<DeviceUVec<I>> {
    let temporary = ctx.temporary()?;
    let begins: Vec<u64> = offsets.iter().map(|&offset| offset as u64).collect();
    let begins = DeviceUVec::from_slice(&begins, &temporary)?;
    let mut rows = DeviceUVec::<I>::uninit(len, &temporary)?;
    let (grid, count) = (Grid::striding(len, THREADS), offsets.len());
    // SAFETY: there is an offset for each player and room for `len` rows.
    unsafe { dealt_rows::<I>(ctx, grid, &begins, count, start, len, &mut rows)? };
    Ok(rows)
}
