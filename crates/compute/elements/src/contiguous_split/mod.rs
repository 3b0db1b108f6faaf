//! Tables in one block of memory: to split them, to send them elsewhere, to write them out.
//!
//! A packed table is a block of memory with the buffers of all its columns, on the device of the table,
//! and metadata in host memory that describes its layout. [`pack`] makes one of a table,
//! [`contiguous_split`] one of each part, and [`ChunkedPack`] makes the block in chunks where there is no
//! memory for all of it; [`unpack`] gives the table back without copying.
//!
//! Only the memory of the rows is packed: offsets begin at 0, masks at bit 0, elements and fields are cut to
//! the rows; dictionaries keep all keys. Buffers begin at multiples of 64 bytes with zeros between them, and
//! nulls are counted when somebody asks for them, so that a table has the same bytes on every device. Writing
//! them takes one pass in parallel on the CPU and one launch on a GPU, whatever the number of columns and
//! parts. `docs/design/packed-format.md` describes the format.
//!
//! All functions run where the memory of their context is; the table must be there too.

mod chunked;
mod cpu;
pub mod cuda;
mod layout;
mod metadata;
#[cfg(test)]
mod tests;

use std::ops::Range;

use cuprum_column::{Buffer, Column, Context, DataType, Error, Result, Table};
use cuprum_runtime::backend::{check_device, on_device};
use cuprum_runtime::nvtx::func_range;
use cuprum_runtime::{DeviceBuffer, host_vec, memory};

use layout::BlockLayout;
use metadata::Trust;

pub use chunked::ChunkedPack;

/// A table in one block, from [`pack`] to [`unpack`].
#[derive(Clone, Debug)]
pub struct PackedColumns {
    // Private: `unpack` relies on the output of `pack`.
    metadata: Vec<u8>,
    data: Buffer,
}

impl PackedColumns {
    /// The description of the block's layout.
    pub fn metadata(&self) -> &[u8] {
        &self.metadata
    }

    /// The block, on the device of the table.
    pub fn data(&self) -> &Buffer {
        &self.data
    }

    /// Metadata and block, giving up the rest.
    pub fn into_parts(self) -> (Vec<u8>, Buffer) {
        (self.metadata, self.data)
    }
}

/// A part of a table, whose columns lie in one block.
#[derive(Clone, Debug)]
pub struct PackedTable {
    table: Table,
    packed: PackedColumns,
}

impl PackedTable {
    /// The rows of the part. The columns keep the block alive.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The same as metadata and block.
    pub fn packed(&self) -> &PackedColumns {
        &self.packed
    }

    /// Table and packed columns, giving up the whole.
    pub fn into_parts(self) -> (Table, PackedColumns) {
        (self.table, self.packed)
    }
}

/// The rows before, between and behind the positions `splits`: one part more than there are positions, all
/// sharing the memory of the column.
///
/// ```text
/// input:  {10, 12, 14, 16, 18, 20, 22, 24, 26, 28}
/// splits: {2, 5, 9}
/// output: {{10, 12}, {14, 16, 18}, {20, 22, 24, 26}, {28}}
/// ```
///
/// Fails with [`OutOfRange`](cuprum_column::ErrorKind::OutOfRange) where a position is behind the last row
/// and with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) where positions decrease.
pub fn split(column: &Column, splits: &[usize]) -> Result<Vec<Column>> {
    parts_of(column.len(), splits)?.into_iter().map(|rows| column.slice(rows.start, rows.len())).collect()
}

/// [`split`] of every column of a table.
pub fn split_table(table: &Table, splits: &[usize]) -> Result<Vec<Table>> {
    parts_of(table.num_rows(), splits)?.into_iter().map(|rows| table.slice(rows.start, rows.len())).collect()
}

/// [`split_table`] with a copy: the columns of each part lie in a block of their own.
///
/// Fails as [`split`] does, and with `InvalidArgument` where the table is not where the context's memory is.
pub fn contiguous_split(table: &Table, splits: &[usize], ctx: &Context) -> Result<Vec<PackedTable>> {
    func_range!(c"contiguous_split.contiguous_split");
    check_device!(ctx, [table]);
    let packed = pack_parts(table, &parts_of(table.num_rows(), splits)?, ctx)?;
    packed.into_iter().map(|packed| Ok(PackedTable { table: unpack(&packed)?, packed })).collect()
}

/// A copy of `table` in one block.
///
/// Fails with `InvalidArgument` where the table is not where the context's memory is.
///
/// ```
/// # use cuprum_elements as cuprum_compute;
/// # use cuprum_column::{Column, Context, Table};
/// use cuprum_compute::contiguous_split::{pack, unpack};
///
/// let ctx = Context::current();
/// let table = Table::new(vec![Column::from_strs(&["a", "bc"], &ctx)?])?;
/// let packed = pack(&table, &ctx)?;
/// assert_eq!(unpack(&packed)?.columns()[0].view()?.strings()?.bytes(1), b"bc");
/// # Ok::<(), cuprum_column::Error>(())
/// ```
pub fn pack(table: &Table, ctx: &Context) -> Result<PackedColumns> {
    func_range!(c"contiguous_split.pack");
    check_device!(ctx, [table]);
    Ok(pack_parts(table, std::slice::from_ref(&(0..table.num_rows())), ctx)?.remove(0))
}

/// The metadata of a table that lies in one block already: all of its memory is in `contiguous_buffer`, such
/// as slices of a table that was [unpacked](unpack) from it.
///
/// Fails with `InvalidArgument` where some of it is not.
pub fn pack_metadata(table: &Table, contiguous_buffer: &Buffer) -> Result<Vec<u8>> {
    let records = metadata::records_of(table, contiguous_buffer)?;
    Ok(metadata::write(table.num_rows(), table.num_columns(), contiguous_buffer.len(), &records))
}

/// The table that was packed. Its columns share the block.
pub fn unpack(packed: &PackedColumns) -> Result<Table> {
    // SAFETY: only `pack` and its like make packed columns, from columns that are valid.
    unsafe { unpack_trusted(&packed.metadata, &packed.data) }
}

/// The table in `data` that `metadata` describes, whoever wrote them. Its columns share the memory, which
/// may be longer than the block.
///
/// Everything is checked: the metadata against the block, offsets, indices and text in the block, for which
/// memory on a GPU is copied. Fails with [`Logic`](cuprum_column::ErrorKind::Logic) where something does not
/// fit.
pub fn unpack_from(metadata: &[u8], data: &Buffer) -> Result<Table> {
    func_range!(c"contiguous_split.unpack_from");
    // SAFETY: nothing is trusted.
    unsafe { metadata::read(metadata, data, Trust::Nothing) }
}

/// [`unpack_from`] that checks the metadata alone.
///
/// # Safety
/// The block holds what [`pack`] wrote with this metadata.
pub unsafe fn unpack_trusted(metadata: &[u8], data: &Buffer) -> Result<Table> {
    // SAFETY: the block holds what `pack` wrote with this metadata, as the caller says.
    unsafe { metadata::read(metadata, data, Trust::Contents) }
}

/// The rows before, between and behind `splits`.
fn parts_of(num_rows: usize, splits: &[usize]) -> Result<Vec<Range<usize>>> {
    let mut parts = host_vec::with_capacity(splits.len() + 1)?;
    let mut begin = 0;
    for (i, &split) in splits.iter().enumerate() {
        if split > num_rows {
            return Err(Error::out_of_range(format!("`splits[{i}]` is {split}; there are {num_rows} rows")));
        }
        if split < begin {
            return Err(Error::invalid_argument(format!(
                "`splits[{i}]` is {split}, less than {begin} before it; splits must not decrease"
            )));
        }
        parts.push(begin..split);
        begin = split;
    }
    parts.push(begin..num_rows);
    Ok(parts)
}

/// Memory that is written: bytes of the row of blocks from `begin` on.
struct Target<'a> {
    begin: usize,
    memory: &'a mut DeviceBuffer,
}

fn pack_parts(table: &Table, parts: &[Range<usize>], ctx: &Context) -> Result<Vec<PackedColumns>> {
    let device = ctx.resource().device();
    let scratch = Context::new(ctx.stream().clone(), memory::current_resource(device)?);
    let layout = BlockLayout::new(table, parts, &scratch)?;
    let blocks = layout.parts.iter().map(|part| DeviceBuffer::uninit(part.block.len(), ctx));
    let mut blocks = blocks.collect::<Result<Vec<_>>>()?;
    let addresses: Vec<u64> = blocks.iter().map(|block| block.as_ptr() as u64).collect();
    let targets = layout.parts.iter().zip(&mut blocks);
    let mut targets: Vec<Target<'_>> =
        targets.map(|(part, memory)| Target { begin: part.block.start, memory }).collect();
    let window = 0..layout.bytes();
    if !window.is_empty() {
        on_device!(ctx, cpu::copy(&layout, window, &mut targets, ctx)?, {
            let (sources, windows) = (layout.spans()?, std::slice::from_ref(&window));
            let plan = cuda::Plan::new(&layout, windows, &addresses, &sources, &scratch)?;
            // SAFETY: it is the window of the plan and of its sources, and the targets are the blocks at
            // these addresses.
            unsafe { plan.copy(&layout, &sources, (0, window), &mut targets, 0, ctx)? };
        });
    }
    let parts = layout.parts.iter().zip(blocks);
    parts
        .map(|(part, block)| Ok(PackedColumns { metadata: layout.metadata(part), data: block.try_into()? }))
        .collect()
}

fn no_offsets(data_type: DataType) -> Error {
    Error::logic(format!("offsets are {data_type}, not int32 or int64"))
}
