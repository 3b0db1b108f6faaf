//! Rows moved to at most [`MOST_PARTITIONS`] partitions in one pass over all columns: tiles of rows are
//! ordered in shared memory and leave it in runs.

use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceViews, Native, Result, Table,
    UNKNOWN_NULL_COUNT, null_mask,
};
use cuprum_runtime::kernel::{Grid, In, KernelName, Out, Structs, reaching};
use cuprum_runtime::primitives::{self, Number, Reduction, ScanKind};
use cuprum_runtime::{DeviceBuffer, DeviceSpan, DeviceUVec, kernel_names, kernels};

use crate::gather::cuda::{GatherMap, validity, values};
use crate::gather::gather_one;

kernels! {
    pub static TILES: "tiles.cu" where
        /// Threads of every block that moves rows.
        THREADS = 256,
        /// Threads of every block that counts them.
        COUNTING_THREADS = 256,
        /// The most partitions that rows are moved to at a time.
        PARTS = 256,
        /// Rows of a thread in a small tile.
        ITEMS_OF_SMALL = 12,
        /// Rows of a thread in a large tile.
        ITEMS_OF_LARGE = 20;

    fn count_rows<By in [PartitionMap, Murmur3, Identity, HighBits], Size in [SmallTile, LargeTile], Count in [u32, u64]>(
        columns: Structs<ColumnDeviceView>, num_columns: u32, n: usize, seed: u32, num_partitions: u32,
        partitions: Out<u8>, counts: Out<Count>, first_outside: Out<u64>,
    );
    fn partition_starts<Place in [u32, u64]>(
        bases: In<Place>, tiles: usize, num_partitions: u32, first_outside: In<u64>, starts: Out<u64>,
    );
    fn move_tiles<Size in [SmallTile, LargeTile], Place in [u32, u64]>(
        partitions: Option<In<u8>>, bases: In<Place>, n: usize, num_partitions: u32, first_partition: u32,
        columns: In<u64>, num_columns: u32, places_of_rows: Option<Out<Place>>,
    );
}

/// The most partitions that rows are moved to in tiles.
pub(super) const MOST_PARTITIONS: u32 = PARTS;

kernel_names! {
    /// Partitions by the numbers of one column.
    pub(super) struct PartitionMap;
    /// Partitions by the murmur hash of columns without nesting.
    pub(super) struct Murmur3;
    /// Partitions by numbers as they are.
    pub(super) struct Identity;
    /// Partitions by the upper bits of numbers of 32 bits.
    pub(super) struct HighBits;
    struct SmallTile;
    struct LargeTile;
}

/// Numbers of rows to take at a time; `tiles.cu` has the same.
trait TileSize: KernelName {
    /// Rows of a tile.
    const ROWS: usize;

    /// Bytes of dynamic shared memory of `move_tiles`.
    fn shared_bytes<Place>() -> u32 {
        let with_gaps = Self::ROWS + Self::ROWS / 32;
        (Self::ROWS * (2 + size_of::<Place>()) + 9 * with_gaps) as u32
    }
}

impl TileSize for SmallTile {
    const ROWS: usize = (THREADS * ITEMS_OF_SMALL) as usize;
}

impl TileSize for LargeTile {
    const ROWS: usize = (THREADS * ITEMS_OF_LARGE) as usize;
}

/// The most partitions for which small tiles have runs of some length.
const FEW: u32 = 96;

/// Runs code with `$Size` bound to the tiles and `$Place` to the row numbers that fit.
macro_rules! dispatch_tiles {
    ($rows:expr, $num_partitions:expr, $Size:ident, $Place:ident => $body:expr) => {
        if $rows >= u32::MAX as usize {
            type $Size = SmallTile;
            type $Place = u64;
            $body
        } else if $num_partitions <= FEW {
            type $Size = SmallTile;
            type $Place = u32;
            $body
        } else {
            type $Size = LargeTile;
            type $Place = u32;
            $body
        }
    };
}

/// The rows of `table` by the partitions that `keys` give them, and where each of these begins; or the first
/// row whose number in a [`PartitionMap`] is no partition. There are at most
/// [`MOST_PARTITIONS`].
pub(super) fn partition<By: KernelName>(
    table: &Table,
    keys: &[Column],
    seed: u32,
    num_partitions: u32,
    ctx: &Context,
) -> Result<std::result::Result<(Table, Vec<usize>), usize>> {
    let rows = table.num_rows();
    if rows == 0 {
        return Ok(Ok((table.clone(), vec![0; num_partitions as usize + 1])));
    }
    dispatch_tiles!(rows, num_partitions, Size, Place => {
        partition_in::<By, Size, Place>(table, keys, seed, num_partitions, ctx)
    })
}

fn partition_in<By: KernelName, Size: TileSize, Place: Native + Number>(
    table: &Table,
    keys: &[Column],
    seed: u32,
    num_partitions: u32,
    ctx: &Context,
) -> Result<std::result::Result<(Table, Vec<usize>), usize>>
where
    GatherMap: From<DeviceUVec<Place>>,
{
    let (rows, temporary) = (table.num_rows(), ctx.temporary()?);
    let tiles = rows.div_ceil(Size::ROWS);
    let keys = DeviceViews::new(keys, &temporary)?;
    let mut partitions = DeviceUVec::<u8>::uninit(rows, &temporary)?;
    let mut counts = DeviceUVec::<Place>::uninit(tiles * num_partitions as usize, &temporary)?;
    let mut outside = DeviceUVec::from_slice(&[u64::MAX], &temporary)?;
    let (grid, num_keys) = (Grid::of(tiles, COUNTING_THREADS), keys.num_columns());
    let (ids, number) = (&mut partitions, num_partitions);
    // SAFETY: the keys have a row and `partitions` a place for each of `rows`; there is a count for each
    // partition of each tile.
    unsafe {
        count_rows::<By, Size, Place>(
            ctx,
            grid,
            &keys,
            num_keys,
            rows,
            seed,
            number,
            ids,
            &mut counts,
            &mut outside,
        )?;
    }
    let bases = primitives::scan(&counts.span(), Reduction::Sum, ScanKind::Exclusive, &temporary)?;
    drop(counts);
    let mut starts = DeviceUVec::<u64>::uninit(num_partitions as usize + 1, &temporary)?;
    // SAFETY: there is a base for each partition of each tile, and one start more than there are partitions.
    unsafe {
        partition_starts::<Place>(ctx, Grid::of(1, THREADS), &bases, tiles, number, &outside, &mut starts)?
    };
    let mut offsets: Vec<usize> = starts.to_vec()?.into_iter().map(|start| start as usize).collect();
    let outside = std::mem::replace(&mut offsets[num_partitions as usize], rows);
    if outside < rows {
        return Ok(Err(outside));
    }
    let table = match num_partitions {
        1 => table.clone(),
        _ => move_rows::<Size, Place>(table, Some(&partitions), &bases, num_partitions, 0, None, ctx)?,
    };
    Ok(Ok((table, offsets)))
}

/// The rows of `table`, of which the first goes to partition `first`, the second to the next and so on. The
/// partitions, of which there are at most [`MOST_PARTITIONS`], begin at `offsets`.
pub(super) fn round_robin(table: &Table, offsets: &[usize], first: u32, ctx: &Context) -> Result<Table> {
    let rows = table.num_rows();
    if rows == 0 {
        return Ok(table.clone());
    }
    let num_partitions = offsets.len() as u32;
    dispatch_tiles!(rows, num_partitions, Size, Place => {
        let bases: Vec<Place> = offsets.iter().map(|&offset| offset as Place).collect();
        let bases = DeviceUVec::from_slice(&bases, &ctx.temporary()?)?;
        move_rows::<Size, Place>(table, None, &bases, num_partitions, first, None, ctx)
    })
}

/// Rows of a tile of [`move_counted`].
pub const ROWS_COUNTED: usize = LargeTile::ROWS;
/// The parts of [`move_counted`].
pub const PARTS_COUNTED: usize = PARTS as usize;

/// The rows by their parts, in the order they have: `parts` has that of each row, and `counts` how many rows of each tile
/// of [`ROWS_COUNTED`] are in each of the [`PARTS_COUNTED`] parts, those of a part side by side. There are less than 2³² − 1
/// rows.
#[doc(hidden)]
pub fn move_counted(
    table: &Table,
    parts: &DeviceUVec<u8>,
    counts: &DeviceUVec<u32>,
    with_places: bool,
    ctx: &Context,
) -> Result<(Table, Moves<u32>)> {
    let rows = table.num_rows();
    debug_assert_eq!(counts.len(), rows.div_ceil(ROWS_COUNTED) * PARTS_COUNTED);
    let places = if with_places { Some(DeviceUVec::uninit(rows, ctx)?) } else { None };
    let mut moves = Moves { rows: DeviceUVec::uninit(rows, ctx)?, places };
    if rows == 0 {
        return Ok((table.clone(), moves));
    }
    let bases = primitives::scan(&counts.span(), Reduction::Sum, ScanKind::Exclusive, &ctx.temporary()?)?;
    let table = move_rows::<LargeTile, u32>(table, Some(parts), &bases, PARTS, 0, Some(&mut moves), ctx)?;
    Ok((table, moves))
}

/// The moves of rows.
pub struct Moves<Place: Native> {
    /// The row at each place.
    pub rows: DeviceUVec<Place>,
    /// The place of each row, if requested.
    pub places: Option<DeviceUVec<Place>>,
}

/// The rows in order of their partitions, by the arguments of `move_tiles`. Their moves are written to
/// `moves`.
fn move_rows<Size: TileSize, Place: Native>(
    table: &Table,
    partitions: Option<&DeviceUVec<u8>>,
    bases: &DeviceUVec<Place>,
    num_partitions: u32,
    first_partition: u32,
    moves: Option<&mut Moves<Place>>,
    ctx: &Context,
) -> Result<Table>
where
    GatherMap: From<DeviceUVec<Place>>,
{
    let rows = table.num_rows();
    let mut leaves = Vec::new();
    let parts = table.columns().iter().map(|column| Part::of(column, &mut leaves));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let mut numbers = match parts.iter().any(Part::needs_numbers) {
        true => Some(DeviceUVec::<Place>::uninit(rows, &ctx.temporary()?)?),
        false => None,
    };
    let mut moved = leaves.iter().map(|leaf| Moved::new(leaf, ctx)).collect::<Result<Vec<_>>>()?;
    let mut read = Vec::new();
    let mut columns = Vec::new();
    for (leaf, moved) in leaves.iter().zip(&moved) {
        add_columns(leaf, moved, &mut columns, &mut read)?;
    }
    let (noted, places) = match moves {
        Some(moves) => (Some(&mut moves.rows), moves.places.as_mut()),
        None => (None, None),
    };
    for numbers in numbers.iter().chain(noted.as_deref()) {
        let target = numbers.buffer().as_ptr() as u64;
        columns.push(MovedColumn { target, width: size_of::<Place>() as u64, ..MovedColumn::default() });
    }
    columns.sort_by_key(|column| std::cmp::Reverse(column.width));
    if !columns.is_empty() {
        let words: Vec<u64> = columns.iter().flat_map(MovedColumn::words).collect();
        let words = DeviceUVec::from_slice(&words, &ctx.temporary()?)?;
        let written = moved.iter_mut().flat_map(|moved| moved.values.iter_mut().chain(&mut moved.mask));
        let noted = numbers.iter_mut().chain(noted);
        let written = written.chain(noted.map(DeviceUVec::buffer_mut));
        let table = reaching(&words, &read).and_writing(written);
        let grid = Grid::covering(rows, Size::ROWS, THREADS).with_shared_bytes(Size::shared_bytes::<Place>());
        let (parts, first, count) = (num_partitions, first_partition, columns.len() as u32);
        // SAFETY: all columns have `rows` rows, as have their targets; `partitions` and `bases` come from
        // counting the same rows in the same tiles, or the partitions take turns and `bases` are their starts,
        // so that every row has a place of its own.
        unsafe {
            move_tiles::<Size, Place>(ctx, grid, partitions, bases, rows, parts, first, table, count, places)?
        };
    }
    let numbers = numbers.map(GatherMap::from);
    let columns = parts.into_iter().map(|part| part.finish(rows, &mut moved, numbers.as_ref(), ctx));
    Table::with_rows(columns.collect::<Result<_>>()?, rows)
}

/// A moved part of a column: values of fixed width, validity, or both.
struct Leaf {
    column: Column,
    has_values: bool,
    has_mask: bool,
}

/// A column taken apart, with the numbers of its leaves.
enum Part {
    /// Nulls of no type, as many as there are rows.
    Nulls(Column),
    Fixed(usize),
    /// The leaves of the indices and of the validity.
    Dictionary {
        column: Column,
        indices: usize,
        validity: usize,
    },
    Struct {
        validity: usize,
        fields: Vec<Self>,
    },
    /// A column of rows of any length, which are gathered.
    Gathered(Column),
}

impl Part {
    fn of(column: &Column, leaves: &mut Vec<Leaf>) -> Result<Self> {
        let mut add = |column: Column, has_values, has_mask: bool| {
            leaves.push(Leaf { has_mask: has_mask && column.mask().is_some(), column, has_values });
            leaves.len() - 1
        };
        let own = column.clone();
        Ok(match column.data_type() {
            DataType::Empty => Self::Nulls(own),
            DataType::Dictionary32 => {
                let (indices, validity) =
                    (add(column.indices()?, true, false), add(column.clone(), false, true));
                Self::Dictionary { column: own, indices, validity }
            }
            DataType::Struct => {
                let validity = add(column.clone(), false, true);
                let fields = (0..column.children().len()).map(|i| Self::of(&column.field(i)?, leaves));
                Self::Struct { validity, fields: fields.collect::<Result<_>>()? }
            }
            data_type if data_type.size().is_some() => Self::Fixed(add(own, true, true)),
            _ => Self::Gathered(own),
        })
    }

    fn needs_numbers(&self) -> bool {
        match self {
            Self::Gathered(_) => true,
            Self::Struct { fields, .. } => fields.iter().any(Self::needs_numbers),
            _ => false,
        }
    }

    /// The column of the moved leaves.
    fn finish(
        self,
        rows: usize,
        moved: &mut [Moved],
        numbers: Option<&GatherMap>,
        ctx: &Context,
    ) -> Result<Column> {
        match self {
            Self::Nulls(column) => Ok(column),
            Self::Fixed(leaf) => {
                let leaf = &mut moved[leaf];
                Column::from_buffer(leaf.data_type, rows, leaf.take_values(ctx)?, leaf.take_mask()?)
            }
            Self::Dictionary { column, indices, validity } => {
                let indices = &mut moved[indices];
                let indices = Column::from_buffer(indices.data_type, rows, indices.take_values(ctx)?, None)?;
                let children = vec![indices, column.keys()?.clone()];
                let mask = moved[validity].take_mask()?;
                // SAFETY: valid rows have the indices that they had among the same keys.
                unsafe { Column::from_parts_unchecked(DataType::Dictionary32, rows, 0, None, mask, children) }
            }
            Self::Struct { validity, fields } => {
                let fields = fields.into_iter().map(|field| field.finish(rows, moved, numbers, ctx));
                let fields = fields.collect::<Result<_>>()?;
                let mask = moved[validity].take_mask()?;
                // SAFETY: the fields have the same rows, in the same order.
                unsafe { Column::from_parts_unchecked(DataType::Struct, rows, 0, None, mask, fields) }
            }
            Self::Gathered(column) => match numbers {
                Some(numbers) => gather_one(&column, numbers, ctx),
                None => Ok(column),
            },
        }
    }
}

/// The memory that a leaf is moved to.
struct Moved {
    data_type: DataType,
    values: Option<DeviceBuffer>,
    mask: Option<DeviceBuffer>,
    /// Nulls are as many as before.
    null_count: usize,
}

impl Moved {
    fn new(leaf: &Leaf, ctx: &Context) -> Result<Self> {
        let (data_type, rows) = (leaf.column.data_type(), leaf.column.len());
        let size = data_type.size().unwrap_or(0);
        let values = leaf.has_values.then(|| DeviceBuffer::uninit(rows * size, ctx)).transpose()?;
        let bytes = null_mask::bitmask_allocation_size_bytes(rows);
        let zeros = || Ok(DeviceUVec::<u8>::zeroed(bytes, ctx)?.into_buffer());
        let mask = leaf.has_mask.then(zeros).transpose()?;
        let null_count = leaf.column.counted_nulls().unwrap_or(UNKNOWN_NULL_COUNT);
        Ok(Self { data_type, values, mask, null_count })
    }

    fn take_values(&mut self, ctx: &Context) -> Result<Buffer> {
        self.values.take().map_or_else(|| DeviceBuffer::uninit(0, ctx), Ok)?.try_into()
    }

    fn take_mask(&mut self) -> Result<Option<(Buffer, usize)>> {
        self.mask.take().map(|mask| Ok((mask.try_into()?, self.null_count))).transpose()
    }
}

/// See `MovedColumn` in `tiles.cu`.
#[derive(Default)]
struct MovedColumn {
    source: u64,
    target: u64,
    mask: u64,
    target_mask: u64,
    first_bit: u64,
    width: u64,
}

impl MovedColumn {
    fn words(&self) -> [u64; 6] {
        [self.source, self.target, self.mask, self.target_mask, self.first_bit, self.width]
    }
}

/// Adds the kernel's arguments for a leaf; `read` gets the memory it reads.
fn add_columns<'a>(
    leaf: &'a Leaf,
    moved: &Moved,
    columns: &mut Vec<MovedColumn>,
    read: &mut Vec<DeviceSpan<'a, u8>>,
) -> Result<()> {
    let mut address = |span: DeviceSpan<'a, u8>| {
        let address = span.as_ptr() as u64;
        read.push(span);
        address
    };
    let mut column = MovedColumn { width: 1, ..MovedColumn::default() };
    if let Some(target) = &moved.mask
        && let Some(mask) = validity(&leaf.column)?
    {
        column.mask = address(mask);
        column.target_mask = target.as_ptr() as u64;
        column.first_bit = leaf.column.offset() as u64;
    }
    if let Some(target) = &moved.values
        && let Some(source) = values(&leaf.column)?
    {
        column.source = address(source);
        column.target = target.as_ptr() as u64;
        column.width = leaf.column.data_type().size().unwrap_or(1) as u64;
    }
    if column.width == 16 {
        // The halves; validity goes with the first.
        let (source, target) = (column.source + 8, column.target + 8);
        columns.push(MovedColumn { source, target, width: 16, ..MovedColumn::default() });
    }
    if column.target != 0 || column.mask != 0 {
        columns.push(column);
    }
    Ok(())
}
