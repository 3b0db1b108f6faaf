//! Arrow's layout as columns.

use std::sync::Arc;

use arrow_array::{Array, UInt64Array};
use arrow_schema::{DataType as ArrowType, Field};
use cuprum_runtime::primitives::Bits;
use cuprum_runtime::{Buffer, Context, Device, DeviceBuffer, Error, HostUVec, Result, host_vec};

use super::dictionary;
use super::export::to_arrow;
use super::layout::ArrayLayout;
use super::path::Path;
use super::types::{imported_type, inside};
use super::views::{Views, run_of_rows};
use crate::column::Column;
use crate::null_mask::{self, Bitmap};
use crate::strings;
use crate::types::DataType;

/// The trust in the contents of buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Arrays of arrow-rs, which safe code cannot make invalid.
    Contents,
    /// Arrays of other libraries: offsets, indices and text are checked.
    Nothing,
}

/// The order of the keys of a dictionary from an Arrow array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// Ascending, as the keys of every dictionary column are that is computed with.
    Ascending,
    /// The order of the array, if it is a dictionary itself: for callers that take indices and keys apart
    /// right away. Dictionaries inside of other arrays have ascending keys.
    OfArray,
    /// As `OfArray` for the fields of structs, which are the columns of a table.
    OfFields,
}

/// A column over an arrow-rs array.
///
/// Nothing is checked that safe code cannot get wrong. Fails with
/// [`Unsupported`](crate::ErrorKind::Unsupported) for types that have no column.
pub fn from_arrow(array: &dyn Array, ctx: &Context) -> Result<Column> {
    from_arrow_in(array, KeyOrder::Ascending, ctx)
}

/// [`from_arrow`] with the keys of dictionaries in an order.
pub fn from_arrow_in(array: &dyn Array, keys: KeyOrder, ctx: &Context) -> Result<Column> {
    column(ArrayLayout::of(&array.to_data(), ctx)?, Trust::Contents, keys, &Path::root(""), ctx)
}

/// The column of an array, on the device of its buffers.
///
/// Data that the host must convert (see [the table](super)) go through host memory where they are on a GPU.
pub(crate) fn column(
    layout: ArrayLayout,
    trust: Trust,
    keys: KeyOrder,
    path: &Path<'_>,
    ctx: &Context,
) -> Result<Column> {
    let device = layout.all_buffers().first().map_or(Device::Cpu, |buffer| buffer.device());
    if device != Device::Cpu && is_converted(&layout) {
        let host = layout.to_device(&Context::on(Device::Cpu)?)?;
        return Importer { trust, keys, ctx: &Context::on(Device::Cpu)? }.column(host, path)?.to_device(ctx);
    }
    Importer { trust, keys, ctx }.column(layout, path)
}

/// Whether the layouts differ, or the contents matter, somewhere in the array.
fn is_converted(layout: &ArrayLayout) -> bool {
    let own = match layout.data_type {
        ArrowType::Boolean
        | ArrowType::Utf8View
        | ArrowType::ListView(_)
        | ArrowType::LargeListView(_)
        | ArrowType::FixedSizeList(..)
        | ArrowType::FixedSizeBinary(_)
        | ArrowType::Dictionary(..)
        | ArrowType::Null
        | ArrowType::RunEndEncoded(..) => true,
        ArrowType::Struct(_) => layout.nulls.is_some(),
        _ => false,
    };
    own || layout.children.iter().any(is_converted)
}

struct Importer<'a> {
    trust: Trust,
    keys: KeyOrder,
    ctx: &'a Context,
}

/// A column's parts, for [`Column::from_parts_unchecked`].
struct Parts {
    data: Option<Buffer>,
    children: Vec<Column>,
}

impl Importer<'_> {
    fn column(&self, layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let data_type = imported_type(&layout.data_type).map_err(|e| e.context(path.to_string()))?;
        match layout.data_type {
            ArrowType::Null => {
                // Without memory there is nothing to be offset in.
                let rows = ArrayLayout { offset: 0, ..layout };
                assemble(data_type, &rows, Parts { data: None, children: Vec::new() })
            }
            ArrowType::Boolean => self.booleans(&layout),
            ArrowType::Utf8 | ArrowType::LargeUtf8 => self.strings(layout, path),
            ArrowType::Utf8View => self.string_views(&layout, path),
            ArrowType::List(_) | ArrowType::LargeList(_) | ArrowType::Map(..) => self.lists(layout, path),
            ArrowType::Binary | ArrowType::LargeBinary => self.lists(lists_of_bytes(layout), path),
            ArrowType::FixedSizeBinary(size) => {
                self.fixed_size_lists(lists_of_bytes(layout), size as usize, path)
            }
            ArrowType::ListView(_) | ArrowType::LargeListView(_) => self.list_views(layout, path),
            ArrowType::FixedSizeList(_, size) => self.fixed_size_lists(layout, size as usize, path),
            ArrowType::Struct(_) => self.structs(layout, path),
            ArrowType::Dictionary(..) => self.dictionary(layout, path),
            ArrowType::RunEndEncoded(..) => self.runs(layout, path),
            _ => {
                let size = data_type.size().expect("other types are handled above");
                let data = Some(self.aligned(&layout.buffers[0], size)?);
                assemble(data_type, &layout, Parts { data, children: Vec::new() })
            }
        }
    }

    fn check(&self, check: impl FnOnce() -> Result<()>) -> Result<()> {
        if self.trust == Trust::Contents { Ok(()) } else { check() }
    }

    /// The children as columns, the parts of most nested types.
    fn children(&self, layout: &mut ArrayLayout, path: &Path<'_>) -> Result<Vec<Column>> {
        let children = std::mem::take(&mut layout.children);
        let names = inside(&layout.data_type);
        let keys = match (&layout.data_type, self.keys) {
            (ArrowType::Struct(_), KeyOrder::OfFields) => KeyOrder::OfArray,
            _ => KeyOrder::Ascending,
        };
        let inner = Importer { keys, ..*self };
        children
            .into_iter()
            .zip(names)
            .map(|(child, (name, _))| inner.column(child, &path.inside(name)))
            .collect()
    }

    fn only_child(&self, layout: &mut ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let child = self.children(layout, path)?.pop();
        child.ok_or_else(|| path.invalid("there is no child"))
    }

    /// The buffer, or a copy where its address does not fit elements of `size` bytes.
    fn aligned(&self, buffer: &Buffer, size: usize) -> Result<Buffer> {
        if buffer.is_empty() || (buffer.as_ptr() as usize).is_multiple_of(size) {
            return Ok(buffer.clone());
        }
        buffer.copy(self.ctx)
    }

    fn booleans(&self, layout: &ArrayLayout) -> Result<Column> {
        let bits = Bits::of(&layout.buffers[0], layout.offset, layout.len)?;
        let bits = bits.to_bitmap()?;
        let values = HostUVec::from_fn(layout.len, self.ctx, |i| u8::from(bits.get(i)))?;
        Column::new(DataType::Bool8, values, layout.own_mask(self.ctx)?)
    }

    /// The offsets of `end` rows and one more, as a child column.
    fn offsets(&self, layout: &ArrayLayout) -> Result<Column> {
        let data_type = match layout.data_type {
            ArrowType::LargeUtf8 | ArrowType::LargeList(_) => DataType::Int64,
            _ => DataType::Int32,
        };
        if layout.len == 0 {
            return Ok(Column::empty(data_type));
        }
        let size = data_type.size().expect("integers have a size");
        Column::from_buffer(data_type, layout.end() + 1, self.aligned(&layout.buffers[0], size)?, None)
    }

    fn strings(&self, layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let (offsets, chars) = (self.offsets(&layout)?, layout.buffers[1].clone());
        let bytes = chars.len();
        let parts = Parts { data: Some(chars), children: vec![offsets] };
        let column = assemble(DataType::String, &layout, parts)?;
        self.check(|| {
            let offsets = column.validate_offsets(bytes, "characters");
            offsets.map_err(|e| path.invalid_buffer(1, "offsets", e))
        })?;
        if self.trust == Trust::Contents {
            return Ok(column);
        }
        let Err(error) = column.validate_text() else { return Ok(column) };
        // The text under a null may be anything for Arrow, but not here.
        match without_text_of_nulls(&column, self.ctx)? {
            Some(clean) if clean.validate_text().is_ok() => Ok(clean),
            _ => Err(path.invalid_buffer(2, "characters", error)),
        }
    }

    fn string_views(&self, layout: &ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let mask = layout.own_mask(self.ctx)?;
        let bits = null_mask::bits(mask.as_ref(), layout.len)?;
        let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
        let spans = layout.buffers.iter().map(Buffer::span).collect::<Result<Vec<_>>>()?;
        let views = Views::new(&spans, layout.offset..layout.end(), valid)?;
        self.check(|| views.validate(path, self.ctx))?;
        // SAFETY: the text was checked, or the source is trusted.
        unsafe { strings::from_bytes_fn(layout.len, self.ctx, mask.clone(), |i| views.bytes(i)) }
    }

    fn lists(&self, mut layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let elements = self.only_child(&mut layout, path)?;
        let count = elements.len();
        let parts = Parts { data: None, children: vec![self.offsets(&layout)?, elements] };
        let column = assemble(DataType::List, &layout, parts)?;
        self.check(|| {
            let offsets = column.validate_offsets(count, "elements");
            offsets.map_err(|e| path.invalid_buffer(1, "offsets", e))
        })?;
        Ok(column)
    }

    /// Lists that may overlap and come in any order are gathered; shared where they follow each other.
    fn list_views(&self, mut layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let elements = self.only_child(&mut layout, path)?;
        let wide = matches!(layout.data_type, ArrowType::LargeListView(_));
        let mask = layout.own_mask(self.ctx)?;
        let bits = null_mask::bits(mask.as_ref(), layout.len)?;
        let valid = bits.as_ref().map(Bits::to_bitmap).transpose()?;
        let mut ranges = Vec::with_capacity(layout.len);
        for row in layout.offset..layout.end() {
            let at = |buffer: usize| integer(&layout.buffers[buffer], if wide { 8 } else { 4 }, row);
            let (start, size) = match &valid {
                Some(valid) if !valid.get(row - layout.offset) => (0, 0),
                _ => (at(0)?, at(1)?),
            };
            let (start, size) = (usize::try_from(start), usize::try_from(size));
            let (Ok(start), Ok(size)) = (start, size) else {
                return Err(path.invalid_buffer(1, "offsets", format_args!("negative at row {row}")));
            };
            match start.checked_add(size) {
                Some(end) if end <= elements.len() => ranges.push(start..end),
                _ => {
                    let problem =
                        format!("row {row} is {size} from {start} on, of {} elements", elements.len());
                    return Err(path.invalid_buffer(2, "sizes", problem));
                }
            }
        }
        let lengths: Vec<usize> = ranges.iter().map(ExactSizeIterator::len).collect();
        let offsets = crate::nested::offsets_from_lengths(&lengths, self.ctx)?;
        let filled = || ranges.iter().filter(|range| !range.is_empty());
        let first = filled().next().map_or(0, |range| range.start);
        let last = filled().next_back().map_or(first, |range| range.end);
        let follow = filled().zip(filled().skip(1)).all(|(a, b)| a.end == b.start);
        let elements = if follow {
            elements.slice(first, last - first)?
        } else {
            // Few lists that overlap can claim any number of elements.
            let mut rows =
                host_vec::with_capacity(lengths.iter().fold(0, |sum: usize, n| sum.saturating_add(*n)))?;
            rows.extend(ranges.into_iter().flatten().map(|i| i as u64));
            take(&elements, &UInt64Array::from(rows), self.ctx)?
        };
        Column::lists(offsets, elements, mask.clone())
    }

    fn fixed_size_lists(&self, mut layout: ArrayLayout, size: usize, path: &Path<'_>) -> Result<Column> {
        let (first, mask) = (layout.offset * size, layout.own_mask(self.ctx)?);
        let count = layout.len * size;
        let elements = self.only_child(&mut layout, path)?.slice(first, count)?;
        let offsets = match i32::try_from(count) {
            Ok(_) => Column::from_values(HostUVec::from_fn(layout.len + 1, self.ctx, |i| (i * size) as i32)?),
            Err(_) => {
                Column::from_values(HostUVec::from_fn(layout.len + 1, self.ctx, |i| (i * size) as i64)?)
            }
        };
        Column::lists(offsets, elements, mask)
    }

    /// Structs whose nulls are nulls of their fields too, which Arrow does not ask for.
    fn structs(&self, mut layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let end = layout.end();
        let mut fields = self.children(&mut layout, path)?;
        if let Some((mask, _)) = layout.nulls.as_ref().filter(|_| layout.len > 0) {
            let bits = Bits::of(mask, 0, end)?;
            let bits = bits.to_bitmap()?;
            for field in &mut fields {
                *field = superimposed(&field.slice(0, end)?, bits, self.ctx)?;
            }
        }
        if layout.len == 0 {
            for field in &mut fields {
                *field = field.slice(0, 0)?;
            }
        }
        assemble(DataType::Struct, &layout, Parts { data: None, children: fields })
    }

    fn dictionary(&self, mut layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let keys = self.only_child(&mut layout, path)?;
        let ArrowType::Dictionary(index, _) = &layout.data_type else {
            return Err(Error::logic(format!("{} is no dictionary", layout.data_type)));
        };
        let (unsigned, size) = match index.primitive_width() {
            Some(1) => (DataType::UInt8, 1),
            Some(2) => (DataType::UInt16, 2),
            Some(4) => (DataType::UInt32, 4),
            _ => (DataType::UInt64, 8),
        };
        // A negative index is, read so, beyond all keys.
        let indices = self.aligned(&layout.buffers[0], size)?;
        let indices = Column::from_buffer(unsigned, layout.end(), indices, None)?;
        let parts = Parts { data: None, children: vec![indices, keys] };
        let column = assemble(DataType::Dictionary32, &layout, parts)?;
        self.check(|| column.validate_indices().map_err(|e| path.invalid_buffer(1, "indices", e)))?;
        dictionary::normalised(column, self.keys == KeyOrder::OfArray, take, self.ctx)
    }

    fn runs(&self, mut layout: ArrayLayout, path: &Path<'_>) -> Result<Column> {
        let mut children = self.children(&mut layout, path)?;
        let (Some(values), Some(ends)) = (children.pop(), children.pop()) else {
            return Err(path.invalid("there are no runs"));
        };
        let rows = layout.offset..layout.end();
        let rows = run_of_rows(&ends, values.len(), rows, &path.inside("run_ends"))?;
        take(&values, &rows, self.ctx)
    }
}

/// Binary data as lists of bytes, sharing the buffers.
fn lists_of_bytes(mut layout: ArrayLayout) -> ArrayLayout {
    let bytes = layout.buffers.pop();
    let element = || Arc::new(Field::new_list_field(ArrowType::UInt8, false));
    layout.data_type = match layout.data_type {
        ArrowType::LargeBinary => ArrowType::LargeList(element()),
        ArrowType::FixedSizeBinary(size) => ArrowType::FixedSizeList(element(), size),
        _ => ArrowType::List(element()),
    };
    layout.children = bytes.into_iter().map(ArrayLayout::of_bytes).collect();
    layout
}

/// The column with the rows and the validity of the layout.
fn assemble(data_type: DataType, layout: &ArrayLayout, parts: Parts) -> Result<Column> {
    let (offset, mask) = match &layout.nulls {
        _ if layout.len == 0 => (0, None),
        nulls => (layout.offset, nulls.clone()),
    };
    // SAFETY: buffers and children have the rows that the layout promises; offsets, indices and text
    // are valid where the source is trusted and are checked by the caller, before anything reads
    // them, where it is not.
    unsafe { Column::from_parts_unchecked(data_type, layout.len, offset, parts.data, mask, parts.children) }
}

/// Element `row` of a buffer of signed integers of 4 or 8 bytes at any address of the host.
pub(super) fn integer(buffer: &Buffer, size: usize, row: usize) -> Result<i64> {
    let element = buffer.slice(row * size, size)?;
    let span = element.span()?;
    let bytes: &[u8] = span.as_host_slice()?;
    Ok(match bytes.try_into() {
        Ok(bytes) => i64::from_ne_bytes(bytes),
        Err(_) => i64::from(i32::from_ne_bytes(bytes.try_into().expect("4 or 8 bytes"))),
    })
}

/// The rows of a column at the given positions, by way of arrow-rs.
fn take(column: &Column, rows: &UInt64Array, ctx: &Context) -> Result<Column> {
    let array = to_arrow(column)?;
    let taken = arrow_select::take::take(&array, rows, None)
        .map_err(|e| Error::overflow(e.to_string()).with_source(e))?;
    from_arrow(&taken, ctx)
}

/// The column with nothing under its nulls; `None` where it has none.
fn without_text_of_nulls(column: &Column, ctx: &Context) -> Result<Option<Column>> {
    let host = column.to_host()?;
    let view = host.view()?;
    let Some(bits) = view.validity() else { return Ok(None) };
    let (offsets, chars) = (view.offsets()?, view.bytes()?);
    let text = |i: usize| if bits.get(i) { &chars[offsets.range(i)] } else { &[] };
    let mask = host.copy_mask(ctx)?;
    // SAFETY: the caller checks the text before anybody reads it as such.
    let clean = unsafe { strings::from_bytes_fn(host.len(), ctx, mask, text)? };
    clean.to_device(&Context::on(column.device())?).map(Some)
}

/// The field with nulls where `valid` has none; shared where it has them already.
fn superimposed(field: &Column, valid: Bitmap<'_>, ctx: &Context) -> Result<Column> {
    if field.data_type() == DataType::Empty || field.is_empty() {
        return Ok(field.clone());
    }
    let view = field.view()?;
    let own = view.validity();
    let both = |w: usize| own.map_or(u64::MAX, |own| own.word(w)) & valid.word(w);
    let missing = (0..valid.num_words()).any(|w| own.is_none_or(|own| own.word(w) != both(w)));
    if !missing {
        return Ok(field.clone());
    }
    let mask = null_mask::from_words(field.len(), ctx, both)?;
    if field.data_type() != DataType::Struct {
        return field.with_mask(Some(mask), ctx);
    }
    let fields = (0..field.children().len()).map(|i| superimposed(&field.field(i)?, valid, ctx));
    Column::structs(field.len(), fields.collect::<Result<_>>()?, Some(mask))
}

/// A mask of a GPU with the padding that kernels rely on, which read words; others may have allocated less.
pub(crate) fn padded_mask(mask: Buffer, rows: usize, ctx: &Context) -> Result<Buffer> {
    let padded = null_mask::bitmask_allocation_size_bytes(rows);
    if mask.device() == Device::Cpu || mask.len() >= padded {
        return Ok(mask);
    }
    let mut copy = DeviceBuffer::uninit(padded, ctx)?;
    copy.fill(0)?;
    mask.copy_to(&mut copy, 0)?;
    copy.try_into()
}
