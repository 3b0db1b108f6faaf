//! On a GPU: one kernel for each function, over the engine in `cuprum/texts.cuh`.
//!
//! Kernels that make texts are launched twice. The first launch notes sizes; these become offsets, and with the number
//! of bytes known the second one writes them.

use cuprum_column::strings::{self, SMALL_STRINGS};
use cuprum_column::{
    Buffer, Column, Context, DataType, DeviceView, Error, ErrorKind, Result, TextsView, UNKNOWN_NULL_COUNT,
    null_mask,
};
use cuprum_runtime::DeviceUVec;
use cuprum_runtime::kernel::Grid;
use cuprum_runtime::primitives::{self, Number, Reduction, ScanKind};

use super::cpu::{OnError, no_value};
use crate::gather::cuda::{buffer, offsets_of};

/// Threads of every block of a kernel over texts; each thread has one row.
pub const THREADS: u32 = 128;

/// The grid of a kernel over `len` texts.
pub fn texts_grid(len: usize) -> Grid {
    Grid::covering(len, THREADS as usize, THREADS)
}

/// The column of a value for each text, with the nulls of `column`; `launch` runs the kernel.
pub fn map_texts<T: Number>(
    column: &Column,
    data_type: DataType,
    ctx: &Context,
    launch: impl FnOnce(Grid, &TextsView<'_>, &mut DeviceUVec<T>) -> Result<()>,
) -> Result<Column> {
    let (len, view) = (column.len(), TextsView::new(column)?);
    if len == 0 {
        return Ok(Column::empty(data_type));
    }
    let mut values = DeviceUVec::uninit(len, ctx)?;
    launch(texts_grid(len), &view, &mut values)?;
    Column::from_buffer(data_type, len, buffer(values)?, column.copy_mask(ctx)?)
}

/// The arguments of a launch that make a `ParsedOut` of `cuprum/texts.cuh`.
pub struct ParsedOut<'a, T: Number> {
    /// A value for each row.
    pub values: &'a mut DeviceUVec<T>,
    /// The first row that has none.
    pub first_bad: &'a mut DeviceUVec<u64>,
    /// The validity of the rows, where those without one become null.
    pub validity: Option<&'a mut DeviceUVec<u32>>,
}

/// The column of `to` with the value that a kernel reads from each text: [`parse_values`](super::parse_values) on a
/// GPU. Why a row has none the host finds out: `parse` is what the CPU does.
pub fn parse_texts<T: Number, V>(
    column: &Column,
    to: DataType,
    on_error: OnError,
    ctx: &Context,
    parse: impl Fn(&str) -> Result<V, ErrorKind>,
    launch: impl FnOnce(Grid, &TextsView<'_>, ParsedOut<'_, T>) -> Result<()>,
) -> Result<Column> {
    let no_value = |row: usize, text: &str| no_value(row, text, to, parse(text).err());
    read_texts(column, to, on_error, ctx, no_value, launch)
}

/// [`parse_texts`] with another error for the first row that has no value. Each value is one `T`, or several where the
/// type is as wide.
pub fn read_texts<T: Number>(
    column: &Column,
    to: DataType,
    on_error: OnError,
    ctx: &Context,
    no_value: impl FnOnce(usize, &str) -> Error,
    launch: impl FnOnce(Grid, &TextsView<'_>, ParsedOut<'_, T>) -> Result<()>,
) -> Result<Column> {
    let (len, view) = (column.len(), TextsView::new(column)?);
    if len == 0 {
        return Ok(Column::empty(to));
    }
    let words = to.size().map_or(1, |size| size.div_ceil(size_of::<T>()));
    let mut values = DeviceUVec::uninit(len * words, ctx)?;
    let mut first_bad = DeviceUVec::from_slice(&[u64::MAX], &ctx.temporary()?)?;
    let mut validity = match on_error {
        OnError::Fail => None,
        OnError::Null => Some(DeviceUVec::zeroed(null_mask::bitmask_allocation_size_bytes(len) / 4, ctx)?),
    };
    let out = ParsedOut { values: &mut values, first_bad: &mut first_bad, validity: validity.as_mut() };
    launch(texts_grid(len), &view, out)?;
    let mask = match (first_bad.element(0)?, validity) {
        (u64::MAX, _) => column.copy_mask(ctx)?,
        (_, Some(words)) => Some((buffer(words)?, UNKNOWN_NULL_COUNT)),
        (bad, None) => {
            let row = column.slice(bad as usize, 1)?.to_host()?;
            return Err(no_value(bad as usize, row.view()?.strings()?.get(0)));
        }
    };
    Column::from_buffer(to, len, buffer(values)?, mask)
}

/// [`make_texts`] of the rows of any column of fixed width, with its nulls; of `longest` bytes at most.
pub fn make_from_rows(
    column: &Column,
    longest: usize,
    ctx: &Context,
    mut launch: impl FnMut(Grid, &DeviceView<'_>, TextsOut<'_>) -> Result<()>,
) -> Result<Column> {
    let (view, grid) = (DeviceView::new(column)?, texts_grid(column.len()));
    let nulls = Nulls::Of(column.copy_mask(ctx)?);
    make_texts(column.len(), column.len().checked_mul(longest), nulls, ctx, |out| launch(grid, &view, out))
}

/// [`make_texts`] of the rows of a column of texts; `most_bytes` of what these have in all.
pub fn make_from_texts(
    column: &Column,
    most_bytes: impl FnOnce(usize) -> Option<usize>,
    nulls: Nulls,
    ctx: &Context,
    mut launch: impl FnMut(Grid, &TextsView<'_>, TextsOut<'_>) -> Result<()>,
) -> Result<Column> {
    let (view, grid) = (TextsView::new(column)?, texts_grid(column.len()));
    let most = most_bytes(column.data().map_or(0, |data| data.len()));
    make_texts(column.len(), most, nulls, ctx, |out| launch(grid, &view, out))
}

/// The arguments of a launch that make a `TextsOut` of `cuprum/texts.cuh`.
pub struct TextsOut<'a> {
    /// Sizes, or offsets, of 32 bits.
    pub narrow: Option<&'a mut DeviceUVec<i32>>,
    /// The same, of 64 bits.
    pub wide: Option<&'a mut DeviceUVec<u64>>,
    /// The bytes, in the second launch.
    pub bytes: Option<&'a mut DeviceUVec<u8>>,
    /// The validity of the rows, in the first launch of functions that make nulls.
    pub validity: Option<&'a mut DeviceUVec<u32>>,
}

/// The nulls of texts that are made.
pub enum Nulls {
    /// Those of this mask.
    Of(Option<(Buffer, usize)>),
    /// Those that the kernel makes.
    Made,
}

/// The column of `len` texts that a kernel makes in two launches. `most_bytes` is how many they can have in all, where
/// that is known.
///
/// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) where they do not fit in memory.
pub fn make_texts(
    len: usize,
    most_bytes: Option<usize>,
    nulls: Nulls,
    ctx: &Context,
    launch: impl FnMut(TextsOut<'_>) -> Result<()>,
) -> Result<Column> {
    if len == 0 {
        return Ok(Column::empty(DataType::String));
    }
    let mut validity = match nulls {
        Nulls::Of(_) => None,
        Nulls::Made => Some(DeviceUVec::zeroed(null_mask::bitmask_allocation_size_bytes(len) / 4, ctx)?),
    };
    let made = make_pieces(len, most_bytes, validity.as_mut(), ctx, launch)?;
    let mask = match (nulls, validity) {
        (Nulls::Of(mask), _) => mask,
        (Nulls::Made, words) => words.map(buffer).transpose()?.map(|words| (words, UNKNOWN_NULL_COUNT)),
    };
    // SAFETY: the offsets are a running sum of the sizes that the rows were measured with, and the kernels write whole
    // characters.
    unsafe {
        strings::from_parts(len, made.offsets.into_column(made.bytes.len(), ctx)?, buffer(made.bytes)?, mask)
    }
}

/// Pieces of text, one after the other.
pub struct Pieces {
    /// Where each begins and the last one ends.
    pub offsets: RowOffsets,
    /// What is in them.
    pub bytes: DeviceUVec<u8>,
}

/// The `len` pieces of text that a kernel makes in two launches, as for [`make_texts`]; it notes their validity where
/// that is asked for. There is one at least.
pub fn make_pieces(
    len: usize,
    most_bytes: Option<usize>,
    validity: Option<&mut DeviceUVec<u32>>,
    ctx: &Context,
    mut launch: impl FnMut(TextsOut<'_>) -> Result<()>,
) -> Result<Pieces> {
    let mut sizes = RowOffsets::of_sizes(len, most_bytes, &ctx.temporary()?)?;
    let (narrow, wide) = sizes.as_mut();
    launch(TextsOut { narrow, wide, bytes: None, validity })?;
    let (mut offsets, total) = sizes.summed(ctx)?;
    let mut bytes = DeviceUVec::<u8>::uninit(total, ctx)?;
    if total > 0 {
        let (narrow, wide) = offsets.as_mut();
        launch(TextsOut { narrow, wide, bytes: Some(&mut bytes), validity: None })?;
    }
    Ok(Pieces { offsets, bytes })
}

/// A number for each row and one more: sizes, and then where the rows begin and the last one ends.
pub enum RowOffsets {
    /// In 32 bits.
    Narrow(DeviceUVec<i32>),
    /// In 64 bits.
    Wide(DeviceUVec<u64>),
}

impl RowOffsets {
    /// Room for the sizes of `len` rows, which come to `most` at most, where that is known.
    pub fn of_sizes(len: usize, most: Option<usize>, ctx: &Context) -> Result<Self> {
        if most.is_some_and(|most| most <= SMALL_STRINGS) {
            Ok(Self::Narrow(DeviceUVec::uninit(len + 1, ctx)?))
        } else {
            Ok(Self::Wide(DeviceUVec::uninit(len + 1, ctx)?))
        }
    }

    /// The arguments of a launch that writes the numbers: one of the two is there.
    pub fn as_mut(&mut self) -> (Option<&mut DeviceUVec<i32>>, Option<&mut DeviceUVec<u64>>) {
        match self {
            Self::Narrow(numbers) => (Some(numbers), None),
            Self::Wide(numbers) => (None, Some(numbers)),
        }
    }

    /// The arguments of a launch that reads them.
    pub fn as_ref(&self) -> (Option<&DeviceUVec<i32>>, Option<&DeviceUVec<u64>>) {
        match self {
            Self::Narrow(numbers) => (Some(numbers), None),
            Self::Wide(numbers) => (None, Some(numbers)),
        }
    }

    /// The offsets that sizes come to, and the sum of all.
    ///
    /// Fails with [`Overflow`](cuprum_column::ErrorKind::Overflow) where the sum is not known to fit 63 bits.
    pub fn summed(&self, ctx: &Context) -> Result<(Self, usize)> {
        let (kind, whole) = (Reduction::Sum, ScanKind::Exclusive);
        match self {
            Self::Narrow(sizes) => {
                let offsets = primitives::scan(&sizes.span(), kind, whole, ctx)?;
                let total = offsets.element(offsets.len() - 1)?;
                Ok((Self::Narrow(offsets), usize::try_from(total).unwrap_or(0)))
            }
            Self::Wide(sizes) => {
                let (len, longest) = (sizes.len() - 1, self.largest(ctx)?);
                if longest.checked_mul(len).is_none_or(|most| isize::try_from(most).is_err()) {
                    return Err(Error::overflow(format!(
                        "{len} strings of that length do not fit in memory"
                    )));
                }
                let offsets = primitives::scan(&sizes.span(), kind, whole, ctx)?;
                let total = offsets.element(len)?;
                Ok((Self::Wide(offsets), total as usize))
            }
        }
    }

    /// The largest of the sizes.
    pub fn largest(&self, ctx: &Context) -> Result<usize> {
        let largest = match self {
            Self::Narrow(sizes) => {
                let sizes = sizes.span().slice(0..sizes.len() - 1)?;
                u64::try_from(primitives::reduce(&sizes, Reduction::Max, ctx)?.value()?).unwrap_or(0)
            }
            Self::Wide(sizes) => {
                let sizes = sizes.span().slice(0..sizes.len() - 1)?;
                primitives::reduce(&sizes, Reduction::Max, ctx)?.value()?
            }
        };
        Ok(usize::try_from(largest).unwrap_or(usize::MAX))
    }

    /// The offsets as a column, in 32 bits where these hold the last one.
    pub fn into_column(self, last: usize, ctx: &Context) -> Result<Column> {
        match self {
            Self::Narrow(offsets) => {
                Column::from_buffer(DataType::Int32, offsets.len(), buffer(offsets)?, None)
            }
            Self::Wide(offsets) => offsets_of(offsets, last, ctx),
        }
    }
}
