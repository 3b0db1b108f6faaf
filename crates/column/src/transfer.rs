//! Columns and tables from one device to another, and copies of their rows.
//!
//! Only the memory of the rows is moved: a slice leaves the rest of its memory behind, and spilled
//! memory stays where it is. All copies of a table are given to the stream before any is waited for, and
//! buffers below 64 KiB go to a GPU together, as one copy.

use std::borrow::Cow;
use std::ops::Range;

use std::sync::Arc;

use cuprum_runtime::backend::OnDevice;
use cuprum_runtime::{Buffer, Context, Device, DeviceBuffer, Error, HostUVec, Result};

use crate::column::{Column, UNKNOWN_NULL_COUNT};
use crate::dispatch_storage;
use crate::null_mask::bitmask_allocation_size_bytes;
use crate::scalar::{Scalar, Value};
use crate::table::Table;
use crate::types::DataType;

/// Buffers up to this size travel together: starting a copy takes longer than copying them twice.
const SMALL: usize = 64 << 10;

impl Column {
    /// The same rows on the context's device: shared where they are there already, else copied, without
    /// waiting where the target is a GPU.
    pub fn to_device(&self, ctx: &Context) -> Result<Self> {
        let table = Table::new(vec![self.clone()])?.to_device(ctx)?;
        Ok(table.into_columns().remove(0))
    }

    /// The column in the context's memory: itself where it is there, as most arguments are.
    pub fn placed(&self, ctx: &Context) -> Result<Cow<'_, Self>> {
        match self.place() {
            Some(device) if device != ctx.resource().device() => self.to_device(ctx).map(Cow::Owned),
            _ => Ok(Cow::Borrowed(self)),
        }
    }

    /// The same rows in host memory, of its current resource.
    pub fn to_host(&self) -> Result<Self> {
        if self.device() == Device::Cpu {
            Ok(self.clone())
        } else {
            self.to_device(&Context::on(Device::Cpu)?)
        }
    }

    /// The rows `[start, start + len)` in memory of the context that nothing else uses; the nulls are
    /// counted when they are first asked for.
    ///
    /// Reads the bytes of these rows from whatever memory they are in, and leaves the rest where it is.
    /// Strings and lists of one GPU copied on another take all their characters and elements along,
    /// dictionaries their keys.
    ///
    /// Fails with [`OutOfRange`](crate::ErrorKind::OutOfRange) where there are no such rows.
    pub fn copy_rows(&self, start: usize, len: usize, ctx: &Context) -> Result<Self> {
        Ok(copied(&[&self.slice(start, len)?], ctx)?.remove(0))
    }
}

impl Table {
    /// The same rows on the context's device: columns that are there already are shared, the others
    /// copied together, without waiting where the target is a GPU.
    pub fn to_device(&self, ctx: &Context) -> Result<Self> {
        let target = ctx.resource().device();
        let away: Vec<&Column> = self.columns().iter().filter(|column| column.device() != target).collect();
        let mut moved = copied(&away, ctx)?.into_iter();
        let columns = self.columns().iter().map(|column| match column.device() {
            device if device == target => Ok(column.clone()),
            _ => moved.next().ok_or_else(|| Error::logic("a column was not moved")),
        });
        Self::with_rows(columns.collect::<Result<_>>()?, self.num_rows())
    }

    /// The same rows in host memory, of its current resource.
    pub fn to_host(&self) -> Result<Self> {
        self.to_device(&Context::on(Device::Cpu)?)
    }

    /// [`Column::copy_rows`] of every column, copied together.
    pub fn copy_rows(&self, start: usize, len: usize, ctx: &Context) -> Result<Self> {
        let rows = self.slice(start, len)?;
        Self::with_rows(copied(&rows.columns().iter().collect::<Vec<_>>(), ctx)?, len)
    }
}

impl OnDevice for Column {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        if self.is_on(device) { None } else { Some(self.device()) }
    }

    fn types(&self) -> String {
        self.data_type().to_string()
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        self.to_device(ctx)
    }
}

impl OnDevice for Table {
    type Moved = Self;

    fn elsewhere(&self, device: Device) -> Option<Device> {
        self.columns().elsewhere(device)
    }

    fn types(&self) -> String {
        format!("({})", self.columns().types())
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        self.to_device(ctx)
    }
}

/// Scalars are taken wherever their row of lists or structs is.
impl OnDevice for Scalar {
    type Moved = Self;

    fn elsewhere(&self, _: Device) -> Option<Device> {
        None
    }

    fn types(&self) -> String {
        self.data_type().to_string()
    }

    fn moved_to(&self, ctx: &Context) -> Result<Self> {
        match self.value() {
            Value::Nested(row) => Self::nested(row.to_device(ctx)?),
            _ => Ok(self.clone()),
        }
    }
}

/// Copies of the columns on the context's device.
fn copied(columns: &[&Column], ctx: &Context) -> Result<Vec<Column>> {
    let mut batch = Batch::default();
    let target = ctx.resource().device();
    let shapes = columns.iter().map(|column| batch.add(column, target)).collect::<Result<Vec<_>>>()?;
    let buffers = batch.copy(ctx)?;
    shapes.into_iter().map(|shape| shape.build(&buffers, ctx)).collect()
}

/// The buffers that are to be moved: parts of those of columns, or made for the purpose.
#[derive(Default)]
struct Batch(Vec<Buffer>);

/// A column whose buffers are numbers of a [`Batch`].
struct Shape {
    data_type: DataType,
    len: usize,
    offset: usize,
    data: Option<usize>,
    mask: Option<usize>,
    null_count: usize,
    children: Vec<Shape>,
    /// The base that is subtracted from the values, which are offsets of rows that were cut out.
    rebase: usize,
}

impl Batch {
    fn push(&mut self, buffer: Buffer) -> usize {
        self.0.push(buffer);
        self.0.len() - 1
    }

    /// Adds the buffers of the rows of `column`.
    fn add(&mut self, column: &Column, target: Device) -> Result<Shape> {
        // A mask is cut at whole words, so some rows before the first may have to come along.
        let lead = if column.mask().is_some() { column.offset() % 64 } else { 0 };
        let (first, end) = (column.offset() - lead, column.offset() + column.len());
        let rows = end - first;
        let mask = match column.mask() {
            Some(mask) => Some(self.push(padded(mask, first / 8, rows)?)),
            None => None,
        };
        let mut shape = Shape {
            data_type: column.data_type(),
            len: column.len(),
            offset: lead,
            data: None,
            mask,
            null_count: column.counted_nulls().unwrap_or(UNKNOWN_NULL_COUNT),
            children: Vec::new(),
            rebase: 0,
        };
        let children = column.children();
        match (column.data_type(), column.data()) {
            (DataType::String | DataType::List, chars) => {
                let Some(offsets) = column.offsets_child().filter(|_| rows > 0) else {
                    if column.data_type() == DataType::List {
                        shape.children = vec![
                            self.add(&Column::empty(DataType::Int32), target)?,
                            self.add(&children[1].slice(0, 0)?, target)?,
                        ];
                    }
                    return Ok(shape);
                };
                // Offsets are rebased by the host: between two GPUs everything goes along.
                let through_host = column.device() == Device::Cpu || target == Device::Cpu;
                let whole = first == 0 && end + 1 == offsets.len();
                let inner = match (chars, children.get(1)) {
                    (_, Some(elements)) => elements.len(),
                    (Some(chars), None) => chars.len(),
                    (None, None) => 0,
                };
                let offsets = offsets.slice(first, rows + 1)?;
                let range = if !through_host || whole {
                    shape.children.push(self.add(&offsets, target)?);
                    0..inner
                } else if column.device() == Device::Cpu {
                    let (offsets, range) = from_zero(&offsets)?;
                    shape.children.push(self.add(&offsets, target)?);
                    range
                } else {
                    let range = column.child_range(first..end)?;
                    let mut moved = self.add(&offsets, target)?;
                    moved.rebase = range.start;
                    shape.children.push(moved);
                    range
                };
                if let Some(elements) = children.get(1) {
                    let elements = elements.slice(range.start, range.len())?;
                    shape.children.push(self.add(&elements, target)?);
                } else if let Some(chars) = chars {
                    shape.data = Some(self.push(chars.slice(range.start, range.len())?));
                }
            }
            (DataType::Struct, _) => {
                let fields = children.iter().map(|field| self.add(&field.slice(first, rows)?, target));
                shape.children = fields.collect::<Result<_>>()?;
            }
            (DataType::Dictionary32, _) => {
                shape.children = vec![
                    self.add(&children[0].slice(first, rows)?, target)?,
                    self.add(&children[1], target)?,
                ];
            }
            (data_type, Some(data)) => {
                let size = data_type.size().unwrap_or(0);
                shape.data = Some(self.push(data.slice(first * size, rows * size)?));
            }
            (_, None) => {}
        }
        Ok(shape)
    }

    /// The buffers on the context's device, in order.
    fn copy(self, ctx: &Context) -> Result<Vec<Buffer>> {
        let to_gpu = ctx.resource().device() != Device::Cpu;
        // Small buffers of the host share one block of the GPU.
        let mut staged = Vec::new();
        let mut places = Vec::with_capacity(self.0.len());
        for buffer in &self.0 {
            let together = to_gpu && buffer.device() == Device::Cpu && buffer.len() <= SMALL;
            places.push(together.then_some(staged.len()));
            if together {
                staged.extend_from_slice(buffer.span()?.as_host_slice()?);
                staged.resize(staged.len().next_multiple_of(64), 0);
            }
        }
        let block: Option<Buffer> =
            if staged.is_empty() { None } else { Some(DeviceBuffer::from_host(&staged, ctx)?.try_into()?) };
        let mut queued = Vec::new();
        // An exclusive buffer was made for this batch, from the current resource.
        let from_there = !to_gpu && Arc::ptr_eq(ctx.resource(), Context::on(Device::Cpu)?.resource());
        let is_there =
            |buffer: &Buffer| from_there && buffer.device() == Device::Cpu && buffer.is_exclusive();
        for (buffer, place) in self.0.iter().zip(&places) {
            if place.is_none() && !is_there(buffer) {
                let mut copy = DeviceBuffer::uninit(buffer.len(), ctx)?;
                buffer.copy_to(&mut copy, 0)?;
                queued.push(copy);
            }
        }
        // The host waits here, after everything is on its way.
        let mut queued = queued.into_iter();
        self.0
            .iter()
            .zip(places)
            .map(|(buffer, place)| match (place, &block) {
                (Some(at), Some(block)) => block.slice(at, buffer.len()),
                (Some(_), None) => {
                    Buffer::copy_from_slice(&[], &Context::beside(Device::Cpu)?)?.to_device(ctx)
                }
                (None, _) if is_there(buffer) => Ok(buffer.clone()),
                (None, _) => queued.next().expect("one copy for each").try_into(),
            })
            .collect()
    }
}

impl Shape {
    fn build(self, buffers: &[Buffer], ctx: &Context) -> Result<Column> {
        let children =
            self.children.into_iter().map(|child| child.build(buffers, ctx)).collect::<Result<Vec<_>>>()?;
        let data = self.data.map(|i| buffers[i].clone());
        let mask = self.mask.map(|i| (buffers[i].clone(), self.null_count));
        // SAFETY: the parts are copies of those of a column, cut to its rows.
        let column = unsafe {
            Column::from_parts_unchecked(self.data_type, self.len, self.offset, data, mask, children)?
        };
        if self.rebase == 0 { Ok(column) } else { rebased(&column, self.rebase, ctx) }
    }
}

/// The bytes of a mask for `rows` rows from byte `start` on. Kernels read masks by words: what the
/// host has is padded, should the memory of another library end earlier.
fn padded(mask: &Buffer, start: usize, rows: usize) -> Result<Buffer> {
    let (bytes, there) = (bitmask_allocation_size_bytes(rows), mask.len() - start);
    if there >= bytes || mask.device() != Device::Cpu {
        return mask.slice(start, bytes.min(there));
    }
    let mut copy = DeviceBuffer::uninit(bytes, &Context::on(Device::Cpu)?)?;
    copy.fill(0)?;
    mask.slice(start, there)?.copy_to(&mut copy, 0)?;
    copy.try_into()
}

/// A copy of offsets in host memory that begins at 0, and the range they point to.
fn from_zero(offsets: &Column) -> Result<(Column, Range<usize>)> {
    let ctx = Context::on(Device::Cpu)?;
    let copy = offsets.copy_rows(0, offsets.len(), &ctx)?;
    let at = |row: usize| {
        let offset = copy.get(row)?;
        let at = offset.as_i64().and_then(|offset| usize::try_from(offset).ok());
        at.ok_or_else(|| Error::logic(format!("offset {offset} is no position")))
    };
    let range = at(0)?..at(copy.len() - 1)?;
    let offsets = if range.start == 0 { copy } else { rebased(&copy, range.start, &ctx)? };
    Ok((offsets, range))
}

/// Offsets that begin `start` earlier.
fn rebased(offsets: &Column, start: usize, ctx: &Context) -> Result<Column> {
    let view = offsets.view()?;
    dispatch_storage!(offsets.data_type(), T => {
        use crate::stored::Native;
        let values = view.values::<T>()?;
        let moved = HostUVec::from_fn(values.len(), ctx, |i| T::from_i64(values[i].as_i64() - start as i64))?;
        Ok(Column::from_values(moved))
    }, else => Err(Error::data_type(format!("offsets are {}, not integers", offsets.data_type()))))
}
