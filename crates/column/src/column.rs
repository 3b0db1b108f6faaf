//! [`Column`]: a typed, nullable array that is cheap to clone and to slice.

use std::sync::atomic::{AtomicUsize, Ordering};

use bytemuck::{NoUninit, Pod};
use cuprum_runtime::{Buffer, Context, Device, Error, HostUVec, Result};

use crate::null_mask::{self, Bitmap};
use crate::scalar::{Scalar, Value};
use crate::strings::{self, StringsView};
use crate::types::{DataType, Native};

/// An immutable array of elements of one [`DataType`], each of which may be null.
///
/// The layout is Arrow's (booleans take one byte): packed `data`, validity bits in `mask`, a child
/// column of offsets for strings. A slice shares the buffers and carries an `offset`, which counts
/// elements of `data` and bits of `mask` alike; the offsets child of strings is not re-offset.
/// The value under a null is undefined.
pub struct Column {
    data_type: DataType,
    len: usize,
    offset: usize,
    data: Option<Buffer>,
    mask: Option<Buffer>,
    /// [`UNKNOWN`] until it is first asked for.
    null_count: AtomicUsize,
    children: Vec<Column>,
}

const UNKNOWN: usize = usize::MAX;

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
    /// `mask` is a mask buffer with its null count, as the functions of [`null_mask`] make it.
    /// Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not what the type is stored as.
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
        Self::assemble(data_type, len, Some(data), mask, Vec::new())
    }

    pub(crate) fn assemble(
        data_type: DataType,
        len: usize,
        data: Option<Buffer>,
        mask: Option<(Buffer, usize)>,
        children: Vec<Self>,
    ) -> Result<Self> {
        let (mask, null_count) = match mask {
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
        Ok(Self { data_type, len, offset: 0, data, mask, null_count: AtomicUsize::new(null_count), children })
    }

    /// A column of `T`'s own type without nulls.
    pub fn from_values<T: Native>(values: HostUVec<T>) -> Self {
        Self::new(T::DATA_TYPE, values, None).expect("T is the storage of its own data type")
    }

    /// A copy of `values` as a column of `T`'s own type without nulls.
    pub fn from_slice<T: Native>(values: &[T], ctx: &Context) -> Result<Self> {
        Ok(Self::from_values(HostUVec::from_slice(values, ctx)?))
    }

    /// A column of `T`'s own type from optional values.
    pub fn from_options<T: Native>(values: &[Option<T>], ctx: &Context) -> Result<Self> {
        let data = HostUVec::from_fn(values.len(), ctx, |i| values[i].unwrap_or(T::zeroed()))?;
        let mask = null_mask::from_fn(values.len(), ctx, |i| values[i].is_some())?;
        Self::new(T::DATA_TYPE, data, Some(mask))
    }

    /// A boolean column without nulls.
    pub fn from_bools(values: &[bool], ctx: &Context) -> Result<Self> {
        Self::new(DataType::Bool8, HostUVec::from_fn(values.len(), ctx, |i| u8::from(values[i]))?, None)
    }

    /// A string column without nulls.
    pub fn from_strs<S: AsRef<str> + Sync>(values: &[S], ctx: &Context) -> Result<Self> {
        strings::from_fn(values.len(), ctx, |i| Some(values[i].as_ref()))
    }

    /// A string column from optional values.
    pub fn from_opt_strs<S: AsRef<str> + Sync>(values: &[Option<S>], ctx: &Context) -> Result<Self> {
        strings::from_fn(values.len(), ctx, |i| values[i].as_ref().map(AsRef::as_ref))
    }

    /// `len` copies of one scalar.
    pub fn from_scalar(scalar: &Scalar, len: usize, ctx: &Context) -> Result<Self> {
        let data_type = scalar.data_type();
        if scalar.is_null() {
            return Self::nulls(data_type, len, ctx);
        }
        if let Value::String(text) = scalar.value() {
            return strings::from_fn(len, ctx, |_| Some(text));
        }
        crate::dispatch_storage!(data_type, T => {
            let value = scalar.to_native::<T>()?.expect("not null");
            Self::new(data_type, HostUVec::filled(value, len, ctx)?, None)
        }, else => unreachable!("strings are handled above"))
    }

    /// A column of `len` nulls.
    pub fn nulls(data_type: DataType, len: usize, ctx: &Context) -> Result<Self> {
        let mask = Some((null_mask::uniform(false, len, ctx)?, len));
        crate::dispatch_storage!(data_type, T => {
            Self::new(data_type, HostUVec::<T>::zeroed(len, ctx)?, mask)
        }, else => strings::from_fn(len, ctx, |_| None))
    }

    /// An empty column.
    pub fn empty(data_type: DataType) -> Self {
        Self::nulls(data_type, 0, &Context::current()).expect("an empty column needs no memory")
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

    /// The mask buffer; none where every element is valid.
    pub fn mask(&self) -> Option<&Buffer> {
        self.mask.as_ref()
    }

    /// The child columns: the offsets of a string column.
    pub fn children(&self) -> &[Self] {
        &self.children
    }

    /// The device that holds the column.
    pub fn device(&self) -> Device {
        self.data.as_ref().map_or(Device::Cpu, Buffer::device)
    }

    /// The number of nulls; counted once and kept.
    pub fn null_count(&self) -> usize {
        let known = self.null_count.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let count = self.view().validity_bits().map_or(0, |bits| self.len - bits.count_set());
        self.null_count.store(count, Ordering::Relaxed);
        count
    }

    /// Whether any element is null.
    pub fn has_nulls(&self) -> bool {
        self.mask.is_some() && self.null_count() > 0
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
        if len != self.len && *slice.null_count.get_mut() != 0 {
            *slice.null_count.get_mut() = UNKNOWN;
        }
        Ok(slice)
    }

    /// The same memory as another type that is stored the same way (an integer as a timestamp, …).
    pub fn bit_cast(&self, data_type: DataType) -> Result<Self> {
        if data_type.storage() != self.data_type.storage() {
            return Err(Error::data_type(format!("cannot view {} as {data_type}", self.data_type)));
        }
        let mut cast = self.clone();
        cast.data_type = data_type;
        Ok(cast)
    }

    /// The same values with another mask (and its null count).
    pub fn with_mask(&self, mask: Option<(Buffer, usize)>, ctx: &Context) -> Result<Self> {
        if self.offset == 0 {
            return Self::assemble(self.data_type, self.len, self.data.clone(), mask, self.children.clone());
        }
        // A mask starts at the element offset: move the new one there.
        let offset = self.offset;
        let mut masked = self.clone();
        masked.mask = None;
        *masked.null_count.get_mut() = 0;
        if let Some((bits, nulls)) = mask.filter(|(_, nulls)| *nulls > 0) {
            let source = Bitmap::of(bits, 0, self.len);
            let (moved, _) =
                null_mask::from_fn(offset + self.len, ctx, |i| i >= offset && source.get(i - offset))?;
            masked.mask = Some(moved);
            *masked.null_count.get_mut() = nulls;
        }
        Ok(masked)
    }

    /// The validity of the column as a mask of its own that starts at bit 0, with the null count;
    /// `None` where nothing is null.
    pub fn copy_mask(&self, ctx: &Context) -> Result<Option<(Buffer, usize)>> {
        if !self.has_nulls() {
            return Ok(None);
        }
        if self.offset == 0 {
            return Ok(self.mask.clone().map(|mask| (mask, self.null_count())));
        }
        let bits = self.view().validity().expect("the column has nulls");
        null_mask::from_words(self.len, ctx, |w| bits.word(w)).map(Some)
    }

    /// Borrowed access to the elements, for kernels. While the view lives its memory stays in place.
    #[inline]
    pub fn view(&self) -> ColumnView<'_> {
        ColumnView { column: self }
    }

    /// Element `row` as a scalar; negative rows are not counted from the end.
    pub fn get(&self, row: usize) -> Result<Scalar> {
        if row >= self.len {
            return Err(Error::out_of_range(format!("row {row} of a column of {} rows", self.len)));
        }
        let view = self.view();
        if !view.is_valid(row) {
            return Ok(Scalar::null(self.data_type));
        }
        crate::dispatch_storage!(self.data_type, T => {
            Ok(Scalar::from_native(self.data_type, view.values::<T>()?[row]))
        }, else => Ok(Scalar::string(view.strings()?.get(row))))
    }

    /// Bytes of memory behind the column: buffers whole, children included.
    pub fn nbytes(&self) -> usize {
        let own = self.data.as_ref().map_or(0, Buffer::len) + self.mask.as_ref().map_or(0, Buffer::len);
        own + self.children.iter().map(Self::nbytes).sum::<usize>()
    }
}

/// Type, length, nulls and the first elements.
impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 16;
        write!(f, "Column<{}>[{} rows, {} nulls] [", self.data_type, self.len, self.null_count())?;
        for row in 0..self.len.min(SHOWN) {
            let separator = if row == 0 { "" } else { ", " };
            write!(f, "{separator}{}", self.get(row).map_err(|_| std::fmt::Error)?)?;
        }
        f.write_str(if self.len > SHOWN { ", …]" } else { "]" })
    }
}

/// Borrowed, pinned access to a column: what kernels read.
#[derive(Clone, Copy)]
pub struct ColumnView<'a> {
    column: &'a Column,
}

impl<'a> ColumnView<'a> {
    /// The type of the elements.
    pub fn data_type(&self) -> DataType {
        self.column.data_type
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.column.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.column.len == 0
    }

    /// The stored values of a fixed-width column, from its first element to its last.
    ///
    /// Fails with [`DataType`](crate::ErrorKind::DataType) when `T` is not what the type is stored as.
    pub fn values<T: Native>(&self) -> Result<&'a [T]> {
        self.stored()
    }

    fn stored<T: Native + Pod + NoUninit>(&self) -> Result<&'a [T]> {
        let column = self.column;
        if column.data_type.storage() != T::DATA_TYPE.storage() {
            return Err(Error::data_type(format!("{} is not stored as {}", column.data_type, T::DATA_TYPE)));
        }
        match &column.data {
            Some(data) if column.len > 0 => {
                Ok(&data.typed::<T>()?[column.offset..column.offset + column.len])
            }
            _ => Ok(&[]),
        }
    }

    /// The validity bits; `None` where nothing is null, so kernels can take the fast path.
    pub fn validity(&self) -> Option<Bitmap<'a>> {
        if self.column.has_nulls() { self.validity_bits() } else { None }
    }

    fn validity_bits(&self) -> Option<Bitmap<'a>> {
        let column = self.column;
        column.mask.as_ref().map(|mask| Bitmap::of(mask, column.offset, column.len))
    }

    /// Whether element `row` is valid; panics outside the column. For single elements: loops take
    /// [`validity`](Self::validity) once.
    pub fn is_valid(&self, row: usize) -> bool {
        assert!(row < self.column.len);
        self.validity_bits().is_none_or(|bits| bits.get(row))
    }

    /// The strings of a string column.
    pub fn strings(&self) -> Result<StringsView<'a>> {
        StringsView::new(self.column)
    }
}
