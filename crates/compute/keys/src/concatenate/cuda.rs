//! Concatenation on a GPU: one launch for all columns, with a table of where they are.

use std::ops::Range;

use cuprum_column::{Buffer, Column, Context, DataType, Error, Result, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::kernel::{Grid, In, Out, reaching};
use cuprum_runtime::{DeviceUVec, kernels};

use cuprum_elements::gather::cuda::{Word16, buffer, offsets_of};
use cuprum_elements::stable_partition::running_sum;

kernels! {
    pub static CONCATENATE: "concatenate.cu" where
        /// Threads of every block.
        THREADS = 256;

    fn join_values<Value in [u8, u32, Word16]>(
        addresses: In<u64>, starts: In<u64>, pieces: usize, n: usize, out: Out<u8>,
    );
    fn join_bits(
        addresses: In<u64>, first_bits: In<u64>, starts: In<u64>, pieces: usize, n: usize, words: usize,
        out: Out<u32>,
    );
    fn offset_bounds(addresses: In<u64>, sizes: In<u64>, starts: In<u64>, pieces: usize, bounds: Out<u64>);
    fn join_all_offsets(
        addresses: In<u64>, sizes: In<u64>, starts: In<u64>, shifts: In<u64>, pieces: usize, n: usize,
        total: usize, out: Out<u64>,
    );
}

/// Numbers that a kernel reads, on its device.
fn table(values: impl Iterator<Item = u64>, ctx: &Context) -> Result<DeviceUVec<u64>> {
    DeviceUVec::from_slice(&values.collect::<Vec<_>>(), &ctx.temporary()?)
}

/// See [`super::cpu::join_bytes`].
pub(super) fn join_bytes(columns: &[&Column], ranges: &[Range<usize>], ctx: &Context) -> Result<Buffer> {
    let mut read = Vec::new();
    let mut pieces = Vec::new();
    for (column, range) in columns.iter().zip(ranges) {
        if let Some(data) = column.data().filter(|_| !range.is_empty()) {
            let data = data.span::<u8>()?;
            pieces.push((data.as_ptr() as usize + range.start, range.len()));
            read.push(data);
        }
    }
    let starts = running_sum(pieces.iter().map(|(_, len)| *len));
    let mut out = DeviceUVec::<u8>::uninit(starts[pieces.len()], ctx)?;
    if pieces.is_empty() {
        return buffer(out);
    }
    // The widest values that all pieces consist of.
    let bits = pieces.iter().fold(0, |bits, (address, len)| bits | address | len);
    let size = match bits.trailing_zeros() {
        4.. => 16,
        2.. => 4,
        _ => 1,
    };
    let (n, count) = (out.len() / size, pieces.len());
    let addresses = table(pieces.iter().map(|(address, _)| *address as u64), ctx)?;
    let starts = table(starts.iter().map(|start| (start / size) as u64), ctx)?;
    let (grid, addresses) = (Grid::striding(n.div_ceil(16 / size), THREADS), reaching(&addresses, &read));
    let launch = match size {
        16 => join_values::<Word16>,
        4 => join_values::<u32>,
        _ => join_values::<u8>,
    };
    // SAFETY: each piece has as many values as lie between its start and the next one.
    unsafe { launch(ctx, grid, addresses, &starts, count, n, &mut out)? };
    buffer(out)
}

/// See [`super::cpu::join_masks`]; the number of nulls is counted when it is asked for.
pub(super) fn join_masks(columns: &[&Column], ctx: &Context) -> Result<Option<(Buffer, usize)>> {
    let masks = columns.iter().map(|column| column.mask().map(Buffer::span::<u8>).transpose());
    let masks = masks.collect::<Result<Vec<_>>>()?;
    let addresses = masks.iter().map(|mask| mask.as_ref().map_or(0, |mask| mask.as_ptr() as u64));
    let addresses = addresses.collect::<Vec<_>>();
    let read: Vec<_> = masks.into_iter().flatten().collect();
    if read.is_empty() {
        return Ok(None);
    }
    let rows = running_sum(columns.iter().map(|column| column.len()));
    let len = rows[columns.len()];
    let mut out = DeviceUVec::<u32>::uninit(null_mask::bitmask_allocation_size_bytes(len) / 4, ctx)?;
    let addresses = table(addresses.into_iter(), ctx)?;
    let first_bits = table(columns.iter().map(|column| column.offset() as u64), ctx)?;
    let starts = table(rows.iter().map(|&row| row as u64), ctx)?;
    let (grid, words, pieces) = (Grid::striding(out.len(), THREADS), out.len(), columns.len());
    let addresses = reaching(&addresses, &read);
    // SAFETY: each mask has a bit for each row from the first one on.
    unsafe { join_bits(ctx, grid, addresses, &first_bits, &starts, pieces, len, words, &mut out)? };
    Ok(Some((buffer(out)?, UNKNOWN_NULL_COUNT)))
}

/// See [`super::cpu::join_offsets`]; the columns have rows.
pub(super) fn join_offsets(columns: &[&Column], ctx: &Context) -> Result<(Column, Vec<Range<usize>>)> {
    let mut read = Vec::new();
    let (mut addresses, mut sizes) = (Vec::new(), Vec::new());
    for column in columns {
        let child =
            column.offsets_child().ok_or_else(|| Error::logic("a column with rows has no offsets"))?;
        let data = child.data().ok_or_else(|| Error::logic("offsets have no memory"))?;
        let size = if child.data_type() == DataType::Int32 { 4 } else { 8 };
        let data = data.span::<u8>()?;
        addresses.push(data.as_ptr() as u64 + ((child.offset() + column.offset()) * size) as u64);
        sizes.push(size as u64);
        read.push(data);
    }
    let (pieces, rows) = (columns.len(), running_sum(columns.iter().map(|column| column.len())));
    let addresses = table(addresses.into_iter(), ctx)?;
    let sizes = table(sizes.into_iter(), ctx)?;
    let starts = table(rows.iter().map(|&row| row as u64), ctx)?;
    let mut bounds = DeviceUVec::<u64>::uninit(2 * pieces, &ctx.temporary()?)?;
    let (grid, places) = (Grid::striding(pieces, THREADS), reaching(&addresses, &read));
    // SAFETY: each piece has one offset more than rows, and two bounds.
    unsafe { offset_bounds(ctx, grid, places, &sizes, &starts, pieces, &mut bounds)? };
    let ranges: Vec<Range<usize>> =
        bounds.to_vec()?.chunks_exact(2).map(|bounds| bounds[0] as usize..bounds[1] as usize).collect();
    let bases = running_sum(ranges.iter().map(ExactSizeIterator::len));
    let shifts =
        bases.iter().zip(&ranges).map(|(base, range)| (*base as u64).wrapping_sub(range.start as u64));
    let shifts = table(shifts, ctx)?;
    let (len, total) = (rows[pieces], bases[pieces]);
    let mut out = DeviceUVec::<u64>::uninit(len + 1, ctx)?;
    let (grid, places) = (Grid::striding(len + 1, THREADS), reaching(&addresses, &read));
    // SAFETY: each piece has one offset more than rows, a start and a shift; `out` has one offset more than rows.
    unsafe { join_all_offsets(ctx, grid, places, &sizes, &starts, &shifts, pieces, len, total, &mut out)? };
    Ok((offsets_of(out, total, ctx)?, ranges))
}
