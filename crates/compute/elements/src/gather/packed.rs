//! Several columns gathered by one map in no order: their rows are packed first, and gathered as rows of 16
//! or 32 bytes. A random access costs the same whether it is for 8 bytes or for 32.

use cuprum_column::{Buffer, Column, Context, ErrorKind, Result, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::kernel::{Grid, In, Out, reaching};
use cuprum_runtime::{DeviceBuffer, DeviceSpan, DeviceUVec, kernel_names, kernels};

use super::cuda::{self, GatherMap, Numbers, dispatch_numbers, validity, values};
use super::nested::LeafGather as _;

kernels! {
    pub static PACKED: "packed.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread packs.
        PACKED_ITEMS = 2,
        /// Rows that a thread gathers.
        GATHERED_ITEMS = 2,
        /// Row numbers that are looked at in one place of a map.
        SAMPLE = 1024;

    fn pack_rows<Row in [Row16, Row32]>(
        columns: In<u64>, num_columns: u32, flags_at: u32, n: usize, packed: Out<u8>,
    );
    fn gather_packed<Row in [Row16, Row32], I in [u32, u64]>(
        packed: In<u8>, first_rows: usize, num_rows: usize, columns: In<u64>, num_columns: u32, flags_at: u32,
        numbers: In<I>, n: usize,
    );
    fn count_neighbourhoods<I in [u32, u64]>(numbers: In<I>, n: usize, step: usize, count: Out<u64>);
}

kernel_names! {
    struct Row16;
    struct Row32;
}

/// Bytes of the widest packed rows.
const WIDEST: usize = 32;
/// The most columns of a row, whose validity is one byte.
const MOST_COLUMNS: usize = 8;
/// Maps of fewer rows are gathered column by column: it takes less time than to look at them.
const FEWEST_ROWS: usize = 1 << 18;
/// Places in which a map is looked at.
const SAMPLES: usize = 64;

/// Columns that are gathered together, by their numbers, the widest first.
type Group = Vec<usize>;

/// Fixed-width columns in groups of at most [`WIDEST`] bytes a row; those that are left alone are in none.
fn groups(columns: &[&Column]) -> Vec<Group> {
    let width = |&i: &usize| columns[i].data_type().size().unwrap_or(0);
    let mut fixed: Vec<usize> = (0..columns.len()).filter(|i| width(i) > 0).collect();
    fixed.sort_by_key(|i| std::cmp::Reverse(width(i)));
    let mut groups: Vec<Group> = Vec::new();
    for i in fixed {
        let fits = |group: &Group| {
            group.len() < MOST_COLUMNS && group.iter().map(width).sum::<usize>() + width(&i) <= WIDEST
        };
        match groups.last_mut().filter(|group| fits(group)) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// The columns that are gathered faster together, with their numbers; none where the map does not pay for the
/// packing or there is no memory for it. The rows of `firsts`, columns of the same types, come before those
/// of the columns; the map names their row `i`, if at all, at place `i`.
#[doc(hidden)]
pub fn gather(
    firsts: Option<&[&Column]>,
    columns: &[&Column],
    rows: &GatherMap,
    ctx: &Context,
) -> Result<Vec<(usize, Column)>> {
    let source_rows = columns.first().map_or(0, |column| column.len());
    let mut gathered = Vec::new();
    if rows.len() < FEWEST_ROWS || rows.len() < source_rows / 2 {
        return Ok(gathered);
    }
    let groups = groups(columns);
    if groups.is_empty() || !is_scattered(&rows.numbers, ctx)? {
        return Ok(gathered);
    }
    for group in groups {
        let of_group: Vec<&Column> = group.iter().map(|&i| columns[i]).collect();
        let firsts: Option<Vec<&Column>> = firsts.map(|firsts| group.iter().map(|&i| firsts[i]).collect());
        match gather_group(firsts.as_deref(), &of_group, rows, ctx) {
            Ok(columns) => gathered.extend(group.into_iter().zip(columns)),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => break,
            Err(error) => return Err(error),
        }
    }
    Ok(gathered)
}

/// Whether neighbours in the map are mostly rows of different neighbourhoods, by a few samples.
#[doc(hidden)]
pub fn is_scattered(numbers: &Numbers, ctx: &Context) -> Result<bool> {
    let mut count = DeviceUVec::<u64>::zeroed(1, &ctx.temporary()?)?;
    let len = dispatch_numbers!(numbers, I, numbers => {
        let (len, grid) = (numbers.len(), Grid::of(SAMPLES, THREADS));
        // SAFETY: there are `len` numbers, and the kernel reads none behind the last.
        unsafe { count_neighbourhoods::<I>(ctx, grid, numbers, len, len / SAMPLES, &mut count)? };
        len
    });
    let looked_at = len.min(SAMPLES * SAMPLE as usize);
    Ok(count.element(0)? as usize > looked_at / 2)
}

/// The rows of fixed-width columns of one length, which together have at most [`WIDEST`] bytes a row; the
/// widest come first.
#[doc(hidden)]
pub fn gather_group(
    firsts: Option<&[&Column]>,
    columns: &[&Column],
    rows: &GatherMap,
    ctx: &Context,
) -> Result<Vec<Column>> {
    let first = |i: usize| firsts.map(|firsts| firsts[i]);
    let first_rows = first(0).map_or(0, Column::len);
    let (source_rows, len) = (columns[0].len(), rows.len());
    let temporary = ctx.temporary()?;
    let width = |column: &Column| column.data_type().size().unwrap_or(0);
    let bytes: usize = columns.iter().map(|column| width(column)).sum();
    let row_bytes = if bytes <= WIDEST / 2 { WIDEST / 2 } else { WIDEST };
    let mut packed = DeviceUVec::<u8>::uninit(source_rows * row_bytes, &temporary)?;
    // Without room for flags in the row, validity is gathered by itself.
    let has_flags = bytes < row_bytes;
    let has_mask = |column: &Column| column.mask().is_some();
    let may_be_null = |i: usize| rows.may_miss || has_mask(columns[i]) || first(i).is_some_and(has_mask);

    let mask_bytes = null_mask::bitmask_allocation_size_bytes(len);
    let mut read = Vec::new();
    let mut targets = Vec::new();
    let mut masks = Vec::new();
    let mut table = Vec::new();
    let mut offset = 0;
    for (i, column) in columns.iter().enumerate() {
        let target = DeviceBuffer::uninit(len * width(column), ctx)?;
        let mask = match has_flags && may_be_null(i) {
            true => Some(DeviceUVec::<u8>::zeroed(mask_bytes, ctx)?.into_buffer()),
            false => None,
        };
        let (source, bits) = (values(column)?, validity(column)?);
        let first_values = first(i).map(values).transpose()?.flatten();
        let first_bits = first(i).map(validity).transpose()?.flatten();
        let address = |span: &Option<DeviceSpan<u8>>| span.as_ref().map_or(0, |span| span.as_ptr() as u64);
        table.extend([
            address(&source),
            address(&bits),
            column.offset() as u64,
            target.as_ptr() as u64,
            mask.as_ref().map_or(0, |mask| mask.as_ptr() as u64),
            width(column) as u64,
            offset as u64,
            address(&first_values),
            address(&first_bits),
            first(i).map_or(0, Column::offset) as u64,
        ]);
        offset += width(column);
        read.extend([source, bits, first_values, first_bits].into_iter().flatten());
        targets.push(target);
        masks.push(mask);
    }
    let table = DeviceUVec::from_slice(&table, &temporary)?;
    let (num_columns, flags_at) = (columns.len() as u32, bytes as u32);
    let grid = Grid::covering(source_rows, (THREADS * PACKED_ITEMS) as usize, THREADS);
    let sources = reaching(&table, &read);
    let pack = if row_bytes == WIDEST { pack_rows::<Row32> } else { pack_rows::<Row16> };
    // SAFETY: the table says where the columns are, which have `source_rows` rows, as has `packed`; in a row
    // they lie behind each other, the widest first, so that each is aligned.
    unsafe { pack(ctx, grid, sources, num_columns, flags_at, source_rows, &mut packed)? };
    let grid = Grid::covering(len, (THREADS * GATHERED_ITEMS) as usize, THREADS);
    let written = targets.iter_mut().chain(masks.iter_mut().flatten());
    let out = reaching(&table, &read).and_writing(written);
    let (packed, n) = (&packed, num_columns);
    dispatch_numbers!(&rows.numbers, I, numbers => {
        let gather = if row_bytes == WIDEST { gather_packed::<Row32, I> } else { gather_packed::<Row16, I> };
        // SAFETY: `packed` has `source_rows` rows, the columns before it have `first_rows`; `numbers` and all
        // targets have `len`.
        unsafe { gather(ctx, grid, packed, first_rows, source_rows, out, n, flags_at, numbers, len)? };
    });
    let of_column = |(i, (target, mask)): (usize, (DeviceBuffer, Option<DeviceBuffer>))| {
        let column = columns[i];
        let mask: Option<(Buffer, usize)> = match mask {
            Some(mask) => Some((mask.try_into()?, UNKNOWN_NULL_COUNT)),
            None => match first(i) {
                Some(first) => cuda::gather_mask(first, Some(column), rows, ctx)?,
                None => cuda::gather_mask(column, None, rows, ctx)?,
            },
        };
        Column::from_buffer(column.data_type(), len, target.try_into()?, mask)
    };
    targets.into_iter().zip(masks).enumerate().map(of_column).collect()
}
