//! Moving rows on a GPU: a map is made one of row numbers, and everything is a gather by these from one
//! column or from two.

use std::ops::Range;

use cuprum_column::{
    Buffer, Column, ColumnDeviceView, Context, DataType, DeviceView, Error, Native, Result,
    UNKNOWN_NULL_COUNT, null_mask, strings,
};
use cuprum_runtime::kernel::{Grid, In, Out};
use cuprum_runtime::primitives::radix_sort::{Payload, RadixKey};
use cuprum_runtime::primitives::{self, Number, Reduction, ScanKind};
use cuprum_runtime::{DeviceSpan, DeviceUVec, kernel_names, kernels};

use super::nested::{self, LeafGather as _, gather_columns};
use super::{OutOfBoundsPolicy, outside_error, packed};

kernels! {
    pub static GATHER: "gather.cu" where
        /// Threads of every block.
        THREADS = 256,
        /// Values that a thread has in flight.
        ITEMS = 8,
        /// Threads of every block that has a window of rows.
        WINDOW_THREADS = 512,
        /// A window of rows has two to this power.
        WINDOW_BITS = 13;

    fn row_numbers<I in [u32, u64]>(
        map: ColumnDeviceView, num_rows: usize, rows: Out<I>, first_outside: Out<u64>,
    );
    fn rows_from_end(map: ColumnDeviceView, num_rows: usize, rows: Out<i64>);
    fn true_flags(mask: ColumnDeviceView, flags: Out<u8>);
    fn choice_rows<I in [u32, u64]>(
        flags: In<u8>, n: usize, first_step: usize, second_start: usize, second_step: usize, rows: Out<I>,
    );
    fn interleaved_rows<I in [u32, u64]>(n: usize, width: usize, step: usize, rows: Out<I>);
    fn last_sources<I in [u32, u64]>(map: In<I>, n: usize, sources: Out<I>);
    fn scatter_rows<I in [u32, u64]>(sources: Out<I>, n: usize, source_step: usize);
    fn scatter_windows<I in [u32, u64]>(
        map: In<I>, positions: In<I>, n: usize, target_rows: usize, source_step: usize, sources: Out<I>,
    );
    fn gather_values<Value in [u8, u16, u32, u64, Word16], I in [u32, u64]>(
        first: ColumnDeviceView, second: ColumnDeviceView, rows: In<I>, n: usize, out: Out<u8>,
    );
    fn gather_validity<I in [u32, u64]>(
        first: ColumnDeviceView, second: ColumnDeviceView, rows: In<I>, n: usize, words: usize, out: Out<u32>,
    );
    fn gather_lengths<O in [i32, i64], I in [u32, u64]>(
        column: ColumnDeviceView, offsets: In<O>, rows: In<I>, n: usize, lengths: Out<u64>,
    );
    fn gather_bytes<O in [i32, i64], I in [u32, u64]>(
        bytes: In<u8>, offsets: In<O>, rows: In<I>, starts: In<u64>, n: usize, total: usize, out: Out<u8>,
    );
    fn element_rows<O in [i32, i64], I in [u32, u64], E in [u32, u64]>(
        offsets: In<O>, rows: In<I>, starts: In<u64>, n: usize, total: usize, out: Out<E>,
    );
}

kernel_names! {
    /// Values of 16 bytes, as `cuprum/pack.cuh` calls them.
    pub struct Word16;
}

/// Values that a block moves.
const TILE: usize = (THREADS * ITEMS) as usize;
/// Maps in no order of fewer rows are not sorted before they scatter: a GPU's cache holds their output.
const FEWEST_SORTED: usize = 1 << 22;
/// Bytes that a block of `gather_bytes` writes.
const BYTES: usize = (THREADS * 16) as usize;

/// Row numbers on a GPU, which are below the number of rows or the largest number of their type.
pub struct GatherMap {
    /// The row numbers.
    pub numbers: Numbers,
    /// Whether a number may be no row.
    pub(super) may_miss: bool,
}

/// Row numbers, as narrow as the number of rows allows.
pub enum Numbers {
    /// In 32 bits.
    Narrow(DeviceUVec<u32>),
    /// In 64 bits.
    Wide(DeviceUVec<u64>),
}

/// Runs code with `$rows` bound to the row numbers and `$I` to their type.
macro_rules! dispatch_numbers {
    ($numbers:expr, $I:ident, $rows:ident => $body:expr) => {
        match $numbers {
            Numbers::Narrow($rows) => {
                type $I = u32;
                $body
            }
            Numbers::Wide($rows) => {
                type $I = u64;
                $body
            }
        }
    };
}
pub(super) use dispatch_numbers;

/// Runs code with a type alias bound to `u32` where that holds numbers below `$rows`, else to `u64`, and
/// makes [`Numbers`] of the vector it gives.
#[macro_export]
macro_rules! numbers_below {
    ($rows:expr, $I:ident => $body:expr) => {
        if $rows < u32::MAX as usize {
            type $I = u32;
            Numbers::Narrow($body)
        } else {
            type $I = u64;
            Numbers::Wide($body)
        }
    };
}

pub use crate::numbers_below;

/// Numbers that are all rows.
impl<N: Into<Numbers>> From<N> for GatherMap {
    fn from(numbers: N) -> Self {
        Self { numbers: numbers.into(), may_miss: false }
    }
}

impl GatherMap {
    /// Row numbers; the largest number of their type is no row.
    pub fn or_null(numbers: impl Into<Numbers>) -> Self {
        Self { numbers: numbers.into(), may_miss: true }
    }

    /// The rows of a map of any integer type into `num_rows` rows.
    pub fn new(map: &Column, num_rows: usize, policy: OutOfBoundsPolicy, ctx: &Context) -> Result<Self> {
        let mut first_outside = DeviceUVec::from_slice(&[u64::MAX], &ctx.temporary()?)?;
        let numbers = numbers_below!(num_rows, I => numbers::<I>(map, num_rows, &mut first_outside, ctx)?);
        let mut may_miss = map.mask().is_some();
        if policy == OutOfBoundsPolicy::Check {
            if let Ok(position) = usize::try_from(first_outside.element(0)?)
                && position < map.len()
            {
                return Err(outside_error(position, map.get(position)?.to_string(), num_rows));
            }
        } else {
            may_miss = true;
        }
        Ok(Self { numbers, may_miss })
    }

    /// Each of `num_rows` rows `copies` times, one copy after the other; all of them can be counted.
    pub fn repeated(num_rows: usize, copies: usize, ctx: &Context) -> Result<Self> {
        Self::in_turn(num_rows * copies, num_rows, copies, 0, ctx)
    }

    /// The first row of each of `pieces` pieces of `rows` rows that follow each other, then the second row of each, and
    /// so on; all of them can be counted.
    pub fn interleaved(rows: usize, pieces: usize, ctx: &Context) -> Result<Self> {
        Self::in_turn(rows * pieces, rows * pieces, pieces, rows, ctx)
    }

    fn in_turn(len: usize, num_rows: usize, width: usize, step: usize, ctx: &Context) -> Result<Self> {
        let numbers = numbers_below!(num_rows, I => {
            let mut rows = DeviceUVec::<I>::uninit(len, &ctx.temporary()?)?;
            // SAFETY: there are `len` places.
            unsafe { interleaved_rows::<I>(ctx, Grid::striding(len, THREADS), len, width, step, &mut rows)? };
            rows
        });
        Ok(Self { numbers, may_miss: false })
    }

    /// The gather map of a scatter, from the `target_rows` rows followed by those of a source: the source's
    /// row `i` goes to row `self[i]`, the last one where there are several. The source's rows are
    /// `source_step` apart: 0 where there is one for all.
    pub fn scatter(self, target_rows: usize, source_step: usize, ctx: &Context) -> Result<Self> {
        let is_scattered = self.len() >= FEWEST_SORTED && packed::is_scattered(&self.numbers, ctx)?;
        let numbers = match self.numbers {
            Numbers::Wide(map) => {
                Numbers::Wide(scattered(&map, target_rows, source_step, is_scattered, ctx)?)
            }
            // The result counts the rows of both.
            Numbers::Narrow(map) if target_rows + map.len() < u32::MAX as usize => {
                Numbers::Narrow(scattered(&map, target_rows, source_step, is_scattered, ctx)?)
            }
            Numbers::Narrow(map) => {
                let map = primitives::convert::<u32, u64>(&map.span(), &ctx.temporary()?)?;
                Numbers::Wide(scattered(&map, target_rows, source_step, is_scattered, ctx)?)
            }
        };
        Ok(Self { numbers, may_miss: false })
    }
}

impl From<DeviceUVec<u32>> for Numbers {
    fn from(numbers: DeviceUVec<u32>) -> Self {
        Self::Narrow(numbers)
    }
}

impl From<DeviceUVec<u64>> for Numbers {
    fn from(numbers: DeviceUVec<u64>) -> Self {
        Self::Wide(numbers)
    }
}

/// The bytes of a fixed-width column's rows.
pub(crate) fn values(column: &Column) -> Result<Option<DeviceSpan<'_, u8>>> {
    let size = column.data_type().size().unwrap_or(0);
    let rows = column.offset() * size..(column.offset() + column.len()) * size;
    column.data().filter(|_| !column.is_empty()).map(|data| data.span::<u8>()?.slice(rows)).transpose()
}

/// The bytes of the mask; bit `column.offset()` is that of the first row.
pub fn validity(column: &Column) -> Result<Option<DeviceSpan<'_, u8>>> {
    column.mask().map(Buffer::span::<u8>).transpose()
}

/// A vector as the memory of a column.
pub fn buffer<T: bytemuck::Pod>(values: DeviceUVec<T>) -> Result<Buffer> {
    values.into_buffer().try_into()
}

/// The numbers of a map as row numbers; see [`GatherMap::new`]. For other families also: any integers below
/// `num_rows`.
#[doc(hidden)]
pub fn numbers<I: Native>(
    map: &Column,
    num_rows: usize,
    first_outside: &mut DeviceUVec<u64>,
    ctx: &Context,
) -> Result<DeviceUVec<I>> {
    let (view, mut rows) = (DeviceView::new(map)?, DeviceUVec::<I>::uninit(map.len(), ctx)?);
    let grid = Grid::striding(map.len(), THREADS);
    // SAFETY: there is a row number for each row of the map.
    unsafe { row_numbers::<I>(ctx, grid, &view, num_rows, &mut rows, first_outside)? };
    Ok(rows)
}

/// See [`super::rows_from_end`]; the map is of signed integers.
pub(crate) fn count_from_end(map: &Column, num_rows: usize, ctx: &Context) -> Result<Column> {
    let (len, mut rows) = (map.len(), DeviceUVec::<i64>::uninit(map.len(), ctx)?);
    // SAFETY: there is a row number for each row of the map.
    unsafe { rows_from_end(ctx, Grid::striding(len, THREADS), &DeviceView::new(map)?, num_rows, &mut rows)? };
    let mask = match map.mask() {
        Some(_) => Some((null_mask::copy_bitmask(map, ctx)?, UNKNOWN_NULL_COUNT)),
        None => None,
    };
    Column::from_buffer(DataType::Int64, len, buffer(rows)?, mask)
}

/// 1 for each row where a boolean column is true and not null.
fn flags(mask: &Column, ctx: &Context) -> Result<DeviceUVec<u8>> {
    let mut flags = DeviceUVec::<u8>::uninit(mask.len(), &ctx.temporary()?)?;
    // SAFETY: there is a flag for each row of the mask.
    unsafe { true_flags(ctx, Grid::striding(mask.len(), THREADS), &DeviceView::new(mask)?, &mut flags)? };
    Ok(flags)
}

/// Row by row of a first column where `mask` is true and of a second one elsewhere; the first has
/// `first_len` rows. Rows of either are a step apart: 0 where there is one for all.
#[doc(hidden)]
pub fn choice(mask: &Column, first_len: usize, steps: [usize; 2], ctx: &Context) -> Result<GatherMap> {
    let (flags, len) = (flags(mask, ctx)?, mask.len());
    let numbers = numbers_below!(first_len + len, I => {
        let mut rows = DeviceUVec::<I>::uninit(len, &ctx.temporary()?)?;
        let (grid, [first, second]) = (Grid::striding(len, THREADS), steps);
        // SAFETY: both have `len` elements.
        unsafe { choice_rows::<I>(ctx, grid, &flags, len, first, first_len, second, &mut rows)? };
        rows
    });
    Ok(GatherMap { numbers, may_miss: false })
}

/// See [`GatherMap::scatter`]; the map's numbers are below `target_rows`. One in no order is brought into the
/// order of windows of rows first.
fn scattered<I: Native + Number + RadixKey + Payload>(
    map: &DeviceUVec<I>,
    target_rows: usize,
    source_step: usize,
    is_in_no_order: bool,
    ctx: &Context,
) -> Result<DeviceUVec<I>> {
    let (temporary, len) = (ctx.temporary()?, map.len());
    if is_in_no_order {
        let bits = WINDOW_BITS..(usize::BITS - target_rows.leading_zeros()).max(WINDOW_BITS);
        let (map, positions) = sorted_with_positions(&map.span(), bits, &temporary)?;
        let mut sources = DeviceUVec::<I>::uninit(target_rows, &temporary)?;
        let grid = Grid::covering(target_rows, 1 << WINDOW_BITS, WINDOW_THREADS)
            .with_shared_bytes((size_of::<I>() << WINDOW_BITS) as u32);
        // SAFETY: `map` and `positions` have `len` numbers, `sources` has `target_rows`.
        unsafe {
            scatter_windows::<I>(ctx, grid, &map, &positions, len, target_rows, source_step, &mut sources)?;
        }
        return Ok(sources);
    }
    let mut sources = DeviceUVec::<I>::zeroed(target_rows, &temporary)?;
    // SAFETY: the map has `len` rows of the target, one place for each of which there is.
    unsafe {
        last_sources::<I>(ctx, Grid::striding(len, THREADS), map, len, &mut sources)?;
        let grid = Grid::striding(target_rows, THREADS);
        scatter_rows::<I>(ctx, grid, &mut sources, target_rows, source_step)?;
    }
    Ok(sources)
}

/// Keys in order of some of their bits, and where each was.
#[doc(hidden)]
pub fn sorted_with_positions<K: RadixKey, I: Native + Number + Payload>(
    keys: &DeviceSpan<K>,
    bits: Range<u32>,
    ctx: &Context,
) -> Result<(DeviceUVec<K>, DeviceUVec<I>)> {
    let positions = primitives::sequence(I::from_i64(0), I::from_i64(1), keys.len(), ctx)?;
    primitives::sort_pairs(keys, &positions.span(), bits, ctx)
}

/// The rows of `map` of every column; the columns have `num_rows` rows.
pub(super) fn gather_map(
    columns: &[&Column],
    map: &Column,
    num_rows: usize,
    policy: OutOfBoundsPolicy,
    ctx: &Context,
) -> Result<Vec<Column>> {
    gather_columns(columns, &GatherMap::new(map, num_rows, policy, ctx)?, ctx)
}

impl nested::LeafGather for GatherMap {
    fn len(&self) -> usize {
        match &self.numbers {
            Numbers::Narrow(rows) => rows.len(),
            Numbers::Wide(rows) => rows.len(),
        }
    }

    fn fixed_width(&self, columns: &[&Column], ctx: &Context) -> Result<Vec<Column>> {
        let mut packed = packed::gather(None, columns, self, ctx)?;
        let whole = columns.iter().enumerate().map(|(i, column)| {
            if let Some(at) = packed.iter().position(|(number, _)| *number == i) {
                return Ok(packed.swap_remove(at).1);
            }
            let data = gather_data(column, None, self, ctx)?;
            Column::from_buffer(column.data_type(), self.len(), data, self.mask(column, ctx)?)
        });
        whole.collect()
    }

    fn mask(&self, column: &Column, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        gather_mask(column, None, self, ctx)
    }

    fn strings(&self, column: &Column, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Column> {
        let starts = starts(column, self, ctx)?;
        let chars = starts.gather_bytes(column, self, ctx)?;
        // SAFETY: the offsets are a running sum of the lengths that the characters were moved with.
        unsafe { strings::from_parts(self.len(), starts.into_offsets(ctx)?, chars, mask) }
    }

    fn lists(&self, column: &Column, ctx: &Context) -> Result<(Column, Self)> {
        let starts = starts(column, self, ctx)?;
        let elements = starts.element_rows(column, self, ctx)?;
        Ok((starts.into_offsets(ctx)?, elements))
    }
}

/// The rows of two fixed-width columns of one type, those of the second counted on from those of the first.
#[doc(hidden)]
pub fn gather_from_both(first: &Column, second: &Column, rows: &GatherMap, ctx: &Context) -> Result<Column> {
    let data = gather_data(first, Some(second), rows, ctx)?;
    let mask = gather_mask(first, Some(second), rows, ctx)?;
    Column::from_buffer(first.data_type(), rows.len(), data, mask)
}

/// The values of fixed-width columns.
fn gather_data(first: &Column, second: Option<&Column>, rows: &GatherMap, ctx: &Context) -> Result<Buffer> {
    let (size, len) = (first.data_type().size().unwrap_or(0), rows.len());
    let (first, second) = (DeviceView::new(first)?, optional_view(second)?);
    let (mut out, grid) = (DeviceUVec::<u8>::uninit(len * size, ctx)?, Grid::covering(len, TILE, THREADS));
    dispatch_numbers!(&rows.numbers, I, numbers => {
        let launch = match size {
            1 => gather_values::<u8, I>,
            2 => gather_values::<u16, I>,
            4 => gather_values::<u32, I>,
            8 => gather_values::<u64, I>,
            _ => gather_values::<Word16, I>,
        };
        // SAFETY: the columns have values of this width; `numbers` and `out` have `len`.
        unsafe { launch(ctx, grid, &first, &second, numbers, len, &mut out)? };
    });
    buffer(out)
}

fn optional_view(column: Option<&Column>) -> Result<DeviceView<'_>> {
    column.map_or_else(|| Ok(DeviceView::empty()), DeviceView::new)
}

/// The validity of the rows; `None` where none can be null.
pub(super) fn gather_mask(
    first: &Column,
    second: Option<&Column>,
    rows: &GatherMap,
    ctx: &Context,
) -> Result<Option<(Buffer, usize)>> {
    let has_mask = |column: &Column| column.mask().is_some();
    if !rows.may_miss && !has_mask(first) && !second.is_some_and(has_mask) {
        return Ok(None);
    }
    let (n, words) = (rows.len(), null_mask::bitmask_allocation_size_bytes(rows.len()) / 4);
    let (mut out, grid) = (DeviceUVec::<u32>::uninit(words, ctx)?, Grid::striding(words, THREADS));
    let (first, second) = (DeviceView::new(first)?, optional_view(second)?);
    dispatch_numbers!(&rows.numbers, I, numbers => {
        // SAFETY: the masks have a bit for each row from the offsets on; `out` has `words` words.
        unsafe { gather_validity::<I>(ctx, grid, &first, &second, numbers, n, words, &mut out)? };
    });
    Ok(Some((buffer(out)?, UNKNOWN_NULL_COUNT)))
}

/// The offsets of the characters or elements of gathered rows.
struct Starts {
    /// One more than there are rows.
    starts: DeviceUVec<u64>,
    total: usize,
}

/// Runs code with `$offsets` bound to the offsets of a column's rows and `$O` to their type; `$otherwise`
/// where it has none because it has no rows.
macro_rules! dispatch_offsets {
    ($column:expr, $O:ident, $offsets:ident => $body:expr, else => $otherwise:expr) => {
        match $column.offsets_child().filter(|_| !$column.is_empty()) {
            None => $otherwise,
            Some(child) => {
                let from = child.offset() + $column.offset();
                let rows = from..from + $column.len() + 1;
                let data = child.data().ok_or_else(|| Error::logic("offsets have no memory"))?;
                if child.data_type() == DataType::Int32 {
                    type $O = i32;
                    let $offsets = data.span::<i32>()?.slice(rows)?;
                    $body
                } else {
                    type $O = i64;
                    let $offsets = data.span::<i64>()?.slice(rows)?;
                    $body
                }
            }
        }
    };
}

fn starts(column: &Column, rows: &GatherMap, ctx: &Context) -> Result<Starts> {
    let (len, temporary, view) = (rows.len(), ctx.temporary()?, DeviceView::new(column)?);
    let lengths = dispatch_offsets!(column, O, offsets => {
        let mut lengths = DeviceUVec::<u64>::uninit(len + 1, &temporary)?;
        let grid = Grid::striding(len + 1, THREADS);
        dispatch_numbers!(&rows.numbers, I, numbers => {
            // SAFETY: there are offsets and bits for the column's rows, and one length more than rows.
            unsafe { gather_lengths::<O, I>(ctx, grid, &view, &offsets, numbers, len, &mut lengths)? };
        });
        lengths
    }, else => DeviceUVec::<u64>::zeroed(len + 1, &temporary)?);
    let starts = primitives::scan(&lengths.span(), Reduction::Sum, ScanKind::Exclusive, ctx)?;
    let total = starts.element(len)?;
    let total = usize::try_from(total)
        .ok()
        .filter(|&total| i64::try_from(total).is_ok())
        .ok_or_else(|| Error::overflow(format!("{len} rows have {total} elements")))?;
    Ok(Starts { starts, total })
}

impl Starts {
    /// The characters of the rows, one row after the other.
    fn gather_bytes(&self, column: &Column, rows: &GatherMap, ctx: &Context) -> Result<Buffer> {
        let mut out = DeviceUVec::<u8>::uninit(self.total, ctx)?;
        let Some(chars) = column.data().filter(|_| self.total > 0) else { return buffer(out) };
        let chars = chars.span::<u8>()?;
        dispatch_offsets!(column, O, offsets => dispatch_numbers!(&rows.numbers, I, numbers => {
            let (grid, n) = (Grid::covering(self.total, BYTES, THREADS), rows.len());
            let (starts, total) = (&self.starts, self.total);
            // SAFETY: `starts` are the running sum of the lengths that these rows have by the offsets,
            // which stay inside the characters, and `out` has room for all.
            unsafe { gather_bytes::<O, I>(ctx, grid, &chars, &offsets, numbers, starts, n, total, &mut out)? };
        }), else => ());
        buffer(out)
    }

    /// The row numbers of the elements of the rows, one row after the other.
    fn element_rows(&self, column: &Column, rows: &GatherMap, ctx: &Context) -> Result<GatherMap> {
        let temporary = ctx.temporary()?;
        let numbers = numbers_below!(column.children()[1].len(), E => {
            let mut out = DeviceUVec::<E>::uninit(self.total, &temporary)?;
            if self.total > 0 {
                dispatch_offsets!(column, O, offsets => dispatch_numbers!(&rows.numbers, I, numbers => {
                    let (grid, n) = (Grid::covering(self.total, TILE, THREADS), rows.len());
                    let (starts, total) = (&self.starts, self.total);
                    // SAFETY: as in `gather_bytes`.
                    unsafe { element_rows::<O, I, E>(ctx, grid, &offsets, numbers, starts, n, total, &mut out)? };
                }), else => ());
            }
            out
        });
        Ok(GatherMap { numbers, may_miss: false })
    }

    /// As offsets, as narrow as the total allows.
    fn into_offsets(self, ctx: &Context) -> Result<Column> {
        offsets_of(self.starts, self.total, ctx)
    }
}

/// Positions up to `total` as offsets, in 32 bits where these hold them.
#[doc(hidden)]
pub fn offsets_of(positions: DeviceUVec<u64>, total: usize, ctx: &Context) -> Result<Column> {
    let len = positions.len();
    if total > strings::SMALL_STRINGS {
        return Column::from_buffer(DataType::Int64, len, buffer(positions)?, None);
    }
    let offsets = primitives::convert::<u64, i32>(&positions.span(), ctx)?;
    Column::from_buffer(DataType::Int32, len, buffer(offsets)?, None)
}

#[cfg(test)]
mod tests {
    use cuprum_column::Device;
    use cuprum_runtime::random::Random;

    use super::*;

    /// The last of several entries of a map wins, whichever way and in however many windows.
    #[test]
    fn maps_scatter_by_windows() {
        fn check<I: Native + Number + RadixKey + Payload>(len: usize, target_rows: usize, ctx: &Context) {
            let mut random = Random((len + target_rows) as u64);
            let map: Vec<usize> = (0..len).map(|_| random.below(target_rows as u64) as usize).collect();
            let there: Vec<I> = map.iter().map(|&row| I::from_i64(row as i64)).collect();
            let there = DeviceUVec::from_slice(&there, ctx).unwrap();
            for step in [0, 1] {
                let mut expected: Vec<usize> = (0..target_rows).collect();
                map.iter().enumerate().for_each(|(i, &row)| expected[row] = target_rows + i * step);
                let expected: Vec<I> = expected.iter().map(|&row| I::from_i64(row as i64)).collect();
                for is_in_no_order in [false, true] {
                    let sources = scattered(&there, target_rows, step, is_in_no_order, ctx).unwrap();
                    assert_eq!(sources.to_vec().unwrap(), expected, "{len} into {target_rows}");
                }
            }
        }
        for device in Device::all().into_iter().filter(|&device| device != Device::Cpu) {
            let ctx = Context::on(device).unwrap();
            let window = 1 << WINDOW_BITS;
            for (len, rows) in
                [(0, 1), (1, 1), (3000, 100), (5000, window), (9000, window + 1), (20_000, 3 * window - 5)]
            {
                check::<u32>(len, rows, &ctx);
                check::<u64>(len, rows, &ctx);
            }
        }
    }
}
