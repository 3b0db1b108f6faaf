//! Several columns gathered by one map in no order: their rows are packed first, and gathered as rows of 16 or
//! 32 bytes. A random access costs the same whether it is for 8 bytes or for 32.

use cuprum_column::{Buffer, Column, Context, ErrorKind, Result, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::kernel::{Grid, In, Out, reaching};
use cuprum_runtime::{DeviceBuffer, DeviceUVec, kernel_names, kernels};

use super::cuda::{self, Numbers, Rows, dispatch_numbers, validity, values};

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
        packed: In<u8>, num_rows: usize, columns: In<u64>, num_columns: u32, flags_at: u32, numbers: In<I>,
        n: usize,
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
/// packing or there is no memory for it.
pub(super) fn gather(columns: &[&Column], rows: &Rows, ctx: &Context) -> Result<Vec<(usize, Column)>> {
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
        match gather_group(&of_group, rows, ctx) {
            Ok(columns) => gathered.extend(group.into_iter().zip(columns)),
            Err(error) if error.kind() == ErrorKind::OutOfMemory => break,
            Err(error) => return Err(error),
        }
    }
    Ok(gathered)
}

/// Whether neighbours in the map are mostly rows of different neighbourhoods, by a few samples.
pub(super) fn is_scattered(numbers: &Numbers, ctx: &Context) -> Result<bool> {
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
pub(super) fn gather_group(columns: &[&Column], rows: &Rows, ctx: &Context) -> Result<Vec<Column>> {
    let (source_rows, len) = (columns[0].len(), rows.len());
    let temporary = ctx.temporary()?;
    let width = |column: &Column| column.data_type().size().unwrap_or(0);
    let bytes: usize = columns.iter().map(|column| width(column)).sum();
    let row_bytes = if bytes <= WIDEST / 2 { WIDEST / 2 } else { WIDEST };
    let mut packed = DeviceUVec::<u8>::uninit(source_rows * row_bytes, &temporary)?;
    // Where the row has no room for flags, validity is gathered by itself.
    let has_flags = bytes < row_bytes;
    let may_be_null = |column: &Column| rows.may_miss || column.mask().is_some();

    let mask_bytes = null_mask::bitmask_allocation_size_bytes(len);
    let mut read = Vec::new();
    let mut targets = Vec::new();
    let mut masks = Vec::new();
    let mut table = Vec::new();
    let mut offset = 0;
    for column in columns {
        let target = DeviceBuffer::uninit(len * width(column), ctx)?;
        let mask = match has_flags && may_be_null(column) {
            true => Some(DeviceUVec::<u8>::zeroed(mask_bytes, ctx)?.into_buffer()),
            false => None,
        };
        let (source, bits) = (values(column)?, validity(column)?);
        table.extend([
            source.as_ref().map_or(0, |source| source.as_ptr() as u64),
            bits.as_ref().map_or(0, |bits| bits.as_ptr() as u64),
            column.offset() as u64,
            target.as_ptr() as u64,
            mask.as_ref().map_or(0, |mask| mask.as_ptr() as u64),
            width(column) as u64,
            offset as u64,
        ]);
        offset += width(column);
        read.extend(source.into_iter().chain(bits));
        targets.push(target);
        masks.push(mask);
    }
    let table = DeviceUVec::from_slice(&table, &temporary)?;
    let (num_columns, flags_at) = (columns.len() as u32, bytes as u32);
    let grid = Grid::covering(source_rows, (THREADS * PACKED_ITEMS) as usize, THREADS);
    let sources = reaching(&table, &read);
    // SAFETY: the table says where the columns are, which have `source_rows` rows, as has `packed`; in a row
    // they lie behind each other, the widest first, so that each is aligned.
    unsafe {
        match row_bytes {
            WIDEST => pack_rows::<Row32>(ctx, grid, sources, num_columns, flags_at, source_rows, &mut packed)?,
            _ => pack_rows::<Row16>(ctx, grid, sources, num_columns, flags_at, source_rows, &mut packed)?,
        }
    }
    let grid = Grid::covering(len, (THREADS * GATHERED_ITEMS) as usize, THREADS);
    let written = targets.iter_mut().chain(masks.iter_mut().flatten());
    let out = reaching(&table, []).and_writing(written);
    let (packed, n) = (&packed, num_columns);
    dispatch_numbers!(&rows.numbers, I, numbers => {
        // SAFETY: `packed` has `source_rows` rows, `numbers` and all targets have `len`.
        unsafe {
            match row_bytes {
                WIDEST => gather_packed::<Row32, I>(ctx, grid, packed, source_rows, out, n, flags_at, numbers, len)?,
                _ => gather_packed::<Row16, I>(ctx, grid, packed, source_rows, out, n, flags_at, numbers, len)?,
            }
        }
    });
    let of_column = |(column, (target, mask)): (&&Column, (DeviceBuffer, Option<DeviceBuffer>))| {
        let mask: Option<(Buffer, usize)> = match mask {
            Some(mask) => Some((mask.try_into()?, UNKNOWN_NULL_COUNT)),
            None => cuda::gather_mask(column, None, rows, ctx)?,
        };
        Column::from_buffer(column.data_type(), len, target.try_into()?, mask)
    };
    columns.iter().zip(targets.into_iter().zip(masks)).map(of_column).collect()
}
