//! [`Column`]: a typed, nullable array that is cheap to clone and to slice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_runtime::primitives::{self, Bits};
use cuprum_runtime::{Buffer, Context, Device, Error, HostUVec, Result};

use crate::null_mask::mask_buffer::{bits_of, copied};
use crate::stored::Native;
use crate::types::DataType;

/// An immutable array of elements of one [`DataType`], each of which may be null, on any device.
///
/// The layout is Arrow's (booleans take one byte): packed `data`, validity bits in `mask`, and child
/// columns: the offsets of strings; offsets and elements of lists; the fields of structs; indices and
/// keys of dictionaries. A slice shares the buffers and carries an `offset`, which counts elements of
/// `data` and bits of `mask` alike and rows of the children's own: children are not re-offset.
/// The value under a null is undefined.
pub struct Column {
    data_type: DataType,
    len: usize,
    offset: usize,
    data: Option<Buffer>,
    mask: Option<Buffer>,
    /// [`UNKNOWN`] until it is first asked for.
    null_count: AtomicUsize,
    /// Shared, so that cloning a string column costs a count more and no allocation.
    children: Option<Arc<[Column]>>,
}

/// A null count that is to be counted when it is first asked for.
pub const UNKNOWN_NULL_COUNT: usize = usize::MAX;
const UNKNOWN: usize = UNKNOWN_NULL_COUNT;

impl Clone for Column {
    fn clone(&self) -> Self {
        Self {
            data_type: self.data_type,
            len: self.len,
            offset: self.offset,
            data: self.data.clone(),
            mask: self.mask.clone(),
            null_count: AtomicUsize::new(self.null_count.load(Ordering::Relaxed)),
            children: self.children.clone(),
        }
    }
}

impl Column {
    /// A fixed-width column of `data_type` from its stored values.
    ///
    /// `mask` is a mask buffer with its null count, as the functions of [`null_mask`](crate::null_mask) make it.
    /// Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not the stored type.
    pub fn new<T: Native>(
        data_type: DataType,
        values: HostUVec<T>,
        mask: Option<(Buffer, usize)>,
    ) -> Result<Self> {
        let len = values.len();
        Self::from_buffer(data_type, len, values.into_buffer(), mask)
    }

    /// A fixed-width column over an existing buffer of at least `len` elements.
    pub fn from_buffer(
        data_type: DataType,
        len: usize,
        data: Buffer,
        mask: Option<(Buffer, usize)>,
    ) -> Result<Self> {
        let Some(size) = data_type.size() else {
            return Err(Error::data_type(format!("a fixed-width column cannot be of type {data_type}")));
        };
        if len.checked_mul(size).is_none_or(|bytes| bytes > data.len()) {
            return Err(Error::logic(format!(
                "`data` has {} bytes, {len} elements of {data_type} need more",
                data.len()
            )));
        }
        Self::assemble(data_type, len, Some(data), mask, None)
    }

    /// A column of any type from its parts, which are checked: see [`validate`](Self::validate).
    ///
    /// `null_count` may be [`UNKNOWN_NULL_COUNT`]. Fails with [`Logic`](crate::ErrorKind::Logic) where
    /// the parts do not make a column of the type, or are not on one device.
    pub fn from_parts(
        data_type: DataType,
        len: usize,
        offset: usize,
        data: Option<Buffer>,
        mask: Option<(Buffer, usize)>,
        children: Vec<Self>,
    ) -> Result<Self> {
        // SAFETY: checked next, before anything reads the column.
        let column = unsafe { Self::from_parts_unchecked(data_type, len, offset, data, mask, children)? };
        column.validate()?;
        Ok(column)
    }

    /// [`from_parts`](Self::from_parts) without looking at the parts' contents.
    ///
    /// # Safety
    /// [`validate`](Self::validate) would succeed.
    pub unsafe fn from_parts_unchecked(
        data_type: DataType,
        len: usize,
        offset: usize,
        data: Option<Buffer>,
        mask: Option<(Buffer, usize)>,
        children: Vec<Self>,
    ) -> Result<Self> {
        let end = offset
            .checked_add(len)
            .filter(|&end| end < usize::MAX / 16)
            .ok_or_else(|| Error::overflow(format!("{len} rows from row {offset} on are too many")))?;
        let children = if children.is_empty() { None } else { Some(children.into()) };
        if let Some((_, nulls)) = mask.as_ref().filter(|(_, nulls)| *nulls != UNKNOWN && *nulls > len) {
            return Err(Error::logic(format!("`null_count` is {nulls} for {len} rows")));
        }
        Ok(Self::assemble(data_type, end, data, mask, children)?.at(offset, len))
    }

    /// Cut to the rows `[offset, offset + len)` of its memory, whose nulls it has counted already.
    fn at(mut self, offset: usize, len: usize) -> Self {
        (self.offset, self.len) = (offset, len);
        if self.data_type == DataType::Empty {
            *self.null_count.get_mut() = len;
        }
        self
    }

    pub(crate) fn assemble(
        data_type: DataType,
        len: usize,
        data: Option<Buffer>,
        mask: Option<(Buffer, usize)>,
        children: Option<Arc<[Self]>>,
    ) -> Result<Self> {
        let (mask, null_count) = match mask {
            // Its elements are null without a mask.
            _ if data_type == DataType::Empty => (None, len),
            // A mask without nulls says nothing: every later operation is faster without it.
            Some((_, 0)) | None => (None, 0),
            Some((mask, nulls)) => {
                if mask.len() < len.div_ceil(8) || (nulls > len && nulls != UNKNOWN) {
                    return Err(Error::logic(format!(
                        "`mask` has {} bytes and {nulls} nulls for {len} elements",
                        mask.len()
                    )));
                }
                (Some(mask), nulls)
            }
        };
        let column = Self {
            data_type,
            len,
            offset: 0,
            data,
            mask,
            null_count: AtomicUsize::new(null_count),
            children,
        };
        let device = column.device();
        let elsewhere = |other: &Device| *other != device;
        let buffers = [&column.data, &column.mask].into_iter().flatten().map(Buffer::device);
        let children = column.children().iter().filter(|child| !child.is_nothing()).map(Self::device);
        if let Some(other) = buffers.chain(children).find(elsewhere) {
            return Err(Error::logic(format!("parts of a column are on {device} and on {other}")));
        }
        Ok(column)
    }

    /// Whether work on `device` can read the column: it is there, or has no memory at all.
    pub fn is_on(&self, device: Device) -> bool {
        self.is_nothing() || self.device() == device
    }

    /// Whether it has no memory at all, and so is on no device in particular.
    fn is_nothing(&self) -> bool {
        self.data.is_none() && self.mask.is_none() && self.children().iter().all(Self::is_nothing)
    }

    /// A column of `T`'s own type without nulls.
    pub fn from_values<T: Native>(values: HostUVec<T>) -> Self {
        Self::new(T::DATA_TYPE, values, None).expect("T is the storage of its own data type")
    }

    /// An empty column; of nested types as [`nulls`](Self::nulls) has it.
    pub fn empty(data_type: DataType) -> Self {
        let children: Option<Arc<[Self]>> = match data_type {
            DataType::List => Some([Self::empty(DataType::Int32), Self::empty(DataType::Empty)].into()),
            DataType::Dictionary32 => {
                Some([Self::empty(DataType::UInt8), Self::empty(DataType::Empty)].into())
            }
            _ => None,
        };
        Self {
            data_type,
            len: 0,
            offset: 0,
            data: None,
            mask: None,
            null_count: AtomicUsize::new(0),
            children,
        }
    }

    /// The type of the elements.
    #[inline]
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The position of the first element in the buffers.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The data buffer (characters, for strings).
    pub fn data(&self) -> Option<&Buffer> {
        self.data.as_ref()
    }

    /// The data buffer for writing, which has to be made one's own first.
    pub(crate) fn data_mut(&mut self) -> Option<&mut Buffer> {
        self.data.as_mut()
    }

    /// The mask, which holds a bit for each element of the data, and the null count for writing.
    pub(crate) fn mask_mut(&mut self) -> (&mut Option<Buffer>, &mut usize) {
        (&mut self.mask, self.null_count.get_mut())
    }

    /// The mask buffer; none where every element is valid.
    pub fn mask(&self) -> Option<&Buffer> {
        self.mask.as_ref()
    }

    /// The child columns, as they lie in memory: not cut to the rows of a slice.
    pub fn children(&self) -> &[Self] {
        self.children.as_deref().unwrap_or_default()
    }

    /// The offsets of a string or list column; `None` where it was made empty, without any.
    pub fn offsets_child(&self) -> Option<&Self> {
        match self.data_type() {
            DataType::String | DataType::List => self.children().first().filter(|child| !child.is_empty()),
            _ => None,
        }
    }

    /// The device that holds the column; the CPU where it has no memory at all.
    pub fn device(&self) -> Device {
        let own = self.data.as_ref().or(self.mask.as_ref()).map(Buffer::device);
        let inside = || self.children().iter().find(|child| !child.is_nothing()).map(Self::device);
        own.or_else(inside).unwrap_or(Device::Cpu)
    }

    /// The device that holds the column; `None` where it has no memory at all, so that it is on any.
    pub fn place(&self) -> Option<Device> {
        (!self.is_nothing()).then(|| self.device())
    }

    /// The context in which this thread works with the column: see [`Context::beside`]; the
    /// [current](Context::current) one for a column without memory.
    pub fn context(&self) -> Result<Context> {
        Context::beside(self.place())
    }

    /// The number of nulls; counted once and kept.
    ///
    /// # Errors
    /// The error of the memory, where the mask cannot be read: the column is on a GPU that has failed, or was
    /// spilled and does not come back.
    pub fn null_count(&self) -> Result<usize> {
        if let Some(known) = self.counted_nulls() {
            return Ok(known);
        }
        let valid = match &self.mask {
            None => self.len,
            Some(mask) => {
                let bits = Bits::of(mask, self.offset, self.len)?;
                match self.device() {
                    Device::Cpu => bits.to_bitmap()?.count_set(),
                    device @ Device::Cuda(_) => {
                        primitives::count_bits(&bits, &Context::on(device)?)?.value()? as usize
                    }
                }
            }
        };
        self.null_count.store(self.len - valid, Ordering::Relaxed);
        Ok(self.len - valid)
    }

    /// The number of nulls where it is known without counting.
    pub fn counted_nulls(&self) -> Option<usize> {
        Some(self.null_count.load(Ordering::Relaxed)).filter(|&nulls| nulls != UNKNOWN)
    }

    /// Whether any element is null; see [`null_count`](Self::null_count).
    pub fn has_nulls(&self) -> bool {
        // If the count fails, whoever reads the nulls next has the error.
        (self.mask.is_some() || self.data_type == DataType::Empty)
            && self.null_count().map_or(true, |n| n > 0)
    }

    /// The rows `[start, start + len)`, sharing memory.
    pub fn slice(&self, start: usize, len: usize) -> Result<Self> {
        if start.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Error::out_of_range(format!(
                "rows [{start}, {start} + {len}) of a column of {} rows",
                self.len
            )));
        }
        let mut slice = self.clone();
        slice.offset += start;
        slice.len = len;
        let nulls = slice.null_count.get_mut();
        if len == 0 {
            *nulls = 0;
        } else if *nulls == self.len {
            *nulls = len;
        } else if len != self.len && *nulls != 0 {
            *nulls = UNKNOWN;
        }
        Ok(slice)
    }

    /// The same memory as another type whose elements have the same size (an integer as a timestamp, …).
    pub fn bit_cast(&self, data_type: DataType) -> Result<Self> {
        if !self.data_type.is_bit_castable_to(data_type) {
            return Err(Error::data_type(format!("cannot view {} as {data_type}", self.data_type)));
        }
        let mut cast = self.clone();
        cast.data_type = data_type;
        Ok(cast)
    }

    /// The same values with another mask (and its null count), which has a bit for each row from bit 0 on
    /// and is on the column's device.
    pub fn with_mask(&self, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Self> {
        let mask = match mask {
            // A mask begins where the elements do.
            Some((bits, nulls)) if nulls > 0 && self.offset > 0 => {
                Some((copied(&bits, 0..self.len, self.offset, ctx)?, nulls))
            }
            mask => mask,
        };
        let end = self.offset + self.len;
        let masked = Self::assemble(self.data_type, end, self.data.clone(), mask, self.children.clone())?;
        Ok(masked.at(self.offset, self.len))
    }

    /// The validity of the column as a mask of its own that starts at bit 0, with the null count;
    /// `None` where nothing is null. Memory is shared where the column begins at the start of its own.
    pub fn copy_mask(&self, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        let Some(mask) = self.mask.as_ref().filter(|_| self.has_nulls()) else { return Ok(None) };
        let mask = match self.offset {
            0 => mask.clone(),
            offset => copied(mask, offset..offset + self.len, 0, ctx)?,
        };
        Ok(Some((mask, self.null_count()?)))
    }

    /// The bits of the mask that belong to the rows, on the device of the context.
    pub(crate) fn validity(&self, ctx: &Context) -> Result<Option<Bits<'_>>> {
        self.mask.as_ref().map(|mask| bits_of(mask, self.offset, self.offset + self.len, ctx)).transpose()
    }

    /// The same rows with other columns inside, each with the contents of the one in its place, in the
    /// same places.
    pub(crate) fn with_children(&self, children: Vec<Self>) -> Self {
        debug_assert_eq!(children.len(), self.children().len());
        let mut column = self.clone();
        column.children = Some(children.into());
        column
    }

    /// Bytes of memory behind the column: buffers whole, children included.
    pub fn nbytes(&self) -> usize {
        let own = self.data.as_ref().map_or(0, Buffer::len) + self.mask.as_ref().map_or(0, Buffer::len);
        own + self.children().iter().map(Self::nbytes).sum::<usize>()
    }

    /// [`nbytes`](Self::nbytes) for each row that the memory holds, rounded up: an estimate of what some of
    /// the rows take.
    pub fn bytes_per_row(&self) -> usize {
        let own = self.nbytes() - self.children().iter().map(Self::nbytes).sum::<usize>();
        let held = match (self.data_type.size(), &self.data, self.offsets_child()) {
            (Some(size), Some(data), _) => data.len() / size,
            // Characters and elements are as many as the rows of the whole memory have.
            (_, _, Some(offsets)) => {
                let rows = offsets.bytes_held() / offsets.data_type.size().unwrap_or(1);
                return self.nbytes().div_ceil(rows.max(self.offset + self.len).max(1));
            }
            _ => 0,
        };
        let own = own.div_ceil(held.max(self.offset + self.len).max(1));
        own + self.children().iter().map(Self::bytes_per_row).sum::<usize>()
    }

    /// Bytes of the data buffer.
    fn bytes_held(&self) -> usize {
        self.data.as_ref().map_or(0, Buffer::len)
    }
}

/// Type, length, nulls and the first elements.
impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 16;
        write!(f, "Column<{}>[{} rows", self.data_type, self.len)?;
        if self.device() != Device::Cpu {
            return write!(f, " on {}]", self.device());
        }
        match self.null_count() {
            Ok(nulls) => write!(f, ", {nulls} nulls] [")?,
            Err(error) => return write!(f, ", unreadable: {error}]"),
        }
        for row in 0..self.len.min(SHOWN) {
            let separator = if row == 0 { "" } else { ", " };
            match self.get(row) {
                Ok(element) => write!(f, "{separator}{element}")?,
                Err(error) => return write!(f, "{separator}unreadable: {error}]"),
            }
        }
        f.write_str(if self.len > SHOWN { ", …]" } else { "]" })
    }
}
