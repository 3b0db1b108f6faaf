//! Several columns gathered by one map in no order: their rows are packed first, and gathered as rows of 16 or
//! 32 bytes. A random access costs the same whether it is for 8 bytes or for 32.

use cuprum_column::{Buffer, Column, Context, ErrorKind, Result, UNKNOWN_NULL_COUNT, null_mask};
use cuprum_runtime::driver::LaunchShape;
use cuprum_runtime::kernel::{Argument, Kernel, KernelName};
use cuprum_runtime::{DeviceUVec, kernels};

use super::cuda::{self, Numbers, Rows, buffer, dispatch_numbers, validity, values};

kernels! {
    static PACKED: "packed.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Rows that a thread packs.
        PACKED_ITEMS = 2,
        /// Rows that a thread gathers.
        GATHERED_ITEMS = 2,
        /// Row numbers that are looked at in one place of a map.
        SAMPLE = 1024;

    fn pack_rows<Row: KernelName>(
        columns: &[u64], num_columns: u32, flags_at: u32, n: u64, packed: &mut [u8],
    );
    fn gather_packed<Row: KernelName, I: KernelType>(
        packed: &[u8], num_rows: u64, columns: &[u64], num_columns: u32, flags_at: u32, numbers: &[I], n: u64,
    );
    fn count_neighbourhoods<I: KernelType>(numbers: &[I], n: u64, step: u64, count: &mut [u64]);
}

struct Row16;
struct Row32;

impl KernelName for Row16 {
    const NAME: &'static str = "Row16";
}

impl KernelName for Row32 {
    const NAME: &'static str = "Row32";
}

pub(super) fn kernels() -> Vec<Kernel> {
    vec![
        pack_rows::<Row16>(),
        pack_rows::<Row32>(),
        gather_packed::<Row16, u32>(),
        gather_packed::<Row16, u64>(),
        gather_packed::<Row32, u32>(),
        gather_packed::<Row32, u64>(),
        count_neighbourhoods::<u32>(),
        count_neighbourhoods::<u64>(),
    ]
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
        let len = numbers.len();
        let arguments =
            [numbers.into(), (len as u64).into(), ((len / SAMPLES) as u64).into(), (&mut count).into()];
        // SAFETY: there are `len` numbers, and the kernel reads none behind the last.
        unsafe {
            let shape = LaunchShape::new(SAMPLES as u64, THREADS)?;
            count_neighbourhoods::<I>().launch(ctx.stream(), shape, &arguments)?;
        }
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

    let words = null_mask::bitmask_allocation_size_bytes(len) / 4;
    let mut read = Vec::new();
    let mut targets = Vec::new();
    let mut masks = Vec::new();
    let mut table = Vec::new();
    let mut offset = 0;
    for column in columns {
        let target = DeviceUVec::<u8>::uninit(len * width(column), ctx)?;
        let mask = match has_flags && may_be_null(column) {
            true => Some(DeviceUVec::<u32>::zeroed(words, ctx)?),
            false => None,
        };
        let (source, bits) = (values(column)?, validity(column)?);
        table.extend([
            source.as_ref().map_or(0, |source| source.as_ptr() as u64),
            bits.as_ref().map_or(0, |bits| bits.as_ptr() as u64),
            column.offset() as u64,
            target.buffer().as_ptr() as u64,
            mask.as_ref().map_or(0, |mask| mask.buffer().as_ptr() as u64),
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
    let arguments = [
        Argument::from(&table).reaching(read.iter().map(Argument::from)),
        num_columns.into(),
        flags_at.into(),
        (source_rows as u64).into(),
        (&mut packed).into(),
    ];
    let kernel = if row_bytes == WIDEST { pack_rows::<Row32>() } else { pack_rows::<Row16>() };
    let shape = LaunchShape::covering(source_rows, (THREADS * PACKED_ITEMS) as usize, THREADS)?;
    // SAFETY: the table says where the columns are, which have `source_rows` rows, as has `packed`; in a row
    // they lie behind each other, the widest first, so that each is aligned.
    unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    dispatch_numbers!(&rows.numbers, I, numbers => {
        let written = targets.iter_mut().map(Argument::from);
        let written = written.chain(masks.iter_mut().flatten().map(Argument::from));
        let arguments = [
            (&packed).into(),
            (source_rows as u64).into(),
            Argument::from(&table).reaching(written),
            num_columns.into(),
            flags_at.into(),
            numbers.into(),
            (len as u64).into(),
        ];
        let kernel = match row_bytes == WIDEST {
            true => gather_packed::<Row32, I>(),
            false => gather_packed::<Row16, I>(),
        };
        let shape = LaunchShape::covering(len, (THREADS * GATHERED_ITEMS) as usize, THREADS)?;
        // SAFETY: `packed` has `source_rows` rows, `numbers` and all targets have `len`.
        unsafe { kernel.launch(ctx.stream(), shape, &arguments)? };
    });
    let of_column = |(column, (target, mask)): (&&Column, (DeviceUVec<u8>, Option<DeviceUVec<u32>>))| {
        let mask: Option<(Buffer, usize)> = match mask {
            Some(mask) => Some((buffer(mask)?, UNKNOWN_NULL_COUNT)),
            None => cuda::gather_mask(column, None, rows, ctx)?,
        };
        Column::from_buffer(column.data_type(), len, buffer(target)?, mask)
    };
    columns.iter().zip(targets.into_iter().zip(masks)).map(of_column).collect()
}
